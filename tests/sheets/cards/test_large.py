"""Cards in large print: re-flowed at 16 points over as many cards as needed."""

from pathlib import Path

import pytest

from tests.sheets.cards.reading import letters, sizes
from tests.sheets.conftest import text_of
from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.card_sheet import card_pages
from vaultkit.sheets.cards.print_card import SAFE_MARGIN_UM, Hand, PrintableCard, load_frame
from vaultkit.sheets.cards.text_sizes import default_card_size
from vaultkit.sheets.paper import Box
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.theme.model import Theme

LONG = "A sentence that goes on about it for a while, as they do. "
CARDS = [
    PrintableCard("Raven", "Swords", "swords", 7, LONG * 12, letters=("Sw",)),
    PrintableCard("Ram", "Aries", "aries", "animal", facts=(("Element", "Fire"), ("Season", "Spring"))),
    PrintableCard(
        "Hands",
        text_markdown="First[^1].\n\n[^1]: A note.",
        hands=(Hand("Pair", "two", (("2", "swords"), ("2", "stars"))),),
        frame=load_frame("aid", None),
    ),
]


@pytest.fixture(scope="module", params=["poker", "jumbo"])
def printed_cards(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Box]:
    folder, (width, height) = (
        tmp_path_factory.mktemp("large"),
        {"poker": (63, 88), "jumbo": (88.9, 139.7)}[request.param],
    )
    made = card_pages(
        CARDS,
        "A Deck with a Rather Long Title, as They Are",
        PrintJob("a4", folder / "d.pdf", Theme(large=True, grey=True)),
        request.param,
    )
    return made.path, Box(0, 0, round(width * 1000), round(height * 1000))


@pytest.mark.slow
def test_p11_no_word_of_a_card_in_large_print_is_below_16_points(printed_cards: tuple[Path, Box]) -> None:
    assert min(sizes(printed_cards[0]) - {0.0}) >= 13.5  # the ranks on the small cards of hands are pictures, no words
    assert "(continued)" in text_of(printed_cards[0])
    assert text_of(printed_cards[0]).count("sentence") == 12


@pytest.mark.short(1)
def test_p4_nothing_in_large_print_leaves_the_safe_zone(printed_cards: tuple[Path, Box]) -> None:
    left, bottom, right, top = printed_cards[1].inset(SAFE_MARGIN_UM).corners
    outside = [
        letter
        for _, letter, box in letters(printed_cards[0])
        if box[0] < left or box[1] < bottom or box[2] > right or box[3] > top
    ]
    assert outside == []


def test_large_print_uses_jumbo_cards_unless_others_are_requested() -> None:
    assert (default_card_size(Theme()), default_card_size(Theme(large=True))) == ("poker", "jumbo")


@pytest.mark.slow
def test_p4_text_for_too_many_cards_suggests_a_larger_size(tmp_path: Path) -> None:
    card = PrintableCard("Raven", text_markdown=LONG * 200)
    with pytest.raises(InvalidError, match="Raven") as caught:
        card_pages([card], "T", PrintJob("a4", tmp_path / "d.pdf", Theme(large=True)))
    assert "larger --size" in caught.value.hint
