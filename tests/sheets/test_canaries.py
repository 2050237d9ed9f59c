"""P16: secret words in every place of a note, none of which is anywhere in a players' copy."""

import re
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from tests.counts import short
from tests.sheets.conftest import text_of
from vaultkit.settings import PrintSettings
from vaultkit.sheets.cards.card_sheet import print_set, print_set_pages
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.booklet import print_booklet
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.secrecy import Secrets
from vaultkit.vault import Vault

PLACES = {
    "a callout": "> [!secret] Kanari0\n> Kanari1 [[Kanari2]]\n> ## Kanari3\n> ![Kanari4](kanari5.png)",
    "a callout of another language": "> [!SL]- Kanari0\n> Kanari1",
    "a callout with a title": "> [!note] GM only\n> Kanari0",
    "a callout in a list": "- open\n  > [!gm]\n  > Kanari0",
    "an admonition": (
        "```ad-dm\nKanari0\n```\n\n```ad-note\ntitle: DM notes\nKanari1\n```\n\n```ad-note\nOpen.\n\ngm:: Kanari2\n```"
    ),
    "a block of code": "```gm-notes\nKanari0\n```",
    "a heading": "## GM Notes\n\nKanari0\n\n### Kanari1\n\n- Kanari2\n\n> [!info] Kanari3\n> Kanari4\n\n## Open",
    "a heading below another": (
        "## Rooms\n\n#### For the GM's eyes only\nKanari0\n\n| Kanari1 |\n|---|\n| Kanari2 |\n\n### Open"
    ),
    "a heading with a line below": "DM only\n-------\n\nKanari0",
    "a heading in HTML": "<h2>GM Notes</h2>\n\nKanari0\n\n## Open",
    "a heading in German": "## Nur für den SL: Kanari0\n\nKanari1\n\n## Offen",
    "a bold line": "**Secret**\n\nKanari0\n\n- Kanari1\n\n## Open",
    "a bold line in italics": "***GM Notes***\n\nKanari0\n\n_**Secret:**_\n\nKanari1\n\n## Open",
    "a label for somebody": "_For the DM:_\n\nKanari0\n\n- Für die Spielleitung: Kanari1\n- open",
    "a label": "**GM notes:** Kanari0\nKanari1\n**Looks:** open",
    "a label above a list": "DM notes:\n\n- Kanari0\n\nOpen.",
    "an item": "- open\n- **Secret:** Kanari0\n  - Kanari1\n- also open",
    "a task": "- [ ] GM notes: Kanari0\n- [ ] open",
    "details": "<details><summary>For the <b>GM</b></summary>\n\nKanari0\n\n## Kanari1\n\n</details>\n\nOpen.",
    "details on a line": "<details><summary>Secret</summary>Kanari0 <b>Kanari1</b></details>",
    "a paragraph in HTML": "<p>GM notes: Kanari0</p>",
    "comments": (
        "%% Kanari0 %% open <!-- Kanari1 --> open\n\n<!--\nKanari2\n\nKanari3\n-->\n\n%%\nKanari4\n\nKanari5"
        "\n%%\n\nOpen."
    ),
    "HTML in a comment": (
        "<!-- <details>Kanari0</details> <ul><li>Kanari1</li></ul> <table><tr><td>Kanari2</td></tr></table> -->"
    ),
    "a comment that is never closed": "Open. <!-- Kanari0\n\nKanari1",
    "another comment that is never closed": "Open. %% Kanari0\n\nKanari1",
    "a comment in a quote that is never closed": "> Open. %% Kanari0\n>\n> - Kanari1\n\nKanari2",
    "a field": "dm_notes:: Kanari0\n\n- **GM-only**:: Kanari1",
    "a field in a line": "It is [gm:: Kanari0 [[Kanari1]] and *Kanari2*] open (secret:: Kanari3 (Kanari4)) indeed.",
    "a row": "| Looks | open |\n|---|---|\n| **Secret** | Kanari0 |\n| Age | 7 |",
    "a label in a head": "| **Secret** | Kanari0 |\n|---|---|\n| Looks | open |",
    "a column": "| Name | GM notes | Age |\n|---|---|---|\n| open | Kanari0 | 7 |",
    "a table in HTML": "<table><tr><th>Name</th><th>GM notes</th></tr><tr><td>open</td><td>Kanari0</td></tr></table>",
    "a footnote": "Open.\n\n> [!gm]\n> See[^1] ^[Kanari0]\n\n[^1]: Kanari1",
    "a footnote with a field": "Open[^1].\n\n[^1]: gm:: Kanari0",
    "a stat block": (
        "```statblock\nname: Crab\nac: 9\nsecret: Kanari0\ndm_notes: [Kanari1]\ntraits:\n- name: GM notes"
        "\n  desc: Kanari2\n"
        "- name: Shell\n  desc: Hard.\n  gm_only: Kanari3\nlore: {secrets: Kanari4, age: 7}\n```"
    ),
    "a stat block that cannot be read": "```statblock\nname: [Crab\nsecret: Kanari0\n```",
    "a stat block in words": "```ad-statblock\ntitle: Crab\n**GM notes:** Kanari0\n```",
    "embeds": (
        "![[Plot kanari0]]\n\n![[Lore#GM Notes]]\n\n![[Lore#Deep]]\n\n![[Lore#^deep]]\n\n![[Lore#^bold]]\n"
        "\n![[Lore#^held]]"
    ),
    "links": (
        "See [[Plot kanari0]], [[Lore#Deep]], [[Lore#GM Notes]] and [[#Attic of kanari1]].\n\n> [!dm]\n"
        "> ## Loft of kanari2\n\n[[#Loft of kanari2]] # x\n\n# GM\n## Attic of kanari1"
    ),
    "an embed in a cell": "| a | b |\n|---|---|\n| open | ![[Plot kanari0]] |",
    "a creature": "```statblock\nmonster: Beast\n```",
    "a picture": (
        "![[kanari0.png]] and ![](art/kanari1.png) and ![](https://example.org/kanari2.png)\n\n![[kanari3.png|200]]"
    ),
}
LORE = """Open lore.

## GM Notes

Kanarilore

### Deep

Kanarideep

- Kanariitem ^deep

## Open

**Secret**

Kanaribold ^bold

## Also

> [!gm]
> Kanariheld
>
> - Kanarimore ^held
"""
HEAD = """---
secret: Kanari80
dm_notes: Kanari81
GM Notes: [Kanari82]
gmOnly: Kanari83
Spielleiternotizen: Kanari84
npc: {dm-notes: Kanari85, age: 7}
friends:
  - {name: Ivo, secret: Kanari86}
  - {name: GM notes, text: Kanari87}
mood: "[[Plot kanari0]]"
race: "[[Plot kanari0]]"
---
# The Inn

*See [[Plot kanari0]]*

Warm.

"""
CANARY = re.compile(r"kanari\w*", re.IGNORECASE)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    notes = {"Plot kanari0": "---\ntags: [gm/plots]\n---\n# Kanariplot", "Lore": LORE}
    notes["Beast"] = "---\nstatblock: true\nac: 9\ntraits:\n- name: Secret\n  desc: Kanaribeast\n---\n"
    for name, text in notes.items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    (tmp_path / "Kanaripath" / "Rooms").mkdir(parents=True)
    return Vault(tmp_path)


