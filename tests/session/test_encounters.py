"""The encounters of a character in order: each begins with what the last one left."""

from itertools import pairwise
from typing import Any

import pytest

from vaultkit.bots.registry import make_bot
from vaultkit.cards.deck import known_deck
from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame
from vaultkit.games.registry import rules
from vaultkit.games.turn import Move, Rng
from vaultkit.session.deck_of_destiny import EncounterSeries, SurvivalReport, simulate_encounters
from vaultkit.session.options import settle
from vaultkit.session.playout import Lineup


def lineup(strategy: str = "greedy", game: str = "deck-of-destiny", **options: object) -> Lineup:
    played = rules(game)
    deck = known_deck(played.deck)
    assert deck
    return Lineup(played, deck, (strategy,), settle(played, options))


class Watched:
    """A greedy bot that records the inventory at the beginning of each encounter."""

    def __init__(self) -> None:
        self.owned: list[set[str]] = []

    def choose(self, view: Any, game: AnyGame, rng: Rng) -> Move:
        if not view.at.own:
            self.owned.append(set(view.at.inventory))
        return make_bot("greedy").choose(view, game, rng)


def test_dd_2_remaining_cards_are_those_of_the_next_encounter() -> None:
    bot = Watched()
    simulate_encounters(lineup(inventory=7, reward="none"), (bot,), 7, 4)
    assert len(bot.owned) > 1
    assert all(later < earlier for earlier, later in pairwise(bot.owned))


def test_dd_2_inventory_continues_from_encounter_to_encounter() -> None:
    played = lineup(inventory=4, reward="none")
    course = simulate_encounters(played, (make_bot("greedy"),), 7, 8)
    assert course.owned == tuple(sorted(course.owned, reverse=True)), "nothing comes back"
    assert course.owned[-1] == 0 and len(course.owned) == 8, "without cards every encounter is a retreat (DD-4)"


def test_dd_4_drawn_card_allows_a_character_to_continue() -> None:
    dry = simulate_encounters(lineup("random", inventory=1, strength=7), (make_bot("random"),), 1, 6)
    drawn = simulate_encounters(
        lineup("random", inventory=1, strength=7, empty="draw-one"), (make_bot("random"),), 1, 6
    )
    assert dry.owned[-1] == 0 and dry.won <= drawn.won


def test_dd_15_character_with_too_many_cards_has_no_more_encounters() -> None:
    course = simulate_encounters(lineup(keep_on_win="yes", reward=20, strength=1), (make_bot("greedy"),), 1, 12)
    assert 0 < len(course.owned) < 12 and course.owned[-1] > 40
    with pytest.raises(UsageError, match="DD-15"):
        simulate_encounters(lineup(inventory=47), (make_bot("greedy"),), 1, 3)


def test_report_counts_the_owners_of_a_card() -> None:
    lasting = SurvivalReport.from_series([EncounterSeries((3, 0, 0), 1), EncounterSeries((5, 6), 2)], 3)
    assert (lasting.alive, lasting.owned) == ((1.0, 0.5, 0.5), (4.0, 3.0, 3.0))
    assert (lasting.won, lasting.dry) == (1.5, 1)
    assert [row[0] for row in lasting.rows()] == ["1", "2", "3"]
