"""Hyphenation: where words may be divided, which are divided at line ends, and how screen readers get them as one word.

Pyphen has patterns for some forty languages.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from reportlab.pdfbase.pdfmetrics import stringWidth

from vaultkit import files
from vaultkit.theme.bidi import begin_actual_text

SOFT_HYPHEN = "\u00ad"
"""A soft hyphen, where ReportLab may divide a word."""
MAX_HYPHENATED_CHARS = 2_000
"""The maximum length of a paragraph that is hyphenated: for each divided word, all its lines are broken anew."""
_MIN_WHITE_SHARE = 0.12
"""The share of a line that must be white before the next word is divided."""
_NEXT_WORD = re.compile(r"[^\S\n]+([^\w\s]*)([^\W\d_]+)(?=[^\w\s]*\s)")
"""The next word, if it consists of letters and is not the last one: `"Hello` in `"Hello, you`."""
_LETTERS_BEFORE, _LETTERS_BEHIND = re.compile(r"[^\W\d_]*"), re.compile(r"[^\W\d_]+[^\w\s]*")
"""The letters before a line end, read backwards; and the letters behind it with the punctuation after them."""
_MAX_PART_CHARS = 60
"""The most letters of one part of a divided word."""
_BLANK_TEXT = " "
"""The replacement text of the second part of a divided word: a space, because Chrome ignores an empty one."""
_STRING_OPERATOR = re.compile(r"\(((?:[^\\()]|\\.)*)\) Tj", re.DOTALL)
"""A PDF operator that draws a string: `(Hello) Tj`."""
_STRING_CHARACTER = re.compile(r"\\[0-7]{3}|\\.|[^\\]", re.DOTALL)
"""One character of a PDF string, plain or escaped: `a`, `\\(` or `\\344`."""


HYPHEN = "-"
_MIN_WORD_LENGTH = 6
"""The minimum length of a word that may be divided."""
_MIN_PREFIX_LENGTH, _MIN_SUFFIX_LENGTH = 3, 3
"""The minimum number of letters before and after a division."""
_MAX_WORD_LENGTH = 60
_WORD = re.compile(r"[^\W\d_]+")
_NOUN_CAPITALIZING_LANGUAGES = ("de", "lb")
"""Languages that capitalize all nouns; in others, a capitalized word may be a name, and names are never divided."""
_DIGITS = b"0123456789"
_LEVEL_AND_LETTER = re.compile(r"(\d?)(\D?)")
_FORBIDDEN_LEVEL = 10
"""An even level above all others, which forbids a division where it would change the spelling."""
_CODE_PAGES = {"microsoft-cp1251": "cp1251"}


@dataclass(frozen=True)
class Hyphenator:
    """A hyphenator of one paragraph, in a `language`, given as ReportLab's `pieces`, each in one font.

    Names, words in the font `undivided_font`, such as code, words in links, and words in another colour than
    `text_color` are never divided.
    """

    language: str
    undivided_font: str
    pieces: Sequence[Any]
    text_color: Any

    def remove_hyphens(self) -> None:
        """Remove all soft hyphens from the pieces."""
        for piece in self.pieces:
            piece.text = piece.text.replace(SOFT_HYPHEN, "")

    def divide(self, unbroken: str, end: int, room: float) -> bool:
        """Divide the first word of a line so that its first part fits into `room` points at the end of the line above.

        `unbroken` is the paragraph's text before lines are broken, and `end` the index in it where the line above ends.
        Return whether the word could be divided.
        """
        match = _NEXT_WORD.match(unbroken, end)
        piece_and_offset = match and self._find_piece(*match.span(2))
        if not (match and piece_and_offset):
            return False
        piece, start = piece_and_offset
        word, room = match[2], room - text_width(f" {match[1]}", piece)
        places = [at for at in hyphenation_points(word, self.language) if text_width(word[:at] + HYPHEN, piece) < room]
        if places:
            cut = start + places[-1] + piece.text.count(SOFT_HYPHEN)  # all earlier hyphens are before this one
            piece.text = piece.text[:cut] + SOFT_HYPHEN + piece.text[cut:]
        return bool(places)

    def _find_piece(self, start: int, end: int) -> tuple[Any, int] | None:
        """Return the piece that contains a word and the word's offset in it, or None if it must not be divided.

        `start` and `end` are the word's indexes in the unbroken text. A word in two pieces must not be divided.
        """
        at = 0
        for piece in self.pieces:
            length = 1 if getattr(piece, "lineBreak", False) else len(piece.text) - piece.text.count(SOFT_HYPHEN)
            if start < at + length:
                return (piece, start - at) if end <= at + length and self._may_be_divided(piece) else None
            at += length
        return None

    def _may_be_divided(self, piece: Any) -> bool:
        has_plain_face = piece.textColor == self.text_color and piece.fontName != self.undivided_font
        return bool(has_plain_face and not getattr(piece, "link", None))


def text_width(text: str, piece: Any) -> float:
    """Return the width in points of a text in the font of one of ReportLab's pieces."""
    return float(stringWidth(text, piece.fontName, piece.fontSize)) if text else 0.0


