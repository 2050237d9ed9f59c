"""The checks for links that Obsidian does not read as such: with spaces, without quotes, or cut by a bar in a table."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter, subpath
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import broken_links
from vaultkit.vault.checking.repair import Repair, RepairContext, differences, max_examined_places
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.dialect import elements, events, tag_kind
from vaultkit.vault.links import is_external, split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import Files
from vaultkit.vault.scanner import scan
from vaultkit.vault.tables import delimiter_row_breaks
from vaultkit.vault.text_positions import offset_converter
from vaultkit.vault.writing.splice import Splice

_DESTINATION_WITH_SPACE = re.compile(r"\]\((?:[^()<>\r\n ]++|\([^()\r\n]*+\))+ ")
_LINK_DESTINATION = re.compile(
    r"\((?P<destination>(?![<\s])(?:[^()<>\r\n]|\([^()\r\n]*\)){1,1000}?)"
    r"""(?:[ \t]+(?:"[^"\r\n]*"|'[^'\r\n]*'))?[ \t]*\)"""
)
_LINK_KINDS = ("Link", "Image")


def _may_have_space(note: Note) -> bool:
    return not _is_ordinary(note) and _DESTINATION_WITH_SPACE.search(note.text, note.body_start) is not None


def _is_ordinary(note: Note) -> bool:
    """Return whether the scanner can read the note: then every `](` is part of a link, and no table cuts a link."""
    return scan(note.text, note.body_start) is not None


def _find_links_with_space(scope: CheckScope) -> Iterator[Problem]:
    for note in scope.suspect_notes(LINK_SPACE.code):
        for splice in _encode_spaces(note, scope.vault.files):
            message = f"'{splice.removed}' has a space, so this is not a link."
            yield LINK_SPACE.problem_at(note, splice.offset, message, f"Write '{splice.inserted}'.")


