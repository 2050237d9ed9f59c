"""Conversion of a note's paragraphs, headings and pictures to blocks for the layout.

The text is converted to ReportLab's markup by `inline`. Other kinds of blocks are handled by `block_builder`.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text import picture_nodes
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.dice_code import rolls_on_table
from vaultkit.sheets.text.flowables import LinePicture, PictureFlowable
from vaultkit.sheets.text.html_blocks import fold_blocks
from vaultkit.sheets.text.html_styles import ALIGNMENTS, AVOID, PAGE
from vaultkit.sheets.text.html_tags import fold_line
from vaultkit.sheets.text.inline import Inline, embeds_note, link_name
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.setting import Place, Setting
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import image_transcoding, print_pictures
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.image_fitting import Fit
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.subpath import comparable_heading

if TYPE_CHECKING:
    from vaultkit.theme.svg.svg_drawing import SvgDrawing

SPACE = [Node("Text", "\u00a0")]
"""The content of a line that has only a bullet, because the text of the item begins further below."""
_END = Node("End")
_SKIPPED_KINDS = {"End", "FootnoteDefinition"}
_HEADING_SIZES_PT = {1: 17.0, 2: 14.5, 3: 11.5, 4: 11.0, 5: 10.5, 6: 10.5}
_INDENT_PT = 15.0
_MAX_EMBED_DEPTH = 3
_MAX_EMBEDDED_CHARS = 200_000
"""The most characters embedded in one note; without a limit, notes that embed each other could grow enormously."""
_MIN_EMBEDDED_CHARS = 500
"""The number of characters that each embedded note counts at least towards `_MAX_EMBEDDED_CHARS`."""
_MAP_WORD = re.compile(r"map(?!le)|mapa|karte|carte|mappa|kaart|plan", re.IGNORECASE)
_MIN_WIDE_RATIO, _MIN_WIDE_MAP_PX, _MIN_WIDE_PICTURE_PX = 1.15, 900, 1500
"""The least aspect ratio and pixel width of a picture that is set across the page; for maps less width is enough."""
_WHITE = "#ffffff"
_MAX_INLINE_HEIGHT_PX = 48
"""The most pixels in height of a picture that is set inline beside text, as Obsidian does."""
_MAX_LEAD_IN_CHARS = 300
"""The number of characters below which a line that introduces the next block is kept with it."""
MAX_FLOAT_WIDTH_SHARE = 0.5
"""The most of the width that a picture takes with text beside it."""


@dataclass
class ParagraphBuilder:
    """A builder of blocks from nodes.

    A node of kind `X` is handled by the method `visit_x`; a node without such a method is inline. `structure` holds the
    tags of all blocks, in reading order.
    """

    setting: Setting
    structure: Tag = field(default_factory=lambda: Tag("Div"))
    _blocks: list[Block] = field(default_factory=list)
    _heading_count: int = 0
    _embedded_targets: tuple[str, ...] = ()
    _embedded_chars: int = 0
    _heading_levels: list[int] = field(default_factory=list)
    _next_start: str = ""
    """The kind of break before the next block: a page, a column, or "" for none."""
    _last_heading: str = ""
    """The text of the last heading."""
    _definitions: dict[str, Node] = field(default_factory=dict)
    """The definitions of footnotes by name."""

    @property
    def inline(self) -> Inline:
        return self.setting.inline

    @property
    def glyphs(self) -> Glyphs:
        return self.setting.inline.glyphs

    @property
    def _indent(self) -> float:
        """The indent of list items in points, which is smaller on cards, where space is scarce."""
        return _INDENT_PT * (1.0 if self.setting.pictures else 0.68) * max(1.0, self.setting.size / 10.5)

    def _available_width(self, place: Place) -> float:
        """Return the width in points inside the boxes of a place."""
        return self.setting.width - place.indent - sum(frame.pad for frame in place.frames)

    def _find_visitor(self, node: Node) -> Callable[[Node, Place], None] | None:
        return getattr(self, f"visit_{node.kind.lower()}", None)

    def _visit_all(self, nodes: list[Node], place: Place) -> None:
        inline_nodes: list[Node] = []
        for node in [*fold_blocks(nodes), _END]:
            visit = None if node.kind == "Image" else self._find_visitor(node)
            if visit is None and node.kind not in _SKIPPED_KINDS:
                inline_nodes.append(node)
                continue
            if inline_nodes:
                self._add_text(inline_nodes, place)
                place, inline_nodes = place.below, []
            if visit is not None:
                visit(node, place)
                place = place.below

    def _make_style(self, face: str, **options: Any) -> Any:
        size = options.pop("size", self.setting.size)
        return self.glyphs.theme.style(face, size, **({"leading": size * self.setting.leading} | options))

    def _add_block(self, flowable: Any, place: Place, **options: Any) -> None:
        options |= {"box": place.box, "structure": self.structure, "starts": self._next_start}
        self._blocks.append(Block(flowable, place.indent, place.frames, **options))
        self._next_start = ""

    def visit_break(self, node: Node, _place: Place) -> None:
        self._add_break(node.text)

    def _add_break(self, kind: str) -> None:
        """Let the next block start a page or a column, or keep it with the last one if the kind is `avoid`.

        No break is made at the beginning of a note, or between a heading and its text.
        """
        if kind == AVOID:
            self._blocks[-1:] = [replace(block, keep=True) for block in self._blocks[-1:]]
        elif kind and self._blocks and not self._blocks[-1].title:
            self._next_start = PAGE if PAGE in {kind, self._next_start} else kind

    def _add_paragraph(
        self, markup: str, style: Any, place: Place, tag: Tag, *, label: Tag | None = None, **options: Any
    ) -> TaggedParagraph:
        """Add a paragraph of markup and return it; `tag` is the tag of its text, `label` that of its bullet."""
        bullet, pictures = place.bullet or None, self.inline.pictures
        paragraph = TaggedParagraph(markup, style, bullet, tag=tag, label=label, pictures=pictures)
        self._add_block(paragraph, place, **options)
        return paragraph

    def visit_paragraph(self, node: Node, place: Place) -> None:
        self._add_text(node.children, place)

    def _add_text(self, nodes: list[Node], place: Place) -> None:
        """Add a paragraph, split where a picture, an embedded note or a formula needs a block of its own."""
        line_nodes: list[Node] = []
        nodes = [picture_nodes.unwrap_picture(node) for node in fold_line(nodes)]
        self.inline.ground = place.ground
        for node in nodes:
            visit = self._find_visitor(node)
            if visit is None or is_inline_picture(node, nodes, self.inline, has_bullet=place.has_bullet):
                line_nodes.append(node)
                continue
            self._add_line(line_nodes, place)
            line_nodes, place = [], place.below
            visit(node, place)
        self._add_line(line_nodes, place)

    def _add_line(self, nodes: list[Node], place: Place) -> None:
        self.inline.ground = place.ground
        markup = self.inline.styled_line(nodes, place.face, place.style)
        if not markup and not place.has_bullet:
            return
        markup = markup or f'<font name="{self.glyphs.theme.face(place.face)}">\u00a0</font>'
        vertical_space = 1.7 if place.has_bullet else 4.0
        alignment = ALIGNMENTS.get(place.style.alignment, 0)
        style = self._make_style(place.face, spaceBefore=vertical_space, spaceAfter=vertical_space, alignment=alignment)
        if place.has_bullet:
            style.leftIndent, style.bulletIndent = self._indent, 0
            style.bulletFontName = self.glyphs.theme.face(look.BOLD)
            style.bulletFontSize = self.setting.scale_size(0.95)
            style.bulletColor = self.glyphs.theme.colour(look.ACCENT)
        label = place.label if place.has_bullet else None
        paragraph = self._add_paragraph(markup, style, place, place.tag.add("P"), label=label, keep=_is_lead_in(nodes))
        if self.inline.language:
            paragraph.divide_words(self.inline.language, unbroken_font=self.glyphs.theme.face(look.MONO))

    def visit_heading(self, node: Node, place: Place) -> None:
        level = node.number or 1
        if level <= 2:
            self.inline.new_section()
        face = {4: look.BOLD, 5: look.BOLD_ITALIC, 6: look.BOLD_ITALIC}.get(level, look.TITLE_BOLD)
        size = _HEADING_SIZES_PT[level] * self.setting.size / 10.5
        self.inline.ground = place.ground
        markup = self.inline.styled_line(node.children, face, replace(place.style, scale=1.0))
        if not markup:
            return
        style = self._make_style(
            face, size=size, leading=size * 1.18, alignment=ALIGNMENTS.get(place.style.alignment, 0),
            textColor=look.ACCENT if level <= 3 else look.INK,
            spaceBefore={1: 15, 2: 12, 3: 8}.get(level, 6), spaceAfter={1: 5, 2: 4, 3: 2.5}.get(level, 2),
        )  # fmt: skip
        self._last_heading = node.words()
        self._heading_count += not self._embedded_targets
        key = f"embedded-{len(self._blocks)}" if self._embedded_targets else f"h{self._heading_count}"
        key = self.inline.prefix + key
        tag = place.tag.add(self._heading_kind(level))
        title, bare_place = node.words().strip(), replace(place, bullet="")
        self._add_paragraph(markup, style, bare_place, tag, keep=True, key=key, title=title, level=level)

    def visit_part(self, node: Node, place: Place) -> None:
        """Add one of several notes that stand one below the other."""
        setting, inline, part = self.setting, self.inline, self.setting.parts[node.number or 0]
        outer = inline.follow, inline.headings, inline.language
        inline.follow, inline.headings, inline.language = part.follow, part.headings, part.language
        self.setting = replace(setting, source=part.source, title=node.children[0].words())
        self._visit_all(node.children, place)
        self.setting = setting
        inline.follow, inline.headings, inline.language = outer

    def _heading_kind(self, level: int) -> str:
        """Return the kind of a heading's tag, such as `H2`: at most one level deeper than the heading above."""
        while self._heading_levels and self._heading_levels[-1] >= level:
            self._heading_levels.pop()
        self._heading_levels.append(level)
        return f"H{min(self.setting.above + len(self._heading_levels), 6)}"

    def visit_image(self, node: Node, place: Place) -> None:
        if embeds_note(node):
            self._add_embedded_note(node, place)
        elif not self.setting.pictures:
            self._add_line([node], place)
        else:
            if place.style.side and not picture_nodes.floats(node):
                node = replace(node, children=[Node("Text", f"{node.words()}|float-{place.style.side}")])
            caption = self._caption(node)
            floats = picture_nodes.floats(node) and not caption
            try:
                spans_page = not floats and self._spans_page(node, place)
                max_width = self.setting.full_width if spans_page else self._available_width(place)
                share = MAX_FLOAT_WIDTH_SHARE if floats else 1.0
                picture = self.picture(node, max_width, place.tag, place.ground, max_share=share)
            except image_transcoding.UnusablePicture as error:
                self._add_line(picture_nodes.replace_picture(node, error, nameless=self.inline.nameless), place)
                return
            self._add_block(picture, place, keep=bool(caption), span=spans_page)
            if caption:
                self._add_line([Node("Emphasis", children=[Node("Text", caption)])], place)
                self._blocks[-1] = replace(self._blocks[-1], span=spans_page)

    def _caption(self, node: Node) -> str:
        """Return the words below a picture, or "" if they only repeat the heading above it."""
        has_caption = (
            not node.number and picture_nodes.style_hint(node) != "token" and not picture_nodes.is_from_html(node)
        )
        words = picture_nodes.size_of(node)[0] if has_caption else ""
        heading = comparable_heading(self._last_heading or self.setting.title)
        return "" if comparable_heading(words) == heading else words

    def _spans_page(self, node: Node, place: Place) -> bool:
        """Return whether a picture is so large and wide that it is set across the page; for maps less width is enough.

        Raises UnusablePicture.
        """
        in_column = place.frames or place.indent or place.has_bullet or self.setting.full_width <= self.setting.width
        has_hook = picture_nodes.style_hint(node) in picture_nodes.MAX_WIDTHS_PT_BY_STYLE_HINT
        if in_column or has_hook or picture_nodes.size_of(node)[1]:
            return False
        width_px, height_px = image_transcoding.pixel_size(self._picture_file(node))
        is_named_map = _MAP_WORD.search(f"{node.text} {node.words()}")
        min_width_px = _MIN_WIDE_MAP_PX if is_named_map else _MIN_WIDE_PICTURE_PX
        return width_px > _MIN_WIDE_RATIO * height_px and width_px >= min_width_px

    def _picture_file(self, node: Node) -> Path:
        """Return the file of the picture that a node names. Raises UnusablePicture."""
        if picture_nodes.is_data(node):
            return print_pictures.store_data_picture(node.text)
        path = None if ":" in node.text.split("/", maxsplit=1)[0] else self.setting.source.image(node.text)
        if path is None:
            on_web = picture_nodes.WEB_ADDRESS.match(node.text)
            raise image_transcoding.UnusablePicture("on the web" if on_web else "not found in the vault")
        return path

    def picture(
        self, node: Node, max_width: float, parent_tag: Tag | None, ground: str = look.PAPER, *, max_share: float = 1.0
    ) -> Any:
        """Return a flowable of the picture that a node names, at most a share of `max_width` points wide.

        Its height is limited by the setting. Its tag is added to `parent_tag`. Its transparent parts get the colour of
        the role `ground`. Raises UnusablePicture.
        """
        path = self._picture_file(node)
        size = picture_nodes.size_of(node, max_width)[1]
        max_width *= max_share
        if not size:
            hook = picture_nodes.style_hint(node)
            max_width = min(max_width, picture_nodes.MAX_WIDTHS_PT_BY_STYLE_HINT.get(hook, max_width))
        picture = self._prepare_picture(path, min(max_width, size[0]) if size else max_width, ground)
        drawing = picture.drawing if isinstance(picture, image_transcoding.Picture) else picture
        if size:
            size = picture_nodes.complete_size(size, picture.width, picture.height)
        elif drawing is not None:
            size = drawing.width * picture_nodes.POINTS_PER_PIXEL, drawing.height * picture_nodes.POINTS_PER_PIXEL
        name = self._picture_name(node, drawing)
        tag = parent_tag and parent_tag.add("Figure", alt=name)
        max_height, side = self.setting.height * self.setting.tallest, picture_nodes.side_of(node)
        return PictureFlowable(picture, max_width, max_height, tag, size=size, side=side, floats=max_share < 1.0)

    def _prepare_picture(self, path: Path, max_side: float, ground: str) -> "image_transcoding.Picture | SvgDrawing":
        """Return a picture for a place with sides of at most `max_side` points. Raises UnusablePicture."""
        theme, max_side_px = self.glyphs.theme, image_transcoding.to_pixels(max_side)
        fit = Fit(max_side_px, max_side_px, tone=self._make_tone(ground))
        return print_pictures.prepare(path, fit, theme)

    def _picture_name(self, node: Node, drawing: "SvgDrawing | None") -> str:
        """Return the alternative text of a picture: its words in the note or in it, or its file's name."""
        nameless = self.inline.nameless
        drawing_words = (drawing.words if nameless else drawing.title or drawing.words) if drawing else ""
        file_name = "Picture" if nameless or picture_nodes.is_data(node) else PurePosixPath(link_name(node.text)).stem
        return picture_nodes.size_of(node)[0] or drawing_words or file_name

    def small_picture(self, node: Node, ground: str) -> LinePicture | None:
        """Return an inline picture on a background of the colour role `ground`; None if it is too large or unusable.

        Its size relative to the text is as in Obsidian, whose font size is 16 pixels.
        """
        try:
            path = self._picture_file(node)
            width_px, height_px = map(float, image_transcoding.pixel_size(path))
            size = picture_nodes.size_of(node)[1]
            if size:
                lengths = picture_nodes.complete_size(size, width_px, height_px)
                width_px, height_px = (length / picture_nodes.POINTS_PER_PIXEL for length in lengths)
            if height_px > _MAX_INLINE_HEIGHT_PX or width_px > _MAX_INLINE_HEIGHT_PX * 4:
                return None
            size_pt = width_px * self.setting.size / 16, height_px * self.setting.size / 16
            picture = self._prepare_picture(path, max(size_pt), ground)
        except image_transcoding.UnusablePicture:
            return None
        drawing = picture.drawing if isinstance(picture, image_transcoding.Picture) else picture
        return LinePicture(picture, size_pt, self._picture_name(node, drawing))

    def _make_tone(self, ground: str) -> look.Tone:
        theme = self.glyphs.theme
        shade = theme.colour_code(ground)
        return replace(theme.tone, ground="" if shade == _WHITE or theme.ink_saver else shade)

    def _add_embedded_note(self, node: Node, place: Place) -> None:
        markdown = None
        may_be_embedded = len(self._embedded_targets) < _MAX_EMBED_DEPTH and self._embedded_chars < _MAX_EMBEDDED_CHARS
        if node.text not in self._embedded_targets and may_be_embedded:
            markdown = self.setting.source.embed(node.text)
            self._embedded_chars += _MIN_EMBEDDED_CHARS + len(markdown or "")
        if markdown is None:
            link = Node("Link", node.text, [Node("Text", link_name(node.text) or node.text)], 1)
            self._add_line([Node("Text", "[see "), link, Node("Text", "]")], place)
            return
        tree = parse(markdown)
        self.inline.secrets += filter_secrets(tree, self.setting.secrets, self.setting.source)
        if not tree.children:
            return
        self._take_footnotes(tree)
        outer_targets, self._embedded_targets = self._embedded_targets, (*self._embedded_targets, node.text)
        tag = place.tag.add("Sect", title=link_name(node.text))
        with self._widen_box(tree.children, place):
            self._visit_all(tree.children, place.add_box(tag, 4.0, bar_role=look.LINE))
        self._embedded_targets = outer_targets

    def _widen_box(self, _nodes: list[Node], _place: Place) -> AbstractContextManager[None]:
        """Return a context in which blocks built from the nodes may span the page; in this class they never do."""
        return nullcontext()

    def _take_footnotes(self, tree: Node) -> None:
        """Collect the footnotes of embedded Markdown under new names, because the note may have equal ones."""
        definitions = {node.text: node for node in tree.walk() if node.kind == "FootnoteDefinition"}
        name_prefix = f"{len(self._definitions)} "
        for node in tree.walk():
            if node.kind == "FootnoteReference" and node.text in definitions:
                node.text = name_prefix + node.text
        self._definitions |= {name_prefix + name: node for name, node in definitions.items()}


def _is_lead_in(nodes: list[Node]) -> bool:
    """Return whether a line introduces the next block: it ends with a colon, is all bold, or is a roll on a table."""
    words = "".join(node.words() for node in nodes).rstrip()
    visible_nodes = [node for node in nodes if node.words().strip()]
    is_caption = len(visible_nodes) == 1 and (visible_nodes[0].kind == "Strong" or rolls_on_table(visible_nodes[0]))
    return len(words) < _MAX_LEAD_IN_CHARS and (is_caption or words.endswith(":"))


def is_inline_picture(node: Node, line: list[Node], inline: Inline, *, has_bullet: bool = False) -> bool:
    """Return whether a node is a small picture beside text, another picture or a bullet."""
    if node.kind != "Image" or embeds_note(node) or inline.small is None:
        return False
    visible_nodes = (sibling for sibling in line if sibling.kind == "Image" or sibling.words().strip())
    has_neighbour = has_bullet or next(islice(visible_nodes, 1, None), None) is not None
    return has_neighbour and inline.small(node, inline.ground) is not None
