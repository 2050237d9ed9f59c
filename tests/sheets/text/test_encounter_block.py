"""Encounters of Initiative Tracker: each form in which the plug-in takes a creature, and the table made of them."""

from collections.abc import Iterator

import pytest

from vaultkit.sheets.text.encounter_block import COLUMNS, Combatant, encounter_nodes, read_encounters
from vaultkit.vault.markdown import Node

GOBLIN = '{"name": "Goblin", "ac": 15, "hp": 7, "hit_dice": "2d6", "stats": [8, 14, 10, 10, 8, 8]}'


def find_goblin(name: str) -> str | None:
    return GOBLIN if name == "Goblin" else None


def read_one(entry: str) -> Combatant:
    (encounter,) = read_encounters(f"creatures:\n  - {entry}\n")
    (combatant,) = encounter.combatants
    return combatant


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("Goblin", Combatant("Goblin")),
        ("3: Goblin", Combatant("Goblin", count="3")),
        ("3 Goblin", Combatant("Goblin", count="3")),
        ("1d4+1: Goblin", Combatant("Goblin", count="1d4+1")),
        ("Goblin, 7, 15, 2, 50", Combatant("Goblin", hp="7", ac="15", modifier="+2", xp="50")),
        ("2: Goblin, 7, 15, -1", Combatant("Goblin", count="2", hp="7", ac="15", modifier="-1")),
        ("Goblin, 7, hidden", Combatant("Goblin", hp="7", is_hidden=True)),
        ("2: Goblin, friendly", Combatant("Goblin", count="2", is_friendly=True)),
        ("Goblin, ally, 9", Combatant("Goblin", hp="9", is_friendly=True)),
        ("[Hobgoblin, Jim]", Combatant("Hobgoblin", "Jim")),
        ("2: [[Hobgoblin, Jim], 12, 18, 1, 100, friend]",
         Combatant("Hobgoblin", "Jim", "2", "12", "18", "+1", "100", is_friendly=True)),
        ("[[Goblin King]]", Combatant("Goblin King")),
        ('"[[Monsters/Goblin|the small one]]"', Combatant("the small one")),
        ("{creature: Ogre, name: Tom, hp: 59, ac: 11, mod: 2, xp: 450, hidden: true}",
         Combatant("Ogre", "Tom", hp="59", ac="11", modifier="+2", xp="450", is_hidden=True)),
        ("4: {creature: Ogre, friend: true}", Combatant("Ogre", count="4", is_friendly=True)),
        ("Goblin: 5", Combatant("Goblin", count="5")),
        ("Wächter der Brücke", Combatant("Wächter der Brücke")),
        ("2: 骸骨, 13", Combatant("骸骨", count="2", hp="13")),
    ],
)  # fmt: skip
def test_each_form_of_a_creature_is_read(entry: str, expected: Combatant) -> None:
    assert read_one(entry) == expected


def test_a_name_that_begins_with_a_number_keeps_it() -> None:
    assert read_one("7th Guard").name == "7th Guard"


def test_stat_block_supplies_values_missing_from_the_encounter() -> None:
    source = "creatures:\n  - 2: Goblin\n  - Goblin, 20\n  - Wolf\n"
    (encounter,) = read_encounters(source, find_goblin)
    assert encounter.combatants == (
        Combatant("Goblin", count="2", hp="7", ac="15", modifier="+2"),
        Combatant("Goblin", hp="20", ac="15", modifier="+2"),
        Combatant("Wolf"),
    )


def test_rolled_hit_points_show_their_dice() -> None:
    (encounter,) = read_encounters("rollHP: true\ncreatures:\n  - Goblin\n", find_goblin)
    assert encounter.combatants[0].hp == "7 (2d6)"


def test_equal_creatures_are_one_row() -> None:
    (encounter,) = read_encounters("creatures:\n  - 2: Wolf\n  - Wolf\n  - Bear\n  - 1d4: Bear\n")
    assert [(each.name, each.count) for each in encounter.combatants] == [("Wolf", "3"), ("Bear", "1 + 1d4")]


def test_dashes_separate_encounters() -> None:
    encounters = read_encounters("name: A\ncreatures:\n  - Wolf\n---\nname: B\ncreatures:\n  - Bear\n")
    assert [encounter.name for encounter in encounters] == ["A", "B"]


@pytest.mark.parametrize("source", ["", "creatures: [", "just words", "creatures:\n", "- a\n- b\n"])
def test_unreadable_block_has_no_encounter(source: str) -> None:
    assert read_encounters(source) == []


def find_nodes(nodes: list[Node], kind: str) -> Iterator[Node]:
    return (node for parent in nodes for node in parent.walk() if node.kind == kind)


def test_the_table_has_a_box_for_each_creature_and_each_initiative() -> None:
    source = "name: Ford\nparty: Us\nplayers: [Ana, Bo]\nxp: 90\ncreatures:\n  - 3: Goblin\n  - 1d4+1: Wolf, 11\n"
    (encounter,) = read_encounters(source, find_goblin)
    nodes = encounter_nodes(encounter)
    words = " ".join(node.words() for node in nodes)
    assert "Party Us" in words
    assert "XP 90" in words
    (head,) = find_nodes(nodes, "TableHead")
    assert tuple(cell.words() for cell in head.children) == COLUMNS[:-1]
    goblins, wolves, ana, bo = find_nodes(nodes, "TableRow")
    assert [len(list(find_nodes([cell], "WritingBox"))) for cell in goblins.children] == [0, 0, 0, 3, 1]
    assert [len(list(find_nodes([cell], "WritingBox"))) for cell in wolves.children] == [0, 0, 0, 5, 1]
    assert [ana.children[0].words(), bo.children[0].words()] == ["Ana", "Bo"]


def test_a_huge_number_of_creatures_has_few_boxes() -> None:
    for count in ("999999999999999999", "9999d9999", "1d6"):
        (encounter,) = read_encounters(f"creatures:\n  - {count}: Rat\n")
        assert len(list(find_nodes(encounter_nodes(encounter), "WritingBox"))) <= 13
