"""Spreads of cards, from files in `print/spreads/` and from the GM's own notes: the positions and their layout.

Such a note has the property `vaultkit-spread`: a list of positions, or `true` if they are a list under the heading
`Positions`. Its property `deck` names the deck.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path

import msgspec

from vaultkit import resources
from vaultkit.cards import Card
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.tables.dice import Generator
from vaultkit.compendium.toml_tables import read_text, read_toml
from vaultkit.errors import InvalidError, NothingFound, Problem, UsageError, VaultkitError
from vaultkit.schema import SchemaError, convert_table
from vaultkit.spelling import did_you_mean_by, suggest_names
from vaultkit.text import format_count, name_key, name_sort_key, parse_whole_number
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.note_facts import texts

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
    starts = range(0, len(padded_numbers), row_length)
    return tuple(tuple(padded_numbers[start : start + row_length]) for start in starts)


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
    """Raise UsageError if the deck has fewer than `count` cards, and BudgetExceeded for one that is too large."""
    deck.refuse_too_large()
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
    hint = f"None of its cards says anything about {' or '.join(traits)}; the spread may be for another deck."
    hint = f"Its cards say about {' and '.join(traits)}: {', '.join(values[:12])}." if values else hint
    return InvalidError(message, where=deck.note.path, hint=hint)


def _trait_values(card: Card, trait: str) -> tuple[str, ...]:
    """Return the values that a card has for a trait, none if it lacks it; `types: location, event` has two."""
    if trait in ("suit", "suits"):
        return card.suits
    if trait == "rank":
        return () if card.rank is None else (str(card.rank),)
    value = card.traits.get(trait, "")
    return tuple(part.strip() for part in value.split(",") if part.strip())


SPREAD_PROPERTY = "vaultkit-spread"
POSITIONS_HEADING = "Positions"
SHAPE_PROPERTY = "vaultkit-shape"
"""The property of a note that gives the layout of the cards, as the key `shape` does in a file."""
_HINT = (
    f"Write {SPREAD_PROPERTY}: [Past, Present, Future], "
    f"or {SPREAD_PROPERTY}: true and a list under the heading {POSITIONS_HEADING}."
)
_FROM_HINT = 'It names traits of the cards, each with a text in quotes or a number: from = { deck = "high" }'


class _Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"part": "from"}):
    name: str = ""
    meaning: str = ""
    part: dict[str, str | int] = {}


class _SpreadFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a spread's TOML file."""

    title: str = ""
    aliases: list[str] = []
    deck: str = ""
    shape: list[str | int] | str = []
    positions: list[_Position] = []


