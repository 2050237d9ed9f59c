"""Kinds of notes that become cards are data: `print/notecards/<kind>.toml`, the vault's own first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vaultkit.look import design
from vaultkit.sheets.cards.frame import Frame, load_frame
from vaultkit.vault import Note
from vaultkit.vault.facts import texts
from vaultkit.vault.tags import is_within

OTHER = "note"
"""The kind of every note that is of no other."""
_FOLDER, _WORD = "notecards", "kind of note card"
_LISTS = ("classes", "types", "tags", "fences", "line", "facts", "hidden", "pictures")
_TYPED = ("type", "kind", "category")
"""Properties that say of what kind a note is."""


@dataclass(frozen=True)
class NoteKind:
    """How notes of one kind become cards, and how they are known; all names are in small letters.

    `shade` is a suit or the role of a colour. `line` are properties of the line below the title, `facts` those that
    come first among the others, `hidden` stay off the card, `pictures` name one.
    """

    name: str
    frame: Frame
    frame_of_words: Frame
    shade: str
    classes: tuple[str, ...]
    types: tuple[str, ...]
    tags: tuple[str, ...]
    fences: tuple[str, ...]
    line: tuple[str, ...]
    facts: tuple[str, ...]
    hidden: tuple[str, ...]
    pictures: tuple[str, ...]

    def frame_for(self, *, pictured: bool) -> Frame:
        """The frame of a card with or without a picture."""
        return self.frame if pictured else self.frame_of_words


def load_kind(name: str, vault: Path | None) -> NoteKind:
    """The kind `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    table, where = design.named(
        _FOLDER, _WORD, name, vault, required=["frame", "frame-of-words"], optional=["shade", *_LISTS]
    )
    lists = {key: tuple(text.lower() for text in design.texts(table, key, where)) for key in _LISTS}
    framed, worded = (load_frame(design.text(table, key, where), vault) for key in ("frame", "frame-of-words"))
    return NoteKind(name, framed, worded, design.text(table, "shade", where, "accent"), **lists)


def load_kinds(vault: Path | None) -> tuple[NoteKind, ...]:
    """All kinds that there are, the one for any other note last."""
    return tuple(load_kind(name, vault) for name in sorted(design.names(_FOLDER, vault), key=_last))


def _last(name: str) -> tuple[bool, str]:
    return name == OTHER, name


def kind_of(note: Note, kinds: Sequence[NoteKind]) -> NoteKind:
    """The kind of a note: by its cssclasses, else by its type, its tags, or the code blocks in it."""
    classes = texts(note.property("cssclasses")) + texts(note.property("cssclass"))
    types = [value for name in _TYPED for value in texts(note.property(name))]
    ways: tuple[Callable[[NoteKind], bool], ...] = (
        lambda kind: _meet(kind.classes, classes),
        lambda kind: _meet(kind.types, types),
        lambda kind: any(is_within(tag, wanted) for tag in note.tags for wanted in kind.tags),
        lambda kind: any(f"\n```{fence}" in note.text or f"\n~~~{fence}" in note.text for fence in kind.fences),
        lambda kind: note.property("statblock") is True and "statblock" in kind.fences,
    )
    fitting = (kind for is_so in ways for kind in kinds if is_so(kind))
    return next(fitting, kinds[-1])


def _meet(wanted: Iterable[str], given: Iterable[str]) -> bool:
    return not set(wanted).isdisjoint(text.strip().strip("[]").lower() for text in given)
