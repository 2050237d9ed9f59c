"""yaml-edit at work: it finds a property in YAML, and sets it so that all else stays as it is written.

It is young, so nothing that it does stands before a second reading (`properties`).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultkit.vault.writing.escape import yaml_scalar

if TYPE_CHECKING:
    import yaml_edit

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?", re.ASCII)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_MANY = 20_000


@dataclass(frozen=True, slots=True)
class Block:
    """The YAML between the lines `---`, the properties that it gives, the name that is meant, as it is written there.

    `index` is the property's place among the others, None if it is not there.
    """

    yaml: str
    properties: Mapping[str, object]
    name: str
    index: int | None
    newline: str


@dataclass(frozen=True, slots=True)
class Document:
    """The YAML as yaml-edit has read it: the document, its root, and a handle on each property in order."""

    whole: "yaml_edit.Document"
    root: "yaml_edit.Mapping"
    entries: "list[yaml_edit.Entry]"

    def extent(self, yaml: str, index: int) -> tuple[int, int]:
        """Where a property starts and ends in the YAML that was read, in code points."""
        data, (start, end) = yaml.encode(), self.entries[index].byte_range()
        return len(data[:start].decode()), len(data[:end].decode())


def read(yaml: str) -> Document | None:
    """The YAML as yaml-edit reads it; None where it is stricter than Obsidian, or where there is no property."""
    import yaml_edit

    try:
        whole = yaml_edit.Document.parse(yaml)
    except yaml_edit.YamlError:
        return None
    root = whole.as_mapping()
    return None if root is None else Document(whole, root, root.entries())


def with_value(block: Block, value: object) -> str | None:
    """The YAML with the property set to `value`; None if yaml-edit cannot, or loses a comment that need not go."""
    document = read(block.yaml)
    if document is None:
        return None
    marks = _Marks(block.yaml)
    comments = _comments(document, block, value)
    if block.index is None:
        document.root.set(marks.stand_in(block.name), marks.for_value(value))
    else:
        _set_entry(document.entries[block.index], block.properties[block.name], value, marks)
    edited = marks.replaced(str(document.whole))
    after = read(edited)
    left = iter([comment.text() for comment in after.whole.comments()] if after else [])
    return edited if all(comment in left for comment in comments) else None


def scalar(value: object) -> str:
    """One value as YAML 1.2 reads it back (Y2): dates bare, as Obsidian writes them, and quotes where needed."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _DATE.fullmatch(value) or yaml_scalar(value) == value:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def same(one: object, other: object) -> bool:
    """Whether two values are the same to Obsidian: `1` and `1.0` are, `1` and `true` are not, order counts."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other or repr(one) == repr(other) == "nan"


def _comments(document: Document, block: Block, value: object) -> list[str]:
    """The comments that have to stay: all but those inside a value of which something is taken away."""
    comments = document.whole.comments()
    node = None if block.index is None else document.entries[block.index].value()
    old = block.properties.get(block.name)
    grows = isinstance(old, list) and isinstance(value, list) and same(value[: len(old)], old)
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
        elif not same(item, changed[index]):
            items.set(first + index, marks.stand_in(item))
    for _ in changed[len(wanted) :]:
        items.pop(first + len(wanted))


def _shared(old: list[Any], new: list[Any]) -> int:
    """How many items both begin with."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((index for index, (a, b) in pairs if not same(a, b)), min(len(old), len(new)))


class _Marks:
    """Words that stand in for what we write while yaml-edit edits, since it escapes every letter beyond ASCII."""

    def __init__(self, yaml: str) -> None:
        self._stem = "standin"
        while self._stem in yaml:
            self._stem += "n"
        self._written: list[str] = []

    def stand_in(self, value: object) -> str:
        self._written.append(scalar(value))
        return f"{self._stem}{len(self._written) - 1}x"

    def for_value(self, value: object) -> str | list[str]:
        return [self.stand_in(item) for item in value] if isinstance(value, list) and value else self.stand_in(value)

    def replaced(self, yaml: str) -> str:
        return re.sub(rf"{self._stem}(\d+)x", lambda match: self._written[int(match[1])], yaml)
