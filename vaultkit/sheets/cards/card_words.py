"""The words of a card: its title in lines, never cut; facts, text and hands as blocks, without what its title says."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from vaultkit.budget import Limit
from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.card_parts import FactStrip, HandRow, WriteBoxes
from vaultkit.sheets.cards.fact_nodes import MAX_VALUE_CHARS, Fact, plain_text, take_facts
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.flowables import TableStyle
from vaultkit.sheets.text.html_blocks import HtmlCell
from vaultkit.sheets.text.hyphenation import HYPHEN, hyphenation_points
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.note_source import NO_SOURCE
from vaultkit.sheets.text.setting import Place, Setting
from vaultkit.sheets.text.stat_block import StatBlock
from vaultkit.sheets.text.tables import (
    ALIGNMENTS,
    CellColumn,
    arrange_columns,
    cell_grid,
    cell_styles,
    head_commands,
    padding_commands,
    row_cells,
)
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.line_breaks import split_letters, split_words
from vaultkit.theme.reportlab_private import cell_values
from vaultkit.vault.markdown import Node

_MAX_TITLE = Limit("A title in this deck has", 1_000, "characters", "Shorten it.")
_MAX_FACTS = Limit("A card of this deck has", 200, "facts", "Leave some out.")
_MAX_CHARS = Limit("A card of this deck has", 80_000, "characters", "Shorten it, or print the note with `print rules`.")
_MAX_TITLE_LINES = 8
_MAX_FULL_SIZE_LINES = 3
"""The maximum number of lines of a title at full size; a longer title is made smaller."""
_MIN_ONE_LINE_SIZE_PT = 9.5
"""The minimum size, in points, to which a title is reduced before it is broken into lines."""
_SIZE_STEP_PT = 0.5
_CODE_SIZE_RATIO = 0.955
"""The size of code in a line, as a share of the size around it."""
_CELL_SIDE_PADDING_PT, _CELL_TOP_PADDING_PT, _CELL_BOTTOM_PADDING_PT = 2.6, 0.8, 2.4
"""White around the words of a table's cell, in points."""
_TABLE_SIZE_RATIOS = (1.0, 0.9, 0.8, 0.7)
"""The sizes of the words in a table to try, as shares of the usual size."""
_MIN_ABILITY_COUNT = 4
"""A table with more ability scores than this in a row has a line for their modifiers."""
_SPACE = Node("Text", " ")
_WORD, _INNER_HYPHEN = re.compile(r"[^\W_]+"), re.compile(r"[-–—/](?=\w)")
_ABILITY_SCORE = re.compile(r"(\d+) (\([+−–-]\d+\))")
"""An ability score with its modifier, such as `14 (+2)`."""
_CELL_EXTRA_WIDTH_PT = 1.0
"""Points that a cell needs beside its words, so that a rounding error breaks no line."""


def fit_title(
    text: str, glyphs: Glyphs, face: str, room: float, *, size: float, floor: float,
    one_line: float = _MIN_ONE_LINE_SIZE_PT, language: str = "",
) -> tuple[tuple[str, ...], float]:  # fmt: skip
    """Return the title's lines and size: one line if that needs no smaller size than `one_line` points.

    Raises InvalidError for a title that would fill the card.
    """
    _MAX_TITLE.check(len(text))
    while size > max(one_line, floor) and glyphs.measure_width(text, face, size) > room:
        size = max(floor, size - _SIZE_STEP_PT)
    while size > floor and glyphs.measure_widest_part(text, face, size) > room:
        size = max(floor, size - _SIZE_STEP_PT)
    while size > floor and len(break_lines(text, glyphs, face, room, size)) > _MAX_FULL_SIZE_LINES:
        size = max(floor, size - _SIZE_STEP_PT)
    lines = break_lines(text, glyphs, face, room, size, language=language)
    if len(lines) > _MAX_TITLE_LINES:
        over = len(" ".join(lines[_MAX_TITLE_LINES:]).split())
        raise InvalidError(f"The title '{text[:40]}…' is {over} words too long for a card.", hint="Shorten it.")
    return tuple(lines), size


def break_lines(text: str, glyphs: Glyphs, face: str, room: float, size: float, *, language: str = "") -> list[str]:
    """Return lines of whole words. A word wider than `room` is divided, with a hyphen where `language` allows one."""
    lines = [""]

    def fits(part: str) -> bool:
        return glyphs.measure_width(part.rstrip(), face, size) <= room

    for word in split_words(text):
        if fits(lines[-1] + word):
            lines[-1] += word
            continue
        lines += [""] if lines[-1] else []
        *parts, rest = _hyphenate(word, language, fits)
        lines[-1:] = [*parts, *split_letters(rest, fits)]
    return [line.rstrip() for line in lines]


