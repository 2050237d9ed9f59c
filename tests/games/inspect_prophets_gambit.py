"""Knowledge of Prophet's Gambit for the conformance suite: hidden cards and invariants."""

from dataclasses import replace
from random import Random
from typing import Any

from tests.games.permuting import Permutation
from vaultkit.games.prophets_gambit.card_effects import TradeStep
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.turn import Pile


def permute(state: GambitState, seat: int, rng: Random) -> GambitState:
    """Return a state with all cards that `seat` cannot see dealt anew, including the sealed cards of others."""
    copy, at = state.clone(), state.at
    hidden = [card for owner, hand in enumerate(at.hands) if owner != seat for card in hand]
    hidden += [fate for owner, fate in enumerate(at.fates) if owner != seat and fate is not None]
    new = Permutation((card for card in (*hidden, *at.common.unknown) if card not in at.known[seat]), rng)
    place = state.rules.cards.place.__getitem__
    copy.at.hands = [
        hand if owner == seat else tuple(sorted(new.cards(hand), key=place)) for owner, hand in enumerate(at.hands)
    ]
    copy.at.fates = [fate if owner == seat or fate is None else new.card(fate) for owner, fate in enumerate(at.fates)]
    copy.at.common = Pile(new.cards(at.common.unknown))
    copy.at.high = Pile(tuple(rng.sample(at.high.unknown, len(at.high))))
    copy.stack = [_traded(new.resealed(task, seat), seat, new) for task in copy.stack]
    copy.run_until_turn()
    return copy


def _traded(task: Any, seat: int, new: Permutation) -> Any:
    hidden = isinstance(task, TradeStep) and task.seat != seat and task.card is not None
    return replace(task, card=new.card(task.card)) if hidden else task


def sound(state: GambitState) -> bool:
    """Return whether dealt hands have at least three cards, and only Innocent and Executioner are kept."""
    at = state.at
    dealt = at.round > 0 and at.turned is None
    return (
        all(3 <= len(hand) <= 9 for hand in at.hands if dealt)
        and all(card in {"innocent", "executioner"} for kept in at.kept for card in kept)
        and len(at.risks) <= 2 * state.seats
        and len(at.discard) + len(at.common) <= 40
    )
