"""Score sheets in their layouts: which blocks they have, and where these lie on the paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, ReadingPlan, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets import grid
from vaultkit.sheets.scoresheets.design import FOUR, ONE, PARTY, ScoreDesign
from vaultkit.sheets.scoresheets.flow import ScoreBlock, pages, stack
from vaultkit.sheets.scoresheets.heading import Heading, Lines, TickLines
from vaultkit.sheets.scoresheets.panels import Lined, Panels, Reminder
from vaultkit.sheets.scoresheets.pen import Pen
from vaultkit.sheets.scoresheets.ruled import draw_notes
from vaultkit.sheets.scoresheets.style import page_style, quarter_style, tight_style
from vaultkit.sheets.scoresheets.table import Table
from vaultkit.sheets.scoresheets.values_given import Player

FIELDS = "1"
"""The version of the names of the fields."""

_FOOT, _LOWER_FOOT, _NUMBERED_FOOT = 9 * MM, 6.5 * MM, 11 * MM
"""Where the foot line stands, from the paper's edge: alone, of two, and above the page's number in a packet."""


@dataclass(frozen=True)
class Identity:
    """The marks by which a filled sheet is known again; `own` are the wishes besides its design."""

    game: str
    sheet: str
    own: str = ""


class ScorePages:
    """Draws the sheets of `design`. `values` are what is filled in already, by the names of the fields.

    `code` stands beside the title. Pages that are added to others have no numbers of their own.
    """

    def __init__(
        self,
        design: ScoreDesign,
        document: Document,
        values: Mapping[str, str],
        identity: Identity,
        code: Code | None = None,
    ) -> None:
        self.design, self.document, self.identity, self.code = design, document, identity, code
        self.alone = not document.pages
        theme = document.glyphs.theme
        self.size = theme.floor
        tall = document.paper.height
        self.pen = Pen(document, page_style(theme, tall), values)
        self.tight = Pen(document, tight_style(theme, tall), values)
        self.small = Pen(document, quarter_style(theme), values)
        self.plan = ReadingPlan(document.paper, side=15 * MM, above=10 * MM, below=15 * MM)
        self.x, self.bottom, self.width, self.height = self.plan.body.points

    def one(self, players: Sequence[Player]) -> None:
        """A page for each player, in large print as many as it takes."""
        made = [self._pages(self._fitting(self._ways_of_player(player)), player.name) for player in players]
        self._draw([page for player in made for page in player])

    def _ways_of_player(self, player: Player) -> Iterator[list[ScoreBlock]]:
        yield from (self._of_player(player, pen, self.width) for pen in (self.pen, self.tight))

    def _fitting(self, ways: Iterator[list[ScoreBlock]]) -> list[ScoreBlock]:
        """The first way to fill a page that fits on it. Else the first of all, or the last if one page must do."""
        tried: list[list[ScoreBlock]] = []
        for way in ways:
            if sum(block.least for block in way) <= self.height:
                return way
            tried.append(way)
        return tried[0 if self.pen.style.long else -1]

    def party(self, players: Sequence[str]) -> None:
        """All players on one page; `players` are their spoken names, `Player 1` where there is none.

        Where that is too much for a page it does without the purpose, and then with the reminder for the panels.
        """
        ways = (way for pen in (self.pen, self.tight) for way in self._ways_of_party(players, pen))
        self._draw(self._pages(self._fitting(ways), ""))

    def _ways_of_party(self, players: Sequence[str], pen: Pen) -> Iterator[list[ScoreBlock]]:
        design, width = self.design, self.width
        common = [line for line in design.lines if line.id != "player"]
        shared = [group for group in design.ticks if not group.own]
        middle: list[ScoreBlock] = [
            Lines(pen, common, width, "", ""),
            TickLines(pen, shared, width, "", ""),
            Table(pen, grid.for_party(design, players), width),
        ]
        whole, short = (Heading(pen, design, width, self.code, purpose=told) for told in (True, False))
        below = self._below(PARTY)
        yield [whole, *middle, *below]
        yield [short, *middle, *below]
        if design.reminder and pen.style.columns > 1:
            yield [short, *middle, Reminder(pen, design.reminder, width)]

    def four(self, players: Sequence[Player]) -> None:
        """Four players on each page, with a line to cut along."""
        sides = [self._quarter_blocks(player) for player in players]
        for start in range(0, len(sides), 4):
            for place, blocks in enumerate(sides[start : start + 4]):
                self._draw_quarter(blocks, place, players[start + place].name)
                self._identify_quarter(place, fields=not start and not place)
            self._cuts()
            self.document.end_page()

    def _of_player(self, player: Player, pen: Pen, width: float) -> list[ScoreBlock]:
        design, prefix, who = self.design, player.prefix, player.who
        compact = pen.style.compact
        layout = FOUR if compact else ONE
        blocks: list[ScoreBlock] = [
            Heading(pen, design, width, None if compact else self.code),
            Lines(pen, design.lines, width, prefix, who),
            TickLines(pen, design.ticks, width, prefix, who),
            Table(pen, grid.for_player(design, layout, prefix, who, compact=pen.style.brief), width),
        ]
        if compact:
            return [*blocks, Reminder(pen, design.reminder, width)] if design.reminder else blocks
        return [*blocks, *(Lined(pen, listing, width, prefix, who) for listing in design.lists), *self._below(ONE)]

    def _below(self, layout: str) -> list[ScoreBlock]:
        """The panels: two columns of them, or in large print one after the other, and whose game it is."""
        panels = [panel for panel in self.design.panels if layout in panel.layouts]
        if layout == PARTY or self.pen.style.brief:
            panels.insert(0, grid.what_counts(self.design, layout))
        panels = [panel for panel in panels if panel.items or panel.text or panel.head]
        if self.pen.style.columns == 1:
            made: list[ScoreBlock] = [Panels(self.pen, [panel], self.width, 1) for panel in panels]
            credit = self.design.credit
            return [*made, Reminder(self.pen, credit, self.width, colour=look.MUTED)] if credit else made
        return [Panels(self.pen, panels, self.width, 2)] if panels else []

    def _pages(self, blocks: Sequence[ScoreBlock], name: str) -> list[tuple[list[ScoreBlock], str]]:
        found = pages([block for block in blocks if block.least], self.height, long=self.pen.style.long)
        return [(page, name if not number else "") for number, page in enumerate(found)]

    def _draw(self, made: Sequence[tuple[list[ScoreBlock], str]]) -> None:
        for number, (page, name) in enumerate(made, 1):
            if name or number == 1:
                section = self.document.structure.add("Sect")
                self.document.bookmark(name or self.design.title, f"sheet-{self.document.pages}", 0)
            end = stack(page, self.x, self.bottom + self.height, self.height, section)
            if number == len(made) or made[number][1]:
                draw_notes(self.pen, (self.x, self.bottom, self.width, end - self.bottom), section)
            self._furniture(number, len(made))
            self.document.end_page()

    def _quarter_blocks(self, player: Player) -> list[ScoreBlock]:
        width, height = self._quarter
        blocks = [block for block in self._of_player(player, self.small, width) if block.least]
        return pages(blocks, height, long=False)[0]

    @property
    def _quarter(self) -> tuple[float, float]:
        """The width and height that are left of a quarter of the paper."""
        paper, edge = self.document.paper, 2 * 7 * MM
        return points(paper.width / 2 - edge), points(paper.height / 2 - edge - 4 * MM)

    def _corner(self, place: int) -> tuple[float, float]:
        """The upper left corner of what is drawn on a quarter, 0 to 3 in reading order."""
        paper, (row, column) = self.document.paper, divmod(place, 2)
        return points(column * paper.width / 2 + 7 * MM), points(paper.height - row * paper.height / 2 - 8.5 * MM)

    def _identify_quarter(self, place: int, *, fields: bool) -> None:
        (x, top), (width, height) = self._corner(place), self._quarter
        self._identify(x + width, top - height - 11, fields=fields)

    def _draw_quarter(self, blocks: Sequence[ScoreBlock], place: int, name: str) -> None:
        x, top = self._corner(place)
        section = self.document.structure.add("Sect")
        if name:
            self.document.bookmark(name, f"{name}-{self.document.pages}-{place}", 0, top)
        stack(blocks, x, top, self._quarter[1], section)

    def _cuts(self) -> None:
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
        right = self.x + self.width
        credit = self.design.credit if self.pen.style.columns > 1 else ""
        known = sum(width(words, look.BOX, size) + 6 for words in (FIELDS, self.identity.sheet, self.identity.game))
        left = self.width - known - (width(tail, look.TEXT, size) + 10 if tail else 0) - 10
        two = width(credit, look.TEXT, size) > left
        foot = _LOWER_FOOT if two else _FOOT
        y = points(round(foot if self.alone else _NUMBERED_FOOT))
        write(tail, right, y, look.TEXT, size, align="right", colour=look.MUTED)
        self._identify(right - (width(tail, look.TEXT, size) + 10 if tail else 0), y, fields=number == 1)
        credit = self.document.shorten(credit, look.TEXT, size, self.width)
        write(credit, self.x, y + size * 1.2 if two else y, look.TEXT, size, colour=look.MUTED)

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
