"""Generator of the small card pictures of the example vault's Tarokka deck.

    python scripts/draw_cards.py [OUT_DIR]

The cards are read from the deck note, so each picture gets the name that the note embeds; suit symbols and
emblems are the paths under `print/icons/`, the face is Cinzel from `print/fonts/`. The default OUT_DIR is the
folder that the note points to. The same inputs give the same bytes: nothing is random, and no clock is read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot
from pathlib import Path

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.svgLib.path import SVGPath
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

ROOT = Path(__file__).resolve().parent.parent
DECKS = ROOT / "vault-example" / "3-Mechanics" / "CLI" / "decks"
NOTE = DECKS / "tarokka-deck-cos.md"
ICONS = ROOT / "print" / "icons"
FONT = ROOT / "print" / "fonts" / "Cinzel-Bold.ttf"

WIDTH, HEIGHT = 250, 350  # pixels of the finished picture
FINE = 4  # everything is drawn this many times larger, then scaled down
QUALITY = 52  # WebP; keeps a picture under 7 KB

Point = tuple[float, float]
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]

NIGHT: Colour = (22, 17, 20)
LEATHER: Colour = (43, 31, 29)
GOLD: Colour = (201, 162, 94)
PALE_GOLD: Colour = (235, 212, 160)
PARCHMENT: Colour = (233, 219, 188)
PARCHMENT_EDGE: Colour = (176, 148, 104)
VIOLET: Colour = (62, 45, 78)
VIOLET_EDGE: Colour = (24, 17, 33)
INK: dict[str, Colour] = {
    "Swords": (43, 64, 100),
    "Stars": (125, 90, 0),
    "Coins": (30, 95, 75),
    "Glyphs": (90, 45, 112),
}

NUMBERS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
RANKS = {word: str(number) for number, word in enumerate(NUMBERS, 1)} | {"Master": "M"}

# The places of the pips of a numbered card: (column, row) in units of the pip field, 0 to 1.
_L, _M, _R = 0.0, 0.5, 1.0
PIPS: dict[str, Sequence[Point]] = {
    "1": [(_M, 0.5)],
    "2": [(_M, 0.0), (_M, 1.0)],
    "3": [(_M, 0.0), (_M, 0.5), (_M, 1.0)],
    "4": [(_L, 0.0), (_R, 0.0), (_L, 1.0), (_R, 1.0)],
    "5": [(_L, 0.0), (_R, 0.0), (_M, 0.5), (_L, 1.0), (_R, 1.0)],
    "6": [(_L, 0.0), (_R, 0.0), (_L, 0.5), (_R, 0.5), (_L, 1.0), (_R, 1.0)],
    "7": [(_L, 0.0), (_R, 0.0), (_M, 0.25), (_L, 0.5), (_R, 0.5), (_L, 1.0), (_R, 1.0)],
    "8": [(_L, 0.0), (_R, 0.0), (_M, 0.25), (_L, 0.5), (_R, 0.5), (_M, 0.75), (_L, 1.0), (_R, 1.0)],
    "9": [(x, y) for y in (0.0, 1 / 3, 2 / 3, 1.0) for x in (_L, _R)] + [(_M, 0.5)],
}
PIP_FIELD: Box = (81, 74, 169, 241)  # the centres of the outermost pips


@dataclass(frozen=True)
class Picture:
    """A card to be drawn: its name, the stem of its file's name, its suit and rank; "" for none."""

    name: str
    stem: str
    suit: str = ""
    rank: str = ""


# --- reading ---------------------------------------------------------------------------------------------------


def read_pictures(note: Path) -> list[Picture]:
    """Return the pictures that a deck note embeds, in the order of the note. Exits if a card embeds none."""
    cards = note.read_text(encoding="utf-8").partition("\n## Cards\n")[2]
    return [_picture(block) for block in cards.split("\n### ")[1:]]