def _hyphenate(word: str, language: str, fits: Callable[[str], bool]) -> list[str]:
    """Return the parts of a word that fit on a line, all but the last with a hyphen; the last may be too wide."""
    parts, start = list[str](), 0
    places = {match.end(): "" for match in _INNER_HYPHEN.finditer(word)}
    for match in _WORD.finditer(word):
        lower = match[0][:1].lower() + match[0][1:]
        places |= {match.start() + place: HYPHEN for place in hyphenation_points(lower, language)}
    while not fits(word[start:]):
        fitting = [end for end, hyphen in places.items() if end > start and fits(word[start:end] + hyphen)]
        if not fitting:
            break
        place = max((end for end in fitting if not places[end]), default=max(fitting))
        parts.append(word[start:place] + places[place])
        start = place
    return [*parts, word[start:]]


def card_blocks(
    card: PrintableCard, glyphs: Glyphs, *, size: float, floor: float, room: float, lead: float
) -> list[Block]:
    """Return the words of `card` at `size` points in a column `room` points wide, after a strip of its facts.

    `lead` is the height of a line as a share of the size.
    """
    if card.shade:
        glyphs = replace(glyphs, theme=replace(glyphs.theme, accent_role=glyphs.theme.colour_role(card.shade)))
    inline = Inline(glyphs, live=False, size=max(size, floor / _CODE_SIZE_RATIO), min_size=floor, breaks=card.breaks)
    inline.language = card.language
    setting = Setting(inline, room, room, room * 2, size, pictures=False, above=2, leading=lead)
    setting.secrets, setting.source = card.secrets, card.source or NO_SOURCE
    inline.nameless = card.secrets.hidden
    tree = _without_title(card.syntax_tree(), card)
    tree.children[:0] = strip_nodes(([Node("Text", label)], [Node("Text", value)]) for label, value in card.facts)
    if card.subtitle and card.frame and card.frame.layout == "bar":
        tree.children.insert(0, Node("TypeLine", children=[Node("Text", card.subtitle)]))
    _MAX_CHARS.check(sum(len(node.text) for node in tree.walk()), card.title)
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

    def _add_creature(self, stat_block: StatBlock, place: Place, head: Sequence[Node] = ()) -> None:
        """Add a stat block without a box, lines and picture, because the card has them; facts are a strip."""
        nodes = [node for node in (*head, *stat_block.nodes(self.card.title, self.card.kicker)) if node.kind != "Image"]
        tree = Node("Document", children=[node for node in nodes if node.kind != "Rule"])
        facts = take_facts(tree, bare=True)
        tree.children[:0] = strip_nodes(facts)
        self._add_parsed_blocks(tree, None, place)

    def visit_typeline(self, node: Node, place: Place) -> None:
        style = self._make_style(look.ITALIC, textColor=look.ACCENT if self.card.shade else look.MUTED, spaceAfter=2)
        self._add_paragraph(self.inline.line(node.children, look.ITALIC), style, place, place.tag.add("P"))

    def visit_strip(self, node: Node, place: Place) -> None:
        """Add labels and values: short ones in a strip, long ones as paragraphs below it."""
        cells, long_facts = [], []
        _MAX_FACTS.check(len(node.children), self.card.title)
        for fact in node.children:
            label, value = fact.children
            words = f"{label.words()} {value.words()}"
            if len(words) > MAX_VALUE_CHARS:
                long_facts.append(Node("Paragraph", children=[Node("Strong", children=label.children), _SPACE, value]))
                continue
            width = self.glyphs.measure_width(words, look.BOLD, self.setting.size)
            cells.append((width, self._fact_paragraph(label, value, place)))
        if cells:
            self._add_block(FactStrip(cells, self.glyphs.theme), place)
        names = [fact.children[0].words().strip() for fact in node.children]
        for name in [name for name in names if name.casefold() in self.card.boxes]:
            boxes = WriteBoxes(name, self.glyphs, self.inline.min_size, place.tag.add("P"))
            self._add_block(boxes, place, whole=True)
        self._visit_all(long_facts, place)

    def _fact_paragraph(self, label: Node, value: Node, place: Place) -> Any:
        theme = self.glyphs.theme
        name, shade = theme.face(look.TEXT), theme.colour_code(look.MUTED)
        head = self.inline.line(label.children, look.TEXT)
        tail = self.inline.line(value.children, look.BOLD)
        style = self._make_style(look.BOLD, leading=self.setting.size * 1.15)
        markup = f'<font name="{name}" color="{shade}">{head}</font> {tail}'
        return TaggedParagraph(markup, style, tag=place.tag.add("P"))

    def visit_table(self, node: Node, place: Place) -> None:
        room, rows = self._available_width(place), [row_cells(row, len(node.columns)) for row in node.children]
        score_rows = [_break_ability_scores(row) for row in rows[1:]]
        alignments = [1 if any(score_rows) else ALIGNMENTS.get(name, 0) for name in node.columns]
        sizes = [max(self.inline.min_size, self.setting.size * share) for share in _TABLE_SIZE_RATIOS]
        is_plain = not any(isinstance(cell, HtmlCell) for cell in rows[0])
        fitting = (size for size in sizes if is_plain and sum(self._widths(rows, size, words=True)) <= room)
        if size := next(fitting, 0.0):
            widths = self._share_widths(rows, size, room)
            columns = [CellColumn(cell_styles(self.inline, size, 1.12, alignment)) for alignment in alignments]
            self._add_block(self._make_compact_table(rows, columns, widths, place.tag.add("Table")), place)
        else:
            super().visit_table(node, place)

    def _make_compact_table(
        self, rows: list[list[Node]], columns: Sequence[CellColumn], widths: list[float], tag: Tag
    ) -> Any:
        kind, grid, widths, _ = arrange_columns(rows, cell_grid(rows, columns, self.inline, tag, 1), widths)
        table, theme = kind(grid, widths, repeatRows=1, hAlign="LEFT", spaceBefore=4, spaceAfter=5), self.glyphs.theme
        line = ("LINEBELOW", (0, 1), (-1, -1), 0.4, theme.colour(look.LINE))
        padding = padding_commands(_CELL_SIDE_PADDING_PT, _CELL_TOP_PADDING_PT, _CELL_BOTTOM_PADDING_PT)
        table.setStyle(TableStyle([*padding, *head_commands(theme, 0.4), line]))
        return table

    def _share_widths(self, rows: list[list[Node]], size: float, room: float) -> list[float]:
        """Return column widths that suit the words; room left over is shared, room lacking taken from the widest."""
        column_widths, minimum = (self._widths(rows, size, words=words) for words in (False, True))
        while sum(column_widths) > room:
            widest = max(range(len(column_widths)), key=lambda n: (column_widths[n] > minimum[n], column_widths[n]))
            column_widths[widest] = max(minimum[widest], column_widths[widest] - 2.0)
        return [w + (room - sum(column_widths)) / len(column_widths) for w in column_widths]

    def _widths(self, rows: list[list[Node]], size: float, *, words: bool) -> list[float]:
        """Return the width that each column needs for its longest cell, or with `words` for its longest word."""

        def width(cell: Node) -> float:
            parts = (cell.words().split() or [""]) if words else [cell.words()]
            return max(self.glyphs.measure_width(part, look.BOLD, size) for part in parts)

        margin = 2 * _CELL_SIDE_PADDING_PT + _CELL_EXTRA_WIDTH_PT
        return [max(map(width, column)) + margin for column in zip(*rows, strict=True)]


