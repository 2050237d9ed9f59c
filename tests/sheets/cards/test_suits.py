from itertools import combinations
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from vaultkit.cards.deck import find_shortest_prefix, known_deck
from vaultkit.sheets.paper import Size
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme import icons
from vaultkit.theme.lengths import MM, MM_POINTS
from vaultkit.theme.model import Theme

DECKS = ["tarokka", "decktet", "astromancy", "french52"]


def suits(kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(suit for card in known_deck(kind) or () for suit in card.suits))


def silhouettes(names: tuple[str, ...], folder: Path) -> dict[str, Image.Image]:
    """Return each suit's sign as printed 4 mm wide at 300 dpi, black on white."""
    theme = Theme()
    size = Size("sign", 4 * MM, 4 * MM)
    document = Document("Signs", "", size, theme, tagged=False)
    for name in names:
        icons.draw_sign(document.canvas, theme, name.lower(), x=0, y=0, size=4 * MM_POINTS, colour="ink", letter=name)
        document.end_page()
    path = document.save(folder / "signs.pdf", names).path
    pages = pypdfium2.PdfDocument(path)
    return {
        name: page.render(scale=300 / 72, grayscale=True).to_pil().point(lambda light: 255 * (light < 128))
        for name, page in zip(names, pages, strict=True)
    }


def shared_ink(one: Image.Image, other: Image.Image) -> float:
    """Return the share of the ink of two signs that they have in common, from 0 to 1."""
    both = ImageChops.darker(one, other).histogram()[255]
    either = ImageChops.lighter(one, other).histogram()[255]
    return both / either


@pytest.mark.parametrize("kind", DECKS)
def test_p11_suit_symbols_differ_in_shape_at_4_mm(kind: str, tmp_path: Path) -> None:
    drawn = silhouettes(suits(kind), tmp_path)
    alike = {pair: shared_ink(drawn[pair[0]], drawn[pair[1]]) for pair in combinations(drawn, 2)}
    assert max(alike.values()) < 0.85, max(alike, key=lambda pair: alike[pair])


@pytest.mark.parametrize("kind", DECKS)
def test_p11_letters_distinguish_suits(kind: str) -> None:
    told = {suit: find_shortest_prefix(suit, suits(kind), str.lower) for suit in suits(kind)}
    assert len(set(told.values())) == len(told)
    assert all(suit.startswith(letter) and len(letter) <= 3 for suit, letter in told.items())