def _picture(block: str) -> Picture:
    name = block.partition("\n")[0].strip()
    embed = re.search(r"/([^/]+)\.webp#card\)", block)
    if embed is None:
        raise SystemExit(f"{NOTE.name}: the card {name!r} embeds no picture")
    line = re.search(r"^\*(\w+) of (\w+)\*", block, re.MULTILINE)
    return Picture(name, embed[1], line[2], RANKS[line[1]]) if line else Picture(name, embed[1])


@cache
def polygons_of(icon: str) -> tuple[tuple[Point, ...], ...]:
    """Return the closed polygons of an icon, with curves flattened, in units of 1/100 of the icon's side."""
    pen = DecomposingRecordingPen({})
    SVGPath(str(ICONS / f"{icon}.svg")).draw(pen)
    polygons: list[list[Point]] = []
    for verb, points in pen.value:
        if verb == "moveTo":
            polygons.append([points[0]])
        elif verb != "closePath":
            polygons[-1].extend(_flatten(polygons[-1][-1], points))
    return tuple(tuple(polygon) for polygon in polygons)


def _flatten(start: Point, controls: Sequence[Point]) -> Iterator[Point]:
    """Yield points along the Bezier curve (of any degree) from `start` with the control points `controls`."""
    hull = [start, *controls]
    steps = 1 if len(hull) == 2 else 10
    for step in range(1, steps + 1):
        yield _bezier(hull, step / steps)


def _bezier(hull: Sequence[Point], t: float) -> Point:
    while len(hull) > 1:
        hull = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(hull)]
    return hull[0]


# --- drawing tools; positions are in pixels of the finished picture ----------------------------------------------


@cache
def stencil(icon: str, size: float) -> Image.Image:
    """Return an icon as a mask, `size` pixels wide and high; holes follow the even-odd rule."""
    side = round(size * FINE)
    mask = Image.new("1", (side, side))
    for polygon in polygons_of(icon):
        layer = Image.new("1", (side, side))
        ImageDraw.Draw(layer).polygon([(x * side / 100, y * side / 100) for x, y in polygon], fill=1)
        mask = ImageChops.logical_xor(mask, layer)
    return mask.convert("L")


def place(icon: str, centre: Point, size: float) -> Image.Image:
    """Return a mask as large as the card, with the icon's middle at `centre`."""
    mask, shape = Image.new("L", (WIDTH * FINE, HEIGHT * FINE)), stencil(icon, size)
    mask.paste(shape, (round(centre[0] * FINE) - shape.width // 2, round(centre[1] * FINE) - shape.height // 2))
    return mask


def stamp(card: Image.Image, icon: str, centre: Point, size: float, colour: Colour) -> None:
    """Draw an icon in one colour onto the card, with its middle at `centre`."""
    card.paste(colour, (0, 0), place(icon, centre, size))


def glow(card: Image.Image, icon: str, centre: Point, size: float, *, colour: Colour, radius: float) -> None:
    """Draw a blurred, fainter copy of an icon onto the card, as a glow behind the icon itself."""
    light = place(icon, centre, size).filter(ImageFilter.GaussianBlur(radius * FINE))
    card.paste(colour, (0, 0), light.point([round(level * 0.6) for level in range(256)]))


def panel(
    card: Image.Image,
    box: Box,
    *,
    radius: float,
    fill: Colour | int | None = None,
    outline: Colour | None = None,
    width: float = 0,
) -> None:
    """Draw a rectangle with round corners; lengths are in pixels of the finished picture."""
    fine = [v * FINE for v in box]
    ImageDraw.Draw(card).rounded_rectangle(fine, radius * FINE, fill, outline, round(width * FINE))


def ring(card: Image.Image, centre: Point, radius: float, width: float, colour: Colour) -> None:
    """Draw the outline of a circle."""
    x, y = centre
    box = [v * FINE for v in (x - radius, y - radius, x + radius, y + radius)]
    ImageDraw.Draw(card).ellipse(box, outline=colour, width=round(width * FINE))


def lettering(card: Image.Image, text: str, centre: Point, *, size: float, room: float, colour: Colour) -> None:
    """Draw a line of text with its middle at `centre`, smaller if it would be wider than `room` pixels."""
    font = _font(size)
    while font.getlength(text) > room * FINE and size > 6:
        size -= 0.5
        font = _font(size)
    ImageDraw.Draw(card).text((centre[0] * FINE, centre[1] * FINE), text, colour, font, anchor="mm")


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONT), size * FINE, layout_engine=ImageFont.Layout.BASIC)


