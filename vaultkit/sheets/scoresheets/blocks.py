"""The blocks of a score sheet, from its title down to its panels."""

from collections.abc import Sequence
from typing import Any

from vaultkit.games.definition import Explanation
from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import ReadingPlan, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import ScoreDesign
from vaultkit.sheets.scoresheets.parts import Labelled, SheetParts
from vaultkit.sheets.scoresheets.pen import BETWEEN, MM, Item, Pen, Rows
from vaultkit.sheets.scoresheets.table import TableMaker
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.sheets.text.flowables import Flowable, Table, TableStyle
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.paragraphs import Setting
from vaultkit.sheets.text.tables import white_around
from vaultkit.vault.markdown import parse

_SHARE = 2.8
"""The least room for writing, in widths of a letter for each share."""
_SIGN, _STEP = 5 * MM, 8.5 * MM


class SheetBlocks:
    """Makes the blocks of one sheet of a design, for the body of a plan; their tags go under one of their own."""

    def __init__(self, pen: Pen, design: ScoreDesign, plan: ReadingPlan) -> None:
        self.pen, self.style, self.design, self.tag = pen, pen.style, design, Tag("Sect")
        self.width, self.column = points(plan.body.width), points(plan.column_width)
        self.made: list[Block] = []

    def _add(self, flowable: Any) -> None:
        self.made.append(Block(flowable, span=True, structure=self.tag))

    def heading(self, code: Code | None, *, purpose: bool) -> None:
        """Title, subtitle, the signs of the suits on a rule, and one sentence about the sheet; the code beside them."""
        design, style, full = self.design, self.style, not self.style.compact
        side = points(code.side) if code else 0.0
        width = self.width - 2 * side
        middle = {"alignment": 1, "spaceAfter": 3 * full}
        large, small = (style.title, look.TITLE_BOLD, look.ACCENT), (style.subtitle, look.TITLE, look.INK)
        made = []
        for kind, text, (size, face, colour) in [("H1", design.title, large), ("P", design.subtitle * full, small)]:
            if text:
                looks = middle | {"leading": size * 1.12, "textColor": colour}
                made.append(self.pen.words(text, face, size, width, self.tag.add(kind), **looks))
        made.append(SignRule(self.pen, design.icons if full else (), width))
        if design.purpose and purpose and full:
            looks = middle | {"leftIndent": width * 0.08, "rightIndent": width * 0.08, "textColor": look.MUTED}
            words = self.pen.words(design.purpose, look.ITALIC, max(11, style.text), width, self.tag.add("P"), **looks)
            made.append(words)
        beside = CodeFlowable(self.pen.document, code, self.tag) if code else ""
        self._add(Table([["", made, beside]], [side, width, side], style=TableStyle(white_around(0, 0, 0))))

    def body(self, parts: SheetParts) -> None:
        """The lines and boxes about the game, the table, and the lists."""
        self._rows(self._together(list(map(self._line, parts.lines))), self.style.line)
        ticks = [self._together(self._ticks(*group)) for group in parts.ticks]
        self._rows([item for group in ticks for item in group], self.style.text + 8)
        self._add(TableMaker(self.pen, parts, self.width, self.tag).make())
        for listing, boxes in parts.lists:
            self.text(Explanation(listing.title, listing.how), wide=True)
            need = (self.width + BETWEEN) / (listing.columns if self.style.columns > 1 else 1)
            held = self.tag.add("L", numbering="Decimal")
            tags = [held.add("LI") for _ in boxes]
            items = [
                Item(f"{number}", box, tag.add("Lbl"), tag.add("LBody"), need)
                for number, (box, tag) in enumerate(zip(boxes, tags, strict=True), 1)
            ]
            self._rows(items, self.style.listed)

    def _rows(self, items: Sequence[Item], step: float) -> None:
        if items:
            self._add(Rows(self.pen, items, self.width, step))

    def _together(self, items: Sequence[Item]) -> list[Item]:
        """Items that do not stand apart from those that follow, where these have room beside them."""
        rooms = [sum(item.need for item in items[number:]) for number in range(len(items))]
        return [item._replace(room=room * (room <= self.width)) for item, room in zip(items, rooms, strict=True)]

    def _line(self, line: Labelled) -> Item:
        (words, box, share), tag, text = line, self.tag.add("P"), self.style.text
        return Item(words, box, tag, tag, self.pen.label(words) + (_SHARE * share + 1) * text, share=share)

    def _ticks(self, title: str, options: Sequence[Labelled]) -> list[Item]:
        """A title, and boxes with their words."""
        tag = self.tag.add("P")
        needs = [(words, self.pen.ticked(words), box) for words, box, _ in options]
        titled = (title, self.pen.label(title), None)
        return [Item(words, box, tag, tag, need + BETWEEN) for words, need, box in (titled, *needs)]

    def text(self, panel: Explanation | str, *, wide: bool = False) -> None:
        """Words in Markdown, set as a note is."""
        size, width = self.style.text, self.width if wide else self.column
        setting = Setting(Inline(self.pen.glyphs, live=False, size=size), width, width, width, size, pictures=False)
        words = panel if isinstance(panel, str) else _markdown(panel)
        self.made += [block.spanning(wide) for block in TextBuilder(setting, self.tag).build(parse(words))]


class SignRule(Flowable):  # type: ignore[misc]
    """The signs of suits on a golden rule, or the rule alone."""

    def __init__(self, pen: Pen, signs: Sequence[str], width: float) -> None:
        super().__init__()
        self.theme, self.signs, self.width, self.height = pen.glyphs.theme, signs, width, (7 if signs else 2) * MM

    def draw(self) -> None:
        """Draws the rule at both sides of the signs."""
        middle, level = self.width / 2, self.height / 2 if self.signs else self.height
        first = middle - _STEP * (len(self.signs) - 1) / 2
        half = middle - first + 7 * MM if self.signs else 0.0
        self.canv.pen(look.GOLD, 0.8)
        self.canv.lines([(0, level, middle - half, level), (middle + half, level, self.width, level)])
        for number, name in enumerate(self.signs):
            at = {"x": first + number * _STEP - _SIGN / 2, "y": level - _SIGN / 2, "size": _SIGN}
            icons.draw_sign(self.canv, self.theme, name, **at, colour=self.theme.suit(name), letter=name)


class CodeFlowable(Flowable):  # type: ignore[misc]
    """A QR code."""

    def __init__(self, document: Document, code: Code, tag: Tag) -> None:
        super().__init__()
        self.document, self.code, self.tag, self.width = document, code, tag, points(code.side)
        self.height = self.width

    def draw(self) -> None:
        """Draws it."""
        self.code.draw(self.document, 0, 0, self.tag)


def _markdown(panel: Explanation) -> str:
    """A panel as a note: a heading, a paragraph, a list, a table, and paragraphs."""
    items = "\n".join(f"- {item}" for item in panel.items)
    rows = [panel.head, ("---",) * len(panel.head), *panel.rows] if panel.head else []
    table = "\n".join(f"|{'|'.join(cell.replace('|', '&#124;') for cell in row)}|" for row in rows)
    return "\n\n".join(filter(None, (f"### {panel.title}", panel.text, items, table, *panel.after)))
