"""From a file's bytes to its facts, whatever kind of file it is and whatever state it is in."""

from collections.abc import Callable, Iterable

import msgspec

from vaultkit.errors import Problem, VaultkitError
from vaultkit.vault.encoding import EncodingError
from vaultkit.vault.facts import Facts, name_of, packed
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Structure

Inspect = Callable[[Note], Iterable[Problem]]
"""What those who build on the vault layer find wrong in a note by itself; asked while it is read anyway."""


def facts_of(path: str, data: bytes, inspect: Inspect | None = None) -> Facts:
    """The facts of a note or canvas with the bytes `data`; unreadable ones say why."""
    if is_canvas(path):
        return _of_canvas(path, data)
    try:
        note = Note(path, data)
        found = tuple(inspect(note)) if inspect else ()
        return msgspec.structs.replace(note.facts, problems=(*note.facts.problems, *found)) if found else note.facts
    except VaultkitError as error:
        place = (error.line, error.column) if isinstance(error, EncodingError) else (0, 0)
        return Facts(path, unreadable=Problem(path, *place, "unreadable", error.message, error.hint))


def is_note(path: str) -> bool:
    """Whether a file is a note by its name."""
    return path[-3:].lower() == ".md"


def is_canvas(path: str) -> bool:
    """Whether a file is a canvas by its name."""
    return path[-7:].lower() == ".canvas"


def _of_canvas(path: str, data: bytes) -> Facts:
    from vaultkit.vault import canvas

    links, problems = canvas.links(path, data)
    anchors, encoded = packed(Structure(links=links))
    return Facts(path, name_of(path), problems=problems, encoded_anchors=anchors, encoded_links=encoded)
