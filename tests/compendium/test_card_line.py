import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.cards import Rank
from vaultkit.compendium.decks.card_line import parse_card_line, parse_rank


@pytest.mark.parametrize(
    ("line", "suits", "value", "traits"),
    [
        ("*Three of Glyphs*", ("Glyphs",), 3, {}),
        ("_Master of Stars_  ", ("Stars",), "Master", {}),
        ("*10 of Hearts*", ("Hearts",), 10, {}),
        ("*2 of Moons and Knots · personality, event*", ("Moons", "Knots"), 2, {"types": "personality, event"}),
        ("*2 of Moons, Knots*", ("Moons", "Knots"), 2, {}),
    ],
)
def test_card_lines_are_read(line: str, suits: tuple[str, ...], value: Rank, traits: dict[str, str]) -> None:
    facts = parse_card_line(line)
    assert facts is not None
    assert (facts.suits, facts.rank, facts.traits) == (suits, value, traits)


@pytest.mark.parametrize("line", ["", "Three of Glyphs", "**Three of Glyphs**", "*Three*", "*of Glyphs*", "*a* of *b*"])
def test_other_lines_are_not_card_lines(line: str) -> None:
    assert parse_card_line(line) is None


@pytest.mark.parametrize("word", ["²", "9" * 5000, "٣", "", " Ten "])
def test_odd_ranks(word: str) -> None:
    assert parse_rank(word) == {"": None, "٣": 3, " Ten ": 10}.get(word, word)


def test_hostile_line_is_read_in_time() -> None:
    assert parse_card_line("*" + " " * 100_000 + "x") is None


@pytest.mark.slow
@given(st.text("*_ of1²·,and\n", max_size=60))
def test_no_line_raises(line: str) -> None:
    parse_card_line(line)
