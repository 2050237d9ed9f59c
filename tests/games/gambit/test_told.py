"""The log of a finished game of Prophet's Gambit."""

from random import Random

from tests.games.conformance import answer
from tests.games.gambit.position import GAME, Play, new_game
from vaultkit.games.turn import Move


def play_game(seed: int, seats: int = 4) -> Play:
    rng, game = Random(seed), new_game(seats)
    while game.turn is not None:
        game.apply(answer(game.state, rng))
    return game


def names(seat: int) -> str:
    return "ABCDE"[seat]


def test_g_12_the_score_sheet_has_no_single_number() -> None:
    outcome = play_game(1).outcome
    assert all(outcome.score(seat) is None for seat in range(len(outcome.scores)))


def test_g_12_every_seat_has_its_own_place_and_one_wins() -> None:
    for seed in range(30):
        outcome = play_game(seed, 3 + seed % 3).outcome
        assert sorted(outcome.ranks) == list(range(1, len(outcome.ranks) + 1))
        assert outcome.winners == (outcome.ranks.index(1),)


def test_every_move_can_be_rendered() -> None:
    offered: set[Move] = set()
    for seed in range(30):
        rng, game = Random(seed), new_game(5)
        while game.turn is not None:
            offered.update(getattr(game.turn, "moves", ()))
            game.apply(answer(game.state, rng))
    spoken = {GAME.label(move).render(names, str) for move in offered}
    assert {
        "Kill the Focus",
        "Keep the Fate",
        "Draw a card, then discard one",
        "B must play the highest numbered card",
    } <= spoken
