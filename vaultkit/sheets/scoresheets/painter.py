"""The sizes of everything on a score sheet, drawing of its words and boxes, and the blocks around its grids."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from msgspec import structs

from vaultkit.games.definition import Explanation
from vaultkit.sheets.paper import MM_POINTS as MM
from vaultkit.sheets.paper import ReadingPlan, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import FIELD_FACE, Field, count_lines
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import QrCode
from vaultkit.sheets.scoresheets.design import ScoreDesign
from vaultkit.sheets.scoresheets.parts import SheetBox, SheetParts
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.flowables import DrawingFlowable, Table, TableStyle
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.setting import Setting
from vaultkit.sheets.text.tables import padding_commands
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.vault.markdown import parse
from vaultkit.vault.writing.escape import escape_markdown

WRITABLE_HEIGHT_PT, MIN_LINE_HEIGHT_PT = 10 * MM, 6.55 * MM
"""The height of a box that is easy to write in with a pen, and the minimum height of a line to write in."""
_A4_HEIGHT_UM = 297_000
_MAX_FORM_LINE_HEIGHT_PT = 13 * MM
"""The maximum height of a line of numbers in a form."""


@dataclass(frozen=True)
class Style:
    """The sizes on a sheet: `text` for what is read, `row` for the titles of rows; `face` is for headers and rows.

    A line of boxes is `lowest` to `highest` high, a line to write on `line`. `compact` sheets have a short heading,
    `brief` ones explain columns in few words. Without `panels` a sheet has the reminder in their place, without
    `purpose` no sentence about the game. `grown`, from 0 to 1, is how far lines to write in are raised from their
    minimum to their maximum height. A line of names is at least `name_line` high. `fold` is the number of blocks that
    grids have beyond their own.
    """

    title: float
    subtitle: float
    text: float
    row: float
    head: float
    lowest: float
    highest: float
    line: float
    gap: float
    face: str = look.TITLE_BOLD
    compact: bool = False
    brief: bool = False
    purpose: bool = True
    panels: bool = True
    grown: float = 0.0
    fold: int = 0
    name_line: float = WRITABLE_HEIGHT_PT + 5.2

    @property
    def row_height(self) -> float:
        """The height of a line of boxes, between `lowest` and `highest`, in points."""
        return self.lowest + max(0.0, self.highest - self.lowest) * self.grown

    @property
    def list_line(self) -> float:
        """The height of an entry of a list, in points."""
        return self.line * (1 + 0.45 * self.grown)

    @property
    def tick(self) -> float:
        """The height of a line of boxes to tick, in points."""
        return min(self.row_height, max(MIN_LINE_HEIGHT_PT, 0.7 * MM * self.text))


def style_of(theme: look.Theme, tall: int, *, quarter: bool, is_form: bool) -> Style:
    """Return the style of a sheet for a page `tall` micrometres high, or a `quarter`; large pages get high rows."""
    if quarter:
        sizes = 16.0, 10.0, theme.min_text_size, 11.5, 10.0, MIN_LINE_HEIGHT_PT, 17 * MM, MIN_LINE_HEIGHT_PT, 1.2 * MM
        style = Style(*sizes, look.BOLD, compact=True, brief=True, purpose=False, panels=is_form)
    else:
        grown = MM * max(1.0, tall / _A4_HEIGHT_UM)
        if theme.large:
            return Style(34, 20, 16, 19, 16, 16 * MM, 28 * grown, 12 * MM, 4 * MM, brief=True, name_line=16 * MM)
        lowest = WRITABLE_HEIGHT_PT + 0.8 * MM
        style = Style(30, 13, theme.min_text_size, 14, 10.5, lowest, 22 * grown, 7.5 * MM, 3.2 * MM)
    return replace(style, highest=min(style.highest, _MAX_FORM_LINE_HEIGHT_PT)) if is_form else style


_MAX_NUMBER_SIZE_PT = 19.0
ROUND_HEIGHT_PT = 8 * MM
"""The minimum height of a box with round corners, in points; lower boxes share their borders."""
_TWO_LINES_HEIGHT_FACTOR = 2.2
"""The minimum height of a box for two lines of words, as a multiple of their size."""
_MIN_NAME_WIDTH_PT = 60.0
"""The width of a box, in points, below which most names need several lines."""
_MIN_NAME_SIZE_PT, _USUAL_NAME_SIZE_PT, _MAX_NAME_SIZE_PT = 7.0, 10.0, 14.0
MAX_WHOLE_NAME_LENGTH = 24
"""The maximum length of a name that is printed whole."""
_ITEM_GAP_PT = 4 * MM
"""The white between items in a row, in points."""
_MIN_WIDTH_FACTOR = 2.8
"""The minimum width to write in, in multiples of the text size for each share."""
_SIGN_SIZE_PT, _SIGN_STEP_PT = 5 * MM, 8.5 * MM
_LINE_BASELINE_OFFSET_PT, _TICK_BASELINE_OFFSET_PT = 3.0, 7.0
"""The distance from the foot of the line to the baseline of the words, for lines to write on and for boxes to tick."""

_KINDS: Mapping[str, Any] = {"choice": "choice", "tick": "check"}
"""The kinds of PDF fields for boxes that take no text."""
Place = tuple[float, float, float, float]
"""x, y, width and height in points."""


@dataclass
class SheetPainter:
    """A painter of score sheets on `document`. `values` are the contents that are filled in, by the names of fields.

    `heights` keeps the heights of words from one attempt to the next. Titles in a file of a `design` are Markdown.
    """

    document: Document
    style: Style
    values: Mapping[str, str]
    heights: dict[Any, float]
    design: ScoreDesign

    def __post_init__(self) -> None:
        self.glyphs, self.canvas, self.vault_words = self.document.glyphs, self.document.canvas, self.design.words

    def words(
        self, text: str, face: str, size: float, width: float, tag: Tag, *, spacing: float = 1.18, **style: Any
    ) -> Any:
        """Return a paragraph of Markdown for `width` points; `style` are keywords of ReportLab's ParagraphStyle.

        The size is reduced from `size` until the longest word fits. The titles of a form are no Markdown.
        """
        is_plain = self.design.sheet and face in (look.TITLE_BOLD, look.BOLD)
        widest = self.glyphs.measure_widest_part(text, face, size)
        size = max(_MIN_NAME_SIZE_PT, size * min(1.0, width / max(1.0, widest)))
        blocks = parse(escape_markdown(text) if is_plain else text).children
        nodes = [child for block in blocks for child in block.children]
        markup = Inline(self.glyphs, live=False, size=size).markup(nodes, face)
        return TaggedParagraph(markup, self.glyphs.theme.style(face, size, leading=size * spacing, **style), tag=tag)

    def height(self, text: str, face: str, size: float, width: float) -> float:
        """Return the height of a paragraph in points."""
        key = (text, face, size, round(width, 2))
        if key not in self.heights:
            paragraph = self.words(text, face, size, width, Tag("P"))
            self.heights[key] = paragraph.wrapOn(self.canvas, width, 10_000)[1]
        return self.heights[key]

    def box(self, box: SheetBox, place: Place, tag: Tag, *, size: float = 11.0, middle: bool = False) -> None:
        """Draw a white box with a border, and its field; typed words have that `size`, in the `middle` or left."""
        x, y, width, height = place
        is_number, is_tick = box.kind == "number", box.kind == "tick"
        self.canvas.pen(look.INK, 0.9 if is_tick or height >= ROUND_HEIGHT_PT else 0.5)
        self.canvas.fill(look.PAPER)
        corner = 1.0 if is_tick else 3.0 if height >= ROUND_HEIGHT_PT else 0.0
        self.canvas.roundRect(*place, min(width, height) / 2 if box.group else corner, stroke=1, fill=1)
        if is_tick:
            field, player = self.field(box, place, 14.0), box.player
            if group := box.group:
                field = replace(field, kind="radio", name=player.prefix + group.id)
                field = replace(field, group=player.label_prefix(self.vault_words) + group.title)
        else:
            size = min(_MAX_NUMBER_SIZE_PT, height * 0.6) if is_number else size
            # the zero of the face for numbers has no stroke; large print wears the plainest face everywhere
            face = look.TITLE_BOLD if is_number and not self.glyphs.theme.large else FIELD_FACE
            align = "left" if box.kind == "words" and not middle else "center"
            field = self.field(box, (x + 1, y + 1, width - 2, height - 2), size, align=align, face=face)
            field = replace(field, lines=self._has_several_lines(box, field))
        self.document.add_field(field, tag=tag)

    def field(self, box: SheetBox, place: Place, size: float, **looks: Any) -> Field:
        """Return the field of a box with its contents; `place` is relative to the current position of the canvas."""
        label, value = box.player.label_prefix(self.vault_words) + box.label, self.values.get(box.field, "")
        return Field(box.field, _KINDS.get(box.kind, "text"), place, label, value, box.options, size, **looks)

    def _has_several_lines(self, box: SheetBox, field: Field) -> bool:
        """Return whether several lines may be typed into a box.

        Viewers align these at the top and centre a single line, so a box for a name has several lines only if the name,
        or most names, need them.
        """
        if box.kind != "words" or field.box[3] < _TWO_LINES_HEIGHT_FACTOR * field.size:
            return False
        if not field.value:
            return field.box[2] < _MIN_NAME_WIDTH_PT or not box.name
        return count_lines(field.value, FIELD_FACE, field.size, field.box[2], self.glyphs) > 1

    def label(self, words: str) -> float:
        """Return the width of the label of a line in points."""
        return self.glyphs.measure_width(words, look.BOX_BOLD, self.style.text)

    @property
    def side(self) -> float:
        """The side of a box to tick, in points."""
        return 3.4 * MM * self.style.text / 10

    def tick_width(self, words: str) -> float:
        """Return the width of a box to tick with its words, in points."""
        return self.side + 4 + self.glyphs.measure_width(words, look.TEXT, self.style.text + 1)

    def tick(self, box: SheetBox, at: tuple[float, float], width: float, tag: Tag) -> None:
        """Draw a box to tick, the middle of whose left edge is `at`, and its words."""
        (x, middle), size = at, self.style.text + 1
        self.box(box, (x, middle - self.side / 2, self.side, self.side), tag)
        words = self.glyphs.shorten(box.words, look.TEXT, size, width - self.side - 4)
        self.document.write(words, x + self.side + 4, middle - self.side / 2 + 1.6, look.TEXT, size, tag=tag)

    def name_size(self, boxes: Sequence[SheetBox], width: float) -> tuple[float, int]:
        """Return one size for all names, and their number of lines.

        Names have two lines and are divided only at blanks and hyphens, unless they need more at the smallest size.
        """
        names = [name for box in boxes if (name := self.values.get(box.field, "")[:MAX_WHOLE_NAME_LENGTH])]
        if not names:
            return _MAX_NAME_SIZE_PT if width >= _MIN_NAME_WIDTH_PT else _USUAL_NAME_SIZE_PT, 2
        size, measure = _MAX_NAME_SIZE_PT, self.glyphs.measure_width
        words = [word for name in names for word in name.replace("-", "- ").split()]
        while size > _MIN_NAME_SIZE_PT and (
            any(measure(word, FIELD_FACE, size) > width - 6 for word in words) or self._lines(names, size, width) > 2
        ):
            size -= 0.5
        return size, max(2, self._lines(names, size, width))

    def _lines(self, names: Sequence[str], size: float, width: float) -> int:
        """Return the number of lines of the longest name."""
        return max(count_lines(name, FIELD_FACE, size, width - 2, self.glyphs) for name in names)


class _Item(NamedTuple):
    """A title with a box, which is a line to write on after it, or with the words of a box to tick, or alone.

    It needs at least `need` points, and gets `share` of the width left over in its row. Its words and its field are the
    content of `tag`.
    """

    title: str
    box: SheetBox | None
    tag: Tag
    need: float
    share: int = 0


class SheetBlocks:
    """The maker of the blocks of one sheet for the body of a plan; their tags are below one of their own."""

    def __init__(self, pen: SheetPainter, design: ScoreDesign, plan: ReadingPlan) -> None:
        self.pen, self.style, self.design, self.tag = pen, pen.style, design, Tag("Sect")
        self.width, self.column, self.made = points(plan.body.width), points(plan.column_width), list[Block]()

    def add(self, *flowables: Any) -> None:
        """Add blocks as wide as the page."""
        self.made += [Block(flowable, span=True, structure=self.tag) for flowable in flowables]

    def add_heading(self, code: QrCode | None) -> None:
        """Add title, subtitle, the signs of the suits on a rule, one sentence about the sheet, and the code."""
        design, style, full = self.design, self.style, not self.style.compact
        side = points(code.side) if code else 0.0
        width, aside = self.width - 2 * side, 0.08 * (self.width - 2 * side)
        flowables: list[Any] = []

        def write(kind: str, text: str, face: str, size: float, **looks: Any) -> None:
            if text:
                looks |= {"alignment": 1, "spaceAfter": 3 + 0.2 * size * self.pen.glyphs.theme.large}
                flowables.append(self.pen.words(text, face, size, width, self.tag.add(kind), **looks))

        write("H1", design.title, look.TITLE_BOLD, style.title, spacing=1.12, textColor=look.ACCENT)
        write("P", design.subtitle * full, look.TITLE, style.subtitle, spacing=1.12)
        signs = design.icons if full else ()
        flowables.append(DrawingFlowable(width, (7 if signs else 2) * MM, lambda: self._draw_rule(signs, width)))
        purpose, looks = design.purpose * style.purpose, {"leftIndent": aside, "rightIndent": aside}
        write("P", purpose, look.ITALIC, max(11, style.text), textColor=look.MUTED, **looks)
        beside = DrawingFlowable(side, side, lambda: code.draw(self.pen.document, 0, 0, self.tag)) if code else ""
        self.add(Table([["", flowables, beside]], [side, width, side], style=TableStyle(padding_commands(0, 0, 0))))

    def _draw_rule(self, signs: Sequence[str], width: float) -> None:
        """Draw the signs of suits on a golden rule, or the rule alone."""
        canvas, theme, middle = self.pen.canvas, self.pen.glyphs.theme, width / 2
        level = (3.5 if signs else 2) * MM
        first = middle - _SIGN_STEP_PT * (len(signs) - 1) / 2
        half = middle - first + 7 * MM if signs else 0.0
        canvas.pen(look.GOLD, 0.8)
        canvas.lines([(0, level, middle - half, level), (middle + half, level, width, level)])
        for number, name in enumerate(signs):
            at = {"x": first + number * _SIGN_STEP_PT - _SIGN_SIZE_PT / 2, "y": level - _SIGN_SIZE_PT / 2}
            icons.draw_sign(canvas, theme, name, **at, size=_SIGN_SIZE_PT, colour=theme.suit_role(name), letter=name)

    def add_boxes(self, parts: SheetParts) -> None:
        """Add the lines and the boxes to tick about the game."""
        lines = [
            _Item(line.title, box, self.tag.add("P"), self.pen.label(line.title) + least * self.style.text, line.share)
            for line, box in parts.lines
            if (least := _MIN_WIDTH_FACTOR * line.share + 1)
        ]
        self._add_rows([lines], self.style.line, 1.2 * self.style.gap)
        groups = []
        for title, boxes in parts.ticks:
            tag, needs = self.tag.add("P"), (self.pen.tick_width(box.words) + _ITEM_GAP_PT for box in boxes)
            ticks = [_Item("", box, tag, min(need, self.width)) for box, need in zip(boxes, needs, strict=True)]
            groups.append([_Item(title, None, tag, self.pen.label(title) + _ITEM_GAP_PT), *ticks])
        self._add_rows(groups, self.style.text + 8)

    def _add_rows(self, groups: Iterable[Sequence[_Item]], step: float, gap: float = 0.0) -> None:
        """Add rows of items side by side, each `step` points high, with a `gap` below the last one.

        A group whose items fit in one row is not divided.
        """
        rows: list[list[_Item]] = []
        left = -1.0
        for group in groups:
            for number, item in enumerate(group):
                rest = sum(later_item.need for later_item in group[number:])
                if left < 0 or (rest if rest <= self.width else item.need) > left + _ITEM_GAP_PT:
                    rows.append([])
                    left = self.width
                rows[-1].append(item)
                left -= item.need
        for row in rows:
            spare = self.width + _ITEM_GAP_PT - sum(item.need for item in row)
            shares = max(1, sum(item.share for item in row))
            widths = [item.need + spare * item.share / shares for item in row]
            drawn = [DrawingFlowable(wide, step, partial(self._draw_item, item, wide))
                     for item, wide in zip(row, widths, strict=True)]  # fmt: skip
            below = gap if row is rows[-1] else 0.0
            self.add(Table([drawn], widths, step, style=padding_commands(0, 0, 0), hAlign="LEFT", spaceAfter=below))

    def _draw_item(self, item: _Item, width: float) -> None:
        size, box, pen = self.style.text, item.box, self.pen
        if box and box.kind == "tick":
            pen.tick(box, (0, _TICK_BASELINE_OFFSET_PT - 1.6 + pen.side / 2), width, item.tag)
            return
        y = _LINE_BASELINE_OFFSET_PT if box else _TICK_BASELINE_OFFSET_PT
        pen.document.write(item.title, 0, y, look.BOX_BOLD, size, colour=look.ACCENT, tag=item.tag)
        if box:
            x, high, large = pen.label(item.title) + 5, self.style.line - 0.2, max(13, size)
            pen.canvas.pen(look.INK, 0.6)
            pen.canvas.line(x, y - 2.5, width - _ITEM_GAP_PT, y - 2.5)
            # viewers centre what is typed: so it stands on the line as its label does
            field = pen.field(box, (x, y - high / 2 + large / 3, width - _ITEM_GAP_PT - x, high), large, align="left")
            pen.document.add_field(field, tag=item.tag)

    def add_text(self, words: str, *, wide: bool = False) -> None:
        """Add words in Markdown, laid out like a note."""
        size, width = self.style.text, self.width if wide else self.column
        setting = Setting(Inline(self.pen.glyphs, live=False, size=size), width, width, width, size, pictures=False)
        self.made += [structs.replace(block, span=wide) for block in TextBuilder(setting, self.tag).build(parse(words))]

    def add_panel(self, panel: Explanation) -> None:
        """Add a panel laid out like a note: a heading, a paragraph, a list, a table, and paragraphs."""
        items = "\n".join(f"- {item}" for item in panel.items)
        rows = [panel.head, ("---",) * len(panel.head), *panel.rows] if panel.head else []
        table = "\n".join(f"|{'|'.join(cell.replace('|', '&#124;') for cell in row)}|" for row in rows)
        self.add_text("\n\n".join(filter(None, (f"### {panel.title}", panel.text, items, table, *panel.after))))
