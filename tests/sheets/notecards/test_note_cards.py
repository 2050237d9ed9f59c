"""Notes become cards: their lines, pictures, statblocks and kinds, and what is reported as missing."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.wording import Says
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.cards.card_sheet import print_set, print_set_pages
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.notecards.kinds import kind_of, load_kinds
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.secrecy import Secrets
from vaultkit.sheets.text.stat_block import read_stat_block
from vaultkit.vault import Note, Vault

LANTERN = """---
tags: [loot]
type: item
cost: 25 gp
owner: "[[Ivo]]"
image: art/lantern.png
created: 2026-01-01
---
# [[Lantern|The *Brass* Lantern]]
*Lamp, uncommon (requires attunement)*

- **Weight**: 2 lb.
- **Charges:** 3

It burns `dice:1d4|avg` hours. ![[lantern.png|100]] ![Map](https://example.org/map.png)

*Source: Our Cellar p. 4*

The last word.
"""
DRAKE = """# Ash Drake

```statblock
name: Ash Drake
size: Huge
type: dragon
alignment: any
ac: 18
ac_class: natural armour
hp: 90
stats: [20, 9, 15, 7, 10, 12]
saves:
  - dexterity: 3
mood: sulking
traits:
  - name: Cinders
    desc: ["It smoulders.", "Always."]
legendary_description: It may act out of turn.
legendary_actions:
  - name: Cough
    desc: Soot for all.
    cost: 2
```
"""


QUILL = """size: Tiny
HP: 3
modifier: 2
traits:
  - name: Nib
    desc: Sharp.
"""


@pytest.fixture
def cellar(tmp_path: Path) -> Vault:
    (tmp_path / "Cellar" / "art").mkdir(parents=True)
    Image.new("RGB", (300, 200), "teal").save(tmp_path / "Cellar" / "art" / "lantern.png")
    for name, text in (("Lantern", LANTERN), ("Drake", DRAKE), ("Cellar", "# Cellar\n\n- [[Lantern]]\n")):
        (tmp_path / "Cellar" / f"{name}.md").write_text(text, encoding="utf-8")
    return Vault(tmp_path)


def card(vault: Vault, title: str) -> PrintableCard:
    return next(card for card in note_set(vault, "cellar").cards if card.title == title)


def job(vault: Vault) -> PrintJob:
    return PrintJob("a4", vault.root / "cards.pdf")


def test_item_card_has_its_line_facts_and_picture_and_the_note_is_unchanged(cellar: Vault) -> None:
    found = card(cellar, "The Brass Lantern")
    assert found.kicker == "Lamp, uncommon (requires attunement)"
    assert found.image is not None
    assert found.image.name == "lantern.png"
    assert [(node.kind, node.words().strip()) for node in found.syntax_tree().children] == [
        ("Strip", "Cost25 gpWeight2 lb.Charges3OwnerIvo"),
        ("Paragraph", "It burns dice:1d4|avg hours."),
        ("Paragraph", "The last word."),
    ]
    assert (cellar.root / "Cellar" / "Lantern.md").read_text(encoding="utf-8") == LANTERN


@pytest.mark.slow
def test_statblock_is_printed_as_one_and_loses_no_key(cellar: Vault) -> None:
    found = card(cellar, "Ash Drake")
    assert found.kicker == "Huge dragon, any"
    assert found.frame is not None
    assert found.frame.layout == "bar"
    words = text_of(print_set_pages(replace(note_set(cellar, "Cellar"), cards=(found,)), job(cellar), "tarot").path)
    assert words == (
        "Ash Drake Huge dragon, any Armor Class 18 (natural armour) Hit Points 90 Hit Points STR DEX CON INT WIS CHA "
        "20 (+5) 9 (-1) 15 (+2) 7 (-2) 10 (+0) 12 (+1) Saving Throws Dexterity +3 Cinders. It smoulders. Always. "
        "Legendary Actions It may act out of turn. Cough. Soot for all. (Cost 2) Mood sulking Cellar"
    )


@pytest.mark.slow
def test_properties_marked_as_stat_block_are_printed_on_cards_and_sheets(cellar: Vault) -> None:
    text = f"---\nstatblock: true\n{QUILL}mood: calm\n---\nIt *hops*."
    (cellar.root / "Quill.md").write_text(text, encoding="utf-8")
    (cellar.root / "Den.md").write_text("![[Quill]]", encoding="utf-8")
    block = "Hit Points 3 Initiative +2{} Nib. Sharp. It hops."
    for name in ("Quill", "Den"):
        assert f"Tiny {block.format('')}" in text_of(print_rules(cellar.read(f"{name}.md"), cellar, job(cellar)).path)
    assert kind_of(cellar.read("Quill.md"), load_kinds(None)).name == "monster"
    (cellar.root / "Cellar" / "Quill.md").write_text(text, encoding="utf-8")
    made = note_set(Vault(cellar.root), "Cellar", selection="Quill")
    assert (
        text_of(print_set_pages(made, job(cellar)).path) == f"Quill Tiny Mood calm {block.format(' Hit Points')} Cellar"
    )


def test_content_only_obsidian_can_show_is_left_out_with_one_remark(cellar: Vault) -> None:
    (cellar.root / "Cellar" / "Button.md").write_text(
        "Is `VIEW[{hp}]`, `BUTTON[go]`.\n\n```dataview\nLIST\n```\n", "utf-8"
    )
    made = note_set(cellar, "Cellar", selection="Button")
    kinds = "2 inline formulas and 1 dataview block"
    assert f"Left out, since only Obsidian can show it: {kinds}." in made.remarks
    assert text_of(print_set_pages(made, job(cellar)).path) == "Button Is , . Cellar"


@pytest.mark.parametrize("yaml", ["name: [unclosed", "just words", "---\nname: x\n---\nmore: 1", ""])
def test_unreadable_statblock_is_not_printed_as_one(yaml: str) -> None:
    assert read_stat_block(yaml) is None


def test_omitted_content_is_reported(cellar: Vault) -> None:
    told = " ".join(note_set(cellar, "Cellar").remarks)
    assert "The Brass Lantern (https://example.org/map.png)" in told
    assert told == Says("since", "folder", "Cellar/Cellar.md")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("---\ncssclasses: [json5e-spell]\ntags: [item]\n---\n", "spell"),
        ("---\ntype: Creature\ntags: [item]\n---\n", "monster"),
        ("Met in the rain. #npc/ally\n", "person"),
        ("# X\n\n~~~ad-statblock\n~~~\n", "monster"),
        ("# A thought\n", "plain"),
        ("# Shop\n\n## Owner\n\n```statblock\nname: Linene Grey\n```\n", "place"),
        ("# Linene\n\n## Owner\n\n```statblock\nname: Linene Grey\n```\n", "monster"),
    ],
)
def test_the_kind_of_a_note(text: str, kind: str) -> None:
    folder = "02_Towns/" if kind == "place" else ""
    assert kind_of(Note(f"{folder}a.md", text.encode()), load_kinds(None)).name == kind


@pytest.mark.short(9)
@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("Bo", "Bo", "monster"), ("Bo Ironfoot", "Bo", "monster"), ("竜の巣", "竜", "monster"),
        ("赤竜", "青竜", "place"),
        ("Логово", "Змей", "place"), ("Змей Горыныч", "Змей", "monster"), ("ड्रैगन की गुफा", "ड्रैगन", "monster"),
        ("The Cave", "The Bandit", "place"), ("Turm von Aal", "Ritter von Ost", "place"), ("L'Île", "L'Ogre", "place"),
        ("Der Turm", "Der Wirt", "place"), ("Will Ash", "Will", "monster"), ("Sam Vimes", "Captain Sam", "monster"),
        ("ash drake lair", "Ash Drake", "monster"), ("Room 1", "Guard 1", "place"), ("Ann's Inn", "Bo's Dog", "place"),
        ("Lady of the Lake", "Lord of the Rings", "place"), ("Den", '""', "monster"),
        ("Torre del Sol", "Guardia del Rey", "place"),
        ("Inn", "[[Ash Drake|Drake]]", "place"),
    ],
)  # fmt: skip
def test_a_code_block_below_a_heading_tells_the_kind_if_it_has_the_name_of_its_note(
    path: str, name: str, kind: str
) -> None:
    words = "Der Wirt ist nicht da." if path.startswith("Der") else "The host is not there."
    text = f"# {path}\n\n{words}\n\n## More\n\n```statblock\nname: {name}\n```\n"
    assert kind_of(Note(f"Towns/{path}.md", text.encode()), load_kinds(None)).name == kind


def test_kind_of_the_vault_is_preferred(cellar: Vault) -> None:
    own = cellar.root / ".vaultkit" / "print" / "notecards"
    own.mkdir(parents=True)
    (own / "loot.toml").write_text('frame = "full"\ntypes = ["item"]\n', encoding="utf-8")
    (own / "item.toml").write_text('frame = "full"\n', encoding="utf-8")
    found = card(cellar, "The Brass Lantern")
    assert found.frame is not None
    assert found.frame.layout == "full"
    (own / "loot.toml").write_text('emblem = "fire"\n', encoding="utf-8")
    with pytest.raises(InvalidError, match="'frame' is missing"):
        note_set(cellar, "Cellar")


@pytest.mark.parametrize(("strict", "lines"), [("false", ["Ash and", "oak."]), ("true", ["Ash and oak."])])
def test_s8_a_single_newline_is_a_line_break_on_a_card_as_in_obsidian(
    tmp_path: Path, strict: str, lines: list[str]
) -> None:
    for name, text in ((".obsidian/app.json", f'{{"strictLineBreaks": {strict}}}'), ("Wood/Log.md", "Ash and\noak.\n")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = print_set_pages(note_set(Vault(tmp_path), "Wood"), PrintJob("a4", tmp_path / "log.pdf"))
    seen = [line.strip() for line in PdfReader(made.path).pages[0].extract_text().splitlines()]
    assert [line for line in seen if line in {"Ash and", "oak.", "Ash and oak."}] == lines


@pytest.mark.parametrize(
    ("folder", "tag", "message", "hint"),
    [
        ("Celler", "", "There is no folder 'Celler'", "Did you mean 'Cellar'?"),
        ("Cellar/art", "", "There are no notes in the folder", ""),
        ("", "lot", "No note has the tag '#lot'", "Did you mean '#loot'?"),
        ("Cellar/art", "loot", "There are no notes in the folder", ""),
    ],
)
def test_missing_folder_or_tag_is_reported(cellar: Vault, folder: str, tag: str, message: str, hint: str) -> None:
    with pytest.raises(NothingFound, match=message) as missing:
        note_set(cellar, folder, tag)
    assert hint in (missing.value.hint or "")


def test_p16_a_card_has_the_notes_and_the_creatures_that_its_note_names(tmp_path: Path) -> None:
    (tmp_path / "M").mkdir()
    (tmp_path / "M" / "Inn.md").write_text(
        "# Inn\n\n![[Lore#Rooms]]\n\n![[Plot]]\n\n```statblock\nmonster: Drake\n```\n"
    )
    (tmp_path / "Drake.md").write_text("# Drake\n\n```statblock\nname: Drake\nac: 18\n```\n")
    (tmp_path / "Lore.md").write_text("# Lore\n\n## Rooms\n\nCold ones.\n\n## Cellar\n\nNone.\n")
    (tmp_path / "Plot.md").write_text("---\ntags: [gm]\n---\nThe host did it.\n")
    vault = Vault(tmp_path)
    for hidden, words in ((False, "The host did it. Drake"), (True, "Drake")):
        cards = note_set(vault, "M", secrets=Secrets(("gm",), hidden))
        printed = print_set(cards, vault, PrintJob("a4", tmp_path / "m.pdf"))
        assert f"Rooms Cold ones. {words} Armor Class 18" in text_of(printed.path)
        assert [remark for remark in printed.remarks if "1 secret" in remark]


def test_a_note_without_words_is_a_card_with_its_title(tmp_path: Path) -> None:
    (tmp_path / "N").mkdir()
    (tmp_path / "N" / "Needle.md").write_text("## Looks\n", "utf-8")
    made = print_set(note_set(Vault(tmp_path), "N"), Vault(tmp_path), PrintJob("a4", tmp_path / "n.pdf"))
    assert made.sheets == ("Needle",)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("N/_NPC Template.md", "A."), ("N/Templates/Person.md", "A."), ("N/Person.md", "# <% tp.file.title %>"),
        ("N/Person.md", "# {{title}}"), ("N/Person.md", "A. #template"), ("N/Vorlage.md", "A."),
        ("N/T/Person.md", "A."),
    ],
)  # fmt: skip
def test_templates_are_not_printed_as_cards(tmp_path: Path, path: str, text: str) -> None:
    for name, words in (("N/Wilma.md", "B."), (path, text), (".obsidian/templates.json", '{"folder": "N/T"}')):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(words, "utf-8")
    made = note_set(Vault(tmp_path), "N")
    assert [card.title for card in made.cards] == ["Wilma"]
    assert f"Left out, since each is a template: {path}." in made.remarks
