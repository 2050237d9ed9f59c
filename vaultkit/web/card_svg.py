"""Faces and backs of cards, drawn with the signs, letters and colours of the printed ones."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from itertools import repeat

from vaultkit.cards import Card, Deck
from vaultkit.text import parse_whole_number
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.back_design import BackDesign, Medallion
from vaultkit.theme.letter_outlines import letter_outlines
from vaultkit.theme.model import Theme

CARD_WIDTH_PX, CARD_HEIGHT_PX = 500, 700
"""The size of a face: in pixels of a picture, and in units of a drawing."""
_SMALL_WIDTH_PX = 80
"""The width below which a face shows the label and the suits of its card alone, as large as they fit."""
_SMALL_ROOM_PX = (410, 600)
"""The width and height of label and suits on a small face."""
ART_BOX_PX = (40, 40, 420, 500)
"""The place of a picture on a drawn face: left, top, width, height."""
_TITLED_CENTER_Y_PX = 300
"""The distance of the middle of signs above a name from the top of the card."""
_SHORT_LABEL_CHARS, _MAX_LABEL_CHARS = 2, 4
_SHORT_LABEL_WIDTH_PX, _LABEL_WIDTH_PX = 84, 150
_CORNER_SIGN_SIZES_PX = (68, 56, 42, 30)
"""The sizes of a sign in the corner of a card with one suit, two, three, and more suits."""
_SIGN_REFERENCE = re.compile(r"href='#([a-z0-9-]+)'")
_ABSOLUTE_PATH = re.compile(r"(?<= d=')[A-Z0-9z .,-]+(?=')")
_FRACTION = re.compile(r"-?[0-9]*[.][0-9]+")
_UNPRINTED_TRAITS = frozenset({"deck", "value", "kind", "animal", "ribbon"})
"""Traits that are not written on a face, since the card shows them anyway or only the rules need them."""
_PIP_ROWS = {
    1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (2, 3, 2), 8: (3, 2, 3),
    9: (3, 3, 3), 10: (3, 4, 3),
}  # fmt: skip
"""The numbers of pips in each row, by the number of the card."""


def corner_labels(deck: Deck) -> dict[str, str]:
    """Return the label in the corner of each card, by id: the fewest letters that distinguish the deck's ranks."""
    return {card.id: _corner_label(card, {str(other.rank) for other in deck}) for card in deck}


def draw_face(card: Card, theme: Theme, art: str = "", label: str | None = None) -> str:
    """Return an SVG of a card with the signs and letters of printed cards, around `art`, a JPEG in Base64, if given.

    `label` is written for the rank in the corner; by default it is the rank's first letter.
    """
    label = _corner_label(card, ()) if label is None else label
    shade, has_title = _card_colour(card, theme), bool(_title_of(card))
    middle = _TITLED_CENTER_Y_PX if has_title else CARD_HEIGHT_PX / 2
    center = [*_draw_art(art)] if art else [*_draw_rays(theme, middle), *_draw_center(card, theme, middle)]
    corner = "".join(_draw_corner(card, theme, label))
    mirror_image = f"<g transform='rotate(180 {CARD_WIDTH_PX / 2} {CARD_HEIGHT_PX / 2})'>{corner}</g>"
    foot = _draw_title_band(card, theme, shade) if has_title else (mirror_image,)
    parts = [*_draw_paper(theme, shade), *_draw_large(center), _draw_index_group(card, corner, label)]
    return _svg_document([*parts, *_draw_large(foot)], theme)


def draw_index(card: Card, theme: Theme, label: str) -> str:
    """Return an SVG of a card's label and suits without a card, which is readable at the size of a letter."""
    index, suits = label, card.suits or (_corner_emblem(card, theme),)
    left = 100 if index else 0
    size = 76 if len(suits) == 1 else 58
    parts = [_draw_text("Cinzel-Bold", index, (50, 86), 104, _card_colour(card, theme), room=98)] if index else []
    for at, suit in enumerate(suits):
        place, colour = (left + 10 + size * (at + 0.5), 50), _suit_colour(suit, card, theme)
        parts.append(_draw_sign(suit, place, size, colour, theme))
    return _svg_document(parts, theme, (left + 20 + size * len(suits), 100))


