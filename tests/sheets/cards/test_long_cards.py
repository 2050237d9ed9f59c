"""Cards with more words than cards have room for: they are left out, and the others are printed."""

from pathlib import Path

import pytest

from tests.sheets.conftest import text_of
from tests.wording import Says
from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.card_sheet import card_pages, card_sheet, print_set
from vaultkit.sheets.cards.print_card import PrintableCard, load_frame
from vaultkit.sheets.export.service_pages import service_pages
from vaultkit.sheets.export.vendor import load_vendor
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.prep import print_prep
from vaultkit.theme.back_design import load_back
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault

SENTENCE = "A sentence about the raven that goes on for a while. "
FRAMES = ["classic", "full", "plain", "portrait"]


def make_cards(frame: str, **texts: str) -> list[PrintableCard]:
    design = load_frame(frame, None)
    return [PrintableCard(title, text_markdown=text, frame=design) for title, text in texts.items()]


@pytest.mark.short(1)
@pytest.mark.parametrize("frame", ["classic", "portrait"])
def test_card_without_room_for_its_words_is_left_out_with_a_remark(tmp_path: Path, frame: str) -> None:
    cards = make_cards(frame, Raven="Black wings.", Tome=SENTENCE * 1500, Seer="She knows.")
    printed = card_sheet(cards, "Deck", PrintJob("a4", tmp_path / "deck.pdf"))
    assert printed.sheets == ("Raven", "Seer")
    words = text_of(printed.path)
    assert "Black wings" in words and "She knows" in words and "goes on" not in words
    (remark,) = printed.remarks
    assert remark == Says("Left out", "not fit", "Tome.")


@pytest.mark.slow
def test_every_way_to_print_cards_leaves_out_long_ones(tmp_path: Path) -> None:
    cards = make_cards("classic", Raven="Black wings.", Tome=SENTENCE * 1500)
    job = PrintJob("a4", tmp_path / "deck.pdf")
    pages = card_pages(cards, "Deck", job)
    service = service_pages(
        cards, load_back("classic", None), load_vendor("makeplayingcards", None), title="D", theme=Theme()
    )
    assert pages.sheets == ("Raven",) and [title for _, title in service.fronts] == ["Raven"]
    assert all(any("Tome" in remark for remark in made.remarks) for made in (pages, service))
    with pytest.raises(InvalidError, match="Tome"):
        card_sheet(cards[1:], "Deck", job)


@pytest.mark.slow
def test_long_note_is_left_out_of_a_deck_and_of_a_preparation(tmp_path: Path) -> None:
    stat_block = "```statblock\nname: {}\nac: 13\n```\n\n"
    notes = {
        "Beasts/Wolf": stat_block.format("Wolf"),
        "Beasts/Hydra": stat_block.format("Hydra") + SENTENCE * 1500,
        "Beasts/Long title": f"# {'Many words ' * 60}\n\n{stat_block.format('Bat')}",
        "Night": "# Night\n\n[[Wolf]], [[Hydra]]",
    }
    for name, text in notes.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    vault, job = Vault(tmp_path), PrintJob("a4", tmp_path / "out.pdf")
    deck = print_set(note_set(vault, "Beasts"), vault, job)
    assert deck.sheets == ("Wolf",)
    assert any("Hydra, Many words" in remark for remark in deck.remarks)
    assert max(map(len, deck.remarks)) < 300
    (prep,) = print_prep(vault.find("Night"), vault, job, "Handouts")
    assert any(remark == Says("words", "not fit", "Hydra.") for remark in prep.remarks)
    assert "13" in text_of(prep.path) and "goes on" not in text_of(prep.path)


@pytest.mark.slow
@pytest.mark.parametrize("frame", FRAMES)
def test_cards_with_many_sides_are_named_whatever_their_frame(tmp_path: Path, frame: str) -> None:
    cards = make_cards(frame, Raven="Black wings.", Tome=SENTENCE * 200)
    printed = card_sheet([*cards, *cards], "Deck", PrintJob("a4", tmp_path / "deck.pdf"))
    (remark,) = printed.remarks
    assert remark.startswith("More than 6 sides of cards each: Tome (")
    assert remark.count("Tome") == 1 and "Raven" not in remark and "ote" not in remark
    notes = card_sheet(cards, "Deck", PrintJob("a4", tmp_path / "notes.pdf"), are_notes=True)
    assert notes.remarks[0].endswith("Notes are easier to use as sheets: vaultkit print rules NOTE")


def test_unusable_picture_is_named_in_files_for_a_print_service(tmp_path: Path) -> None:
    art = tmp_path / "seer.png"
    art.write_bytes(b"These are words.")
    vendor, back = load_vendor("makeplayingcards", None), load_back("classic", None)
    made = service_pages([PrintableCard("Seer", image=art)], back, vendor, title="D", theme=Theme())
    assert made.remarks and "Seer (cannot be read as a picture)" in made.remarks[0]
