"""Fields to fill in on a screen, and the look of the values that they have from the start.

`finish.add_fields` puts them into the file.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

from vaultkit.look import theme as look
from vaultkit.look.glyphs import Glyphs
from vaultkit.sheets.pdf.tags import Tag

FACE = look.BOX
"""The face in which people type: its digits stand on the line, and it has the letters of all of Europe's Latin."""

PADDING = 2.0
"""Points that viewers leave free at the left and right of what is typed."""

_LEADING = 1.2

Kind = Literal["text", "check", "radio", "choice"]
Align = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Field:
    """A box to type in (`text`), to tick (`check`, `radio`), or to choose one of `options` in (`choice`).

    `name` has parts with full stops between, such as `p1.swords.total`. `box` is x, y, width and height in points
    from where the canvas stands; its border is the sheet's to draw. `tip` is what a screen reader says.
    One to tick is ticked if it has any `value`. All `radio` boxes of one name are a group, of which one
    can be ticked: each has one of `options`, which it stands for; `group` is what a screen reader calls all of them.
    `size` is the letters' in points; a value that is too long for its box gets
    smaller ones, down to the theme's floor. `lines` makes room for several lines, in which a long word is broken;
    a `fixed` one cannot be changed. `face` is the one to type in.
    """

    name: str
    kind: Kind
    box: tuple[float, float, float, float]
    tip: str
    value: str = ""
    options: tuple[str, ...] = ()
    size: float = 14.0
    align: Align = "center"
    lines: bool = False
    fixed: bool = False
    face: str = FACE
    group: str = ""


@dataclass(frozen=True)
class PlacedField:
    """A field on its page, counted from 0, and with a box in points of that.

    `look` are the drawing operators of its value (of its tick, for a box to tick), from the box's lower left corner;
    `size` is the size of the letters in them, `ink` the operator that sets their colour, `face` the name under which
    ReportLab knows the face to type in. `place` is its widget's among the page's annotations.
    """

    field: Field
    page: int
    look: str
    size: float
    ink: str
    face: str
    place: int


def place_field(field: Field, glyphs: Glyphs, canvas: Any, tag: Tag) -> PlacedField:
    """`field` on this page as content of `tag`, with the look of its value in the faces that the sheet has for it."""
    red, green, blue = glyphs.theme.colour(look.INK).rgb()
    colour = f"{red:.4g} {green:.4g} {blue:.4g}"
    size = _fitting_size(field, glyphs)
    if field.kind == "check":
        drawn = _cross(field, f"{colour} RG")
    elif field.kind == "radio":
        drawn = _dot(field, f"{colour} RG")
    else:
        drawn = _words(field, size, glyphs, canvas) if field.value else ""
    face, number = glyphs.theme.face(field.face), canvas.add_widget(tag)
    field = replace(field, box=(*canvas.absolutePosition(*field.box[:2]), *field.box[2:]))
    return PlacedField(field, canvas.page_number, drawn, size, f"{colour} rg", face, number)


def _cross(field: Field, ink: str) -> str:
    _, _, width, height = field.box
    inset = 0.2 * min(width, height)
    right, top = width - inset, height - inset
    return (
        f"q {ink} {min(width, height) / 7:.2f} w 1 J {inset:.2f} {inset:.2f} m {right:.2f} {top:.2f} l S "
        f"{inset:.2f} {top:.2f} m {right:.2f} {inset:.2f} l S Q"
    )


def _dot(field: Field, ink: str) -> str:
    """A line of no length with round ends."""
    _, _, width, height = field.box
    middle = f"{width / 2:.2f} {height / 2:.2f}"
    return f"q {ink} {0.56 * min(width, height):.2f} w 1 J {middle} m {middle} l S Q"


def _fitting_size(field: Field, glyphs: Glyphs) -> float:
    size, room = field.size, field.box[2] - 2 * PADDING
    while size > glyphs.theme.floor and not field.lines and glyphs.width(field.value, field.face, size) > room:
        size -= 0.5
    return size


def _words(field: Field, size: float, glyphs: Glyphs, canvas: Any) -> str:
    _, _, width, height = field.box
    room, face = width - 2 * PADDING, field.face
    if field.lines:
        most = 1 + max(0, int((height - 2 * PADDING - size) // (size * _LEADING)))
        words = field.value.splitlines()
        lines = _cut([part for line in words for part in _broken(line, face, size, room, glyphs)], most)
        y = (height + (len(lines) - 1) * size * _LEADING - _capital(face, glyphs) * size) / 2
    else:
        lines = [glyphs.shorten(" ".join(field.value.split()), face, size, room)]
        y = (height - _capital(face, glyphs) * size) / 2
    share = {"left": 0.0, "center": 0.5, "right": 1.0}[field.align]
    text = canvas.beginText(0, 0)
    text.setFillColor(glyphs.theme.colour(look.INK))
    for number, line in enumerate(lines):
        x = PADDING + share * (room - glyphs.width(line, face, size))
        text.setTextOrigin(x, y - number * size * _LEADING)
        glyphs.put(text, line, face, size)
    return str(text.getCode())


def _capital(face: str, glyphs: Glyphs) -> float:
    from reportlab.pdfbase.pdfmetrics import getFont

    return float(getFont(glyphs.theme.face(face)).face.capHeight) / 1000


def lines_of(value: str, face: str, size: float, width: float, glyphs: Glyphs) -> int:
    """How many lines `value` takes in a field of that width."""
    return sum(len(_broken(line, face, size, width - 2 * PADDING, glyphs)) for line in value.splitlines())


def _broken(line: str, face: str, size: float, room: float, glyphs: Glyphs) -> list[str]:
    """A line broken between its words, and in a word that is too long by itself."""
    made = [""]
    for word in line.split():
        longer = f"{made[-1]} {word}".lstrip()
        if glyphs.width(longer, face, size) <= room:
            made[-1] = longer
        else:
            made += _pieces(word, face, size, room, glyphs)
    return made if made[0] else made[1:] or made


def _pieces(word: str, face: str, size: float, room: float, glyphs: Glyphs) -> list[str]:
    """A word in pieces that have room, with hyphens, and no last piece of less than three letters."""
    pieces = []
    while word and glyphs.width(word, face, size) > room:
        count = next((n for n in range(len(word) - 1, 1, -1) if glyphs.width(word[:n] + "-", face, size) <= room), 1)
        pieces.append(word[:count])
        word = word[count:]
    spare = min(max(3 - len(word), 0), len(pieces[-1]) - 2) if pieces and word else 0
    if spare > 0:
        word, pieces[-1] = pieces[-1][-spare:] + word, pieces[-1][:-spare]
    return [*(f"{piece}-" for piece in pieces), word]


def _cut(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1].rstrip("-")[:-1] + "…"]
