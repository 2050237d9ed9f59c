"""The check for links with `|` in tables, such as `[[Note|text]]` and `![map|300](map.png)`: it ends the cell (S7)."""

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

_LINK_WITH_BAR = re.compile(
    r"!?\[\[[^\[\]|\r\n]++(?<!\\)\|[^\[\]|\r\n]*+\]\]"
    r"|!?\[[^\[\]|\r\n]*+(?<!\\)\|[^\[\]\r\n]*+\]\((?:<[^<>|\r\n]*+>|[^\s()<>|]*+(?:\([^\s()|]*+\)[^\s()<>|]*+)*)\)"
)
_BAR = re.compile(r"(?<!\\)\|")

_MAX_LOOKBACK_CHARS = 1_000
"""The maximum number of characters before a link in which backticks are counted."""


def _may_have_problem(note: Note) -> bool:
    if "|" not in note.text or "[" not in note.text:
        return False
    first_rule = next(delimiter_row_breaks(note.text, note.body_start), -1)
    header_start = note.text.rfind("\n", 0, first_rule) + 1
    return first_rule >= 0 and _LINK_WITH_BAR.search(note.text, header_start) is not None


def _find_problems(note: Note) -> Iterator[Problem]:
    for match in _find_cut_links(note):
        message = f"'{match[0]}' is cut in two: in a table, a bare '|' ends the cell."
        yield CHECK.problem_at(note, match.start(), message, f"Write '{_escape_bars(match[0])}'.")


def _repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that writes `\\|` in each cut link, and also repairs the link's other faults."""
    for match in _find_cut_links(note) if _may_have_problem(note) else ():
        new_link, target = broken_links.repair_link("", match[0], note.path, context)
        splice = Splice(match.start(), match[0], _escape_bars(new_link))
        repair = Repair.at_splice(CHECK.code, note, splice, f"'{match[0]}' is cut in two by a bare '|'.", target=target)
        yield msgspec.structs.replace(repair, makes_link=True, cause=CHECK.cause)


def _escape_bars(link: str) -> str:
    return _BAR.sub(r"\\|", link)


def _find_cut_links(note: Note) -> Iterator[re.Match[str]]:
    """Yield the match of each cut link in a table, outside of code."""
    for _, table_start, table_end in elements(note.body, note.body_start, {"Table"}):
        for match in _LINK_WITH_BAR.finditer(note.text, table_start, table_end):
            last_line_break = max(note.text.rfind("\n", 0, match.start()), match.start() - _MAX_LOOKBACK_CHARS)
            if note.text.count("`", last_line_break + 1, match.start()) % 2 == 0:
                yield match


CHECK = Check("table-pipe", in_note=_find_problems, quick=_may_have_problem, repair=_repairs, cause="table-pipe")
