"""Code blocks that plugins draw in Obsidian: drawn alike, replaced by a name, or left out and counted."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from vaultkit.look import theme as look
from vaultkit.look.images import UnusablePicture
from vaultkit.sheets.text import picture_nodes
from vaultkit.sheets.text.blocks import in_one_piece
from vaultkit.sheets.text.flow_chart import flow_of
from vaultkit.sheets.text.inline import left_out, link_name
from vaultkit.sheets.text.paragraphs import ParagraphBuilder, Place
from vaultkit.sheets.text.secret_parts import sift
from vaultkit.sheets.text.stat_block import StatBlock, admonition, dice_as_words, flat, picture_path, read_stat_block
from vaultkit.vault import frontmatter
from vaultkit.vault.markdown import Node

_TOKEN = [Node("Text", "96")]
"""The words of a creature's picture: its width in pixels."""
_VALUES = re.compile(r"(?:bar|line)\s*\[([^\[\]]*)\]")
_NAMES = re.compile(r"x-axis\s*(?:\"[^\"]*\"\s*)?\[([^\[\]]*)\]")
_SLICE = re.compile(r"\"([^\"]*)\"\s*:\s*([\d.]+)")
_TITLE = re.compile(r"\btitle\s+\"?([^\"\n]*)")
_QUOTED = re.compile(r"\"([^\"]*)\"|([^,\s][^,]*)")


