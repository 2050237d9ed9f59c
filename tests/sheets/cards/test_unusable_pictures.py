"""Cards with an unusable picture: a remark at the card's foot, inside the frame, and a message with the name."""

from pathlib import Path

import pytest

from tests.sheets.conftest import text_of
from tests.wording import Says
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.deck_layout import DeckLayout
from vaultkit.sheets.cards.print_card import PrintableCard, load_frame
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.theme.model import Theme


@pytest.mark.parametrize("frame", ["classic", "full"])
def test_a_bad_picture_is_named_with_its_reason(tmp_path: Path, frame: str) -> None:
    art = tmp_path / "seer.png"
    art.write_bytes(b"These are words.")
    card = PrintableCard("Seer", image=art, text_markdown="She knows.", frame=load_frame(frame, tmp_path))
    made = card_sheet([card], "Deck", PrintJob("a4", tmp_path / "deck.pdf"))
    assert made.remarks[-1:] == (Says("picture of 1 card", "Seer", "cannot be read"),)


def test_reason_in_large_print_is_wrapped_to_fit_the_card(tmp_path: Path) -> None:
    art = tmp_path / "seer.png"
    art.write_bytes(b"These are words.")
    made = card_sheet(
        [PrintableCard("Seer", image=art)],
        "Deck",
        PrintJob("a4", tmp_path / "deck.pdf", Theme(large=True)),
        DeckLayout(size="mini"),
    )
    lines = [line.strip() for line in text_of(made.path).splitlines()]
    assert "[picture: cannot be read as a picture]" not in lines
    assert "[picture: cannot be read as a picture]" in " ".join(lines)