def draw_back(design: BackDesign, theme: Theme) -> str:
    """Return an SVG of a back with the colours and signs of the printed one."""
    pattern, medallion = design.pattern, design.medallion
    shade = theme.colour_code(pattern.colour)
    parts = [f"<rect width='{CARD_WIDTH_PX}' height='{CARD_HEIGHT_PX}' fill='{theme.colour_code(design.ground)}'/>"]
    for name, x, y in _pattern_signs(pattern.signs):
        parts.append(_draw_sign(name, (x, y), 40, shade, theme, more=" opacity='.55'"))
    parts += (
        f"<rect x='{gap}' y='{gap}' width='{CARD_WIDTH_PX - 2 * gap}' height='{CARD_HEIGHT_PX - 2 * gap}' rx='22'"
        f" fill='none' stroke='{shade}' stroke-width='{width}'/>"
        for gap, width in ((24, 7), (40, 2))
    )
    if medallion:
        parts += _draw_medallion(medallion, theme)
    return _ABSOLUTE_PATH.sub(_round_numbers, _svg_document(parts, theme))


def _round_numbers(path: re.Match[str]) -> str:
    """Return a path with whole numbers, which suffice for small signs and are half as long."""
    return _FRACTION.sub(lambda number: f" {round(float(number[0]))}", path[0])


def draw_turn_icon(theme: Theme) -> str:
    """Return an SVG of the icon of a page whose turn it is: a golden disc."""
    return _svg_document([f"<circle cx='50' cy='50' r='46' fill='{theme.colour_code(look.GOLD)}'/>"], theme, (100, 100))


def draw_framed_card(card: Card, theme: Theme, picture: str, label: str | None = None) -> str:
    """Return an SVG of a card's whole picture, a JPEG in Base64, on paper in case it has another shape than the card.

    The label is only shown where the card is small.
    """
    label = _corner_label(card, ()) if label is None else label
    size = f"width='{CARD_WIDTH_PX}' height='{CARD_HEIGHT_PX}'"
    paper = f"<rect {size} fill='{theme.colour_code(look.PAPER)}'/>"
    image = f"<image {size} href='data:image/jpeg;base64,{picture}'/>"
    index = _draw_index_group(card, "".join(_draw_corner(card, theme, label)), label)
    return _svg_document([*_draw_paper(theme, _card_colour(card, theme)), index, *_draw_large((paper, image))], theme)


def _draw_large(parts: Iterable[str]) -> Iterator[str]:
    """Yield parts that a small face leaves out."""
    yield from ("<g class='large'>", *parts, "</g>")


def _draw_index_group(card: Card, corner: str, label: str) -> str:
    """Return the corner of a card; on a small face it is enlarged to fill the card, and nothing else is shown."""
    left, top, right, bottom = _corner_box(card, label)
    wide, tall = _SMALL_ROOM_PX
    scale = min(wide / (right - left), tall / (bottom - top))
    x, y = CARD_WIDTH_PX / 2 - scale * (left + right) / 2, CARD_HEIGHT_PX / 2 - scale * (top + bottom) / 2
    rule = f".large{{display:none}}.index{{transform:translate({x:.0f}px,{y:.0f}px)scale({scale:.2f})}}"
    return f"<style>@media(max-width:{_SMALL_WIDTH_PX}px){{{rule}}}</style><g class='index'>{corner}</g>"


