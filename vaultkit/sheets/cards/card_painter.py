"""Drawing of a fitted card: frame, picture or signs, corners, title and words, with tags in a tagged document."""

import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.sheets.cards.bar_fitter import EMBLEM_SHARE
from vaultkit.sheets.cards.print_card import SUIT, Face, Rectangle
from vaultkit.sheets.cards.suit_signs import CornerPainter, SignPainter
from vaultkit.sheets.cards.text_sizes import (
    FOOT_LINE_HEIGHT_RATIO,
    SUBTITLE_MARGIN_PT,
    TITLE_LINE_HEIGHT_RATIO,
    TITLE_MARGIN_PT,
    sizes_of,
)
from vaultkit.sheets.paper import Box
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.image_transcoding import Picture, UnusablePicture, reuse_memory, to_pixels
from vaultkit.theme.print_pictures import prepare

if TYPE_CHECKING:
    from vaultkit.theme.svg.svg_drawing import SvgDrawing

_MAX_THREAD_COUNT = 2
"""The number of pictures decoded at the same time; each takes about 10 MB of memory."""


class CardPainter:
    """Draws faces on the pages of `document`, in their order.

    In a tagged document every card is a stretch of its own: a heading, a picture and words. The deck's title at the
    foot of the first card is the document's heading. `unusable` are the cards drawn so far whose picture cannot be
    used, each with the reason.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.canvas = document.canvas
        self.sizes = sizes_of(document.glyphs.theme)
        self.signs = SignPainter(document)
        self.corners = CornerPainter(document, self.signs)
        self.unusable: dict[str, str] = {}
        self._tag: Tag | None = None
        self._pictures: dict[tuple[Path, Fit], tuple[str, Picture | SvgDrawing | None]] = {}

    def prepare_pictures(self, faces: Sequence[Face]) -> None:
        """Prepare the pictures of `faces` in the cache, several at a time: that is most of the work of a deck."""
        pictured = [(face, face.art[2:]) for face in faces if face.art is not None and face.card.image is not None]
        if pictured:
            from concurrent.futures import ThreadPoolExecutor

            count = min(_MAX_THREAD_COUNT, os.cpu_count() or 1)
            with reuse_memory(), ThreadPoolExecutor(count) as pool:
                list(pool.map(self._prepare_picture, *zip(*pictured, strict=True)))

    def draw(self, face: Face, slot: Box, bleed: Box | None = None, *, is_turned: bool = False) -> None:
        """Draw `face` into `slot`, upside down if it is turned; what fills the card reaches as far as `bleed`."""
        x, y, width, height = slot.points
        heading, tag = self._tags(face)
        left, bottom, right, top = (bleed or slot).corners
        reach = (left - x, bottom - y, right - left, top - bottom)
        with self.canvas.preserve_state():
            self.canvas.translate(x, y)
            if is_turned:
                self.canvas.turn_upside_down(width, height)
            shade = self.signs.shade(face.card)
            if face.frame.ground or self.document.glyphs.theme.is_paper_printed:
                self.canvas.fill(face.frame.ground or look.PAPER)
                self.canvas.rect(*reach, stroke=0, fill=1)
            is_full = face.frame.layout == "full"
            if face.art is not None and is_full:
                self._draw_full_picture(face, reach, face.art, self._figure(face, tag, (x, y)))
            self._frame(face, width, height, shade)
            if face.frame.layout == "bar":
                self._bar(face, width, shade, tag)
            else:
                self._panel(face)
                self._title(face, shade, tag)
            if face.art is not None and not is_full:
                self._art(face, face.art, shade, self._figure(face, tag, (x, y)))
            self.corners.draw(face)
            self._words(face, tag)
            if face.frame.layout == "bar":
                self._bar_foot(face, width, heading)
            else:
                self._foot(face, width, heading)
            self._link(face)

    def _draw_full_picture(self, face: Face, reach: Rectangle, place: Rectangle, tag: Tag | None) -> None:
        """Draw the picture over the whole card, and mirrored into the bleed, so that an inexact cut shows no paper."""
        x, y, *size = place
        with self.canvas.preserve_state():
            self.canvas.clip(*reach)
            problem, picture = self._prepare_picture(face, (size[0], size[1]))
            if picture is None:
                self._draw_signs_for_picture(face, reach, problem)
                return
            self.canvas.translate(x, y)
            around = reach[0] - x, reach[1] - y, reach[2], reach[3]
            for across, up in product((-1, 0, 1), repeat=2):
                inside = across == up == 0
                if inside or _is_tile_needed(around, (size[0], size[1]), across, up):
                    with self.canvas.tag_content(tag if inside else None):
                        self._draw_mirrored(picture, (size[0], size[1]), across, up)

    def _draw_signs_for_picture(self, face: Face, reach: Rectangle, problem: str) -> None:
        """Draw signs in the place of a picture, above the words."""
        x, y, width, height = place = face.free_area
        self.signs.draw_ground(reach, (x + width / 2, y + height / 2))
        self.signs.draw_signs(face.card, place)
        if problem:
            self._remark(face, problem, place)

    def _draw_mirrored(self, picture: "Picture | SvgDrawing", size: tuple[float, float], across: int, up: int) -> None:
        """Draw the picture mirrored at the cut, one card to the side or above or below."""
        with self.canvas.preserve_state():
            self.canvas.translate(size[0] * across * (across + 1), size[1] * up * (up + 1))
            self.canvas.scale(-1 if across else 1, -1 if up else 1)
            self.canvas.clip(0, 0, *size)
            self._fit_picture(picture, (0, 0, *size), cover=True)

    def _panel(self, face: Face) -> None:
        """Draw the panel under words that lie on a picture."""
        if face.panel is None:
            return
        self.canvas.fill(look.PAPER)
        self.canvas.pen(look.GOLD, 0.6)
        self.canvas.roundRect(*face.panel, face.frame.picture_corner, stroke=1, fill=1)

    def _tags(self, face: Face) -> tuple[Tag | None, Tag | None]:
        """Return the tag of the document's heading if it has not been used yet, and that of the card's words."""
        if not self.canvas.tagged:
            return None, None
        root = self.document.structure
        heading = root.add("H1") if self._tag is None else None
        if face.part == 1 or self._tag is None:
            self._tag = root.add("Sect")
        return heading, self._tag

    def _frame(self, face: Face, width: float, height: float, shade: str) -> None:
        for line in face.frame.lines:
            gap = line.inset + line.width / 2
            self.canvas.pen(shade if line.colour == SUIT else line.colour, line.width)
            self.canvas.roundRect(gap, gap, width - 2 * gap, height - 2 * gap, line.corner, stroke=1, fill=0)

    def _figure(self, face: Face, tag: Tag | None, origin: tuple[float, float]) -> Tag | None:
        """Return the tag of the card's picture, or None for drawn signs, which say no more than the words."""
        if tag is None or face.art is None or face.card.image is None:
            return None
        x, y, width, height = face.art
        figure = tag.add("Figure", alt=face.card.title)
        figure.box = (origin[0] + x, origin[1] + y, origin[0] + x + width, origin[1] + y + height)
        return figure

    def _art(self, face: Face, place: Rectangle, shade: str, tag: Tag | None) -> None:
        canvas, corner, covers = self.canvas, face.frame.picture_corner, face.cover or face.whole
        with canvas.tag_content(tag), canvas.preserve_state():
            canvas.clip(*place, corner)
            problem, picture = self._prepare_picture(face, place[2:])
            if picture is None or not covers:
                self.signs.draw_ground(place)
            if picture is None:
                self.signs.draw_signs(face.card, place)
            else:
                self._fit_picture(picture, place, cover=covers)
            if problem:
                self._remark(face, problem, place)
        canvas.pen(shade, 0.5)
        canvas.roundRect(*place, corner, stroke=1, fill=0)

    def _remark(self, face: Face, problem: str, place: Rectangle) -> None:
        """Draw `problem`, the reason why a picture is missing, at the foot of its place, in as many lines as needed."""
        from vaultkit.sheets.cards.card_words import break_lines

        self.unusable[face.card.title] = problem
        x, y, width, _ = place
        size = self.sizes.floor
        lines = break_lines(f"[picture: {problem}]", self.document.glyphs, look.ITALIC, width - 6, size)
        for below, line in zip(reversed(range(len(lines))), lines, strict=True):
            level = y + 3 + below * size * 1.2
            self.document.write(line, x + width / 2, level, look.ITALIC, size, align="center", colour=look.MUTED)

    def _prepare_picture(self, face: Face, size: tuple[float, float]) -> "tuple[str, Picture | SvgDrawing | None]":
        """Return the problem with the card's picture, "" if there is none, and the picture for a place of that size."""
        source, cover = face.card.image, face.cover or face.whole or face.frame.layout == "full"
        if source is None:
            return "", None
        width, height = map(to_pixels, size)
        fit = Fit(width, height, cover, tone=self.document.glyphs.theme.tone)
        if (source, fit) not in self._pictures:
            try:
                self._pictures[source, fit] = "", prepare(source, fit, self.document.glyphs.theme)
            except UnusablePicture as problem:
                self._pictures[source, fit] = str(problem), None
        return self._pictures[source, fit]

    def _fit_picture(self, picture: "Picture | SvgDrawing", place: Rectangle, *, cover: bool) -> None:
        """Draw a picture in the middle of its place; with `cover` it fills the place, otherwise it is shown whole."""
        x, y, width, height = place
        factor = (max if cover else min)(width / picture.width, height / picture.height)
        wide, high = picture.width * factor, picture.height * factor
        self.canvas.draw_picture(picture, x + (width - wide) / 2, y + (height - high) / 2, (wide, high))

    def _words(self, face: Face, tag: Tag | None) -> None:
        if face.placed:
            from vaultkit.sheets.text.layout import TextPage, draw_page

            draw_page(self.document, TextPage([list(face.placed)]), tag)

    def _title(self, face: Face, shade: str, tag: Tag | None) -> None:
        colour = shade if face.frame.title.colour == SUIT else face.frame.title.colour
        heading = tag.add("H2") if tag and face.part == 1 else None
        y = face.title_top - TITLE_MARGIN_PT
        for line in face.title_lines:
            level = y - face.title_size * 0.9
            self._line(f"{line} ", face, level, (look.TITLE_BOLD, face.title_size, colour), heading)
            y -= face.title_size * TITLE_LINE_HEIGHT_RATIO
        below = tag.add("P") if tag and face.subtitle_lines else None
        for line in face.subtitle_lines:
            y -= self.sizes.subtitle_line
            self._line(f"{line} ", face, y + 1.5, (look.ITALIC, face.subtitle_size, look.MUTED), below)
        y -= SUBTITLE_MARGIN_PT if face.subtitle_lines else 0.0
        if face.panel is None or face.placed:
            x, half = face.title_x, face.title_x * 0.6
            self.canvas.draw_ornament((x - half, x + half), x, y - 3.5, gap=4, half=2.2, width=0.5)

    def _line(self, text: str, face: Face, y: float, style: tuple[str, float, str], tag: Tag | None) -> None:
        """Draw a line of the title, with a space at its end, which parts the words of two lines in extracted text."""
        name, size, colour = style
        half = self.document.glyphs.measure_width(text.rstrip(), name, size) / 2
        self.document.write(text, face.title_x - half, y, name, size, colour=colour, tag=tag)

    def _bar(self, face: Face, width: float, shade: str, tag: Tag | None) -> None:
        """Draw the title bar of a card: its title in the paper's colour, and its rank and signs at the right."""
        if face.panel is None:
            return
        canvas, card, size = self.canvas, face.card, face.title_size
        x, y, wide, height = face.panel
        colour = shade if self.document.glyphs.theme.ink_saver else look.PAPER
        corner = face.frame.lines[0].corner if face.frame.lines else 0.0
        with canvas.preserve_state():
            canvas.clip(x, y - corner, wide, height + corner, corner)
            canvas.fill(shade)
            canvas.pen(shade, 0.6)
            canvas.rect(x, y, wide, height, stroke=1, fill=int(colour != shade))
        heading = tag.add("H2") if tag and face.part == 1 else None
        base = face.title_top - size * 0.9
        for number, line in enumerate(face.title_lines):
            level = base - number * size * TITLE_LINE_HEIGHT_RATIO
            self.document.write(f"{line} ", face.title_x, level, look.TITLE_BOLD, size, colour=colour, tag=heading)
        right, emblem = width - face.title_x, icons.find_icon(card.emblem, self.document.glyphs.theme.vault)
        for sign in reversed((card.emblem,) if emblem else card.icons):
            right -= size * EMBLEM_SHARE
            self.signs.sign(
                sign, x=right, y=base - size * 0.18, size=size, shade=colour, letter=card.suit or card.title
            )
        if card.corner:
            self.document.write(card.corner, right - 2, base, look.TITLE_BOLD, size, align="right", colour=colour)

    def _bar_foot(self, face: Face, width: float, heading: Tag | None) -> None:
        """Draw the deck's title at the left, and the number of the face at the right if the card has several."""
        size, left, y = self.sizes.floor, face.frame.text_inset, face.frame.foot_line
        number = f"{face.part} / {face.parts}" if face.parts > 1 else ""
        room = width - 2 * left - self.document.glyphs.measure_width(f"{number} ", look.TEXT, size)
        text = self.document.shorten(face.foot_lines[0], look.TEXT, size, room)
        self.document.write(text, left, y, look.TEXT, size, colour=look.MUTED, tag=heading)
        self.document.write(number, width - left, y, look.TEXT, size, align="right", colour=look.MUTED)

    def _link(self, face: Face) -> None:
        if self.canvas.tagged or ":" not in face.card.link:
            return
        from vaultkit.sheets.text.inline import web_address

        address = web_address(face.card.link)
        if not address:
            return
        left, bottom, width, height = face.title_x * 0.3, face.title_top - face.titled, face.title_x * 1.4, face.titled
        if face.frame.layout == "bar" and face.panel is not None:
            left, bottom, width, height = face.panel
        self.canvas.linkURL(address, (left, bottom, left + width, bottom + height), relative=1)

    def _foot(self, face: Face, width: float, heading: Tag | None) -> None:
        """Draw the deck's title, with its last line at the foot of the card."""
        size, lines = self.sizes.floor, face.foot_lines
        for number, line in enumerate(lines, 1):
            y = face.frame.foot_line + (len(lines) - number) * size * FOOT_LINE_HEIGHT_RATIO
            words = f"{line} " if number < len(lines) else line
            x = (width - self.document.glyphs.measure_width(line, look.TEXT, size)) / 2
            self.document.write(words, x, y, look.TEXT, size, colour=look.MUTED, tag=heading)


def _is_tile_needed(reach: Rectangle, size: tuple[float, float], across: int, up: int) -> bool:
    """Return whether the bleed reaches beyond the card on that side or at that corner."""
    left, bottom, wide, high = reach
    over = {-1: -left, 0: 1.0, 1: left + wide - size[0]}, {-1: -bottom, 0: 1.0, 1: bottom + high - size[1]}
    return over[0][across] > 0.01 and over[1][up] > 0.01
