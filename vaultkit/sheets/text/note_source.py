"""The ways from a note to all that it names, as far as a sheet asks; and the names of other notes, set in lines."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import unquote

import msgspec

from vaultkit.look.glyphs import Glyphs
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.vault.markdown import Node

Fits = Callable[[str], bool]
"""Whether a text has room on one line."""
_AT_SLASHES, _AT_HYPHENS = re.compile(r"[^/]*/|[^/]+"), re.compile(r"[^-]*-|[^-]+")


class LinkTarget(msgspec.Struct, frozen=True):
    """Where an internal link leads: a heading of this sheet, another note of the vault, or nothing that is there.

    `key` is the destination where it is known: that of a place in another note which is printed in the same file.
    """

    kind: Literal["here", "note", "missing"]
    title: str = ""
    path: str = ""
    heading: str = ""
    href: str = ""
    key: str = ""


class Strip(Protocol):
    """An example of a rule note as it is printed: rows of cards, and `words` below them."""

    @property
    def words(self) -> str: ...

    def rows(self, width: float, glyphs: Glyphs, tag: Tag, /) -> Iterator[Any]:
        """Flowables as wide as that, their contents below the tag."""


class NoteSource:
    """The ways from a note to all that it names. This one knows the headings of the note itself, and no other note.

    Targets are as the note has them; nothing outside the vault may be answered.
    """

    @property
    def breaks(self) -> bool:
        """Whether a single newline in the note is a line break (S8)."""
        return False

    def image(self, _target: str) -> Path | None:
        """The file of a picture."""
        return None

    def embed(self, _target: str) -> str | None:
        """The Markdown of an embedded note, or of a part of it."""
        return None

    def is_secret(self, _target: str) -> bool:
        """Return whether the note that a target names, or that part of it, is for the game master alone."""
        return False

    def creature(self, _name: str) -> str | None:
        """The YAML of the stat block of a creature that another note keeps."""
        return None

    def example(self, _source: str) -> Strip | None:
        """An example in a rule note, played."""
        return None

    def link(self, target: str) -> LinkTarget | None:
        """The place that a link leads to."""
        return LinkTarget("here", heading=unquote(target[1:])) if target.startswith("#") else None


NO_SOURCE = NoteSource()


def name_of_note(target: LinkTarget, fits: Fits) -> list[Node]:
    """The other note's title and path; the path alone where it says as much."""
    lines = [part for line in path_lines(target.path, fits) for part in (Node("HardBreak"), Node("Text", line))]
    path = [Node("Emphasis", children=lines[1:])]
    if target.path and target.title == Path(target.path).stem:
        return path
    return [Node("Text", target.title), *([Node("Text", " \u2013 "), *path] if target.path else [])]


def path_lines(path: str, fits: Fits) -> list[str]:
    """The path in pieces to be set on lines of their own; a word of it that fits on a line stays as it is."""
    lines = [""]
    for number, word in enumerate(path.split(" ")):
        first, *others = [word] if fits(word) else list(_filled(_parts(word, fits), fits))
        lines[-1] += f" {first}" if number else first
        lines += others
    return lines


def _parts(word: str, fits: Fits) -> Iterator[str]:
    for part in _AT_SLASHES.findall(word):
        yield from [part] if fits(part) else _AT_HYPHENS.findall(part)


def _filled(parts: Iterable[str], fits: Fits) -> Sequence[str]:
    """As many parts on each line as fit."""
    lines: list[str] = []
    for part in parts:
        if lines and fits(lines[-1] + part):
            lines[-1] += part
        else:
            lines.append(part)
    return lines
