"""Form fields to fill in on a screen, and the appearance of their initial values.

`form_writer` writes them into the file.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.line_breaks import has_unspaced_words, split_letters, split_words

FIELD_FACE = look.TEXT
"""The font role for typing words into fields."""

MAX_FIELD_COUNT = 6_000
"""The maximum number of fields of a file that can be read; a few objects of a hostile file can stand for any number."""
MAX_VALUE_LENGTH = 20_000
"""The maximum number of characters in a field."""
PADDING_PT = 2.0
"""The space in points that PDF viewers leave free at the left and right of the typed text."""

_LEADING_RATIO = 1.2

Kind = Literal["text", "check", "radio", "choice"]


@dataclass(frozen=True)
class Field:
    """A box to type in (`text`), to tick (`check`, `radio`), or to choose one of `options` in (`choice`).

    The parts of `name` are separated by full stops, as in `p1.swords.total`. `box` is x, y, width and height in points
    from the canvas's current origin; its border is drawn by the sheet. `tip` is the text for screen readers. A box to
    tick is ticked if it has any `value`. All `radio` boxes of one name form a group of which one can be ticked: each
    has one of `options`, the value it stands for; `group` is the screen reader's text for the whole group. `size` is
    the font size in points; a value too long for its box is set smaller, down to the theme's minimum. `lines` allows
    several lines, in which a long word is broken. A `fixed` field cannot be changed. `face` is the font to type in.
    """

    name: str
    kind: Kind
    box: tuple[float, float, float, float]
    tip: str
    value: str = ""
    options: tuple[str, ...] = ()
    size: float = 14.0
    align: Literal["left", "center"] = "center"
    lines: bool = False
    fixed: bool = False
    face: str = FIELD_FACE
    group: str = ""


def value_operators(field: Field, colour: str, glyphs: Glyphs, canvas: Any) -> str:
    """Return the PDF operators that draw the value of a field, or its tick, relative to the lower left corner.

    `colour` holds the numbers of the ink's red, green and blue.
    """
    if field.kind == "check":
        return _cross_operators(field, f"{colour} RG")
    if field.kind == "radio":
        return _dot_operators(field, f"{colour} RG")
    return _text_operators(field, _fitting_size(field, glyphs), glyphs, canvas) if field.value else ""


def _cross_operators(field: Field, colour_operator: str) -> str:
    _, _, width, height = field.box
    inset = 0.2 * min(width, height)
    right, top = width - inset, height - inset
    return (
        f"q {colour_operator} {min(width, height) / 7:.2f} w 1 J {inset:.2f} {inset:.2f} m {right:.2f} {top:.2f} l S "
        f"{inset:.2f} {top:.2f} m {right:.2f} {inset:.2f} l S Q"
    )


def _dot_operators(field: Field, colour_operator: str) -> str:
    """Return the PDF operators for a dot in the middle of the box: a line of zero length with round ends."""
    _, _, width, height = field.box
    middle = f"{width / 2:.2f} {height / 2:.2f}"
    return f"q {colour_operator} {0.56 * min(width, height):.2f} w 1 J {middle} m {middle} l S Q"


def _fitting_size(field: Field, glyphs: Glyphs) -> float:
    size, max_width = field.size, field.box[2] - 2 * PADDING_PT
    measure, smallest = glyphs.measure_width, glyphs.theme.min_text_size
    while size > smallest and not field.lines and measure(field.value, field.face, size) > max_width:
        size -= 0.5
    return size


def _text_operators(field: Field, size: float, glyphs: Glyphs, canvas: Any) -> str:
    _, _, width, height = field.box
    max_width, face, leading = width - 2 * PADDING_PT, field.face, size * _LEADING_RATIO
    if field.lines:
        max_lines = 1 + max(0, int((height - 2 * PADDING_PT - size) // leading))
        lines = _wrap(field.value, face, size, max_width, glyphs)
        if len(lines) > max_lines:
            lines = [*lines[: max_lines - 1], lines[max_lines - 1].rstrip("-")[:-1] + "…"]
    else:
        lines = [glyphs.shorten(" ".join(field.value.split()), face, size, max_width)]
    y = (height + (len(lines) - 1) * leading - _capital_height(face, glyphs) * size) / 2
    align_share = {"left": 0.0, "center": 0.5}[field.align]
    text = canvas.beginText(0, 0)
    text.setFillColor(glyphs.theme.colour(look.INK))
    for number, line in enumerate(lines):
        x = PADDING_PT + align_share * (max_width - glyphs.measure_width(line, face, size))
        text.setTextOrigin(x, y - number * leading)
        glyphs.append_text(text, line, face, size)
    return str(text.getCode())


def _capital_height(face: str, glyphs: Glyphs) -> float:
    from reportlab.pdfbase.pdfmetrics import getFont

    return float(getFont(glyphs.theme.face(face)).face.capHeight) / 1000


def count_lines(value: str, face: str, size: float, width: float, glyphs: Glyphs) -> int:
    """Return the number of lines that `value` takes in a field of `width` points."""
    return len(_wrap(value, face, size, width - 2 * PADDING_PT, glyphs))


def _wrap(text: str, face: str, size: float, max_width: float, glyphs: Glyphs) -> list[str]:
    """Return the lines of a text wrapped to lines of at most `max_width` points; only longer words are divided."""

    def fits(part: str) -> bool:
        return glyphs.measure_width(part, face, size) <= max_width

    return [part for line in text.splitlines() for part in _wrap_line(line, fits)]


def _wrap_line(line: str, fits: Callable[[str], bool]) -> list[str]:
    wrapped_lines = [""]
    for word in split_words(line):
        if fits((wrapped_lines[-1] + word).rstrip()):
            wrapped_lines[-1] += word
        elif has_unspaced_words(word):
            wrapped_lines += split_letters(word, fits)
        else:
            wrapped_lines += _split_word(word.rstrip(), fits)
            wrapped_lines[-1] += " " if word.endswith(" ") else ""
    wrapped_lines = [wrapped_line.rstrip() for wrapped_line in wrapped_lines]
    return wrapped_lines if wrapped_lines[0] else wrapped_lines[1:] or wrapped_lines


def _split_word(word: str, fits: Callable[[str], bool]) -> list[str]:
    """Return the pieces of a divided word, each of which fits and, except for the last, ends with a hyphen.

    A word with hyphens of its own is divided behind these. The last piece has three letters or more if possible.
    """
    if len(parts := re.split(r"(?<=\w-)(?=\w)", word)) > 1 and not fits(word):
        lines = [""]
        for part in parts:
            if fits(lines[-1] + part):
                lines[-1] += part
            else:
                lines += _split_word(part, fits)
        return [*filter(None, lines)]
    pieces = []
    while word and not fits(word):
        letter_count = next((n for n in range(len(word) - 1, 1, -1) if fits(word[:n] + "-")), 1)
        pieces.append(word[:letter_count])
        word = word[letter_count:]
    moved_letters = min(max(3 - len(word), 0), len(pieces[-1]) - 2) if pieces and word else 0
    if moved_letters > 0:
        word, pieces[-1] = pieces[-1][-moved_letters:] + word, pieces[-1][:-moved_letters]
    return [*(f"{piece}-" for piece in pieces), word]
