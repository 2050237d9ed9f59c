"""Conversion of Fantasy Statblocks' `statblock` blocks to nodes, in the order of its 5e layout, with every key kept."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from vaultkit.text import parse_whole_number
from vaultkit.vault import Note, frontmatter
from vaultkit.vault.links import split_destination
from vaultkit.vault.markdown import Node, parse

_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
_LAYOUT_KEYS = {
    "layout", "columns", "columnwidth", "columnheight", "forcecolumns", "statblock", "dice", "render", "bestiary",
}  # fmt: skip
"""Keys that only control how the plugin draws the block."""
_LABELS_ABOVE_ABILITIES = {"ac": "Armor Class", "hp": "Hit Points", "speed": "Speed", "modifier": "Initiative"}
"""Labels of the keys above the ability scores."""
_BRACKETED_KEYS = {"ac": "ac_class", "hp": "hit_dice"}
"""For a key, the key whose value follows its value in brackets."""
_LABELS_BELOW_ABILITIES = {
    "saves": "Saving Throws", "skillsaves": "Skills", "damage_vulnerabilities": "Damage Vulnerabilities",
    "damage_resistances": "Damage Resistances", "damage_immunities": "Damage Immunities",
    "condition_immunities": "Condition Immunities", "senses": "Senses", "languages": "Languages", "cr": "Challenge",
}  # fmt: skip
"""Labels of the keys below the ability scores."""
_SIGNED_KEYS = {"saves", "skillsaves", "modifier"}
"""Keys whose numbers get a sign."""
_SECTION_TITLES = {
    "traits": "", "spells": "Spellcasting", "actions": "Actions", "bonus_actions": "Bonus Actions",
    "reactions": "Reactions", "legendary_actions": "Legendary Actions", "mythic_actions": "Mythic Actions",
    "lair_actions": "Lair Actions", "regional_effects": "Regional Effects",
}  # fmt: skip
"""Headings of the keys that hold lists of entries, such as traits and actions."""
_INTRODUCTION_KEYS = {"legendary_actions": "legendary_description", "mythic_actions": "mythic_description"}
"""For a key with entries, the key of the text before them."""
_HEAD_KEYS = ("name", "image", "size", "type", "subtype", "alignment")
"""Keys of the name, the picture and the line about the creature's kind."""
KEYS = frozenset(
    {
        *_HEAD_KEYS,
        "stats",
        *_LABELS_ABOVE_ABILITIES,
        *_BRACKETED_KEYS.values(),
        *_LABELS_BELOW_ABILITIES,
        *_SECTION_TITLES,
        *_INTRODUCTION_KEYS.values(),
    }
)
"""The properties that form a note's stat block if it has `statblock: true`."""
_BASE_CREATURE_KEYS = ("monster", "creature", "extends")
"""Keys that name the creature whose stat block is used, with changes by the other keys."""
_MISSING_CREATURE_KEY = "\0"
"""The key under which a stat block keeps the name of a creature it extends that is not in the vault."""
_MARKDOWN_KEY = "ad-statblock"
"""The kind of code block that holds a stat block in Markdown, and the key under which its Markdown is kept."""
_INNER_CAPITAL = re.compile(r"(?<=[^\W\d_A-Z])[A-Z](?=[^\W\d_A-Z])")
_ADMONITION_OPTION = re.compile(r"\s*(title|collapse|icon|color):(.*)\n?", re.IGNORECASE)
"""One option line at the start of a block of the Admonition plugin."""
_MAX_EXTENDS_DEPTH = 3
_DICE = re.compile(r"\d*d\d+(?:\s*[+-]\s*\d+)*")
_SENTENCE_END, _SENTENCE_END_CHARS = re.compile(r"[.!?:]\W*\Z"), 20
"""The end of a sentence, and the number of last characters in which it is looked for."""

Creature = dict[str, object]
"""The keys and values of a stat block."""

FindCreatureYaml = Callable[[str], str | None]
"""A function that returns the YAML of a creature's stat block by name, or None."""


class StatBlock(msgspec.Struct, frozen=True):
    """A creature: its name, picture path and a line about its kind, all in Markdown, and everything else as nodes."""

    name: str
    image: str
    line: str
    body: list[Node]

    def nodes(self, title: str = "", line: str = "") -> list[Node]:
        """Return the nodes of the block, without a name and kind that repeat the `title` and `line` above it."""
        name, about = parse_line(self.name), parse_line(self.line)
        head = []
        if name and _split_words(_plain_text(name)) != _split_words(title):
            head.append(Node("StatName", children=name))
        if self.image:
            head.append(Node("Image", self.image, [Node("Text", "120")], 0))
        if not says_all(line, _plain_text(about)):
            head.append(Node("Paragraph", children=[Node("Emphasis", children=about)]))
        return [*head, *self.body]


