"""From a file's bytes to its facts, whatever kind of file it is and whatever state it is in."""

from collections.abc import Callable
from typing import NamedTuple

from vaultkit.errors import Problem, VaultkitError
from vaultkit.vault.encoding import EncodingError
from vaultkit.vault.facts import Facts, name_of, packed
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Structure


class Inspected(NamedTuple):
    """The problems that a note has by itself, and the codes of checks that have to read it again within its vault."""

    problems: tuple[Problem, ...]
    suspects: tuple[str, ...] = ()


PICTURES = frozenset({".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"})
"""The endings of the pictures that Obsidian shows."""
Inspect = Callable[[Note], Inspected]
"""Is asked of each note while it is read; what it says may depend on nothing but the note."""


def facts_of(path: str, data: bytes, inspect: Inspect | None = None) -> Facts:
    """The facts of a note or canvas with the bytes `data`; unreadable ones say why."""
    if is_canvas(path):
        return _of_canvas(path, data)
    try:
        return _of_note(Note(path, data), inspect)
    except VaultkitError as error:
        place = (error.line, error.column) if isinstance(error, EncodingError) else (0, 0)
        return Facts(path, unreadable=Problem(path, *place, "unreadable", error.message, error.hint))


def is_note(path: str) -> bool:
    """Whether a file is a note by its name."""
    return path[-3:].lower() == ".md"


def is_canvas(path: str) -> bool:
    """Whether a file is a canvas by its name."""
    return path[-7:].lower() == ".canvas"


def _of_note(note: Note, inspect: Inspect | None) -> Facts:
    from vaultkit.vault import tables

    problems, suspects = inspect(note) if inspect else Inspected(note.problems)
    read = (problems, None, suspects, tables.may_have_rolls(note), note.tags)
    return Facts(note.path, note.title, note.properties, *read, *packed(note.structure))


def _of_canvas(path: str, data: bytes) -> Facts:
    from vaultkit.vault import canvas

    links, problems = canvas.links(path, data)
    nothing = (None, (), False, ())
    return Facts(path, name_of(path), {}, problems, *nothing, *packed(Structure(links=links)))
