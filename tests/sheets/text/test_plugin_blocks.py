"""P16: blocks that plugins draw are printed as drawn, named, or left out and reported."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.growth import IN_STEP, growth
from tests.sheets.conftest import print_text
from tests.sheets.lint import problems, tagged_text
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.text.dice_code import spell_dice
from vaultkit.sheets.text.plugin_blocks import parse_chart
from vaultkit.sheets.text.stat_block import read_stat_block, split_admonition
from vaultkit.vault import Vault
from vaultkit.vault.markdown import Node, parse

Print = Callable[..., Path]

EEL = """```statblock
name: "[Lantern Eel](eel.md)"
size: Large
type: beast
subtype: fey
alignment: unaligned
ac: !!int "14"
hp: 45
hit_dice: 6d10 + 12
speed: 10 ft.
stats: [16, 14, 15, 3, 12, 8]
saves:
  - dexterity: 4
skillsaves:
  - name: "[Sneaking](skills.md#Sneaking)"
    desc: "+6"
cr: 1/4
motto: Follow the light
traits:
  - name: Lure
    desc: "Seen within `dice:6d10|noform|avg` (`6d10`) feet, **DC 12**."
    recharge: dusk
  - [Slippery, Cannot be held.]
spells:
  - It casts at will.
  - Cantrips: light
legendary_description: It takes two.
legendary_actions:
  - name: Blink!
    desc: Dark.
loot:
  - name: Gland
    desc: Worth 20 gp.
layout: Basic 5e Layout
```"""
SET = [
    "Lantern Eel",
    "Large beast (fey), unaligned",
    "Armor Class 14 Hit Points 45 (6d10 + 12) Speed 10 ft.",
    *("STR", "DEX", "CON", "INT", "WIS", "CHA"),
    *("16 (+3)", "14 (+2)", "15 (+2)", "3 (-4)", "12 (+1)", "8 (-1)"),
    "Saving Throws Dexterity +4 Skills Sneaking +6 Challenge 1/4",
    "Lure. Seen within 33 (6d10) feet, DC 12. (Recharge dusk)",
    "Slippery. Cannot be held.",
    *("Spellcasting", "It casts at will.", "Cantrips. light"),
    *("Legendary Actions", "It takes two.", "Blink! Dark."),
    *("Loot", "Gland. Worth 20 gp."),
    "Motto Follow the light",
]


def test_p16_stat_block_is_printed_and_loses_no_key(print_note: Print) -> None:
    made = print_note(EEL)
    assert problems(made) == []
    assert tagged_text(made)[1:] == SET


def test_p16_stat_block_with_invalid_yaml_stays_code(print_note: Print) -> None:
    assert "name: Eel ac: [14" in tagged_text(print_note("```statblock\nname: Eel\nac: [14\n```"))


CRAB = "---\nstatblock: true\nac: 15\nhp: 22\n---\nA crab."
FENCED = '---\nstatblock: inline\naliases: [Marsh Owl]\n---\n```statblock\n"name": "Owl (HB)"\n"hp": !!int "3"\n```\n'


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("monster: Mire Crab", ["Mire Crab", "Armor Class 15 Hit Points 22"]),
        ("creature: [[Mire Crab]]\nname: Old Crab\nhp: 40", ["Old Crab", "Armor Class 15 Hit Points 40"]),
        ("monster: marsh owl", ["Owl (HB)", "Hit Points 3"]),
        ("monster: Bat Lord\nac: 9", ["Bat Lord", "Large beast", "Bite. It hurts.", "Armor Class 9"]),
        ("monster: Aboleth", ["[stat block: Aboleth]"]),
        ("extends: Aboleth\nac: 9", ["[stat block: Aboleth]", "Armor Class 9"]),
    ],
)
def test_p16_stat_block_may_come_from_another_note(tmp_path: Path, source: str, words: list[str]) -> None:
    (tmp_path / "Mire Crab.md").write_text(CRAB, "utf-8")
    (tmp_path / "owl-hb.md").write_text(FENCED, "utf-8")
    (tmp_path / "Bat Lord.md").write_text(
        "```ad-statblock\ncolor: 9\n*Large beast*\n\n**Bite.** It hurts.\n```", "utf-8"
    )
    (tmp_path / "Note.md").write_text(f"```statblock\n{source}\n```", "utf-8")
    vault = Vault(tmp_path)
    print_rules(vault.read("Note.md"), vault, PrintJob("a4", tmp_path / "note.pdf"))
    assert tagged_text(tmp_path / "note.pdf")[1:] == words


def test_p16_stat_block_in_an_admonition_is_printed_as_one(print_note: Print) -> None:
    made = print_note("~~~ad-statblock\ntitle: Eel *(Young)*\n\n*Tiny beast*\n\n- **Hit Points** 2\n~~~")
    assert problems(made) == []
    assert tagged_text(made, generated=False)[1:] == ["Eel (Young)", "Tiny beast", "Hit Points 2"]


def test_p16_stat_blocks_that_refer_to_each_other_are_printed() -> None:
    known = {"a": "monster: b\nac: 1", "b": "monster: a\nhp: 2"}
    block = read_stat_block("monster: a", known.get)
    assert block is not None
    assert "Armor Class 1" in Node("Document", children=block.nodes()).words()


def test_p16_admonition_is_printed_as_a_callout(print_note: Print) -> None:
    made = print_note("```ad-warning\ntitle: Thin *ice*\ncollapse: open\n\nUnder **horses**\n- and ogres\n```")
    assert tagged_text(made, generated=False)[1:] == ["Warning Thin ice", "Under horses", "and ogres"]


MISSING_MAP = "[picture Map (Vale.png): not found in the vault]"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("leaflet\nid: vale-map\nimage: [[Vale.png]]", [MISSING_MAP, "[map: vale-map]"]),
        ("leaflet\nimage: [[Maps/Vale.png]]", [MISSING_MAP, "[map: Vale.png]"]),
        ('mermaid\npie showData\n  title Ends\n  "Won" : 12\n  "Lost" : 3', ["Ends", "Won 12 Lost 3"]),
        (
            'mermaid\nxychart-beta horizontal\n  title Wins\n x-axis ["A, B", C]\n  y-axis "n" 0 --> 9\n  bar [4.5, 9]',
            ["Wins", "A, B 4.5 C 9"],
        ),
        ("mermaid\nmindmap\n  A", ["[chart: mindmap]"]),
        (
            "mermaid\ngraph TD\n A[In] -->|by night| B{Seen?}\n B -- yes --> C((Run))\n B --> D & A\n style A fill:red",
            ["•", "In by night → Seen?", "•", "Seen?", "•", "yes → Run", "•", "→ D", "•", "→ In"],
        ),
    ],
)
def test_p16_maps_are_named_and_our_charts_drawn(print_note: Print, source: str, words: list[str]) -> None:
    made = print_note(f"```{source}\n```")
    assert problems(made) == []
    assert tagged_text(made)[1:] == words


def test_p16_content_only_obsidian_can_answer_is_left_out_with_one_remark(tmp_path: Path) -> None:
    blocks = ("dataview\nTABLE x", "dataviewjs\ndv.list()", "button\nname Go", "mermaid\nmindmap")
    asked = "\n\n".join(f"```{block}\n```" for block in blocks)
    made = print_text(f"Now `= this.hp` and `= 5 coins`.\n\n{asked}", out=tmp_path / "note.pdf")
    kinds = "1 inline formula, 1 dataview block, 1 dataviewjs block, 1 button block and 1 mermaid chart"
    assert made.remarks == (f"Left out, since only Obsidian can show it: {kinds}.",)
    assert tagged_text(made.path)[1:] == ["Now and = 5 coins.", "[chart: mindmap]"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("`dice: 2d6+3`", "2d6+3"),
        ("`dice:1d20+4|noform|text(+4)` to hit", "+4 to hit"),
        ("`dice:2d4+1|avg` (`2d4 + 1`)", "6 (2d4 + 1)"),
        ("`dice:1d4|noform|avg` (2)", "1d4 (2)"),
        ("`dice: [[Loot Table#^gems]]`", "roll on Loot Table"),
        ("`dice: [](tables/wild%20magic.md#^w)`", "roll on wild magic"),
        ("`dicey: 2d6`", "dicey: 2d6"),
    ],
)
def test_p16_dice_are_printed_as_text(code: str, words: str) -> None:
    line = parse(code).children[0]
    assert Node("Line", children=spell_dice(line.children)).words() == words


def test_p16_picture_of_a_creature_is_beside_its_name(print_note: Print, tmp_path: Path) -> None:
    Image.new("RGBA", (120, 120)).save(tmp_path / "eel.png")
    new = "```statblock\nname: Eel\nsize: Large\nimage: eel.png\nac: 12\n```"
    old = "```ad-statblock\ntitle: Eel\n![Eel](eel.png#token)\n*Large*\n\n- **Armor Class** 12\n```"
    for source, rest in ((new, ["Armor Class 12"]), (old, ["\u2022", "Armor Class 12"])):
        made = print_note(source, image=lambda _: tmp_path / "eel.png")
        assert problems(made) == []
        assert tagged_text(made)[1:] == ["Eel", "Large", *rest]


@pytest.mark.slow
@pytest.mark.parametrize(
    "task",
    [
        lambda size: parse_chart("xychart-beta\nx-axis [a]\n" + "bar [" * size),
        lambda size: parse_chart("xychart-beta\n" + "x-axis [" * size),
        lambda size: parse_chart('pie\n"a' + " " * size + '"b : 1'),
        lambda size: split_admonition("title: a" + " " * size + "b\n\nx"),
        lambda size: read_stat_block(f"name: x\ntraits:\n  - name: a{'.' * size}b\n    desc: x\n"),
    ],
    ids=["bars", "axes", "slices", "titles", "sentences"],
)
def test_p15_hostile_blocks_take_linear_time(task: Callable[[int], object]) -> None:
    assert growth(task, 16_000) < IN_STEP


EVENTS = "[line-3, body-2]\n+ 1203\n+ Founding\n+ **Aldo** came\n\n+ 1288\n+ Flood\n+"
CHRONOS = "- [1203] Founding\n@ [1280~1288] #red {Fen} Floods | it rises\n# note"
CHART = "type: bar\nlabels: [Str, Dex]\nseries:\n  - title: Ana\n    data: [12, 14]\n  - title: Bo\n    data: [9]"
CARD = "url: https://a.example\ntitle: Eels\ndescription: All of them\nhost: a"


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("block", "words"),
    [
        (f"```timeline\n{EVENTS}\n```", "1203 Founding Aldo came 1288 Flood"),
        ("```timeline-labeled\ndate: 1300\ntitle: War\ncontent:\nBanners rise.\n```", "1300 War Banners rise."),
        ("```timeline\n2023-1-1\nbuild the mill\n```", "2023-1-1 build the mill"),
        (f"```chronos\n{CHRONOS}\n```", "\u2022 1203 Founding \u2022 1280 \u2013 1288 Fen: Floods \u2013 it rises"),
        ("```mermaid\ntimeline\n  title Age\n  1203 : Founding : Fair\n```", "Age \u2022 1203 Founding; Fair"),
        ("`````col\n````col-md\nflexGrow=1\n===\nleft\n````\n````col-md\nright\n````\n`````", "left right"),
        ("```columns\nid: x\n===\nleft\n===\nright\n```", "left right"),
        ("```tabs\ntop\ntab: One\nfirst\ntab: Two\nsecond\n```", "One first Two second"),
        (f"```chart\n{CHART}\n```", "Ana Bo Str 12 9 Dex 14"),
        (f"```cardlink\n{CARD}\n```", "Eels All of them"),
    ],
)
def test_p16_words_in_blocks_of_plugins_are_printed(tmp_path: Path, block: str, words: str) -> None:
    made = print_text(f"{block}\n\nlast", out=tmp_path / "x.pdf")
    assert " ".join(" ".join(tagged_text(made.path)[1:]).split()) == f"{words} last"
    assert (made.remarks, problems(made.path)) == ((), [])


@pytest.mark.parametrize("kind", ["chart", "timeline", "excalidraw", "kanban", "tracker", "toc", "img-gallery"])
def test_p16_blocks_without_words_are_reported(tmp_path: Path, kind: str) -> None:
    made = print_text(f"```{kind}\na;b\n```\n\nlast", out=tmp_path / "x.pdf")
    assert tagged_text(made.path)[1:] == ["last"]
    assert made.remarks == (f"Left out, since only Obsidian can show it: 1 {kind} block.",)


def test_missing_picture_of_a_map_is_named_on_the_sheet(print_note: Print) -> None:
    made = print_note("```leaflet\nid: vale\nimage:\n  - [[gone.png]]\n  - [[lost.png]]\n```")
    words = " ".join(tagged_text(made))
    assert "gone.png): not found in the vault]" in words and "lost.png" in words
    assert "[map: vale]" in words


def test_nested_blocks_of_plugins_end(print_note: Print) -> None:
    fences = ["`" * length for length in range(60, 2, -1)]
    note = "\n".join([*(f"{fence}col" for fence in fences), "deep", *fences[::-1]])
    assert "deep" in " ".join(tagged_text(print_note(note)))
