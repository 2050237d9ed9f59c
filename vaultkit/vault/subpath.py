"""Subpaths, the headings and blocks after the `#` of a link, compared as in Obsidian (S1 to S4)."""

import re
import unicodedata
from bisect import bisect_right
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
            return None if self._has_path(subpath) else "no-heading"
        is_exact_title = subpath[:1].isalnum() and subpath in self._titles
        return None if is_exact_title or comparable_heading(subpath) in self._comparable_titles else "no-heading"

    def _has_path(self, subpath: str) -> bool:
        """Return whether `find_heading` would find a heading; fast for many links into a note with many headings."""
        heading_index, level = -1, 0
        parts = _split_subpath(subpath)
        for part in parts:
            index_lists = (self._indices_by_heading.get((part, deeper), ()) for deeper in range(level + 1, 7))
            later_indices = [
                numbers[position]
                for numbers in index_lists
                if (position := bisect_right(numbers, heading_index)) < len(numbers)
            ]
            if not later_indices:
                return False
            heading_index = min(later_indices)
            level = self._anchors.headings[heading_index].level
        return bool(parts)

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
