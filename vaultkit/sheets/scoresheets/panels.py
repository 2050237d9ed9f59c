"""The lower part of a score sheet: panels of explanation in two columns, lists to write in, and lines for notes."""

from collections.abc import Sequence
from typing import Self

from vaultkit.games.definition import Explanation
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.design import Listing
from vaultkit.sheets.scoresheets.flow import ScoreBlock
from vaultkit.sheets.scoresheets.parts import SheetBox
from vaultkit.sheets.scoresheets.pen import Pen, Place
from vaultkit.sheets.scoresheets.style import MM
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.layout import TextColumn, TextPage, fill_column
from vaultkit.sheets.text.paint import draw_page
from vaultkit.sheets.text.paragraphs import Setting
from vaultkit.vault.markdown import parse

_GUTTER = 6 * MM
_MANY = 14
"""Of more panels than this not every way to share them out is tried."""
_FEWEST_LINES, _LOW = 3, 2 * MM
"""Of lines for notes, and how far above the edge the last of them lies."""
_DEEP = -100_000.0


def markdown(panel: Explanation) -> str:
    """A panel as a note: a heading, a paragraph, a list, a table, and paragraphs."""
    items = "\n".join(f"- {item}" for item in panel.items)
    rows = [panel.head, ("---",) * len(panel.head), *panel.rows] if panel.head else []
    table = "\n".join(f"|{'|'.join(cell.replace('|', '&#124;') for cell in row)}|" for row in rows)
    return "\n\n".join(filter(None, (f"### {panel.title}", panel.text, items, table, *panel.after)))


class TextPanel(ScoreBlock):
    """Words in Markdown, set as a note is."""

    def __init__(self, pen: Pen, text: str, width: float) -> None:
        super().__init__(pen, width)
        size = self.style.text
        setting = Setting(Inline(pen.glyphs, live=False, size=size), width, width, width, size, pictures=False)
        self.blocks = TextBuilder(setting).build(parse(text))
        last = fill_column(self.blocks, TextColumn(0, width, 0, _DEEP), pen.canvas)[0][-1]
        self.least = last.height - last.top + self.style.gap * 0.75

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:  # noqa: ARG002 - it is always `least`
        """One block below the other."""
        placed, _ = fill_column(self.blocks, TextColumn(x, self.width, top, top + _DEEP), self.pen.canvas)
        draw_page(self.pen.document, TextPage([placed]), tag)


class Panels(ScoreBlock):
    """Panels in two columns, shared out so that both end at about the same level."""

    def __init__(self, pen: Pen, panels: Sequence[Explanation], width: float) -> None:
        super().__init__(pen, width)
        self.panels, each = panels, (width - _GUTTER) / 2
        self.columns = _shared_out([TextPanel(pen, markdown(panel), each) for panel in panels])
        self.least = max(sum(panel.least for panel in column) for column in self.columns)

    def split(self, room: float) -> tuple[Self, Self] | None:
        """As many of the first panels as `room` holds, and the others."""
        for count in range(len(self.panels) - 1, 0, -1):
            first = type(self)(self.pen, self.panels[:count], self.width)
            if first.least <= room:
                return first, type(self)(self.pen, self.panels[count:], self.width)
        return None

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:  # noqa: ARG002 - it is always `least`
        """One column beside the other."""
        for number, column in enumerate(self.columns):
            y = top
            for panel in column:
                panel.draw(x + number * (panel.width + _GUTTER), y, panel.least, tag)
                y -= panel.least


def _shared_out(panels: list[TextPanel]) -> list[list[TextPanel]]:
    """Two columns of heights as even as can be; each keeps the panels' order, and the first panel is in the first."""

    def columns(bits: int) -> list[list[TextPanel]]:
        return [[one for n, one in enumerate(panels) if bits >> n & 1 == side] for side in (0, 1)]

    def taller(bits: int) -> float:
        return max(sum(one.least for one in column) for column in columns(bits))

    if len(panels) > _MANY:
        return [panels[::2], panels[1::2]]
    return columns(min(range(0, 1 << len(panels), 2), key=taller))


class Lined(ScoreBlock):
    """A titled list of numbered lines to write on."""

    def __init__(self, pen: Pen, listing: Listing, boxes: Sequence[SheetBox], width: float) -> None:
        super().__init__(pen, width)
        self.boxes = boxes
        self.columns = listing.columns if self.style.columns > 1 else 1
        self.rows = -(-len(boxes) // self.columns)
        self.head = TextPanel(pen, markdown(Explanation(listing.title, listing.how)), width)
        self.least = self.head.least + self.rows * self.style.line + self.style.gap

    @property
    def most(self) -> float:
        """All lines with ample room."""
        return self.least + self.rows * self.style.line * 0.45

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Title, words, and the lines, numbered down the columns."""
        top -= self.style.gap / 2
        self.head.draw(x, top, self.head.least, tag)
        top -= self.head.least
        below = min(1.5 * self.style.gap, height - self.head.least - self.rows * self.style.line)
        step = (height - self.head.least - below) / self.rows
        width = (self.width - _GUTTER * (self.columns - 1)) / self.columns
        listed, size = tag.add("L", numbering="Decimal"), self.style.text
        for number, box in enumerate(self.boxes):
            column, row = divmod(number, self.rows)
            left, y, item = x + column * (width + _GUTTER), top - (row + 1) * step + 3, listed.add("LI")
            self.write(f"{number + 1}", left, y, look.BOLD, size, colour=look.ACCENT, tag=item.add("Lbl"))
            self.pen.line(box, (left + size * 1.6, y, width - size * 1.6), item.add("LBody"))


def draw_notes(pen: Pen, place: Place, tag: Tag) -> None:
    """A title with ruled lines all over `place`, the last just above its edge; nothing where few lines have room."""
    x, bottom, width, room = place[0], place[1] + _LOW, place[2], place[3] - _LOW
    head = TextPanel(pen, "### Notes", width)
    room -= 4 * MM + head.least
    count = int(room // (pen.style.line * 1.2))
    if count < _FEWEST_LINES:
        return
    head.draw(x, bottom + room + head.least, head.least, tag)
    for number in range(count):
        pen.rule(look.LINE, x, bottom + number * room / count, x + width, 0.5)