def says_all(line: str, words: str) -> bool:
    """Return whether a line contains all of the words, regardless of case, order and commas."""
    return set(_split_words(words)) <= set(_split_words(line))


def _split_words(words: str) -> list[str]:
    return re.findall(r"\w+", words.casefold())


def _plain_text(nodes: Sequence[Node]) -> str:
    return "".join(node.words() for node in nodes)


def stat_fence(note: Note) -> str:
    """Return the stat block in the properties of a note as a fenced code block, or "" without `statblock: true`."""
    creature = _creature_in_properties(note)
    return f"```statblock\n{to_yaml(creature)}\n```\n\n" if creature else ""


def stat_source(note: Note, tree: Node) -> str | None:
    """Return the YAML of a note's stat block, from its properties or the first one in its tree; None if it has none."""
    if creature := _creature_in_properties(note):
        return to_yaml({"name": note.name} | creature)
    blocks = [(node.text.split(maxsplit=1)[:1], node.words()) for node in tree.walk() if node.kind == "CodeBlock"]
    in_words = (_admonition_yaml(note.name, source) for kind, source in blocks if kind == [_MARKDOWN_KEY])
    return next((source for kind, source in blocks if kind == ["statblock"]), next(in_words, None))


def _admonition_yaml(name: str, source: str) -> str:
    """Return the YAML of a stat block in an admonition: its title, or else `name`, and its Markdown."""
    title, words = split_admonition(source)
    return to_yaml({"name": title or name, _MARKDOWN_KEY: words})


def split_admonition(source: str) -> tuple[str, str]:
    """Return the title of a block of the Admonition plugin, and the Markdown below its option lines."""
    title, at = "", 0
    while match := _ADMONITION_OPTION.match(source, at):
        title, at = match[2].strip() if match[1].lower() == "title" else title, match.end()
    return title, source[at:]


def admonition_to_callout(kind: str, source: str) -> Node:
    """Convert the source of a block of the Admonition plugin to a callout of this kind."""
    title, words = split_admonition(source)
    return Node("Callout", kind, [Node("CalloutTitle", children=parse_line(title)), *parse(words).children])


def expand_admonitions(tree: Node) -> None:
    """Replace all blocks of the Admonition plugin in a tree by callouts, except stat blocks."""
    for node in tree.walk():
        node.children = [_expand_admonition(child) for child in node.children]


def _expand_admonition(node: Node) -> Node:
    kind = node.type_name.removeprefix("ad-") if node.kind == "CodeBlock" and node.type_name.startswith("ad-") else ""
    return admonition_to_callout(kind, node.words()) if kind and kind != "statblock" else node


def _creature_in_properties(note: Note) -> Creature:
    if note.property("statblock") is not True:
        return {}
    return {key: value for key, value in note.properties.items() if key.lower() in KEYS}


def to_yaml(creature: Creature) -> str:
    """Return the keys and values of a stat block as YAML, in the form of JSON."""
    return json.dumps(creature, ensure_ascii=False, default=str)


def read_keys(source: str) -> Creature | None:
    """Return the keys and values of a stat block as written; None for YAML that cannot be read completely."""
    whole = f"---\n{source.rstrip()}\n---\n"
    block = frontmatter.read(whole, "")
    if block.problems or not block.properties or block.body_start != len(whole):
        return None
    return dict(block.properties)


def read_creature(source: str, find: FindCreatureYaml, depth: int = 0) -> Creature | None:
    """Return the keys and values of a stat block, added to the ones of the creatures that it extends.

    Its own values override theirs. None means that its YAML cannot be read completely.
    """
    keys = read_keys(source)
    if keys is None:
        return None
    own = {key.lower(): value for key, value in keys.items() if key.lower() not in _LAYOUT_KEYS}
    for name in filter(None, (find_target(to_text(own.pop(key, None))) for key in _BASE_CREATURE_KEYS)):
        another = find(name) if depth < _MAX_EXTENDS_DEPTH else None
        base_creature = read_creature(another, find, depth + 1) if another else None
        own = {**(base_creature or {_MISSING_CREATURE_KEY: name}), **own}
    return own