class Spreads:
    """All spreads of a vault: its own notes, its own files, and the files shipped with vaultkit."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.problems: list[Problem] = []
        """A problem for each spread that cannot be used; the list is filled when `all` is read."""

    @cached_property
    def all(self) -> tuple[Spread, ...]:
        """Every spread that can be read, notes before files; the problems of the others are in `problems`."""
        spreads: list[Spread] = []
        for source in self._sources:
            try:
                spreads.append(self._read_source(source))
            except VaultkitError as error:
                self.problems.append(Problem(source, 0, 0, "spread", error.message, error.hint))
        return tuple(spreads)

    def find(self, name: str) -> Spread:
        """Return the spread with the name `name`: its title, alias, or the name of its note or file.

        The GM's own note comes first. Raise InvalidError if the spread cannot be used, and NothingFound with a
        suggestion if there is none.
        """
        folded_name = name_key(name.strip().removeprefix("[[").removesuffix("]]"))
        matches = [spread for spread in self.all if folded_name in map(name_key, (*spread.names, spread.source))]
        if matches:
            return matches[0]
        broken = [source for source in self._sources if folded_name in (name_key(source), name_key(_spread_id(source)))]
        if broken:
            return self._read_source(broken[0])
        hint = self._missing_spread_hint(folded_name)
        raise NothingFound(f"There is no spread '{name}'.", where=str(self._vault.root), hint=hint)

    @cached_property
    def _files(self) -> Mapping[str, Path]:
        return dict(resources.list_files("print", "spreads/*.toml", self._vault.root))

    @cached_property
    def _sources(self) -> tuple[str, ...]:
        """The vault paths of notes, then the names of files below `print/`."""
        notes = (facts.path for facts in self._vault.note_facts if _is_spread_value(facts.property(SPREAD_PROPERTY)))
        return (*sorted(notes, key=name_sort_key), *self._files)

    def _read_source(self, source: str) -> Spread:
        if source not in self._files:
            return read_spread_note(self._vault.read(source))
        file = self._files[source]
        return read_spread_file(file, source, resources.name_of("print", file))

    def _missing_spread_hint(self, folded_name: str) -> str:
        names_by_key = {name_key(name): name for spread in self.all for name in spread.names}
        prefix = folded_name.replace("-", " ")
        names_with_prefix = [name for name in names_by_key if prefix and name.replace("-", " ").startswith(prefix)]
        if names_with_prefix:
            return suggest_names(names_by_key[names_with_prefix[-1]])
        return did_you_mean_by(folded_name, names_by_key, min_score=50) or "All spreads: vaultkit reading"


def read_spread_note(note: Note) -> Spread:
    """Return the spread in a note. Raise InvalidError if it has no positions, or one without a name."""
    section = note.section(POSITIONS_HEADING)
    value = note.property(SPREAD_PROPERTY)
    lines = _property_lines(value) if section is None else _list_item_lines(parse(section))
    is_empty = section is None and value is True
    positions = () if is_empty else tuple(SpreadPosition.parse(line) for line in lines if line.strip())
    deck = " ".join(texts(note.property("deck"))).strip()
    title = note.title.strip() or note.name
    spread = Spread(note.name, title, positions, _deck_name(deck), note.path, note.aliases)
    hints = _HINT, "Write it first: Past (deck: high)."
    return _complete_spread(spread, note.property(SHAPE_PROPERTY), note.path, hints)


def read_spread_file(file: Path, name: str, where: str) -> Spread:
    """Return the spread in a TOML file; `where` is its name in errors.

    Raise InvalidError with the line and the accepted keys if it is invalid.
    """
    tables = read_toml(read_text(file, where), where)
    try:
        definition = convert_table(tables.table, _SpreadFile)
    except SchemaError as error:
        hint = _FROM_HINT if "from" in error.path else error.hint
        raise InvalidError(error.message, where=tables.place(error.path), hint=hint) from error
    positions = tuple(
        SpreadPosition(
            item.name, item.meaning, tuple((name_key(trait), str(text)) for trait, text in item.part.items())
        )
        for item in definition.positions
    )
    title, aliases = definition.title or _spread_id(name), tuple(definition.aliases)
    spread = Spread(_spread_id(name), title, positions, definition.deck, name, aliases)
    hints = 'Write [[positions]], then name = "...".', 'Write name = "Past" under [[positions]].'
    return _complete_spread(spread, definition.shape, where, hints)


def _complete_spread(spread: Spread, shape: object, where: str, hints: tuple[str, str]) -> Spread:
    """Return a spread with its shape as it is written.

    Raises InvalidError, with the first or the second of `hints`, without positions and for a position without a name.
    """
    if not spread.positions:
        raise InvalidError("This spread has no positions.", where=where, hint=hints[0])
    if not all(position.name.strip() for position in spread.positions):
        raise InvalidError("A position has no name.", where=where, hint=hints[1])
    if shape in (None, "", []):
        return spread
    rows = shape if isinstance(shape, list) else str(shape).splitlines()
    return replace(spread, shape=parse_shape(rows, len(spread.positions), where))


def _is_spread_value(value: object) -> bool:
    return value not in (None, False, "", "false")


def _property_lines(value: object) -> Iterator[str]:
    """Yield the lines of a property's list.

    YAML reads `- Past: how it began` as a map; it is turned back into the line `Past: how it began`.
    """
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mapping):
            yield from (f"{key}: {meaning}" for key, meaning in item.items())
        else:
            yield from texts(item)


def _list_item_lines(section: Node) -> Iterator[str]:
    """Yield the first line of each list item of a section, without items of nested lists."""
    lists = (node for node in section.children if node.kind == "List")
    for item in (item for node in lists for item in node.children):
        first_children = item.children[:1]
        is_loose = bool(first_children) and first_children[0].kind == "Paragraph"
        line_nodes = first_children if is_loose else list(takewhile(lambda node: node.kind != "List", item.children))
        yield Node("Line", children=line_nodes).words()


def _deck_name(text: str) -> str:
    """Return a deck's name, which may be written as a link to the deck's note."""
    link = parse_wikilink(text)
    return posixpath.basename(link[1]).removesuffix(".md") if link else text


def _spread_id(source: str) -> str:
    return posixpath.splitext(posixpath.basename(source))[0]
