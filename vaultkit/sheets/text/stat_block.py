"""A `statblock` block, as Fantasy Statblocks reads it -> nodes in the order of its 5e layout; no key is dropped."""

import re
from collections.abc import Iterator, Mapping, Sequence

from vaultkit.vault import frontmatter
from vaultkit.vault.markdown import Node, parse

_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
_DRAWING = {"layout", "columns", "columnwidth", "forcecolumns", "statblock", "dice", "render", "bestiary"}
"""Keys that say how the plugin draws, and nothing of the creature."""
_FIRST = {"ac": "Armor Class", "hp": "Hit Points", "speed": "Speed"}
_BEHIND = {"ac": "ac_class", "hp": "hit_dice"}
"""Keys whose values stand in brackets behind another."""
_SECOND = {
    "saves": "Saving Throws", "skillsaves": "Skills", "damage_vulnerabilities": "Damage Vulnerabilities",
    "damage_resistances": "Damage Resistances", "damage_immunities": "Damage Immunities",
    "condition_immunities": "Condition Immunities", "senses": "Senses", "languages": "Languages", "cr": "Challenge",
}  # fmt: skip
_SIGNED = {"saves", "skillsaves"}
_SECTIONS = {
    "traits": "", "spells": "Spellcasting", "actions": "Actions", "bonus_actions": "Bonus Actions",
    "reactions": "Reactions", "legendary_actions": "Legendary Actions", "mythic_actions": "Mythic Actions",
    "lair_actions": "Lair Actions", "regional_effects": "Regional Effects",
}  # fmt: skip
_LEADS = {"legendary_actions": "legendary_description", "mythic_actions": "mythic_description"}
"""Keys whose values stand before the entries of another."""
_HEAD = ("name", "image", "size", "type", "subtype", "alignment")
_DICE = re.compile(r"\d*d\d+(?:\s*[+-]\s*\d+)*")
_ENDED = re.compile(r"[.!?:]\W*\Z")

Creature = dict[str, object]


def stat_block(source: str) -> list[Node] | None:
    """The nodes of a stat block; None for YAML that cannot be read in full."""
    found = frontmatter.read(f"---\n{source.rstrip()}\n---\n", "")
    if found.problems or not found.properties:
        return None
    creature = {key: value for key, value in found.properties.items() if key.lower() not in _DRAWING}
    made = list(_parts(creature))
    for code in (node for part in made for node in part.walk() if node.kind == "Code" and _DICE.fullmatch(node.text)):
        code.kind = "Text"
    return made


def _parts(creature: Creature) -> Iterator[Node]:
    yield from _head(creature)
    yield from _ruled(_lines(creature, _FIRST))
    yield from _abilities(creature)
    yield from _ruled(_lines(creature, _SECOND))
    for key, title in _SECTIONS.items():
        yield from _section(title, creature.pop(_LEADS.get(key, ""), None), creature.pop(key, None))
    plain = {key: label_of(key) for key, value in creature.items() if not _holds_entries(value)}
    lines = list(_lines(creature, plain))
    for key in list(creature):
        yield from _section(label_of(key), None, creature.pop(key))
    yield from _ruled(iter(lines))


def label_of(key: str) -> str:
    """A key as a reader sees it."""
    return key.replace("_", " ").strip().capitalize()


def _head(creature: Creature) -> Iterator[Node]:
    name, image, size, kind, more, alignment = (flat(creature.pop(key, None)) for key in _HEAD)
    if name:
        yield Node("StatName", children=line_of(name))
    if image:
        yield Node("Image", image, [Node("Text", "120")], 0)
    about = ", ".join(filter(None, [" ".join(filter(None, [size, kind, f"({more})" if more else ""])), alignment]))
    if about:
        yield Node("Paragraph", children=[Node("Emphasis", children=line_of(about))])


def _lines(creature: Creature, labels: Mapping[str, str]) -> Iterator[list[Node]]:
    for key, label in labels.items():
        value = flat(creature.pop(key, None), signed=key in _SIGNED)
        behind = flat(creature.pop(_BEHIND.get(key, ""), None))
        value = f"{value} ({behind})".strip() if behind else value
        if value:
            yield [Node("Strong", children=line_of(label)), Node("Text", " "), *line_of(value)]