def read_stat_block(source: str, find: FindCreatureYaml = lambda _: None) -> StatBlock | None:
    """Return a stat block, with the keys of a creature that it names and `find` knows.

    None means that the YAML cannot be read completely.
    """
    creature = read_creature(source, find)
    if creature is None:
        return None
    missing = []
    if _MISSING_CREATURE_KEY in creature:
        missing = [Node("Text", f"[stat block: {creature.pop(_MISSING_CREATURE_KEY)}]")]
    name, image, size, kind, subtype_text, alignment = (to_text(creature.pop(key, None)) for key in _HEAD_KEYS)
    kind_words = " ".join(filter(None, [size, kind, f"({subtype_text})" if subtype_text else ""]))
    line = ", ".join(filter(None, [kind_words, alignment]))
    words = parse(to_text(creature.pop(_MARKDOWN_KEY, None))).children
    body = [*([Node("Paragraph", children=missing)] if missing else []), *words, *_body_nodes(creature)]
    return StatBlock(name, find_target(image), line, [dice_as_words(part) for part in body])


def dice_as_words(tree: Node) -> Node:
    """Convert dice in code, such as `2d6`, to plain text in the tree; return the tree."""
    for code in (node for node in tree.walk() if node.kind == "Code" and _DICE.fullmatch(node.text)):
        code.kind = "Text"
    return tree


def find_target(value: str) -> str:
    """Return the target in a value that names a picture or a creature's note: as a path, a link or an embed."""
    wikilink = re.search(r"\[\[([^\]|#]+)", value)
    if wikilink is not None:
        return wikilink[1].strip()
    markdown_link = re.search(r"\]\(([^)\s]+)", value)
    target = markdown_link[1] if markdown_link else value
    return target if "://" in target else split_destination(target)[0]


def _body_nodes(creature: Creature) -> Iterator[Node]:
    """Yield the nodes below the head in the order of the 5e layout, then the ones of the keys that it does not know."""
    yield from _paragraph_below_rule(_labelled_lines(creature, _LABELS_ABOVE_ABILITIES))
    yield from _ability_table(creature)
    yield from _paragraph_below_rule(_labelled_lines(creature, _LABELS_BELOW_ABILITIES))
    for key, title in _SECTION_TITLES.items():
        yield from _section(title, creature.pop(_INTRODUCTION_KEYS.get(key, ""), None), creature.pop(key, None))
    plain = {key: label_of(key) for key, value in creature.items() if not _holds_entries(value)}
    lines = list(_labelled_lines(creature, plain))
    for key in list(creature):
        yield from _section(label_of(key), None, creature.pop(key))
    yield from _paragraph_below_rule(iter(lines))


def label_of(key: str) -> str:
    """Return a key in readable form: `casting_time` and `castingTime` become `Casting time`; `MacLeod` stays."""
    words = key.replace("_", " ").replace("-", " ").strip()
    if words[:1].islower() and " " not in words:
        words = _INNER_CAPITAL.sub(lambda match: f" {match[0].lower()}", words)
    return words[:1].upper() + words[1:]


def compare_key(key: str) -> str:
    """Return a key for comparison with others: `casting_time`, `Casting Time` and `CastingTime` are equal."""
    return label_of(key).casefold().replace(" ", "")


def _labelled_lines(creature: Creature, labels: Mapping[str, str]) -> Iterator[list[Node]]:
    """Take the labelled keys out of the creature; yield a line of label and value for each that has a value."""
    for key, label in labels.items():
        value = to_text(creature.pop(key, None), signed=key in _SIGNED_KEYS)
        bracketed_text = to_text(creature.pop(_BRACKETED_KEYS.get(key, ""), None))
        value = f"{value} ({bracketed_text})".strip() if bracketed_text else value
        if value:
            yield [Node("Strong", children=parse_line(label)), Node("Text", " "), *parse_line(value)]


def _paragraph_below_rule(lines: Iterator[list[Node]]) -> Iterator[Node]:
    """Yield a horizontal rule and the lines as one paragraph below it, if there are any."""
    parts = [part for line in lines for part in (Node("HardBreak"), *line)]
    if parts:
        yield from (Node("Rule"), Node("Paragraph", children=parts[1:]))