@cache
def vignette(size: tuple[int, int], middle: Colour, edge: Colour) -> Image.Image:
    """Return a background that blends from `middle` in the centre to `edge` at the corners."""
    width, height = size
    small = Image.new("RGB", (width // 16, height // 16))
    for y in range(small.height):
        for x in range(small.width):
            away = hypot(2 * x / (small.width - 1) - 1, 2 * y / (small.height - 1) - 1) / 1.42
            small.putpixel((x, y), _blend(middle, edge, away**2.2))
    return small.resize(size, Image.Resampling.BICUBIC)


def _blend(a: Colour, b: Colour, share: float) -> Colour:
    red, green, blue = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


# --- the cards -------------------------------------------------------------------------------------------------


def frame(middle: Colour, edge: Colour) -> Image.Image:
    """Return an empty card face: leather, gold lines, and a panel for the picture."""
    card = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), NIGHT)
    panel(card, (3, 3, 246, 346), radius=11, fill=LEATHER, outline=GOLD, width=1.3)
    inner = (11, 11, 238, 302)
    ground = vignette(card.size, middle, edge)
    mask = Image.new("L", card.size)
    panel(mask, inner, radius=7, fill=255)
    card.paste(ground, (0, 0), mask)
    panel(card, inner, radius=7, outline=GOLD, width=1.6)
    return card


def title(card: Image.Image, name: str) -> None:
    """Draw the card's name in the band under the picture, between two small stars."""
    lettering(card, name.upper(), (125, 324), size=17.5, room=172, colour=PALE_GOLD)
    for x in (24, 226):
        stamp(card, "stars", (x, 324), 11, GOLD)


