"""The check for spaces in the destination of a Markdown link, with which it is no link in Obsidian (L3)."""

import re
from collections.abc import Iterator

from vaultkit.errors import Problem
from vaultkit.vault import subpath
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.dialect import events, tag_kind
from vaultkit.vault.links import is_external, split_destination
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import Files
from vaultkit.vault.text_positions import offset_converter
from vaultkit.vault.writing.splice import Splice

_DESTINATION_WITH_SPACE = re.compile(r"\]\((?:[^()<>\r\n ]++|\([^()\r\n]*+\))+ ")
_LINK_DESTINATION = re.compile(
    r"\((?P<destination>(?![<\s])(?:[^()<>\r\n]|\([^()\r\n]*\)){1,1000}?)"
    r"""(?:[ \t]+(?:"[^"\r\n]*"|'[^'\r\n]*'))?[ \t]*\)"""
)
_LINK_KINDS = ("Link", "Image")


def _may_have_problem(note: Note) -> bool:
    return _DESTINATION_WITH_SPACE.search(note.text, note.body_start) is not None


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    for note in scope.suspect_notes(CHECK.code):
        for splice in _encode_spaces(note, scope.vault.files):
            message = f"'{splice.removed}' has a space, so that this is no link."
            yield CHECK.problem_at(note, splice.offset, message, f"Write '{splice.inserted}'.")


def _repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that writes `%20` for the spaces of each destination that leads to exactly one file."""
    for splice in _encode_spaces(note, context.files) if _may_have_problem(note) else ():
        target = context.leads_to(split_destination(splice.removed)[0], note.path)
        if target is not None:
            message = f"'{splice.removed}' has a space, so that it is no link."
            yield Repair.at_splice(CHECK.code, note, splice, message, target=target, makes_link=True)


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


CHECK = Check("link-space", in_vault=_find_problems, quick=_may_have_problem, repair=_repairs)
