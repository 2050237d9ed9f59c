"""Extraction of facts from the bytes of a note or canvas."""

from collections.abc import Callable
from typing import NamedTuple

from vaultkit.errors import Problem, VaultkitError
from vaultkit.vault.encoding import EncodingError
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts, encode_structure, name_of
from vaultkit.vault.structure import Structure


class Inspection(NamedTuple):
    """The problems of a note alone, and the codes of checks that must read it again with the whole vault."""

    problems: tuple[Problem, ...]
    suspects: tuple[str, ...] = ()


PICTURE_SUFFIXES = frozenset({".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"})
"""The file extensions of pictures that Obsidian shows."""
Inspect = Callable[[Note], Inspection]
"""The type of functions that inspect a note when it is read; the result may depend on the note only."""


def facts_of(path: str, data: bytes, inspect: Inspect | None = None) -> Facts:
    """Return the facts of a note or canvas with the bytes `data`; for an unreadable one, only the reason is set."""
    if is_canvas(path):
        return _canvas_facts(path, data)
    try:
        return _note_facts(Note(path, data), inspect)
    except VaultkitError as error:
        position = (error.line, error.column) if isinstance(error, EncodingError) else (0, 0)
        return Facts(path, unreadable=Problem(path, *position, "unreadable", error.message, error.hint))


def is_note(path: str) -> bool:
    """Return whether a path has the extension of a note."""
    return path[-3:].lower() == ".md"


def is_canvas(path: str) -> bool:
    """Return whether a path has the extension of a canvas."""
    return path[-7:].lower() == ".canvas"


def _note_facts(note: Note, inspect: Inspect | None) -> Facts:
    from vaultkit.vault import tables

    problems, suspects = inspect(note) if inspect else Inspection(note.problems)
    middle_fields = (problems, None, suspects, tables.may_have_roll_tables(note), note.tags)
    return Facts(note.path, note.title, note.properties, *middle_fields, *encode_structure(note.structure))


def _canvas_facts(path: str, data: bytes) -> Facts:
    from vaultkit.vault import canvas

    links, problems = canvas.read_links(path, data)
    empty_fields = (None, (), False, ())
    return Facts(path, name_of(path), {}, problems, *empty_fields, *encode_structure(Structure(links=links)))
