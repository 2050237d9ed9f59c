"""Searching bots end their own game early only if that has proved better than going on."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.games.citadel.position import arrange_rivals
from tests.games.conformance import deck_of
from tests.games.fate import position as fate
from tests.games.gambit import position as gambit
from vaultkit.bots.greedy_choice import GreedyBot
from vaultkit.bots.registry import make_bot
from vaultkit.bots.search import SearchBot
from vaultkit.bots.search_tree import rewards
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.messages import Outcome, Seat, Sentence
from vaultkit.games.registry import rules
from vaultkit.games.turn import Chance, Move, Prompt, Rng, draw_move
from vaultkit.session.options import settle

CITADEL = rules("dragon-citadel")

TRIALS = 12
"""The number of sampled positions, consistent with a view, in which a test plays a move."""

LIKELY, UNLIKELY = 0.75, 0.25


def answer_luck(turn: Chance, rng: Random) -> Move:
    """Return a random answer to a chance event."""
    if turn.options:
        return draw_move(rng.choice(turn.options))
    unknown = rng.sample(turn.pile.unknown, min(turn.count, len(turn.pile.unknown)))
    return draw_move(*unknown, *turn.pile.bottom[: turn.count - len(unknown)])


def loss_rate(game: AnyGame, view: View, move: Move) -> float:
    """Return how often a move loses the game or puts the seat out before its next decision after a chance event.

    A co-operative party loses together.
    """
    lost, fair, together = 0, make_bot("fair"), view.prompt is not None and view.prompt.party
    for trial in range(TRIALS):
        rng = Random(trial)
        state: State[Any] = game.determinize(view, rng)
        state.apply(move)
        luck = False
        while (turn := state.turn) is not None and (together or not _is_out(game, state, view.seat)):
            if isinstance(turn, Prompt) and turn.seat == view.seat and luck:
                break
            luck = luck or isinstance(turn, Chance)
            is_chance = isinstance(turn, Chance)
            state.apply(answer_luck(turn, rng) if is_chance else fair.choose(state.view(turn.seat), game, rng))  # type: ignore[arg-type]
        outcome = game.outcome(state)
        carried = game.carry(outcome) if outcome else None
        has_lost = outcome is not None and view.seat not in outcome.winners and not (carried and carried[0])
        lost += has_lost or (not together and _is_out(game, state, view.seat))
    return lost / TRIALS


def _is_out(game: AnyGame, state: State[Any], seat: Seat) -> bool:
    return any(one.out for one in game.standing(state.view(seat)) if one.seat == seat)


Danger = tuple[View, dict[Move, float]]


def dangerous_decisions(game: AnyGame, seats: int, options: Mapping[str, object], seed: int) -> Iterator[Danger]:
    """Yield the decisions of fair bots in which one move probably ends the seat's game and another does not."""
    rng, fair = Random(seed), make_bot("fair")
    state = game.new(seats, settle(game, options), deck_of(game))
    while (turn := state.turn) is not None:
        if isinstance(turn, Chance):
            state.apply(answer_luck(turn, rng))
            continue
        view = state.view(turn.seat)
        if len(turn.moves) > 1:
            found = {move: loss_rate(game, view, move) for move in turn.moves}
            if max(found.values()) >= LIKELY and min(found.values()) <= UNLIKELY:
                yield view, found
        state.apply(fair.choose(view, game, rng))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "seats", "options", "seeds", "least"),
    [
        ("dragon-citadel", 3, {"mode": "competitive"}, range(count(3, 60)), 6),
        ("dragon-citadel", 4, {"mode": "competitive"}, range(count(2, 60)), 6),
        ("dragon-citadel", 3, {"mode": "coop"}, range(count(5, 60)), 3),
        ("turn-of-fate", 2, {}, range(3, count(7, 100)), 3),
        ("prophets-gambit", 3, {}, range(count(4, 100)), 3),
    ],
)
def test_move_likely_to_end_the_own_game_is_not_preferred_to_a_safe_one(
    game_id: str, seats: int, options: Mapping[str, object], seeds: range, least: int
) -> None:
    game, positions = rules(game_id), 0
    for seed in seeds:
        for number, (view, found) in enumerate(dangerous_decisions(game, seats, options, seed)):
            move = make_bot("hard").choose(view, game, Random(number))
            assert found[move] < LIKELY, (seed, view.prompt, found)
            positions += 1
    assert positions >= least, "enough positions have a move that saves the seat"


class Misled(GreedyBot):
    """A greedy bot that advises a given move at the first position, and its usual choice afterwards."""

    def __init__(self, move: Move) -> None:
        super().__init__()
        self._move: Move | None = move

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        move, self._move = self._move, None
        return move or super().choose(view, game, rng)


def choices(game: AnyGame, view: View, advised: str) -> set[str]:
    """Return the choices of a hard bot and of short searches whose rules of thumb advise the given move."""
    searches = (SearchBot(budget, guide=Misled(Move.parse(advised))) for budget in (4, 12, 40))
    few = {bot.choose(view, game, Random(0)).id for bot in searches}
    return few | {make_bot("hard").choose(view, game, Random(seed)).id for seed in range(3)}


@pytest.mark.slow
def test_dc_22_an_open_crown_is_spent_where_a_pass_loses_the_game_at_once() -> None:
    """DC-22: B leads by far but would forfeit all its points by passing; A would be the last one left."""
    hands = ("beast 3-swords", "4-stars 5-stars 6-stars 7-stars 2-stars")
    game = arrange_rivals("ghost", hands, crowns={1: "raven"}, won={1: "9-coins 8-coins 7-coins 6-coins 9-glyphs"})
    while {move.verb for move in game.prompt.moves} != {"crown", "pass"}:
        game.apply(next(move for move in game.prompt.moves if move.verb != "joker"))
    view = game.state.view(1)
    assert loss_rate(CITADEL, view, Move("pass")) == 1
    assert choices(CITADEL, view, "pass") == {"crown raven"}


def test_dc_31_forfeited_player_gains_nothing_by_points() -> None:
    """DC-31: B forfeits with the most points, and its reward is no higher than that of C, who comes last."""
    scores = tuple({"total": total, "survived": total != 40} for total in (12, 40, 10))
    won = Outcome("score", (0,), Sentence("Over."), (), scores, (1, 3, 2))
    first, out, last = rewards(won, CITADEL)
    assert out <= last < first


def test_tf_23_a_pass_that_ends_a_lost_game_is_not_chosen_while_a_fate_can_be_played() -> None:
    game = fate.arrange_game(("9ms", "2sy"), agora="8ms", citizens="", deck="", idle=1, vowed=("", "3sk"))
    view = game.state.view(game.prompt.seat)
    assert loss_rate(fate.GAME, view, Move("pass")) == 1
    assert "pass" not in choices(fate.GAME, view, "pass")


@pytest.mark.slow
def test_pg_36_focus_is_not_killed_by_the_player_it_makes_win() -> None:
    hands = ["9-coins 9-swords 4-glyphs", "8-coins 8-swords 7-glyphs", "6-coins 6-swords 5-glyphs"]
    game = gambit.begin_execution(hands, fates="2-stars 8-glyphs 1-stars", focus="9-glyphs", kept={0: "executioner"})
    game.state.learn(0, *game.state.at.hands[1], "8-glyphs", *game.state.at.hands[2], "1-stars")
    view = game.state.view(0)
    assert loss_rate(gambit.GAME, view, Move("kill")) == 1 and loss_rate(gambit.GAME, view, Move("save")) == 0
    assert choices(gambit.GAME, view, "kill") == {"save"}
