"""A note's tree -> blocks for the layout. With `inline` the only way from a note's words to ReportLab."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from vaultkit.look import images
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text import tables
from vaultkit.sheets.text.blocks import Block, Frame
from vaultkit.sheets.text.breaks import Breaks
from vaultkit.sheets.text.inline import LISTING, Inline, file_name, html_lines, letter, named
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.subpath import comparable

ResolveImage = Callable[[str], Path | None]
ResolveEmbed = Callable[[str], str | None]
_PICTURES = {*images.ENDINGS, ".svg"}
_HEADINGS = {1: 17.0, 2: 14.5, 3: 11.5, 4: 11.0, 5: 10.5, 6: 10.5}
_INDENT = 15.0
_MOST_FRAMES = 4
_SHORT_CALLOUT, _SHORT_CODE = 600, 12
"""Characters of a callout and lines of code that are not broken over columns."""
_DEEPEST_EMBED = 3
_LEADING_IN = 300
"""So many characters that end with a colon stay with what they lead to."""
_SPACES = re.compile(r"^ +| {2,}")
"""What ReportLab would run together or leave out."""
_WARM = {"warning", "caution", "danger", "error", "attention", "failure", "fail", "bug", "missing"}


@dataclass
class Setting:
    """What the words are set with: a size, a width to fit tables and pictures to, and ways into the vault."""

    inline: Inline
    width: float
    full_width: float
    height: float
    cache: Path
    size: float = 10.5
    floor: float = 10.0
    pictures: bool = True
    above: int = 1
    """The level of the heading, in the file's structure, under which the note stands."""
    resolve_image: ResolveImage = lambda _: None
    resolve_embed: ResolveEmbed = lambda _: None


@dataclass(frozen=True)
class _Place:
    tag: Tag
    indent: float = 0.0
    frames: tuple[Frame, ...] = ()
    bullet: str = ""
    box: str = ""
    label: Tag | None = None
    face: str = look.TEXT
    deepest: float = 75.0

    def inside(self, frame: Frame, tag: Tag) -> "_Place":
        if len(self.frames) >= _MOST_FRAMES:
            return replace(self, tag=tag, bullet="", box="")
        indent = min(self.indent + frame.pad + 3, self.deepest)
        return replace(self, tag=tag, indent=indent, frames=(*self.frames, frame), bullet="", box="")