def _break_ability_scores(row: list[Node]) -> bool:
    """Set the modifiers of ability scores on lines of their own, and return whether the row holds such scores."""
    matches = [match for cell in row if (match := _ABILITY_SCORE.fullmatch(cell.words().strip()))]
    has_scores = len(row) > _MIN_ABILITY_COUNT and len(matches) == len(row)
    for cell, match in zip(row, matches, strict=True) if has_scores else ():
        cell.children = [Node("Text", match[1]), Node("HardBreak"), Node("Text", match[2])]
    return has_scores


def count_words(flowable: Any) -> int:
    """Return how many words a paragraph, a table or a part of one has."""
    if hasattr(flowable, "frags"):
        return sum(map(_words_of, flowable.frags))
    if isinstance(flowable, list):
        return sum(map(count_words, flowable))
    return count_words([cell for row in cell_values(flowable) for cell in row])


def _words_of(fragment: Any) -> int:
    """Return the number of words in a fragment of a paragraph; after a line break, a fragment has them in a list."""
    word_list = getattr(fragment, "words", None)
    return len(str(getattr(fragment, "text", "")).split()) if word_list is None else len(word_list)


def strip_nodes(facts: Iterable[Fact]) -> list[Node]:
    """Return a strip with each distinct fact once, in a list; [] without facts."""
    distinct = {(plain_text(label), plain_text(value)): (label, value) for label, value in facts}
    nodes = [Node("Fact", children=[Node("Span", children=part) for part in fact]) for fact in distinct.values()]
    return [Node("Strip", children=nodes)] if nodes else []


def _without_title(tree: Node, card: PrintableCard) -> Node:
    """Return the text without the card's heading and a line such as `*Six of Swords*`, which the card shows anyway."""
    children = list(tree.children)
    while children and children[0].kind == "Heading" and children[0].words().strip() == card.title:
        children.pop(0)
    first = children[0] if children else None
    marks = [node for node in first.children if node.words().strip()] if first and first.kind == "Paragraph" else []
    if card.suit and len(marks) == 1 and marks[0].kind == "Emphasis" and card.suit.lower() in marks[0].words().lower():
        children.pop(0)
    return Node("Document", children=children)