def measure_white_space(line: Any, line_width: float) -> float:
    """Return the width in points of the white space at the end of a line, or 0 if it is small.

    The line is `line_width` points wide.
    """
    white = float(line.extraSpace if hasattr(line, "words") else line[0])
    return white if white > _MIN_WHITE_SHARE * line_width else 0.0


def find_divided_words(unbroken: str, texts: Sequence[str], ends: Sequence[int]) -> list[tuple[str, str]]:
    """Return for each line the two parts of the word divided at its end, or "" twice if no word is.

    `texts` are the lines, and `ends` the indexes in the unbroken text where they end.
    """
    lines = zip(texts, ends, strict=True)
    return [_split_word(unbroken, end) if line.endswith(HYPHEN) else ("", "") for line, end in lines]


def _split_word(unbroken: str, end: int) -> tuple[str, str]:
    """Return both parts of the word around index `end`, the second one with the punctuation after it; else "" twice."""
    before = _LETTERS_BEFORE.match(unbroken[max(0, end - _MAX_PART_CHARS) : end][::-1])
    behind = _LETTERS_BEHIND.match(unbroken, end)
    return (before[0][::-1], behind[0]) if before and before[0] and behind else ("", "")


def mark_divided_words(code: list[str], rows: Sequence[range], parts: Sequence[tuple[str, str]], carried: str) -> None:
    """Mark divided words for screen readers: the first part is read as the whole word, and the second as a space.

    `code` holds PDF operators, and is changed; each of `rows` has the indexes in it of one line of text. `parts` are
    the parts of the word divided at the end of each line. `carried` is the second part of a word divided above the
    first line.
    """
    first_lengths = [_first_string_length(code, row) for row in rows]
    for number, (row, (before, behind)) in enumerate(zip(rows, parts, strict=False)):
        if carried:
            _set_replacement(code, row, len(carried[: first_lengths[number]]), _BLANK_TEXT, at_end=False)
        if before:
            continuation = behind[: first_lengths[number + 1]] if number + 1 < len(first_lengths) else behind
            _set_replacement(code, row, len(before) + len(HYPHEN), before + continuation, at_end=True)
        carried = behind


def _first_string_length(code: list[str], row: range) -> int:
    """Return the number of characters in the first string of a row of operators, 0 if it has no string."""
    strings = (string for spot in row for string in _STRING_OPERATOR.finditer(code[spot]))
    return next((len(_STRING_CHARACTER.findall(string[1])) for string in strings), 0)