def _corner_box(card: Card, label: str) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edges of what `_draw_corner` draws."""
    size, top, signs = _CORNER_SIGN_SIZES_PX[min(max(len(card.suits), 1), len(_CORNER_SIGN_SIZES_PX)) - 1], 78.0, 1
    left, right = 88 - size / 2, 88 + size / 2
    if label:
        room = _label_room(label)
        letters = letter_outlines("Cinzel-Bold")
        width = min(letters.width(label, 104), room) if letters.has(label) else room
        middle, top, signs = 46 + room / 2, 56, len(card.suits)
        left, right = min(left, middle - width / 2), max(right, middle + width / 2)
    bottom = (152 if label else top) + size * (signs * 1.08 - 0.08)
    return left, top, right, max(bottom, 132)


def _label_room(label: str) -> int:
    return _SHORT_LABEL_WIDTH_PX if len(label) <= _SHORT_LABEL_CHARS else _LABEL_WIDTH_PX


def _draw_medallion(medallion: Medallion, theme: Theme) -> Iterator[str]:
    shade, ground = theme.colour_code(medallion.colour), theme.colour_code(medallion.ground)
    yield f"<circle cx='250' cy='350' r='112' fill='{ground}' stroke='{shade}' stroke-width='6'/>"
    yield f"<circle cx='250' cy='350' r='98' fill='none' stroke='{shade}' stroke-width='2'/>"
    for turn in ("", " transform='rotate(180 250 350)'"):
        yield f"<g{turn}>{_draw_sign(medallion.sign, (250, 300), 76, shade, theme)}</g>"


def _svg_document(parts: list[str], theme: Theme, size: tuple[int, int] = (CARD_WIDTH_PX, CARD_HEIGHT_PX)) -> str:
    """Return one SVG document of the parts, in which each sign is defined once."""
    wide, tall = size
    body = "".join(parts)
    names = sorted(set(_SIGN_REFERENCE.findall(body)))
    signs = "".join(f"<g id='{name}'>{_sign_paths(name, theme)}</g>" for name in names)
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {tall}' width='{wide}' height='{tall}'>"
    return f"{head}<defs>{signs}</defs>{body}</svg>"


def _draw_paper(theme: Theme, shade: str) -> Iterator[str]:
    yield f"<rect width='{CARD_WIDTH_PX}' height='{CARD_HEIGHT_PX}' fill='{theme.colour_code(look.PAPER)}'/>"
    for gap, width, corner in ((16, 9, 24), (30, 3, 16)):
        size = f"width='{CARD_WIDTH_PX - 2 * gap}' height='{CARD_HEIGHT_PX - 2 * gap}' rx='{corner}'"
        yield f"<rect x='{gap}' y='{gap}' {size} fill='none' stroke='{shade}' stroke-width='{width}'/>"
    panel = theme.colour_code(look.PANEL)
    yield f"<rect x='40' y='40' width='{CARD_WIDTH_PX - 80}' height='{CARD_HEIGHT_PX - 80}' rx='10' fill='{panel}'/>"


def _draw_art(art: str) -> Iterator[str]:
    x, y, width, height = ART_BOX_PX
    yield f"<clipPath id='a'><rect x='{x}' y='{y}' width='{width}' height='{height}' rx='10'/></clipPath>"
    place = f"x='{x}' y='{y}' width='{width}' height='{height}' preserveAspectRatio='xMidYMid slice'"
    yield f"<image {place} clip-path='url(#a)' href='data:image/jpeg;base64,{art}'/>"


def _draw_rays(theme: Theme, middle: float) -> Iterator[str]:
    """Yield fine rays on parchment, as on the printed cards."""
    dark = theme.colour_code(look.PANEL_DARK)
    ends = [(math.cos(step * math.pi / 18), math.sin(step * math.pi / 18)) for step in range(36)]
    near, far = [[(250 + out * a, middle + out * b) for a, b in ends] for out in (30, 205)]
    lines = "".join(f"M{a:.0f} {b:.0f}L{c:.0f} {d:.0f}" for (a, b), (c, d) in zip(near, far, strict=True))
    yield f"<path d='{lines}' stroke='{dark}' stroke-width='4'/>"


def _draw_center(card: Card, theme: Theme, middle: float) -> Iterator[str]:
    """Yield the card's emblem, its pips, its signs, or a large letter above its suit."""
    emblem = _emblem(card)
    number = parse_whole_number(str(card.rank)) or 0
    shade = _card_colour(card, theme)
    if _sign_paths(emblem, theme) or not card.suits:
        yield _draw_sign(_corner_emblem(card, theme), (260, middle), 300, shade, theme)
    elif len(card.suits) > 1:
        step = 400 / len(card.suits)
        for place, suit in enumerate(card.suits):
            y = middle + (place - (len(card.suits) - 1) / 2) * step
            yield _draw_sign(suit, (270, y), step * 0.9, _suit_colour(suit, card, theme), theme)
    elif number in _PIP_ROWS:
        yield from _draw_pips(card, number, theme, middle)
    elif str(card.rank) in ("King", "Queen", "Jack", "Knight") and card.name.startswith(str(card.rank)):
        yield _draw_text("Cinzel-Bold", str(card.rank)[0], (250, middle), 230, shade, room=300)
        yield _draw_sign(card.suits[0], (250, middle + 120), 170, shade, theme)
    else:
        yield _draw_sign(card.suits[0], (285 if _title_of(card) else 250, middle), 270, shade, theme)


