"""A reader of the links in a canvas (JSON Canvas 1.0): file nodes, backgrounds of groups, Markdown of text nodes."""

import json
import re
from collections.abc import Iterator

import msgspec

from vaultkit.budget import Limit
from vaultkit.errors import InvalidError, Problem
from vaultkit.vault import structure
from vaultkit.vault.encoding import EncodingError, decode
from vaultkit.vault.links import Link
from vaultkit.vault.text_positions import Places

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"]*"')
"""A string without escaped quotes."""
_REPAIR_HINT = "Open it in Obsidian, or restore it from a backup or from your sync's history."
MAX_VALUES = Limit("This canvas has", 400_000, "names and values", _REPAIR_HINT)
MAX_FAULTS = Limit("This canvas has", 5_000, "faults, and the others are left out", _REPAIR_HINT)


class _Value(msgspec.Struct, frozen=True):
    """A JSON value and its offsets in the text of the file."""

    value: object
    start: int
    end: int


def read_links(path: str, data: bytes) -> tuple[tuple[Link, ...], tuple[Problem, ...]]:
    """Return the links and problems of the canvas at the vault path `path`; an empty file is an empty canvas.

    A link of kind "canvas" has an exact vault path. The offsets of every link span the whole JSON string that holds it,
    without its quotes.
    """
    try:
        text = decode(data, path).text
    except EncodingError as error:
        return (), (Problem(path, error.line, error.column, "unreadable", error.message, error.hint),)
    except InvalidError as error:
        return (), (Problem(path, 1, 1, "canvas", error.message, error.hint),)
    if len(text) > MAX_VALUES.maximum and _count_values(text) > MAX_VALUES.maximum:
        return (), (MAX_VALUES.problem(path, "canvas", 1),)
    reader = _CanvasReader(path, text)
    reader.read()
    return tuple(reader.links), tuple(reader.problems)


def _count_values(text: str) -> int:
    """Return the number of names and values in JSON, by the brackets and signs between them outside strings."""
    outside_strings = _STRING.sub("", text.replace("\\\\", "").replace('\\"', ""))
    return sum(map(outside_strings.count, "{[,:"))


class _CanvasReader(msgspec.Struct, dict=True):
    """A collector of the links and problems of one canvas, in the order of its text."""

    path: str
    text: str
    links: list[Link] = []
    problems: list[Problem] = []

    def __post_init__(self) -> None:
        self._places = Places(self.text)
        # Python refuses to parse very long integers, which must not make a canvas unreadable.
        self._decoder = json.JSONDecoder(parse_int=float)

    def read(self) -> None:
        if not self.text.strip():
            return
        try:
            self._read_canvas(_Value(self._decoder.decode(self.text), self._skip_space(0), len(self.text)))
        except json.JSONDecodeError as error:
            self._report(error.pos, f"This canvas is not valid JSON: {error.msg}.", _REPAIR_HINT)
        except RecursionError:
            self._report(0, "This canvas is nested too deeply to be read.", _REPAIR_HINT)

    def _read_canvas(self, canvas: _Value) -> None:
        if not isinstance(canvas.value, dict):
            self._report(canvas.start, "This canvas is not a JSON object with 'nodes' and 'edges'.", _REPAIR_HINT)
            return
        nodes = self._parse_members(canvas).get("nodes")
        if nodes and isinstance(nodes.value, list):
            for node in self._child_values(nodes):
                self._read_node(node)
        elif nodes:
            self._report(nodes.start, "'nodes' of this canvas is not a list.", _REPAIR_HINT)

    def _read_node(self, node: _Value) -> None:
        if not isinstance(node.value, dict):
            self._report(node.start, "A node of this canvas is not a JSON object.", _REPAIR_HINT)
            return
        members = self._parse_members(node)
        match node.value.get("type"):
            case "file":
                self._read_file(node, members)
            case "text":
                self._read_text(node, members)
            case "group":
                self._add_path_link(members, "background", "")
            case str():
                pass
            case _:
                self._report(node.start, "A node of this canvas does not say its type.", _REPAIR_HINT)

    def _read_file(self, node: _Value, members: dict[str, _Value]) -> None:
        subpath = self._member_text(members, "subpath") or ""
        if self._add_path_link(members, "file", subpath.removeprefix("#").strip()) == "":
            self._report(node.start, "A file node of this canvas names no file.", "Delete it, or give it a 'file'.")

    def _read_text(self, node: _Value, members: dict[str, _Value]) -> None:
        text = self._member_text(members, "text")
        if "text" not in members:
            self._report(node.start, "A text node of this canvas has no text.", "Delete it, or give it a 'text'.")
        if not text:
            return
        extent = self._member_extent(members["text"])
        for link in structure.read(text, 0, {}).links:
            fields = (link.kind, link.embed, link.text, link.path, link.subpath)
            self.links.append(Link(*fields, *extent, link.external))

    def _add_path_link(self, members: dict[str, _Value], name: str, subpath: str) -> str | None:
        """Add a link to the file whose path is the text of the member `name`, if any, and return that text.

        Return "" if the member is missing, or None after adding a problem if it is not a string.
        """
        path = self._member_text(members, name)
        if path:
            self.links.append(Link("canvas", True, "", path, subpath, *self._member_extent(members[name])))
        return path

    def _member_text(self, members: dict[str, _Value], name: str) -> str | None:
        """Return the text of the member `name`, "" if it is missing, or None with a problem if it is not a string."""
        member = members.get(name)
        if member is None:
            return ""
        if not isinstance(member.value, str):
            self._report(member.start, f"'{name}' of a node of this canvas is not text.", _REPAIR_HINT)
            return None
        # JSON can hold half of a surrogate pair, which cannot be encoded as UTF-8.
        return member.value.encode("utf-8", "replace").decode("utf-8")

    def _member_extent(self, member: _Value) -> tuple[int, int, int, int]:
        return self._places.extent(member.start + 1, member.end - 1)

    def _report(self, offset: int, message: str, hint: str) -> None:
        if len(self.problems) < MAX_FAULTS.maximum:
            self.problems.append(Problem(self.path, *self._places.line_and_column(offset), "canvas", message, hint))
        elif len(self.problems) == MAX_FAULTS.maximum:
            self.problems.append(MAX_FAULTS.problem(self.path, "canvas", 1))

    def _parse_members(self, parent: _Value) -> dict[str, _Value]:
        """Return the members of a JSON object by name; of members with the same name, the last one."""
        names_and_values = self._child_values(parent)
        return {str(name.value): next(names_and_values) for name in names_and_values}

    def _child_values(self, parent: _Value) -> Iterator[_Value]:
        """Yield the items of a JSON list, or the names and values of an object in turn: name, value, name, value."""
        offset = self._skip_space(parent.start + 1)
        while self.text[offset] not in "]}":
            value, end = self._decoder.raw_decode(self.text, offset)
            yield _Value(value, offset, end)
            offset = self._skip_space(end)
            if self.text[offset] in ",:":
                offset = self._skip_space(offset + 1)

    def _skip_space(self, offset: int) -> int:
        space = _SPACE.match(self.text, offset)
        return space.end() if space else offset
