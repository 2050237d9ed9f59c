"""Statistics of many games: wins by seat, ends by the Donjon, and reshuffled decks."""

from dataclasses import dataclass, field
from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.gambit.position import DECK, GAME, B, complete
from vaultkit.games.messages import Event
from vaultkit.games.prophets_gambit import ending
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.turn import Move, Prompt

pytestmark = pytest.mark.slow

RISK_RATE = 0.25
"""The rate of Risks among the decisions that allow one; draws are always taken, other moves are random."""


@dataclass
class Tally:
    """Counts over `games`, in which B sits at the dealer's left."""

    games: int
    left_of_dealer: int = 0
    donjon: int = 0
    reshuffles: int = 0
    tied: int = 0
    masters: int = 0
    vain_marionettes: int = 0
    events: list[Event] = field(default_factory=list)

    def count(self, state: GambitState) -> None:
        outcome = ending.outcome(state)
        assert outcome is not None
        strengths = [parts["strength"] for parts in outcome.scores]
        kinds = {(event.kind, "G-5" in event.rulings) for event in self.events}
        self.left_of_dealer += outcome.winners == (B,)
        self.donjon += outcome.kind == "donjon"
        self.reshuffles += state.at.reshuffles
        self.tied += strengths.count(max(strengths)) > 1
        self.vain_marionettes += ("marionette", True) in kinds
        self.masters += any(event.kind == "round" and "nobody shows" in event.sentence.words for event in self.events)

    def rate(self, name: str) -> float:
        """Return a count per hundred games."""
        return 100 * float(getattr(self, name)) / self.games


def choose_move(prompt: Prompt, rng: Random) -> Move:
    """Choose a random move: a Risk at RISK_RATE, and always the draw that a play has earned."""
    risks = [move for move in prompt.moves if move.verb == "risk"]
    if risks:
        wanted = "risk" if rng.random() < RISK_RATE else "play"
        return rng.choice([move for move in prompt.moves if move.verb == wanted])
    return next((move for move in prompt.moves if move.verb == "draw-one"), rng.choice(prompt.moves))


def tally(seats: int, games: int, **options: object) -> Tally:
    """Play `games` with A as the dealer, and return the counts."""
    found = Tally(games)
    for number in range(games):
        rng = Random(f"{seats} {number}")
        state = GAME.new(seats, complete(dealer=0, **options), DECK)
        found.events = []
        while state.turn is not None:
            turn = state.turn
            found.events += state.apply(choose_move(turn, rng) if isinstance(turn, Prompt) else answer(state, rng))
        found.count(state)
    return found


@pytest.mark.parametrize(("seats", "by_ranks", "by_seats"), [(3, 34, 56), (4, 25, 46), (5, 20, 40)])
def test_pg_7_ranks_make_the_seats_fair_and_categories_alone_do_not(seats: int, by_ranks: int, by_seats: int) -> None:
    ranks, literal = tally(seats, 1500), tally(seats, 1500, tie_compare="category-only")
    assert abs(ranks.rate("left_of_dealer") - by_ranks) < 4
    assert abs(literal.rate("left_of_dealer") - by_seats) < 4
    assert 44 < ranks.rate("tied") < 58


@pytest.mark.parametrize(("seats", "donjon", "reshuffles"), [(3, 10, 0.0), (4, 14, 0.01), (5, 17, 0.74)])
def test_pg_11_pg_20_frequency_of_reshuffles_and_of_a_donjon_ending(seats: int, donjon: int, reshuffles: float) -> None:
    found = tally(seats, 2000)
    assert abs(found.rate("donjon") - donjon) < 3
    assert found.rate("reshuffles") / 100 == pytest.approx(reshuffles, abs=0.06)


def test_pg_4_pg_28_hands_of_masters_only_and_marionettes_without_a_target_are_rare() -> None:
    found = tally(3, 4000)
    assert found.rate("masters") < 0.3
    assert abs(found.rate("vain_marionettes") - 3) < 1.2
