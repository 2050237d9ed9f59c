"""Extraction of a card from a note: its title, the line below it, facts, text and picture."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from vaultkit.sheets.cards.print_card import CardBody, PrintableCard
from vaultkit.sheets.notecards.kinds import NoteKind
from vaultkit.sheets.notecards.note_pictures import remove_pictures
from vaultkit.sheets.secrecy import NO_SECRETS, Counts, Secrets
from vaultkit.sheets.text import stat_block
from vaultkit.sheets.text.inline import embeds_note
from vaultkit.sheets.text.inline import obsidian_only_kind as left_out_kind
from vaultkit.sheets.text.secret_parts import sift
from vaultkit.sheets.text.stat_block import expand_admonitions, label_of
from vaultkit.sheets.vault_source import VaultSource, language_of
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import is_external, split_destination
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.obsidian import note_address

_UNPRINTED_PROPERTIES = frozenset(
    {
        "tags", "tag", "aliases", "alias", "cssclasses", "cssclass", "publish", "permalink", "description", "statblock",
        "statblock-link", "obsidianuimode", "banner_x", "banner_y", "dg-publish", "position", "lang", "language",
    }
)  # fmt: skip
"""Properties that are meant for Obsidian, its plugins or converters, and not printed."""
_SOURCE_LABEL = "Source:"
"""The first word of a line in italics that names the source of a note, as converters write it."""
_MIN_HEADING_LEVEL = 3
"""The level of the largest heading below the title of a card."""
_LINK = re.compile(r"(\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\([^)\n]*\))")
_SPECIAL_CHARACTERS = re.compile(r"([\\`*_~<>|$=%\[\]])")


Fact = tuple[list[Node], list[Node]]
"""A label without its colon, and its value."""
_BREAKS = {"SoftBreak", "HardBreak"}


@dataclass(frozen=True)
class NoteCard:
    """A note as a card.

    `spare` are the names of pictures for which it has no room, and `missing` are pictures that the vault lacks.
    """

    card: PrintableCard
    spare: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)
    """The number of parts that only Obsidian can show, by kind."""
    secrets: Counts = field(default_factory=Counter)
    """The number of secrets that are on the card, or left out of it, by kind."""


@dataclass(frozen=True)
class NoteContent:
    """The contents of a note that go onto a card of the given kind."""

    note: Note
    vault: Vault
    kind: NoteKind
    secrets: Secrets = NO_SECRETS
    counts: Counter[str] = field(default_factory=Counter)
    """The number of secrets in the parts of the note that have been read so far, by kind."""

    def card(self, vault_name: str) -> NoteCard:
        """Return the card; its title links to the note, unless `vault_name` is "" or secrets are hidden."""
        kicker, tree = self._line_and_tree
        first_file, *other_files = self._picture_files or [None]
        card = PrintableCard(
            title=self.title,
            kicker=kicker,
            body=CardBody(tree),
            secrets=self.secrets,
            breaks=self.vault.breaks,
            image=first_file,
            link="" if self.secrets.hidden else note_address(vault_name, self.note.path),
            frame=self.kind.frame_for(self.vault.root, pictured=first_file is not None),
            shade=self.kind.shade,
            language=language_of(self.note),
            source=self._source,
        )
        left_out = Counter(filter(None, map(left_out_kind, tree.walk())))
        spare = tuple(path.name for path in other_files if path)
        return NoteCard(card, spare, self._missing_pictures, left_out, +self.counts)

    @cached_property
    def _source(self) -> VaultSource:
        return VaultSource(self.note, self.vault, "", self.secrets)

    @cached_property
    def _tree(self) -> Node:
        """The tree of the note's text without hidden secrets, and with admonitions expanded."""
        tree = parse(self.note.body)
        expand_admonitions(tree)
        self.counts.update(sift(tree, self.secrets, self._source))
        return tree

    @cached_property
    def _heading(self) -> Node | None:
        """The first heading of level 1, which is the title; None if there is none."""
        return next((node for node in self._tree.children if node.kind == "Heading" and node.number == 1), None)

    @cached_property
    def title(self) -> str:
        """The words of the first heading of level 1, else the note's name."""
        return " ".join(self._heading.words().split() if self._heading else ()) or self.note.name

    @cached_property
    def _tree_and_pictures(self) -> tuple[Node, list[Node]]:
        """The tree without title and pictures, and the nodes of the pictures."""
        tree = Node("Document", children=[node for node in self._tree.children if node is not self._heading])
        self._expand_stat_blocks(tree)
        pictures = remove_pictures(tree)
        for node in tree.walk():
            if node.kind == "Heading":
                node.number = max(node.number or 1, _MIN_HEADING_LEVEL)
        self.counts.update(self._embedded_secrets(tree))
        return tree, pictures

    def _expand_stat_blocks(self, tree: Node) -> None:
        """Replace each `ad-statblock` code block by its content, below its title unless that is the note's title."""
        for parent in list(tree.walk()):
            if any(node.type_name == "ad-statblock" for node in parent.children if node.kind == "CodeBlock"):
                parent.children = [child for node in parent.children for child in self._expand_stat_block(node)]

    def _expand_stat_block(self, node: Node) -> list[Node]:
        if node.kind != "CodeBlock" or node.type_name != "ad-statblock":
            return [node]
        title, *body = stat_block.admonition_to_callout("", node.words()).children
        name = " ".join(title.words().split())
        headings = [] if name.casefold() in {"", self.title.casefold()} else [Node("Heading", children=title.children)]
        content = Node("Document", children=[*headings, *body])
        self.counts.update(sift(content, self.secrets, self._source))
        return content.children

    def _embedded_secrets(self, tree: Node) -> Counter[str]:
        """Return the number of secrets in the notes that are embedded in the tree, by kind."""
        targets = [node.text for node in tree.walk() if node.kind == "Image" and embeds_note(node)]
        texts = filter(None, map(self._source.embed, targets))
        return sum((sift(parse(text), self.secrets, self._source) for text in texts), Counter[str]())

    @cached_property
    def _statblocks(self) -> list[stat_block.StatBlock]:
        """The stat blocks that can be read; that of the note's properties comes first."""
        trees = (self._property_block, self._tree)
        nodes = (node for tree in trees for node in tree.walk() if node.kind == "CodeBlock")
        sources = (node.words() for node in nodes if node.type_name == "statblock")
        stat_blocks = (stat_block.read_stat_block(source, self._source.creature) for source in sources)
        return [block for block in stat_blocks if block is not None]

    @cached_property
    def _property_block(self) -> Node:
        """A tree with the note's properties as a code block, if they form a stat block, else an empty tree."""
        tree = parse(stat_block.stat_fence(self.note))
        sift(tree, self.secrets)
        return tree

    @cached_property
    def _values_by_name(self) -> dict[str, object]:
        """The values of the note's properties by name in lower case, without hidden secrets."""
        values, count = self.secrets.sift_properties(self.note.properties)
        self.counts["property"] += count
        return {name.lower(): value for name, value in values.items()}

    @cached_property
    def _line_and_tree(self) -> tuple[str, Node]:
        """The line below the title, and a tree with the rest of the text."""
        tree, property_line = self._tree_and_pictures[0], self._property_line
        line = _take_type_line(tree) or property_line
        line = line or next((block.line for block in self._statblocks if block.line), "")
        facts_paragraph = _make_facts_paragraph([*self._property_facts, *take_facts(tree)])
        sources = _take_sources(tree)
        spoken_paragraphs = []
        if property_line and not stat_block.says_all(line, property_line):
            spoken_paragraphs = [_paragraph([Node("Text", property_line)])]
        separator = [Node("Rule")] if facts_paragraph and (self._property_block.children or _has_content(tree)) else []
        head = [*spoken_paragraphs, *facts_paragraph, *separator]
        parts = [*head, *self._property_block.children, *tree.children, *sources]
        return line, Node("Document", children=parts)

    @property
    def _property_line(self) -> str:
        """The line below the title that is formed from properties, as the kind of note says; "" without them."""
        names = [name for name in self.kind.line if not (self._property_block.children and name in stat_block.KEYS)]
        values = (self._parse_value(stat_block.to_text(self._values_by_name.get(name))) for name in names)
        return ", ".join(filter(None, map(_plain_text, values)))

    @property
    def _property_facts(self) -> list[Fact]:
        """The printed properties with their labels; those named by the kind of note come first."""
        unprinted = {*_UNPRINTED_PROPERTIES, *self.kind.hidden, *self.kind.line, *self.kind.pictures}
        unprinted |= stat_block.KEYS if self._property_block.children else set()
        values = {name: stat_block.to_text(value) for name, value in self._values_by_name.items()}
        names: list[str] = [name for name in self.kind.facts if name in values and name not in unprinted]
        names += [name for name in values if name not in {*names, *unprinted}]
        pairs = ((name, values[name]) for name in names if values[name].casefold() not in ("", self.kind.name))
        return [([Node("Text", label_of(name))], self._parse_value(value)) for name, value in pairs]

    def _parse_value(self, value: str) -> list[Node]:
        """Return the value of a property as inline nodes, without the names of hidden secrets that it links to."""
        line = Node("Paragraph", children=stat_block.parse_line(_escape_markdown(value)))
        self.counts.update(sift(Node("Document", children=[line]), self.secrets, self._source))
        return line.children

    @cached_property
    def _picture_targets(self) -> list[tuple[str, str]]:
        """The targets of all pictures that the note names, each with the vault path of its file, "" if missing."""
        values = filter(None, (stat_block.to_text(self._values_by_name.get(name)) for name in self.kind.pictures))
        targets = [*map(stat_block.find_target, values), *(_picture_path(node) for node in self._tree_and_pictures[1])]
        targets += [stat_block.find_target(block.image) for block in self._statblocks if block.image]
        return [(target, self.vault.files.resolve(target, self.note.path).path or "") for target in targets]

    @property
    def _picture_files(self) -> list[Path | None]:
        files = dict.fromkeys(path for _, path in self._picture_targets if path)
        return [file for path in files if (file := self.vault.file_or_none(path)) is not None]

    @property
    def _missing_pictures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(target for target, path in self._picture_targets if not path))


