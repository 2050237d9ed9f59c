"""A note's tree -> blocks for the layout. With `inline` the only way from a note's words to ReportLab."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vaultkit.sheets import images
from vaultkit.sheets import theme as look
from vaultkit.sheets.text import tables
from vaultkit.sheets.text.inline import Inline, LinkTarget, file_name, html_lines, letter
from vaultkit.sheets.text.layout import Block, Frame
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.subpath import comparable

ResolveImage = Callable[[str], Path | None]
ResolveEmbed = Callable[[str], str | None]
_PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".svg"}
_HEADINGS = {1: 17.0, 2: 14.5, 3: 11.5, 4: 11.0, 5: 10.5, 6: 10.5}
_INDENT = 15.0
_MOST_FRAMES = 4
_SHORT_CALLOUT, _SHORT_CODE = 600, 12
"""Characters of a callout and lines of code that are not broken over columns."""
_DEEPEST_EMBED = 3
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
    resolve_image: ResolveImage = lambda _: None
    resolve_embed: ResolveEmbed = lambda _: None


@dataclass(frozen=True)
class _Place:
    indent: float = 0.0
    frames: tuple[Frame, ...] = ()
    bullet: str = ""
    box: str = ""
    face: str = look.TEXT
    deepest: float = 75.0

    def inside(self, frame: Frame) -> "_Place":
        if len(self.frames) >= _MOST_FRAMES:
            return replace(self, bullet="", box="")
        indent = min(self.indent + frame.pad + 3, self.deepest)
        return replace(self, indent=indent, frames=(*self.frames, frame), bullet="", box="")


@dataclass
class TextBuilder:
    """Walks the tree and makes the blocks. One builder makes one sheet."""

    setting: Setting
    _blocks: list[Block] = field(default_factory=list)
    _definitions: dict[str, Node] = field(default_factory=dict)
    _key: int = 0
    _embedding: tuple[str, ...] = ()

    def build(self, tree: Node) -> list[Block]:
        """All blocks of the note, then its footnotes, then the list of the other notes that it names."""
        self._definitions = {node.text: node for node in tree.walk() if node.kind == "FootnoteDefinition"}
        self._all(tree.children, _Place(deepest=self.setting.width * 0.4))
        self._footnotes()
        self._named_notes()
        return self._blocks

    @property
    def _indent(self) -> float:
        """How far a list's words stand in: less on cards, where room is dear."""
        return _INDENT if self.setting.pictures else _INDENT * 0.62

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
        self._blocks.append(Block(flowable, place.indent, place.frames, box=place.box, **more))

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
        if not markup and not (place.bullet or place.box):
            return
        listed = bool(place.bullet or place.box)
        style = self._style(place.face, spaceBefore=1.7 if listed else 4.0, spaceAfter=1.7 if listed else 4.0)
        if listed:
            style.leftIndent, style.bulletIndent = self._indent, 0
            style.bulletFontName = self.setting.inline.glyphs.theme.face(look.BOLD)
            style.bulletFontSize = self.setting.size * 0.95
            style.bulletColor = self.setting.inline.glyphs.theme.colour(look.ACCENT)
        words = "".join(node.words() for node in nodes).rstrip()
        keep = words.endswith(":") and len(words) < 200
        self._add(Words(markup, style, bulletText=place.bullet or None), place, keep=keep)

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
        self._key += 1
        title = node.words().strip()
        self._add(Words(markup, style), place, keep=True, key=heading_key(self._key), title=title, level=level)

    def _list(self, node: Node, place: _Place) -> None:
        outer = place.indent + (self._indent if place.bullet or place.box else 0)
        for offset, item in enumerate(node.children):
            number = None if node.number is None else node.number + offset
            inner = item.children[0].children if item.children else []
            task = next((child for child in [*item.children, *inner] if child.kind == "Task"), None)
            mark = "•" if number is None else f"{number}."
            box = "" if task is None else "done" if task.number else "todo"
            start = replace(place, indent=min(outer, place.deepest), bullet="" if box else mark, box=box)
            self._item(item, start)

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
        self._all(node.children, replace(place.inside(frame), face=look.ITALIC))

    def _callout(self, node: Node, place: _Place) -> None:
        from vaultkit.sheets.text.words import Words

        warm = node.text in _WARM
        frame = Frame(place.indent, 6.0, look.PANEL, look.ACCENT if warm else look.GOLD)
        inside = place.inside(frame)
        inline = self.setting.inline
        kind = inline.glyphs.markup(node.text.capitalize(), look.BOX_BOLD)
        theme = inline.glyphs.theme
        box_face, shade = theme.face(look.BOX_BOLD), theme.code(look.ACCENT)
        label = f'<font name="{box_face}" size="{self.setting.size * 0.8:.2f}" color="{shade}">{kind}</font>'
        title = inline.markup(node.children[0].children, look.BOLD).strip()
        same = node.children[0].words().strip().lower() == node.text
        markup = label + ("" if not title or same else "\u00a0\u00a0" + title)
        style = self._style(look.BOLD, spaceBefore=6, spaceAfter=2)
        start = len(self._blocks)
        self._add(Words(markup, style), inside, keep=len(node.children) > 1)
        self._all(node.children[1:], inside)
        if len(node.words()) < _SHORT_CALLOUT:
            self._blocks[start:-1] = [replace(block, keep=True, whole=True) for block in self._blocks[start:-1]]
            self._blocks[-1] = replace(self._blocks[-1], whole=True)

    def _codeblock(self, node: Node, place: _Place) -> None:
        from vaultkit.sheets.text.words import Words

        lines = node.words().rstrip("\n").expandtabs(4).split("\n")
        glyphs = self.setting.inline.glyphs
        indented = ("\u00a0" * (len(line) - len(line.lstrip(" "))) + line.lstrip(" ") for line in lines)
        markup = "<br/>".join(glyphs.markup(line, look.BOX) for line in indented)
        frame = Frame(place.indent, 5.0, look.PANEL_DARK)
        size = max(self.setting.floor, self.setting.size * 0.86)
        style = self._style(look.BOX, size=size, leading=size * 1.35, allowWidows=1, allowOrphans=1)
        self._add(Words(markup or "\u00a0", style), place.inside(frame), whole=len(lines) <= _SHORT_CODE)

    def _rule(self, _node: Node, place: _Place) -> None:
        from reportlab.platypus import HRFlowable

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
        for table, span, whole in tables.tables(node, self.setting.inline, size, room, full):
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
        try:
            if found is None:
                raise images.UnusablePicture("not found in the vault")
            pixels = round(room / 72 * 300)
            picture = images.prepare(found, self.setting.cache, width=pixels, height=pixels)
            self._add(PictureFlowable(picture, room, self.setting.height * 0.45), place, keep=bool(caption))
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
        self._all(parse(text).children, place.inside(frame))
        self._embedding = outer

    def _footnotes(self) -> None:
        names = self.setting.inline.footnotes
        done = 0
        while done < len(names):
            if not done:
                self._small_heading("Notes", "foot-notes")
            definition = self._definitions.get(names[done])
            start = len(self._blocks)
            place = _Place(bullet=f"{done + 1}.")
            children = definition.children if definition is not None else [Node("Text", "[this note is missing]")]
            self._item(Node("Item", children=children), place)
            self._blocks[start] = replace(self._blocks[start], key=f"foot-{done + 1}")
            done += 1

    def _named_notes(self) -> None:
        targets = list(self.setting.inline.notes.values()) if self.setting.inline.live else []
        if targets:
            self._small_heading("Notes of the vault named here", "notes-named")
        for number, target in enumerate(targets):
            self._line(_named(target), _Place(bullet=f"{letter(number)}."))

    def _small_heading(self, text: str, key: str) -> None:
        from vaultkit.sheets.text.words import Words

        style = self._style(look.TITLE_BOLD, size=9.5, textColor=look.MUTED, spaceBefore=16, spaceAfter=3)
        self._add(Words(self.setting.inline.glyphs.markup(text, look.TITLE_BOLD), style), _Place(), keep=True, key=key)


