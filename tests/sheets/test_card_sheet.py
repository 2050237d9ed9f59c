from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from tests.sheets.conftest import fonts_of, keep_pictures_in, links_of, text_of
from tests.sheets.lint import tagged_text
from tests.wording import Says
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.cards.card_sheet import card_sheet, print_set
from vaultkit.sheets.cards.deck_cards import deck_set
from vaultkit.sheets.cards.fitter import Fitter
from vaultkit.sheets.cards.print_card import SAFE_MARGIN_UM, Face, PrintableCard
from vaultkit.sheets.cards.text_sizes import MIN_TEXT_SIZE_PT
from vaultkit.sheets.paper import Box, load_stock
from vaultkit.sheets.pdf.document import Document, PrintJob
from vaultkit.theme.lengths import points
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault

RAVEN = PrintableCard("Raven", suit_icon="crowns", text_markdown="Black wings on a *bare* branch.")
CARDS = [RAVEN] + [PrintableCard(f"Card {n}", "Swords", "swords", n, f"Meaning {n}.") for n in range(1, 11)]
LONG = "A sentence that goes on about it for a while, as they do. "


def picture(path: Path, size: tuple[int, int] = (300, 420), colour: str = "teal") -> Path:
    Image.new("RGB", size, colour).save(path)
    return path


def fit(card: PrintableCard, tmp_path: Path) -> list[Face]:
    stock = load_stock()
    return Fitter(Document("Test", "", stock.paper("a4"), Theme()), stock.card("poker")).faces(card)


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_deck_has_nine_cards_per_sheet(tmp_path: Path, paper: str) -> None:
    made = card_sheet(CARDS, "Tarokka", PrintJob(paper, tmp_path / "d.pdf"))
    assert (made.pages, len(made.sheets)) == (2, 11)
    words = text_of(made.path)
    assert "Black wings on a bare branch." in words
    assert "9 of Swords" in words
    assert "Print at 100 %" in words
    assert all(fonts_of(made.path).values())


def test_p1_page_boxes_of_every_sheet(tmp_path: Path) -> None:
    made = card_sheet(CARDS, "T", PrintJob("letter", tmp_path / "d.pdf"))
    for page in PdfReader(made.path).pages:
        trim, bleed, media = page.trimbox, page.bleedbox, page.mediabox
        assert float(trim.width) == pytest.approx(189 * 72 / 25.4, abs=0.01)
        assert float(trim.height) == pytest.approx(264 * 72 / 25.4, abs=0.01)
        assert media.left <= bleed.left <= trim.left
        assert trim.top <= bleed.top <= media.top


@pytest.mark.short(5)
@pytest.mark.parametrize("sentences", [0, 1, 5, 9, 14, 40])
@pytest.mark.parametrize("title", ["Raven", "The Unreasonably Long Name of a Card That Nobody Wanted", "W" * 90])
def test_p4_nothing_leaves_the_safe_zone(tmp_path: Path, sentences: int, title: str) -> None:
    faces = fit(PrintableCard(title, "Swords", "swords", 6, LONG * sentences), tmp_path)
    safe = Box(0, 0, 63_000, 88_000).inset(SAFE_MARGIN_UM)
    left, bottom, right, top = safe.corners
    for face in faces:
        assert face.title_size >= MIN_TEXT_SIZE_PT
        for item in face.placed:
            assert left <= item.x
            assert item.x + item.width <= right
            assert bottom <= item.top - item.height
            assert item.top <= top
            assert item.block.flowable.style.fontSize >= MIN_TEXT_SIZE_PT
        if face.art:
            assert face.art[1] + face.art[3] <= points(88_000 - SAFE_MARGIN_UM)


def test_p4_text_that_does_not_fit_continues_on_a_second_card(tmp_path: Path) -> None:
    card = PrintableCard("Raven", text_markdown=LONG * 40)
    made = card_sheet([card], "T", PrintJob("a4", tmp_path / "d.pdf"))
    words = text_of(made.path)
    assert "(continued)" in words
    assert words.count("goes on about it") == 40
    assert made.sheets == ("Raven",)