def _picture_path(picture: Node) -> str:
    return picture.text if is_external(picture.text) else split_destination(picture.text)[0]


def _paragraph(nodes: list[Node]) -> Node:
    return Node("Paragraph", children=nodes)


def _has_content(tree: Node) -> bool:
    return any(node.kind != "FootnoteDefinition" for node in tree.children)


def _make_facts_paragraph(facts: Iterable[Fact]) -> list[Node]:
    """Return a paragraph with a line for each distinct label and value, in a list; [] if there are no facts."""
    lines = {(_plain_text(label), _plain_text(value)): (label, value) for label, value in facts}
    parts = []
    for label, value in lines.values():
        parts += [Node("HardBreak"), Node("Strong", children=label), Node("Text", " "), *value]
    return [_paragraph(parts[1:])] if parts else []


def _plain_text(nodes: Sequence[Node]) -> str:
    return " ".join("".join(node.words() for node in nodes).split())


def _is_source_line(line: Sequence[Node]) -> bool:
    visible_nodes = [node for node in line if node.words().strip()]
    is_emphasis = len(visible_nodes) == 1 and visible_nodes[0].kind == "Emphasis"
    return is_emphasis and visible_nodes[0].words().startswith(_SOURCE_LABEL)


def _take_type_line(tree: Node) -> str:
    """Remove the first line of a tree if it is all in italics, and return its words; "" for any other line."""
    first_block = tree.children[0] if tree.children else Node("")
    line, *other_lines = split_lines(first_block.children) if first_block.kind == "Paragraph" else [[]]
    visible_nodes = [node for node in line if node.words().strip()]
    if len(visible_nodes) != 1 or visible_nodes[0].kind != "Emphasis" or _is_source_line(line):
        return ""
    tree.children[:1] = [_paragraph(join_lines(other_lines))] if other_lines else []
    return _plain_text(visible_nodes)


