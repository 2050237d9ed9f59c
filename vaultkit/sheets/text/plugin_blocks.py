"""Code blocks that plugins draw in Obsidian, drawn in the same way, replaced by a name, or left out and counted."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from vaultkit.sheets.text import picture_nodes
from vaultkit.sheets.text.bar_chart import BarChart
from vaultkit.sheets.text.blocks import keep_together
from vaultkit.sheets.text.encounter_block import encounter_nodes, read_encounters
from vaultkit.sheets.text.flowables import BesideFlowable
from vaultkit.sheets.text.inline import link_name
from vaultkit.sheets.text.omissions import obsidian_only_kind
from vaultkit.sheets.text.paragraphs import ParagraphBuilder
from vaultkit.sheets.text.plugin_words import LAYOUT_KINDS, plugin_markdown
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.setting import Place
from vaultkit.sheets.text.stat_block import (
    StatBlock,
    admonition_to_callout,
    dice_as_words,
    find_target,
    read_stat_block,
    to_text,
)
from vaultkit.theme import model as look
from vaultkit.theme.image_transcoding import UnusablePicture
from vaultkit.vault import frontmatter
from vaultkit.vault.markdown import Node, parse

_MAX_PLUGIN_DEPTH = 12
"""The most blocks of plug-ins in each other that are read."""
_TOKEN_SIZE_TEXT = [Node("Text", "96")]
"""The text of a creature's picture node, which gives its width in pixels."""
_CHART_VALUES = re.compile(r"(?:bar|line)\s*\[([^\[\]]*)\]")
_CHART_LABELS = re.compile(r"x-axis\s*(?:\"[^\"]*\"\s*)?\[([^\[\]]*)\]")
_PIE_SLICE = re.compile(r"\"([^\"]*)\"\s*:\s*([\d.]+)")
_CHART_TITLE = re.compile(r"\btitle\s+\"?([^\"\n]*)")
_LIST_ENTRY = re.compile(r"\"([^\"]*)\"|([^,\s][^,]*)")


_FLOW_CHART_HEAD = re.compile(r"\s*(?:graph|flowchart)\b[^\n;]*")
_IGNORED_STATEMENT = re.compile(r"(?:subgraph|end|style|classDef|class|click|linkStyle|direction)\b|%%")
_NAME = r"(?P<name>\w+(?:[-.]\w+)*)"
_SHAPE = r"(?:@\{[^}]*\}|[\[({>]+[/\\]?\s*(?P<words>\"[^\"]*\"|[^\"\]})]*?)\s*[/\\]?[\])}]+)?(?::::\w+)?"
_FLOW_CHART_BOX = re.compile(rf"\s*{_NAME}{_SHAPE}\s*")
_ARROW = re.compile(r"[<xo]?(?:--+|==+|-\.+-?|~~~)(?:[>xo]|(?=\s*[|\w\[]))(?:\s*\|\s*(?P<bar>[^|]*?)\s*\|)?")
_LABELLED_ARROW = re.compile(r"[<xo]?(?:--|==|-\.)\s+(?P<mid>[^-=.|>][^|>]*?)\s*(?:--+|==+|\.+-)[>xo]?")
_LINE_BREAK_OR_SPACES = re.compile(r"(?:<br\s*/?>|\s)+", re.IGNORECASE)
_MAX_LINE_CHARS = 2000
"""The maximum length of a line; a chart with a longer line was not written by a person, and is not read."""

_FlowEdge = tuple[str, str, str]
"""An arrow between two boxes: the name of the first box, that of the second, and the words on the arrow."""