def _named(target: LinkTarget) -> list[Node]:
    """The other note's title and path; the path alone where it says as much."""
    path = Node("Emphasis", children=[Node("Text", target.path)])
    if target.path and target.title == Path(target.path).stem:
        return [path]
    return [Node("Text", target.title), *([Node("Text", " \u2013 "), path] if target.path else [])]


def heading_key(number: int) -> str:
    """The destination of the sheet's heading `number`, counted from 1 in the order of the text."""
    return f"h{number}"


def heading_keys(tree: Node) -> dict[str, str]:
    """Headings, as Obsidian compares them, and their keys; of two that are alike the first counts."""
    keys: dict[str, str] = {}
    headings = (node for node in tree.walk() if node.kind == "Heading" and node.words().strip())
    for number, node in enumerate(headings, 1):
        keys.setdefault(comparable(node.words()), heading_key(number))
    return keys


def PictureFlowable(picture: images.Picture, width: float, height: float) -> Any:  # noqa: N802 - it stands for a class
    """A picture, as large as `width` x `height` points and 150 dots an inch allow, in the middle."""
    from reportlab.platypus import Flowable

    scale = min(width / picture.width, height / picture.height, 72 / 150)

    class _Picture(Flowable):  # type: ignore[misc]
        def wrap(self, wide: float, _high: float) -> tuple[float, float]:
            self.width, self.height = wide, picture.height * scale
            return self.width, self.height

        def draw(self) -> None:
            size = picture.width * scale, picture.height * scale
            images.draw(self.canv, picture, (self.width - size[0]) / 2, 0, size)

    flowable = _Picture()
    flowable.spaceBefore = flowable.spaceAfter = 6
    return flowable
