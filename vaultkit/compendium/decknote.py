"""Deck notes: a converter's deck note, or any note with `vaultkit-deck`, its cards as headings or as a table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from vaultkit.cards import Card, Deck
from vaultkit.cards.known import known_deck
from vaultkit.compendium import written
from vaultkit.compendium.cardline import Facts
from vaultkit.compendium.compare import Comparison
from vaultkit.compendium.written import WrittenCard
from vaultkit.errors import Problem, Severity
from vaultkit.vault import Note, Vault
from vaultkit.vault.note import texts

_KINDS = ("tarokka", "decktet", "astromancy", "french52")


@dataclass(frozen=True)
class CardEntry:
    """A card where a deck note has it: `link` leads there, `image` is a vault path, `text` Markdown."""

    card: Card
    link: str
    line: int
    image: str | None = None
    text: str = ""


@dataclass(frozen=True)
class DeckNote:
    """A deck as one note tells it, with what is wrong with it."""

    note: Note
    deck: Deck
    entries: tuple[CardEntry, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def by_id(self) -> Mapping[str, CardEntry]:
        return {entry.card.id: entry for entry in self.entries}

    @property
    def sound(self) -> bool:
        """Whether games can be played with it."""
        return not any(problem.severity == "error" for problem in self.problems)


def is_deck_note(note: Note) -> bool:
    """Whether a note says that it is a deck."""
    classes = texts(note.property("cssclasses")) or texts(note.property("cssclass"))
    return "json5e-deck" in classes or bool(texts(note.property("vaultkit-deck")))


def read(note: Note, vault: Vault) -> DeckNote:
    """The deck of a deck note. Nothing raises: what cannot be read is a Problem, never silently another card."""
    items = written.cards(note, vault)
    kind = _kind(note, items)
    known = known_deck(kind)
    reading = _Reading(note, Comparison(note.path, known) if known else None)
    for item in items:
        reading.take(item)
    deck = Deck(kind, note.title, tuple(entry.card for entry in reading.entries))
    return DeckNote(note, deck, tuple(reading.entries), (*note.problems, *reading.all_problems()))


@dataclass
class _Reading:
    """Gathers the cards of one note. `_lines` tells where each id stands, also those of faulty cards."""

    note: Note
    comparison: Comparison | None
    entries: list[CardEntry] = field(default_factory=list)
    _problems: list[Problem] = field(default_factory=list)
    _lines: dict[str, int] = field(default_factory=dict)

    def take(self, item: WrittenCard) -> None:
        if self.comparison is None:
            self._add(item, self._own_card(item))
            return
        meant = self.comparison.identify(item)
        if isinstance(meant, Problem):
            self._problems.append(meant)
        elif meant.id in self._lines:
            self._twice(item, meant.id, "Take one of them out, or rename it.")
        else:
            self._lines[meant.id] = item.line
            card, problem = self.comparison.verify(item, meant)
            self._problems.extend([problem] if problem else [])
            self._add(item, card)

    def all_problems(self) -> list[Problem]:
        missing = self.comparison.missing(self._lines) if self.comparison else None
        return [*self._problems, missing] if missing else self._problems

    def _add(self, item: WrittenCard, card: Card | None) -> None:
        if card is not None:
            link = f"{self.note.path}#{item.subpath}"
            self.entries.append(CardEntry(card, link, item.line, item.image, item.text))

    def _own_card(self, item: WrittenCard) -> Card:
        """A card of a deck that nobody knows. Some decks hold two of a name; the second one is `goblin-2`."""
        facts, slug, card_id, number = item.facts or Facts(), _slug(item.name), _slug(item.name), 1
        while card_id in self._lines:
            number += 1
            card_id = f"{slug}-{number}"
        if number > 1:
            self._twice(item, slug, "Links lead to the first one only; rename the other.", "warning")
        self._lines[card_id] = item.line
        name = item.name if number == 1 else f"{item.name} ({number})"
        return Card(card_id, name, facts.suits, facts.rank, facts.traits)

    def _twice(self, item: WrittenCard, card_id: str, hint: str, severity: Severity = "error") -> None:
        message = f"'{item.name}' is in this deck twice; the other one is in line {self._lines[card_id]}."
        self._problems.append(Problem(self.note.path, item.line, 1, "card-twice", message, hint, severity))


def _kind(note: Note, items: tuple[WrittenCard, ...]) -> str:
    """What the note says, else the known deck that most of its cards come from, else a name of its own."""
    said = texts(note.property("vaultkit-deck"))
    if said:
        return said[0].strip().lower()
    names = {item.name.casefold() for item in items}
    for kind in _KINDS:
        known = known_deck(kind)
        if known and 2 * sum(card.name.casefold() in names for card in known) > len(known):
            return kind
    return _slug(note.name)


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-")
