"""The rules of thumb for Prophet's Gambit: each one, and that they beat chance."""

from random import Random

import pytest

from tests.games.conformance import answer, deck_of
from tests.games.gambit.position import GAME, A, B, Play, at_execution, standing
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.games.options import resolve
from vaultkit.games.prophets_gambit import ending
from vaultkit.games.prophets_gambit.rounds import FatePrivilege, Turns
from vaultkit.games.turn import Prompt

PAIRS = "9-swords 9-stars 9-coins 1-glyphs 3-stars"
"""A hand with three 9s that are worth keeping."""

LOW = "1-swords 2-swords 3-swords 4-swords 5-coins"


def chosen(game: Play) -> str:
    return make_bot("greedy").choose(game.state.view(game.asked), GAME, Random(0)).id


def test_what_does_not_go_with_the_rest_is_played_and_a_draw_is_welcome() -> None:
    game = standing([PAIRS, "", ""], shown="2-glyphs 8-coins 4-glyphs", fates="9-glyphs", waiting=(A,))
    assert chosen(game) in {"play 1-glyphs", "play 3-stars"}
    game.play("play 1-glyphs")
    assert chosen(game) == "draw-one"


def test_a_good_hand_keeps_away_from_the_high_deck() -> None:
    game = standing([PAIRS, "", ""], shown="9-glyphs 8-coins 2-glyphs", waiting=(A,))
    assert chosen(game).startswith("play")


def test_a_card_is_discarded_that_the_best_three_can_do_without() -> None:
    game = standing([PAIRS, "", ""], waiting=(A,), common="2-coins 4-coins")
    game.risk("3-stars", "horseman")
    game.luck("2-coins", "4-coins")
    assert chosen(game) not in {f"discard 9-{suit}" for suit in ("swords", "stars", "coins")}


def test_a_fate_that_fits_is_kept_and_one_that_does_not_replaced() -> None:
    hand = "9-swords 9-stars 9-coins 1-glyphs"
    for fate, move in (("9-glyphs", "keep"), ("2-coins", "replace")):
        game = standing([hand, "", ""], fates=fate, focus="7-coins", steps=[Turns(), FatePrivilege(A)], waiting=(A,))
        assert chosen(game) == move


@pytest.mark.parametrize(("focus", "move"), [("9-glyphs", "save"), ("2-coins", "kill")])
def test_the_focus_is_saved_if_it_makes_the_hand_better(focus: str, move: str) -> None:
    hands = ["9-swords 9-stars 7-coins", "1-stars 3-coins 4-glyphs", "2-stars 6-glyphs 8-coins"]
    game = at_execution(hands, shown="8-swords 1-coins 1-glyphs", fates="4-swords", focus=focus)
    assert game.asked == A and chosen(game) == move


def test_the_darklord_takes_what_hurts_most() -> None:
    game = standing([LOW, PAIRS, ""], shown="2-glyphs 8-swords 7-glyphs", focus="1-coins", waiting=(A,))
    game.risk("1-swords", "darklord")
    assert chosen(game) == "target 1"
    game.play("target 1")
    assert chosen(game) in {"demand 9-swords", "demand 9-stars", "demand 9-coins"}


def test_the_marionette_gives_up_the_highest_number() -> None:
    game = standing([LOW, "", ""], shown="2-glyphs 8-swords 7-glyphs", waiting=(A, B, 2))
    game.risk("1-swords", "marionette")
    assert chosen(game) == "order 1 lowest"


def wins(seats: int, games: int) -> float:
    """Return the share of games that one greedy bot wins against random ones, in each seat equally often."""
    bot, rest, won = make_bot("greedy"), make_bot("random"), 0
    for seed in range(games):
        luck, rng, seat = Random(seed), Random(f"bot {seed}"), seed % seats
        state = GAME.new(seats, resolve(GAME.options, {}, GAME.title), deck_of(GAME))
        while state.turn is not None:
            turn = state.turn
            if isinstance(turn, Prompt):
                player: Bot = bot if turn.seat == seat else rest
                state.apply(player.choose(state.view(turn.seat), GAME, rng))
            else:
                state.apply(answer(state, luck))
        outcome = ending.outcome(state)
        won += outcome is not None and seat in outcome.winners
    return won / games


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    assert wins(3, 60) > 0.55
