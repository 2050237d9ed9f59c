"""The rules of thumb for Propheta: each one, and that they beat chance."""

from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.propheta.position import DECK, GAME, B, Play, arrange_game, complete
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.games.propheta import ending
from vaultkit.games.propheta.state import PREDICT
from vaultkit.games.turn import Chance


def choose_move(game: Play) -> str:
    return make_bot("greedy").choose(game.state.view(game.asked), GAME, Random(0)).id


def begin_laying(*hands: str) -> Play:
    """Return a game in which each seat is about to lay prophecies from its hand."""
    game = arrange_game(hands)
    game.state.at.phase = PREDICT
    return game


def test_scraps_make_cheap_prophecies() -> None:
    assert choose_move(begin_laying("Capricorn Goat, Capricorn Scrap", "Aries Scrap")) == "predict capricorn-scrap-1"


def test_two_players_choose_cardinal_prophecies_and_four_those_of_losers() -> None:
    signs = "Cancer Scrap, Scorpio Scrap, Pisces Scrap"
    assert choose_move(begin_laying(signs, "Aries Scrap")) == "predict cancer-scrap-1"
    assert choose_move(begin_laying(signs, "Aries Scrap", "Aries Ram", "Leo Lion")) == "predict scorpio-scrap-1"


def test_last_card_is_chosen_to_fulfil_the_prophecy() -> None:
    game = arrange_game(("Leo Scrap", "Aries Ram, Libra 2, Taurus Scrap"), {B: "Gemini Scrap, Aries Scrap"})
    game.play("Leo Scrap")
    assert choose_move(game) == "play aries-animal", "fire, and the trick with it"


def test_trick_is_lost_on_purpose_for_a_prophecy() -> None:
    game = arrange_game(("Leo Lion", "Aries Ram, Aries Ribbon, Aquarius 7"), {B: "Leo Scrap"})
    game.play("Leo Lion")
    assert choose_move(game) == "play aries-ribbon"


def test_cheapest_winning_card_is_played_without_a_prophecy() -> None:
    game = arrange_game(("Leo Scrap", "Aries Ram, Aries Ribbon, Taurus Scrap"))
    game.play("Leo Scrap")
    assert choose_move(game) == "play aries-ribbon"


def test_least_valuable_card_is_played_to_a_lost_trick() -> None:
    game = arrange_game(("Aquarius 7", "Aries Ram, Aries Ribbon, Taurus Scrap"))
    game.play("Aquarius 7")
    assert choose_move(game) == "play taurus-scrap-1"


def test_most_valuable_prophecy_is_turned_up() -> None:
    game = arrange_game(("Leo Lion", "Aries Ram"), {B: "Sagittarius Scrap, Aries Scrap"})
    game.play("Leo Lion, Aries Ram")
    assert choose_move(game) == "reveal aries-scrap-1"


def share(bots: list[Bot], count: int, **given: object) -> float:
    """Return the share of games won by the first bot as the seats rotate; a shared win counts in part."""
    seats, won = len(bots), 0.0
    for number in range(count):
        shift, rng = number % seats, Random(number)
        state = GAME.new(seats, complete(**given), DECK)
        while (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                state.apply(answer(state, rng))
            else:
                state.apply(bots[(turn.seat - shift) % seats].choose(state.view(turn.seat), GAME, rng))
        outcome = ending.outcome(state)
        assert outcome is not None
        won += (shift in outcome.winners) / len(outcome.winners)
    return won / count


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "least"), [(2, 0.85), (3, 0.7), (4, 0.5)])
def test_sensible_play_beats_random_play(seats: int, least: float) -> None:
    bots = [make_bot("greedy"), *(make_bot("random") for _ in range(seats - 1))]
    assert share(bots, 60) > least
