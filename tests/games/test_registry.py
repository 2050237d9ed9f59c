"""Finding games by name."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.errors import UsageError
from vaultkit.games.registry import GAMES, GameInfo, find, rules

EVERY = list(GAMES.values())
NAMES = [(name, info.id) for info in EVERY for name in (info.id, info.title, *info.aliases)]


@pytest.mark.parametrize(("name", "game"), NAMES)
def test_game_is_found_by_its_id_title_and_aliases_in_any_case(name: str, game: str) -> None:
    for spelt in (name, name.upper(), name.lower(), f"  {name}\n"):
        assert find(spelt).id == game


def test_no_name_refers_to_two_games() -> None:
    names = [name for name, _ in {(name.lower(), game) for name, game in NAMES}]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("dragon-citadell", "dragon-citadel"), ("Dragon Citdel", "dragon-citadel"), ("turn of fat", "turn-of-fate")],
)
def test_typo_in_a_name_gets_a_suggestion(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        find(typed)
    assert typed in caught.value.message and caught.value.hint == f"Did you mean '{meant}'?"


def test_beginning_of_a_name_gets_every_matching_game() -> None:
    with pytest.raises(UsageError) as caught:
        find("Prophet")
    assert caught.value.hint == Says("mean", "prophets-gambit", "propheta")


def test_unknown_name_gets_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        find("xyzzy")
    assert all(info.id in caught.value.hint for info in EVERY)


@given(st.text())
def test_find_finds_or_refuses_with_a_hint(name: str) -> None:
    try:
        assert find(name) in EVERY
    except UsageError as error:
        assert error.hint


@pytest.mark.parametrize("info", EVERY, ids=lambda info: info.id)
def test_registered_facts_of_a_game_are_valid(info: GameInfo) -> None:
    assert info.id == info.id.lower() and " " not in info.id
    assert 1 <= info.seats[0] <= info.seats[1]
    assert known_deck(info.deck) is not None


@pytest.mark.parametrize("info", EVERY, ids=lambda info: info.id)
def test_registered_rules_belong_to_the_game(info: GameInfo) -> None:
    assert rules(info.title).id == info.id


def test_listing_games_loads_no_rules() -> None:
    program = "import sys, vaultkit.games.registry; print([m for m in sys.modules if 'dragon_citadel.' in m])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8")
    assert run.stdout.strip() == "[]"
