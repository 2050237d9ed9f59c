"""The interface between a sheet and the files that a note names, and line breaks in the names of other notes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import unquote

import msgspec

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme.glyphs import Glyphs
from vaultkit.vault.markdown import Node

FitsOnLine = Callable[[str], bool]
"""A function that returns whether a text fits on one line."""
_SLASH_PARTS, _HYPHEN_PARTS = re.compile(r"[^/]*/|[^/]+"), re.compile(r"[^-]*-|[^-]+")


class LinkTarget(msgspec.Struct, frozen=True):
    """The target of an internal link: a heading of the same note, another note of the vault, or a missing file.

    `path` is the vault path of another note, `href` its address. `key` is the link destination in the printed file if
    it is known, as for another note that is printed in the same file.
    """

    kind: Literal["here", "note", "missing"]
    title: str = ""
    path: str = ""
    heading: str = ""
    href: str = ""
    key: str = ""


class Strip(Protocol):
    """A printed example of a rule note: rows of cards, and the text (`words`) below them."""

    @property
    def words(self) -> str: ...

    def rows(self, width: float, glyphs: Glyphs, tag: Tag, /) -> Iterator[Any]:
        """Yield the rows as flowables of at most `width` points, with their tags added to `tag`."""


class NoteSource:
    """The access from a note to everything that it names; this base class finds only the note's own headings.

    Targets are given as they are written in the note. Implementations return nothing outside the vault.
    """

    @property
    def missing_pictures(self) -> Iterable[str]:
        """The pictures that `image` has not found, as they are written in the note, without repeats."""
        return ()

    @property
    def breaks(self) -> bool:
        """Whether a single newline in the note is a line break (S8)."""
        return False

    def image(self, _target: str) -> Path | None:
        """Return the file of a picture, or None if there is none."""
        return None

    def embed(self, _target: str) -> str | None:
        """Return the Markdown of an embedded note or of a part of it, or None if there is none."""
        return None

    def is_secret(self, _target: str) -> bool:
        """Return whether the note or part of a note named by a target is for the game master alone."""
        return False

    def creature(self, _name: str) -> str | None:
        """Return the YAML of a creature's stat block in another note, or None if there is none."""
        return None

    def example(self, _source: str) -> Strip | None:
        """Return the printed form of an example in a rule note, or None if it cannot be read."""
        return None

    def link(self, target: str) -> LinkTarget | None:
        """Return the target of a link, or None if there is none."""
        return LinkTarget("here", heading=unquote(target[1:])) if target.startswith("#") else None


NO_SOURCE = NoteSource()


def note_name_nodes(target: LinkTarget, fits: FitsOnLine) -> list[Node]:
    """Return the nodes of another note's title and path, or of the path alone if the title is the file name."""
    lines = [part for line in path_lines(target.path, fits) for part in (Node("HardBreak"), Node("Text", line))]
    path = [Node("Emphasis", children=lines[1:])]
    if target.path and target.title == Path(target.path).stem:
        return path
    return [Node("Text", target.title), *([Node("Text", " \u2013 "), *path] if target.path else [])]


def path_lines(path: str, fits: FitsOnLine) -> list[str]:
    """Return the lines of a path; words that do not fit on a line are broken behind slashes or hyphens."""
    lines = [""]
    for number, word in enumerate(path.split(" ")):
        first_part, *other_lines = [word] if fits(word) else list(_fill_lines(_split_word(word, fits), fits))
        lines[-1] += f" {first_part}" if number else first_part
        lines += other_lines
    return lines


def _split_word(word: str, fits: FitsOnLine) -> Iterator[str]:
    for part in _SLASH_PARTS.findall(word):
        yield from [part] if fits(part) else _HYPHEN_PARTS.findall(part)


def _fill_lines(parts: Iterable[str], fits: FitsOnLine) -> Sequence[str]:
    """Return lines, each of which joins as many consecutive parts as fit."""
    lines: list[str] = []
    for part in parts:
        if lines and fits(lines[-1] + part):
            lines[-1] += part
        else:
            lines.append(part)
    return lines