@pytest.mark.slow
def test_p4_far_too_long_card_is_an_error_that_names_it(tmp_path: Path) -> None:
    card = PrintableCard("Raven", text_markdown=LONG * 1300)
    with pytest.raises(InvalidError, match="Raven"):
        card_sheet([card], "T", PrintJob("a4", tmp_path / "d.pdf"))


def test_p10_art_is_embedded_once_and_unchanged_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_pictures_in(tmp_path / "c", monkeypatch)
    art = picture(tmp_path / "raven.png")
    cards = [PrintableCard(f"Card {n}", image=art) for n in range(9)]
    made = card_sheet(cards, "T", PrintJob("a4", tmp_path / "d.pdf"))
    cached = list((tmp_path / "c").iterdir())
    assert len(cached) == 1
    objects = [value.get_object() for value in PdfReader(made.path).pages[0]["/Resources"]["/XObject"].values()]
    assert [item._data for item in objects] == [cached[0].read_bytes()]


def test_p8_same_art_in_another_folder_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        keep_pictures_in(folder / "cache", monkeypatch)
        card = PrintableCard("Raven", image=picture(folder / f"{name}.png"))
        card_sheet([card], "T", PrintJob("a4", folder / "d.pdf"))
        made.append((folder / "d.pdf").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("data", [b"", b"not a picture", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, None])
def test_p15_broken_picture_is_replaced_by_a_word(tmp_path: Path, data: bytes | None) -> None:
    art = tmp_path / "bad.png"
    if data is not None:
        art.write_bytes(data)
    made = card_sheet([PrintableCard("Raven", image=art)], "T", PrintJob("a4", tmp_path / "d.pdf"))
    assert "[picture: " in text_of(made.path)


def test_p15_a_picture_loses_its_metadata(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at my house"
    Image.new("RGB", (60, 80), "red").save(tmp_path / "a.jpg", exif=exif)
    card = PrintableCard("Raven", image=tmp_path / "a.jpg")
    made = card_sheet([card], "T", PrintJob("a4", tmp_path / "d.pdf"))
    assert b"my house" not in made.path.read_bytes()


def test_suit_without_an_icon_shows_its_letter_and_a_card_links_back(tmp_path: Path) -> None:
    card = PrintableCard("Ace of Runes", "Runes", "runes", 1, "x", link="obsidian://open?vault=v&file=d%23Ace")
    made = card_sheet([card], "T", PrintJob("a4", tmp_path / "d.pdf"))
    assert "R" in text_of(made.path).replace("Runes", "")
    assert links_of(made.path) == ["obsidian://open?vault=v&file=d%23Ace"]


def test_a_deck_without_cards_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NothingFound):
        card_sheet([], "T", PrintJob("a4", tmp_path / "d.pdf"))


def fit_all(cards: list[PrintableCard], tmp_path: Path) -> list[Face]:
    stock = load_stock()
    fitter = Fitter(Document("Test", "", stock.paper("a4"), Theme()), stock.card("poker")).for_deck(cards)
    return [face for card in cards for face in fitter.faces(card)]


def test_whole_card_pictures_have_one_size_and_none_of_our_indices(tmp_path: Path) -> None:
    art = picture(tmp_path / "card.png", (250, 350))
    cards = [PrintableCard("Raven", "Swords", "swords", 7 + n, LONG * n, image=art) for n in range(8)]
    faces = fit_all(cards, tmp_path)
    assert len(faces) == len(cards)
    assert len({face.art for face in faces}) == 1
    assert all(face.whole for face in faces)
    _, _, width, height = faces[0].art or (0, 0, 0, 1)
    assert width / height == pytest.approx(250 / 350)
    made = card_sheet(cards[:1], "T", PrintJob("a4", tmp_path / "d.pdf"))
    assert text_of(made.path).count("7") == 1


def test_a_picture_of_another_shape_keeps_our_index(tmp_path: Path) -> None:
    wide = PrintableCard("Raven", "Swords", "swords", 7, "Words.", image=picture(tmp_path / "a.png", (400, 300)))
    assert not fit_all([wide], tmp_path)[0].whole
    made = card_sheet([wide], "T", PrintJob("a4", tmp_path / "d.pdf"))
    assert text_of(made.path).count("7") == 3


ARIES = (("Season", "Spring"), ("Element", "Fire"), ("Number", "0"))


def test_facts_are_a_strip_of_labels_and_values(tmp_path: Path) -> None:
    card = PrintableCard("Aries Scrap I", "Aries", "aries", "scrap", facts=ARIES)
    made = card_sheet([card], "T", PrintJob("a4", tmp_path / "d.pdf"))
    words = text_of(made.path)
    for wanted in ("Season Spring", "Element Fire", "Number 0", "Aries · scrap"):
        assert wanted in words, wanted
    assert "scrap of" not in words


def test_facts_are_above_the_text_of_any_length(tmp_path: Path) -> None:
    said = PrintableCard("Ram", "Aries", "aries", "scrap", "It runs.", facts=ARIES)
    long = PrintableCard("Ram", facts=(("Note", "a fact that is much too long to stand beside its label"),))
    made = card_sheet([said, long], "T", PrintJob("a4", tmp_path / "d.pdf"))
    assert "Season Spring Element Fire Number 0 It runs." in text_of(made.path)
    assert "much too long to stand" in text_of(made.path)


def test_suit_symbols_fill_a_card_without_text(tmp_path: Path) -> None:
    bare, told = fit_all([PrintableCard("Ace of Spades", "Spades", "spades", "Ace"), RAVEN], tmp_path)
    assert bare.art
    assert told.art
    assert bare.art[3] > 0.7 * points(88_000) > told.art[3]
    court = PrintableCard("King of Spades", "Spades", "spades", "King")
    made = card_sheet([court], "T", PrintJob("a4", tmp_path / "d.pdf"))
    letters = [word for word in PdfReader(made.path).pages[0].extract_text().split() if word == "K"]
    assert len(letters) == 3


def test_cards_with_a_missing_picture_are_reported_once(tmp_path: Path) -> None:
    (tmp_path / "deck.md").write_text(
        "---\nvaultkit-deck: mine\n---\n# Mine\n\n### Raven\n![[raven.png]]\n\n### Mists\n![[gone.png]]\n\n### Seer\n",
        encoding="utf-8",
    )
    picture(tmp_path / "raven.png")
    vault = Vault(tmp_path)
    deck = Compendium(vault).deck("mine")
    made = print_set(deck_set(deck, vault), vault, PrintJob("a4", tmp_path / "d.pdf"))
    assert made.remarks == (Says("2 cards", "no picture", "Mists", "Seer"),)
    assert deck_set(deck, vault, selection="Raven").remarks == ()


def test_p5_long_title_of_a_deck_is_at_the_foot_in_several_lines(tmp_path: Path) -> None:
    title = "The Deck of the Fourteen Powers and the Forty Common Folk of the Valley Below the Mists"
    made = card_sheet([RAVEN], title, PrintJob("a4", tmp_path / "d.pdf"), tagged=True)
    assert " ".join(tagged_text(made.path)[0].split()) == title


@pytest.mark.parametrize("lines", [1, 2])
def test_box_at_the_end_of_a_card_is_above_its_footer(lines: int, tmp_path: Path) -> None:
    table = "| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"
    parts = [*["A line."] * lines, "> [!warning] Beware\n> It bites.", table, *["A line."] * 12]
    card = PrintableCard("Dog", text_markdown="\n\n".join(parts), image=picture(tmp_path / "dog.png"))
    first = fit(card, tmp_path)[0]
    last = first.placed[-1]
    assert last.block.frames
    bottom = last.top - last.height - sum(frame.pad for frame in last.block.frames)
    assert bottom >= first.frame.foot + 4
