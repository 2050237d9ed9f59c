"""Score sheets in their layouts: which blocks they have, and where these lie on the paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.games.definition import Explanation
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, ReadingPlan, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import FOUR, PARTY, ScoreDesign
from vaultkit.sheets.scoresheets.flow import ScoreBlock, pages, stack
from vaultkit.sheets.scoresheets.heading import Heading, Lines, TickLines
from vaultkit.sheets.scoresheets.panels import Lined, Panels, TextPanel, draw_notes, markdown
from vaultkit.sheets.scoresheets.parts import Player, SheetParts, sheet_parts
from vaultkit.sheets.scoresheets.pen import Pen
from vaultkit.sheets.scoresheets.style import TIGHT, page_style, quarter_style
from vaultkit.sheets.scoresheets.table import Table

FIELDS = "1"
"""The version of the names of the fields."""

_FOOT, _LOWER_FOOT, _NUMBERED_FOOT = 9 * MM, 6.5 * MM, 11 * MM
"""Where the foot line stands, from the paper's edge: alone, of two, and above the page's number in a packet."""
_EDGE = 7 * MM
"""Around a quarter of the paper."""


@dataclass(frozen=True)
class Identity:
    """The marks by which a filled sheet is known again; `own` are the wishes besides its design."""

    game: str
    sheet: str
    own: str = ""


@dataclass(frozen=True)
class Frame:
    """A part of the paper that takes a sheet or a page of one, in points: its left edge, top, width and height."""

    x: float
    top: float
    width: float
    height: float


class ScorePages:
    """Draws the sheets of `design` in a layout. `values` are what is filled in already, by the names of the fields.

    `code` stands beside the title. Pages that are added to others have no numbers of their own.
    """

    def __init__(
        self,
        design: ScoreDesign,
        layout: str,
        document: Document,
        *,
        values: Mapping[str, str],
        identity: Identity,
        code: Code | None = None,
    ) -> None:
        self.design, self.layout, self.document, self.identity, self.code = design, layout, document, identity, code
        self.alone = not document.pages
        theme = document.glyphs.theme
        self.size = theme.floor
        self.style = quarter_style(theme) if layout == FOUR else page_style(theme, document.paper.height)
        self.pens = [Pen(document, self.style, values)]
        if layout != FOUR:
            self.pens.append(Pen(document, replace(self.style, lowest=TIGHT), values))
        self.frames = list(self._quarters()) if layout == FOUR else [self._body()]
        self.frame = self.frames[0]

    def _body(self) -> Frame:
        plan = ReadingPlan(self.document.paper, side=15 * MM, above=10 * MM, below=15 * MM)
        x, bottom, width, height = plan.body.points
        return Frame(x, bottom + height, width, height)

    def _quarters(self) -> Iterator[Frame]:
        """In reading order."""
        paper = self.document.paper
        width, height = points(paper.width / 2 - 2 * _EDGE), points(paper.height / 2 - 2 * _EDGE - 4 * MM)
        for number in range(4):
            row, column = divmod(number, 2)
            x, top = column * paper.width / 2 + _EDGE, paper.height - row * paper.height / 2 - _EDGE - 1.5 * MM
            yield Frame(points(x), points(top), width, height)

    def draw(self, people: Sequence[Player]) -> None:
        """The sheets of these people, one after the other; in large print each on as many pages as it takes."""
        sheets = sheet_parts(self.design, self.layout, people, brief=self.style.brief)
        height, long = self.frame.height, self.style.long
        made = [pages(self._fitting(self._ways(parts)), height, long=long) for parts in sheets]
        number, count = 0, sum(map(len, made))
        for parts, found in zip(sheets, made, strict=True):
            section, first, last = self.document.structure.add("Sect"), number, number + len(found) - 1
            for blocks in found:
                frame = self.frames[number % len(self.frames)]
                self._bookmark("" if number > first else parts.player.name, frame, number)
                end = stack(blocks, frame.x, frame.top, height, section)
                if number == last and self.layout != FOUR:
                    bottom = frame.top - height
                    draw_notes(self.pens[0], (frame.x, bottom, frame.width, end - bottom), section)
                self._end(frame, number, count)
                number += 1

    def _bookmark(self, name: str, frame: Frame, number: int) -> None:
        if title := name or (self.design.title if not number else ""):
            self.document.bookmark(title, f"sheet-{number}", 0, frame.top if self.layout == FOUR else None)

    def _end(self, frame: Frame, number: int, count: int) -> None:
        """The foot of a sheet; and that of the page, if this was the last frame on it."""
        if self.layout == FOUR:
            self._identify(frame.x + frame.width, frame.top - frame.height - 11, fields=not number)
        else:
            self._furniture(number + 1, count)
        if frame is self.frames[-1]:
            self._cuts()
            self.document.end_page()

    def _fitting(self, ways: Iterator[list[ScoreBlock]]) -> list[ScoreBlock]:
        """The first way to fill a page that fits on it. Else the first of all, or the last if one page must do."""
        tried: list[list[ScoreBlock]] = []
        for way in ways:
            if sum(block.least for block in way) <= self.frame.height:
                return way
            tried.append(way)
        return tried[0 if self.style.long else -1]

    def _ways(self, parts: SheetParts) -> Iterator[list[ScoreBlock]]:
        """The blocks of a sheet, with every pen.

        Where that is too much for a page, a party does without the purpose, and then with the reminder for the panels.
        """
        design, width = self.design, self.frame.width
        for pen in self.pens:
            whole, short = (Heading(pen, design, width, self.code, purpose=purpose) for purpose in (True, False))
            middle = [
                Lines(pen, parts.lines, width), TickLines(pen, parts.ticks, width), Table(pen, parts.table, width),
                *(Lined(pen, *listed, width) for listed in parts.lists),
            ]  # fmt: skip
            reminder = [TextPanel(pen, design.reminder, width)] if design.reminder else []
            below = reminder if self.layout == FOUR else list(self._below())
            yield [whole, *middle, *below]
            if self.layout == PARTY:
                yield [short, *middle, *below]
            if self.layout == PARTY and reminder and pen.style.columns > 1:
                yield [short, *middle, *reminder]

    def _below(self) -> Iterator[ScoreBlock]:
        """The panels: two columns of them, or in large print one after the other, and whose game it is."""
        pen, width = self.pens[0], self.frame.width
        panels = [panel for panel in self.design.panels if self.layout in panel.layouts]
        if self.layout == PARTY or self.style.brief:
            panels.insert(0, _what_counts(self.design, self.layout))
        panels = [panel for panel in panels if panel.items or panel.text or panel.head]
        if self.style.columns > 1:
            yield from [Panels(pen, panels, width)] if panels else []
            return
        yield from (TextPanel(pen, markdown(panel), width) for panel in panels)
        if self.design.credit:
            yield TextPanel(pen, self.design.credit, width)

    def _cuts(self) -> None:
        """Lines to cut along."""
        if self.layout != FOUR:
            return
        canvas, paper = self.document.canvas, self.document.paper
        width, height = points(paper.width), points(paper.height)
        canvas.setStrokeColor(self.document.colour(look.LINE))
        canvas.setLineWidth(0.5)
        canvas.setDash(3, 3)
        canvas.line(width / 2, 0, width / 2, height)
        canvas.line(0, height / 2, width, height / 2)
        canvas.setDash()

    def _furniture(self, number: int, count: int) -> None:
        """The foot: whose game it is, what the sheet is known by, and the page if there are several."""
        tail = f"{number} / {count}" if self.alone and count > 1 else ""
        write, width, size = self.document.write, self.document.glyphs.width, self.size
        x, room = self.frame.x, self.frame.width
        tailed = width(tail, look.TEXT, size) + 10 if tail else 0
        credit = self.design.credit if self.style.columns > 1 else ""
        known = sum(width(words, look.BOX, size) + 6 for words in (FIELDS, self.identity.sheet, self.identity.game))
        two = width(credit, look.TEXT, size) > room - known - tailed - 10
        foot = _LOWER_FOOT if two else _FOOT
        y = points(round(foot if self.alone else _NUMBERED_FOOT))
        write(tail, x + room, y, look.TEXT, size, align="right", colour=look.MUTED)
        self._identify(x + room - tailed, y, fields=number == 1)
        credit = self.document.shorten(credit, look.TEXT, size, room)
        write(credit, x, y + size * 1.2 if two else y, look.TEXT, size, colour=look.MUTED)

    def _identify(self, right: float, y: float, *, fields: bool) -> None:
        """Adds the marks by which a filled sheet is known again: as `fields` that nobody can change, or as words."""
        if not fields:
            words = "   ".join([self.identity.game, self.identity.sheet, FIELDS])
            self.document.write(words, right - 3, y, look.BOX, self.size, align="right")
            return
        parts = [("fields", "Version of the fields", FIELDS), ("sheet", "Sheet", self.identity.sheet),
                 ("game", "Game", self.identity.game)]  # fmt: skip
        place = self.document.structure.add("P")
        for name, tip, value in parts:
            width = self.document.glyphs.width(value, look.BOX, self.size) + 6
            right -= width
            box = (right, y - self.size * 0.36, width, self.size * 1.3)
            field = Field(f"vaultkit.{name}", "text", box, tip, value=value, size=self.size, fixed=True)
            self.document.field(field, tag=place)
        if self.identity.own:
            box = (right - 4, y, 1.0, 1.0)
            tip = "What this sheet asks for, for a program that reads it"
            field = Field("vaultkit.own", "text", box, tip, value=self.identity.own, fixed=True, hidden=True)
            self.document.field(field, tag=place)


def _what_counts(design: ScoreDesign, layout: str) -> Explanation:
    """The explanations of the columns, for a table that has them in short or not at all."""
    columns = [column for column in design.columns if layout in column.layouts]
    counted = [(column.title, column.how) for column in columns]
    counted += [(design.total.title, design.total.how)] if design.total else []
    return Explanation("What counts", items=tuple(f"**{title}:** {how}" for title, how in counted if how))
