"""The check for wikilinks with display text in tables, `[[Note|text]]`, whose `|` ends the cell (S7)."""

import re
from collections.abc import Iterator

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import broken_links
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.dialect import elements
from vaultkit.vault.note import Note
from vaultkit.vault.tables import delimiter_row_breaks
from vaultkit.vault.writing.splice import Splice

_LINK_WITH_TEXT = re.compile(r"!?\[\[(?P<target>[^\[\]|\r\n]++)(?<!\\)\|(?P<shown>[^\[\]|\r\n]*+)\]\]")

_MAX_LOOKBACK_CHARS = 1_000
"""The maximum number of characters before a link in which backticks are counted."""


def _may_have_problem(note: Note) -> bool:
    has_candidate = (
        "|" in note.text and "[[" in note.text and _LINK_WITH_TEXT.search(note.text, note.body_start) is not None
    )
    return has_candidate and any(True for _ in delimiter_row_breaks(note.text, note.body_start))


def _find_problems(note: Note) -> Iterator[Problem]:
    for match, splice in _find_cut_links(note):
        new_link = splice.inserted.join((note.text[match.start() : splice.offset], note.text[splice.end : match.end()]))
        message = f"'{match[0]}' is cut in two: in a table, a bare '|' ends the cell."
        yield CHECK.problem_at(note, match.start(), message, f"Write '{new_link}'.")


def _repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that writes `\\|` in each cut link, and also repairs the link's other faults."""
    for match, _ in _find_cut_links(note) if _may_have_problem(note) else ():
        new_link, target = broken_links.repair_link("", match[0], note.path, context)
        splice = Splice(match.start(), match[0], new_link.replace("|", "\\|", 1))
        repair = Repair.at_splice(CHECK.code, note, splice, f"'{match[0]}' is cut in two by a bare '|'.", target=target)
        yield msgspec.structs.replace(repair, makes_link=True, cause=CHECK.cause)


def _find_cut_links(note: Note) -> Iterator[tuple[re.Match[str], Splice]]:
    """Yield the match of each cut link in a table, outside of code, with the splice that escapes its `|`."""
    for _, table_start, table_end in elements(note.body, note.body_start, {"Table"}):
        for match in _LINK_WITH_TEXT.finditer(note.text, table_start, table_end):
            last_line_break = max(note.text.rfind("\n", 0, match.start()), match.start() - _MAX_LOOKBACK_CHARS)
            if note.text.count("`", last_line_break + 1, match.start()) % 2 == 0:
                yield match, Splice(match.end("target"), "|", "\\|")


CHECK = Check("table-pipe", in_note=_find_problems, quick=_may_have_problem, repair=_repairs, cause="table-pipe")
