"""House rules: reading options, and describing their values."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wording import Says
from vaultkit.errors import ExitCode, UsageError
from vaultkit.games.options import Option, resolve
from vaultkit.games.registry import GAMES, rules
from vaultkit.session.rulings import rulings

MODE = Option("mode", "XX-1", ("coop", "competitive"), "How to play.")
PLAYERS = Option("min_players", "XX-2", (3, 2), "How few may play.")
BOTH = (MODE, PLAYERS)


def test_the_first_value_is_the_default() -> None:
    assert MODE.default == "coop" and PLAYERS.default == 3


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (MODE, "competitive", "competitive"),
        (MODE, " Competitive ", "competitive"),
        (MODE, "COOP", "coop"),
        (PLAYERS, 2, 2),
        (PLAYERS, "2", 2),
        (PLAYERS, " 3", 3),
    ],
)
def test_a_value_is_read_in_any_case_and_as_text(option: Option, given: object, value: object) -> None:
    read = option.parse(given)
    assert read == value and type(read) is type(value)


@pytest.mark.parametrize("given", ["", "co-op", "yes", None, True, 1.5, [], {"a": 1}])
def test_any_other_value_is_refused_with_the_accepted_ones(given: object) -> None:
    with pytest.raises(UsageError) as caught:
        MODE.parse(given)
    assert "'mode'" in caught.value.message and str(given) in caught.value.message
    assert caught.value.hint == Says("Accepted", "coop (default)", "competitive (XX-1)")
    assert caught.value.exit_code is ExitCode.USAGE


@given(st.sampled_from([*MODE.values, *PLAYERS.values]), st.sampled_from([str.upper, str.lower, str.title, str.strip]))
def test_every_value_reads_back_from_its_own_spelling(value: object, spelt: object) -> None:
    option = MODE if value in MODE.values else PLAYERS
    assert callable(spelt) and option.parse(spelt(str(value))) == value


@given(st.text())
def test_parse_gives_a_listed_value_or_refuses(text: str) -> None:
    try:
        assert MODE.parse(text) in MODE.values
    except UsageError as error:
        assert error.hint


def test_numbers_are_listed_in_order_and_words_with_the_default_first() -> None:
    assert PLAYERS.accepted == "2, 3 (default)"
    assert MODE.accepted == "coop (default), competitive"
    assert Option("any", "XX-3", ("none", 20, 3), "").accepted == "none (default), 20, 3"


def test_missing_option_has_its_default() -> None:
    assert resolve(BOTH, {}, "Test") == {"mode": "coop", "min_players": 3}
    assert resolve(BOTH, {"min_players": "2"}, "Test") == {"mode": "coop", "min_players": 2}


def test_resolving_options_twice_changes_nothing() -> None:
    once = resolve(BOTH, {"mode": "COMPETITIVE"}, "Test")
    assert resolve(BOTH, once, "Test") == once


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        resolve(BOTH, {"mod": "coop"}, "Test")
    assert caught.value.message == Says("Test", "no option", "mod")
    assert caught.value.hint == Says("mode", "options", "min_players")


ALL = [(info.id, option) for info in GAMES.values() for option in rules(info.id).options]
NUMBERS = "any number from 0 to 47"
IN_WORDS = {
    ("deck-of-destiny", "deck"): "french52 | tarokka-common | the name of a deck",
    ("deck-of-destiny", "elsewhere"): f"0 | {NUMBERS}",
    ("deck-of-destiny", "inventory"): f"7 | {NUMBERS}",
    ("deck-of-destiny", "reward"): f"auto | none | {NUMBERS}",
    ("dragon-citadel", "joker"): "Seer | the name of a Crown",
    ("propheta", "first"): "random | a seat number, from 0 | winner-of-last",
    ("propheta", "target"): "none | points from 1 to 500",
    ("turn-of-fate", "first"): "random | a seat number, from 0 | winner-of-last",
}
"""Values that a page of rulings describes without listing them."""


REFUSING = [(game, option) for game, option in ALL if option.key != "deck"]
"""All options but the deck of Deck of Destiny, which may be any deck of the vault."""


@pytest.mark.parametrize(("game", "option"), REFUSING, ids=lambda value: getattr(value, "key", value))
def test_g_11_every_option_refuses_nonsense_and_names_its_values_and_its_ruling(game: str, option: Option) -> None:
    assert option.ruling in {**rulings(game), **rulings("general")}
    for nonsense in ("", "perhaps", -7, f"{option.default}!"):
        with pytest.raises(UsageError) as caught:
            option.parse(nonsense)
        assert option.key in caught.value.message and f"({option.ruling})" in caught.value.hint
        assert str(option.default) in caught.value.hint
    assert "(default" in option.accepted and str(option.default) in option.accepted
    assert all(option.parse(str(value).upper()) == value for value in option.values)


def option_lines(page: str) -> set[tuple[str, str, str]]:
    """Return the option lines of a page: the ruling that they belong to, the key, and the values."""
    return {
        (ruling.id, match["key"], match["values"])
        for ruling in rulings(page).values()
        for match in re.finditer(r"^Option: (?P<key>\w+) = (?P<values>.+)$", ruling.text, re.MULTILINE)
    }


@pytest.mark.parametrize("game", GAMES)
def test_g_11_the_page_of_rulings_lists_every_option_where_it_belongs_and_no_other(game: str) -> None:
    expected = {
        (option.ruling, option.key, IN_WORDS.get((game, option.key), " | ".join(map(str, option.values))))
        for option in rules(game).options
    }
    common = {line for line in expected if line[0].startswith("G-")}
    assert option_lines(game) == expected - common
    assert common <= option_lines("general")