def strings(item: object, seen: set[tuple[int, int]]) -> Iterator[str]:
    """Yield all strings, names and decompressed streams in an object of a PDF."""
    if isinstance(item, pikepdf.Object) and item.is_indirect:
        if item.objgen in seen:
            return
        seen.add(item.objgen)
    if isinstance(item, pikepdf.String | str):
        yield str(item)
    elif isinstance(item, pikepdf.Stream):
        yield item.read_bytes().decode("latin-1") if item.get("/Subtype") != "/Image" else ""
        yield from (text for part in item.stream_dict.values() for text in strings(part, seen))
    elif isinstance(item, pikepdf.Dictionary):
        yield from (text for part in item.values() for text in strings(part, seen))
    elif isinstance(item, pikepdf.Array):
        yield from (text for part in item for text in strings(part, seen))


def canaries(path: Path) -> list[str]:
    """Return the secret words in a PDF: in its text, tags, outline and all other objects."""
    with pikepdf.open(path) as pdf:
        held = " ".join(text for item in (*pdf.objects, pdf.trailer) for text in strings(item, set()))
    plain = path.read_bytes().decode("latin-1")
    return sorted(set(CANARY.findall(f"{text_of(path)} {held} {plain}")))


def job(vault: Vault, *, hide: bool) -> PrintJob:
    secrets = Secrets(PrintSettings().secrets, hide)
    return PrintJob("a4", vault.root / "out.pdf", vault_name="Campaign", qr=True, secrets=secrets, sources=True)


def write(vault: Vault, place: str) -> Vault:
    (vault.root / "Kanaripath" / "Rooms" / "Inn.md").write_text(f"{HEAD}{PLACES[place]}\n\nAir.\n", "utf-8")
    return Vault(vault.root)


def check(made: PrintedFile, place: str) -> None:
    words = text_of(made.path)
    assert canaries(made.path) == []
    assert "The Inn" in words and "players' copy" in words
    assert "open" not in PLACES[place].lower() or "open" in words.lower()


@pytest.mark.short(2)
@pytest.mark.parametrize("place", short(PLACES, 20))
def test_p16_no_word_of_the_game_master_is_on_a_sheet_for_players(vault: Vault, place: str) -> None:
    own = write(vault, place)
    check(print_rules(own.read("Kanaripath/Rooms/Inn.md"), own, job(own, hide=True)), place)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_p16_no_word_of_the_game_master_is_in_a_booklet_or_on_a_card(vault: Vault, place: str) -> None:
    own = write(vault, place)
    wanted = job(own, hide=True)
    for made in print_booklet([own.read("Kanaripath/Rooms/Inn.md")], own, "a5", wanted):
        check(made, place)
    cards = note_set(own, "Kanaripath/Rooms", vault_name="Campaign", secrets=wanted.secrets)
    check(print_set(cards, own, wanted), place)
    check(print_set_pages(cards, wanted), place)


@pytest.mark.slow
def test_p16_all_secret_words_are_in_the_copy_of_the_game_master(vault: Vault) -> None:
    seen = {"a picture", "links", "an embed in a cell", "a footnote"}
    for place, text in PLACES.items():
        if place in seen or "comment" in place:
            continue
        own = write(vault, place)
        made = print_rules(own.read("Kanaripath/Rooms/Inn.md"), own, job(own, hide=False))
        wanted = {word.lower() for word in CANARY.findall(text)} - {"kanari5"}
        assert wanted <= {word.lower() for word in canaries(made.path)}, place
