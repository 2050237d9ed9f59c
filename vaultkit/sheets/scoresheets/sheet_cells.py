"""The cells and the boxes of which a score sheet consists, each with its place in a grid."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from vaultkit.compendium.words import ENGLISH, VaultWords
from vaultkit.games.definition import Line
from vaultkit.sheets.scoresheets.design import Kind, Ticks


class Player(Struct, frozen=True):
    """One player's sheet: what the fields' names begin with, and the player's name, "" while nobody knows it."""

    prefix: str = ""
    name: str = ""

    def whose(self, words: VaultWords = ENGLISH) -> str:
        """Return whose box it is, said before it where there are several players: by name, else by number."""
        return f"{self.name or words('Player {number}', number=self.prefix[1:-1])}: " if self.prefix else ""


ALL = Player()


class SheetBox(Struct, frozen=True):
    """A box to fill in: its field's name without the player's prefix, what people call it, and what goes in.

    `options` are a choice's, or the one that is ticked. A box for a `name` may take several lines. One to tick has a
    `group` if it rules out all others of that: in the file they are one field, which has the name of the group.
    """

    key: str
    label: str
    kind: Kind = "number"
    player: Player = ALL
    options: tuple[str, ...] = ()
    name: bool = False
    group: Ticks | None = None

    @property
    def field(self) -> str:
        """The full name of its field, with its option at the end if it is one of several that rule each other out."""
        return self.player.prefix + self.key

    @property
    def question(self) -> str:
        """The key of its question: one to tick answers it together with all of its group."""
        return self.key.removesuffix(f".{self.options[0]}") if self.kind == "tick" else self.key


class Cell(Struct, frozen=True):
    """A cell of a grid: words with a hint, or a box; then the words are what it is called on the next page.

    Or it has boxes to tick, each with its words. It reaches over so many lines and columns.
    """

    words: str = ""
    box: SheetBox | None = None
    look: Literal["head", "label", "section", "title", "total", "name", "hint", "aside"] = "aside"
    hint: str = ""
    icon: str = ""
    ticks: tuple[tuple[str, SheetBox], ...] = ()
    rows: int = 1
    columns: int = 1

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """Its box, or its boxes to tick."""
        yield from [self.box] if self.box else (box for _, box in self.ticks)


Cells = Sequence[Cell | None]
"""A line of a grid; None is where a cell reaches that stands before or above."""


class GridLine(Struct, frozen=True):
    """A line of cells. A `joined` one belongs to the line above it, with which it has one ground."""

    cells: Cells
    joined: bool = False


class ColumnWidth(Struct, frozen=True):
    """How wide a column is in mm: at the `least`, and at the `most` if there is room.

    Without `most` it is as wide as its words, and takes what is left over.
    """

    least: float
    most: float = 0.0
    share: float = 1.0


class Grid(Struct, frozen=True):
    """A table of cells with a title in Markdown. The `heads` are repeated at the top of each page and each block.

    Its lines stand in so many `blocks` side by side, or in as many as suit the page for 0.
    """

    heads: Sequence[Cells]
    lines: Sequence[GridLine]
    widths: Sequence[ColumnWidth]
    title: str = ""
    blocks: int = 1


class SheetParts(Struct, frozen=True):
    """A sheet from the top down: lines, groups of boxes to tick, grids; each part with its boxes."""

    player: Player
    lines: Sequence[tuple[Line, SheetBox]]
    ticks: Sequence[tuple[Ticks, Sequence[SheetBox]]]
    grids: Sequence[Grid]

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """All of them, in this order."""
        yield from (box for _, box in self.lines)
        yield from (box for _, boxes in self.ticks for box in boxes)
        lines = [cells for grid in self.grids for cells in (*grid.heads, *(line.cells for line in grid.lines))]
        yield from (box for line in lines for cell in line if cell for box in cell.boxes)
