"""Which move a typed answer means: its number, letter, id, a card's name, or enough of any of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vaultkit.games.turn import Move

LETTERS = "abcdefgijkmnoprtvwxyz"
"""Letters of moves in order; h, l, q, s and u are commands."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal move as a person sees it: what it means, and the names of the cards in it."""

    move: Move
    label: str
    cards: tuple[str, ...] = ()


def letter(index: int) -> str:
    """The letter of the move at `index`, or none when there are too many moves."""
    return LETTERS[index] if index < len(LETTERS) else ""


def pick(typed: str, offers: Sequence[Offer]) -> tuple[Offer, ...]:
    """The offers that `typed` may mean: one is an answer, several are a question, none is no move at all."""
    wanted = " ".join(typed.casefold().split())
    if wanted.isdecimal():
        place = int(wanted) - 1
        return (offers[place],) if 0 <= place < len(offers) else ()
    if len(wanted) == 1:
        return tuple(offer for index, offer in enumerate(offers) if letter(index) == wanted)
    for fits in _tiers(wanted):
        found = tuple(offer for offer in offers if fits(offer))
        if found:
            return found
    return ()


def _tiers(wanted: str) -> Iterator[Callable[[Offer], bool]]:
    """Ways in which an offer may be meant, the surest first; the first that fits any offer decides."""
    dashed = wanted.replace(" of ", " ").replace(" ", "-")
    yield lambda offer: offer.move.id.casefold() == wanted
    yield lambda offer: wanted in {offer.label.casefold(), *map(str.casefold, offer.cards)}
    yield lambda offer: dashed in offer.move.operands
    yield lambda offer: any(card.casefold().startswith(wanted) for card in offer.cards)
    yield lambda offer: offer.move.id.casefold().startswith(wanted) or offer.label.casefold().startswith(wanted)
    yield lambda offer: any(word.startswith(wanted) for word in offer.label.casefold().split())
    yield lambda offer: len(wanted) > 2 and wanted in offer.label.casefold()
