"""Pictures and backgrounds that extend beyond the cut."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image, ImageDraw

from tests.sheets.conftest import text_of
from tests.wording import Says
from vaultkit.compendium import Compendium
from vaultkit.resources import shipped_folder
from vaultkit.sheets.cards.card_sheet import card_pages, card_sheet
from vaultkit.sheets.cards.deck_cards import deck_cards
from vaultkit.sheets.cards.deck_layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.fitter import Fitter
from vaultkit.sheets.cards.print_card import PrintableCard, load_frame
from vaultkit.sheets.paper import Box, Size
from vaultkit.sheets.pdf.document import Document, PrintJob
from vaultkit.theme.model import CLASSIC
from vaultkit.vault import Vault

_DPI = 100
CARD = Size("poker", 63_000, 88_000)


@pytest.fixture(scope="module")
def art(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a picture in the shape of a card: red on its left, blue on its right."""
    picture = Image.new("RGB", (250, 350), "red")
    ImageDraw.Draw(picture).rectangle((125, 0, 249, 349), fill="blue")
    path = tmp_path_factory.mktemp("art") / "card.png"
    picture.save(path)
    return path


def page(path: Path) -> Any:
    """Return the first page as a picture."""
    document = pypdfium2.PdfDocument(path)
    picture = document[0].render(scale=_DPI / 72).to_pil().convert("RGB")
    document.close()
    return picture


def colour(picture: Any, x: float, y: float) -> tuple[bool, bool]:
    """Return whether a place has much red and much blue; x and y are micrometres from the lower left corner."""
    at = round(x / 25_400 * _DPI), picture.height - 1 - round(y / 25_400 * _DPI)
    red, _, blue = picture.getpixel(at)
    return red > 128, blue > 128


def print_card(card: PrintableCard, frame: str, layout: DeckLayout, folder: Path) -> Path:
    shown = [replace(card, frame=load_frame(frame, None))]
    made = card_sheet(shown, "T", PrintJob("a4", folder / "d.pdf"), layout)
    return made.path


@pytest.mark.parametrize("layout", [PLAIN, DeckLayout(bleed=3175)])
def test_p1_a_full_picture_fills_the_card_and_its_bleed(art: Path, layout: DeckLayout, tmp_path: Path) -> None:
    plan = layout.plan(PrintJob("a4", Path()))
    bleed, inside = plan.front_bleeds(1)[0].inset(300), plan.slots[0].inset(300)
    picture = page(print_card(PrintableCard("Raven", image=art, text_markdown="Words."), "full", layout, tmp_path))
    for box in (bleed, inside):
        assert colour(picture, box.x, box.y) == colour(picture, box.x, box.top) == (True, False)
        assert colour(picture, box.right, box.y) == colour(picture, box.right, box.top) == (False, True)
    outside = plan.front_bleeds(1)[0].inset(-300)
    assert colour(picture, outside.x, outside.y + 8000) == (True, True)


def test_p1_background_extends_into_the_bleed(tmp_path: Path) -> None:
    picture = page(print_card(PrintableCard("Raven"), "parchment", PLAIN, tmp_path))
    bleed = PLAIN.plan(PrintJob("a4", Path())).front_bleeds(1)[0]

    def lit(box: Box) -> bool:
        at = round(box.x / 25_400 * _DPI), round((297_000 - box.top + 15_000) / 25_400 * _DPI)
        return bool(picture.getpixel(at) == (255, 255, 255))

    assert not lit(bleed.inset(300))
    assert lit(bleed.inset(-400))


@pytest.mark.slow
def test_whole_card_picture_has_no_text_except_in_the_accessible_document(art: Path, tmp_path: Path) -> None:
    card = PrintableCard("Raven", image=art, text_markdown="Black wings.", frame=load_frame("full", None))
    assert "Black wings" not in text_of(print_card(card, "full", PLAIN, tmp_path))
    made = card_sheet([card], "T", PrintJob("a4", tmp_path / "d.pdf"), words_file="r.pdf")
    assert made.remarks == (Says("1", "picture", "without", "r.pdf"),)
    read = card_pages([card], "T", PrintJob("a4", tmp_path / "r.pdf"))
    assert "Raven Black wings." in text_of(read.path)


@pytest.mark.slow
def test_art_with_the_shape_of_a_card_fills_it_and_other_art_does_not() -> None:
    vault = Vault(shipped_folder("vault-example"))
    for deck, layout in (("tarokka", "full"), ("decktet", "above")):
        cards = deck_cards(Compendium(vault).deck(deck), vault)
        assert {card.frame and card.frame.layout for card in cards} == {layout}


@pytest.mark.parametrize("size", [(520, 900), (900, 500)])
def test_wide_and_narrow_art_is_not_cropped_to_the_card(size: tuple[int, int], tmp_path: Path) -> None:
    Image.new("RGB", size, "red").save(tmp_path / "art.png")
    card = PrintableCard("Raven", image=tmp_path / "art.png", text_markdown="Words.", frame=load_frame("full", None))
    document = Document("T", "", CARD, CLASSIC, tagged=False)
    (face,) = Fitter(document, CARD, "T").for_deck([card]).faces(card)
    assert face.art is not None
    assert face.art[2] / face.art[3] == pytest.approx(size[0] / size[1], abs=0.01)


def test_p1_narrow_whole_card_art_is_mirrored_at_the_edges(tmp_path: Path) -> None:
    Image.new("RGB", (520, 880), "red").save(tmp_path / "art.png")
    layout = PLAIN.plan(PrintJob("a4", Path()))
    picture = page(print_card(PrintableCard("Raven", image=tmp_path / "art.png"), "full", PLAIN, tmp_path))
    bleed = layout.front_bleeds(1)[0].inset(300)
    assert colour(picture, bleed.x, bleed.y) == colour(picture, bleed.right, bleed.top) == (True, False)