def _draw_pips(card: Card, number: int, theme: Theme, middle: float) -> Iterator[str]:
    rows, has_title = _PIP_ROWS[number], middle < CARD_HEIGHT_PX / 2
    tall, wide, x = (410, 270, 290) if has_title else (460, 250, 250)
    size = min(tall / len(rows) * 0.86, wide / max(rows) * 0.84, 170 if number > 1 else 270)
    for line, count in enumerate(rows):
        y = middle + (line - (len(rows) - 1) / 2) * min(tall / len(rows), size * 1.5)
        for place in range(count):
            left = x + (place - (count - 1) / 2) * size * (1.2 if max(rows) > 2 else 1.45)
            yield _draw_sign(card.suits[0], (left, y), size, _card_colour(card, theme), theme)


def _draw_corner(card: Card, theme: Theme, label: str) -> Iterator[str]:
    """Yield the label above the suits, or the emblem of a card without a label, in the corner visible in a hand."""
    shade, y = _card_colour(card, theme), 186
    signs = list(card.suits)
    if label:
        room = _label_room(label)
        yield _draw_text("Cinzel-Bold", label, (46 + room / 2, 130), 104, shade, room=room)
    else:
        signs, y = [_corner_emblem(card, theme)], 112
    size = _CORNER_SIGN_SIZES_PX[min(len(signs), len(_CORNER_SIGN_SIZES_PX)) - 1] if signs else 0
    for place, sign in enumerate(signs):
        yield _draw_sign(sign, (88, y - 34 + size * (place * 1.08 + 0.5)), size, _suit_colour(sign, card, theme), theme)


def _corner_emblem(card: Card, theme: Theme) -> str:
    return _emblem(card) if _sign_paths(_emblem(card), theme) else "crowns"


def _emblem(card: Card) -> str:
    return "emblem-" + re.sub(r"[^a-z0-9]+", "-", card.name.lower()).strip("-")


def _title_of(card: Card) -> str:
    """Return the card's name, or "" if the corner says it."""
    if not card.suits:
        return card.name
    plain = card.name == f"{card.rank} of {' and '.join(card.suits)}"
    own = card.name.removeprefix(card.suits[0]).strip()
    return "" if plain and not _facts(card) else own if own and own != str(card.rank) else card.name


def _facts(card: Card) -> str:
    """Return the facts about the card in its deck, other than rank and suit."""
    values = (value for key, value in card.traits.items() if key not in _UNPRINTED_TRAITS)
    facts = [value for value in values if value and value != str(card.rank)]
    return " · ".join(facts[:3])


