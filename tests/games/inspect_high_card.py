"""Knowledge of High Card for the conformance suite: hidden cards and invariants."""

from random import Random

from tests.games.permuting import Permutation
from tests.high_card.game import HAND, HighState
from vaultkit.games.turn import Pile


def permute(state: HighState, seat: int, rng: Random) -> HighState:
    """Return a state with the other hands, the deck and the cards others have put down dealt anew."""
    copy, at = state.clone(), state.at
    others = [hand for owner, hand in enumerate(at.hands) if owner != seat]
    new = Permutation((*(card for hand in others for card in hand), *at.deck.unknown), rng)
    copy.at.hands = [hand if owner == seat else tuple(sorted(new.cards(hand))) for owner, hand in enumerate(at.hands)]
    copy.at.deck = Pile(new.cards(at.deck.unknown))
    copy.stack = [new.resealed(task, seat) for task in copy.stack]
    copy.run_until_turn()
    return copy


def sound(state: HighState) -> bool:
    """Return whether all hands are equally large, apart from seats without a deal."""
    at = state.at
    return {len(hand) for hand in at.hands} <= ({HAND - 1} if at.played else {0, HAND})
