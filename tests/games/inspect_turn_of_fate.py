"""Knowledge of Turn of Fate for the conformance suite: hidden cards and invariants."""

from random import Random

from tests.games.permuting import Permutation
from vaultkit.games.turn import Pile
from vaultkit.games.turn_of_fate.rules import RIVAL
from vaultkit.games.turn_of_fate.state import FateState


def permute(state: FateState, seat: int, rng: Random) -> FateState:
    """Return a state with all cards that `seat` cannot see dealt anew.

    Cards that the rival put under the deck keep the seat's suit, and the rival's hand stays free of it (TF-9).
    """
    copy, at = state.clone(), state.at
    if not at.temples:
        return copy
    rival, barred = 1 - seat, state.rules.cards.bearing[at.temples[seat]]
    hidden = [card for card in (*at.hands[rival], *at.fates.bottom, *at.fates.unknown) if card not in at.known[seat]]
    for group in ([card for card in hidden if card in barred], [card for card in hidden if card not in barred]):
        new = Permutation(group, rng)
        copy.at.hands[rival] = new.cards(copy.at.hands[rival])
        copy.at.fates = Pile(new.cards(copy.at.fates.unknown), new.cards(copy.at.fates.bottom))
        copy.at.known[rival] = frozenset(new.cards(copy.at.known[rival]))
    copy.run_until_turn()
    return copy


def sound(state: FateState) -> bool:
    """Return whether no hand has the rival's suit, each seat knows its hand, and no Citizen bears two rival suits."""
    at, cards = state.at, state.rules.cards
    hands_fit = all(
        RIVAL[temple] not in cards.suits[card] for seat, temple in enumerate(at.temples) for card in at.hands[seat]
    )
    seen = all(at.known[seat].issuperset(at.hands[seat]) for seat in (0, 1))
    fresh = frozenset(at.fates.unknown)
    under = all(card in at.known[0] | at.known[1] for card in at.fates.bottom)
    return hands_fit and seen and under and fresh.isdisjoint(at.known[0] | at.known[1])
