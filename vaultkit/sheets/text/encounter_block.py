"""Conversion of Initiative Tracker's `encounter` blocks to tables of creatures with boxes to write in."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vaultkit.compendium.tables.dice import Dice
from vaultkit.errors import UsageError
from vaultkit.sheets.text.stat_block import (
    Creature,
    FindCreatureYaml,
    label_of,
    parse_line,
    read_creature,
    read_keys,
    to_text,
)
from vaultkit.text import parse_whole_number
from vaultkit.vault.links import split_destination
from vaultkit.vault.markdown import Node

KINDS = frozenset({"encounter", "encounter-table"})
"""The kinds of code blocks that list encounters."""
COLUMNS = ("Creature", "No.", "AC", "HP", "Initiative", "Notes")
_MAX_BOX_COUNT = 12
"""The maximum number of boxes for the hit points of one kind of creature; larger groups are tracked elsewhere."""
_BOXES_PER_LINE = 6
_SEPARATOR = re.compile(r"^\s*-{3,}\s*$", re.MULTILINE)
_COUNTED_NAME = re.compile(r"(\d+(?:d\d+(?:\s*[+-]\s*\d+)?)?)(?::\s*|\s+(?![d+\-\d]))(?=\S)(.+)", re.DOTALL)
"""A number, or dice, before the name of a creature: `3: Goblin`, `3 Goblin`, `1d4+1: Goblin`."""
_COUNT = re.compile(r"\d+(?:d\d+(?:\s*[+-]\s*\d+)?)?")
_WIKILINK = re.compile(r"\[\[[^\[\]]*\]\]")
_FRIENDLY_WORDS = frozenset({"friend", "friendly", "ally"})
_LAYOUT_KEYS = frozenset({"name", "creatures", "players", "party", "hide", "rollhp"})
_STAT_KEYS = ("hp", "ac", "modifier", "xp")
"""The keys of the values that may follow a creature's name, in their order."""
_DEXTERITY_INDEX = 1


class Combatant(msgspec.Struct, frozen=True):
    """A kind of creature in an encounter; `count` is a number or dice, and the other values are as written.

    `name` is the name of its stat block, `display` another name for this encounter, or "". Empty values are unknown.
    """

    name: str
    display: str = ""
    count: str = "1"
    hp: str = ""
    ac: str = ""
    modifier: str = ""
    xp: str = ""
    is_hidden: bool = False
    is_friendly: bool = False


class EncounterBlock(msgspec.Struct, frozen=True):
    """An encounter: its name, the players by name, and the creatures; `remarks` are further lines of Markdown."""

    name: str
    players: tuple[str, ...]
    combatants: tuple[Combatant, ...]
    remarks: tuple[str, ...] = ()


def read_encounters(source: str, find_creature: FindCreatureYaml = lambda _: None) -> list[EncounterBlock]:
    """Return the encounters of a block; `find_creature` finds the stat blocks for values that the block lacks.

    Several are separated by lines of dashes. The list is empty for YAML that cannot be read, or without creatures.
    """
    encounters = []
    for part in _SEPARATOR.split(source):
        if not part.strip():
            continue
        keys = read_keys(part)
        if keys is None:
            return []
        encounter = _read_encounter({key.casefold(): value for key, value in keys.items()}, find_creature)
        if not encounter.combatants and not encounter.name:
            return []
        encounters.append(encounter)
    return encounters


def _read_encounter(keys: Mapping[str, object], find_creature: FindCreatureYaml) -> EncounterBlock:
    entries = keys.get("creatures")
    rolls_hit_points = keys.get("rollhp") is True
    raw_combatants = map(_read_combatant, entries if isinstance(entries, list) else [entries])
    combatants = [
        _add_stat_block(raw, find_creature, rolls_hit_points=rolls_hit_points) for raw in raw_combatants if raw
    ]
    players = keys.get("players")
    names = players if isinstance(players, list) else [players] if isinstance(players, str) else []
    party = to_text(keys.get("party"))
    remarks = [f"**Party** {party}"] if party else []
    for key, value in keys.items():
        if key not in _LAYOUT_KEYS and (text := to_text(value)):
            remarks.append(f"**{'XP' if key == 'xp' else label_of(key)}** {text}")
    player_names = tuple(name for name in map(to_text, names) if name and name.casefold() != "none")
    return EncounterBlock(to_text(keys.get("name")), player_names, tuple(_merge_equal(combatants)), tuple(remarks))


