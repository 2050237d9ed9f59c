"""How large everything on a score sheet is, in points: on a page of its own, on a quarter of one, in large print."""

from dataclasses import dataclass

from vaultkit.look import theme as look
from vaultkit.look.theme import Theme

MM = 72 / 25.4
WRITABLE, TIGHT = 10 * MM, 6.2 * MM
"""So high is a box that takes a number from a pen with ease, and so high one that it can just be written in."""
_A4 = 297_000


@dataclass(frozen=True)
class Style:
    """Sizes of letters: `text` for all that is read, `row` for the names of rows; `face` is that of heads and rows.

    A row of boxes is at least `lowest` and at most `highest` high, one of boxes to tick is `tick` high, a `line` to
    write on takes so much. `compact` sheets have no panels; they say what counts in their columns' short words, as all
    do that are `brief`. `long` ones go on over several pages if need be. `columns` are those of the panels.
    By `grown`, from 0 to 1, all to write in is higher than it must be.
    """

    title: float
    subtitle: float
    text: float
    row: float
    head: float
    lowest: float
    highest: float
    tick: float
    line: float
    gap: float
    face: str = look.TITLE_BOLD
    compact: bool = False
    long: bool = False
    columns: int = 2
    brief: bool = False
    grown: float = 0.0

    @property
    def high(self) -> float:
        """How high a row of boxes is now, between the lowest and the highest."""
        return self.lowest + max(0.0, self.highest - self.lowest) * self.grown

    @property
    def listed(self) -> float:
        """How high a line of a list is, which may grow by nearly a half."""
        return self.line * (1 + 0.45 * self.grown)


def page_style(theme: Theme, tall: int) -> Style:
    """The style of a sheet that has a page to itself, `tall` micrometres high: on a large one rows may be higher."""
    grown = MM * max(1.0, tall / _A4)
    if theme.large:
        return Style(
            34, 20, 16, 19, 16, 16 * MM, 28 * grown, 10 * MM, 12 * MM, 4 * MM, long=True, columns=1, brief=True
        )
    return Style(
        30, 13, theme.floor, 14, 10.5, WRITABLE + 0.8 * MM, 22 * grown, 6 * MM, 7.5 * MM, 3.2 * MM, long=theme.easy_read
    )


def quarter_style(theme: Theme) -> Style:
    """The style of a sheet that is a quarter of a page."""
    sizes = 17, 10, theme.floor, 12, 10.5, 6.4 * MM, 17 * MM, 6 * MM, 6.2 * MM, 2.2 * MM
    return Style(*sizes, look.BOLD, compact=True, brief=True)
