"""Kinds of notes with designs for their cards, from `print/notecards/<kind>.toml`; a vault's file overrides ours."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Self

from msgspec.structs import asdict

from vaultkit.schema import InvalidValue
from vaultkit.sheets.cards.print_card import load_frame
from vaultkit.theme import design_loader
from vaultkit.vault import Note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.tags import is_within

OTHER_KIND = "plain"
"""The kind of notes that are of no other kind."""
_FOLDER = "notecards"
_NUMBERING = re.compile(r"\A[\W\d_]+")
"""The numbers and signs that keep folders in order, such as `02_`."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_TYPE_PROPERTIES = ("type", "kind", "category")
"""Properties whose values name the kind of a note."""


class _Name(str):
    """A name in lower case."""

    @classmethod
    def parse(cls, value: object) -> Self:
        """Return a text in lower case as a name. Raises InvalidValue for a value that is no text."""
        if not isinstance(value, str):
            raise InvalidValue("must be a list of texts in quotes.")
        return cls(value.lower())


class _KindDesign(design_loader.Design, frozen=True):
    frame: str
    emblem: str = ""
    shade: str = "accent"
    boxes: tuple[_Name, ...] = ()
    classes: tuple[_Name, ...] = ()
    types: tuple[_Name, ...] = ()
    tags: tuple[_Name, ...] = ()
    fences: tuple[_Name, ...] = ()
    line: tuple[_Name, ...] = ()
    facts: tuple[_Name, ...] = ()
    hidden: tuple[_Name, ...] = ()
    pictures: tuple[_Name, ...] = ()


class NoteKind(_KindDesign, frozen=True):
    """A kind of notes: how they are recognized, and the design of their cards. All names are in lower case.

    Notes are recognized by `classes`, `types`, `tags`, the languages of code blocks (`fences`), or folders with the
    names of tags. `emblem` is the sign in the title bar, `shade` a suit or a colour role, `boxes` are the facts below
    which there are boxes to write in. `line` are the properties in the line below the title, `facts` those that come
    first among the other properties, `hidden` those that are not printed, and `pictures` those that name a picture.
    """

    name: str = ""


def load_kind(name: str, vault: Path | None) -> NoteKind:
    """Return a kind by its name. Raises UsageError if it does not exist, and InvalidError if it cannot be used."""
    design = design_loader.load_design(_FOLDER, "kind of note card", name, vault, _KindDesign)[0]
    kind = NoteKind(**asdict(design), name=name)
    load_frame(kind.frame, vault)
    return kind


def load_kinds(vault: Path | None) -> tuple[NoteKind, ...]:
    """Return all kinds by name, followed by the one for notes that are of no other kind."""
    return tuple(load_kind(name, vault) for name in sorted(design_loader.design_files(_FOLDER, vault), key=_sort_key))


def _sort_key(name: str) -> tuple[bool, str]:
    return name == OTHER_KIND, name


def kind_of(note: Note, kinds: Sequence[NoteKind]) -> NoteKind:
    """Return the kind of a note by its cssclasses, else by its type, tags, code blocks, or folder."""
    classes = texts(note.property("cssclasses")) + texts(note.property("cssclass"))
    folders = PurePosixPath(note.path).parts[:-1]
    types = [value for name in _TYPE_PROPERTIES for value in texts(note.property(name))]
    matchers: tuple[Callable[[NoteKind], bool], ...] = (
        lambda kind: _has_common_name(kind.classes, classes),
        lambda kind: _has_common_name(kind.types, types),
        lambda kind: any(is_within(tag, kind_tag) for tag in note.tags for kind_tag in kind.tags),
        lambda kind: any(_describes_note(match, note) for fence in kind.fences for match in _find_fences(fence, note)),
        lambda kind: note.property("statblock") is True and "statblock" in kind.fences,
        lambda kind: _has_common_name(kind.tags, [_NUMBERING.sub("", name) for name in folders]),
    )
    matching_kinds = (kind for is_match in matchers for kind in kinds if is_match(kind))
    return next(matching_kinds, kinds[-1])


def _find_fences(language: str, note: Note) -> Iterator[re.Match[str]]:
    return re.finditer(rf"\n(?:```|~~~){language}\b(?:[^`~]*?\n(?:name|title):(?P<name>.*))?", note.text)


def _describes_note(fence: re.Match[str], note: Note) -> bool:
    """Return whether a code block is about its note: above all sections, or with words of the note's name."""
    words = set(_WORD.findall((fence["name"] or note.name).casefold()))
    is_first = not re.search(r"\n##+ ", note.text[: fence.start()])
    return is_first or not words.isdisjoint(_WORD.findall(f"{note.name} {note.title}".casefold()))


def _has_common_name(kind_names: Iterable[str], note_values: Iterable[str]) -> bool:
    return not set(kind_names).isdisjoint(text.strip().strip("[]").lower() for text in note_values)
