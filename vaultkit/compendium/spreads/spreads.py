"""The spreads of a vault, from files in `print/spreads/` and from the GM's own notes.

Such a note has the property `vaultkit-spread`: a list of positions, or `true` if they are a list under the heading
`Positions`. Its property `deck` names the deck.
"""

import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import Path

import msgspec

from vaultkit import resources
from vaultkit.compendium.spreads.spread import Shape, Spread, SpreadPosition, parse_shape
from vaultkit.compendium.toml_tables import read_text, read_toml
from vaultkit.errors import InvalidError, NothingFound, Problem, VaultkitError
from vaultkit.schema import SchemaError, convert_table
from vaultkit.spelling import did_you_mean_by, suggest_names
from vaultkit.text import name_key, name_sort_key
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.note_facts import texts

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
        names_with_prefix = [
            name
            for name in names_by_key
            if folded_name and name.replace("-", " ").startswith(folded_name.replace("-", " "))
        ]
        suggestion = (
            suggest_names(names_by_key[names_with_prefix[-1]])
            if names_with_prefix
            else did_you_mean_by(folded_name, names_by_key, min_score=50)
        )
        return suggestion or "All spreads: vaultkit reading"


def read_spread_note(note: Note) -> Spread:
    """Return the spread in a note. Raise InvalidError if it has no positions, or one without a name."""
    section = note.section(POSITIONS_HEADING)
    value = note.property(SPREAD_PROPERTY)
    lines = _property_lines(value) if section is None else _list_item_lines(parse(section))
    positions = tuple(SpreadPosition.parse(line) for line in lines if line.strip())
    if not positions or (section is None and value is True):
        raise InvalidError("This spread has no positions.", where=note.path, hint=_HINT)
    if not all(position.name for position in positions):
        raise InvalidError("A position has no name.", where=note.path, hint="Write it first: Past (deck: high).")
    deck = " ".join(texts(note.property("deck"))).strip()
    shape = _read_shape(note.property(SHAPE_PROPERTY), len(positions), note.path)
    title = note.title.strip() or note.name
    return Spread(note.name, title, positions, _deck_name(deck), note.path, note.aliases, shape)


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
    if not definition.positions:
        raise InvalidError("This spread has no positions.", where=where, hint='Write [[positions]], then name = "...".')
    if not all(position.name.strip() for position in definition.positions):
        raise InvalidError("A position has no name.", where=where, hint='Write name = "Past" under [[positions]].')
    positions = tuple(
        SpreadPosition(
            position.name,
            position.meaning,
            tuple((name_key(trait), str(value)) for trait, value in position.part.items()),
        )
        for position in definition.positions
    )
    shape = _read_shape(definition.shape, len(positions), where)
    return Spread(
        _spread_id(name),
        definition.title or _spread_id(name),
        positions,
        definition.deck,
        name,
        tuple(definition.aliases),
        shape,
    )


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


def _read_shape(value: object, position_count: int, where: str) -> Shape:
    if value in (None, "", []):
        return ()
    return parse_shape(value if isinstance(value, list) else str(value).splitlines(), position_count, where)


def _deck_name(text: str) -> str:
    """Return a deck's name, which may be written as a link to the deck's note."""
    link = parse_wikilink(text)
    return posixpath.basename(link[1]).removesuffix(".md") if link else text


def _spread_id(source: str) -> str:
    return posixpath.splitext(posixpath.basename(source))[0]
