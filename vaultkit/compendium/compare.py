"""A card as written against the deck as everybody knows it: what differs is a Problem, never silently another card."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from vaultkit.cards import Card, Deck, Rank
from vaultkit.compendium.cardline import Facts
from vaultkit.compendium.written import WrittenCard
from vaultkit.errors import Problem

CORRECTABLE = frozenset({"astromancy"})
"""Decks of which some facts are inferred, so that a note which differs is a correction and no mistake."""


@dataclass(frozen=True)
class Comparison:
    """Compares the cards of the note at `path` with the deck `known`."""

    path: str
    known: Deck

    def identify(self, item: WrittenCard) -> Card | Problem:
        """The known card that is meant: the one of that name, else the only one of that suit and rank."""
        name = item.name.casefold()
        card = next((card for card in self.known if card.name.casefold() == name), None)
        card = card or self._by_facts(item.facts)
        if card is not None:
            return card
        hint = _suggestion(item.name, [card.name for card in self.known])
        hint = hint or f"The {self.known.kind} deck has {len(self.known)} cards."
        return self._problem(item.line, "card-unknown", f"The {self.known.kind} deck has no card '{item.name}'.", hint)

    def verify(self, item: WrittenCard, card: Card) -> tuple[Card | None, Problem | None]:
        """The card that `item` adds to the deck, if any, and what is wrong with it."""
        named = card if card.name.casefold() == item.name.casefold() else replace(card, name=item.name)
        if item.facts is None:
            return (None, self._without_line(item, card)) if card.suits else (named, None)
        unknown = self._unknown_suit(item, item.facts)
        if unknown is not None:
            return None, unknown
        if _same_place(item.facts, card) and self._same_traits(item.facts, card):
            return named, None
        return self._different(item, item.facts, named)

    def missing(self, seen: Iterable[str]) -> Problem | None:
        """The known cards that are not among the ids `seen`."""
        present = set(seen)
        titles = [card.title for card in self.known if card.id not in present]
        if not titles:
            return None
        count = f"{len(titles)} cards are" if len(titles) > 1 else "One card is"
        named = ", ".join(titles[:5]) + (", ..." if len(titles) > 5 else "")
        return self._problem(0, "card-missing", f"{count} missing from this {self.known.kind} deck: {named}.")

    def _by_facts(self, facts: Facts | None) -> Card | None:
        """A renamed or translated card is known by its suit and rank, if those are of one card only."""
        if facts is None or not facts.suits:
            return None
        same = [card for card in self.known if _same_place(facts, card)]
        return same[0] if len(same) == 1 else None

    def _without_line(self, item: WrittenCard, card: Card) -> Problem:
        expected = f"*{card.rank} of {' and '.join(card.suits)}*"
        message = f"'{item.name}' has no line that says its rank and suit."
        return self._problem(item.line, "card-line", message, f"Put {expected} on a line of its own under the heading.")

    def _unknown_suit(self, item: WrittenCard, facts: Facts) -> Problem | None:
        known = _folded(self.known.suits)
        unknown = next((suit for suit in facts.suits if suit.casefold() not in known), None)
        if unknown is None:
            return None
        message = f"'{item.name}' has the suit '{unknown}', which the {self.known.kind} deck does not have."
        hint = _suggestion(unknown, self.known.suits) or f"Its suits: {', '.join(self.known.suits)}."
        return self._problem(facts.line or item.line, "card-suit", message, hint)

    def _same_traits(self, facts: Facts, card: Card) -> bool:
        """Whether traits are the same; a table's columns of which the known deck says nothing do not count."""
        known = {key for other in self.known for key in other.traits}
        given = ((key, value) for key, value in facts.traits.items() if key in known)
        return all(card.traits.get(key, "").casefold() == value.casefold() for key, value in given)

    def _different(self, item: WrittenCard, facts: Facts, card: Card) -> tuple[Card | None, Problem]:
        message = f"'{item.name}' is {_described(facts)} here; elsewhere it is {_described(card)}."
        problem = self._problem(facts.line or item.line, "card-facts", message, "Correct the line.")
        if self.known.kind not in CORRECTABLE:
            return None, problem
        spelling = {suit.casefold(): suit for suit in self.known.suits}
        suits = tuple(spelling[suit.casefold()] for suit in facts.suits)
        corrected = replace(card, suits=suits, rank=facts.rank, traits={**card.traits, **facts.traits})
        return corrected, replace(problem, severity="warning", hint="If that is how you want it, leave it so.")

    def _problem(self, line: int, code: str, message: str, hint: str = "") -> Problem:
        return Problem(self.path, line, 1 if line else 0, code, message, hint)


def _same_place(facts: Facts, card: Card) -> bool:
    """Whether suits, in their order, and rank are the same, in whatever case they are written."""
    return _folded(facts.suits) == _folded(card.suits) and _folded([facts.rank]) == _folded([card.rank])


def _folded(words: Iterable[Rank]) -> list[str]:
    return [str(word).casefold() for word in words]


def _described(facts: Facts | Card) -> str:
    words = f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else "without a suit"
    extra = ", ".join(value for key, value in facts.traits.items() if value and key not in {"deck", "value"})
    return f"{words} ({extra})" if extra else words


def _suggestion(word: str, words: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, list(words), n=1)
    return f"Did you mean '{near[0]}'?" if near else ""