def _ability_table(creature: Creature) -> Iterator[Node]:
    """Take the six ability scores, if listed, out of the creature; yield a horizontal rule and a table of them."""
    stats = creature.get("stats")
    if not isinstance(stats, list) or len(stats) != len(_ABILITIES):
        return
    del creature["stats"]
    rows = [_ABILITIES, tuple(map(_score, stats))]
    kinds = ("TableHead", "TableRow")
    cells = [[Node("TableCell", children=parse_line(words)) for words in row] for row in rows]
    table_rows = [Node(kind, children=row) for kind, row in zip(kinds, cells, strict=True)]
    yield from (Node("Rule"), Node("Table", "filled", table_rows, columns=("Center",) * len(_ABILITIES)))


def _score(value: object) -> str:
    """Return an ability score with its modifier, such as `8 (-1)`."""
    number = parse_whole_number(words := to_text(value))
    return words if number is None else f"{words} ({(number - 10) // 2:+d})"


def _section(title: str, lead: object, value: object) -> Iterator[Node]:
    """Yield a heading, the text `lead` and the entries of one key; nothing if all of them are empty."""
    entries = value if isinstance(value, list) else [value]
    nodes = [node for entry in [lead, *entries] for node in _entry(entry)]
    if nodes and title:
        yield Node("StatSection", children=parse_line(title))
    yield from nodes


def _holds_entries(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(entry, dict) and "desc" in entry for entry in value)


def _entry(entry: object) -> Iterator[Node]:
    """Yield the nodes of an entry, such as a trait or an action: its name and its description."""
    if isinstance(entry, dict):
        yield from _describe_entry(entry)
    elif isinstance(entry, list) and len(entry) > 1:
        yield from _entry_nodes(to_text(entry[0]), " ".join(map(_to_markdown, entry[1:])))
    else:
        yield from _entry_nodes("", _to_markdown(entry))


def _describe_entry(entry: Mapping[str, object]) -> Iterator[Node]:
    """Yield the nodes of an entry with keys: `name` and `desc`, or a name as the only key; others go in brackets."""
    if len(entry) == 1 and "desc" not in entry:
        ((name, value),) = entry.items()
        yield from _entry_nodes("" if name == "name" else name, _to_markdown(value))
        return
    rest = {label_of(key): to_text(value) for key, value in entry.items() if key not in {"name", "desc"}}
    more = "; ".join(f"{label} {value}" for label, value in rest.items() if value)
    description = f"{_to_markdown(entry.get('desc'))} {f'({more})' if more else ''}".strip()
    yield from _entry_nodes(to_text(entry.get("name")), description)


def _to_markdown(value: object) -> str:
    """Return a value as Markdown: a text as it is, and every item of a list as a paragraph."""
    if isinstance(value, list):
        return "\n\n".join(map(_to_markdown, value))
    return value if isinstance(value, str) else to_text(value)


def _entry_nodes(name: str, text: str) -> Iterator[Node]:
    """Yield the nodes of a Markdown text, with the name, ended by a full stop, before its first paragraph."""
    blocks = parse(text).children
    if not name:
        yield from blocks
        return
    name += "" if _SENTENCE_END.search(name[-_SENTENCE_END_CHARS:]) else "."
    words = [Node("Strong", children=[Node("Emphasis", children=parse_line(name))])]
    first = blocks.pop(0) if blocks and blocks[0].kind == "Paragraph" else Node("Paragraph")
    yield Node("Paragraph", children=[*words, Node("Text", " "), *first.children])
    yield from blocks


def parse_line(text: str) -> list[Node]:
    """Return the nodes of inline Markdown on one line, followed by its footnotes."""
    blocks = parse(f"# {' '.join(text.split())}").children
    return [*blocks[0].children, *blocks[1:]] if blocks else []


def to_text(value: object, *, signed: bool = False) -> str:
    """Return any YAML value as text, the items of a list with commas between them.

    A link `[[x]]`, which YAML reads as a list in a list, becomes a link again. With `signed`, numbers get a sign.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _pairs(value, signed=signed)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) and value[0]:
        return f"[[{to_text(value[0])}]]"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(filter(None, (to_text(item, signed=signed) for item in value)))
    words = str(value).strip()
    return f"+{words}" if signed and words.isdecimal() else words


def _pairs(value: Mapping[str, object], *, signed: bool) -> str:
    """Return a mapping as text, such as `Dexterity +4`; one with a name is reduced to its values."""
    if "name" in value:
        return " ".join(to_text(item, signed=signed) for item in value.values())
    return ", ".join(f"{label_of(str(key))} {to_text(item, signed=signed)}".strip() for key, item in value.items())
