"""The rulings that the game cites, and its options, are on its page of rulings."""

import re
from random import Random

import pytest

from tests.games.conformance import Case, answer, random_options, start
from tests.games.gambit.position import GAME
from vaultkit.games.prophets_gambit import ending
from vaultkit.games.prophets_gambit.rules import OPTIONS
from vaultkit.session.rulings import rulings
from vaultkit.vault.checking.checks import mojibake


def test_the_page_holds_every_ruling_in_order() -> None:
    numbers = list(rulings("prophets-gambit"))
    assert numbers == [f"PG-{number}" for number in range(1, len(numbers) + 1)] and len(numbers) >= 41


def test_every_option_is_listed_under_its_ruling_with_its_values() -> None:
    written = {
        (ruling.id, match["key"], match["values"])
        for ruling in rulings("prophets-gambit").values()
        for match in re.finditer(r"^Option: (?P<key>\w+) = (?P<values>.+)$", ruling.text, re.MULTILINE)
    }
    assert written == {(option.ruling, option.key, " | ".join(map(str, option.values))) for option in OPTIONS}


@pytest.mark.parametrize("seed", range(20))
def test_every_ruling_that_is_cited_can_be_read(seed: int) -> None:
    rng, cited = Random(seed), set[str]()
    state = start(Case(GAME, random_options(GAME, rng)), rng)
    while state.turn is not None:
        cited.update(state.turn.rulings)
        cited.update(ruling for event in state.apply(answer(state, rng)) for ruling in event.rulings)
    outcome = ending.outcome(state)
    assert outcome is not None
    cited.update(outcome.rulings)
    assert cited <= {**rulings("prophets-gambit"), **rulings("general")}.keys()


def test_pg_41_misread_dash_is_a_dash() -> None:
    damaged = "for 3\u20135 players".encode().decode("cp1252")
    assert damaged != "for 3\u20135 players"
    assert " ".join(map(mojibake.restore, damaged.split())) == "for 3\u20135 players"
