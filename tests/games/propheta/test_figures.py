"""VA-20 and VA-23: statistics of cards played at random in some thousands of deals.

The figures are for players who lay and play at random and turn up every prophecy that has come true. Tolerances exceed
three standard errors.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from tests.games.conformance import answer
from tests.games.propheta.position import FACTS, begin
from vaultkit.games.propheta import ending, rules
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.turn import Move

pytestmark = pytest.mark.slow
DEALS = 2000


class Found(NamedTuple):
    """Shares of all deals, prophecies or tricks, from 0 to 1; a shared win counts in part."""

    first_leader: float
    level: float
    fulfilled: float
    met: dict[str, float]


def answer_hastily(state: ProphetaState, rng: Random) -> Move:
    """Return a random answer that never passes over a prophecy that has come true."""
    if state.at.phase != "reveal":
        return answer(state, rng)
    moves = state.turn.moves  # type: ignore[union-attr]
    return moves[rng.randrange(max(1, len(moves) - 1))]


def deals(seats: int) -> Iterator[ProphetaState]:
    for number in range(DEALS):
        state, rng = begin(seats).state, Random(f"{number} {seats}")
        while state.turn is not None:
            state.apply(answer_hastily(state, rng))
        yield state


@cache
def measure_deals(seats: int) -> Found:
    first_leader = level = fulfilled = laid = 0.0
    met, tricks = Counter[str](), 0
    for state in deals(seats):
        outcome = ending.outcome(state)
        assert outcome is not None
        first_leader += (state.at.tricks[0].leader in outcome.winners) / len(outcome.winners)
        level += len(outcome.winners) > 1
        fulfilled += sum(map(len, state.at.fulfilled))
        laid += state.rules.predictions * seats
        tricks += len(state.at.tricks)
        for trick in state.at.tricks:
            met.update(rules.met_elements(rules.common_traits(trick.cards, FACTS)))
    often = {element: count / tricks for element, count in met.items()}
    return Found(first_leader / DEALS, level / DEALS, fulfilled / laid, often)


@pytest.mark.parametrize(("seats", "claimed"), [(2, 0.57), (3, 0.40), (4, 0.31)])
def test_va_20_leading_first_is_an_advantage(seats: int, claimed: float) -> None:
    assert measure_deals(seats).first_leader == pytest.approx(claimed, abs=0.035)
    assert measure_deals(seats).first_leader > 1 / seats + 0.03


CONDITIONS = [
    (2, {"Fire": 0.24, "Earth": 0.32, "Air": 0.24, "Water": 0.26}),
    (3, {"Fire": 0.05, "Earth": 0.10, "Air": 0.05, "Water": 0.13}),
    (4, {"Fire": 0.01, "Earth": 0.03, "Air": 0.01, "Water": 0.07}),
]


@pytest.mark.parametrize(("seats", "claimed"), CONDITIONS)
def test_va_23_frequency_of_each_condition_in_a_trick(seats: int, claimed: dict[str, float]) -> None:
    assert measure_deals(seats).met == pytest.approx(claimed, abs=0.012)


@pytest.mark.parametrize(("seats", "claimed"), [(2, 0.77), (3, 0.40), (4, 0.13)])
def test_va_23_number_of_fulfilled_prophecies(seats: int, claimed: float) -> None:
    assert measure_deals(seats).fulfilled == pytest.approx(claimed, abs=0.02)


@pytest.mark.parametrize(("seats", "claimed"), [(2, 0.08), (3, 0.08), (4, 0.15)])
def test_va_23_frequency_of_tied_games(seats: int, claimed: float) -> None:
    assert measure_deals(seats).level == pytest.approx(claimed, abs=0.025)