def _ruled(lines: Iterator[list[Node]]) -> Iterator[Node]:
    """The lines as one paragraph below a rule."""
    parts = [part for line in lines for part in (Node("HardBreak"), *line)]
    if parts:
        yield from (Node("Rule"), Node("Paragraph", children=parts[1:]))


def _abilities(creature: Creature) -> Iterator[Node]:
    stats = creature.get("stats")
    if not isinstance(stats, list) or len(stats) != len(_ABILITIES):
        return
    del creature["stats"]
    rows = [_ABILITIES, tuple(map(_score, stats))]
    kinds = ("TableHead", "TableRow")
    cells = [[Node("TableCell", children=line_of(words)) for words in row] for row in rows]
    made = [Node(kind, children=row) for kind, row in zip(kinds, cells, strict=True)]
    yield from (Node("Rule"), Node("Table", children=made, columns=("Center",) * len(_ABILITIES)))


def _score(value: object) -> str:
    """An ability's score with its modifier, as `8 (-1)`."""
    words = flat(value)
    return f"{words} ({(int(words) - 10) // 2:+d})" if words.isdecimal() else words


def _section(title: str, lead: object, value: object) -> Iterator[Node]:
    entries = value if isinstance(value, list) else [value]
    made = [node for entry in [lead, *entries] for node in _entry(entry)]
    if made and title:
        yield Node("StatSection", children=line_of(title))
    yield from made


def _holds_entries(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(entry, dict) and "desc" in entry for entry in value)


def _entry(entry: object) -> Iterator[Node]:
    """A trait or an action: its name, and what it does."""
    if isinstance(entry, dict):
        yield from _described(entry)
    elif isinstance(entry, list) and len(entry) > 1:
        yield from _named(flat(entry[0]), " ".join(map(_text, entry[1:])))
    else:
        yield from _named("", _text(entry))


def _described(entry: Mapping[str, object]) -> Iterator[Node]:
    if len(entry) == 1 and "desc" not in entry:
        ((name, value),) = entry.items()
        yield from _named("" if name == "name" else name, _text(value))
        return
    rest = {label_of(key): flat(value) for key, value in entry.items() if key not in {"name", "desc"}}
    more = "; ".join(f"{label} {value}" for label, value in rest.items() if value)
    yield from _named(flat(entry.get("name")), f"{_text(entry.get('desc'))} {f'({more})' if more else ''}".strip())


def _text(value: object) -> str:
    return value if isinstance(value, str) else flat(value)


def _named(name: str, text: str) -> Iterator[Node]:
    blocks = parse(text).children
    if not name:
        yield from blocks
        return
    words = [Node("Strong", children=[Node("Emphasis", children=line_of(name if _ENDED.search(name) else f"{name}."))])]
    first = blocks.pop(0) if blocks and blocks[0].kind == "Paragraph" else Node("Paragraph")
    yield Node("Paragraph", children=[*words, Node("Text", " "), *first.children])
    yield from blocks


def line_of(text: str) -> list[Node]:
    """Inline Markdown on one line."""
    blocks = parse(f"# {' '.join(text.split())}").children
    return blocks[0].children if blocks else []


def flat(value: object, *, signed: bool = False) -> str:
    """Any value of YAML as words; with `signed`, numbers have a sign."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _pairs(value, signed=signed)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(filter(None, (flat(one, signed=signed) for one in value)))
    words = str(value).strip()
    return f"+{words}" if signed and words.isdecimal() else words


def _pairs(value: Mapping[str, object], *, signed: bool) -> str:
    """`Dexterity +4`; of a mapping with a name and a description these two."""
    if "name" in value:
        return " ".join(flat(one, signed=signed) for one in value.values())
    return ", ".join(f"{label_of(str(key))} {flat(one, signed=signed)}".strip() for key, one in value.items())
