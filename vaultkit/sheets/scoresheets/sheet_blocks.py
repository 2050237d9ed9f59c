"""The blocks of a score sheet, from its title to the panels, for the layout on pages."""

from collections.abc import Sequence
from typing import Any

from vaultkit.games.definition import Explanation
from vaultkit.sheets.paper import MM_POINTS, ReadingPlan, points
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import QrCode
from vaultkit.sheets.scoresheets.design import ScoreDesign
from vaultkit.sheets.scoresheets.grid import GridFlowable
from vaultkit.sheets.scoresheets.painter import ITEM_GAP_PT, Item, SheetPainter, item_rows
from vaultkit.sheets.scoresheets.parts import SheetBox, SheetParts
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.flowables import DrawingFlowable, Table, TableStyle
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.setting import Setting
from vaultkit.sheets.text.tables import padding_commands
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.vault.markdown import parse

_MIN_WIDTH_FACTOR = 2.8
"""The minimum width to write in, in multiples of the text size for each share."""
_SIGN_SIZE_PT, _SIGN_STEP_PT = 5 * MM_POINTS, 8.5 * MM_POINTS


class SheetBlocks:
    """The maker of the blocks of one sheet for the body of a plan; their tags are below one of their own."""

    def __init__(self, pen: SheetPainter, design: ScoreDesign, plan: ReadingPlan) -> None:
        self.pen, self.style, self.design, self.tag = pen, pen.style, design, Tag("Sect")
        self.width, self.column, self.made = points(plan.body.width), points(plan.column_width), list[Block]()

    def _add(self, *flowables: Any) -> None:
        self.made += [Block(flowable, span=True, structure=self.tag) for flowable in flowables]

    def heading(self, code: QrCode | None) -> None:
        """Add title, subtitle, the signs of the suits on a rule, one sentence about the sheet, and the code."""
        design, style, full = self.design, self.style, not self.style.compact
        side = points(code.side) if code else 0.0
        width, aside = self.width - 2 * side, 0.08 * (self.width - 2 * side)
        flowables: list[Any] = []

        def write(kind: str, text: str, face: str, size: float, **looks: Any) -> None:
            if text:
                looks |= {"alignment": 1, "spaceAfter": 3 + 0.2 * size * self.pen.glyphs.theme.large}
                flowables.append(self.pen.words(text, face, size, width, self.tag.add(kind), **looks))

        write("H1", design.title, look.TITLE_BOLD, style.title, leading=style.title * 1.12, textColor=look.ACCENT)
        write("P", design.subtitle * full, look.TITLE, style.subtitle, leading=style.subtitle * 1.12)
        signs = design.icons if full else ()
        flowables.append(DrawingFlowable(width, (7 if signs else 2) * MM_POINTS, lambda: self._rule(signs, width)))
        purpose, looks = design.purpose * style.purpose, {"leftIndent": aside, "rightIndent": aside}
        write("P", purpose, look.ITALIC, max(11, style.text), textColor=look.MUTED, **looks)
        beside = DrawingFlowable(side, side, lambda: code.draw(self.pen.document, 0, 0, self.tag)) if code else ""
        self._add(Table([["", flowables, beside]], [side, width, side], style=TableStyle(padding_commands(0, 0, 0))))

    def _rule(self, signs: Sequence[str], width: float) -> None:
        """Draw the signs of suits on a golden rule, or the rule alone."""
        canvas, theme, middle = self.pen.canvas, self.pen.glyphs.theme, width / 2
        level = (3.5 if signs else 2) * MM_POINTS
        first = middle - _SIGN_STEP_PT * (len(signs) - 1) / 2
        half = middle - first + 7 * MM_POINTS if signs else 0.0
        canvas.pen(look.GOLD, 0.8)
        canvas.lines([(0, level, middle - half, level), (middle + half, level, width, level)])
        for number, name in enumerate(signs):
            x, y = first + number * _SIGN_STEP_PT - _SIGN_SIZE_PT / 2, level - _SIGN_SIZE_PT / 2
            at = {"x": x, "y": y, "size": _SIGN_SIZE_PT}
            icons.draw_sign(canvas, theme, name, **at, colour=theme.suit_role(name), letter=name)

    def body(self, parts: SheetParts) -> None:
        """Add the lines and boxes about the game, the table, and the lists."""
        gap = 1.2 * self.style.gap
        line_items = [
            Item(line.title, box, self.tag.add("P"), self.pen.label(line.title) + least * self.style.text, line.share)
            for line, box in parts.lines
            if (least := _MIN_WIDTH_FACTOR * line.share + 1)
        ]
        self._add(*item_rows(self.pen, [line_items], self.width, self.style.line, gap))
        ticks = [self._ticks(title, boxes) for title, boxes in parts.ticks]
        self._add(*item_rows(self.pen, ticks, self.width, self.style.text + 8))
        for grid in parts.grids:
            if grid.title:
                self.text(grid.title, wide=True)
            self._add(GridFlowable(self.pen, grid, self.width, self.tag))

    def _ticks(self, title: str, boxes: Sequence[SheetBox]) -> list[Item]:
        """Return a title, and boxes with their words."""
        tag, measure = self.tag.add("P"), self.pen.tick_width
        items = [Item(box.words, box, tag, min(measure(box.words) + ITEM_GAP_PT, self.width)) for box in boxes]
        return [Item(title, None, tag, self.pen.label(title) + ITEM_GAP_PT), *items]

    def text(self, words: str, *, wide: bool = False) -> None:
        """Add words in Markdown, laid out like a note."""
        size, width = self.style.text, self.width if wide else self.column
        setting = Setting(Inline(self.pen.glyphs, live=False, size=size), width, width, width, size, pictures=False)
        self.made += [block.copy_with_span(wide) for block in TextBuilder(setting, self.tag).build(parse(words))]


def panel_markdown(panel: Explanation) -> str:
    """Return a panel as a note: a heading, a paragraph, a list, a table, and paragraphs."""
    items = "\n".join(f"- {item}" for item in panel.items)
    rows = [panel.head, ("---",) * len(panel.head), *panel.rows] if panel.head else []
    table = "\n".join(f"|{'|'.join(cell.replace('|', '&#124;') for cell in row)}|" for row in rows)
    return "\n\n".join(filter(None, (f"### {panel.title}", panel.text, items, table, *panel.after)))
