"""The contract of all bots in every playable game: they know only a view, and choose a listed move."""

import inspect
from collections.abc import Iterator
from random import Random
from typing import Any, get_type_hints

import pytest

from tests.counts import count
from tests.games.conformance import Case, answer, deck_of, random_options, start
from vaultkit.bots.registry import make_bot, names
from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.options import resolve
from vaultkit.games.registry import GAMES, rules
from vaultkit.games.turn import Prompt, Rng

GUIDED = [info.id for info in GAMES.values() if info.guide]
"""The games with rules of thumb; in others these bots play at random."""
GAMES_EACH = {name: count(10, 600) for name in ("random", "easy", "greedy")} | {"search:2": count(2, 12)}
"""The number of games for each strategy; a hard bot is a search with a larger budget."""
STRATEGIES = [
    pytest.param(name, game, marks=pytest.mark.slow if name == "search:2" else [])
    for name in GAMES_EACH
    for game in (GAMES if name == "random" else GUIDED)
]
LONGEST = 3000
SEARCHED = 40
"""The number of decisions in a game of a searching bot, which plays on to the end many times for each."""


def decisions(game: AnyGame, name: str, seed: int) -> Iterator[tuple[str, State[Any], Prompt]]:
    """Yield a description, the position and the prompt for each decision of a game, with the bot in all seats."""
    rng, bot = Random(f"{game.id} {name} {seed}"), make_bot(name)
    options = random_options(game, rng)
    state = start(Case(game, options), rng)
    where = f"{game.id}, bot {name}, seed {seed}, {state.seats} seats, {options}"
    left = SEARCHED if name.startswith("search") else LONGEST
    while state.turn is not None and left:
        turn = state.turn
        if isinstance(turn, Prompt):
            left -= 1
            yield where, state, turn
            state.apply(bot.choose(state.view(turn.seat), game, rng))
        else:
            state.apply(answer(state, rng))


@pytest.mark.parametrize("name", names())
def test_bot_gets_a_view_and_never_a_state(name: str) -> None:
    choose = make_bot(name).choose
    assert list(inspect.signature(choose).parameters) == ["view", "game", "rng"]
    hints = get_type_hints(choose)
    assert hints["view"] is View and hints["rng"] is Rng and not issubclass(State, View)


@pytest.mark.parametrize(("typed", "meant"), [("gredy", "greedy"), ("greedyy", "greedy"), ("randon", "random")])
def test_typo_in_a_name_gets_a_suggestion(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_bot(typed)
    assert typed in caught.value.message and caught.value.hint == f"Did you mean '{meant}'?"


def test_unknown_name_gets_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        make_bot("deep-blue")
    assert caught.value.hint == f"Strategies: {', '.join(names())}."


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game_id"), STRATEGIES)
def test_a_bot_chooses_a_listed_move_under_all_options(name: str, game_id: str) -> None:
    game, bot = rules(game_id), make_bot(name)
    for seed in range(GAMES_EACH[name]):
        for where, state, turn in decisions(game, name, seed):
            move = bot.choose(state.view(turn.seat), game, Random(0))
            assert move in turn.moves, f"{move.id} ({where})"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game_id"), STRATEGIES)
def test_equal_views_give_equal_moves_regardless_of_hidden_cards(name: str, game_id: str) -> None:
    """A bot chooses the same move from the true view and from one of a guessed state, and changes neither."""
    game = rules(game_id)
    for seed in range(min(count(4, 100), GAMES_EACH[name])):
        for where, state, turn in decisions(game, name, seed):
            view = state.view(turn.seat)
            guess = game.determinize(view, Random(seed)).view(turn.seat)
            moves = {make_bot(name).choose(seen, game, Random(7)) for seen in (view, guess, view)}
            assert len(moves) == 1, where
            assert view == state.view(turn.seat), where


def test_fair_and_hard_are_the_tested_greedy_and_search_bots() -> None:
    """`fair` and `hard` are the bots that are tested as `greedy` and `search`."""
    assert type(make_bot("fair")) is type(make_bot("greedy"))
    assert type(make_bot("hard")) is type(make_bot("search:2"))


def survivals(name: str, deals: int) -> int:
    """Return how many of the three-player co-operative games the party survives; the deals depend on the seed alone."""
    game, bot, survived = rules("dragon-citadel"), make_bot(name), 0
    for seed in range(deals):
        luck, rng = Random(seed), Random(f"bot {seed}")
        state = game.new(3, resolve(game.options, {}, game.title), deck_of(game))
        while state.turn is not None:
            if isinstance(state.turn, Prompt):
                state.apply(bot.choose(state.view(state.turn.seat), game, rng))
            else:
                state.apply(answer(state, luck))
        outcome = game.outcome(state)
        survived += outcome is not None and outcome.kind == "party"
    return survived


@pytest.mark.slow
def test_sensible_play_survives_clearly_more_often_than_random_play() -> None:
    greedy, at_random = survivals("greedy", 60), survivals("random", 60)
    assert greedy >= at_random + 15, f"greedy {greedy}, random {at_random} of 60"
