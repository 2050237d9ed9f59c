"""Extraction of a card from a note: its title, the line below it, facts, text and picture."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from vaultkit.sheets.cards.card_words import strip_nodes
from vaultkit.sheets.cards.fact_nodes import Fact, join_lines, plain_text, split_lines, take_facts
from vaultkit.sheets.cards.print_card import CardBody, PrintableCard, load_frame
from vaultkit.sheets.notecards.kinds import TYPE_PROPERTIES, NoteKind, guess_note_language
from vaultkit.sheets.notecards.pruning import (
    drop_empty_sections,
    drop_idle_rules,
    is_useful_fact,
    open_info_boxes,
    prune,
    remove_icons,
    remove_pictures,
)
from vaultkit.sheets.notecards.record_words import remove_record_properties
from vaultkit.sheets.secrecy import NO_SECRETS, Counts, Secrets
from vaultkit.sheets.text import stat_block
from vaultkit.sheets.text.inline import embeds_note
from vaultkit.sheets.text.omissions import obsidian_only_kind as left_out_kind
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.stat_block import compare_key, expand_admonitions, label_of
from vaultkit.sheets.vault_source import VaultSource, language_of
from vaultkit.theme.image_transcoding import is_named_as_picture
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import is_external, split_destination
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.obsidian import note_address

_UNPRINTED_PROPERTIES = frozenset(
    {
        "tags", "tag", "aliases", "alias", "cssclasses", "cssclass", "publish", "permalink", "description", "statblock",
        "statblock-link", "obsidianuimode", "banner_x", "banner_y", "dg-publish", "position", "lang", "language",
        "displaylink", "noteicon", "icon", "color",
    }
)  # fmt: skip
"""Properties that are meant for Obsidian, its plugins or converters, or name the note, and not printed."""
_MAX_ABBREVIATION_CHARS = 2
"""Names of properties with so few letters are abbreviations, such as `ac`."""
_MIN_HEADING_LEVEL = 3
"""The level of the largest heading below the title of a card."""
_LINK = re.compile(r"(\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\([^)\n]*\))")
_SPECIAL_CHARACTERS = re.compile(r"([\\`*_~<>|$=%\[\]])")


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
    facts: tuple[str, ...] = ()
    """The names of the facts that the note has for a card."""


@dataclass(frozen=True)
class NoteContent:
    """The contents of a note that go onto a card of the given kind."""

    note: Note
    vault: Vault
    kind: NoteKind
    secrets: Secrets = NO_SECRETS
    fields: tuple[str, ...] = ()
    """The names of the only facts on the card, in their order; all if there are none."""
    counts: Counter[str] = field(default_factory=Counter)
    """The number of secrets in the parts of the note that have been read so far, by kind."""

    def card(self, vault_name: str) -> NoteCard:
        """Return the card; its title links to the note, unless `vault_name` is "" or secrets are hidden."""
        left_out = Counter(filter(None, map(left_out_kind, self._tree.walk())))
        kicker, tree, fact_names = self._read_contents()
        first_file, *other_files = self._picture_files or [None]
        card = PrintableCard(
            title=self.title,
            kicker=kicker,
            body=CardBody(tree),
            secrets=self.secrets,
            breaks=self.vault.breaks,
            image=first_file,
            link="" if self.secrets.hidden else note_address(vault_name, self.note.path),
            frame=load_frame(self.kind.frame, self.vault.root),
            shade=self.kind.shade,
            suit_icon=self.kind.emblem,
            boxes=self.kind.boxes,
            language=language_of(self.note),
            source=self._source,
        )
        spare = tuple(path.name for path in other_files if path)
        return NoteCard(card, spare, self._missing_pictures, left_out, +self.counts, fact_names)

    @cached_property
    def _source(self) -> VaultSource:
        return VaultSource(self.note, self.vault, "", self.secrets)

    @cached_property
    def _tree(self) -> Node:
        """The tree of the note's text without hidden secrets, and with admonitions expanded."""
        tree = parse(self.note.body)
        expand_admonitions(tree)
        self.counts.update(filter_secrets(tree, self.secrets, self._source))
        return tree

    @cached_property
    def _heading(self) -> Node | None:
        """The first heading of level 1, which is the title; None if there is none."""
        return next((node for node in self._tree.children if node.kind == "Heading" and node.number == 1), None)

    @cached_property
    def title(self) -> str:
        """The words of the first heading of level 1, else the note's name; it stands for a formula, too."""
        if self._heading is None or any(map(left_out_kind, self._heading.walk())):
            return self.note.name
        return " ".join(self._heading.words().split()) or self.note.name

    @cached_property
    def _tree_and_pictures(self) -> tuple[Node, list[Node]]:
        """The tree without title and pictures, and the nodes of the pictures."""
        tree = Node("Document", children=[node for node in self._tree.children if node is not self._heading])
        self._expand_stat_blocks(tree)
        pictures = remove_pictures(tree)
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
        content = Node("Document", children=body)
        self.counts.update(filter_secrets(content, self.secrets, self._source))
        start = next((at for at, block in enumerate(body) if block.kind in {"List", "Table", "Heading"}), len(body))
        rest = Node("Document", children=content.children[start:])
        facts = take_facts(rest, bare=True)
        content.children = [*headings, *content.children[:start], *strip_nodes(facts), *rest.children]
        return content.children

    def _embedded_secrets(self, tree: Node) -> Counter[str]:
        """Return the number of secrets in the notes that are embedded in the tree, by kind."""
        targets = [node.text for node in tree.walk() if node.kind == "Image" and embeds_note(node)]
        texts = filter(None, map(self._source.embed, targets))
        return sum((filter_secrets(parse(text), self.secrets, self._source) for text in texts), Counter[str]())

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
        filter_secrets(tree, self.secrets)
        return tree

    @cached_property
    def _texts_by_name(self) -> dict[str, str]:
        """The values of the note's properties as texts by name in lower case, without hidden secrets."""
        values, count = self.secrets.sift_properties(self.note.properties)
        self.counts["property"] += count
        return {name.lower(): stat_block.to_text(value) for name, value in values.items()}

    def _read_contents(self) -> tuple[str, Node, tuple[str, ...]]:
        """Return the line below the title, a tree of the text below a strip of facts, and the names of all facts."""
        tree = self._tree_and_pictures[0]
        remove_icons(tree)
        box_facts = open_info_boxes(tree)
        prune(tree, self.title)
        line = _take_type_line(tree)
        text_facts = take_facts(tree)
        labels = [*self._property_labels.values(), *(plain_text(label) for label, _ in (*box_facts, *text_facts))]
        properties = [*self._property_facts, *box_facts]
        properties = properties if self.fields else remove_record_properties(properties)
        facts = self._choose_facts([*properties, *text_facts])
        about = [fact for name in self.kind.line for fact in facts if _is_called(fact, name)]
        line = line or ", ".join(plain_text(value) for _, value in about)
        line = line or next((block.line for block in self._statblocks if block.line and self.kind.fences), "")
        repeated_facts = [fact for fact in about if stat_block.says_all(line, plain_text(fact[1]))]
        parts = [*strip_nodes(fact for fact in facts if fact not in repeated_facts), *self._property_block.children]
        tree.children = drop_idle_rules(drop_empty_sections(tree.children))
        for node in tree.walk():
            if node.kind == "Heading":
                node.number = max(node.number or 1, _MIN_HEADING_LEVEL)
        return line, Node("Document", children=[*parts, *tree.children]), tuple(dict.fromkeys(map(self._label, labels)))

    def _choose_facts(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the useful facts in the order of the kind of note, or only `fields` in that order."""
        useful, language = list[Fact](), guess_note_language(self.note)
        for label, value in facts:
            if is_useful_fact(([] if self.fields else label, value), self.title, language):
                useful.append(([Node("Text", self._label(plain_text(label)))], value))
        order = dict.fromkeys(map(compare_key, self.fields or self.kind.facts))
        ordered = [fact for name in order for fact in useful if compare_key(plain_text(fact[0])) == name]
        return ordered if self.fields else [*ordered, *(fact for fact in useful if fact not in ordered)]

    def _label(self, name: str) -> str:
        """Return the name of a fact as on the card: abbreviations in capital letters, others in readable form.

        Words that are joined, as in `CastingTime`, are separated if the design of the kind of note has the name.
        """
        if len(name) <= _MAX_ABBREVIATION_CHARS:
            return name.upper()
        label = label_of(name)
        design_labels = (each for each in map(label_of, self.kind.facts) if " " in each)
        return next((each for each in design_labels if each.casefold().replace(" ", "") == label.casefold()), label)

    @property
    def _property_facts(self) -> list[Fact]:
        """The printed properties that say more than the title, the kind of note and its stat block."""
        kind_words = {self.kind.name, *self.kind.tags, PurePosixPath(self.note.path).parent.name.casefold()}
        facts = list[Fact]()
        for name, label in self._property_labels.items():
            value = self._parse_value(self._texts_by_name[name])
            if value and not (name in TYPE_PROPERTIES and plain_text(value).casefold() in kind_words):
                facts.append(([Node("Text", label)], value))
        return facts

    @cached_property
    def _property_labels(self) -> dict[str, str]:
        """The names of the properties for a card, as they are written in the note, by name in lower case."""
        unprinted = {*_UNPRINTED_PROPERTIES, *self.kind.hidden, *self.kind.pictures}
        unprinted |= stat_block.KEYS if self._property_block.children else set()
        labels, texts = {name.lower(): name for name in self.note.properties}, self._texts_by_name
        return {name: labels[name] for name in texts if name not in unprinted and not _names_picture(texts[name])}

    def _parse_value(self, value: str) -> list[Node]:
        """Return the value of a property as inline nodes, without the names of hidden secrets that it links to."""
        line = Node("Paragraph", children=stat_block.parse_line(_escape_markdown(value)))
        self.counts.update(filter_secrets(Node("Document", children=[line]), self.secrets, self._source))
        return line.children

    @cached_property
    def _picture_targets(self) -> list[tuple[str, str]]:
        """The targets of all pictures that the note names, each with the vault path of its file, "" if missing."""
        others = [name for name, text in self._texts_by_name.items() if _names_picture(text)]
        names = dict.fromkeys([*self.kind.pictures, *others])
        values = filter(None, map(self._texts_by_name.get, names))
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


def _is_called(fact: Fact, name: str) -> bool:
    return compare_key(plain_text(fact[0])) == compare_key(name)


def _names_picture(value: str) -> bool:
    return is_named_as_picture(stat_block.find_target(value))


def _picture_path(picture: Node) -> str:
    return picture.text if is_external(picture.text) else split_destination(picture.text)[0]


def _take_type_line(tree: Node) -> str:
    """Remove the first line of a tree if it is all in italics or in HTML, and return its words; "" for other lines."""
    first_block = tree.children[0] if tree.children else Node("")
    line, *other_lines = split_lines(first_block.children) if first_block.kind == "Paragraph" else [[]]
    visible_nodes = [node for node in line if node.kind == "InlineHtml" or node.words().strip()]
    is_span = (
        len(visible_nodes) > 2 and visible_nodes[0].text.startswith("<span") and visible_nodes[-1].text == "</span>"
    )
    if not is_span and [node.kind for node in visible_nodes] != ["Emphasis"]:
        return ""
    rest = Node("Paragraph", children=join_lines(other_lines, first_block.children))
    tree.children[:1] = [rest] if other_lines else []
    words = plain_text([node for node in visible_nodes if node.kind != "InlineHtml"])
    return re.sub(r"\s*\|\s*", " · ", words)


def _escape_markdown(value: str) -> str:
    """Return the text of a property as Markdown, with special characters escaped outside links."""
    parts = _LINK.split(" ".join(value.split()))
    return "".join(part if _LINK.fullmatch(part) else _SPECIAL_CHARACTERS.sub(r"\\\1", part) for part in parts)
