"""P5: every word of a note is on its card, unless it says nothing to a reader."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.sheets.conftest import text_of
from vaultkit.resources import shipped_folder
from vaultkit.sheets.cards.card_sheet import print_set, print_set_pages
from vaultkit.sheets.cards.deck_layout import DeckLayout
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.text import format_count
from vaultkit.vault import Note, Vault

VAULTS = Path(__file__).parents[2] / "vaults"
_UNSEEN = re.compile(
    r"%%.*?%%|^[`~]{3,}.*$|!\[[^\]]*\]\([^)]*\)|!\[\[[^\]]*\]\]|\]\([^)]*\)|\[![^\]]*\]|!!int", re.DOTALL | re.MULTILINE
)
_KEY = re.compile(
    r"""^\s*(?:- )?["']?(?!(?:name|desc)\b)[\w-]+["']?:|^\s*(?:- )?["']?(?:name|desc)["']?:|^title:.*$""", re.MULTILINE
)
_SOURCE = re.compile(r"^\*?Sources?:.*(?:\n(?!\n).*)*$|(?:\s#[\w/-]+)+$", re.MULTILINE)
"""A line that only says where a note comes from, and tags at the end of a line, which a card leaves out."""
_ASKING = re.compile(r"`(?:BUTTON|INPUT|VIEW)\[[^`]*`")


def words_of(note: Note) -> Counter[str]:
    """Return the words that a reader of the note sees, found without our Markdown parser."""
    text = _SOURCE.sub("", re.sub(r"\[\[([^\]|]*\|)?([^\]]*)\]\]", r"\2", note.body))
    text = re.sub(r"^\^[\w-]+\s*$|\s\^[\w-]+$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`dice:([^|`]*)\|[^`]*avg`(?= \(`?\1`?\))", "", text)  # the average of what follows
    text = re.sub(r"`dice:(?:[^`]*\|text\(([^`]*?)\)|([^|`]*)[^`]*)`", r"\1\2", text).replace("[x]", "")
    text = _ASKING.sub("", text)
    parts = re.split(r"^([`~]{3,}(?:ad-)?statblock.*?^[`~]{3,})", text, flags=re.MULTILINE | re.DOTALL)
    seen = [_KEY.sub("", part) if "statblock" in part[:20] else part for part in parts]
    return Counter(re.findall(r"\w+", _UNSEEN.sub(" ", "\n".join(seen)).replace("\\\n", " ").casefold()))


