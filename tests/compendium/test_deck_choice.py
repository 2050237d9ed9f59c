from pathlib import Path

import pytest

from tests.compendium.making import problems as check
from tests.growth import IN_STEP, TIMES, growth
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import Compendium

FRENCH = known_deck("french52")
assert FRENCH is not None
ROWS = "".join(f"| {card.name} | {card.rank} | {card.suits[0]} |\n" for card in FRENCH)


def deck(properties: str = "", kind: str = "french52") -> str:
    return f"---\nvaultkit-deck: {kind}\n{properties}\n---\n| Name | Rank | Suits |\n|--|--|--|\n{ROWS}"


def compendium(root: Path, **notes: str) -> Compendium:
    return Compendium(make_files(root, {f"{name}.md": text for name, text in notes.items()}))


def several(found: Compendium) -> list[tuple[str, str, str]]:
    return [(p.note, p.severity, p.message) for p in check(found.vault) if p.code == "deck-several"]


def test_two_valid_decks_of_one_kind_are_reported(tmp_path: Path) -> None:
    found = compendium(tmp_path, Blue=deck(), Red=deck())
    assert several(found) == [("Red.md", "warning", Says("french52", "passed", "Blue.md"))]
    hint = next(problem.hint for problem in check(found.vault))
    assert "'vaultkit-default: true'" in hint and "'Blue.md' or 'Red.md'" in hint
    assert found.deck_of_kind("french52", "propheta").note.name == "Blue"
    assert all(deck.sound for deck in found.decks)


def test_property_chooses_between_two_decks(tmp_path: Path) -> None:
    found = compendium(tmp_path, Blue=deck(), Red=deck("vaultkit-default: true"), Rose=deck("vaultkit-default: false"))
    assert several(found) == []
    assert found.deck_of_kind("french52", "propheta").note.name == "Red"
    assert found.deck("French52").note.name == "Red"
    assert found.deck("blue").note.name == "Blue"


def test_two_decks_with_the_choosing_property_are_reported(tmp_path: Path) -> None:
    found = compendium(tmp_path, A=deck(), B=deck("vaultkit-default: true"), C=deck("vaultkit-default: true"))
    assert [note for note, _, _ in several(found)] == ["C.md"]
    assert found.deck_of_kind("french52", "propheta").note.name == "B"


@pytest.mark.parametrize("other", [deck(kind="own"), "---\nvaultkit-deck: french52\nvaultkit-default: true\n---\n"])
def test_other_kinds_and_faulty_decks_do_not_count(tmp_path: Path, other: str) -> None:
    found = compendium(tmp_path, A=other, B=deck(), C=deck(kind="own"))
    assert several(found) == []
    assert found.deck_of_kind("french52", "propheta").note.name == "B"


@pytest.mark.slow
@pytest.mark.parametrize("card", ["| Raven | 1 |\n", "### Card {}\n\n*1 of Cups*\n\n"])
def test_cards_with_one_name_or_under_headings_take_linear_time(tmp_path: Path, card: str) -> None:
    head = "---\nvaultkit-deck: mine\n---\n# Mine\n\n"
    table = "| Name | Rank |\n|---|---|\n" * card.startswith("|")
    most = 4_000
    vaults = {
        size: make_files(tmp_path / str(size), {"D.md": head + table + "".join(card.format(n) for n in range(size))})
        for size in (most // TIMES, most)
    }
    assert growth(lambda size: len(Compendium(vaults[size]).decks[0].entries), most) < IN_STEP