def _repair_spaces(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that writes `%20` for the spaces of each destination that leads to exactly one file."""
    for splice in _encode_spaces(note, context.files) if _may_have_space(note) else ():
        target = context.leads_to(split_destination(splice.removed)[0], note.path)
        if target is not None:
            message = f"'{splice.removed}' has a space, so it is not a link."
            yield Repair.at_splice(LINK_SPACE.code, note, splice, message, target=target, makes_link=True)


def _encode_spaces(note: Note, files: Files) -> Iterator[Splice]:
    """Yield a splice for each destination with spaces, as in `[text](my note.md)`, that encodes them as `%20`.

    Destinations that lead to no file or heading are left out, since they may be ordinary text in parentheses.
    """
    for bracket in _find_closing_brackets(note):
        match = _LINK_DESTINATION.match(note.text, bracket + 1)
        destination = match["destination"] if match else ""
        if match and " " in destination and _has_target(destination, note, files):
            yield Splice(match.start("destination"), destination, destination.replace(" ", "%20"))


def _find_closing_brackets(note: Note) -> Iterator[int]:
    """Yield the offset of each `]` in the body that closes a `[`, outside of code, math, HTML and links."""
    to_text_offset = offset_converter(note.body, note.body_start)
    open_bracket_count, link_depth = 0, 0
    for event, span in events(note.body):
        if not isinstance(event, dict):
            continue
        start_tag, end_tag, text = event.get("Start"), event.get("End"), event.get("Text")
        link_depth += (tag_kind(start_tag) in _LINK_KINDS) - (end_tag in _LINK_KINDS)
        if end_tag in ("Paragraph", "Item", "TableCell", "Heading"):
            open_bracket_count = 0
        elif text in ("[", "!["):
            open_bracket_count += 1
        elif text == "]" and open_bracket_count and not link_depth:
            open_bracket_count -= 1
            yield to_text_offset(span["start"])


def _has_target(destination: str, note: Note, files: Files) -> bool:
    if is_external(destination):
        return False
    path, heading = split_destination(destination)
    if not path:
        return subpath.find_heading(note.headings, heading) is not None
    return files.resolve(path, note.path).path is not None


LINK_SPACE = Check("link-space", in_vault=_find_links_with_space, quick=_may_have_space, repair=_repair_spaces)


_DOUBLE_BRACKETS = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_LIST_PROPERTIES = frozenset({"tags", "aliases", "cssclasses", "tag", "alias", "cssclass"})
_TEXT_BEFORE_LINK = "---\nlink: "
"""The beginning of a frontmatter of one property, in which a link is repaired as one in the properties of a note."""


def _may_have_unquoted_link(note: Note) -> bool:
    return "[[" in note.head and _holds_nested_list(note.properties)


def _holds_nested_list(value: object, depth: int = 0) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_nested_list(item) for item in value.values())
    return isinstance(value, list) and (depth > 0 or any(_holds_nested_list(item, depth + 1) for item in value))


def _find_unquoted_links(scope: CheckScope) -> Iterator[Problem]:
    for note in scope.suspect_notes(PROPERTY_LINK.code):
        for splice in _quote_links(note, scope.vault.files):
            message = f"'{splice.removed}', unquoted, is parsed as a list, not a link."
            yield PROPERTY_LINK.problem_at(note, splice.offset, message, f"Write {splice.inserted}, with the quotes.")


def _repair_unquoted_links(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that puts quotes around each unquoted link, and also repairs the link's own faults."""
    for splice in _quote_links(note, context.files) if _may_have_unquoted_link(note) else ():
        link_text, target = broken_links.repair_link(_TEXT_BEFORE_LINK, splice.inserted, note.path, context, "\n---\n")
        message = f"'{splice.removed}' without quotes is not a link."
        new_splice = msgspec.structs.replace(splice, inserted=link_text)
        yield Repair.at_splice(PROPERTY_LINK.code, note, new_splice, message, target=target, makes_link=True)


def _quote_links(note: Note, files: Files) -> Iterator[Splice]:
    """Yield the splice that quotes each `[[X]]` that becomes a link, unless a list may be intended."""
    for match in islice(_DOUBLE_BRACKETS.finditer(note.text, 0, note.body_start), max_examined_places(note)):
        text, quote = match[0], "'" if '"' in match[0] or "\\" in match[0] else '"'
        splice = Splice(match.start(), text, f"{quote}{text}{quote}")
        changed_list = None if quote in text else _find_changed_list(note, splice)
        if changed_list is not None and (_is_one_text(changed_list) or _leads_to_file(text, note, files)):
            yield splice


def _find_changed_list(note: Note, splice: Splice) -> object:
    """Return the list that `splice` turns into a link, or None if it turns none into a link or has another effect."""
    new_frontmatter = frontmatter.read(splice.apply(note.text[: note.body_start]), note.path)
    changes = list(differences(note.properties, new_frontmatter.properties))
    if new_frontmatter.problems or len(changes) != 1 or changes[0][0].lower() in _LIST_PROPERTIES:
        return None
    _, old_value, new_value = changes[0]
    return old_value if isinstance(old_value, list) and new_value == splice.removed else None


def _is_one_text(value: object) -> bool:
    """Return whether a nested list holds a single text and nothing else; other lists may be intended."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return isinstance(value, str)


def _leads_to_file(text: str, note: Note, files: Files) -> bool:
    _, path, _ = split_wikilink(text[2:-2])
    return bool(path) and files.resolve(path, note.path).path is not None


PROPERTY_LINK = Check(
    "property-link",
    "warning",
    in_vault=_find_unquoted_links,
    quick=_may_have_unquoted_link,
    repair=_repair_unquoted_links,
)


_LINK_WITH_BAR = re.compile(
    r"!?\[\[[^\[\]|\r\n]++(?<!\\)\|[^\[\]|\r\n]*+\]\]"
    r"|!?\[[^\[\]|\r\n]*+(?<!\\)\|[^\[\]\r\n]*+\]\((?:<[^<>|\r\n]*+>|[^\s()<>|]*+(?:\([^\s()|]*+\)[^\s()<>|]*+)*)\)"
)
_BAR = re.compile(r"(?<!\\)\|")

_MAX_LOOKBACK_CHARS = 1_000
"""The maximum number of characters before a link in which backticks are counted."""


def _may_have_cut_link(note: Note) -> bool:
    if "|" not in note.text or "[" not in note.text or _is_ordinary(note):
        return False
    first_rule = next(delimiter_row_breaks(note.text, note.body_start), -1)
    header_start = note.text.rfind("\n", 0, first_rule) + 1
    return first_rule >= 0 and _LINK_WITH_BAR.search(note.text, header_start) is not None


def _find_cut_link_problems(note: Note) -> Iterator[Problem]:
    for match in _find_cut_links(note):
        message = f"'{match[0]}' is cut in two: in a table, a bare '|' ends the cell."
        yield TABLE_PIPE.problem_at(note, match.start(), message, f"Write '{_escape_bars(match[0])}'.")


def _repair_cut_links(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that writes `\\|` in each cut link, and also repairs the link's other faults."""
    for match in _find_cut_links(note) if _may_have_cut_link(note) else ():
        new_link, target = broken_links.repair_link("", match[0], note.path, context)
        splice = Splice(match.start(), match[0], _escape_bars(new_link))
        repair = Repair.at_splice(
            TABLE_PIPE.code, note, splice, f"'{match[0]}' is cut in two by a bare '|'.", target=target
        )
        yield msgspec.structs.replace(repair, makes_link=True, cause=TABLE_PIPE.cause)


def _escape_bars(link: str) -> str:
    return _BAR.sub(r"\\|", link)


def _find_cut_links(note: Note) -> Iterator[re.Match[str]]:
    """Yield the match of each cut link in a table, outside of code."""
    for _, table_start, table_end in elements(note.body, note.body_start, {"Table"}):
        for match in _LINK_WITH_BAR.finditer(note.text, table_start, table_end):
            last_line_break = max(note.text.rfind("\n", 0, match.start()), match.start() - _MAX_LOOKBACK_CHARS)
            if note.text.count("`", last_line_break + 1, match.start()) % 2 == 0:
                yield match


TABLE_PIPE = Check(
    "table-pipe",
    in_note=_find_cut_link_problems,
    quick=_may_have_cut_link,
    repair=_repair_cut_links,
    cause="table-pipe",
)
