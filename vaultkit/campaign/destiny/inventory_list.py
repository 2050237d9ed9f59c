"""Editing the list of an inventory item by item: entries that stay keep their quotes, remarks, links and order."""

import re
from collections.abc import Callable, Sequence

from vaultkit.compendium.inventories import PROPERTY
from vaultkit.vault import Note
from vaultkit.vault.facts import texts
from vaultkit.vault.writing.properties import add_to_list, set_property
from vaultkit.vault.writing.splice import Splice, between

_LAST = re.compile(
    rf"(?mi)^(?P<key>[\"']?{PROPERTY}[\"']?:)(?P<after>[^\n]*\n(?:[ \t\r]*(?:#[^\n]*)?\n)*)[ \t]*- [^\n]*\n"
)
"""A list of one item, with remarks on lines of their own above it."""
_FLUSH = re.compile(r"(?m)^[^\s#-][^\n]*:[ \t]*\r?\n- ")
"""A list whose items stand as far left as its property."""


def edited(note: Note, stays: Callable[[str], bool], added: Sequence[str]) -> Splice | None:
    """The inventory without the entries that do not stay, and with those added at its end; None if that is nothing.

    `stays` is asked for each entry's text. Raises WriteError as `set_property` does.
    """
    text = note.text
    for entry in added:
        text = _with(_copy(note, text), entry)
    while (shorter := _without(_copy(note, text), stays, kept=len(added))) is not None:
        text = shorter
    if note.property(PROPERTY) is None and not added:
        return set_property(note, PROPERTY, [])
    return between(note.text, text) if text != note.text else None


def _copy(note: Note, text: str) -> Note:
    return Note(note.path, text.encode("utf-8"))


def _with(note: Note, entry: str) -> str:
    """The note's text with one entry more; the first one of all begins a list in the style of the note's others."""
    if note.property(PROPERTY) not in (None, []):
        return _added(note, entry)
    if note.property(PROPERTY) is None and _FLUSH.search(note.text[: note.body_start]):
        return _set(note, [entry])
    return _added(_copy(note, _set(note, "")), entry)


def _without(note: Note, stays: Callable[[str], bool], kept: int) -> str | None:
    """The note's text without the first entry that has to go, the last `kept` aside; None if none has."""
    value = note.property(PROPERTY)
    items = value if isinstance(value, list) else [value]
    for place, item in enumerate(items[: len(items) - kept]):
        said = texts([item])
        if said and not stays(said[0]):
            return _emptied(note) if len(items) == 1 else _set(note, [*items[:place], *items[place + 1 :]])
    return None


def _says(again: Note, note: Note, wanted: Sequence[str]) -> bool:
    """Whether a note reads as another one does but for its inventory."""
    return not again.problems and again.properties == {**note.properties, _written(note): wanted}


def _emptied(note: Note) -> str:
    """The note's text with an empty list, which keeps the remarks on lines of their own."""
    head = note.text[: note.body_start]
    shorter = _LAST.sub(r"\g<key> []\g<after>", head, count=1) + note.body
    return shorter if _says(_copy(note, shorter), note, []) else _set(note, [])


def _written(note: Note) -> str:
    """The property's name as the note writes it."""
    return next((name for name in note.properties if name.lower() == PROPERTY), PROPERTY)


def _set(note: Note, value: str | Sequence[str]) -> str:
    splice = set_property(note, PROPERTY, value)
    return splice.apply(note.text) if splice else note.text


def _added(note: Note, entry: str) -> str:
    splice = add_to_list(note, PROPERTY, entry)
    return splice.apply(note.text) if splice else note.text
