"""One file for one game."""

from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.lint import problems
from vaultkit.compendium import Compendium
from vaultkit.look.theme import Theme
from vaultkit.resources import shipped
from vaultkit.sheets.packet import Packet, print_packet
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.reference.reference_sheet import ReferenceCards
from vaultkit.vault import Vault


@pytest.fixture(scope="module")
def packet() -> Packet:
    vault = Vault(shipped("vault-example"))
    compendium = Compendium(vault)
    deck = compendium.deck_of_kind("tarokka", "prophets-gambit")
    rules = compendium.rule_note("prophets-gambit", ("Prophet's Gambit",))
    return Packet(ReferenceCards("prophets-gambit", deck, rules, vault), "Prophet's Gambit")


@pytest.fixture(scope="module")
def made(packet: Packet, tmp_path_factory: pytest.TempPathFactory) -> PrintedFile:
    out = tmp_path_factory.mktemp("packet") / "p.pdf"
    return print_packet(packet, PrintJob("a4", out, Theme(packet.reference.vault.root)))


@pytest.mark.slow
def test_parts_come_in_order_with_the_pages_that_the_contents_name(made: PrintedFile) -> None:
    assert made.sheets == ("Prophet's Gambit", "Player aids", "Score sheet", "Cards with a rule")
    reader = PdfReader(made.path)
    contents = " ".join(reader.pages[0].extract_text().split())
    top = [item for item in reader.outline if not isinstance(item, list)]
    begins = {str(item.title): (reader.get_destination_page_number(item) or 0) + 1 for item in top}
    assert list(begins) == ["Contents", *made.sheets]
    assert list(begins.values()) == sorted(begins.values())
    assert all(f"{title} {begins[title]}" in contents for title in made.sheets)


def test_pages_are_numbered_through(made: PrintedFile) -> None:
    for number, page in enumerate(PdfReader(made.path).pages, 1):
        assert page.extract_text().split()[-1] == str(number)


def test_the_page_number_stands_clear_of_the_score_sheets_own(made: PrintedFile) -> None:
    reader = PdfReader(made.path)
    score = next(item for item in reader.outline if not isinstance(item, list) and item.title == "Score sheet")
    place = reader.get_destination_page_number(score) or 0
    page = reader.pages[place]
    spots: dict[str, float] = {}
    page.extract_text(visitor_text=lambda text, cm, tm, _f, _s: spots.update({text.strip(): cm[4] + tm[4]}))
    number = spots[str(place + 1)]
    assert abs(number - float(page.mediabox.width) / 2) < 10


def test_p6_structure_of_the_whole(made: PrintedFile) -> None:
    assert problems(made.path) == []


@pytest.mark.slow
def test_a_vault_without_the_rules_gets_the_rest_and_a_remark(packet: Packet, tmp_path: Path) -> None:
    bare = replace(packet, reference=replace(packet.reference, rules=None))
    made = print_packet(bare, PrintJob("letter", tmp_path / "p.pdf", Theme(packet.reference.vault.root)))
    assert made.sheets == ("Player aids", "Score sheet", "Cards with a rule")
    assert "vaultkit init --with prophets-gambit" in made.remarks[-1]
