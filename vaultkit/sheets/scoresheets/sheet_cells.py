"""The cells and boxes of a score sheet, with their places in a grid."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from vaultkit.compendium.words import ENGLISH, VaultWords
from vaultkit.games.definition import Line
from vaultkit.sheets.scoresheets.design import Kind, Ticks


class Player(Struct, frozen=True):
    """A player of a sheet: the prefix of the names of its fields, and the player's name, "" if it is not known."""

    prefix: str = ""
    name: str = ""

    def whose(self, words: VaultWords = ENGLISH) -> str:
        """Return the player's name or number, which precedes the description of a box on a sheet for several."""
        return f"{self.name or words('Player {number}', number=self.prefix[1:-1])}: " if self.prefix else ""


ALL = Player()


class SheetBox(Struct, frozen=True):
    """A box to fill in: its field's name without the player's prefix, its description, and the kind of its contents.

    `words` tell it from other boxes of its row or group. `options` are those of a choice, or the one to tick. A box for
    a `name` may have several lines. A box to tick that excludes others has a `group`: in the PDF, the group is one
    field with its name.
    """

    key: str
    label: str
    kind: Kind = "number"
    player: Player = ALL
    options: tuple[str, ...] = ()
    name: bool = False
    group: Ticks | None = None
    words: str = ""

    @property
    def field(self) -> str:
        """The full name of the field, with the option at the end for a box of a group."""
        return self.player.prefix + self.key

    @property
    def column(self) -> str:
        """The last part of the name: the column of a box in a row."""
        return self.key.rpartition(".")[2]

    @property
    def question(self) -> str:
        """The key of the question that the box answers; all boxes of a group answer one question."""
        return self.key.removesuffix(f".{self.options[0]}") if self.kind == "tick" else self.key


class Cell(Struct, frozen=True):
    """A cell of a grid: words with a hint, a box, or boxes to tick with their words; it may span lines and columns.

    The words of a cell with a box are its title when it is repeated on the next page.
    """

    words: str = ""
    box: SheetBox | None = None
    look: Literal["head", "label", "section", "title", "total", "name", "hint", "aside"] = "aside"
    hint: str = ""
    icon: str = ""
    ticks: tuple[SheetBox, ...] = ()
    rows: int = 1
    columns: int = 1


Cells = Sequence[Cell]
"""A line of a grid without the places that cells of the lines above span."""


class ColumnWidth(Struct, frozen=True):
    """The minimum width of a column in mm, and the maximum that it gets if there is room.

    A column without a maximum is as wide as its words, and gets the width left over.
    """

    least: float
    most: float = 0.0
    share: float = 1.0


class Grid(Struct, frozen=True):
    """A table of cells with a title in Markdown. The `heads` are repeated at the top of each page and each block.

    `blocks` is the number of blocks of lines side by side; 0 for as many as suit the page.
    """

    heads: Sequence[Cells]
    lines: Sequence[Cells]
    widths: Sequence[ColumnWidth]
    title: str = ""
    blocks: int = 1


class SheetParts(Struct, frozen=True):
    """The parts of a sheet from the top down with their boxes: lines, titled groups of boxes to tick, grids."""

    player: Player
    lines: Sequence[tuple[Line, SheetBox]]
    ticks: Sequence[tuple[str, Sequence[SheetBox]]]
    grids: Sequence[Grid]

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """All boxes of the sheet, in this order."""
        yield from (box for _, box in self.lines)
        yield from (box for _, boxes in self.ticks for box in boxes)
        cells = (cell for grid in self.grids for line in (*grid.heads, *grid.lines) for cell in line)
        yield from (box for cell in cells for box in ([cell.box] if cell.box else cell.ticks))
