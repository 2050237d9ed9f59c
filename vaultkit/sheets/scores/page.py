"""Score sheets in their layouts: which blocks they have, and where these lie on the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultkit.sheets import theme as look
from vaultkit.sheets.geometry.paper import MM, points
from vaultkit.sheets.geometry.reading import ReadingPlan
from vaultkit.sheets.pdf.document import FURNITURE_SIZE, Document
from vaultkit.sheets.pdf.forms import Field
from vaultkit.sheets.scores import grid
from vaultkit.sheets.scores.design import FOUR, ONE, PARTY, ScoreDesign
from vaultkit.sheets.scores.filled import Player
from vaultkit.sheets.scores.flow import Block, pages, stack
from vaultkit.sheets.scores.heading import Heading, Lines, TickLines
from vaultkit.sheets.scores.panels import Lined, Panels, Reminder
from vaultkit.sheets.scores.pen import Pen
from vaultkit.sheets.scores.style import page_style, quarter_style
from vaultkit.sheets.scores.table import Table

FIELDS = "1"
"""The version of the names of the fields."""


@dataclass(frozen=True)
class Identity:
    """What the sheet is known by when it comes back filled in."""

    game: str
    sheet: str


class ScorePages:
    """Draws the sheets of `design`. `values` are what is filled in already, by the names of the fields."""

    def __init__(self, design: ScoreDesign, document: Document, values: Mapping[str, str], identity: Identity) -> None:
        self.design, self.document, self.identity = design, document, identity
        theme = document.glyphs.theme
        self.pen = Pen(document, page_style(theme), values)
        self.small = Pen(document, quarter_style(theme), values)
        self.plan = ReadingPlan(document.paper, side=15 * MM, above=10 * MM, below=15 * MM)
        self.x, self.bottom, self.width, self.height = self.plan.body.points

    def one(self, players: Sequence[Player]) -> None:
        """A page for each player, in large print as many as it takes."""
        made = [self._pages(self._of_player(player, self.pen, self.width), player.name) for player in players]
        self._draw([page for player in made for page in player])

    def party(self, players: Sequence[str]) -> None:
        """All players on one page; `players` are their spoken names, `Player 1` where there is none."""
        design, pen, width = self.design, self.pen, self.width
        common = [line for line in design.lines if line.id != "player"]
        shared = [group for group in design.ticks if not group.own]
        blocks: list[Block] = [
            Heading(pen, design, width),
            Lines(pen, common, width, "", ""),
            TickLines(pen, shared, width, "", ""),
            Table(pen, grid.for_party(design, players), width),
            *self._below(PARTY),
        ]
        self._draw(self._pages(blocks, ""))

    def four(self, players: Sequence[Player]) -> None:
        """Four players on each page, with a line to cut along."""
        sides = [self._quarter_blocks(player) for player in players]
        for start in range(0, len(sides), 4):
            for place, blocks in enumerate(sides[start : start + 4]):
                self._draw_quarter(blocks, place, players[start + place].name)
                self._identify_quarter(place, fields=not start and not place)
            self._cuts()
            self.document.end_page()

    def _of_player(self, player: Player, pen: Pen, width: float) -> list[Block]:
        design, prefix, who = self.design, player.prefix, player.who
        compact = pen.style.compact
        layout = FOUR if compact else ONE
        blocks: list[Block] = [
            Heading(pen, design, width),
            Lines(pen, design.lines, width, prefix, who),
            TickLines(pen, design.ticks, width, prefix, who),
            Table(pen, grid.for_player(design, layout, prefix, who, compact=compact), width),
        ]
        if compact:
            return [*blocks, Reminder(pen, design.reminder, width)] if design.reminder else blocks
        return [*blocks, *(Lined(pen, listing, width, prefix, who) for listing in design.lists), *self._below(ONE)]

    def _below(self, layout: str) -> list[Block]:
        """The panels: two columns of them, or in large print one after the other."""
        panels = [panel for panel in self.design.panels if layout in panel.layouts]
        if layout == PARTY:
            panels.insert(0, grid.what_counts(self.design))
        panels = [panel for panel in panels if panel.items or panel.text or panel.head]
        if self.pen.style.columns == 1:
            return [Panels(self.pen, [panel], self.width, 1) for panel in panels]
        return [Panels(self.pen, panels, self.width, 2)] if panels else []

    def _pages(self, blocks: Sequence[Block], name: str) -> list[tuple[list[Block], str]]:
        found = pages([block for block in blocks if block.least], self.height, long=self.pen.style.long)
        return [(page, name if not number else "") for number, page in enumerate(found)]

    def _draw(self, made: Sequence[tuple[list[Block], str]]) -> None:
        for number, (page, name) in enumerate(made, 1):
            if name or number == 1:
                section = self.document.structure.add("Sect")
                self.document.bookmark(name or self.design.title, f"sheet-{self.document.pages}", 0)
            stack(page, self.x, self.bottom + self.height, self.height, section)
            self._furniture(number, len(made))
            self.document.end_page()

    def _quarter_blocks(self, player: Player) -> list[Block]:
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
        self._identify(x + width, top - height - 10, fields=fields)

    def _draw_quarter(self, blocks: Sequence[Block], place: int, name: str) -> None:
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
        """The foot: whose game it is, what the sheet is known by, and the page."""
        y, tail = points(9 * MM), f"{number} / {count}"
        self.document.furniture(self.plan.body, self.design.credit, tail, y=y)
        right = self.x + self.width - self.document.glyphs.width(tail, look.TEXT, FURNITURE_SIZE) - 10
        self._identify(right, y, fields=number == 1)

    def _identify(self, right: float, y: float, *, fields: bool) -> None:
        """What the sheet is recognised by when it is read back: in `fields` that nobody can change, once in a file."""
        parts = [("fields", "Version of the fields", FIELDS), ("sheet", "Sheet", self.identity.sheet)]
        if not fields:
            words = "   ".join([self.identity.game, self.identity.sheet, FIELDS])
            self.document.write(words, right, y, look.TEXT, FURNITURE_SIZE, align="right", colour=look.MUTED)
            return
        place = self.document.structure.add("P")
        for name, tip, value in [*parts, ("game", "Game", self.identity.game)]:
            width = self.document.glyphs.width(value, look.BOX, FURNITURE_SIZE) + 6
            right -= width
            box, size = (right, y - 3, width, 11.0), FURNITURE_SIZE
            self.document.field(
                Field(f"vaultkit.{name}", "text", box, tip, value=value, size=size, fixed=True), tag=place
            )  # fmt: skip