def _merge_equal(combatants: Sequence[Combatant]) -> Iterator[Combatant]:
    """Yield each kind of creature once, with the sum of its numbers."""
    counts: dict[Combatant, list[str]] = {}
    for combatant in combatants:
        counts.setdefault(msgspec.structs.replace(combatant, count=""), []).append(combatant.count)
    for combatant, parts in counts.items():
        numbers = [parse_whole_number(part) for part in parts]
        whole_numbers = [number for number in numbers if number is not None]
        count = str(sum(whole_numbers)) if len(whole_numbers) == len(parts) else " + ".join(parts)
        yield msgspec.structs.replace(combatant, count=count)


def _read_combatant(entry: object) -> Combatant | None:
    """Return the creature of an entry in any of the plugin's forms, or None if it names none."""
    count, rest = "1", entry
    if isinstance(entry, Mapping) and len(entry) == 1:
        ((key, rest),) = entry.items()
        count = str(key)
        if not _COUNT.fullmatch(count):  # `Goblin: 3`
            count, rest = (to_text(rest), key) if _COUNT.fullmatch(to_text(rest)) else ("1", entry)
    elif isinstance(entry, str) and (match := _COUNTED_NAME.fullmatch(entry.strip())):
        count, rest = match[1], match[2]
    if isinstance(rest, str):
        rest = [part.strip() for part in rest.split(",")]
    if isinstance(rest, Mapping):
        return _read_mapping({str(key).casefold(): value for key, value in rest.items()}, count)
    if not isinstance(rest, list) or not rest:
        return None
    return _read_list(rest, count)


def _read_mapping(keys: Mapping[str, object], count: str) -> Combatant | None:
    name = _parse_name(keys.get("creature") or keys.get("name"))
    if not name:
        return None
    display = _parse_name(keys.get("name")) if "creature" in keys else ""
    values = {key: to_text(keys.get(key)) for key in _STAT_KEYS}
    values["modifier"] = to_text(keys.get("mod", keys.get("modifier")))
    is_friendly = any(keys.get(word) not in (None, False) for word in _FRIENDLY_WORDS)
    is_hidden = keys.get("hidden") not in (None, False)
    return Combatant(name, display, count, is_hidden=is_hidden, is_friendly=is_friendly, **values)


def _read_list(parts: Sequence[object], count: str) -> Combatant | None:
    """Return a creature of a list: its name, or its name and another one in a list, then hp, ac, modifier and xp."""
    first, *rest = parts
    names = first if isinstance(first, list) else [first]
    name, display = _parse_name(names[0]) if names else "", _parse_name(names[1]) if len(names) > 1 else ""
    if not name:
        return None
    words = [to_text(part) for part in rest]
    marks = {word.casefold() for word in words}
    values = [word for word in words if word.casefold() not in _FRIENDLY_WORDS | {"hidden"}]
    if values and not display and not values[0][:1].isdigit() and values[0]:
        display, *values = values
    stats = dict(zip(_STAT_KEYS, values, strict=False))
    return Combatant(
        name, display, count, is_hidden="hidden" in marks, is_friendly=bool(marks & _FRIENDLY_WORDS), **stats
    )


