"""Kinds of notes with designs for their cards, from `print/notecards/<kind>.toml`; a vault's file overrides ours."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Self
from unicodedata import category, normalize

from msgspec.structs import asdict

from vaultkit.schema import InvalidValue
from vaultkit.search.stemming import guess_language, language, language_codes, split_words
from vaultkit.sheets.cards.print_card import load_frame
from vaultkit.sheets.vault_source import language_of
from vaultkit.theme import design_loader
from vaultkit.vault import Note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.tags import is_within

OTHER_KIND = "plain"
"""The kind of notes that are of no other kind."""
_FOLDER = "notecards"
_NUMBERING = re.compile(r"\A[\W\d_]+")
"""The numbers and signs that keep folders in order, such as `02_`."""
TYPE_PROPERTIES = ("type", "kind", "category")
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
    names = sorted(design_loader.design_files(_FOLDER, vault), key=lambda name: (name == OTHER_KIND, name))
    return tuple(load_kind(name, vault) for name in names)


def kind_of(note: Note, kinds: Sequence[NoteKind]) -> NoteKind:
    """Return the kind of a note by its cssclasses, else by its type, tags, code blocks, or folder."""
    classes = texts(note.property("cssclasses")) + texts(note.property("cssclass"))
    folders = PurePosixPath(note.path).parts[:-1]
    types = [value for name in TYPE_PROPERTIES for value in texts(note.property(name))]
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
    key = r"(?:name|title|monster|creature):[ \t]*(?P<name>.*)"
    return re.finditer(rf"\n(?:```|~~~){language}\b(?:[^`~]*?\n{key})?", note.text)


def _describes_note(fence: re.Match[str], note: Note) -> bool:
    """Return whether a code block is about its note: above all sections, without a name, or with a name of the note.

    A name of the note is one that has all words of its name or title, or that these have; or a telling word of them.
    """
    words, names = _split_name(fence["name"] or ""), [_split_name(name) for name in (note.name, note.title)]
    if not (words and re.search(r"\n##+ ", note.text[: fence.start()])):
        return True
    if any(name and (words.keys() <= name.keys() or name.keys() <= words.keys()) for name in names):
        return True
    telling_words = _telling_words(words, note)
    own_words = {word for name in names for word in _telling_words(name, note)}
    unspaced = [word for word in telling_words if category(word[0]) == "Lo"]
    return not telling_words.isdisjoint(own_words) or any(
        word in own or own in word for word in unspaced for own in own_words
    )


def _split_name(name: str) -> dict[str, str]:
    """Return the words of a name by their words in lower case, without a possessive ending."""
    plain = re.sub(r"['’]s\b", "", normalize("NFC", name))
    words = "".join(sign if category(sign)[0] in "LM" else " " for sign in plain).split()
    return {word.casefold(): word for word in words}


def _telling_words(words: Mapping[str, str], note: Note) -> set[str]:
    """Return the words of a name that say who it is, unlike a letter, `The`, or `von` within a name in any language."""
    code = guess_note_language(note)
    return {
        key
        for key, word in words.items()
        if (len(key) > 1 or category(key) == "Lo")
        and not any(key in language(each).question_words for each in (language_codes() if key == word else (code,)))
    }


def guess_note_language(note: Note) -> str:
    """Return the code of the language of a note, which its words show if no property tells it."""
    return language_of(note)[:2] or guess_language(split_words(note.text))


def _has_common_name(kind_names: Iterable[str], note_values: Iterable[str]) -> bool:
    return not set(kind_names).isdisjoint(text.strip().strip("[]").lower() for text in note_values)
