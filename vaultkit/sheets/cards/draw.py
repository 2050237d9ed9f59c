"""Draws a fitted card: frame, picture or signs, corners, title, words; tagged where the document is."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from vaultkit.look import icons, images
from vaultkit.look import theme as look
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.corners import CornerPainter
from vaultkit.sheets.cards.face import Face
from vaultkit.sheets.cards.frame import MM_POINTS as _MM
from vaultkit.sheets.cards.frame import SUIT
from vaultkit.sheets.cards.signs import Rectangle, SignPainter
from vaultkit.sheets.cards.sizes import sizes_of
from vaultkit.sheets.cards.titles import broken
from vaultkit.sheets.geometry.paper import Box, Size, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.inline import web_address
from vaultkit.sheets.text.layout import Page
from vaultkit.sheets.text.paint import draw

_DPI = 300
_AT_ONCE = 4
"""Pictures in work at a time; each may take 200 MB while it is."""
_LEAD = 1.14
"""From line to line at the foot, as a share of the size."""


class CardPainter:
    """Draws faces on the pages of `document`, in their order.

    In a tagged document every card is a stretch of its own: a heading, a picture and words. The deck's title at the
    foot of the first card is the document's heading. `unusable` are the cards drawn so far whose picture cannot be
    used, each with the reason.
    """

    def __init__(self, document: Document, cache: Path) -> None:
        self.document = document
        self.canvas = document.canvas
        self.cache = cache
        self.sizes = sizes_of(document.glyphs.theme)
        self.signs = SignPainter(document)
        self.corners = CornerPainter(document, self.signs)
        self.unusable: dict[str, str] = {}
        self._tag: Tag | None = None
        self._pictures: dict[tuple[Path, int, int, bool], tuple[str, images.Picture | None]] = {}

    def prepare(self, faces: Sequence[Face], card: Size) -> None:
        """Makes the pictures of `faces` ready, several at a time: most of the work of a new deck is decoding them."""
        whole = points(card.width), points(card.height)
        sizes = [whole if face.frame.layout == "full" else face.art[2:] for face in faces if face.art is not None]
        with ThreadPoolExecutor(min(_AT_ONCE, os.cpu_count() or 1)) as pool:
            list(pool.map(self._prepared, (face for face in faces if face.art is not None), sizes))

    def draw(self, face: Face, slot: Box, bleed: Box | None = None) -> None:
        """Draws `face` into `slot`; what fills the card to its edge reaches over the cut as far as `bleed`."""
        x, y, width, height = slot.points
        heading, tag = self._tags(face)
        left, bottom, right, top = (bleed or slot).corners
        reach = (left - x, bottom - y, right - left, top - bottom)
        self.canvas.saveState()
        self.canvas.translate(x, y)
        shade = self.shade(face.card)
        if face.frame.ground:
            self._filled(reach, face.frame.ground)
        full = face.frame.layout == "full" and face.art is not None
        figure = self._figure(face, tag, (x, y)) if full else None
        if full:
            self._full(face, reach, (width, height), figure)
        self._ground(face, width, height)
        self._frame(face, width, height, shade)
        self._panel(face)
        self._title(face, width, shade, tag)
        if face.art is not None and not full:
            self._art(face, face.art, shade, self._figure(face, tag, (x, y)))
        self.corners.draw(face, width, height)
        self._words(face, tag)
        self._facts(face, width, shade, tag)
        self._foot(face, width, heading)
        self._link(face)
        self.canvas.restoreState()

    def _filled(self, place: Rectangle, colour: str) -> None:
        self.canvas.setFillColor(self.document.colour(colour))
        self.canvas.rect(*place, stroke=0, fill=1)

    def _full(self, face: Face, reach: Rectangle, size: tuple[float, float], tag: Tag | None) -> None:
        """The picture over the whole card; over the cut it goes on as in a mirror, so that no cut shows paper."""
        canvas, (width, height) = self.canvas, size
        canvas.saveState()
        path = canvas.beginPath()
        path.rect(*reach)
        canvas.clipPath(path, stroke=0, fill=0)
        problem, picture = self._prepared(face, (width, height))
        if picture is None:
            self._over(face, reach, size, problem)
        else:
            for across in (-1, 0, 1):
                for up in (-1, 0, 1):
                    inside = across == up == 0
                    if inside or _needed(reach, size, across, up):
                        with canvas.marked(tag if inside else None):
                            self._mirrored(picture, size, across, up)
        canvas.restoreState()

    def _over(self, face: Face, reach: Rectangle, size: tuple[float, float], problem: str) -> None:
        """Signs in the place of a picture, above the words."""
        inset, foot = face.frame.picture_inset, face.panel[1] + face.panel[3] if face.panel else 0.0
        place = (inset, foot, size[0] - 2 * inset, size[1] - foot - inset)
        self.signs.ground(reach, (place[0] + place[2] / 2, place[1] + place[3] / 2))
        self.signs.signs(face.card, place)
        if problem:
            self._remark(face, problem, place)

    def _mirrored(self, picture: images.Picture, size: tuple[float, float], across: int, up: int) -> None:
        """The picture one card's width or height away, turned over as in a mirror at the cut."""
        canvas, (width, height) = self.canvas, size
        canvas.saveState()
        canvas.translate(width * across * (across + 1), height * up * (up + 1))
        canvas.scale(-1 if across else 1, -1 if up else 1)
        factor = max(width / picture.width, height / picture.height)
        wide, high = picture.width * factor, picture.height * factor
        path = canvas.beginPath()
        path.rect(0, 0, width, height)
        canvas.clipPath(path, stroke=0, fill=0)
        images.draw(canvas, picture, (width - wide) / 2, (height - high) / 2, (wide, high))
        canvas.restoreState()

    def _panel(self, face: Face) -> None:
        """Paper under words that stand on a picture."""
        if face.panel is None:
            return
        self.canvas.setFillColor(self.document.colour(look.PAPER))
        self.canvas.setStrokeColor(self.document.colour(look.GOLD))
        self.canvas.setLineWidth(0.6)
        self.canvas.roundRect(*face.panel, face.frame.picture_corner, stroke=1, fill=1)

    def _tags(self, face: Face) -> tuple[Tag | None, Tag | None]:
        """The document's heading, if it is still to come, and the stretch that this card's words belong to."""
        if not self.canvas.tagged:
            return None, None
        root = self.document.structure
        heading = root.add("H1") if self._tag is None else None
        if face.part == 1 or self._tag is None:
            self._tag = root.add("Sect")
        return heading, self._tag

    def shade(self, card: PrintableCard) -> str:
        """The card's own colour."""
        return self.signs.shade(card)

    def _ground(self, face: Face, width: float, height: float) -> None:
        """A tint behind the picture and the title beside it, inside the outer line."""
        if not (face.beside and face.art and face.frame.head_ground and face.frame.lines):
            return
        canvas, line = self.canvas, face.frame.lines[0]
        canvas.saveState()
        path = canvas.beginPath()
        path.roundRect(line.inset, line.inset, width - 2 * line.inset, height - 2 * line.inset, line.corner)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.setFillColor(self.document.colour(face.frame.head_ground))
        bottom = face.art[1] - (height - line.inset - face.art[1] - face.art[3])
        canvas.rect(line.inset, bottom, width - 2 * line.inset, height - line.inset - bottom, stroke=0, fill=1)
        canvas.setStrokeColor(self.document.colour(look.GOLD))
        canvas.setLineWidth(0.5)
        canvas.line(line.inset, bottom, width - line.inset, bottom)
        canvas.restoreState()

    def _frame(self, face: Face, width: float, height: float, shade: str) -> None:
        canvas = self.canvas
        for line in face.frame.lines:
            gap = line.inset + line.width / 2
            canvas.setStrokeColor(self.document.colour(shade if line.colour == SUIT else line.colour))
            canvas.setLineWidth(line.width)
            canvas.roundRect(gap, gap, width - 2 * gap, height - 2 * gap, line.corner, stroke=1, fill=0)

    def _figure(self, face: Face, tag: Tag | None, origin: tuple[float, float]) -> Tag | None:
        """The tag of the card's picture; a drawn one tells no more than the words and is none."""
        if tag is None or face.art is None or face.card.image is None:
            return None
        x, y, width, height = face.art
        figure = tag.add("Figure", alt=face.card.title)
        figure.box = (origin[0] + x, origin[1] + y, origin[0] + x + width, origin[1] + y + height)
        return figure

    def _art(self, face: Face, place: Rectangle, shade: str, tag: Tag | None) -> None:
        canvas = self.canvas
        x, y, width, height = place
        with canvas.marked(tag):
            canvas.saveState()
            path = canvas.beginPath()
            path.roundRect(x, y, width, height, face.frame.picture_corner)
            canvas.clipPath(path, stroke=0, fill=0)
            problem, picture = self._prepared(face, place[2:])
            if picture is None:
                self.signs.ground(place)
                self.signs.signs(face.card, place)
            else:
                self._fitted(face, picture, place)
            if problem:
                self._remark(face, problem, place)
            canvas.restoreState()
        canvas.setStrokeColor(self.document.colour(shade))
        canvas.setLineWidth(0.5)
        canvas.roundRect(x, y, width, height, face.frame.picture_corner, stroke=1, fill=0)

    def _remark(self, face: Face, problem: str, place: Rectangle) -> None:
        """What is wrong with the picture, at its foot, in as many lines as it needs."""
        self.unusable[face.card.title] = problem
        x, y, width, _ = place
        size, glyphs = self.sizes.floor, self.document.glyphs
        lines = broken(
            f"[picture: {problem}]", lambda text, size: glyphs.width(text, look.ITALIC, size), width - 6, size
        )
        for below, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
            level = y + 3 + below * size * 1.2
            self.document.write(line, x + width / 2, level, look.ITALIC, size, align="center", colour=look.MUTED)

    def _prepared(self, face: Face, size: tuple[float, float]) -> tuple[str, images.Picture | None]:
        """The card's picture for a place of that size; else what is wrong with it, which is nothing if it has none."""
        source = face.card.image
        if source is None:
            return "", None
        width, height = (round(length / 72 * _DPI) for length in size)
        key = source, width, height, face.cover or face.whole or face.frame.layout == "full"
        if key not in self._pictures:
            self._pictures[key] = self._made(*key)
        return self._pictures[key]

    def _made(self, source: Path, width: int, height: int, cover: bool) -> tuple[str, images.Picture | None]:
        tone = self.document.glyphs.theme.tone
        try:
            return "", images.prepare(source, self.cache, width=width, height=height, cover=cover, tone=tone)
        except images.UnusablePicture as problem:
            return str(problem), None

    def _fitted(self, face: Face, picture: images.Picture, place: Rectangle) -> None:
        """The picture in its place: it fills it, or stands whole in its middle."""
        x, y, width, height = place
        cover = face.cover or face.whole
        factor = (max if cover else min)(width / picture.width, height / picture.height)
        size = picture.width * factor, picture.height * factor
        if not cover:
            self.signs.ground(place)
        images.draw(self.canvas, picture, x + (width - size[0]) / 2, y + (height - size[1]) / 2, size)

    def _words(self, face: Face, tag: Tag | None) -> None:
        draw(self.document, Page([list(face.placed)]), tag)

    def _facts(self, face: Face, width: float, shade: str, tag: Tag | None) -> None:
        """Labels on the left of the middle, values on its right; a value that has a sign has it beside it."""
        write, middle, sizes = self.document.write, width * 0.46, self.sizes
        y = face.facts_y + sizes.fact_line * len(face.facts) / 2
        for label, value in face.facts:
            y -= sizes.fact_line
            line = tag.add("P") if tag else None
            write(f"{label} ", middle - 2, y + 3, look.TEXT, sizes.label, align="right", colour=look.MUTED, tag=line)
            write(value, middle + 4, y + 3, look.BOLD, sizes.fact, tag=line)
            if icons.find(value, self.document.glyphs.theme.vault):
                left = middle + 8 + self.document.glyphs.width(value, look.BOLD, sizes.fact)
                self.signs.sign(value, x=left, y=y + 1.5, size=sizes.fact, shade=shade, letter=value)

    def _title(self, face: Face, width: float, shade: str, tag: Tag | None) -> None:
        colour = shade if face.frame.title_colour == SUIT else face.frame.title_colour
        heading = tag.add("H2") if tag and face.part == 1 else None
        y = face.title_top - 4.0
        for line in face.title_lines:
            y -= face.title_size
            level = y + face.title_size * 0.1
            self._line(f"{line} ", face, level, (look.TITLE_BOLD, face.title_size, colour), heading)
            y -= face.title_size * 0.12
        told = tag.add("P") if tag and face.subtitle_lines else None
        for line in face.subtitle_lines:
            y -= self.sizes.subtitle_line
            self._line(f"{line} ", face, y + 1.5, (look.ITALIC, face.subtitle_size, look.MUTED), told)
        y -= 1.0 if face.subtitle_lines else 0.0
        if face.beside:
            self._small_signs(face, y, width)
        elif face.panel is None or face.placed or face.facts:
            self._flourish(face.title_x, y - 3.5, face.title_x * 0.6)

    def _line(self, text: str, face: Face, y: float, look_of: tuple[str, float, str], tag: Tag | None) -> None:
        """A line of the title, ended by a space for whoever reads the words without seeing the lines."""
        name, size, colour = look_of
        half = self.document.glyphs.width(text.rstrip(), name, size) / 2
        x = face.title_x if face.beside else face.title_x - half
        self.document.write(text, x, y, name, size, colour=colour, tag=tag)

    def _small_signs(self, face: Face, y: float, width: float) -> None:
        """Rank and suits below a title that stands beside a picture, if there is room above the picture's foot."""
        card, art = face.card, face.art
        size, rank = 5.6 * _MM * self.sizes.scale, 15 * self.sizes.scale
        if art is None or y - size - 3 < art[1] or not (card.corner or card.suit):
            return
        x, level = face.title_x, y - size - 3.0
        if card.corner:
            self.document.write(card.corner, x, level + 0.8 * _MM, look.TITLE_BOLD, rank, colour=self.shade(card))
            x += self.document.glyphs.width(card.corner, look.TITLE_BOLD, rank) + 1.4 * _MM
        size = min(size, (width - face.frame.text_inset - x) / max(len(card.icons), 1) - _MM)
        for sign in card.icons:
            shade = self.signs.shade(card, sign)
            self.signs.sign(sign, x=x, y=level, size=size, shade=shade, letter=card.suit)
            x += size + _MM

    def _flourish(self, x: float, y: float, half: float) -> None:
        canvas = self.canvas
        canvas.setStrokeColor(self.document.colour(look.GOLD))
        canvas.setFillColor(self.document.colour(look.GOLD))
        canvas.setLineWidth(0.5)
        canvas.line(x - half, y, x - 4, y)
        canvas.line(x + 4, y, x + half, y)
        path = canvas.beginPath()
        path.moveTo(x - 2.2, y)
        for dx, dy in ((0, 2.2), (2.2, 0), (0, -2.2)):
            path.lineTo(x + dx, y + dy)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)

    def _link(self, face: Face) -> None:
        address = web_address(face.card.link)
        if not address or self.canvas.tagged:
            return
        left, wide = (face.title_x, 60.0) if face.beside else (face.title_x * 0.3, face.title_x * 1.4)
        bottom = face.title_top - 4.0 - len(face.title_lines) * face.title_size * 1.12
        self.canvas.linkURL(address, (left, bottom, left + wide, face.title_top), relative=1)

    def _foot(self, face: Face, width: float, heading: Tag | None) -> None:
        """The deck's title, the last of its lines at the very foot."""
        size, lines = self.sizes.floor, face.foot_lines
        for number, line in enumerate(lines, 1):
            y = face.frame.foot_line + (len(lines) - number) * size * _LEAD
            words = f"{line} " if number < len(lines) else line
            x = (width - self.document.glyphs.width(line, look.TEXT, size)) / 2
            self.document.write(words, x, y, look.TEXT, size, colour=look.MUTED, tag=heading)


def _needed(reach: Rectangle, size: tuple[float, float], across: int, up: int) -> bool:
    """Whether the bleed reaches over the cut on that side, or round that corner."""
    left, bottom, wide, high = reach
    over = {-1: -left, 0: 1.0, 1: left + wide - size[0]}, {-1: -bottom, 0: 1.0, 1: bottom + high - size[1]}
    return over[0][across] > 0.01 and over[1][up] > 0.01