@dataclass
class TextBuilder:
    """Walks the tree and makes the blocks. One builder makes one sheet.

    `structure` holds the tags of all blocks, in reading order.
    """

    setting: Setting
    structure: Tag = field(default_factory=lambda: Tag("Div"))
    row_heads: ClassVar[bool] = False
    """Whether the first column of a table names its rows."""
    _blocks: list[Block] = field(default_factory=list)
    _definitions: dict[str, Node] = field(default_factory=dict)
    _key: int = 0
    _embedding: tuple[str, ...] = ()
    _levels: list[int] = field(default_factory=list)

    def build(self, tree: Node) -> list[Block]:
        """All blocks of the note, then its footnotes, then the list of the other notes that it names."""
        self._definitions = {node.text: node for node in tree.walk() if node.kind == "FootnoteDefinition"}
        self._all(tree.children, _Place(self.structure, deepest=self.setting.width * 0.4))
        self._footnotes()
        self._named_notes()
        return self._blocks

    @property
    def _indent(self) -> float:
        """How far a list's words stand in: less on cards, where room is dear."""
        return _INDENT * max(1.0, self.setting.size / 10.5) if self.setting.pictures else _INDENT * 0.62

    def _all(self, nodes: list[Node], place: _Place) -> None:
        line: list[Node] = []
        for node in [*nodes, Node("End")]:
            handler = getattr(self, f"_{node.kind.lower()}", None)
            if handler is None and node.kind not in {"FootnoteDefinition", "End"}:
                line.append(node)
                continue
            if line:
                self._words(line, place)
                place = replace(place, bullet="", box="")
                line = []
            if handler is not None:
                handler(node, place)
                place = replace(place, bullet="", box="")

    def _style(self, face: str = look.TEXT, **more: Any) -> Any:
        size = more.pop("size", self.setting.size)
        return self.setting.inline.glyphs.theme.style(face, size, **more)

    def _add(self, flowable: Any, place: _Place, **more: Any) -> None:
        more |= {"box": place.box, "structure": self.structure}
        self._blocks.append(Block(flowable, place.indent, place.frames, **more))

    def _paragraph(self, node: Node, place: _Place) -> None:
        self._words(node.children, place)

    def _words(self, nodes: list[Node], place: _Place) -> None:
        """One paragraph; pictures and embedded notes in it stand on their own between its parts."""
        part: list[Node] = []
        for node in nodes:
            if node.kind != "Image":
                part.append(node)
                continue
            self._line(part, place)
            part, place = [], replace(place, bullet="", box="")
            self._image(node, place)
        self._line(part, place)

    def _line(self, nodes: list[Node], place: _Place) -> None:
        from vaultkit.sheets.text.words import Words

        markup = self.setting.inline.markup(nodes, place.face).strip()
        while markup.startswith("<br/>"):
            markup = markup[5:].strip()
        while markup.endswith("<br/>"):
            markup = markup[:-5].strip()
        listed = bool(place.bullet or place.box)
        if not markup and not listed:
            return
        markup = markup or f'<font name="{self.setting.inline.glyphs.theme.face(place.face)}">\u00a0</font>'
        style = self._style(place.face, spaceBefore=1.7 if listed else 4.0, spaceAfter=1.7 if listed else 4.0)
        if listed:
            style.leftIndent, style.bulletIndent = self._indent, 0
            style.bulletFontName = self.setting.inline.glyphs.theme.face(look.BOLD)
            style.bulletFontSize = max(self.setting.floor, self.setting.size * 0.95)
            style.bulletColor = self.setting.inline.glyphs.theme.colour(look.ACCENT)
        words = "".join(node.words() for node in nodes).rstrip()
        keep = words.endswith(":") and len(words) < _LEADING_IN
        label = place.label if listed else None
        made = Words(markup, style, place.bullet or None, tag=place.tag.add("P"), label=label)
        self._add(made, place, keep=keep)

    def _heading(self, node: Node, place: _Place) -> None:
        from vaultkit.sheets.text.words import Words

        level = node.number or 1
        inline = self.setting.inline
        if level <= 2:
            inline.new_section()
        face = look.TITLE_BOLD if level <= 3 else look.BOLD if level == 4 else look.BOLD_ITALIC
        size = _HEADINGS[level] * self.setting.size / 10.5
        markup = inline.markup(node.children, face)
        if not markup.strip():
            return
        style = self._style(
            face, size=size, leading=size * 1.18, textColor=look.ACCENT if level <= 3 else look.INK,
            spaceBefore={1: 15, 2: 12, 3: 8}.get(level, 6), spaceAfter={1: 5, 2: 4, 3: 2.5}.get(level, 2),
        )  # fmt: skip
        self._key += not self._embedding
        key = inline.prefix + (f"embedded-{len(self._blocks)}" if self._embedding else heading_key(self._key))
        title = node.words().strip()
        made = Words(markup, style, tag=place.tag.add(self._heading_kind(level)))
        self._add(made, place, keep=True, key=key, title=title, level=level)

    def _heading_kind(self, level: int) -> str:
        """`H2`... for a heading of the note: below those above it, and never more than one level deeper."""
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        self._levels.append(level)
        return f"H{min(self.setting.above + len(self._levels), 6)}"

    def _list(self, node: Node, place: _Place) -> None:
        outer = place.indent + (self._indent if place.bullet or place.box else 0)
        held = place.tag.add("L", numbering="Disc" if node.number is None else "Decimal")
        for offset, item in enumerate(node.children):
            number = None if node.number is None else node.number + offset
            inner = item.children[0].children if item.children else []
            task = next((child for child in [*item.children, *inner] if child.kind == "Task"), None)
            mark = "•" if number is None else f"{number}."
            box = "" if task is None else "done" if task.number else "todo"
            tag = held.add("LI")
            label = tag.add("Lbl", alt={"done": "Done", "todo": "To do"}.get(box, ""))
            start = replace(place, indent=min(outer, place.deepest), bullet="" if box else mark, box=box)
            self._item(item, replace(start, tag=tag.add("LBody"), label=label))

    def _item(self, item: Node, start: _Place) -> None:
        before = len(self._blocks)
        later = replace(start, indent=start.indent + self._indent, bullet="", box="")
        groups: list[list[Node]] = [[]]
        for child in [child for child in item.children if child.kind != "Task"]:
            if hasattr(self, f"_{child.kind.lower()}") and child.kind != "Image":
                groups += [[child], []]
            else:
                groups[-1].append(child)
        first = True
        for group in (group for group in groups if group):
            if first and group[0].kind not in {"Paragraph"} and hasattr(self, f"_{group[0].kind.lower()}"):
                self._line([Node("Text", "\u00a0")], start)
                first = False
            self._all(group, start if first else later)
            first = False
        if len(self._blocks) == before:
            self._line([Node("Text", "\u00a0")], start)

    def _task(self, _node: Node, _place: _Place) -> None:
        return

    def _blockquote(self, node: Node, place: _Place) -> None:
        frame = Frame(place.indent, 4.0, "", look.LINE)
        self._all(node.children, replace(place.inside(frame, place.tag.add("BlockQuote")), face=look.ITALIC))

    def _callout(self, node: Node, place: _Place) -> None:
        from vaultkit.sheets.text.words import Words

        warm = node.text in _WARM
        frame = Frame(place.indent, 6.0, look.PANEL, look.ACCENT if warm else look.GOLD)
        inside = place.inside(frame, place.tag.add("Div", title=node.text.capitalize()))
        inline = self.setting.inline
        kind = inline.glyphs.markup(node.text.capitalize(), look.BOX_BOLD)
        theme = inline.glyphs.theme
        box_face, shade = theme.face(look.BOX_BOLD), theme.code(look.ACCENT)
        size = max(self.setting.floor, self.setting.size * 0.8)
        label = f'<font name="{box_face}" size="{size:.2f}" color="{shade}">{kind}</font>'
        title = inline.markup(node.children[0].children, look.BOLD).strip()
        same = node.children[0].words().strip().lower() == node.text
        markup = label + ("" if not title or same else "\u00a0\u00a0" + title)
        style = self._style(look.BOLD, spaceBefore=6, spaceAfter=2)
        start = len(self._blocks)
        self._add(Words(markup, style, tag=inside.tag.add("P")), inside, keep=len(node.children) > 1)
        self._all(node.children[1:], inside)
        if len(node.words()) < _SHORT_CALLOUT:
            self._blocks[start:-1] = [replace(block, keep=True, whole=True) for block in self._blocks[start:-1]]
            self._blocks[-1] = replace(self._blocks[-1], whole=True)

    def _codeblock(self, node: Node, place: _Place) -> None:
        from vaultkit.sheets.text.words import Words

        lines = node.words().rstrip("\n").expandtabs(4).split("\n")
        glyphs = self.setting.inline.glyphs
        marked = [glyphs.markup(_SPACES.sub(_unbroken, line), look.BOX) for line in lines]
        size = max(self.setting.floor, self.setting.size * 0.86)
        style = self._style(look.BOX, size=size, leading=size * 1.35, allowWidows=1, allowOrphans=1)
        tag = place.tag.add("P").add("Code")
        inside = place.inside(Frame(place.indent, 5.0, look.PANEL_DARK), tag)
        for start in range(0, len(marked), _SHORT_CODE):  # breaking one long paragraph again and again takes for ever
            markup = "<br/>".join(marked[start : start + _SHORT_CODE])
            self._add(Words(markup or "\u00a0", style, tag=tag), inside, whole=len(lines) <= _SHORT_CODE)

    def _rule(self, _node: Node, place: _Place) -> None:
        from vaultkit.sheets.text.flowables import HRFlowable

        self._add(
            HRFlowable(
                "100%", 0.5, color=self.setting.inline.glyphs.theme.colour(look.GOLD), spaceBefore=8, spaceAfter=8
            ),
            place,
        )

    def _htmlblock(self, node: Node, place: _Place) -> None:
        lines = html_lines("".join(child.text for child in node.children))
        self._line([part for line in lines for part in (Node("Plain", line), Node("HardBreak"))], place)

    def _table(self, node: Node, place: _Place) -> None:
        room = self.setting.width - place.indent - sum(frame.pad for frame in place.frames)
        full = room if place.indent else self.setting.full_width
        size = max(self.setting.floor, self.setting.size * 0.93)
        made = tables.tables(
            node, self.setting.inline, place.tag, size=size, room=room, full=full, row_heads=self.row_heads
        )
        for table, span, whole in made:
            self._add(table, place, span=span, whole=whole)

    def _image(self, node: Node, place: _Place) -> None:
        target = node.text
        suffix = Path(file_name(target)).suffix.lower()
        if node.number and suffix not in _PICTURES:
            self._embed(node, place)
            return
        if not self.setting.pictures:
            return
        room = self.setting.width - place.indent - sum(frame.pad for frame in place.frames)
        found = None if ":" in target.split("/")[0] else self.setting.resolve_image(target)
        caption = "" if node.number or node.words().isdigit() else node.words()
        from vaultkit.sheets.text.flowables import PictureFlowable

        try:
            if found is None:
                raise images.UnusablePicture("not found in the vault")
            pixels = round(room / 72 * 300)
            tone = self.setting.inline.glyphs.theme.tone
            picture = images.prepare(found, self.setting.cache, width=pixels, height=pixels, tone=tone)
            tag = place.tag.add("Figure", alt=caption or Path(file_name(target)).stem)
            self._add(PictureFlowable(picture, room, self.setting.height * 0.45, tag), place, keep=bool(caption))
        except images.UnusablePicture as problem:
            self._line([Node("Text", f"[picture {file_name(target) or 'without a name'}: {problem}]")], place)
            return
        if caption:
            self._line([Node("Emphasis", children=[Node("Text", caption)])], place)

    def _embed(self, node: Node, place: _Place) -> None:
        text = None
        if node.text not in self._embedding and len(self._embedding) < _DEEPEST_EMBED:
            text = self.setting.resolve_embed(node.text)
        if text is None:
            link = Node("Link", node.text, [Node("Text", file_name(node.text) or node.text)], 1)
            self._line([Node("Text", "[see "), link, Node("Text", "]")], place)
            return
        frame = Frame(place.indent, 4.0, "", look.LINE)
        outer, self._embedding = self._embedding, (*self._embedding, node.text)
        self._all(parse(text).children, place.inside(frame, place.tag.add("Sect", title=file_name(node.text))))
        self._embedding = outer

    def _footnotes(self) -> None:
        numbers = self.setting.inline.footnotes
        if numbers:
            self._small_heading("Notes", "foot-notes")
        done = 0
        while done < len(numbers):  # a footnote may name further ones
            for name in list(numbers)[done:]:
                self._footnote(name, numbers[name])
                done += 1

    def _footnote(self, name: str, number: int) -> None:
        definition = self._definitions.get(name)
        start = len(self._blocks)
        tag = self.structure.add("Note")
        place = _Place(tag, bullet=f"{number}.", label=tag.add("Lbl"))
        children = definition.children if definition is not None else [Node("Text", "[this note is missing]")]
        self._item(Node("Item", children=children), place)
        self._blocks[start] = replace(self._blocks[start], key=f"{self.setting.inline.prefix}foot-{number}")

    def _named_notes(self) -> None:
        inline = self.setting.inline
        targets = list(inline.notes.values()) if inline.live and inline.listed else []
        if targets:
            self._small_heading("Notes of the vault named here", LISTING)
        held = self.structure.add("L", numbering="LowerAlpha") if targets else self.structure
        for number, target in enumerate(targets):
            tag = held.add("LI")
            label = tag.add("Lbl")
            self._line(named(target, self._fits), _Place(tag.add("LBody"), bullet=f"{letter(number)}.", label=label))
            made = self._blocks[-1].flowable
            made.breaks = Breaks(made.breaks.text.replace("\n", ""))  # a path goes on behind the end of its line

    def _fits(self, text: str) -> bool:
        room = self.setting.width - self._indent - 1
        return self.setting.inline.glyphs.width(text, look.ITALIC, self.setting.size) <= room

    def _small_heading(self, text: str, key: str) -> None:
        from vaultkit.sheets.text.words import Words

        style = self._style(
            look.TITLE_BOLD, size=max(self.setting.floor, 9.5), textColor=look.MUTED, spaceBefore=16, spaceAfter=3
        )
        key = self.setting.inline.prefix + key
        tag = self.structure.add(f"H{min(self.setting.above + 1, 6)}")
        markup = self.setting.inline.glyphs.markup(text, look.TITLE_BOLD)
        self._add(Words(markup, style, tag=tag), _Place(self.structure), keep=True, key=key)


def _unbroken(spaces: re.Match[str]) -> str:
    return "\u00a0" * len(spaces[0])


def heading_key(number: int) -> str:
    """The destination of the sheet's heading `number`, counted from 1 in the order of the text."""
    return f"h{number}"


def heading_keys(tree: Node, prefix: str = "") -> dict[str, str]:
    """Headings, as Obsidian compares them, and their keys; of two that are alike the first counts."""
    keys: dict[str, str] = {}
    headings = (node for node in tree.walk() if node.kind == "Heading" and node.words().strip())
    for number, node in enumerate(headings, 1):
        keys.setdefault(comparable(node.words()), prefix + heading_key(number))
    return keys
