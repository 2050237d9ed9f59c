"""Edits of the YAML lines of one property: a new value replaces the old one, and everything else stays as written.

PyYAML locates the values. It reads YAML 1.1, so the module `properties` checks every edit by reading it as YAML 1.2.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from vaultkit.vault.writing.escape import format_yaml_scalar
from vaultkit.vault.writing.splice import Splice, join_splices

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?", re.ASCII)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_REST_OF_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")

_Extent = tuple[int, int]
"""The start and end offsets of a value."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property with its place in the frontmatter.

    `yaml` is the property's lines, "" if it does not exist yet; `before` and `after` are the frontmatter around them.
    `dash` is the indented `-` with which list items begin in this note.
    """

    name: str
    value: object
    before: str
    yaml: str
    after: str
    newline: str
    dash: str


def replace_value(prop: Property, value: object) -> str | None:
    """Return the property's lines with a new value, or None if PyYAML cannot locate the old value."""
    from yaml import AliasEvent, BaseLoader, SequenceNode, YAMLError, compose, parse

    yaml = prop.yaml.replace("\t", " ")  # YAML 1.1 has no tabs; this copy is used for offsets only
    try:
        has_aliases = any(isinstance(event, AliasEvent) for event in parse(yaml, BaseLoader))
        root: Any = None if has_aliases else compose(yaml, BaseLoader)
    except (YAMLError, ValueError):
        return None
    if root is None or len(root.value) != 1:
        return None
    key, node = root.value[0]
    colon = yaml.index(":", key.end_mark.index) + 1
    if isinstance(node, SequenceNode) and isinstance(value, list) and node.value and (value or not node.flow_style):
        splices = _splice_items(prop, colon, node, value)
    else:
        splices = _splice_value(prop, colon, node, value)
    return join_splices(prop.yaml, [*splices]).apply(prop.yaml)


def format_lines(prop: Property, value: object) -> str:
    """Return the lines of a new property, without the last line end."""
    if isinstance(value, list) and value:
        return f"{format_scalar(prop.name)}:{prop.newline}{_format_items(prop, value, prop.dash)}".removesuffix(
            prop.newline
        )
    return f"{format_scalar(prop.name)}: {format_scalar(value)}"