def _draw_title_band(card: Card, theme: Theme, shade: str) -> Iterator[str]:
    """Yield a band at the foot with the card's name and facts."""
    facts, light = _facts(card), theme.colour_code(look.PAPER)
    yield f"<path d='M16 552H484V660a24 24 0 0 1-24 24H40a24 24 0 0 1-24-24Z' fill='{shade}'/>"
    yield f"<path d='M30 566H470' stroke='{light}' stroke-width='2' opacity='.6'/>"
    yield _draw_text("Cinzel-Bold", _title_of(card), (250, 622 if facts else 638), 58, light, room=410)
    yield _draw_text("Alegreya-Regular", facts, (250, 663), 34, light, room=410)


def _draw_text(font: str, text: str, at: tuple[float, float], size: float, shade: str, *, room: float) -> str:
    """Return words centred on a line, reduced to `room`; letters that our fonts lack get any font."""
    x, y = at
    letters = letter_outlines(font)
    if not letters.has(text):
        place = f"x='{x}' y='{y}' font-size='{size * 0.7:.0f}' text-anchor='middle'"
        return f"<text {place} fill='{shade}'>{escape(text)}</text>"
    size *= min(1, room / max(letters.width(text, size), 1))
    start = x - letters.width(text, size) / 2
    return letters.draw(text, start, y, size, shade)


def _corner_label(card: Card, ranks: Collection[str]) -> str:
    """Return a number unchanged, the shortest beginning of a word that no other rank has, or the numeral in a name."""
    rank = "" if card.rank is None else str(card.rank)
    if len(rank) <= _SHORT_LABEL_CHARS:
        return rank
    word = rank.casefold()
    others = [other.casefold() for other in ranks if other.casefold() != word and len(other) > _SHORT_LABEL_CHARS]
    lengths = range(1, _MAX_LABEL_CHARS)
    length = next((at for at in lengths if not any(map(str.startswith, others, repeat(word[:at])))), lengths[-1])
    numeral = card.name.split()[-1:]
    return " ".join(
        [rank[:length].capitalize(), *(part for part in numeral if set(part) <= set("IVX") and part != rank)]
    )


def _card_colour(card: Card, theme: Theme) -> str:
    return _suit_colour(card.suits[0], card, theme) if card.suits else theme.colour_code(look.ACCENT)


def _suit_colour(suit: str, card: Card, theme: Theme) -> str:
    """Return the colour of a suit; without one, that of the card's first fact with a colour, such as an element."""
    roles = [theme.suit_role(name) for name in (suit, *card.traits.values())]
    return theme.colour_code(next((role for role in roles if role != look.INK), look.INK))


def _pattern_signs(signs: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    for row in range(9):
        for column in range(6 - row % 2):
            x, y = 90 + column * 64 + row % 2 * 32, 92 + row * 64.5
            if math.hypot(x - 250, y - 350) > 140:
                yield signs[(column + row) % len(signs)], x, y


def _draw_sign(name: str, at: tuple[float, float], size: float, shade: str, theme: Theme, *, more: str = "") -> str:
    """Return an SVG of a printed sign around a place, or of a letter in a circle if there is no such sign."""
    x, y = at
    if not _sign_paths(name, theme):
        ring = f"<circle cx='{x:g}' cy='{y:g}' r='{size / 2:g}' fill='{shade}'/>"
        paper = theme.colour_code(look.PAPER)
        return ring + _draw_text("Cinzel-Bold", name[:1].upper(), (x, y + size * 0.24), size * 0.66, paper, room=size)
    place = f"translate({x - size / 2:.0f} {y - size / 2:.0f}) scale({size / 100:.3g})"
    return f"<use href='#{name.lower()}' transform='{place}' fill='{shade}' fill-rule='evenodd'{more}/>"


def _sign_paths(name: str, theme: Theme) -> str:
    """Return the paths of a sign in a square of 100 units, "" if there is no such sign."""
    return "".join(f"<path d='{escape(data)}'/>" for data in icons.svg_path_data(name, theme.vault))
