"""Packets: one file for one game."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems
from vaultkit.compendium import Compendium
from vaultkit.games.definition import Layout
from vaultkit.resources import shipped_folder
from vaultkit.sheets.packet import Packet, print_packet
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.reference_sheet import ReferenceCards
from vaultkit.sheets.secrecy import Secrets
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault


def packet_of(root: Path) -> tuple[Packet, Vault]:
    vault = Vault(root)
    compendium = Compendium(vault)
    deck = compendium.deck_of_kind("tarokka", "prophets-gambit")
    rules = compendium.rule_note("prophets-gambit", ("Prophet's Gambit",))
    return Packet(ReferenceCards("prophets-gambit", deck, rules, vault), "Prophet's Gambit"), vault


@pytest.fixture(scope="module")
def packet() -> Packet:
    return packet_of(shipped_folder("vault-example"))[0]


@pytest.fixture(scope="module")
def made_packet(packet: Packet, tmp_path_factory: pytest.TempPathFactory) -> PrintedFile:
    out = tmp_path_factory.mktemp("packet") / "p.pdf"
    return print_packet(packet, PrintJob("a4", out, Theme(packet.reference.vault.root)))


@pytest.mark.slow
def test_parts_are_in_order_with_the_pages_named_in_the_contents(made_packet: PrintedFile) -> None:
    assert made_packet.sheets == ("Prophet's Gambit", "Score sheet", "Player aids", "Cards with a rule")
    reader = PdfReader(made_packet.path)
    contents = " ".join(reader.pages[0].extract_text().split())
    top = [item for item in reader.outline if not isinstance(item, list)]
    begins = {str(item.title): (reader.get_destination_page_number(item) or 0) + 1 for item in top}
    assert list(begins) == ["Contents", *made_packet.sheets]
    assert list(begins.values()) == sorted(begins.values())
    assert all(f"{title} {begins[title]}" in contents for title in made_packet.sheets)


@pytest.mark.slow
def test_reference_cards_and_cards_share_their_sheets(made_packet: PrintedFile) -> None:
    reader = PdfReader(made_packet.path)
    begins = {}
    for item in reader.outline:
        if not isinstance(item, list):
            begins[item.title] = reader.get_destination_page_number(item) or 0
    assert begins["Cards with a rule"] < begins["Player aids"] + 1 + len(aids_of(reader)) / 9
    assert reader.pages[begins["Cards with a rule"]].extract_text().count("Prophet's Gambit") > 1


def aids_of(reader: PdfReader) -> list[object]:
    """Return the bookmarks of the player aids."""
    at = next(n for n, item in enumerate(reader.outline) if getattr(item, "title", "") == "Player aids")
    cards = reader.outline[at + 1]
    assert isinstance(cards, list)
    return cards


@pytest.mark.parametrize(
    ("usual", "sheets", "expected"),
    [
        ("one", None, ("one", ("Ysolde", "Bram"))),
        ("party", None, ("party", ())),
        ("party", 1, ("one", ("Ysolde",))),
        ("party", 3, ("one", ("Ysolde", "Bram", ""))),
    ],
)
def test_each_player_has_a_score_sheet(
    packet: Packet, usual: Layout, sheets: int | None, expected: tuple[Layout, tuple[str, ...]]
) -> None:
    assert replace(packet, players=("Ysolde", "Bram"), sheets=sheets).sheets_for(usual) == expected


@pytest.mark.slow
def test_score_sheets_are_printed_in_the_requested_number(packet: Packet, tmp_path: Path) -> None:
    job = PrintJob("a4", tmp_path / "p.pdf", Theme(packet.reference.vault.root))
    made = print_packet(replace(packet, players=("Ysolde", "Bram"), sheets=3), job)
    fields = PdfReader(made.path).get_fields() or {}
    assert [fields[f"p{n}.player"]["/V"] for n in (1, 2, 3)] == ["Ysolde", "Bram", ""]
    assert (made.sheets[1], problems(made.path)) == ("Score sheets", [])
    none = print_packet(replace(packet, sheets=0), job)
    assert not PdfReader(none.path).get_fields()
    assert none.sheets == ("Prophet's Gambit", "Player aids", "Cards with a rule")


@pytest.mark.slow
def test_pages_are_numbered_consecutively(made_packet: PrintedFile) -> None:
    for number, page in enumerate(PdfReader(made_packet.path).pages, 1):
        assert page.extract_text().split()[-1] == str(number)


@pytest.mark.slow
def test_page_number_does_not_overlap_that_of_the_score_sheets(made_packet: PrintedFile) -> None:
    reader = PdfReader(made_packet.path)
    score = next(item for item in reader.outline if not isinstance(item, list) and item.title == "Score sheet")
    place = reader.get_destination_page_number(score) or 0
    page = reader.pages[place]
    spots: dict[str, float] = {}
    page.extract_text(visitor_text=lambda text, cm, tm, _f, _s: spots.update({text.strip(): cm[4] + tm[4]}))
    number = spots[str(place + 1)]
    assert abs(number - float(page.mediabox.width) / 2) < 10


@pytest.mark.slow
def test_p6_structure_of_the_whole_packet(made_packet: PrintedFile) -> None:
    assert problems(made_packet.path) == []


@pytest.mark.slow
def test_a_vault_without_the_rules_gets_the_rest_and_a_remark(packet: Packet, tmp_path: Path) -> None:
    bare = replace(packet, reference=replace(packet.reference, rules=None))
    made = print_packet(bare, PrintJob("letter", tmp_path / "p.pdf", Theme(packet.reference.vault.root)))
    assert made.sheets == ("Score sheet", "Player aids", "Cards with a rule")
    assert "vaultkit init --with prophets-gambit" in made.remarks[-1]


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [False, True])
def test_p16_a_packet_for_players_holds_no_secret_of_a_card(tmp_path: Path, *, hidden: bool) -> None:
    shutil.copytree(shipped_folder("vault-example"), tmp_path / "vault")
    file = next((tmp_path / "vault").rglob("tarokka-deck-cos.md"))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("\nBlack wings on", "\n> [!secret]\n> Qwertz.\n\nBlack wings on"), encoding="utf-8")

    def words() -> tuple[tuple[str, ...], str]:
        game, vault = packet_of(tmp_path / "vault")
        theme = Theme(vault.root)
        job = PrintJob("a4", tmp_path / "p.pdf", theme, secrets=Secrets(("secret", "gm"), hidden))
        made = print_packet(game, job)
        return made.sheets, text_of(made.path)

    sheets, printed = words()
    assert "Cards with a rule" in sheets and "Black wings" in printed and ("Qwertz" in printed) is not hidden
    file.write_text(text.replace("tags:\n", "tags:\n- gm\n", 1), encoding="utf-8")
    assert ("Cards with a rule" in words()[0]) is not hidden


@pytest.mark.slow
def test_p5_no_rule_is_printed_twice_and_players_see_no_paths(tmp_path: Path) -> None:
    vault = Vault(shipped_folder("vault-example"))
    compendium = Compendium(vault)
    deck, rules = compendium.deck_of_kind("tarokka", "dragon-citadel"), compendium.rule_note("dragon-citadel", ())
    players = ("Ysolde", "Bram", "Sefa", "Odo", "Nettle")
    contents = Packet(ReferenceCards("dragon-citadel", deck, rules, vault), "Dragon Citadel", players)
    made = print_packet(contents, PrintJob("a4", tmp_path / "p.pdf", Theme(vault.root)))
    words = text_of(made.path)
    for rule in ("answers any card and beats it.", "Counted at the end, never added.", "Fill it in once"):
        assert words.count(rule) <= 1
    assert "13 cards: Artifact, Beast" in words and "4 cards: Warrior, " in words
    assert ".md" not in words and "Notes of the vault named here" not in words
    assert "For Ysolde, Bram, Sefa, Odo and Nettle" in text_of(made.path)
