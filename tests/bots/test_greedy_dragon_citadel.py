"""The rules of thumb for Dragon Citadel: each one, and that they beat chance."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from tests.games.citadel.position import DECK, A, B, C, Play, arrange_game
from tests.games.conformance import answer
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.games.dragon_citadel import ending
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.messages import Outcome
from vaultkit.games.options import resolve
from vaultkit.games.turn import Chance

GAME = DragonCitadel()


def turn_up(card: str, hands: Mapping[int, str], **rest: Any) -> Play:
    return arrange_game(card, tuple(hands.get(seat, "") for seat in range(3)), **rest)


def choose_move(game: Play) -> str:
    return make_bot("greedy").choose(game.state.view(game.asked), GAME, Random(0)).id


def test_cheapest_winning_number_is_played() -> None:
    assert (
        choose_move(turn_up("6-swords", {A: "8-swords", B: "7-swords master-swords", C: "raven 5-swords"}))
        == "play 7-swords"
    )


def test_lost_round_is_preferred_to_losing_a_hero_or_a_crown() -> None:
    assert choose_move(turn_up("6-swords", {A: "master-swords", B: "raven", C: "2-swords 5-swords"})) == "play 2-swords"
    assert choose_move(turn_up("6-swords", {A: "raven", B: "master-swords"})) == "play master-swords"


def test_wins_are_distributed_among_the_party() -> None:
    hands = {A: "7-swords", B: "8-swords"}
    assert choose_move(turn_up("6-swords", hands)) == "play 7-swords"
    assert choose_move(turn_up("6-swords", hands, won={A: "1-stars 2-stars 3-stars"})) == "play 8-swords"


def test_heroes_are_answered_with_heroes_and_crowns_last() -> None:
    assert choose_move(turn_up("master-stars", {A: "raven 9-stars 2-stars"})) == "play 2-stars"
    assert choose_move(turn_up("ghost", {A: "raven master-stars"})) == "play master-stars"


def test_open_crown_saves_a_fellow_player() -> None:
    game = turn_up("ghost", {A: "raven", B: "beast"}, crowns={A: "mists"})
    game.play("play raven", "play beast")
    assert choose_move(game) == "crown mists"


def test_open_crown_is_saved_where_it_cannot_cover_everybody() -> None:
    game = turn_up("ghost", {A: "raven"}, crowns={A: "mists"})
    game.play("play raven")
    assert choose_move(game) == "pass"


def test_least_useful_seat_forfeits() -> None:
    game = turn_up("master-stars", {A: "1-stars", B: "1-coins 1-glyphs 2-coins", C: "raven"})
    game.play("play 1-stars", "play raven")
    assert game.out == [B]
    game = turn_up("ghost", {A: "raven", B: "9-coins", C: "1-coins 2-coins 3-coins 1-glyphs 2-glyphs"})
    game.play("play raven")
    assert choose_move(game) == "forfeit 2"


def test_seer_is_not_played_while_the_party_can_survive() -> None:
    assert choose_move(turn_up("6-swords", {A: "seer 2-swords"})) != "joker"
    assert choose_move(turn_up("6-swords", {A: "seer"})) != "joker"
    assert choose_move(turn_up("6-swords", {A: "seer"}, mode="competitive")) != "joker"


def test_seer_is_played_when_defeat_is_near_or_where_it_wins() -> None:
    assert choose_move(turn_up("6-swords", {A: "seer"}, out=(B, C))) == "joker"
    assert choose_move(turn_up("6-swords", {A: "seer"}, out=(B, C), seer="dealer-wins")) != "joker"
    assert choose_move(turn_up("6-swords", {A: "seer 7-swords"}, seer="party-wins")) == "joker"


def test_rivals_get_no_crowns() -> None:
    game = turn_up("ghost", {A: "raven", B: "beast"}, crowns={A: "mists"}, mode="competitive")
    game.play("play raven", "play beast", "pass")
    assert game.asked == A and choose_move(game) == "pass"
    game = turn_up("ghost", {A: "raven", B: "beast"}, crowns={C: "mists"}, mode="competitive")
    game.play("play raven", "play beast", "pass")
    assert game.asked == C and choose_move(game) == "crown mists"


@pytest.mark.parametrize(
    ("hand", "bid"), [("7-swords 9-swords", "bid 7-swords"), ("2-swords", "pass"), ("5-swords", "bid 5-swords")]
)
def test_sealed_bids(hand: str, bid: str) -> None:
    assert choose_move(turn_up("6-swords", {A: hand}, mode="competitive")) == bid


def test_ascending_bids_are_the_lowest_that_win() -> None:
    game = turn_up("6-swords", {A: "2-swords 7-swords", B: "8-swords"}, mode="competitive", bidding="ascending")
    assert choose_move(game) == "bid 7"
    game.play("bid 2")
    assert choose_move(game) == "bid 8"


def test_the_highest_number_is_thrown() -> None:
    assert choose_move(turn_up("6-swords", {A: "3-coins 9-coins 8-coins master-coins 2-coins"})) == "throw 9-coins"


def greedy_game(seats: int, seed: int, bots: list[Bot], **given: object) -> Outcome:
    rng = Random(seed)
    state = GAME.new(seats, resolve(GAME.options, given, GAME.title), DECK)
    while state.turn is not None:
        if isinstance(state.turn, Chance):
            state.apply(answer(state, rng))
        else:
            state.apply(bots[state.turn.seat].choose(state.view(state.turn.seat), GAME, rng))
    outcome = ending.outcome(state)
    assert outcome is not None
    return outcome


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "claimed"), [(2, 0.44), (3, 0.69), (4, 0.86), (5, 0.96)])
def test_dc_3_more_players_are_safer(seats: int, claimed: float) -> None:
    greedy = [make_bot("greedy")] * seats
    games = 150
    survived = sum(greedy_game(seats, seed, greedy, min_players=2).kind == "party" for seed in range(games))
    assert survived / games == pytest.approx(claimed, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("bidding", ["sealed", "ascending"])
def test_greedy_beats_random_in_competitive_play(bidding: str) -> None:
    wins, games = 0, 90
    for seed in range(games):
        bots = [make_bot("random") for _ in range(3)]
        bots[seed % 3] = make_bot("greedy")
        wins += seed % 3 in greedy_game(3, seed, bots, mode="competitive", bidding=bidding).winners
    assert wins / games > 0.5, "a third would be chance"
