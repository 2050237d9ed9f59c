"""A `statblock` code block, as Fantasy Statblocks reads it, in Markdown: its 5e layout, and every other key as well."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vaultkit.vault import frontmatter

_FOR_THE_PLUGIN = frozenset(
    {"layout", "statblock", "columns", "columnwidth", "columnheight", "forcecolumns", "dice", "render", "name", "image"}
)
_LINE = ("size", "type", "subtype", "alignment")
_FIRST = {"ac": "Armor Class", "hp": "Hit Points", "speed": "Speed", "modifier": "Initiative"}
_IN_BRACKETS = {"ac": "ac_class", "hp": "hit_dice"}
_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
_NEXT = {
    "saves": "Saving Throws",
    "skillsaves": "Skills",
    "damage_vulnerabilities": "Damage Vulnerabilities",
    "damage_resistances": "Damage Resistances",
    "damage_immunities": "Damage Immunities",
    "condition_immunities": "Condition Immunities",
    "senses": "Senses",
    "languages": "Languages",
    "cr": "Challenge",
}
_SECTIONS = {
    "traits": "",
    "spells": "",
    "actions": "Actions",
    "bonus_actions": "Bonus Actions",
    "reactions": "Reactions",
    "legendary_actions": "Legendary Actions",
    "mythic_actions": "Mythic Actions",
    "lair_actions": "Lair Actions",
    "regional_effects": "Regional Effects",
}
_INTRODUCED = {"legendary_actions": "legendary_description", "mythic_actions": "mythic_description"}


@dataclass(frozen=True)
class Statblock:
    """A creature: its name, its picture as the block names it, its kind in a line, and all else as Markdown."""

    name: str
    image: str
    line: str
    text: str


def read_statblock(yaml: str) -> Statblock | None:
    """The statblock in a code block; None for one that cannot be read, or is none."""
    whole = f"---\n{yaml.rstrip()}\n---\n"
    read = frontmatter.read(whole, "")
    if read.problems or not read.properties or read.body_start != len(whole):
        return None
    values = {key.lower(): value for key, value in read.properties.items()}
    parts = [spoken(values[key]) for key in _LINE if spoken(values.get(key))]
    kind = " ".join(f"({part})" if part == spoken(values.get("subtype")) else part for part in parts[:-1])
    line = ", ".join(filter(None, [kind, *parts[-1:]])) if spoken(values.get("alignment")) else " ".join(parts)
    text = "\n\n".join(part for part in _parts(values) if part)
    return Statblock(spoken(values.get("name")), spoken(values.get("image")), line, text)


def spoken(value: object) -> str:
    """A value of YAML in words: lists with commas, `[[x]]` as the link that it was meant to be."""
    if isinstance(value, list):
        unquoted = value[0] if len(value) == 1 and isinstance(value[0], list) else None
        return f"[[{spoken(unquoted)}]]" if unquoted else ", ".join(filter(None, map(spoken, value)))
    if isinstance(value, Mapping):
        named = set(value) == {"name", "desc"}
        pairs = (("" if named else key, spoken(item)) for key, item in value.items())
        return (" " if named else ", ").join(f"{key} {item}".strip() for key, item in pairs)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def label_of(name: str) -> str:
    """A property's name as a label: `casting_time` is `Casting time`."""
    words = name.replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def labelled(pairs: Iterable[tuple[str, str]]) -> str:
    """Labels and their values, each pair in a line of its own."""
    return "\\\n".join(f"**{label}** {' '.join(value.split())}".rstrip() for label, value in pairs)


def _parts(values: Mapping[str, object]) -> Iterator[str]:
    abilities = values.get("stats")
    table = isinstance(abilities, list) and len(abilities) == len(_ABILITIES)
    known = {*_FIRST, *_IN_BRACKETS.values(), *_NEXT, *_SECTIONS, *_INTRODUCED.values(), *_LINE, *_FOR_THE_PLUGIN}
    others = {label_of(key): spoken(value) for key, value in values.items() if key not in known | {"source"}}
    if table:
        others.pop("Stats", None)
    yield labelled((label, _bracketed(key, values)) for key, label in _FIRST.items() if _bracketed(key, values))
    if isinstance(abilities, list) and table:
        yield _table(abilities)
    after = {label: _signed(values.get(key)) for key, label in _NEXT.items()}
    yield labelled((label, value) for label, value in (after | others).items() if value)
    for key, heading in _SECTIONS.items():
        yield from _section(heading, values.get(_INTRODUCED.get(key, "")), values.get(key))
    if source := spoken(values.get("source")):
        yield f"*Source: {source}*"


def _bracketed(key: str, values: Mapping[str, object]) -> str:
    """A value with what belongs to it behind it: `9 (2d6 + 2)`."""
    value, more = spoken(values.get(key)), spoken(values.get(_IN_BRACKETS.get(key, "")))
    return f"{value} ({more})".strip() if more else _plus(value) if key == "modifier" else value


def _table(scores: list[Any]) -> str:
    cells = [_with_bonus(spoken(score)) for score in scores]
    return "\n".join(f"| {' | '.join(row)} |" for row in (_ABILITIES, [":---:"] * len(cells), cells))


def _with_bonus(score: str) -> str:
    return f"{score} ({(int(score) - 10) // 2:+d})" if score.isdecimal() else score


def _signed(value: object) -> str:
    """Bonuses by name, `Dexterity +5`; any other value in words."""
    if not isinstance(value, list):
        return spoken(value)
    pairs = [item for item in value if isinstance(item, Mapping) and set(item) != {"name", "desc"}]
    if not value or len(pairs) < len(value):
        return spoken(value)
    return ", ".join(f"{label_of(str(name))} {_plus(spoken(bonus))}" for item in pairs for name, bonus in item.items())


def _plus(bonus: str) -> str:
    return f"+{bonus}" if bonus.isdigit() else bonus


def _section(heading: str, before: object, entries: object) -> Iterator[str]:
    if not (before or entries):
        return
    yield f"### {heading}" if heading else ""
    yield spoken(before)
    for entry in entries if isinstance(entries, list) else [entries]:
        yield _entry(entry)


def _entry(entry: object) -> str:
    """A trait or an action: its name, then what it does."""
    if not isinstance(entry, Mapping) or "name" not in entry:
        pairs = ((str(key), spoken(value)) for key, value in entry.items()) if isinstance(entry, Mapping) else ()
        return labelled(pairs) or spoken(entry)
    described = entry.get("desc")
    text = "\n\n".join(map(spoken, described)) if isinstance(described, list) else spoken(described)
    more = [(label_of(key), spoken(value)) for key, value in entry.items() if key not in {"name", "desc"}]
    name = spoken(entry["name"]).rstrip()
    head = f"***{name}{'' if name.endswith(('.', '!', '?')) else '.'}***" if name else ""
    return "\n\n".join(filter(None, [f"{head} {text}".strip(), labelled(more)]))
