"""Obsidian bases: YAML with formulas, properties and views, in `.base` files or in code blocks of notes."""

import re
from collections.abc import Iterator, Mapping

import msgspec

from vaultkit import files
from vaultkit.errors import Problem, VaultkitError
from vaultkit.vault import frontmatter
from vaultkit.vault.dialect import elements
from vaultkit.vault.encoding import decode
from vaultkit.vault.note import Note
from vaultkit.vault.text_positions import LINE_END

BASE_FENCE = "```base"
"""The first line of a code block with a base."""
_PROPERTY_REFERENCE = re.compile(
    r"""note\[(?P<mark>["'])(?P<quoted>[^"'\\]*)(?P=mark)\]"""
    r"""|"(?:[^"\\]|\\.)*(?:"|\Z)|'(?:[^'\\]|\\.)*(?:'|\Z)|/(?:[^/\\\n]|\\.){1,500}/"""
    r"|(?<![\w.)\]])(?P<name>(?:(?:note|formula|file)\.)?[^\W\d]\w*+)(?![ \t]*\()"
)
"""A property in an expression; also strings and regular expressions, so that no property is found inside them.

Only a property sets the group `name`, or `quoted` as in `note["my name"]`. A name followed by `(` is that of a function
and does not match.
"""
_RESERVED_WORDS = frozenset({"true", "false", "null", "this", "file", "note", "formula", "value", "index", "acc"})
"""Words with a meaning of their own in an expression, which therefore name no property."""


class Base(msgspec.Struct, frozen=True):
    """An Obsidian base in the file at `path`: its YAML, the line where this begins, and the content parsed from it.

    `problem` says why the YAML cannot be parsed; `content` is then empty.
    """

    path: str
    line: int
    text: str
    content: Mapping[str, object] = {}
    problem: Problem | None = None

    @property
    def view_names(self) -> tuple[str, ...]:
        """The names of the views, which a link can name after `#`."""
        return tuple(
            str(view["name"]) for view in _mappings_in(self.content.get("views")) if view.get("name") is not None
        )

    @property
    def formula_names(self) -> frozenset[str]:
        """The names of the formulas."""
        return frozenset(_as_mapping(self.content.get("formulas")))

    @property
    def configured_names(self) -> Iterator[str]:
        """The properties that have a display name, which Obsidian reads only with `note.`, `file.` or `formula.`."""
        yield from _as_mapping(self.content.get("properties"))

    def names(self) -> Iterator[str]:
        """Yield each property that is shown, filtered, sorted or grouped by: `status`, `note.status`, `formula.x`."""
        yield from _filter_properties(self.content.get("filters"))
        for view in _mappings_in(self.content.get("views")):
            order = view.get("order")
            yield from (name for name in (order if isinstance(order, list) else ()) if isinstance(name, str))
            yield from _as_mapping(view.get("summaries"))
            yield from _filter_properties(view.get("filters"))
            for setting in (*_mappings_in(view.get("sort")), _as_mapping(view.get("groupBy"))):
                if isinstance(name := setting.get("property"), str):
                    yield name

    def line_of(self, name: str) -> int:
        """Return the line of the file in which a name first occurs, or the first line of the base."""
        lines = LINE_END.split(self.text)
        return self.line + next((number for number, line in enumerate(lines) if name in line), 0)


def read_base(path: str, text: str, line: int = 1) -> Base:
    """Return the base whose YAML is `text`, which begins at a line of a file. Never raises."""
    content = frontmatter.read(f"---\n{text.strip()}\n---\n", path)
    problem = content.problems[0] if content.problems else None
    return Base(path, line, text, {} if problem else content.properties, problem)


def read_base_file(path: str, data: bytes) -> Base:
    """Return the base in a `.base` file with the bytes `data`; one that is not UTF-8 has a problem and no content."""
    try:
        return read_base(path, decode(data, path).text)
    except VaultkitError as error:
        return Base(path, 1, "", problem=Problem(path, 0, 0, "base", error.message, error.hint))


def bases_in_note(note: Note) -> Iterator[Base]:
    """Yield the bases in the `base` code blocks of a note."""
    for _, start, end in elements(note.body, note.body_start, {"CodeBlock"}):
        lines = LINE_END.split(note.text[start:end])
        if lines[0].strip().lower() == BASE_FENCE:
            inner = [line for line in lines[1:] if not line.startswith("```")]
            yield read_base(note.path, "\n".join(inner), note.places.line(start) + 1)


def is_base(path: str) -> bool:
    """Return whether a path has the ending of a base file."""
    return path[-5:].lower() == ".base"


def read_view_names(file: str) -> tuple[str, ...] | None:
    """Return the names of the views of a base file on disk, or None if it cannot be read."""
    try:
        base = read_base_file(file, files.read(file, files.NOTE_BYTES))
    except OSError:
        return None
    return None if base.problem else base.view_names


def _filter_properties(filters: object) -> Iterator[str]:
    """Yield the properties used in a filter, which is an expression or nests other filters in `and`, `or` and `not`."""
    if isinstance(filters, str):
        references = (match["quoted"] or match["name"] for match in _PROPERTY_REFERENCE.finditer(filters))
        yield from (name for name in references if name and name not in _RESERVED_WORDS)
    for part in (*_as_mapping(filters).values(), *(filters if isinstance(filters, list) else ())):
        yield from _filter_properties(part)


def _as_mapping(value: object) -> Mapping[str, object]:
    """Return a YAML value if it is a mapping, else an empty mapping."""
    return value if isinstance(value, Mapping) else {}


def _mappings_in(value: object) -> Iterator[Mapping[str, object]]:
    """Yield the mappings in a YAML value if it is a list; its other items are left out."""
    yield from (item for item in (value if isinstance(value, list) else ()) if isinstance(item, Mapping))
