"""Changes of one property of a note that keep the comments, quotes, order and line ends of the frontmatter.

Only the property's own lines change, and an edit is used only if it is parsed as expected (Y1 to Y5): PyYAML, which
locates the values, reads YAML 1.1, so every edit is checked by reading it as YAML 1.2.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from vaultkit.errors import WriteError
from vaultkit.vault import frontmatter
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.writing.escape import clean_line, format_yaml_scalar
from vaultkit.vault.writing.splice import Splice, join_splices, smallest_splice

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?", re.ASCII)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_REST_OF_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")

_Extent = tuple[int, int]
"""The start and end offsets of a value."""


Value = str | float | bool | Sequence[str]
"""The type of a property's value: a text, a number, a checkbox, or a list of texts. Dates and times are texts."""

_FLOW_MAPPING = re.compile(r"(?:\s|#[^\n]*\n)*\{")
_KEY = re.compile(
    r"""^(?:"(?:[^"\\\r\n]|\\.)*" | '(?:[^'\r\n]|'')*'
        | (?:[^\s\#\-?:,\[\]{}&*!|>%@`"'] | [-?:](?=\S)) [^\r\n]*?) [ \t]*:(?=\s)""",
    re.MULTILINE | re.VERBOSE,
)
_DASH = re.compile(r"^ *-(?= )", re.MULTILINE)
_LOST_IF_REWRITTEN = re.compile(r"#|[&*]\w")
"""A comment, anchor or alias, which would be lost if the whole lines were rewritten."""


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
        text = f"{format_scalar(prop.name)}:{prop.newline}{_format_items(prop, value, prop.dash)}"
        return text.removesuffix(prop.newline)
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
    matcher = SequenceMatcher(None, [*map(repr, old_items)], [*map(repr, new_items)])
    for kind, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        if kind != "equal":
            replaced_stop = min(old_stop, old_start + new_stop - new_start)
            pairs = zip(extents[old_start:replaced_stop], new_items[new_start:], strict=False)
            yield from (_splice_scalar(prop.yaml, extent, item) for extent, item in pairs)
            yield from splice_items(
                prop, extents, replaced_stop, old_stop, new_items[new_start + replaced_stop - old_start : new_stop]
            )


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


def set_property(note: Note, name: str, value: Value) -> Splice | None:
    """Return the splice that sets the property `name`, in any letter case, to `value`; None if it is set already.

    A missing property is added at the end. Raises WriteError if the frontmatter cannot be read, or cannot be changed
    without a change of something else.
    """
    prop = _find_property(note, name)
    new_value = value if isinstance(value, str | int | float) else list(value)
    return None if prop.yaml and is_same_value(prop.value, new_value) else _make_splice(note, prop, new_value)


def remove_property(note: Note, name: str) -> Splice | None:
    """Return the splice that removes the property `name`, in any letter case; None if the note does not have it.

    A frontmatter without any other property goes with it. Raises WriteError if the frontmatter cannot be safely
    changed.
    """
    prop = _find_property(note, name)
    if not prop.yaml:
        return None
    head = prop.before + prop.after
    if len(note.properties) == 1 and not "".join(head.split()).strip("-"):
        return Splice(0, note.head, "")
    new_frontmatter = frontmatter.read(head + note.body, note.path)
    expected = {key: value for key, value in note.properties.items() if key != prop.name}
    if new_frontmatter.problems or not is_same_value(new_frontmatter.properties, expected):
        raise _refusal_error(note, f'The property "{prop.name}" cannot be removed without damaging something else.')
    return smallest_splice(note.head, head)


def edit_list(note: Note, name: str, keeps_item: Callable[[str], bool], new_items: Sequence[str]) -> Splice | None:
    """Return the splice that filters and extends the list in the property `name`; None if nothing changes.

    `keeps_item` returns whether an item, given as a text, is kept; those of `new_items` that the list lacks go to its
    end. A missing property is added, and a single text or number becomes a list. Raises WriteError if the frontmatter
    cannot be read or safely changed, or if the property is a map.
    """
    prop = _find_property(note, name)
    if isinstance(prop.value, Mapping):
        raise _refusal_error(note, f'The property "{prop.name}" is not a list.')
    items = prop.value if isinstance(prop.value, list) else [item for item in [prop.value] if item not in (None, "")]
    kept_items = [item for item in items if all(map(keeps_item, texts([item])))]
    missing_items = [item for item in new_items if item not in kept_items]
    if prop.value is not None and len(kept_items) == len(items) and not missing_items:
        return None
    return _make_splice(note, prop, kept_items + missing_items)


def _find_property(note: Note, name: str) -> Property:
    """Return the property `name` of a note, with its lines and the frontmatter around them.

    Raises WriteError if it cannot be the name of a property, or if the frontmatter cannot be safely changed.
    """
    if not name or clean_line(name) != name:
        raise WriteError(f"{name!r} cannot be the name of a property.", where=note.path, hint="Use one line of text.")
    for problem in frontmatter.read(note.text, note.path).problems:
        raise WriteError(problem.message, where=f"{note.path}:{problem.line}", hint=problem.hint)
    newline = note.encoded.newline
    head = note.text[: note.body_start] or f"---{newline}---{newline}"
    content_start, content_end = head.index("\n") + 1, head.rindex("\n", 0, len(head.rstrip())) + 1
    if _FLOW_MAPPING.match(head, content_start):
        raise _refusal_error(note, "The frontmatter is JSON and would have to be rewritten.")
    starts = [*(match.start() for match in _KEY.finditer(head, content_start, content_end)), content_end, content_end]
    indices = [index for index, key in enumerate(note.properties) if key.lower() == name.lower()]
    if len(indices) > 1 or len(starts) - 2 != len(note.properties):
        raise _refusal_error(note, "The frontmatter has a property twice, or is too unusual to be changed safely.")
    index = indices[0] if indices else -2
    start, end = starts[index], starts[index + 1]
    spelling = list(note.properties)[index] if indices else name
    dash = _DASH.search(head, content_start, content_end)
    value = note.properties.get(spelling)
    return Property(spelling, value, head[:start], head[start:end], head[end:], newline, dash[0] if dash else "  -")


def _make_splice(note: Note, prop: Property, value: object) -> Splice:
    """Return the splice of the first edit that is parsed as the old properties with the new value.

    Raises WriteError if there is none.
    """
    expected = {**note.properties, prop.name: value}
    for edit in _possible_edits(prop, value):
        head = prop.before + edit + prop.after
        new_frontmatter = frontmatter.read(head + note.body, note.path)
        is_whole = not new_frontmatter.problems and new_frontmatter.body_start == len(head)
        if is_whole and is_same_value(new_frontmatter.properties, expected):
            return smallest_splice(note.text[: note.body_start], head)
    raise _refusal_error(note, f'The property "{prop.name}" cannot be written here without damaging something else.')


def _possible_edits(prop: Property, value: object) -> Iterator[str]:
    """Yield the property's lines with another value: with only the value replaced, then with all lines rewritten.

    Lines with a comment, an anchor or an alias are not rewritten.
    """
    edited = replace_value(prop, value) if prop.yaml else None
    if edited is not None:
        yield edited
    if not _LOST_IF_REWRITTEN.search(prop.yaml):
        yield format_lines(prop, value) + (prop.yaml[len(prop.yaml.rstrip()) :] or prop.newline)


def _refusal_error(note: Note, message: str) -> WriteError:
    return WriteError(message, where=f"{note.path}:1", hint="Change it by hand.")
