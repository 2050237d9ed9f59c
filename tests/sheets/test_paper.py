from pathlib import Path

import pikepdf
import pytest

from tests.sheets.conftest import print_text
from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.calibration import print_calibration_sheet
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.deck_layout import DeckLayout
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.paper import load_stock
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores
from vaultkit.theme.lengths import parse_length, parse_signed_length, points
from vaultkit.theme.model import Theme

STOCK = load_stock()


@pytest.mark.parametrize(
    ("text", "micrometres"),
    [("63mm", 63_000), ("2.5in", 63_500), (" 8.5 in ", 215_900), ("1cm", 10_000), ("72pt", 25_400)],
)
def test_a_length_is_a_whole_number_of_micrometres(text: str, micrometres: int) -> None:
    assert parse_length(text) == micrometres


@pytest.mark.parametrize("text", ["", "63", "mm", "-3mm", "1e3mm", "63 px", "٣mm", "6,3mm"])
def test_invalid_length_is_an_error_with_an_example(text: str) -> None:
    with pytest.raises(InvalidError) as caught:
        parse_length(text, "paper.toml")
    assert "63mm" in caught.value.hint


def test_an_unknown_paper_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        STOCK.paper("a44")
    assert "a4, letter" in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["legal", "a3", "tabloid"])
def test_larger_papers_fit_every_kind_of_sheet(paper: str, tmp_path: Path) -> None:
    size = STOCK.paper(paper)
    made = (
        print_scores("dragon-citadel", PrintJob(paper, tmp_path / "scores.pdf")),
        print_text("Words.", out=tmp_path / "rules.pdf", paper=paper),
        card_sheet([PrintableCard("Raven")], "Deck", PrintJob(paper, tmp_path / "cards.pdf")),
        print_calibration_sheet(PrintJob(paper, tmp_path / "calibration.pdf")),
    )
    for sheets in made:
        with pikepdf.open(sheets.path) as pdf:
            _, _, width, height = (float(number) for number in pdf.pages[0].mediabox)
        assert sorted((width, height)) == pytest.approx([points(size.width), points(size.height)], abs=0.02)


def test_sizes_of_a_vault_replace_ours(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit" / "print" / "paper.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[papers]\na5 = ["148mm", "210mm"]\n[cards]\nsquare = ["70mm", "70mm"]\n', encoding="utf-8")
    assert list(load_stock(tmp_path).papers) == ["a5"]
    assert DeckLayout.from_options("square").plan(PrintJob("a5", tmp_path, Theme(tmp_path))).per_sheet == 2
    with pytest.raises(UsageError, match="letter"):
        load_stock(tmp_path).paper("letter")


@pytest.mark.parametrize(
    ("text", "micrometres"), [("-0.5mm", -500), ("+0.8 mm", 800), ("0.8mm", 800), ("0", 0), ("-0", 0), ("0.0", 0)]
)
def test_a_shift_may_have_a_sign(text: str, micrometres: int) -> None:
    assert parse_signed_length(text) == micrometres


@pytest.mark.parametrize("text", ["", "1", "--1mm", "+-1mm", "0.5", "mm"])
def test_invalid_shift_is_an_error(text: str) -> None:
    with pytest.raises(InvalidError):
        parse_signed_length(text)
