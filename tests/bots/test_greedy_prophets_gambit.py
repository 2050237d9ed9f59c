"""The rules of thumb for Prophet's Gambit: each one, and that they beat chance."""

from random import Random

import pytest

from tests.games.conformance import answer, deck_of
from tests.games.gambit.position import GAME, A, B, Play, arrange_game, begin_execution
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.games.options import resolve
from vaultkit.games.prophets_gambit import ending
from vaultkit.games.prophets_gambit.rounds import FatePrivilege, Turns
from vaultkit.games.turn import Prompt

PAIRS = "9-swords 9-stars 9-coins 1-glyphs 3-stars"
"""A hand with three 9s that are worth keeping."""

LOW = "1-swords 2-swords 3-swords 4-swords 5-coins"


def choose_move(game: Play) -> str:
    return make_bot("greedy").choose(game.state.view(game.asked), GAME, Random(0)).id


def test_card_that_does_not_fit_the_rest_is_played_and_draws_are_preferred() -> None:
    game = arrange_game([PAIRS, "", ""], shown="2-glyphs 8-coins 4-glyphs", fates="9-glyphs", waiting=(A,))
    assert choose_move(game) in {"play 1-glyphs", "play 3-stars"}
    game.play("play 1-glyphs")
    assert choose_move(game) == "draw-one"


def test_good_hand_avoids_the_high_deck() -> None:
    game = arrange_game([PAIRS, "", ""], shown="9-glyphs 8-coins 2-glyphs", waiting=(A,))
    assert choose_move(game).startswith("play")


def test_card_not_needed_for_the_best_three_is_discarded() -> None:
    game = arrange_game([PAIRS, "", ""], waiting=(A,), common="2-coins 4-coins")
    game.risk("3-stars", "horseman")
    game.luck("2-coins", "4-coins")
    assert choose_move(game) not in {f"discard 9-{suit}" for suit in ("swords", "stars", "coins")}


def test_fitting_fate_stays_and_another_is_replaced() -> None:
    hand = "9-swords 9-stars 9-coins 1-glyphs"
    for fate, move in (("9-glyphs", "keep"), ("2-coins", "replace")):
        game = arrange_game(
            [hand, "", ""], fates=fate, focus="7-coins", steps=[Turns(), FatePrivilege(A)], waiting=(A,)
        )
        assert choose_move(game) == move


@pytest.mark.parametrize(("focus", "move"), [("9-glyphs", "save"), ("2-coins", "kill")])
def test_focus_is_saved_if_it_improves_the_hand(focus: str, move: str) -> None:
    hands = ["9-swords 9-stars 7-coins", "1-stars 3-coins 4-glyphs", "2-stars 6-glyphs 8-coins"]
    game = begin_execution(hands, shown="8-swords 1-coins 1-glyphs", fates="4-swords", focus=focus)
    assert game.asked == A and choose_move(game) == move


def test_darklord_takes_the_most_harmful_card() -> None:
    game = arrange_game([LOW, PAIRS, ""], shown="2-glyphs 8-swords 7-glyphs", focus="1-coins", waiting=(A,))
    game.risk("1-swords", "darklord")
    assert choose_move(game) == "target 1"
    game.play("target 1")
    assert choose_move(game) in {"demand 9-swords", "demand 9-stars", "demand 9-coins"}


def test_marionette_makes_a_player_give_up_the_highest_number() -> None:
    game = arrange_game([LOW, "", ""], shown="2-glyphs 8-swords 7-glyphs", waiting=(A, B, 2))
    game.risk("1-swords", "marionette")
    assert choose_move(game) == "order 1 lowest"


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