def _set_replacement(code: list[str], row: range, count: int, replacement: str, *, at_end: bool) -> None:
    """Set the text that screen readers read for the first `count` letters of a row, or for the last at its end."""
    spots = (spot for spot in (reversed(row) if at_end else row) if _STRING_OPERATOR.search(code[spot]))
    spot = next(spots, None)
    if spot is None:
        return
    strings = list(_STRING_OPERATOR.finditer(code[spot]))
    string = strings[-1 if at_end else 0]
    letters = _STRING_CHARACTER.findall(string[1])
    count = len(letters) - count if at_end else count
    first, last = "".join(letters[: max(0, count)]), "".join(letters[max(0, count) :])
    tail = code[spot][string.end() :]
    mark = begin_actual_text(replacement)
    if at_end:
        operators = f"{f'({first}) Tj ' if first else ''}{mark} ({last}) Tj{tail} EMC"
    elif last:
        operators = f"{mark} ({first}) Tj EMC ({last}) Tj{tail}"
    else:
        operators = f"{mark} ({first}) Tj{tail} EMC"
    code[spot] = code[spot][: string.start()] + operators


def line_texts(lines: Sequence[Any]) -> Iterator[str]:
    """Yield the visible text of each of ReportLab's lines."""
    for line in lines:
        yield "".join(piece.text for piece in line.words) if hasattr(line, "words") else " ".join(line[1])


@lru_cache(maxsize=2_000)
def hyphenation_points(word: str, language: str) -> tuple[int, ...]:
    """Return the positions at which a word may be divided, each as the number of letters before it.

    Short words, names, and words in an unknown language are never divided.
    """
    is_divisible = _MIN_WORD_LENGTH <= len(word) <= _MAX_WORD_LENGTH and _WORD.fullmatch(word)
    patterns = _load_patterns(language) if is_divisible else None
    is_noun = language.lower().partition("-")[0] in _NOUN_CAPITALIZING_LANGUAGES and word[1:].islower()
    if patterns is None or not (word.islower() or is_noun):
        return ()
    last_point = len(word) - _MIN_SUFFIX_LENGTH
    return tuple(point for point in patterns.places(word) if _MIN_PREFIX_LENGTH <= point <= last_point)


class _Patterns:
    """A Pyphen dictionary that is parsed word by word, since parsing all of German takes a second."""

    def __init__(self, file: Path) -> None:
        head, _, body = files.read(file, allow_links=True).partition(b"\n")
        name = head.decode("ascii").strip().lower()
        body, code_page = body.replace(b"\r", b""), _CODE_PAGES.get(name, name)
        lines, keys = (text.decode(code_page).split("\n") for text in (body, body.translate(None, _DIGITS)))
        self._lines = dict(zip(keys, lines, strict=True))
        changes = [(key, line) for key, line in zip(keys, lines, strict=True) if "/" in key] if b"/" in body else []
        self._lines |= {key.partition("/")[0]: line for key, line in changes}

    def places(self, word: str) -> list[int]:
        """Return the positions at which the patterns allow a division, the ones with an odd level.

        A position is the number of letters before it.
        """
        dotted_word = f".{word.lower()}."
        levels = [0] * (len(dotted_word) + 1)
        for start in range(len(dotted_word)):
            for end in range(start + 1, len(dotted_word) + 1):
                line = self._lines.get(dotted_word[start:end])
                if line is not None:
                    self._raise_levels(levels, start, line)
        return [index - 1 for index, level in enumerate(levels) if level % 2]

    @staticmethod
    def _raise_levels(levels: list[int], start: int, line: str) -> None:
        pattern, changes, _ = line.partition("/")
        for index, (digit, _letter) in enumerate(_LEVEL_AND_LETTER.findall(pattern), start):
            level = int(digit or 0)
            if index < len(levels):
                levels[index] = max(levels[index], _FORBIDDEN_LEVEL if changes and level % 2 else level)


@lru_cache(maxsize=4)
def _load_patterns(language: str) -> _Patterns | None:
    """Return the patterns of a language such as `de` or `pt-BR`; None if there are none."""
    if not language:
        return None
    import pyphen

    name = pyphen.language_fallback(language)
    return None if name is None else _Patterns(Path(pyphen.LANGUAGES[name]))
