"""Properties of a note, changed one at a time: the frontmatter keeps its comments, quotes, order and line ends.

yaml-edit finds the place, we write the value, and a second reading decides whether the edit stands (Y1 to Y5).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultkit.errors import WriteError
from vaultkit.vault import frontmatter
from vaultkit.vault.escape import clean, yaml_scalar
from vaultkit.vault.note import Note
from vaultkit.vault.splice import Splice, between

if TYPE_CHECKING:
    import yaml_edit

Value = str | float | bool | Sequence[str]
"""What can be written as a property: a text, a number, a checkbox, or a list of texts. Dates and times are texts."""

_FLOW = re.compile(r"(?:\s|#[^\n]*\n)*\{")
_KEY = re.compile(r"""^(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s#\-?\[\]{}&*!|>%@`"'][^\r\n]*?):(?=\s)""", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?", re.ASCII)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_MANY = 20_000
_REFERS = re.compile(r"[&*]\w")


@dataclass(frozen=True, slots=True)
class _Block:
    """The YAML between the lines `---`, the properties that it gives, the name that is meant, as it is written there.

    `index` is the property's place among the others, None if it is not there.
    """

    yaml: str
    properties: Mapping[str, object]
    name: str
    index: int | None
    newline: str


def set_property(note: Note, name: str, value: Value) -> Splice | None:
    """`value` as the property `name`, in any case of its letters; at the end if missing, None if it is so already.

    Raises WriteError if the frontmatter cannot be read, or cannot take it without harm to anything else.
    """
    block = _block(note, name)
    wanted = value if isinstance(value, str | int | float) else list(value)
    if block.index is not None and _same(block.properties[block.name], wanted):
        return None
    return _written(note, block, wanted)


def add_to_list(note: Note, name: str, item: str) -> Splice | None:
    """`item` at the end of the list property `name`, which is made if missing; None if it is in there already.

    A single text or number becomes a list. Raises WriteError as `set_property` does, and if the property is a map.
    """
    block = _block(note, name)
    value = block.properties.get(block.name)
    if isinstance(value, Mapping):
        raise _refusal(note, f'The property "{block.name}" is not a list.')
    items = value if isinstance(value, list) else [] if value is None or value == "" else [value]
    return None if item in items else _written(note, block, [*items, item])


def remove_property(note: Note, name: str) -> Splice | None:
    """Without the property `name`, and without a frontmatter that this leaves empty; None if there is none.

    Comments on lines of their own stay. Raises WriteError as `set_property` does.
    """
    block = _block(note, name)
    if block.index is None:
        return None
    expected = {key: value for key, value in block.properties.items() if key != block.name}
    start, end = _extent(note, block)
    yaml = block.yaml[:start] + block.yaml[end:]
    heads = [_head(note, block, yaml)] if yaml.strip() else ["", _head(note, block, yaml)]
    return _first_right(note, block, expected, iter(heads))


def _block(note: Note, name: str) -> _Block:
    """The frontmatter of `note`, if something can be written into it."""
    if not name or clean(name) != name:
        raise WriteError(f"{name!r} cannot be the name of a property.", where=note.path, hint="Use one line of text.")
    for problem in frontmatter.read(note.text, note.path).problems:
        raise WriteError(problem.message, where=f"{note.path}:{problem.line}", hint=problem.hint)
    yaml = _yaml(note)
    if _FLOW.match(yaml):
        raise _refusal(note, "The frontmatter is JSON and would have to be written anew.")
    same = [index for index, key in enumerate(note.properties) if key.lower() == name.lower()]
    if len(same) > 1 or _count(yaml) != len(note.properties):
        raise _refusal(note, "The frontmatter names a property twice, or is too unusual to be changed safely.")
    written = list(note.properties)[same[0]] if same else name
    return _Block(yaml, note.properties, written, same[0] if same else None, note.encoded.newline)


def _yaml(note: Note) -> str:
    """What stands between the lines `---` of a note, "" without them."""
    block = note.text[: note.body_start]
    if not block:
        return ""
    return block[block.index("\n") + 1 : block.rindex("\n", 0, len(block.rstrip())) + 1]


def _head(note: Note, block: _Block, yaml: str) -> str:
    """The whole frontmatter with other YAML in it, made if there is none."""
    if not note.body_start:
        return f"---{block.newline}{yaml}---{block.newline}"
    before = note.text.index("\n") + 1
    return note.text[:before] + yaml + note.text[before + len(block.yaml) : note.body_start]


def _count(yaml: str) -> int:
    """How many properties are written, those of the same name counted each."""
    document = _document(yaml)
    return len(document.entries) if document else len(_KEY.findall(yaml))


@dataclass(frozen=True, slots=True)
class _Document:
    """What yaml-edit reads: the document, its root, and a handle on each property in order."""

    whole: "yaml_edit.Document"
    root: "yaml_edit.Mapping"
    entries: "list[yaml_edit.Entry]"


def _document(yaml: str) -> _Document | None:
    """None for what yaml-edit does not read: it is stricter than Obsidian, and wants at least one property."""
    import yaml_edit

    try:
        whole = yaml_edit.Document.parse(yaml)
    except yaml_edit.YamlError:
        return None
    root = whole.as_mapping()
    return None if root is None else _Document(whole, root, root.entries())


def _written(note: Note, block: _Block, value: object) -> Splice:
    edits = (_head(note, block, yaml) for yaml in _edits(note, block, value))
    return _first_right(note, block, {**block.properties, block.name: value}, edits)


def _edits(note: Note, block: _Block, value: object) -> Iterator[str]:
    """The YAML with the property set: as yaml-edit does it, else by whole lines where that loses no comment."""
    start, end = _extent(note, block)
    edited = _by_library(block, value)
    if edited is not None and edited.startswith(block.yaml[:start]) and edited[start:].endswith(block.yaml[end:]):
        yield edited
    if "#" not in block.yaml[start:end]:
        yield block.yaml[:start] + _lines(block.name, value, block.newline) + block.yaml[end:]


def _extent(note: Note, block: _Block) -> tuple[int, int]:
    """Where the property's lines start and end in the YAML; the end of it, twice, for one that is not there."""
    if block.index is None:
        return len(block.yaml), len(block.yaml)
    document = _document(block.yaml)
    if document is None:
        starts = [*(match.start() for match in _KEY.finditer(block.yaml)), len(block.yaml)]
        return starts[block.index], starts[block.index + 1]
    start, end = _characters(block.yaml, document.entries[block.index].byte_range())
    if document.whole.anchors() and _REFERS.search(block.yaml[start:end]):
        raise _refusal(note, f'Another property may share the value of "{block.name}".')
    return start, end


def _characters(yaml: str, span: tuple[int, int]) -> tuple[int, int]:
    """Offsets in code points of offsets in bytes."""
    data = yaml.encode()
    return len(data[: span[0]].decode()), len(data[: span[1]].decode())


def _by_library(block: _Block, value: object) -> str | None:
    """The edit that yaml-edit makes; None if it makes none, or loses a comment that need not go."""
    document = _document(block.yaml)
    if document is None:
        return None
    marks = _Marks(block.yaml)
    comments = _comments(document, block, value)
    if block.index is None:
        document.root.set(marks.stand_in(block.name), marks.for_value(value))
    else:
        _set_entry(document.entries[block.index], block.properties[block.name], value, marks)
    edited = marks.replaced(str(document.whole))
    after = _document(edited)
    left = iter([comment.text() for comment in after.whole.comments()] if after else [])
    return edited if all(comment in left for comment in comments) else None


def _comments(document: _Document, block: _Block, value: object) -> list[str]:
    """The comments that have to stay: all but those inside a value of which something is taken away."""
    comments = document.whole.comments()
    node = None if block.index is None else document.entries[block.index].value()
    old = block.properties.get(block.name)
    grows = isinstance(old, list) and isinstance(value, list) and _same(value[: len(old)], old)
    if node is None or grows:
        return [comment.text() for comment in comments]
    start, end = node.byte_range()
    return [comment.text() for comment in comments if not start <= comment.byte_range()[0] < end]


def _set_entry(entry: "yaml_edit.Entry", old: object, new: object, marks: "_Marks") -> None:
    """Item by item where a list stays a list, so that items that stay keep their quotes and comments."""
    node = entry.value()
    items = node.as_sequence() if node else None
    if items is None or not (isinstance(old, list) and isinstance(new, list) and new):
        entry.set_value(marks.for_value(new))
        return
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    changed, wanted = old[first : len(old) - last], new[first : len(new) - last]
    if max(len(changed), len(wanted)) * len(old) > _MANY:  # each item costs yaml-edit a walk over all
        entry.set_value(marks.for_value(new))
        return
    for index, item in enumerate(wanted):
        if index >= len(changed):
            items.insert(first + index, marks.stand_in(item))
        elif not _same(item, changed[index]):
            items.set(first + index, marks.stand_in(item))
    for _ in changed[len(wanted) :]:
        items.pop(first + len(wanted))


def _shared(old: list[Any], new: list[Any]) -> int:
    """How many items both begin with."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((index for index, (a, b) in pairs if not _same(a, b)), min(len(old), len(new)))


class _Marks:
    """Words that stand in for what we write while yaml-edit edits, since it escapes every letter beyond ASCII."""

    def __init__(self, yaml: str) -> None:
        self._stem = "standin"
        while self._stem in yaml:
            self._stem += "n"
        self._written: list[str] = []

    def stand_in(self, value: object) -> str:
        self._written.append(_scalar(value))
        return f"{self._stem}{len(self._written) - 1}x"

    def for_value(self, value: object) -> str | list[str]:
        return [self.stand_in(item) for item in value] if isinstance(value, list) and value else self.stand_in(value)

    def replaced(self, yaml: str) -> str:
        return re.sub(rf"{self._stem}(\d+)x", lambda match: self._written[int(match[1])], yaml)


def _lines(name: str, value: object, newline: str) -> str:
    """A property as lines of its own."""
    if not isinstance(value, list) or not value:
        return f"{_scalar(name)}: {_scalar(value)}{newline}"
    return "".join([f"{_scalar(name)}:{newline}", *(f"  - {_scalar(item)}{newline}" for item in value)])


def _scalar(value: object) -> str:
    """One value as YAML 1.2 reads it back (Y2): dates bare, as Obsidian writes them, and quotes where needed."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _DATE.fullmatch(value) or yaml_scalar(value) == value:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _first_right(note: Note, block: _Block, expected: Mapping[str, object], heads: Iterator[str]) -> Splice:
    """The first frontmatter that reads back as exactly `expected`, before the same body."""
    for head in heads:
        again = frontmatter.read(head + note.body, note.path)
        if not again.problems and again.body_start == len(head) and _same(again.properties, expected):
            return between(note.text[: note.body_start], head)
    raise _refusal(note, f'The property "{block.name}" cannot be written here without harm to something else.')


def _same(one: object, other: object) -> bool:
    """Whether two values are the same to Obsidian: `1` and `1.0` are, `1` and `true` are not, order counts."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other or repr(one) == repr(other) == "nan"


def _refusal(note: Note, message: str) -> WriteError:
    return WriteError(message, where=f"{note.path}:1", hint="Change it by hand.")
