"""Scripts that need the extra `scripts`, and the order of a line by Unicode's bidirectional algorithm."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from typing import NamedTuple

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
JOINERS = "\u061c\u200c\u200d\u200e\u200f"
"""Invisible characters that decide how the letters of a script join, and in which direction they run."""
_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
"""Invisible characters, which the algorithm keeps beside the character before them."""
_TAG_BASE = len(_TAGS) // 3
_MAX_TAGGED_CHARS = _TAG_BASE**3
_STRONG_CLASSES = {"L": False, "R": True, "AL": True}
_MIRRORED = str.maketrans("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤")


SHAPING_PACKAGES = ("uharfbuzz", "bidi", "budoux")
"""The modules of the extra `scripts`, which text in shaped scripts needs."""


@lru_cache(maxsize=1)
def can_shape() -> bool:
    """Return whether the packages of the extra `scripts` are installed."""
    return all(map(find_spec, SHAPING_PACKAGES))


class RightToLeftText(str):
    """Text of a line that is drawn from right to left."""

    __slots__ = ()

    @property
    def visual(self) -> str:
        """The characters from left to right, with brackets mirrored."""
        return self[::-1].translate(_MIRRORED)


class BidiPiece(NamedTuple):
    """A part of one of a line's texts, all in one direction; `owner` is the index of that text."""

    owner: int
    text: str
    level: int


def has_right_to_left(text: str) -> bool:
    """Return whether a text has letters of a script that runs from right to left."""
    return bool(_RIGHT_TO_LEFT.search(text))


def runs_right_to_left(text: str) -> bool:
    """Return whether a paragraph runs from right to left: its first letter decides."""
    if not has_right_to_left(text):
        return False
    classes = map(unicodedata.bidirectional, text)
    return next((_STRONG_CLASSES[kind] for kind in classes if kind in _STRONG_CLASSES), False)


def begin_actual_text(characters: str) -> str:
    """Return the PDF operator that begins replacement text for `characters`; `EMC` ends it."""
    return f"/Span <</ActualText <FEFF{characters.encode('utf-16-be').hex().upper()}>>> BDC"


@lru_cache(maxsize=512)
def embedding_levels(text: str, is_right_to_left: bool) -> Sequence[int]:
    """Return the embedding level of each character; odd levels run from right to left.

    python-bidi returns text in visual order only. Invisible tags behind each character show where it has gone and in
    which direction it is read. There are no explicit embeddings, so that this tells the level.
    """
    from bidi import get_display

    if len(text) > _MAX_TAGGED_CHARS:
        parts = text[:_MAX_TAGGED_CHARS], text[_MAX_TAGGED_CHARS:]
        return [level for part in parts for level in embedding_levels(part, is_right_to_left)]
    tagged = "".join(character + _encode(index) for index, character in enumerate(text.translate(_SPACES)))
    last_letter = "\u05d0" if is_right_to_left else "a"  # without it, tags at the end would stay there
    visual = str(get_display(tagged + last_letter, base_dir="R" if is_right_to_left else "L"))
    visual = visual[1:] if is_right_to_left else visual[:-1]
    positions, odd = [0] * len(text), [False] * len(text)
    for position, start in enumerate(range(0, len(visual), 4)):
        group = visual[start : start + 4]
        is_odd = group[0] in _TAGS
        index = _decode(group[2::-1] if is_odd else group[1:])
        positions[index], odd[index] = position, is_odd
    if is_right_to_left:
        return [1 if is_odd else 2 for is_odd in odd]
    return [1 if is_odd else 2 * is_moved for is_odd, is_moved in zip(odd, _find_moved(positions, odd), strict=True)]


_SPACES = str.maketrans("\n\r\t\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2029", " " * 11)
"""A space for each character that would end a paragraph or begin a column."""


def _encode(index: int) -> str:
    """Return three tags for an index; the last one is of a range of its own, by which the direction is seen."""
    high, middle, low = index // _TAG_BASE**2, index // _TAG_BASE % _TAG_BASE, index % _TAG_BASE
    return _TAGS[high] + _TAGS[_TAG_BASE + middle] + _TAGS[2 * _TAG_BASE + low]


def _decode(tags: str) -> int:
    high, middle, low = (_TAGS.index(tag) % _TAG_BASE for tag in tags)
    return (high * _TAG_BASE + middle) * _TAG_BASE + low


def _find_moved(positions: Sequence[int], odd: Sequence[bool]) -> list[bool]:
    """Return for each character of a left-to-right paragraph whether it changed sides with one that runs to the left.

    Such a character is a digit of a number between letters of a right-to-left script.
    """
    is_moved_flags, rightmost = [False] * len(odd), -1
    for index, is_odd in enumerate(odd):
        is_moved_flags[index] = not is_odd and positions[index] < rightmost
        rightmost = max(rightmost, positions[index]) if is_odd else rightmost
    leftmost = len(odd)
    for index in range(len(odd) - 1, -1, -1):
        is_moved_flags[index] |= not odd[index] and positions[index] > leftmost
        leftmost = min(leftmost, positions[index]) if odd[index] else leftmost
    return is_moved_flags


def split_levels(texts: Sequence[str], levels: Sequence[int]) -> list[BidiPiece]:
    """Return the parts of a line's texts that have one level each; `levels` has one for each character."""
    pieces, start = list[BidiPiece](), 0
    for owner, text in enumerate(texts):
        pairs = zip(text, levels[start : start + len(text)], strict=True)
        for level, run in groupby(pairs, key=lambda pair: pair[1]):
            part = "".join(character for character, _ in run)
            pieces.append(BidiPiece(owner, RightToLeftText(part) if level % 2 else part, level))
        start += len(text)
    return pieces


def visual_order(levels: Sequence[int]) -> list[int]:
    """Return the indices of pieces from left to right: from the highest level down, each run of pieces is reversed."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        for is_deep, run in groupby(order[:], key=lambda index: levels[index] >= level):
            count = len(list(run))
            if is_deep:
                order[start : start + count] = order[start : start + count][::-1]
            start += count
    return order


def arrange(texts: Sequence[str]) -> list[BidiPiece]:
    """Return the pieces of one line in reading order, with their levels; a line without such scripts stays as it is."""
    line = "".join(texts)
    if not has_right_to_left(line):
        return [BidiPiece(owner, text, 0) for owner, text in enumerate(texts)]
    return split_levels(texts, embedding_levels(line, runs_right_to_left(line)))


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    """Return the script of a letter by its name, one for Chinese and Japanese; "" for signs of all scripts."""
    if unicodedata.category(letter)[0] not in "LM" or letter in JOINERS:
        return "CJK" if unicodedata.east_asian_width(letter) in "WF" else ""
    script = unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]
    return "CJK" if script in _EAST_ASIAN_SCRIPTS else script


_EAST_ASIAN_SCRIPTS = {"HIRAGANA", "KATAKANA", "HALFWIDTH", "FULLWIDTH", "IDEOGRAPHIC", "KANGXI"}
