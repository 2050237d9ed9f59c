"""Subpaths, the headings and blocks after the `#` of a link, compared as in Obsidian (S1 to S4)."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal

from vaultkit.vault.structure import Anchors, Heading

_IGNORED_CHARACTERS = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\r\n]""")


@lru_cache(maxsize=20_000)  # notes share headings, and many links may lead to one
def comparable_heading(heading: str) -> str:
    """Return a heading in the form in which headings and links are compared (S1).

    It is in lower case, with single spaces, and with a space for most punctuation.
    """
    normal = heading if heading.isascii() else unicodedata.normalize("NFC", heading)
    return " ".join(_IGNORED_CHARACTERS.sub(" ", normal).split()).lower()


class Outline:
    """The headings, blocks and footnotes of a note, to which the subpaths of links lead."""

    def __init__(self, anchors: Anchors) -> None:
        self._anchors = anchors

    def missing_kind(self, subpath: str) -> Literal["no-heading", "no-block"] | None:
        """Return the status of a link to `subpath` if the note lacks its heading or block, else None."""
        if subpath.startswith("^"):
            if "=" in subpath:  # not a block id but part of an Excalidraw drawing, which cannot be checked
                return None
            return None if subpath[1:].lower() in self._anchors.blocks else "no-block"
        if subpath.startswith("[^") and subpath.endswith("]"):
            return None if subpath[2:-1].lower() in self._anchors.footnotes else "no-block"
        if "#" in subpath:
            return "no-heading" if self.find_heading(subpath) is None else None
        is_exact_title = subpath[:1].isalnum() and subpath in self._titles
        return None if is_exact_title or comparable_heading(subpath) in self._comparable_titles else "no-heading"

    def find_heading(self, subpath: str) -> Heading | None:
        """Return what `find_heading` returns; fast for many links into a note with many headings."""
        heading, heading_index, level = None, -1, 0
        for part in _split_subpath(subpath):
            index_lists = (self._indices_by_heading.get((part, deeper), ()) for deeper in range(level + 1, 7))
            later_indices = [
                numbers[position]
                for numbers in index_lists
                if (position := bisect_right(numbers, heading_index)) < len(numbers)
            ]
            if not later_indices:
                return None
            heading_index = min(later_indices)
            heading = self._anchors.headings[heading_index]
            level = heading.level
        return heading

    def headings_above(self, offset: int) -> list[Heading]:
        """Return the headings above an offset, the outermost first, each deeper than the one before."""
        index, above = (
            bisect_left(self._anchors.headings, offset, key=lambda heading: heading.start) - 1,
            list[Heading](),
        )
        while index >= 0:
            above.append(self._anchors.headings[index])
            index = self._parents[index]
        return above[::-1]

    @cached_property
    def _parents(self) -> list[int]:
        """The index of the last heading of a higher level above each heading, -1 for none."""
        parents, open_indices = list[int](), list[int]()
        for index, heading in enumerate(self._anchors.headings):
            while open_indices and self._anchors.headings[open_indices[-1]].level >= heading.level:
                open_indices.pop()
            parents.append(open_indices[-1] if open_indices else -1)
            open_indices.append(index)
        return parents

    @cached_property
    def _indices_by_heading(self) -> Mapping[tuple[str, int], Sequence[int]]:
        """The indices of the headings by comparable text and level."""
        indices_by_heading: dict[tuple[str, int], list[int]] = {}
        for index, heading in enumerate(self._anchors.headings):
            indices_by_heading.setdefault((comparable_heading(heading.text), heading.level), []).append(index)
        return indices_by_heading

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(heading.text for heading in self._anchors.headings)

    @cached_property
    def _comparable_titles(self) -> frozenset[str]:
        return frozenset(map(comparable_heading, self._titles)) - {""}


def find_heading(headings: Sequence[Heading], subpath: str) -> Heading | None:
    """Return the first heading at `subpath`, such as `A` or `A#B`, or None (S2).

    In `A#B`, B must be after A and of a deeper level.
    """
    parts = _split_subpath(subpath)
    if not parts:
        return None
    level, matched_count = 0, 0
    for heading in headings:
        if heading.level > level and comparable_heading(heading.text) == parts[matched_count]:
            level, matched_count = heading.level, matched_count + 1
            if matched_count == len(parts):
                return heading
    return None


def _split_subpath(subpath: str) -> list[str]:
    return [part for part in map(comparable_heading, subpath.split("#")) if part]


def to_subpath(heading: str) -> str:
    """Return a heading in the form used after the `#` of a link (S3)."""
    return " ".join(re.sub(r"%%|\[\[|\]\]|[:#|^\\\r\n]", " ", heading).split())
