"""The check for properties that Obsidian does not read, since the note does not begin with the line `---` (Y1)."""

import re
from collections.abc import Iterator

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.note import Note
from vaultkit.vault.text_positions import LINE_END
from vaultkit.vault.writing.splice import Splice

_DASHES = "---"
_KEY_LINE = r"""["'\w][^\r\n:]*+:(?=[ \t\r\n])[^\r\n]*+"""
_MISPLACED = re.compile(
    r"\A(?!---[\r\n])(?P<opening>\s*+(?P<signs>[^\w\s\ufeff-][^\w\r\n]{0,20}?)?---[^\r\n]*+)(?:\r\n|\n)"
    rf"{_KEY_LINE}(?:\r\n|\n)(?:(?:{_KEY_LINE}|[ \t][^\r\n]*+|-(?:[ \t][^\r\n]*+)?|)(?:\r\n|\n))*"
    r"---+[ \t]*+(?:[\r\n]|\Z)"
)


def _find_problems(note: Note) -> Iterator[Problem]:
    match = _MISPLACED.match(note.text)
    if match is None:
        return
    message, hint = "These are no properties: their first line is not '---' alone.", "Write '---' in the first line."
    if match["signs"]:
        message = f"These are no properties: '{match['signs'].strip()}' stands before their first '---'."
    elif match["opening"].strip() == _DASHES and match["opening"][0].isspace():
        message = "These are no properties: something stands before them."
        hint = "Write '---' in the very first line: delete what stands before it."
    yield CHECK.problem_at(note, 0, message, hint)


def repairs(note: Note, context: RepairContext) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """Yield the repair that makes `---` the first line, if only white space is wrong and the properties are then read.

    The repair changes how the rest of the note is parsed, so other repairs must be planned for the note from `move_up`.
    """
    match = _MISPLACED.match(note.text)
    opening = match["opening"] if match else ""
    moved_note = move_up(note, opening)
    if opening.strip() == _DASHES and moved_note.properties and not moved_note.problems:
        message = "White space stands before the properties, or behind their first '---'."
        yield Repair.at_splice(CHECK.code, note, Splice(0, opening, _DASHES), message)


def move_up(note: Note, opening: str) -> Note:
    """Return the note with `---` in place of `opening`, the text at its start."""
    return Note(note.path, note.encoded.to_bytes(_DASHES + note.text[len(opening) :]))


def move_back(repair: Repair, opening: str) -> Repair:
    """Return a repair of the note from `move_up` with the positions that it has in the note as it is now."""
    splice = msgspec.structs.replace(repair.splice, offset=repair.splice.offset + len(opening) - len(_DASHES))
    return msgspec.structs.replace(repair, line=repair.line + len(LINE_END.findall(opening)), splice=splice)


CHECK = Check("frontmatter-place", "warning", in_note=_find_problems, repair=repairs)