class PluginBuilder(ParagraphBuilder):
    """A builder of blocks for code that a plugin draws in Obsidian."""

    def draw_as_plugin(self, node: Node, place: Place) -> bool:
        """Add a code block as its plugin would draw it, and return True; return False for other code."""
        kind, source = node.type_name.strip("{}"), node.words()
        markdown = plugin_markdown(kind, source) if len(self._embedded_targets) < _MAX_PLUGIN_DEPTH else None
        if markdown is not None:
            self._add_parsed_blocks(parse(markdown), None, place)
        if markdown is not None or kind in LAYOUT_KINDS:
            return True
        if omission := obsidian_only_kind(node):
            self.inline.omitted[omission] += 1
            return True
        if kind.startswith("ad-") and kind != "ad-statblock":
            callout = admonition_to_callout(kind.removeprefix("ad-"), source)
            self._add_parsed_blocks(callout, [callout], place)
            return True
        add_block: Callable[[str, Place], bool] | None = {
            "statblock": self._add_stat_block, "ad-statblock": self._add_admonition_stat_block,
            "leaflet": self._add_map, "zoommap": self._add_map, "mermaid": self._add_chart, "play": self._add_example,
            "encounter": self._add_encounters, "encounter-table": self._add_encounters,
        }.get(kind)  # fmt: skip
        return add_block is not None and add_block(source, place)

    def _add_example(self, source: str, place: Place) -> bool:
        """Add an example of a rule note: rows of the played cards and the result; return False if it cannot be read."""
        strip = self.setting.source.example(source)
        if strip is None:
            return False
        inner_place = place.add_box(place.tag.add("Div", title="Example"), 6.0, look.PANEL)
        start = len(self._blocks)
        width = self._available_width(inner_place)
        for row in strip.rows(width, self.glyphs, inner_place.tag) if self.setting.pictures else ():
            self._add_block(row, inner_place, whole=True)
        words = [Node("Strong", children=[Node("Text", "Example.")]), Node("Text", f" {strip.words}")]
        self._visit_all([Node("Paragraph", children=words)], inner_place)
        self._blocks[start:] = keep_together(self._blocks[start:])
        return True

    def _add_stat_block(self, source: str, place: Place) -> bool:
        stat_block = read_stat_block(source, self.setting.source.creature)
        if stat_block is not None:
            self._add_creature(stat_block, place)
        return stat_block is not None

    def _add_admonition_stat_block(self, source: str, place: Place) -> bool:
        """Add a stat block written as Markdown in an admonition, as older converters write it; return True."""
        title, *words = dice_as_words(admonition_to_callout("", source)).children
        head = [Node("StatName", children=title.children)] if title.children else []
        first_nodes = words[0].children if words and words[0].kind == "Paragraph" else []
        if head and first_nodes and first_nodes[0].kind == "Image":
            head = [*head, first_nodes.pop(0)]
            head += [words.pop(0)] if first_nodes else words[:0]
        self._add_creature(StatBlock("", "", "", words), place, head)
        return True

    def _add_encounters(self, source: str, place: Place) -> bool:
        """Add tables of creatures, without hidden ones in a players' copy; return False if the block cannot be read."""
        encounters = read_encounters(source, self.setting.source.creature)
        for encounter in encounters:
            visible_combatants = tuple(combatant for combatant in encounter.combatants if not combatant.is_hidden)
            self.inline.secrets["table row"] += len(encounter.combatants) - len(visible_combatants)
            combatants = visible_combatants if self.setting.secrets.hidden else encounter.combatants
            box = place.add_box(place.tag.add("Div", title="Encounter"), 6.0, look.PANEL, look.ACCENT)
            nodes, start = encounter_nodes(replace(encounter, combatants=combatants)), len(self._blocks)
            with self._widen_box(nodes, place):
                self._add_parsed_blocks(Node("Document", children=nodes), None, box)
            self._blocks[start:] = keep_together(self._blocks[start:])
        return bool(encounters)

    def _add_creature(self, stat_block: StatBlock, place: Place, head: Sequence[Node] = ()) -> None:
        """Add a stat block in a box, with the creature's picture, if it has one, beside its name."""
        nodes = [*head, *stat_block.nodes()]
        head_size = len(nodes) - len(stat_block.body)
        picture = next((node for node in nodes[:head_size] if node.kind == "Image"), None)
        if picture is not None and self.setting.pictures and head_size > 1:
            children = [*(n for n in nodes[:head_size] if n is not picture), picture]
            nodes[:head_size] = [Node("StatHead", children=children)]
        tag = place.tag.add("Div", title="Stat block")
        box = place.add_box(tag, 6.0, look.PANEL, look.ACCENT)
        self._add_parsed_blocks(Node("Document", children=nodes), None, box)

    def _add_parsed_blocks(self, tree: Node, nodes: list[Node] | None, place: Place) -> None:
        """Add blocks parsed from code, after counting secrets in `tree` and removing hidden ones.

        The blocks are `nodes`, or the children of `tree` if it is None. Their headings do not count as headings of the
        note.
        """
        self.inline.secrets += filter_secrets(tree, self.setting.secrets, self.setting.source)
        self._take_footnotes(tree)
        outer_targets, self._embedded_targets = self._embedded_targets, (*self._embedded_targets, "")
        self._visit_all(tree.children if nodes is None else nodes, place)
        self._embedded_targets = outer_targets

    def visit_stathead(self, node: Node, place: Place) -> None:
        """Add a creature's name and kind, with its picture at the right if it can be drawn."""
        *words, picture = node.children
        start = len(self._blocks)
        self._visit_all(words, place)
        parts = [block.flowable for block in self._blocks[start:]]
        if flowable := self._picture_or_words(replace(picture, children=_TOKEN_SIZE_TEXT), place):
            self._blocks[start:] = [replace(self._blocks[start], flowable=BesideFlowable(parts, flowable), keep=True)]

    def visit_statname(self, node: Node, place: Place) -> None:
        self._add_title(node, place, look.TITLE_BOLD, 1.4)

    def visit_statsection(self, node: Node, place: Place) -> None:
        self._add_title(node, place, look.TITLE_BOLD, 1.1)

    def _add_title(self, node: Node, place: Place, face: str, share: float) -> None:
        size = self.setting.scale_size(share)
        leading, colour = size * 1.18, look.ACCENT
        style = self._make_style(face, size=size, leading=leading, textColor=colour, spaceBefore=6, spaceAfter=2)
        self._add_paragraph(self.inline.line(node.children, face), style, place, place.tag.add("P"), keep=True)

    def _add_map(self, source: str, place: Place) -> bool:
        properties = frontmatter.read(f"---\n{source.rstrip()}\n---\n", "").properties
        value = properties.get("image")
        paths = [path for layer in _layers(value) if (path := find_target(to_text(layer)))]
        name = to_text(properties.get("id")) or ("" if self.inline.nameless else link_name((paths or [""])[0]))
        for path in paths if self.setting.pictures else ():
            if flowable := self._picture_or_words(Node("Image", path, [Node("Text", "Map")], 0), place):
                self._add_block(flowable, place, keep=True)
        self._add_line([Node("Text", f"[map: {name or 'without a name'}]")], place)
        return True

    def _picture_or_words(self, picture: Node, place: Place) -> Any:
        """Return the flowable of a picture, or None after adding a remark that it is missing."""
        try:
            return self.picture(picture, self._available_width(place), place.tag, place.ground)
        except UnusablePicture as error:
            self._add_line(picture_nodes.replace_picture(picture, error, nameless=self.inline.nameless), place)
            return None

    def _add_chart(self, source: str, place: Place) -> bool:
        title, values = parse_chart(source)
        if flow_chart := parse_flow_chart(source):
            tag = place.tag.add("Div", title="Chart")
            self._visit_all([flow_chart], place.add_box(tag, 6.0, look.PANEL, look.LINE))
            return True
        if not values:
            kind = " ".join(source.split()[:1])
            self.inline.omitted["mermaid chart"] += 1
            self._add_line([Node("Text", f"[chart{f': {title or kind}' if title or kind else ''}]")], place)
            return True
        words = ", ".join(f"{name} {value}" for name, value in values)
        tag = place.tag.add("Figure", alt=f"{title or 'Chart'}: {words}")
        if title:
            self._add_line([Node("Strong", children=[Node("Text", title)])], replace(place, tag=tag))
            self._blocks[-1] = replace(self._blocks[-1], keep=True)
        size = self.setting.scale_size(0.9)
        self._add_block(BarChart(values, self.glyphs, size, self._available_width(place), tag), place, whole=True)
        return True