class PluginBuilder(ParagraphBuilder):
    """A builder of blocks for code that a plugin draws in Obsidian."""

    def draw_as_plugin(self, node: Node, place: Place) -> bool:
        """Add a block of code as its plugin would draw it; return False for other code."""
        kind, source = node.called, node.words()
        if asked := left_out(node):
            self.inline.omitted[asked] += 1
            return True
        if kind.startswith("ad-") and kind != "ad-statblock":
            callout = admonition(kind.removeprefix("ad-"), source)
            self._within(callout, [callout], place)
            return True
        set_as: Callable[[str, Place], bool] | None = {
            "statblock": self._stat_block, "ad-statblock": self._stat_words,
            "leaflet": self._map, "mermaid": self._chart, "play": self._example,
        }.get(kind)  # fmt: skip
        return set_as is not None and set_as(source, place)

    def _example(self, source: str, place: Place) -> bool:
        """Add an example of a rule note: a row of the cards that are played, and the result below."""
        strip = self.setting.source.example(source)
        if strip is None:
            return False
        inside = place.inside(place.tag.add("Div", title="Example"), 6.0, look.PANEL)
        start = len(self._blocks)
        for row in strip.rows(self._room(inside), self.glyphs, inside.tag) if self.setting.pictures else ():
            self._add(row, inside, whole=True)
        words = [Node("Strong", children=[Node("Text", "Example.")]), Node("Text", f" {strip.words}")]
        self._all([Node("Paragraph", children=words)], inside)
        self._blocks[start:] = in_one_piece(self._blocks[start:])
        return True

    def _stat_block(self, source: str, place: Place) -> bool:
        found = read_stat_block(source, self.setting.source.creature)
        if found is not None:
            self._creature(found, place)
        return found is not None

    def _stat_words(self, source: str, place: Place) -> bool:
        """Add a stat block that an admonition holds as Markdown, as older converters write it."""
        title, *words = dice_as_words(admonition("", source)).children
        name = [Node("StatName", children=title.children)] if title.children else []
        first = words[0].children if words and words[0].kind == "Paragraph" else []
        if name and first and first[0].kind == "Image":
            name = [*name, first.pop(0)]
            name += [words.pop(0)] if first else words[:0]
        self._creature(StatBlock("", "", "", words), place, name)
        return True

    def _creature(self, found: StatBlock, place: Place, head: Sequence[Node] = ()) -> None:
        """Add a stat block in a box, with the picture of its head beside the name."""
        nodes = [*head, *found.nodes()]
        size = len(nodes) - len(found.body)
        picture = next((node for node in nodes[:size] if node.kind == "Image"), None)
        if picture is not None and self.setting.pictures and size > 1:
            nodes[:size] = [Node("StatHead", children=[*(n for n in nodes[:size] if n is not picture), picture])]
        tag = place.tag.add("Div", title="Stat block")
        self._within(Node("Document", children=nodes), None, place.inside(tag, 6.0, look.PANEL, look.ACCENT))

    def _within(self, tree: Node, nodes: list[Node] | None, place: Place) -> None:
        """Add blocks parsed from code, after sifting secrets in `tree`.

        The blocks are `nodes`, or the children of `tree` if it is None. Their headings do not count as headings of the
        note.
        """
        self.inline.secrets += sift(tree, self.setting.secrets, self.setting.source)
        self._take_footnotes(tree)
        outer, self._embedding = self._embedding, (*self._embedding, "")
        self._all(tree.children if nodes is None else nodes, place)
        self._embedding = outer

    def visit_stathead(self, node: Node, place: Place) -> None:
        """Add a creature's name and kind, with its picture at the right if it can be drawn."""
        from vaultkit.sheets.text.flowables import BesideFlowable

        *words, picture = node.children
        start = len(self._blocks)
        self._all(words, place)
        try:
            drawn = self.picture(replace(picture, children=_TOKEN), self._room(place), place.tag, place.ground)
        except UnusablePicture as problem:
            self._line(picture_nodes.in_its_place(picture, problem, nameless=self.inline.nameless), place)
            return
        parts = [block.flowable for block in self._blocks[start:]]
        self._blocks[start:] = [replace(self._blocks[start], flowable=BesideFlowable(parts, drawn), keep=True)]

    def visit_statname(self, node: Node, place: Place) -> None:
        self._titled(node, place, look.TITLE_BOLD, 1.4)

    def visit_statsection(self, node: Node, place: Place) -> None:
        self._titled(node, place, look.TITLE_BOLD, 1.1)

    def _titled(self, node: Node, place: Place, face: str, share: float) -> None:
        size = self.setting.scaled(share)
        style = self._style(face, size=size, leading=size * 1.18, textColor=look.ACCENT, spaceBefore=6, spaceAfter=2)
        self._set(self.inline.line(node.children, face), style, place, place.tag.add("P"), keep=True)

    def _map(self, source: str, place: Place) -> bool:
        found = frontmatter.read(f"---\n{source.rstrip()}\n---\n", "").properties
        path = picture_path(flat(found.get("image")))
        name = flat(found.get("id")) or ("" if self.inline.nameless else link_name(path))
        if path and self.setting.pictures:
            self._picture_of_map(Node("Image", path, [Node("Text", "Map")], 0), place)
        self._line([Node("Text", f"[map: {name or 'without a name'}]")], place)
        return True

    def _picture_of_map(self, picture: Node, place: Place) -> None:
        with suppress(UnusablePicture):
            self._add(self.picture(picture, self._room(place), place.tag, place.ground), place, keep=True)

    def _chart(self, source: str, place: Place) -> bool:
        title, values = chart_of(source)
        if flow := flow_of(source):
            tag = place.tag.add("Div", title="Chart")
            self._all([flow], place.inside(tag, 6.0, look.PANEL, look.LINE))
            return True
        if not values:
            kind = " ".join(source.split()[:1])
            self.inline.omitted["mermaid chart"] += 1
            self._line([Node("Text", f"[chart{f': {title or kind}' if title or kind else ''}]")], place)
            return True
        from vaultkit.sheets.text.bar_chart import BarChart

        words = ", ".join(f"{name} {value}" for name, value in values)
        tag = place.tag.add("Figure", alt=f"{title or 'Chart'}: {words}")
        if title:
            self._line([Node("Strong", children=[Node("Text", title)])], replace(place, tag=tag))
            self._blocks[-1] = replace(self._blocks[-1], keep=True)
        size = self.setting.scaled(0.9)
        self._add(BarChart(values, self.glyphs, size, self._room(place), tag), place, whole=True)
        return True


def chart_of(source: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the title of a Mermaid chart, and the name and value of each bar or slice; other charts have no values."""
    found = _TITLE.search(source)
    title, kind = found[1].strip() if found else "", source.split(maxsplit=1)[:1]
    if kind == ["pie"]:
        return title, _SLICE.findall(source)
    names, values = _NAMES.search(source), _VALUES.findall(source)
    if kind != ["xychart-beta"] or names is None or len(values) != 1:
        return title, []
    labels = [(one[0] or one[1]).strip() for one in _QUOTED.findall(names[1])]
    numbers = [value.strip() for value in values[0].split(",")]
    fit = len(labels) == len(numbers) and all(re.fullmatch(r"[\d.]+", number) for number in numbers)
    return title, list(zip(labels, numbers, strict=True)) if fit else []