def _take_sources(tree: Node) -> list[Node]:
    """Remove the lines that name the source of a note from a tree, and return each as a paragraph."""
    sources = list[Node]()
    for paragraph in [node for node in tree.children if node.kind == "Paragraph"]:
        lines = split_lines(paragraph.children)
        source_lines = [line for line in lines if _is_source_line(line)]
        if source_lines:
            paragraph.children = join_lines(line for line in lines if line not in source_lines)
            sources += map(_paragraph, source_lines)
    tree.children = [node for node in tree.children if node.kind != "Paragraph" or node.children]
    return sources


def _escape_markdown(value: str) -> str:
    """Return the text of a property as Markdown, with special characters escaped outside links."""
    parts = _LINK.split(" ".join(value.split()))
    return "".join(part if _LINK.fullmatch(part) else _SPECIAL_CHARACTERS.sub(r"\\\1", part) for part in parts)


def split_lines(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the lines of a paragraph, without the breaks between them."""
    lines: list[list[Node]] = [[]]
    for node in nodes:
        if node.kind in _BREAKS:
            lines.append([])
        else:
            lines[-1].append(node)
    return lines


def join_lines(lines: Iterable[Sequence[Node]]) -> list[Node]:
    """Return the nodes of all lines, with a break between each two lines."""
    return [node for line in lines for node in (Node("SoftBreak"), *line)][1:]


def take_facts(tree: Node) -> list[Fact]:
    """Remove the lines and list items at the beginning of a tree that are a label and a value; return them as facts."""
    facts = list[Fact]()
    while tree.children:
        block = tree.children[0]
        lines = _lines_or_items(block)
        block_facts = [fact for fact in takewhile(bool, map(_parse_fact, lines)) if fact]
        facts += block_facts
        if not block_facts or len(block_facts) < len(lines):
            if block_facts and block.kind == "List":
                block.children = block.children[len(block_facts) :]
            elif block_facts:
                block.children = join_lines(lines[len(block_facts) :])
            break
        tree.children.pop(0)
    return facts


def _lines_or_items(block: Node) -> list[list[Node]]:
    """Return the lines of a paragraph or the items of a bullet list, [] for other blocks.

    An item of more than one line counts as empty.
    """
    if block.kind == "Paragraph":
        return split_lines(block.children)
    return list(map(_item_line, block.children)) if block.kind == "List" and block.number is None else []


def _item_line(item: Node) -> list[Node]:
    nodes = item.children
    if len(nodes) == 1 and nodes[0].kind == "Paragraph":
        nodes = nodes[0].children
    return [] if any(node.kind in {*_BREAKS, "List", "Paragraph"} for node in nodes) else nodes


def _parse_fact(nodes: Sequence[Node]) -> Fact | None:
    """Return the label and value of a line that begins with bold text and a colon in or after it, else None."""
    if not nodes or nodes[0].kind != "Strong":
        return None
    label_nodes, value = list(nodes[0].children), list(nodes[1:])
    if label_nodes and label_nodes[-1].kind == "Text" and label_nodes[-1].text.rstrip().endswith(":"):
        label_nodes[-1] = Node("Text", label_nodes[-1].text.rstrip()[:-1].rstrip())
    elif value and value[0].kind == "Text" and value[0].text.startswith(":"):
        value[0] = Node("Text", value[0].text[1:])
    else:
        return None
    if value and value[0].kind == "Text":
        value[0] = Node("Text", value[0].text.lstrip())
    return label_nodes, value
