from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from tests.sheets.cards.reading import letters, sizes
from tests.sheets.lint import problems, tagged_text
from vaultkit.errors import NothingFound
from vaultkit.sheets.cards.card_sheet import card_pages
from vaultkit.sheets.cards.print_card import SAFE_MARGIN_UM, Hand, PrintableCard, load_frame
from vaultkit.sheets.cards.text_sizes import MIN_TEXT_SIZE_PT
from vaultkit.sheets.paper import Box
from vaultkit.sheets.pdf.document import PrintJob

LONG = "A sentence that goes on about it for a while, as they do. "
HANDS = (Hand("Family", "five in a row, one suit", tuple((rank, "swords") for rank in "56789")),)
CARDS = (
    PrintableCard("Raven", suit_icon="crowns", text_markdown="Black wings on a *bare* branch.\n\n> It waits."),
    PrintableCard("Mill", "Waves and Leaves", "waves leaves", 8, facts=(("Types", "location"), ("Season", "Spring"))),
    PrintableCard("Paladin", "Swords", "swords", 2, LONG * 30, letters=("Sw",)),
    PrintableCard("The Unreasonably Long Name of a Card That Nobody Wanted to Cut Short", text_markdown=LONG),
    PrintableCard(
        "Table", text_markdown="| Row | Total |\n|---|---|\n| 1 | 1 to 15 |\n| 2 | 16 to 25 |\n\n1. One\n2. Two"
    ),
    PrintableCard("Hands", text_markdown="Best first:", hands=HANDS, kicker="A Game"),
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that prints cards in a frame, one a page; each frame's file is made once."""
    folder = tmp_path_factory.mktemp("pages")
    Image.new("RGB", (300, 200), "teal").save(folder / "art.png")
    made: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in made:
            frame = load_frame(name, None)
            cards = [replace(card, frame=frame) for card in CARDS]
            cards[0] = replace(cards[0], image=folder / "art.png")
            made[name] = card_pages(cards, "A Deck", PrintJob("a4", folder / f"{name}.pdf")).path
        return made[name]

    return make


@pytest.mark.slow
@pytest.mark.parametrize("frame", ["classic", "plain", "reference", "aid", "full"])
def test_p4_every_letter_is_in_the_safe_zone_and_large_enough(pages: Callable[[str], Path], frame: str) -> None:
    left, bottom, right, top = Box(0, 0, 63_000, 88_000).inset(SAFE_MARGIN_UM).corners
    found = letters(pages(frame))
    outside = [
        (page, letter)
        for page, letter, box in found
        if box[0] < left or box[1] < bottom or box[2] > right or box[3] > top
    ]
    assert len(found) > 1000
    assert outside == []
    assert min(sizes(pages(frame))) >= MIN_TEXT_SIZE_PT


@pytest.mark.short(1)
@pytest.mark.parametrize("frame", ["classic", "plain", "reference", "aid", "full"])
def test_p6_accessible_cards_are_tagged(pages: Callable[[str], Path], frame: str) -> None:
    assert problems(pages(frame)) == []


@pytest.mark.short(1)
@pytest.mark.parametrize("frame", ["classic", "plain", "reference", "aid", "full"])
def test_p5_every_word_of_every_card_is_read_in_order(pages: Callable[[str], Path], frame: str) -> None:
    told = " ".join(tagged_text(pages(frame)))
    wanted = [
        "A Deck", "Raven", "Black wings on a bare branch.", "It waits.", "Mill", "8 of Waves and Leaves", "location",
        "Spring", "Paladin", "2 of Swords", "The Unreasonably Long Name of a Card That Nobody Wanted to Cut Short",
        "Table", "Row", "Total", "1 to 15", "16 to 25", "One", "Two", "Hands", "A Game", "Best first:", "Family",
        "five in a row, one suit",
    ]  # fmt: skip
    at = 0
    for words in wanted:
        assert words in told[at:], words
        at = told.index(words, at)
    assert told.count("goes on about it") == 31
    assert "(continued)" not in told


def test_pictures_and_examples_are_described_in_words(pages: Callable[[str], Path]) -> None:
    data = pages("reference")
    told = [str(item.get_object().get("/Alt")) for item in _elements(data) if item.get_object().get("/S") == "/Figure"]
    assert told == ["Raven", "For example 5 of swords, 6 of swords, 7 of swords, 8 of swords, 9 of swords"]


def _elements(path: Path) -> list[Any]:
    reader = PdfReader(path)
    waiting: list[Any] = [reader.root_object["/StructTreeRoot"]]
    found = []
    while waiting:
        item = waiting.pop(0).get_object()
        found.append(item)
        children = item.get("/K", [])
        children = children if isinstance(children, list) else [children]
        waiting = [child for child in children if hasattr(child.get_object(), "get")] + waiting
    return found


def test_every_page_has_the_size_of_a_card_and_a_bookmark(pages: Callable[[str], Path]) -> None:
    reader = PdfReader(pages("classic"))
    assert {(round(float(p.mediabox.width), 1), round(float(p.mediabox.height), 1)) for p in reader.pages} == {
        (178.6, 249.4)
    }
    assert [str(entry["/Title"]) for entry in reader.outline] == [card.title for card in CARDS]  # type: ignore[call-overload]


def test_a_deck_without_cards_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NothingFound):
        card_pages([], "T", PrintJob("a4", tmp_path / "d.pdf"))
