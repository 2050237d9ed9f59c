"""Which move a typed answer means: its number, letter, id, a card's name, or enough of any of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vaultkit.cards import Card
from vaultkit.games.turn import Move
from vaultkit.play.card_names import goes_by

_FILLERS = frozenset({"the", "of", "on", "and", "a"})
LETTERS = "abcdefgijkmnoprtvwxyz"
"""Letters of moves in order; h, l, q, s and u are commands."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal move as a person sees it: what it means, and the names of the cards in it.

    `known` are these cards themselves, with those that nobody could tell from them: they may be named by any code.
    """

    move: Move
    label: str
    cards: tuple[str, ...] = ()
    known: tuple[Card, ...] = ()


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
    yield lambda offer: dashed in offer.move.operands or wanted == " ".join(offer.move.operands).casefold()
    yield lambda offer: any(card.casefold().startswith(wanted) for card in offer.cards)
    yield lambda offer: offer.move.id.casefold().startswith(wanted) or offer.label.casefold().startswith(wanted)
    yield lambda offer: any(word.startswith(wanted) for word in offer.label.casefold().split())
    verb, _, rest = wanted.partition(" ")
    yield lambda offer: any(goes_by(wanted, card) for card in offer.known)
    yield lambda offer: any(goes_by(rest, card) for card in offer.known) and _does(verb, offer)
    yield lambda offer: len(wanted) > 2 and wanted in offer.label.casefold()
    words = [word for word in _words(wanted) if word not in _FILLERS]
    if len(words) > 1:
        yield lambda offer: _starts(offer, words[0]) and _begin_in_order(words, _words(offer.label))
        yield lambda offer: _begin_in_order(words, _words(offer.label))


def _does(verb: str, offer: Offer) -> bool:
    return any(said.startswith(verb) for said in (offer.move.verb, _words(offer.label)[0]))


def _starts(offer: Offer, begin: str) -> bool:
    """Whether the first card of the move is meant by a word that begins so."""
    return any(word.startswith(begin) for word in _words("".join(offer.cards[:1])))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.casefold()) or [""]


def _begin_in_order(words: Sequence[str], said: Sequence[str]) -> bool:
    """Whether each of the words begins a word of what is said, one after the other: `risk shep`, `bet auth`."""
    left = iter(said)
    return all(any(word.startswith(begin) for word in left) for begin in words)


def of_that_rank(typed: str, offers: Sequence[Offer]) -> tuple[Offer, ...]:
    """Other offers that a bare number may mean as a card's rank; none if the move with that number is one of them."""
    chosen = pick(typed, offers) if typed.isdecimal() else ()
    alone = (offer for offer in offers if len(offer.move.operands) == 1)
    found = tuple(offer for offer in alone if any(str(card.rank) == typed for card in offer.known))
    return () if not chosen or chosen[0] in found else found
