"""The conformance suite, applied to a game that was written from the docs alone."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.games.conformance import Run, cases_of
from tests.games.test_conformance import (
    test_every_function_registered_for_a_game_exists as places_are_there,
)
from tests.games.test_conformance import (
    test_the_registry_and_the_rules_agree as registry_and_rules_agree,
)
from tests.high_card import INFO
from tests.registering import registered
from vaultkit.errors import UsageError
from vaultkit.games.game_info import GameInfo
from vaultkit.games.registry import GAMES, find, rules


@pytest.fixture(autouse=True)
def high_card() -> Iterator[None]:
    with registered(INFO):
        yield


@pytest.mark.slow
def test_random_games_fulfil_the_contract() -> None:
    [case] = cases_of(INFO.rules())
    for number in range(200):
        Run(case, Random(number), often=0.3).play()


def test_sixth_game_is_registered_and_found_like_any_other() -> None:
    registry_and_rules_agree(INFO)
    places_are_there(INFO)
    assert list(GAMES)[-1] == "high-card" and find("High Card") is INFO


def test_game_with_only_a_score_sheet_is_not_played() -> None:
    with (
        registered(GameInfo("tallied", "Tallied", (2, 4), "french52")),
        pytest.raises(UsageError, match="has only a score"),
    ):
        rules("tallied")


def test_sixth_game_is_unregistered_after_the_test() -> None:
    with registered(GameInfo("for-now", "For Now", (1, 1), "french52")):
        assert "for-now" in GAMES
    assert "for-now" not in GAMES