def _parse_name(value: object) -> str:
    """Return the name in a value, which may be a link that YAML reads as a list in a list."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = to_text(value)
    target, _, label = text.removeprefix("[[").removesuffix("]]").partition("|")
    return (label or split_destination(target)[0]) if _WIKILINK.fullmatch(text) else text


def _add_stat_block(combatant: Combatant, find_creature: FindCreatureYaml, *, rolls_hit_points: bool) -> Combatant:
    """Return a creature with the values of its stat block where the encounter gives none."""
    source = find_creature(combatant.name)
    creature: Creature = (read_creature(source, find_creature) if source else None) or {}
    hit_points, dice = to_text(creature.get("hp")), to_text(creature.get("hit_dice"))
    if rolls_hit_points and dice:
        hit_points = f"{hit_points} ({dice})" if hit_points else dice
    modifier = to_text(creature.get("modifier"), signed=True) or _dexterity_modifier(creature.get("stats"))
    return msgspec.structs.replace(
        combatant,
        hp=combatant.hp or hit_points,
        ac=combatant.ac or to_text(creature.get("ac")),
        modifier=to_text(combatant.modifier, signed=True) or modifier,
    )


def _dexterity_modifier(stats: object) -> str:
    score = stats[_DEXTERITY_INDEX] if isinstance(stats, list) and len(stats) > _DEXTERITY_INDEX else None
    number = parse_whole_number(to_text(score))
    return "" if number is None else f"{(number - 10) // 2:+d}"


def encounter_nodes(encounter: EncounterBlock) -> list[Node]:
    """Return the nodes of an encounter: its name, a line on the party and other values, and a table of all fighters.

    The table has a row for each player and each kind of creature, a box for each initiative, and one for the hit points
    of each creature. A last column without notes is left out.
    """
    nodes = [Node("StatName", children=parse_line(encounter.name))] if encounter.name else []
    if encounter.remarks:
        nodes.append(Node("Paragraph", children=parse_line(" · ".join(encounter.remarks))))
    rows = [_make_row("TableHead", [parse_line(title) for title in COLUMNS])]
    rows += [_make_row("TableRow", list(_combatant_cells(combatant))) for combatant in encounter.combatants]
    rows += [
        _make_row("TableRow", [parse_line(name), [], [], [], [Node("WritingBox")], []]) for name in encounter.players
    ]
    if len(rows) > 1:
        columns: tuple[str, ...] = ("None", "Center", "Center", "None", "None", "None")
        if not any(row.children[-1].children for row in rows[1:]):
            columns = columns[:-1]
            for row in rows:
                row.children.pop()
        nodes.append(Node("Table", "filled", rows, columns=columns))
    return nodes


def _make_row(kind: str, cells: Sequence[list[Node]]) -> Node:
    return Node(kind, children=[Node("TableCell", children=nodes) for nodes in cells])


def _combatant_cells(combatant: Combatant) -> Iterator[list[Node]]:
    name = [Node("Link", combatant.name, [Node("Text", combatant.display or combatant.name)], 1)]
    yield [*name, Node("Text", f" ({combatant.name})")] if combatant.display else name
    yield [Node("Text", combatant.count)]
    yield parse_line(combatant.ac)
    yield [*parse_line(combatant.hp), *_hit_point_boxes(min(_max_count(combatant.count), _MAX_BOX_COUNT))]
    yield [*parse_line(combatant.modifier), *([Node("Text", " ")] if combatant.modifier else []), Node("WritingBox")]
    xp = f"{combatant.xp} XP" if combatant.xp else ""
    notes = ["ally" if combatant.is_friendly else "", "hidden" if combatant.is_hidden else "", xp]
    yield parse_line(", ".join(filter(None, notes)))


def _hit_point_boxes(count: int) -> Iterator[Node]:
    for number in range(count):
        yield Node("HardBreak") if number and number % _BOXES_PER_LINE == 0 else Node("Text", " ")
        yield Node("WritingBox")


def _max_count(count: str) -> int:
    """Return the largest number that a number, dice, or a sum of them can mean."""
    try:
        return max(Dice.parse(count).highest, 1)
    except UsageError:  # too many dice
        return _MAX_BOX_COUNT
