"""A spread: the positions of a reading, each with its name and the part of the deck from which it is drawn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.cards import Card
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.tables.dice import Generator
from vaultkit.errors import InvalidError, UsageError
from vaultkit.text import format_count, name_key, parse_whole_number
from vaultkit.vault.file_facts import is_note

Shape = tuple[tuple[int, ...], ...]
"""How a spread is laid out: its rows from the top, each with the number of a position, from 1, or 0 for a gap."""

_MAX_ROW_CARDS = 5
SHAPE_HINT = (
    'Write each row in quotes, with a number or a full stop for each place: shape = [". 2 .", "1 5 3", ". 4 ."].'
)


def parse_shape(rows: Sequence[object], count: int, where: str) -> Shape:
    """Return the shape written in `rows`, one text for each row, for a spread of `count` positions.

    Raise InvalidError, which names the file or note `where`, if a word is neither a number nor a full stop, or unless
    each position from 1 to `count` occurs exactly once.
    """
    shape = tuple(tuple(_parse_place(word, where) for word in str(row).split()) for row in rows)
    placed_numbers = sorted(number for row in shape for number in row if number)
    if placed_numbers != list(range(1, count + 1)):
        raise InvalidError(f"'shape' must have each number from 1 to {count} once.", where=where, hint=SHAPE_HINT)
    row_length = max(map(len, shape))
    return tuple(row + (0,) * (row_length - len(row)) for row in shape if row)


def build_plain_shape(count: int) -> Shape:
    """Return a shape of equally long rows of at most five positions, for a spread that has no shape of its own.

    The positions are in order; gaps fill up the last row.
    """
    row_count = -(-count // _MAX_ROW_CARDS)
    row_length = -(-count // row_count)
    padded_numbers = [*range(1, count + 1), *(0 for _ in range(row_count * row_length - count))]
    return tuple(
        tuple(padded_numbers[start : start + row_length]) for start in range(0, len(padded_numbers), row_length)
    )


def _parse_place(word: str, where: str) -> int:
    """Return the position number that `word` stands for, or 0 for a gap, written as full stops."""
    if set(word) <= {"."}:
        return 0
    number = parse_whole_number(word)
    if number is None:
        raise InvalidError(f"'{word}' in 'shape' is neither a number nor a full stop.", where=where, hint=SHAPE_HINT)
    return number


_POSITION_LINE = re.compile(
    r"(?P<name>(?!\([^():]*:).+?)\s*(?:\((?P<part>[^():]+:[^()]*)\))?\s*(?::\s+(?P<meaning>.+))?"
)


@dataclass(frozen=True, slots=True)
class SpreadPosition:
    """One position of a spread, with its name and meaning.

    `part` limits the cards that may be drawn for it: pairs of a trait and its value, such as `(("deck", "high"),)` or
    `(("suit", "Swords"),)`, which a card must all match. `suit` and `rank` count as traits. () allows the whole deck.
    """

    name: str
    meaning: str = ""
    part: tuple[tuple[str, str], ...] = ()

    @property
    def wanted(self) -> str:
        """The part of the deck to draw from in words, such as `deck: high`; "" for the whole deck."""
        return ", ".join(f"{trait}: {value}" for trait, value in self.part)

    @classmethod
    def parse(cls, line: str) -> "SpreadPosition":
        """Return the position in a line such as `Name`, `Name: meaning` or `Name (deck: high): meaning`.

        A line without a name gives a position with the name "".
        """
        match = _POSITION_LINE.fullmatch(" ".join(line.split()))
        if match is None:
            return cls("")
        pairs = (pair.partition(":") for pair in (match["part"] or "").split(","))
        part = tuple((name_key(trait), value.strip()) for trait, colon, value in pairs if colon)
        return cls(match["name"], match["meaning"] or "", part)


@dataclass(frozen=True, slots=True)
class Spread:
    """A spread: its positions, in the order in which their cards are turned up.

    `deck` is the name of the deck that the spread is meant for, or "". `id` is the name of the file or note that
    defines the spread; `source` is the vault path of that note, or the name of that file below `print/`.
    """

    id: str
    title: str
    positions: tuple[SpreadPosition, ...]
    deck: str = ""
    source: str = ""
    aliases: tuple[str, ...] = ()
    shape: Shape = ()
    """The layout of the cards on the table; if it is empty, the cards lie in plain rows."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the spread: the name of its file or note, its title and its aliases."""
        return (self.id, self.title, *self.aliases)

    @property
    def note(self) -> str:
        """The vault path of its note, "" for a spread in a file."""
        return self.source if is_note(self.source) else ""


def fits(card: Card, position: SpreadPosition) -> bool:
    """Return whether the card belongs to the part of the deck from which the position is drawn."""
    return all(name_key(value) in map(name_key, _trait_values(card, trait)) for trait, value in position.part)


def check_size(deck: DeckNote, count: int) -> None:
    """Raise UsageError if the deck has fewer than `count` cards."""
    if count > len(deck.entries):
        has = format_count(len(deck.entries), "card")
        hint = f"Draw at most {len(deck.entries)}."
        raise UsageError(f"{deck.deck.title} has {has}, not {count}.", where=deck.note.path, hint=hint)


def draw_for_positions(positions: Sequence[SpreadPosition], deck: DeckNote, rng: Generator) -> tuple[CardEntry, ...]:
    """Draw a different card for each position, and return the cards in the order of the positions.

    Positions with few possible cards are drawn first. Cards are sorted by their ids before drawing, since the order of
    notes differs between runs. Raise UsageError if the deck has fewer cards than there are positions, and InvalidError
    if no card is left that a position may be drawn from.
    """
    check_size(deck, len(positions))
    ordered = sorted(deck.entries, key=lambda entry: entry.card.id)
    candidates = [[entry for entry in ordered if fits(entry.card, position)] for position in positions]
    entries_by_position: dict[int, CardEntry] = {}
    for position_index in sorted(range(len(positions)), key=lambda index: len(candidates[index])):
        used_ids = {entry.card.id for entry in entries_by_position.values()}
        remaining_entries = [entry for entry in candidates[position_index] if entry.card.id not in used_ids]
        if not remaining_entries:
            raise _no_card_left_error(positions[position_index], len(candidates[position_index]), deck)
        entries_by_position[position_index] = remaining_entries[int(rng.random() * len(remaining_entries))]
    return tuple(entries_by_position[position_index] for position_index in range(len(positions)))


def _no_card_left_error(position: SpreadPosition, size: int, deck: DeckNote) -> InvalidError:
    """Return the error for a position for which no card is left, of the `size` cards that it could be drawn from."""
    traits = [trait for trait, _ in position.part]
    values = sorted({value for entry in deck.entries for trait in traits for value in _trait_values(entry.card, trait)})
    found_cards = f"only {format_count(size, 'card')}" if size else "no card"
    message = f"{deck.deck.title} has {found_cards} for '{position.name}', which is drawn from {position.wanted}."
    values_hint = f"Its cards say of {' and '.join(traits)}: {', '.join(values[:12])}." if values else ""
    hint = (
        values_hint or f"None of its cards says anything of {' or '.join(traits)}; the spread may be for another deck."
    )
    return InvalidError(message, where=deck.note.path, hint=hint)


def _trait_values(card: Card, trait: str) -> tuple[str, ...]:
    """Return the values that a card has for a trait, none if it lacks it; `types: location, event` has two."""
    if trait in ("suit", "suits"):
        return card.suits
    if trait == "rank":
        return () if card.rank is None else (str(card.rank),)
    value = card.traits.get(trait, "")
    return tuple(part.strip() for part in value.split(",") if part.strip())
