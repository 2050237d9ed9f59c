"""Card tables: which columns are read as rank and suits."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compendium.making import problems as check
from tests.vault.making import make_files, note
from vaultkit.compendium import Compendium
from vaultkit.compendium.decks.table_rows import check_headings, find_card_rows

SUITS = 'vaultkit-suits: ["Feuer = Fire", "Eis = Ice"]\n'
RANKS = 'vaultkit-ranks: ["Meister = Master"]\n'
PAIRS = [("Glut", "1", "Feuer"), ("Brand", "2", "Feuer"), ("Reif", "1", "Eis"), ("Firn", "2", "Eis")]


def deck(header: str, rows: Sequence[tuple[str, ...]], words: str = "") -> str:
    rule = "|".join("---" for _ in header.split("|"))
    lines = [header, rule, *(" | ".join(row) for row in rows)]
    table = "\n".join(f"| {line} |" for line in lines)
    return f"---\nvaultkit-deck: own\n{words}---\n# Own\n\n{table}\n"


def cards(folder: Path, text: str) -> list[tuple[str, tuple[str, ...], object, dict[str, str]]]:
    (found,) = Compendium(make_files(folder, {"Own.md": text})).decks
    return [(card.name, card.suits, card.rank, dict(card.traits)) for card in found.deck]


@pytest.mark.parametrize("header", ["Name | Rang | Farbe", "Karte | Rang | Farbe", "Name | Rank | Farbe"])
def test_columns_in_another_language_are_recognized_by_their_cells(tmp_path: Path, header: str) -> None:
    found = cards(tmp_path, deck(header, [*PAIRS, ("Omen", "-", "—")], SUITS))
    assert found[0] == ("Glut", ("Fire",), 1, {})
    assert found[2:] == [("Reif", ("Ice",), 1, {}), ("Firn", ("Ice",), 2, {}), ("Omen", (), None, {})]
    assert list(check_headings(note(deck(header, PAIRS, SUITS)))) == []


def test_column_of_translated_ranks_is_the_rank_despite_number_columns(tmp_path: Path) -> None:
    rows = [("Glut", "Meister", "3", "Feuer"), ("Reif", "1", "3", "Eis und Feuer")]
    found = cards(tmp_path, deck("Name | Rang | Kosten | Farben", rows, SUITS + RANKS))
    assert found == [("Glut", ("Fire",), "Master", {"kosten": "3"}), ("Reif", ("Ice", "Fire"), 1, {"kosten": "3"})]


@pytest.mark.parametrize(
    ("header", "rows", "traits"),
    [
        ("Name | Kosten | Farbe", [(name, "3", suit) for name, _, suit in PAIRS], {"kosten": "3"}),
        ("Name | Stil | Suit", [(name, "Feuer", suit) for name, _, suit in PAIRS], {"stil": "Feuer"}),
        (
            "Name | Farbe | Gegner",
            [(name, suit, suit) for name, _, suit in PAIRS],
            {"farbe": "Feuer", "gegner": "Feuer"},
        ),
    ],
)
def test_other_columns_become_traits(
    tmp_path: Path, header: str, rows: list[tuple[str, ...]], traits: dict[str, str]
) -> None:
    (_, _, rank, found), *_ = cards(tmp_path, deck(header, rows, SUITS))
    assert (rank, found) == (None, traits)


def test_table_about_suits_is_not_a_card_table(tmp_path: Path) -> None:
    (found,) = Compendium(
        make_files(tmp_path, {"Own.md": deck("Sinn | Farbe", [("Zorn", "Feuer"), ("Ruhe", "Eis")], SUITS)})
    ).decks
    assert len(found.deck) == 0


def test_probable_rank_and_suit_columns_are_reported(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Own.md": deck("Name | Rang | Farbe", PAIRS)})
    (problem,) = check(vault)
    assert (problem.note, problem.line, problem.code, problem.severity) == ("Own.md", 6, "card-columns", "warning")
    assert "'Rang' and 'Farbe' seem" in problem.message and "'Suits'" in problem.hint
    (one,) = check_headings(note(deck("Name | Rank | Farbe", PAIRS)))
    assert "The column 'Farbe' seems" in one.message


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("Name | Rank | Suits", PAIRS),
        ("Name | Cost | Type", [("A", "1", "x"), ("B", "1", "x"), ("C", "2", "y"), ("D", "2", "y")]),
        ("Name | Rank | Type", [("A", "1", "x"), ("B", "2", "x"), ("C", "3", "y"), ("D", "4", "y")]),
        ("Name | Cost | Type | Mood", [(a, b, c, d) for (a, b, c), d in zip(PAIRS, "xxyy", strict=True)]),
        ("Name | Rang | Farbe", PAIRS[:3]),
        ("Word | Rang | Farbe", PAIRS),
    ],
)
def test_other_tables_are_not_a_problem(header: str, rows: list[tuple[str, ...]]) -> None:
    assert list(check_headings(note(deck(header, rows)))) == []


@pytest.mark.parametrize(
    "header", ["Name | Number | Colour", "Name | Value | Suit", "Card | **NUMBER** | Color", "Name | Rank | Colour"]
)
def test_number_and_colour_headers_mean_rank_and_suit_without_better_ones(tmp_path: Path, header: str) -> None:
    found = cards(tmp_path, deck(header, PAIRS))
    assert found[0] == ("Glut", ("Feuer",), 1, {}) and found[3] == ("Firn", ("Eis",), 2, {})
    assert list(check_headings(note(deck(header, PAIRS)))) == []


@pytest.mark.parametrize(
    ("header", "rows", "traits"),
    [
        ("Name | Rank | Suit | Value | Colour", [(*row, "9", "red") for row in PAIRS], {"value": "9", "colour": "red"}),
        ("Name | Value | Text", [(name, "50 gp", "x") for name, _, _ in PAIRS], {"value": "50 gp"}),
        ("Name | Colour", [(name, name) for name, _, _ in PAIRS], {"colour": "Glut"}),
        ("Name | Number | Value | Suit", [(a, b, "7", c) for a, b, c in PAIRS], {"number": "1", "value": "7"}),
        ("Name | Colour", PAIRS[:2], {"colour": "1"}),
    ],
)
def test_number_and_colour_columns_stay_traits_where_they_do_not_fit(
    tmp_path: Path, header: str, rows: list[tuple[str, ...]], traits: dict[str, str]
) -> None:
    assert cards(tmp_path, deck(header, rows))[0][3] == traits


@pytest.mark.parametrize(
    ("header", "rows", "read"),
    [
        ("Name | Number | Suit", [("Warrior", "Master", "Swords"), ("Avenger", "1", "Swords")], True),
        ("Name | Number", [("Warrior", "1"), ("Avenger", "2")], False),
        ("Name | Value | Colour", [(f"c{n}{m}", str(n), c) for n in (1, 2) for m, c in enumerate("rrbb")], False),
    ],
)
def test_number_and_colour_columns_must_identify_cards_in_a_known_deck(
    header: str, rows: list[tuple[str, ...]], read: bool
) -> None:
    found = note(deck(header, rows).replace("vaultkit-deck: own", "vaultkit-deck: tarokka"))
    table = list(find_card_rows(found, 0, len(found.text)))
    assert ("rank" in table[0].cells) is read


@pytest.mark.slow
@given(st.lists(st.text("|1 Feurisx*-\\`\n", max_size=12), max_size=6), st.booleans())
def test_any_table_is_read_or_ignored(lines: list[str], translated: bool) -> None:
    words = SUITS + RANKS if translated else ""
    text = deck("Name | Rang | Farbe", PAIRS, words) + "\n".join(f"| {line}" for line in lines)
    assert all(problem.code == "card-columns" for problem in check_headings(note(text)))