def corners(card: Image.Image, rank: str, icon: str, colour: Colour) -> None:
    """Draw rank and suit symbol, upright at the top left and upside down at the bottom right."""
    column = Image.new("L", (34 * FINE, 60 * FINE))
    ImageDraw.Draw(column).text((17 * FINE, 15 * FINE), rank, 255, _font(25), anchor="mm")
    pip = stencil(icon, 21 if rank else 25)
    column.paste(pip, (17 * FINE - pip.width // 2, (43 if rank else 17) * FINE - pip.height // 2))
    card.paste(colour, (15 * FINE, 19 * FINE), column)
    card.paste(colour, (201 * FINE, 234 * FINE), column.rotate(180))


def numbered(picture: Picture) -> Image.Image:
    """Draw a card of one of the four suits, One to Nine, with one pip for each point of its rank."""
    card, colour = frame(PARCHMENT, PARCHMENT_EDGE), INK[picture.suit]
    icon, size = picture.suit.lower(), _pip_size(picture.rank)
    left, top, right, bottom = PIP_FIELD
    if picture.rank == "1":
        _halo(card, (125, 157), colour)
    for x, y in PIPS[picture.rank]:
        stamp(card, icon, (left + (right - left) * x, top + (bottom - top) * y), size, colour)
    corners(card, picture.rank, icon, colour)
    return card


def _pip_size(rank: str) -> float:
    return {"1": 104, "2": 72, "3": 66, "7": 46, "8": 46, "9": 41}.get(rank, 51)


def _halo(card: Image.Image, centre: Point, colour: Colour) -> None:
    """Draw two circles and four stars around the middle of a card with a single pip."""
    ring(card, centre, 76, 1.6, colour)
    ring(card, centre, 71, 0.8, colour)
    for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        stamp(card, "stars", (centre[0] + 76 * x, centre[1] + 76 * y), 17, colour)


def master(picture: Picture) -> Image.Image:
    """Draw the Master of a suit: the suit's symbol in a gold medallion under a crown."""
    card, colour = frame(PARCHMENT, PARCHMENT_EDGE), INK[picture.suit]
    middle = (125.0, 172.0)
    _disc(card, middle, 75, colour)
    ring(card, middle, 71, 1.8, GOLD)
    ring(card, middle, 66, 0.8, GOLD)
    stamp(card, picture.suit.lower(), middle, 92, PALE_GOLD)
    stamp(card, "crowns", (125, 65), 62, colour)
    corners(card, "M", picture.suit.lower(), colour)
    return card


def _disc(card: Image.Image, centre: Point, radius: float, colour: Colour) -> None:
    x, y = centre
    ImageDraw.Draw(card).ellipse([v * FINE for v in (x - radius, y - radius, x + radius, y + radius)], fill=colour)


def crown(picture: Picture) -> Image.Image:
    """Draw a card of the high deck: its emblem in gold on a dark ground, with crowns in the corners."""
    card = frame(VIOLET, VIOLET_EDGE)
    emblem, middle = "emblem-" + picture.stem.removeprefix("tarokka-"), (125.0, 158.0)
    for radius, width in ((97, 1.6), (92, 0.8)):
        ring(card, middle, radius, width, (122, 98, 74))
    glow(card, emblem, middle, 142, colour=(150, 104, 160), radius=7)
    stamp(card, emblem, middle, 142, PALE_GOLD)
    corners(card, "", "crowns", GOLD)
    return card


def back() -> Image.Image:
    """Draw the back of all cards: stars around a crowned medallion, alike when turned upside down."""
    card = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), NIGHT)
    panel(card, (3, 3, 246, 346), radius=11, fill=LEATHER, outline=GOLD, width=1.3)
    panel(card, (11, 11, 238, 338), radius=7, fill=VIOLET_EDGE, outline=GOLD, width=1.6)
    panel(card, (16, 16, 233, 333), radius=5, outline=(122, 98, 74), width=0.8)
    _lattice(card)
    _disc(card, (125, 175), 72, VIOLET)
    for radius, width in ((72, 2.2), (66, 0.8)):
        ring(card, (125, 175), radius, width, GOLD)
    for x in (85, 125, 165):
        stamp(card, "stars", (x, 175), 24 if x == 125 else 14, PALE_GOLD)
    crowned = place("crowns", (125, 142), 46)
    card.paste(PALE_GOLD, (0, 0), ImageChops.lighter(crowned, crowned.rotate(180)))
    return card


def _lattice(card: Image.Image) -> None:
    """Draw staggered rows of stars on a card back, with room for the medallion in the middle."""
    for row in range(11):
        for column in range(7 - row % 2):
            x, y = 31 * (column - 3 + row % 2 / 2), 29.5 * (row - 5)
            if hypot(x, y) > 86:
                stamp(card, "stars", (125 + x, 175 + y), 20 if row % 2 else 14, (112, 86, 84))


def face(picture: Picture) -> Image.Image:
    """Draw the face of a card, `FINE` times as large as the finished picture."""
    draw = crown if not picture.suit else master if picture.rank == "M" else numbered
    card = draw(picture)
    title(card, picture.name)
    return card


def save(card: Image.Image, path: Path) -> int:
    """Scale a drawing down, write it as WebP, and return the size of the file in bytes."""
    card.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(path, "WEBP", quality=QUALITY, method=6)
    return path.stat().st_size


def main(arguments: Sequence[str]) -> None:
    """Draw all pictures into the folder of the first argument, or into the example vault."""
    folder = Path(arguments[0]) if arguments else DECKS / "img"
    folder.mkdir(parents=True, exist_ok=True)
    pictures = read_pictures(NOTE)
    sizes = [save(face(picture), folder / f"{picture.stem}.webp") for picture in pictures]
    sizes.append(save(back(), folder / "tarokka-back.webp"))
    print(f"{len(sizes)} pictures in {folder}, {sum(sizes) / 1000:.0f} kB, the largest {max(sizes) / 1000:.1f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