def _layers(value: Any) -> list[Any]:
    """Return the pictures of a map, one or several; a link without quotes is a list in a list."""
    match value:
        case [[str()]]:
            return [value]
        case list():
            return value
    return [value]


def parse_chart(source: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the title of a Mermaid chart, and the name and value of each bar or slice; [] for other charts."""
    match = _CHART_TITLE.search(source)
    title, kind = match[1].strip() if match else "", source.split(maxsplit=1)[:1]
    if kind == ["pie"]:
        return title, _PIE_SLICE.findall(source)
    label_match, values = _CHART_LABELS.search(source), _CHART_VALUES.findall(source)
    if kind != ["xychart-beta"] or label_match is None or len(values) != 1:
        return title, []
    labels = [(label_groups[0] or label_groups[1]).strip() for label_groups in _LIST_ENTRY.findall(label_match[1])]
    numbers = [value.strip() for value in values[0].split(",")]
    all_match = len(labels) == len(numbers) and all(re.fullmatch(r"[\d.]+", number) for number in numbers)
    return title, list(zip(labels, numbers, strict=True)) if all_match else []


def parse_flow_chart(source: str) -> Node | None:
    """Return a list node with the boxes of a flow chart, each with the boxes to which its arrows lead.

    None means that the source is no flow chart, or that its syntax is not supported.
    """
    head = _FLOW_CHART_HEAD.match(source)
    if head is None:
        return None
    labels: dict[str, str] = {}
    edges: list[_FlowEdge] = []
    lines = re.split(r"[;\n]", source[head.end() :])
    if max(map(len, lines)) > _MAX_LINE_CHARS:
        return None
    for line in lines:
        if line.strip() and not _IGNORED_STATEMENT.match(line.strip()) and not _read_line(line, labels, edges):
            return None
    items = list(_make_items(labels, edges))
    return Node("List", children=items) if items else None


def _read_line(line: str, labels: dict[str, str], edges: list[_FlowEdge]) -> bool:
    """Add the boxes and arrows of a line to `labels` and `edges`; return False if it contains anything else."""
    source_names, words, position = list[str](), "", 0
    while True:
        names = list[str]()
        while (box := _FLOW_CHART_BOX.match(line, position)) is not None:
            names.append(box["name"])
            if box["words"] is not None:
                labels[box["name"]] = _clean_label(box["words"])
            labels.setdefault(box["name"], box["name"])
            position = box.end()
            if not line.startswith("&", position):
                break
            position += 1
        edges += [(start, target, words) for start in source_names for target in names]
        arrow = (_LABELLED_ARROW.match(line, position) or _ARROW.match(line, position)) if names else None
        if arrow is None:
            return bool(names) and position == len(line)
        words, source_names, position = _clean_label(next(iter(arrow.groupdict().values())) or ""), names, arrow.end()


def _clean_label(words: str) -> str:
    return _LINE_BREAK_OR_SPACES.sub(" ", words.strip().strip('"`')).strip()


def _make_items(labels: dict[str, str], edges: list[_FlowEdge]) -> Iterator[Node]:
    """Yield a list item for each box, with its only arrow on the same line, or with its arrows as a list below."""
    targets = {target for _, target, _ in edges}
    for name, label in labels.items():
        arrows = ((target, words) for start, target, words in edges if start == name)
        arrow_nodes = [[*_condition_nodes(words), Node("Text", f"→ {labels[target]}")] for target, words in arrows]
        if len(arrow_nodes) > 1:
            sub_items = [Node("Item", children=[Node("Paragraph", children=nodes)]) for nodes in arrow_nodes]
            title = Node("Paragraph", children=[_bold_label(label)])
            yield Node("Item", children=[title, Node("List", children=sub_items)])
        elif arrow_nodes or name not in targets:
            line = [_bold_label(label), *(part for nodes in arrow_nodes for part in (Node("Text", " "), *nodes))]
            yield Node("Item", children=[Node("Paragraph", children=line)])


def _bold_label(label: str) -> Node:
    return Node("Strong", children=[Node("Text", label)])


def _condition_nodes(words: str) -> list[Node]:
    return [Node("Emphasis", children=[Node("Text", words)]), Node("Text", " ")] if words else []