@pytest.mark.slow
@pytest.mark.parametrize("size", ["poker", "tarot"])
@pytest.mark.parametrize(
    ("vault", "folder"),
    [
        ("vault-example", "3-Mechanics/CLI/items"),
        ("vault-example", "People"),
        ("converter", "items"),
        ("converter", "spells"),
        ("converter", "bestiary"),
        ("plugins", "NPCs"),
    ],
)
def test_p5_every_word_of_every_note_is_on_a_card(vault: str, folder: str, size: str, tmp_path: Path) -> None:
    root = shipped_folder(vault) if vault == "vault-example" else VAULTS / vault
    own = Vault(Path(shutil.copytree(root, tmp_path / "vault")))
    before = {path: own.file(path).read_bytes() for path in own.note_paths}
    made = note_set(own, folder)
    asking = sum(len(_ASKING.findall(own.read(path).text)) for path in own.note_paths if f"/{folder}/" in f"/{path}")
    assert f"show it: {format_count(asking, 'inline formula')}." in " ".join(made.remarks) or not asking
    job = PrintJob("a4", tmp_path / "cards.pdf")
    for path in (print_set(made, own, job, DeckLayout(size)).path, print_set_pages(made, job, size).path):
        printed = Counter(re.findall(r"\w+", text_of(path).casefold()))
        wanted: Counter[str] = Counter()
        for note in map(own.read, own.note_paths):
            listed = f"{note.path}," in " ".join(made.remarks).replace(".md.", ".md,")
            if f"/{folder}/" in f"/{note.path}" and not listed:
                wanted += words_of(note)
        assert wanted - printed == Counter()
    assert {path: own.file(path).read_bytes() for path in own.note_paths} == before


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("## Looks\n\n### Face\nA scar.\n\n## Past\n", ["Heading Looks", "Heading Face", "Paragraph A scar."]),
        (
            "## Basics\n**Age:** 7\n**Home:** Ash\n\n## Past\nLong.",
            ["Strip Age7HomeAsh", "Heading Past", "Paragraph Long."],
        ),
        ("**Wants:**\n- a boat", ["Paragraph Wants:", "List a boat"]),
        ("**Age:**\n**Home:** Ash", ["Strip HomeAsh"]),
        ("One of [[Ash]] #npc\nand two #pirate ships. #x/y #z", ["Paragraph One of Ash and two pirate ships."]),
        ("| A | B |\n|---|---|\n| | |\n| ? | TBD |\n\nYes.", ["Paragraph Yes."]),
        ("- \n- TODO\n- [[Ash]]\n", ["List Ash"]),
        (
            "(age:: 7) (home:: Ash)\n\nIt is (very:: old) now.",
            ["Strip Age7HomeAsh", "Paragraph It is (very:: old) now."],
        ),
        ("***\n\nYes.\n\n---\n\n---\n\nNo.\n\n***", ["Paragraph Yes.", "Rule ", "Paragraph No."]),
        ("---\nlicense: CC\ncategory: N\n---\n\ufeff# INN\n\nA house.", ["Paragraph A house."]),
        (
            "It burns.\n\n## Sources\nAsh Lore, p. 4\n### More\nAsh.\n\n## End\nNo.",
            ["Paragraph It burns.", "Heading End", "Paragraph No."],
        ),
        ("---\nWandWood: Ash\nAllies: [NONE]\n---\nYes.", ["Strip WandWoodAsh", "Paragraph Yes."]),
        ("| Age | HP |\n|---|---|\n| `=this.age` | `=this.hp` |\n\nYes.", ["Paragraph Yes."]),
        ("**HP:** 8 | **Stress:** 3\n\nYes.", ["Strip HP8Stress3", "Paragraph Yes."]),
        (
            "*Tier 1*\n\nA worm.\n\n> **HP:** 8 | **Stress:** 3\n> **ATK:** +3 | near\n\n> **Note:** it digs",
            ["Strip HP8Stress3ATK+3 | near", "Paragraph A worm.", "BlockQuote Note: it digs"],
        ),
    ],
)
def test_p5_only_empty_content_is_left_out(tmp_path: Path, text: str, blocks: list[str]) -> None:
    (tmp_path / "N").mkdir()
    (tmp_path / "N" / "Inn.md").write_text(text, "utf-8")
    (card,) = note_set(Vault(tmp_path), "N").cards
    assert [f"{node.kind} {' '.join(node.words().split())}" for node in card.syntax_tree().children] == blocks


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("---\nlocation: N\ntype: n\n---\nA.", ["Strip LocationN", "Paragraph A."]),
        ("---\nlicense plate: KX-4\nlicence: Guild of Thieves\n---\nA.",
         ["Strip License plateKX-4LicenceGuild of Thieves", "Paragraph A."]),
        ("---\nsource: Ash Lore\nlicense: CC BY 4.0\nbook: Ash\ncreated_at: 2025-01-02\npage: 12\n---\nA.",
         ["Paragraph A."]),
        ("---\nedited: by the lich\nbook: Necronomicon\n---\nA.",
         ["Strip Editedby the lichBookNecronomicon", "Paragraph A."]),
        ("---\nsource: '[[Salt Spring]]'\n---\nA.", ["Strip SourceSalt Spring", "Paragraph A."]),
        ("A.\n\n## Credits\nShe has 300 credits.\n\n## Sources\n- the spring\n- the mill",
         ["Paragraph A.", "Heading Credits", "Paragraph She has 300 credits.", "Heading Sources",
          "List the springthe mill"]),
        ("A.\n\n## Credits\nMap by Ann Ash.\n\n## License\n[Terms](https://example.org/terms)", ["Paragraph A."]),
        ("A.\n\n## Fuentes\n- Manual, pág. 12\n\n## Fin\nB.", ["Paragraph A.", "Heading Fin", "Paragraph B."]),
        ("A.\n\n## Źródła\nKsięga Potworów, s. 12", ["Paragraph A."]),
        ("A.\n\nFuente: Manual, p. 3\n\n*Źródło: nasz stół*", ["Paragraph A."]),
        ("A.\n\nSource: the lava below the temple\n\nQuelle: ein Bach\n\nB.\nSource: home", [
            "Paragraph A.", "Paragraph Source: the lava below the temple", "Paragraph Quelle: ein Bach",
            "Paragraph B."]),
        ("> [!infobox] A\n> | Stat | |\n> |--|--|\n> | Source | Home brew |\n> | Age | 7 |\n\nA.",
         ["Strip Age7", "Heading A", "Paragraph A."]),
        ("**Waffen:** keine\n**Alliés:** aucune\n**Aliados:** Ninguno\n**Wrogowie:** żadne\n"
         "**Owner:** Brak\n\nThe end.",
         ["Strip OwnerBrak", "Paragraph The end."]),
        ("---\nlang: pl\n---\n**Broń:** brak\n**Wiek:** 7\n\nOto on.", ["Strip Wiek7", "Paragraph Oto on."]),
        ("**Waffe:** nichts\n**Alter:** 7\n\nDas ist der Wirt, und er ist nicht da.",
         ["Strip Alter7", "Paragraph Das ist der Wirt, und er ist nicht da."]),
    ],
)  # fmt: skip
def test_only_what_cites_is_a_record_of_where_a_note_comes_from(tmp_path: Path, text: str, blocks: list[str]) -> None:
    test_p5_only_empty_content_is_left_out(tmp_path, text, blocks)
