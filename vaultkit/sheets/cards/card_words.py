"""A card's words: its title in lines, never cut; facts, text and hands as blocks, less what the card shows anyway."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.print_card import LabelledFacts, PrintableCard
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.html_blocks import HtmlCell
from vaultkit.sheets.text.hyphenation import HYPHEN, hyphenation_points
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.note_source import NO_SOURCE
from vaultkit.sheets.text.paragraphs import Place, Setting
from vaultkit.sheets.text.stat_block import StatBlock
from vaultkit.sheets.text.tables import CellColumn, cell_grid, cell_styles, head_commands, padding_commands, row_cells
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.reportlab_private import cell_values
from vaultkit.vault.markdown import Node

_MAX_TITLE_LINES = 8
_MAX_FULL_SIZE_LINES = 3
"""So many lines a title may have before it is made smaller."""
_MIN_ONE_LINE_SIZE_PT = 9.5
"""Down to this size a title is rather made smaller than broken."""
_SIZE_STEP_PT = 0.5
_CODE_SIZE_RATIO = 0.955
"""The size of code in a line, as a share of the size around it."""
_CELL_SIDE_PADDING_PT, _CELL_TOP_PADDING_PT, _CELL_BOTTOM_PADDING_PT = 2.6, 0.8, 2.4
"""White around the words of a table's cell, in points."""
_CELL_EXTRA_WIDTH_PT = 1.0
"""Points that a cell needs beside its words, so that a rounding error breaks no line."""


def fit_title(
    text: str, glyphs: Glyphs, face: str, room: float, *, size: float, floor: float,
    one_line: float = _MIN_ONE_LINE_SIZE_PT, language: str = "",
) -> tuple[tuple[str, ...], float]:  # fmt: skip
    """The title's lines and size: one line if that takes no smaller a size than `one_line` points.

    Raises InvalidError for a title that would fill the card.
    """
    while size > max(one_line, floor) and glyphs.measure_width(text, face, size) > room:
        size = max(floor, size - _SIZE_STEP_PT)
    while size > floor and any(glyphs.measure_width(word, face, size) > room for word in text.split()):
        size = max(floor, size - _SIZE_STEP_PT)
    while size > floor and len(break_lines(text, glyphs, face, room, size)) > _MAX_FULL_SIZE_LINES:
        size = max(floor, size - _SIZE_STEP_PT)
    lines = break_lines(text, glyphs, face, room, size, language=language)
    if len(lines) > _MAX_TITLE_LINES:
        over = len(" ".join(lines[_MAX_TITLE_LINES:]).split())
        raise InvalidError(f"The title '{text[:40]}…' is {over} words too long for a card.", hint="Shorten it.")
    return tuple(lines), size


