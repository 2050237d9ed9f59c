"""Blank lines before the first `---`, with which Obsidian sees no properties (Y1)."""

from dataclasses import replace

from vaultkit.vault.checking import lint
from vaultkit.vault.checking.repairs.base import Repair
from vaultkit.vault.note import Note
from vaultkit.vault.places import LINE_END
from vaultkit.vault.writing.splice import Splice

_DASHES = "---"


def place(note: Note) -> Repair | None:
    """`---` alone, at the start, where only white space kept it from that and the properties then can be read.

    It stands apart from the other rules, since it changes what all the rest of the note is.
    """
    for passage in lint.misplaced(note):
        after = moved_up(note, passage.text)
        if passage.text.strip() == _DASHES and after.properties and not after.problems:
            message = "White space stands before the properties, or behind their first '---'."
            return Repair("frontmatter-place", 1, 1, message, Splice(0, passage.text, _DASHES))
    return None


def moved_up(note: Note, opening: str) -> Note:
    """The note with `---` in place of `opening`, with which it begins."""
    return Note(note.path, note.encoded.to_bytes(_DASHES + note.text[len(opening) :]))


def moved_back(repair: Repair, opening: str) -> Repair:
    """A repair of the note that was `moved_up`, as one of the note as it stands."""
    splice = replace(repair.splice, offset=repair.splice.offset + len(opening) - len(_DASHES))
    return replace(repair, line=repair.line + len(LINE_END.findall(opening)), splice=splice)
