"""Wikilinks with display text in tables, `[[Note|text]]`, whose `|` ends the cell and cuts the link (S7)."""

import re
from collections.abc import Iterator

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import lost_links
from vaultkit.vault.checking.repair import Names, Repair
from vaultkit.vault.note import Note
from vaultkit.vault.structure import elements
from vaultkit.vault.tables import rules
from vaultkit.vault.writing.splice import Splice

_CUT = re.compile(r"!?\[\[(?P<target>[^\[\]|\r\n]++)(?<!\\)\|(?P<shown>[^\[\]|\r\n]*+)\]\]")

_REACH = 1_000
"""The maximum number of characters before a link in which backticks are counted."""


def _may_be(note: Note) -> bool:
    is_there = "|" in note.text and "[[" in note.text and _CUT.search(note.text, note.body_start) is not None
    return is_there and any(True for _ in rules(note.text, note.body_start))


def _look(note: Note) -> Iterator[Problem]:
    for match, splice in _cut(note):
        mended = splice.inserted.join((note.text[match.start() : splice.offset], note.text[splice.end : match.end()]))
        message = f"'{match[0]}' is cut in two: in a table, a bare '|' ends the cell."
        yield CHECK.at(note, match.start(), message, f"Write '{mended}'.")


def _repairs(note: Note, names: Names) -> Iterator[Repair]:
    """Yield a repair with `\\|` for each cut link; other faults of the link are repaired in the same step."""
    for match, _ in _cut(note) if _may_be(note) else ():
        mended, target = lost_links.mended("", match[0], note.path, names)
        splice = Splice(match.start(), match[0], mended.replace("|", "\\|", 1))
        made = Repair.at(CHECK.code, note, splice, f"'{match[0]}' is cut in two by a bare '|'.", target=target)
        yield msgspec.structs.replace(made, makes_link=True, cause=CHECK.cause)


def _cut(note: Note) -> Iterator[tuple[re.Match[str], Splice]]:
    """Yield each cut link in a table, outside of code, with the splice that escapes its `|`."""
    for _, table_start, table_end in elements(note.body, note.body_start, {"Table"}):
        for match in _CUT.finditer(note.text, table_start, table_end):
            line = max(note.text.rfind("\n", 0, match.start()), match.start() - _REACH)
            if note.text.count("`", line + 1, match.start()) % 2 == 0:
                yield match, Splice(match.end("target"), "|", "\\|")


CHECK = Check("table-pipe", in_note=_look, quick=_may_be, repair=_repairs, cause="table-pipe")
