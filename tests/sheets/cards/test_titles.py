from pathlib import Path

import pytest

from tests.compendium.test_rank_words import german_tarokka
from vaultkit.compendium import Compendium
from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.card_words import fit_title
from vaultkit.sheets.cards.deck_cards import deck_cards
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import CLASSIC
from vaultkit.vault import Vault


def width(text: str, size: float) -> float:
    """Return the width of a text in a face whose letters are half as wide as high."""
    return len(text) * size / 2


class HalfAsWide(Glyphs):
    def measure_width(self, text: str, face: str, size: float) -> float:
        return width(text, size)


def fit(text: str, room: float = 100.0) -> tuple[tuple[str, ...], float]:
    return fit_title(text, HalfAsWide(CLASSIC), "", room, size=13.0, floor=7.0)


def test_a_short_title_keeps_its_size() -> None:
    assert fit("Raven") == (("Raven",), 13.0)


def test_title_is_made_smaller_before_it_is_broken() -> None:
    assert fit("The Hooded Guest") == (("The Hooded Guest",), 12.5)


def test_p5_no_word_of_a_long_title_is_lost() -> None:
    title = "The Unreasonably Long Name of a Card That Nobody Wanted to Have in the Deck at All"
    lines, size = fit(title)
    assert " ".join(lines) == title
    assert size >= 7.0
    assert all(width(line, size) <= 100 for line in lines)


def test_word_wider_than_the_card_continues_on_the_next_line() -> None:
    lines, size = fit("W" * 60)
    assert "".join(lines) == "W" * 60
    assert size == 7.0


def test_p4_title_that_would_fill_the_card_is_an_error_with_the_excess_words() -> None:
    with pytest.raises(InvalidError, match=r"is \d+ words too long"):
        fit("word " * 100)


def test_p18_a_deck_of_another_language_keeps_its_own_words(tmp_path: Path) -> None:
    german_tarokka(tmp_path)
    vault = Vault(tmp_path)
    lines = [card.subtitle for card in deck_cards(Compendium(vault).deck("tarokka"), vault)]
    assert (lines[:2], lines[53]) == (["Meister der Schwerter", "Eins der Schwerter"], "")


def test_words_of_a_deck_are_found_below_text_with_other_line_separators(tmp_path: Path) -> None:
    german_tarokka(tmp_path)
    file, above = tmp_path / "Tarokka.md", "A\x0cB\u2028C\x0bD\x85E" * 9
    text = file.read_bytes().decode().replace("\n## ", f"\n{above}\n\n## ", 1)
    file.write_bytes(text.encode())
    vault = Vault(tmp_path)
    assert deck_cards(Compendium(vault).deck("tarokka"), vault)[0].subtitle == "Meister der Schwerter"
