"""The bot's rules of thumb in an encounter."""

from random import Random

import pytest

from tests.games.destiny.position import DECK, GAME, Play, begin, complete
from vaultkit.bots import deck_of_destiny as greedy
from vaultkit.bots.search import Luck, RngStream
from vaultkit.games.deck_of_destiny import ending
from vaultkit.games.messages import Outcome
from vaultkit.games.turn import Chance


def choose_move(game: Play) -> str:
    return greedy.choose(game.state.view(0)).id


def play_encounter(seed: int, **options: object) -> Outcome:
    """Play one encounter to its end and return the outcome."""
    state, rng = GAME.new(1, complete(**options), DECK), Random(seed)
    while (turn := state.turn) is not None:
        state.apply(Luck(RngStream(rng)).answer(turn) if isinstance(turn, Chance) else greedy.choose(state.view(0)))
    found = ending.outcome(state)
    assert found is not None
    return found


def wins(games: int = 60, **options: object) -> float:
    return sum(play_encounter(seed, **options).kind == "win" for seed in range(games)) / games


def test_greedy_bot_starts_with_a_pair_and_completes_it() -> None:
    game = begin("KS 7D AC 7H 2S", strength=2)
    assert choose_move(game) == "play 7-hearts"
    game.lay("7H").luck("2C 9D JS")
    assert choose_move(game) == "proceed"
    assert choose_move(game.play("proceed")) == "add 7-diamonds"


def test_no_card_is_added_after_winning_a_passive_encounter() -> None:
    game = begin("KS 7D AC 7H 2S", requires="pair").lay("7H").luck("7C 9D JS").play("proceed").add("KS")
    assert choose_move(game.luck("3C").play("proceed")) == "done"


def test_cards_are_added_towards_the_requested_flush() -> None:
    game = begin("KS KD 4H 9H 2H", requires="flush", passive="exact")
    assert choose_move(game) == "play 9-hearts"
    game.lay("9H").luck("KC 5H 6S").play("proceed")
    assert choose_move(game) == "add 4-hearts"


def test_cards_are_added_towards_the_requested_straight() -> None:
    game = begin("KS KD 6H 8C 2H", requires="straight", passive="exact")
    assert choose_move(game) == "play 8-clubs"
    game.lay("8C").luck("KC 5H 7S").play("proceed")
    assert choose_move(game) == "add 6-hearts"


def test_retreat_that_saves_the_cards_is_chosen_with_a_poor_hand() -> None:
    assert choose_move(begin(strength=6, keep_on_retreat="yes").lay("AS").luck("2C 4D 7H")) == "retreat"
    assert choose_move(begin(strength=6).lay("AS").luck("2C 4D 7H")) == "proceed"
    assert choose_move(begin(strength=6, keep_on_retreat="yes").lay("AS").luck("AC 4D 4H")) == "proceed"


@pytest.mark.slow
def test_rules_of_thumb_win_more_than_random_cards() -> None:
    """DD-20: the rules of thumb win more often than random cards, which win 44 % against strength 1."""
    assert wins(strength=1) > 0.8
    assert wins(requires="three-of-a-kind") > 0.7
    assert wins(requires="straight", passive="exact", inventory=14) > 0.7


@pytest.mark.slow
def test_few_cards_are_spent_on_a_weak_opponent() -> None:
    spent = [play_encounter(seed, strength=1).scores[0]["played"] for seed in range(60)]
    assert sum(spent) / len(spent) < 3.5
