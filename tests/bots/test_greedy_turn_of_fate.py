"""The rules of thumb for Turn of Fate: each one, and that they beat chance."""

from random import Random

import pytest

from tests.games.conformance import answer, deck_of
from tests.games.fate.position import GAME, B, Play, arrange_game, begin
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.games.options import resolve
from vaultkit.games.turn import Prompt
from vaultkit.games.turn_of_fate import ending


def choose_move(game: Play) -> str:
    return make_bot("greedy").choose(game.state.view(game.asked), GAME, Random(0)).id


def test_vows_are_preferred() -> None:
    assert choose_move(arrange_game(("6lk 8wl 5ml", ""), agora="4wl")) == "play 6lk 4wl"


def test_most_valuable_citizen_is_brought_in() -> None:
    assert choose_move(arrange_game(("9ms", ""), agora="8ms, 3sk")) == "play 9ms 8ms"


def test_winning_over_a_rivals_citizen_is_preferred_to_driving_it_off() -> None:
    assert choose_move(arrange_game(("", "2sy 7sk"), mover=B, congregations=("8ms", ""))) == "play 2sy 8ms"


def test_crown_is_saved_where_any_other_card_is_enough() -> None:
    assert choose_move(arrange_game(("Xl 6lk", ""), agora="4wl")) == "play 6lk 4wl"


def test_citizens_the_rival_cannot_match_are_preferred() -> None:
    """A bot locks a Soldier with the Ace of Wyrms, though the Desert would win it too but leave it open to any Sun."""
    assert choose_move(arrange_game(("", "Ay 2sy"), mover=B, agora="5yk 8yk 4yk")) == "play Ay 5yk"


def test_cards_are_rarely_held_back_to_draw_more() -> None:
    game = arrange_game(("", "4yk"), mover=B, congregations=("", "5yk"))
    assert choose_move(game) == "pass"
    assert choose_move(arrange_game(("", "4yk"), mover=B, congregations=("", "5yk"), deck="")) == "play 4yk 5yk"


def test_wild_crown_takes_the_rivals_best_citizen() -> None:
    game = arrange_game(("", "Ak Xy 4yk"), mover=B, congregations=("8ms 9ms, 2mk", ""))
    assert choose_move(game) == "wild Ak Xy 8ms"


def test_a_card_is_not_held_back_for_long() -> None:
    """A bot plays a card for a Citizen, although holding it back would earn two draws."""
    assert choose_move(arrange_game(("5ml", ""), agora="9lk")) == "play 5ml 9lk"


@pytest.mark.parametrize(("coming", "move"), [("2mk 6mw", "introduce"), ("5yk 3ly", "pass")])
def test_citizens_are_introduced_unless_they_favour_the_rival(coming: str, move: str) -> None:
    game = arrange_game(("9ms", ""), agora="9lk", deck="", citizens=coming, introduce="optional")
    game.play("pass")
    assert choose_move(game) == move


def test_temple_with_the_best_results_is_chosen() -> None:
    assert choose_move(begin("0", temples="chosen")) == "temple Wyrms"


def points(bots: tuple[Bot, Bot], seed: int) -> float:
    """Return the first bot's result in one deal: 1 for a win, 0.5 for a shared win."""
    luck, rng = Random(seed), Random(f"bot {seed}")
    state = GAME.new(2, resolve(GAME.options, {}, GAME.title), deck_of(GAME))
    while state.turn is not None:
        turn = state.turn
        if isinstance(turn, Prompt):
            state.apply(bots[turn.seat].choose(state.view(turn.seat), GAME, rng))
        else:
            state.apply(answer(state, luck))
    outcome = ending.outcome(state)
    assert outcome is not None
    return (0 in outcome.winners) / len(outcome.winners)


@pytest.mark.slow
def test_sensible_play_beats_random_play_clearly() -> None:
    greedy, at_random = make_bot("greedy"), make_bot("random")
    won = sum(points((greedy, at_random), seed) + 1 - points((at_random, greedy), seed) for seed in range(20))
    assert won >= 34, f"{won} of 40"


@pytest.mark.parametrize(("ahead", "move"), [("8ms", "pass"), ("", "play 5ml 9lk")])
def test_game_is_ended_only_by_the_leader(ahead: str, move: str) -> None:
    """A bot passes a second time, which ends the game, only when it leads; the rival's Soldier counts 5."""
    game = arrange_game(
        ("5ml", ""), congregations=("", "5yk"), vowed=(ahead, ""), agora="9lk", deck="", citizens="", idle=1
    )
    assert choose_move(game) == move


@pytest.mark.parametrize(("own", "rivals", "move"), [("8ms", "5yk", "play Xw 6mw"), ("", "5yk 8yk 4yk", "pass")])
def test_the_last_citizen_takes_vows_only_if_that_wins(own: str, rivals: str, move: str) -> None:
    game = arrange_game(("Xw", ""), congregations=("6mw", ""), vowed=(own, rivals), deck="5ml", citizens="")
    assert choose_move(game) == move