def break_lines(text: str, glyphs: Glyphs, face: str, room: float, size: float, *, language: str = "") -> list[str]:
    """Lines of whole words; a word that is wider than `room` by itself goes on in the next line.

    It is divided with a hyphen where its `language` allows it.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if glyphs.measure_width(longer, face, size) <= room:
            lines[-1] = longer
            continue
        lines += [""] if lines[-1] else []
        *parts, rest = _hyphenate(word, language, lambda part: glyphs.measure_width(part, face, size) <= room)
        lines[-1:] = [*parts, ""]
        for character in rest:
            if glyphs.measure_width(lines[-1] + character, face, size) > room:
                lines.append("")
            lines[-1] += character
    return lines


def _hyphenate(word: str, language: str, fits: Callable[[str], bool]) -> list[str]:
    """A word, or a name, in parts that fit on a line, each but the last with its hyphen; the last may be too wide."""
    parts, places = list[str](), hyphenation_points(word[:1].lower() + word[1:], language)
    start = 0
    while not fits(word[start:]):
        place = next((end for end in reversed(places) if end > start and fits(word[start:end] + HYPHEN)), None)
        if place is None:
            break
        parts.append(word[start:place] + HYPHEN)
        start = place
    return [*parts, word[start:]]


def card_blocks(
    card: PrintableCard, facts: LabelledFacts, glyphs: Glyphs, *, size: float, floor: float, room: float, lead: float
) -> list[Block]:
    """The words of `card` at `size` points in a column `room` points wide; `facts` come first, in one line.

    `lead` is the height of a line as a share of the size.
    """
    from vaultkit.sheets.cards.hand_rows import HandRow

    inline = Inline(glyphs, live=False, size=max(size, floor / _CODE_SIZE_RATIO), min_size=floor, breaks=card.breaks)
    inline.language = card.language
    setting = Setting(inline, room, room, room * 2, size, pictures=False, above=2, leading=lead)
    setting.secrets, setting.source = card.secrets, card.source or NO_SOURCE
    inline.nameless = card.secrets.hidden
    tree = _without_title(card.syntax_tree(), card)
    if facts:
        tree.children.insert(0, _bold_paragraph(" · ".join(_fact(label, value) for label, value in facts)))
    builder = _CardText(setting, card=card)
    blocks = builder.build(tree)
    if not card.hands:
        return blocks
    list_tag = builder.structure.add("L")
    rows = (HandRow(hand, glyphs, size, floor, list_tag.add("LI").add("LBody")) for hand in card.hands)
    return [*blocks, *(Block(row, whole=True, structure=builder.structure) for row in rows)]


@dataclass
class _CardText(TextBuilder):
    """The words of a card, with tables and lines between parts that take little room."""

    rule_white: ClassVar[float] = 3.0
    card: PrintableCard = field(default_factory=lambda: PrintableCard(""))

    def _creature(self, stat_block: StatBlock, place: Place, head: Sequence[Node] = ()) -> None:
        """A stat block without a box around it: the card is one and has its picture; nor is there a line at first."""
        all_nodes = [*head, *stat_block.nodes(self.card.title, self.card.kicker)]
        nodes = [node for node in all_nodes if node.kind != "Image"]
        start = next((number for number, node in enumerate(nodes) if node.kind != "Rule"), 0)
        self._add_parsed_blocks(Node("Document", children=nodes[start:]), None, place)

    def visit_table(self, node: Node, place: Place) -> None:
        room, rows = self._available_width(place), [row_cells(row, len(node.columns)) for row in node.children]
        min_widths = self._widths(rows, words=True)
        if sum(min_widths) <= room and not any(isinstance(cell, HtmlCell) for cell in rows[0]):
            widths = self._share_widths(rows, min_widths, room)
            self._add_block(self._make_compact_table(rows, place.tag.add("Table"), widths), place)
        else:
            super().visit_table(node, place)

    def _make_compact_table(self, rows: list[list[Node]], tag: Tag, widths: list[float]) -> Any:
        from vaultkit.sheets.text.flowables import Table, TableStyle

        column = CellColumn(cell_styles(self.inline, self.setting.size, 1.12))
        grid = cell_grid(rows, [column] * len(widths), self.inline, tag, 1)
        table, theme = Table(grid, widths, repeatRows=1, hAlign="LEFT", spaceBefore=4, spaceAfter=5), self.glyphs.theme
        line = ("LINEBELOW", (0, 1), (-1, -1), 0.4, theme.colour(look.LINE))
        padding = padding_commands(_CELL_SIDE_PADDING_PT, _CELL_TOP_PADDING_PT, _CELL_BOTTOM_PADDING_PT)
        table.setStyle(TableStyle([*padding, *head_commands(theme, 0.4), line]))
        return table

    def _share_widths(self, rows: list[list[Node]], minimum: list[float], room: float) -> list[float]:
        """As the words ask for; what is left is shared out, what is lacking comes from the widest column."""
        column_widths = self._widths(rows, words=False)
        while sum(column_widths) > room:
            widest = max(range(len(column_widths)), key=lambda n: (column_widths[n] > minimum[n], column_widths[n]))
            column_widths[widest] = max(minimum[widest], column_widths[widest] - 2.0)
        return [w + (room - sum(column_widths)) / len(column_widths) for w in column_widths]

    def _widths(self, rows: list[list[Node]], *, words: bool) -> list[float]:
        """The width that each column needs for its longest cell on one line, or for its longest word."""

        def width(cell: Node) -> float:
            parts = (cell.words().split() or [""]) if words else [cell.words()]
            return max(self.glyphs.measure_width(part, look.BOLD, self.setting.size) for part in parts)

        margin = 2 * _CELL_SIDE_PADDING_PT + _CELL_EXTRA_WIDTH_PT
        return [max(map(width, column)) + margin for column in zip(*rows, strict=True)]


def count_words(flowable: Any) -> int:
    """How many words a paragraph, a table or a part of one has."""
    if hasattr(flowable, "frags"):
        return sum(map(_words_of, flowable.frags))
    if isinstance(flowable, list):
        return sum(map(count_words, flowable))
    return count_words([cell for row in cell_values(flowable) for cell in row])


def _words_of(fragment: Any) -> int:
    """The words of one piece of a paragraph; behind a break, pieces have them in a list."""
    word_list = getattr(fragment, "words", None)
    return len(str(getattr(fragment, "text", "")).split()) if word_list is None else len(word_list)


def _fact(label: str, value: str) -> str:
    return value if any(map(str.isalpha, value)) else f"{label} {value}"


def _bold_paragraph(line: str) -> Node:
    return Node("Paragraph", children=[Node("Strong", children=[Node("Text", line)])])


def _without_title(tree: Node, card: PrintableCard) -> Node:
    """The text without what the card shows anyway: its heading, and `*Six of Swords*` on a line of its own."""
    children = list(tree.children)
    while children and children[0].kind == "Heading" and children[0].words().strip() == card.title:
        children.pop(0)
    first = children[0] if children else None
    marks = [node for node in first.children if node.words().strip()] if first and first.kind == "Paragraph" else []
    if card.suit and len(marks) == 1 and marks[0].kind == "Emphasis" and card.suit.lower() in marks[0].words().lower():
        children.pop(0)
    return Node("Document", children=children)
