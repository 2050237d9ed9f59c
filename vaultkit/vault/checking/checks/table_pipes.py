"""`[[Note|text]]` in a table, whose `|` ends the cell, so that there is no link (S7)."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import lost_links
from vaultkit.vault.checking.repair import Names, Repair
from vaultkit.vault.note import Note
from vaultkit.vault.structure import elements
from vaultkit.vault.writing.splice import Splice

_CUT = re.compile(r"!?\[\[(?P<target>[^\[\]|\r\n]++)(?<!\\)\|(?P<shown>[^\[\]|\r\n]*+)\]\]")
_RULE = re.compile(r"[\r\n][ \t>]*+(?:\|[ \t]*+:?-|:?-++:?[ \t]*+\|)")


def _may_be(note: Note) -> bool:
    is_there = "[[" in note.text and _CUT.search(note.text, note.body_start) is not None
    return is_there and _RULE.search(note.text, note.body_start) is not None


def _look(note: Note) -> Iterator[Problem]:
    for match, splice in _cut(note):
        mended = splice.inserted.join((note.text[match.start() : splice.offset], note.text[splice.end : match.end()]))
        message = f"'{match[0]}' is cut in two: in a table, a bare '|' ends the cell."
        yield CHECK.at(note, match.start(), message, f"Write '{mended}'.")


def _repairs(note: Note, names: Names) -> Iterator[Repair]:
    """`\\|` in the link, which is repaired too where it needs that, so that one run mends all."""
    for match, _ in _cut(note) if _may_be(note) else ():
        mended, target = lost_links.mended("", match[0], note.path, names)
        splice = Splice(match.start(), match[0], mended.replace("|", "\\|", 1))
        made = Repair.at(CHECK.code, note, splice, f"'{match[0]}' is cut in two by a bare '|'.", target=target)
        yield replace(made, makes_link=True, cause=CHECK.cause)


def _cut(note: Note) -> Iterator[tuple[re.Match[str], Splice]]:
    """Each link of a table that is cut, outside of code, with the sign that mends it."""
    found = [*elements(note.body, note.body_start, {"Table", "Code"})]
    code = [(start, end) for kind, start, end in found if kind == "Code"]
    for kind, table_start, table_end in found:
        for match in _CUT.finditer(note.text, table_start, table_end) if kind == "Table" else ():
            number = bisect_left(code, (match.end(), 0)) - 1
            if number < 0 or code[number][1] <= match.start():
                yield match, Splice(match.end("target"), "|", "\\|")


CHECK = Check("table-pipe", in_note=_look, quick=_may_be, repair=_repairs, cause="table-pipe")
