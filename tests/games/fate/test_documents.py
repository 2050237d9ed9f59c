"""The rulings that the game cites are on its page of rulings."""

from random import Random

import pytest

from tests.games.conformance import Case, answer, start
from tests.games.fate.position import GAME
from vaultkit.games.turn_of_fate import ending
from vaultkit.session.rulings import rulings


def test_the_page_holds_every_ruling_in_order() -> None:
    numbers = list(rulings("turn-of-fate"))
    assert numbers == [f"TF-{number}" for number in range(1, len(numbers) + 1)] and len(numbers) >= 32


@pytest.mark.parametrize("seed", range(5))
def test_every_ruling_that_is_cited_can_be_read(seed: int) -> None:
    rng, cited = Random(seed), set[str]()
    state = start(Case(GAME, {"temples": rng.choice(("by-card", "chosen")), "introduce": "optional"}), rng)
    while state.turn is not None:
        cited.update(state.turn.rulings)
        cited.update(ruling for event in state.apply(answer(state, rng)) for ruling in event.rulings)
    outcome = ending.outcome(state)
    assert outcome is not None
    cited.update(outcome.rulings)
    known = {**rulings("turn-of-fate"), **rulings("general")}
    assert cited <= known.keys()
