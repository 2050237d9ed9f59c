"""What the conformance suite must know of Prophet's Gambit's state: where every card is, and what a seat cannot see."""

from dataclasses import replace
from random import Random
from typing import Any

from vaultkit.games.prophets_gambit.commit import Commit
from vaultkit.games.prophets_gambit.effects_on_one import Bargain
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.turn import Move, Pile

HEADINGS = {
    "How To Play", "Setting Up", "The Opening", "The Two Rounds", "Play", "Risk", "The Execution", "The Reveal", "Ties",
    "Order of Winning Hands (Strongest to Weakest)", "High Deck Rules",
}  # fmt: skip


def census(state: GambitState) -> list[str]:
    """Every card, wherever it lies."""
    at = state.at
    piles = (*at.hands, *at.shown, *at.kept, at.discard, at.high_discard, at.common.unknown, at.high.unknown)
    cards = [card for pile in piles for card in pile]
    return cards + [card for card in (*at.fates, at.focus, at.turned) if card is not None]


def permuted(state: GambitState, seat: int, rng: Random) -> GambitState:
    """The state with all that `seat` cannot see dealt out anew, sealed cards of others included."""
    copy, at = state.clone(), state.at
    hidden = [card for owner, hand in enumerate(at.hands) if owner != seat for card in hand]
    hidden += [fate for owner, fate in enumerate(at.fates) if owner != seat and fate is not None]
    hidden = [card for card in (*hidden, *at.common.unknown) if card not in at.known[seat]]
    shuffled = hidden.copy()
    rng.shuffle(shuffled)
    place = dict(zip(hidden, shuffled, strict=True))

    def moved(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(place.get(card, card) for card in cards)

    copy.at.hands = [
        hand if owner == seat else tuple(sorted(moved(hand), key=state.rules.cards.place.__getitem__))
        for owner, hand in enumerate(at.hands)
    ]
    copy.at.fates = [
        fate if owner == seat or fate is None else place.get(fate, fate) for owner, fate in enumerate(at.fates)
    ]
    copy.at.common = Pile(moved(at.common.unknown))
    copy.at.high = Pile(tuple(rng.sample(at.high.unknown, len(at.high))))
    copy.stack = [_resealed(step, seat, moved) for step in copy.stack]
    copy.settle()
    return copy


def _resealed(step: Any, seat: int, moved: Any) -> Any:
    if isinstance(step, Bargain) and step.seat != seat and step.card is not None:
        return replace(step, card=moved((step.card,))[0])
    if not isinstance(step, Commit):
        return step
    made = tuple(
        (who, move if who == seat or move is None else Move(move.verb, moved(move.operands))) for who, move in step.made
    )
    return replace(step, made=made)


def sound(state: GambitState) -> bool:
    """Hands never fall below three once they are dealt, and only Innocent and Executioner are kept."""
    at = state.at
    dealt = at.round > 0 and at.turned is None
    return (
        all(3 <= len(hand) <= 9 for hand in at.hands if dealt)
        and all(card in {"innocent", "executioner"} for kept in at.kept for card in kept)
        and len(at.risks) <= 2 * state.seats
        and len(at.discard) + len(at.common) <= 40
    )
