"""The check for NUL characters in a note, which Obsidian opens but cannot show."""

from collections.abc import Iterator

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.note import Note

_HINT = "A crash or a faulty sync leaves these. Delete them in an editor, or restore the note."


def _has_null_character(note: Note) -> bool:
    return "\0" in note.text


def _find_problems(note: Note) -> Iterator[Problem]:
    """Yield one problem, at the first NUL character, with the number of all."""
    count = note.text.count("\0")
    phrase = "a NUL character" if count == 1 else f"{count} NUL characters, the first of them here"
    yield CHECK.problem_at(note, note.text.index("\0"), f"The note contains {phrase}.", _HINT)


CHECK = Check("nul", "warning", in_note=_find_problems, quick=_has_null_character)
