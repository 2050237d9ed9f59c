"""Conversion of a note's tree to blocks for the layout: lists, quotes, callouts, code, tables and paragraphs."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from msgspec.structs import replace

from vaultkit.sheets.text import tables
from vaultkit.sheets.text.blocks import DONE, TO_DO, Block, keep_together
from vaultkit.sheets.text.floats import float_pictures
from vaultkit.sheets.text.flowables import HRFlowable
from vaultkit.sheets.text.html_blocks import fold_blocks
from vaultkit.sheets.text.html_styles import PLAIN, HtmlStyle
from vaultkit.sheets.text.html_tags import html_lines
from vaultkit.sheets.text.inline import NOTE_LIST_KEY, embeds_note, note_mark
from vaultkit.sheets.text.note_source import note_name_nodes
from vaultkit.sheets.text.omissions import STYLE_PREFIX
from vaultkit.sheets.text.paragraphs import SPACE, is_inline_picture
from vaultkit.sheets.text.plugin_blocks import PluginBuilder
from vaultkit.sheets.text.setting import Place
from vaultkit.theme import model as look
from vaultkit.vault.markdown import Node

_MAX_WHOLE_CALLOUT_CHARS, _MAX_WHOLE_CODE_LINES = 600, 12
"""The most characters of a callout, and the most lines of code, that are not broken over columns."""
_MAX_MEASURED_LINES, _MAX_MEASURED_CHARS = 2000, 200
"""The most lines of code, and the most characters of the longest, by which code is found too wide for a column."""
_SIDE_CALLOUTS, _SIDE_PICTURE_HEIGHT_SHARE = {"infobox", "gallery"}, 0.27
"""Kinds of callouts that are beside the text in Obsidian, and the share of the page height for a picture in them."""
_LAYOUT_CALLOUTS = {*_SIDE_CALLOUTS, "multi-column", "column", "columns", "grid", "cards", "blank", "blank-container"}
"""Kinds of callouts that only define a layout and mean nothing to a reader."""
_MIN_PICTURE_COUNT_TO_BREAK = 2
"""The number of pictures from which a callout may be broken."""
_MAX_WIDE_BOX_CHARS, _BOX_PADDING_PT, _TABLE_TEXT_SCALE = 600, 15.0, 0.93
"""Limits of a box with a table: the most characters beside it, the padding in points, and the scale of its text."""
_CHECK_BOXES = TO_DO, DONE
"""The check boxes of an open and a done task."""
_SPACES = re.compile(r"^ +| {2,}")
"""Spaces that ReportLab would collapse or drop."""
_WARNING_CALLOUTS = {"warning", "caution", "danger", "error", "attention", "failure", "fail", "bug", "missing"}


@dataclass
class TextBuilder(PluginBuilder):
    """A builder of the blocks of one sheet, which walks a note's tree."""

    row_heads: ClassVar[bool] = False
    """Whether the first column of a table holds the headings of its rows."""
    rule_white: ClassVar[float] = 8.0
    """The white space above and below a horizontal rule, in points."""

    def build(self, tree: Node) -> list[Block]:
        """Return all blocks of the note, then its footnotes, then the list of other notes that it names."""
        self.inline.small = self.small_picture if self.setting.pictures else None
        self._definitions |= {node.text: node for node in tree.walk() if node.kind == "FootnoteDefinition"}
        self._visit_all(tree.children, Place(self.structure, deepest=self.setting.width * 0.4))
        self._add_footnotes()
        self._add_named_notes()
        return float_pictures(self._blocks, self.setting.width)

    def visit_task(self, _node: Node, _place: Place) -> None:
        """Skip the task's check box, which `visit_list` draws."""

    def visit_list(self, node: Node, place: Place) -> None:
        outer = place.indent + (self._indent if place.has_bullet else 0)
        list_tag = place.tag.add("L", numbering="Disc" if node.number is None else "Decimal")
        for offset, item in enumerate(node.children):
            inner = item.children[0].children if item.children else []
            task = next((child for child in [*item.children, *inner] if child.kind == "Task"), None)
            bullet = "•" if node.number is None else f"{node.number + offset}."
            box = (task.text or _CHECK_BOXES[task.number or 0]) if task else ""
            tag = list_tag.add("LI")
            label = tag.add("Lbl", alt={DONE: "Done", TO_DO: "To do", "": ""}.get(box, f"Marked {box}"))
            own_style: HtmlStyle = getattr(item, "style", PLAIN)
            style = place.style if own_style == PLAIN else own_style.inherit(place.style)
            first_place = replace(
                place, indent=min(outer, place.deepest), bullet="" if box else bullet, box=box, style=style
            )
            self._add_break(own_style.break_before)
            self._add_item(item, replace(first_place, tag=tag.add("LBody"), label=label))
            self._add_break(own_style.break_after)

    def _add_item(self, item: Node, first_place: Place) -> None:
        """Add a list item: its first paragraph beside the bullet, everything else below it."""
        before = len(self._blocks)
        place_below = replace(first_place.below, indent=first_place.indent + self._indent)
        self.inline.ground = first_place.ground
        groups: list[list[Node]] = [[]]
        for child in [child for child in item.children if child.kind != "Task"]:
            if self._find_visitor(child) and child.kind != "Image":
                groups += [[child], []]
            else:
                groups[-1].append(child)
        place = first_place
        for group in (group for group in groups if group):
            first = group[0]
            in_line = first.kind == "Paragraph" or is_inline_picture(first, group, self.inline, has_bullet=True)
            if place is first_place and not in_line and self._find_visitor(first):
                self._add_line(SPACE, first_place)
                place = place_below
            self._visit_all(group, place)
            place = place_below
        if len(self._blocks) == before:
            self._add_line(SPACE, first_place)

    def visit_blockquote(self, node: Node, place: Place) -> None:
        inside = place.add_box(place.tag.add("BlockQuote"), 4.0, bar_role=look.LINE)
        self._visit_all(node.children, replace(inside, face=look.ITALIC))

    def visit_callout(self, node: Node, place: Place) -> None:
        """Add a callout as a box that begins with its kind and its title."""
        bar = look.ACCENT if node.text in _WARNING_CALLOUTS else look.GOLD
        inside = place.add_box(place.tag.add("Div", title=node.text.capitalize()), 6.0, look.PANEL, bar)
        start, setting = len(self._blocks), self.setting
        style = self._make_style(look.BOLD, spaceBefore=6, spaceAfter=2)
        if node.text in _SIDE_CALLOUTS:
            self.setting = replace(setting, tallest=_SIDE_PICTURE_HEIGHT_SHARE)
        with self._widen_box(node.children, place):
            if markup := self._callout_title(node):
                self._add_paragraph(markup, style, inside, inside.tag.add("P"), keep=len(node.children) > 1)
            self._visit_all(node.children[1:], inside)
        self.setting = setting
        pictures = sum(child.kind == "Image" and not embeds_note(child) for child in node.walk())
        if len(node.words()) < _MAX_WHOLE_CALLOUT_CHARS and pictures < _MIN_PICTURE_COUNT_TO_BREAK:
            self._blocks[start:] = keep_together(self._blocks[start:])

    def _callout_title(self, node: Node) -> str:
        """Return the markup of a callout's kind and title, or of the title alone if the kind only defines a layout."""
        theme, size = self.glyphs.theme, self.setting.scale_size(0.8)
        self.inline.ground = look.PANEL
        title = self.inline.markup(node.children[0].children, look.BOLD).strip()
        if node.text in _LAYOUT_CALLOUTS:
            return title
        kind = self.glyphs.to_markup(node.text.capitalize(), look.BOX_BOLD)
        box_face, shade = theme.face(look.BOX_BOLD), theme.colour_code(look.ACCENT)
        markup = f'<font name="{box_face}" size="{size:.2f}" color="{shade}">{kind}</font>'
        has_title = bool(title) and node.children[0].words().strip().lower() != node.text
        return f"{markup}\u00a0\u00a0{title}" if has_title else markup

    @contextmanager
    def _widen_box(self, nodes: list[Node], place: Place) -> Iterator[None]:
        """Let a box added in this context span the page if it holds little text and a table too wide for a column."""
        start, setting = len(self._blocks), self.setting
        page_width = setting.full_width
        is_framed = place.frames or place.indent
        wide = not is_framed and page_width > setting.width and self._needs_full_width(nodes, page_width)
        self.setting = replace(setting, width=page_width) if wide else setting
        yield
        self.setting = setting
        if wide:
            self._blocks[start:] = [replace(block, span=True) for block in self._blocks[start:]]

    def _needs_full_width(self, nodes: list[Node], page_width: float) -> bool:
        """Return whether a box of the nodes should be `page_width` wide: with a wide table and little other text."""
        nodes = fold_blocks(nodes)
        table_nodes = [node for node in nodes if node.kind == "Table"]
        if not table_nodes or sum(len(node.words()) for node in nodes if node.kind != "Table") > _MAX_WIDE_BOX_CHARS:
            return False
        box_width, size = self.setting.width - _BOX_PADDING_PT, self.setting.scale_size(_TABLE_TEXT_SCALE)
        return any(
            tables.is_wide_table(table, self.inline, size=size, column_width=box_width, page_width=page_width)
            for table in table_nodes
        )

    def visit_codeblock(self, node: Node, place: Place) -> None:
        if self.draw_as_plugin(node, place):
            return
        lines = node.words().rstrip("\n").expandtabs(4).split("\n")
        markup_lines = [self.glyphs.to_markup(_SPACES.sub(_replace_spaces, line), look.MONO) for line in lines]
        size = self.setting.scale_size(0.86)
        style = self._make_style(look.MONO, size=size, leading=size * 1.35, allowWidows=1, allowOrphans=1)
        tag = place.tag.add("P").add("Code")
        inside = place.add_box(tag, 5.0, look.PANEL_DARK)
        longest_line = max(lines[:_MAX_MEASURED_LINES], key=len)
        line_width = self.glyphs.measure_width(longest_line[:_MAX_MEASURED_CHARS], look.MONO, size)
        may_span = not (place.frames or place.indent) and self.setting.full_width > self.setting.width
        spans_page = may_span and line_width > self._available_width(inside)
        for start in range(
            0, len(markup_lines), _MAX_WHOLE_CODE_LINES
        ):  # breaking a long paragraph takes quadratic time
            markup = "<br/>".join(markup_lines[start : start + _MAX_WHOLE_CODE_LINES])
            is_whole = len(lines) <= _MAX_WHOLE_CODE_LINES
            self._add_paragraph(markup or "\u00a0", style, inside, tag, whole=is_whole, span=spans_page)

    def visit_rule(self, _node: Node, place: Place) -> None:
        gold, white = self.glyphs.theme.colour(look.GOLD), self.rule_white
        self._add_block(HRFlowable("100%", 0.5, color=gold, spaceBefore=white, spaceAfter=white), place)

    def visit_htmlblock(self, node: Node, place: Place) -> None:
        lines = html_lines("".join(child.text for child in node.children))
        self._add_text([part for line in lines for part in (*line, Node("HardBreak"))], place)

    def _find_visitor(self, node: Node) -> Callable[[Node, Place], None] | None:
        visit, style = super()._find_visitor(node), getattr(node, "style", PLAIN)
        return visit if visit is None or style == PLAIN else partial(self._visit_styled, visit, style)

    def _visit_styled(
        self, visit: Callable[[Node, Place], None], style: HtmlStyle, node: Node, place: Place
    ) -> None:  # fmt: skip
        """Add an HTML block with a look of its own by `visit`, in a box if it has a background, and its breaks."""
        if style.is_hidden:
            return
        self.inline.note_ignored(style)
        has_picture = any(
            part.kind == "Image" or "<img" in part.text for child in node.children for part in child.walk()
        )
        self.inline.omitted[f"{STYLE_PREFIX}float"] += bool(style.side and not has_picture)
        self._add_break(style.break_before)
        inside = replace(place, style=style.inherit(place.style))
        if style.ground and any(
            child.kind in {"HtmlBlock", "Image"} or child.words().strip() for child in node.children
        ):
            fill, bar = ("", look.LINE) if self.glyphs.theme.ink_saver else (style.ground, "")
            inside = replace(place.add_box(place.tag.add("Div"), 5.0, fill, bar), style=inside.style)
        start = len(self._blocks)
        visit(node, inside)
        if style.is_whole:
            self._blocks[start:] = keep_together(self._blocks[start:])
        self._add_break(style.break_after)

    def visit_division(self, node: Node, place: Place) -> None:
        self._visit_all(node.children, place)

    def visit_details(self, node: Node, place: Place) -> None:
        """Add a `details` element as an open box that begins with its summary."""
        self._visit_all(node.children, place.add_box(place.tag.add("Div"), 5.0, bar_role=look.LINE))

    def visit_summary(self, node: Node, place: Place) -> None:
        start = len(self._blocks)
        self._visit_all(node.children, replace(place, face=look.BOLD))
        self._blocks[start:] = [replace(block, keep=True) for block in self._blocks[start:]]

    def visit_displaymath(self, node: Node, place: Place) -> None:
        """Add a formula as its source text."""
        self.visit_codeblock(Node("CodeBlock", children=[Node("Text", node.text.strip("\n"))]), place)

    def visit_table(self, node: Node, place: Place) -> None:
        available_width = self._available_width(place)
        page_width = available_width if place.indent else self.setting.full_width
        size, heads = self.setting.scale_size(_TABLE_TEXT_SCALE), self.row_heads
        picture = self.picture if self.setting.pictures else None
        self.inline.ground = place.ground
        table_parts = tables.note_tables(
            node,
            self.inline,
            place.tag,
            size=size,
            column_width=available_width,
            page_width=page_width,
            has_row_heads=heads,
            make_picture=picture,
        )
        for table, span, whole in table_parts:
            self._add_block(table, place, span=span, whole=whole)

    def _add_footnotes(self) -> None:
        """Add the footnotes that the text refers to, under a heading."""
        self._next_start = ""  # a break at the end of the text leads to nothing
        numbers = self.inline.footnotes
        if numbers:
            self._add_small_heading("Notes", "foot-notes")
        done = 0
        while done < len(numbers):  # a footnote may name further ones
            for name in list(numbers)[done:]:
                self._add_footnote(name, numbers[name])
                done += 1

    def _add_footnote(self, name: str, number: int) -> None:
        """Add one footnote as a numbered item, or a remark that it is missing."""
        definition = self._definitions.get(name) or Node("Item", children=[Node("Text", "[this note is missing]")])
        start, tag = len(self._blocks), self.structure.add("Note")
        self._add_item(definition, Place(tag, bullet=f"{number}.", label=tag.add("Lbl")))
        self._blocks[start] = replace(self._blocks[start], key=f"{self.inline.prefix}foot-{number}")

    def _add_named_notes(self) -> None:
        """Add the list of other notes of the vault that the text names, unless such a list is not wanted."""
        targets = list(self.inline.notes.values()) if self.inline.live and self.inline.listed else []
        if not targets:
            return
        self._add_small_heading("Notes of the vault named here", NOTE_LIST_KEY)
        list_tag = self.structure.add("L", numbering="LowerAlpha")
        for number, target in enumerate(targets):
            tag = list_tag.add("LI")
            place = Place(tag, bullet=f"{note_mark(number)}.", label=tag.add("Lbl"))
            name = [Node("Text", target.title)]
            if not self.inline.nameless:
                name = note_name_nodes(target, self._fits_list_line)
            self._add_line(name, replace(place, tag=tag.add("LBody")))
            self._blocks[-1].flowable.join_lines()

    def _fits_list_line(self, text: str) -> bool:
        """Return whether a text in italics fits on one line of a list item."""
        return self.glyphs.measure_width(text, look.ITALIC, self.setting.size) <= self.setting.width - self._indent - 1

    def _add_small_heading(self, text: str, key: str) -> None:
        """Add a small heading, such as that above the footnotes, as a block with the key `key` after the prefix."""
        size = max(self.inline.min_size, 9.5)
        style = self._make_style(look.TITLE_BOLD, size=size, textColor=look.MUTED, spaceBefore=16, spaceAfter=3)
        tag = self.structure.add(f"H{min(self.setting.above + 1, 6)}")
        markup = self.glyphs.to_markup(text, look.TITLE_BOLD)
        self._add_paragraph(markup, style, Place(self.structure), tag, keep=True, key=self.inline.prefix + key)


def _replace_spaces(spaces: re.Match[str]) -> str:
    return "\u00a0" * len(spaces[0])
