"""A property that is a list, with items taken out and added: those that stay keep how they are written."""

import re
from collections.abc import Callable, Sequence

from vaultkit.vault.facts import texts
from vaultkit.vault.note import Note
from vaultkit.vault.writing.properties import add_to_list, set_property
from vaultkit.vault.writing.splice import Splice, between

_FLUSH = re.compile(r"(?m)^[^\s#-][^\n]*:[ \t]*\r?\n- ")
"""A list whose items stand as far left as its property."""


def edit_list(note: Note, name: str, stays: Callable[[str], bool], added: Sequence[str]) -> Splice | None:
    """The property `name` without the items that do not stay, and with those added at its end; None if that is nothing.

    `stays` is asked for each item's text. A property that is missing is made. Raises WriteError as `set_property` does.
    """
    text = note.text
    for item in added:
        text = _with(_copy(note, text), name, item)
    while (shorter := _without(_copy(note, text), name, stays, kept=len(added))) is not None:
        text = shorter
    if note.property(name) is None and not added:
        return set_property(note, name, [])
    return between(note.text, text) if text != note.text else None


def _copy(note: Note, text: str) -> Note:
    return Note(note.path, text.encode("utf-8"))


def _with(note: Note, name: str, item: str) -> str:
    """The note's text with one item more; the first one of all begins a list in the style of the note's others."""
    value = note.property(name)
    if value not in (None, []):
        return _spliced(note, add_to_list(note, name, item))
    if value is None and _FLUSH.search(note.text[: note.body_start]):
        return _spliced(note, set_property(note, name, [item]))
    empty = _copy(note, _spliced(note, set_property(note, name, "")))
    return _spliced(empty, add_to_list(empty, name, item))


def _without(note: Note, name: str, stays: Callable[[str], bool], kept: int) -> str | None:
    """The note's text without the first item that has to go, the last `kept` aside; None if none has."""
    value = note.property(name)
    items = value if isinstance(value, list) else [value]
    for place, item in enumerate(items[: len(items) - kept]):
        words = texts([item])
        if words and not stays(words[0]):
            rest = [*items[:place], *items[place + 1 :]]
            return _spliced(note, set_property(note, name, rest)) if rest else _emptied(note, name)
    return None


def _emptied(note: Note, name: str) -> str:
    """The note's text with an empty list, which keeps the remarks on lines of their own above its one item."""
    own = next((known for known in note.properties if known.lower() == name.lower()), name)
    one_item = re.compile(
        rf"(?mi)^(?P<key>[\"']?{re.escape(name)}[\"']?:)(?P<after>[^\n]*\n(?:[ \t\r]*(?:#[^\n]*)?\n)*)[ \t]*- [^\n]*\n"
    )
    shorter = one_item.sub(r"\g<key> []\g<after>", note.text[: note.body_start], count=1) + note.body
    again = _copy(note, shorter)
    if not again.problems and again.properties == {**note.properties, own: []}:
        return shorter
    return _spliced(note, set_property(note, name, []))


def _spliced(note: Note, splice: Splice | None) -> str:
    return splice.apply(note.text) if splice else note.text