def format_scalar(value: object) -> str:
    """Return a value as a YAML 1.2 scalar (Y2): dates without quotes, as in Obsidian, other texts quoted if needed."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _DATE.fullmatch(value) or format_yaml_scalar(value) == value:
        return value
    json_text = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)


def is_same_value(value: object, other_value: object) -> bool:
    """Return whether Obsidian treats two values as equal: `1` and `1.0` are, `1` and `true` are not.

    The order of items and keys counts.
    """
    if isinstance(value, Mapping) and isinstance(other_value, Mapping):
        return list(value) == list(other_value) and all(is_same_value(value[key], other_value[key]) for key in value)
    if isinstance(value, list) and isinstance(other_value, list):
        return len(value) == len(other_value) and all(map(is_same_value, value, other_value))
    if isinstance(value, bool) or isinstance(other_value, bool):
        return value is other_value
    return value == other_value or repr(value) == repr(other_value) == "nan"


def _splice_value(prop: Property, colon: int, node: Any, value: object) -> Iterator[Splice]:
    """Yield the splices that replace the value after the colon, and keep the comments before and after it."""
    yaml, start = prop.yaml, node.start_mark.index
    end = start + len(yaml[start : _value_end(node)].rstrip())
    between = yaml[colon:start]
    content_end = colon + len(between.rstrip())
    if isinstance(value, list) and value:
        yield Splice(content_end, yaml[content_end:end], "")
        yield Splice(_line_end(yaml, end), "", _format_items(prop, value, prop.dash))
    elif between.strip(" \t"):
        yield Splice(colon, "", f" {format_scalar(value)}")
        yield Splice(content_end, yaml[content_end:end], "")
    else:
        yield _splice_scalar(yaml, (start, end), value)


def _splice_items(prop: Property, colon: int, node: Any, new_items: list[object]) -> Iterator[Splice]:
    """Yield the splices that turn a property's list into the list `new_items`.

    Unchanged items keep their quotes and comments; an item that replaces another keeps the other's comment.
    """
    extents = [(item.start_mark.index, _value_end(item)) for item in node.value]
    splice_items = _splice_flow_items if node.flow_style else _splice_block_items
    old_items = prop.value if isinstance(prop.value, list) else []
    if not new_items:
        yield Splice(colon, "", " []")
    for kind, start, stop, begin, end in SequenceMatcher(
        None, [*map(repr, old_items)], [*map(repr, new_items)]
    ).get_opcodes():
        if kind != "equal":
            replaced_stop = min(stop, start + end - begin)
            pairs = zip(extents[start:replaced_stop], new_items[begin:], strict=False)
            yield from (_splice_scalar(prop.yaml, extent, item) for extent, item in pairs)
            yield from splice_items(prop, extents, replaced_stop, stop, new_items[begin + replaced_stop - start : end])


def _splice_block_items(
    prop: Property, extents: list[_Extent], start: int, stop: int, new_items: list[object]
) -> Iterator[Splice]:
    """Yield splices for a list of `-` lines that remove the items `start` to `stop` and insert `new_items` there."""
    yaml, first_start = prop.yaml, extents[0][0]
    for item_start, end in extents[start:stop]:
        line_start = _line_start(yaml, item_start)
        yield Splice(line_start, yaml[line_start : _line_end(yaml, end)], "")
    if new_items:
        dash = yaml[_line_start(yaml, first_start) : first_start].rstrip(" ")
        offset = _line_end(yaml, extents[stop - 1][1]) if stop else _line_start(yaml, first_start)
        yield Splice(offset, "", _format_items(prop, new_items, dash))


def _splice_flow_items(
    prop: Property, extents: list[_Extent], start: int, stop: int, new_items: list[object]
) -> Iterator[Splice]:
    """Yield splices for a list in `[]` that remove the items `start` to `stop`, and insert `new_items` there.

    At least one other item must stay. Commas are removed and inserted as needed.
    """
    yaml = prop.yaml
    if start < stop:
        begin, end = extents[start][0], extents[stop - 1][1]
        if stop < len(extents):
            end = extents[stop][0]
        elif "#" not in yaml[extents[start - 1][1] : begin]:
            begin = extents[start - 1][1]
        yield Splice(begin, yaml[begin:end], "")
    items = [format_scalar(item) for item in new_items]
    if items and stop:
        yield Splice(extents[stop - 1][1], "", "".join(f", {item}" for item in items))
    elif items:
        yield Splice(extents[0][0], "", "".join(f"{item}, " for item in items))


def _splice_scalar(yaml: str, extent: _Extent, value: object) -> Splice:
    """Return the splice that writes a value over the text at an extent, which is empty for a missing value."""
    start, end = extent
    blank = " " if yaml[start - 1] in ":-" else ""
    return Splice(start, yaml[start:end].rstrip(), blank + format_scalar(value))


def _format_items(prop: Property, items: Iterable[object], dash: str) -> str:
    return "".join(f"{dash} {format_scalar(item)}{prop.newline}" for item in items)


def _value_end(node: Any) -> int:
    """Return the offset where a value ends; for a block list or map, the end of its last part.

    PyYAML's own end of a block list or map is after the comments that follow it.
    """
    if isinstance(node.value, str) or node.flow_style:
        return int(node.end_mark.index)
    parts = (part for item in node.value for part in (item if isinstance(item, tuple) else (item,)))
    return max(map(_value_end, parts))


def _line_start(yaml: str, offset: int) -> int:
    return max(yaml.rfind("\n", 0, offset), yaml.rfind("\r", 0, offset)) + 1


def _line_end(yaml: str, offset: int) -> int:
    """Return the offset where the next line begins, or `offset` itself if a line begins there."""
    line = _REST_OF_LINE.match(yaml, offset)
    return line.end() if line and yaml[offset - 1] not in "\r\n" else offset
