"""What the conformance suite must know of Turn of Fate's state: where every card is, and what a seat cannot see."""

from random import Random

from vaultkit.games.turn import Pile
from vaultkit.games.turn_of_fate.facts import RIVAL
from vaultkit.games.turn_of_fate.state import FateState

HEADINGS = {
    "The Temples", "The Table", "Setting Up", "Introducing a Citizen", "Drawing a Fate", "Your Turn",
    "Playing a Fate", "Moment of Truth", "The Wild Crown", "The End of the Game", "Scoring",
}  # fmt: skip


def census(state: FateState) -> list[str]:
    """Every card, wherever it lies."""
    at = state.at
    piles = (*at.hands, at.fates.unknown, at.fates.bottom, at.citizens.unknown, at.citizens.bottom, at.removed)
    stacks = (*at.agora, *at.congregations[0], *at.congregations[1], *at.vowed[0], *at.vowed[1])
    cards = [card for pile in (*piles, *stacks) for card in pile]
    return cards + [card for step in state.stack for card in step.cards]


def permuted(state: FateState, seat: int, rng: Random) -> FateState:
    """The state with all that `seat` cannot see dealt out anew.

    What the rival put under the deck stays of the seat's suit, and the rival's hand stays free of it (TF-9).
    """
    copy, at = state.clone(), state.at
    if not at.temples:
        return copy
    rival, barred = 1 - seat, state.rules.cards.bearing[at.temples[seat]]
    hidden = [card for card in (*at.hands[rival], *at.fates.bottom, *at.fates.unknown) if card not in at.known[seat]]
    place: dict[str, str] = {}
    for group in ([card for card in hidden if card in barred], [card for card in hidden if card not in barred]):
        place.update(zip(group, rng.sample(group, len(group)), strict=True))

    def moved(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(place.get(card, card) for card in cards)

    copy.at.hands[rival] = moved(at.hands[rival])
    copy.at.fates = Pile(moved(at.fates.unknown), moved(at.fates.bottom))
    copy.at.known[rival] = frozenset(moved(tuple(at.known[rival])))
    copy._settle()
    return copy


def sound(state: FateState) -> bool:
    """Nobody holds the rival's suit, each knows the own hand, and no Citizen bears the suits of two rivals."""
    at, cards = state.at, state.rules.cards
    hands_fit = all(
        RIVAL[temple] not in cards.suits[card] for seat, temple in enumerate(at.temples) for card in at.hands[seat]
    )
    seen = all(at.known[seat].issuperset(at.hands[seat]) for seat in (0, 1))
    fresh = frozenset(at.fates.unknown)
    under = all(card in at.known[0] | at.known[1] for card in at.fates.bottom)
    return hands_fit and seen and under and fresh.isdisjoint(at.known[0] | at.known[1])
