"""The author's figures, counted from the deck (TF-31, TF-32)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from random import Random
from statistics import mean

import pytest

from tests.games.conformance import answer
from tests.games.fate.position import CARDS, DECK, GAME, complete
from vaultkit.bots.registry import make_bot
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.turn_of_fate import ending
from vaultkit.games.turn_of_fate.rules import FIRST_TO_MOVE, PASS, RIVAL, citizen_points
from vaultkit.games.turn_of_fate.state import FateView

EVERY = (*CARDS.citizens, *CARDS.fates)


@pytest.mark.parametrize(
    ("suit", "people", "points"), [("Moons", 4, 26), ("Wyrms", 3, 14), ("Suns", 4, 27), ("Leaves", 3, 16)]
)
def test_tf_31_personalities_of_a_temple_and_their_value(suit: str, people: int, points: int) -> None:
    own = [citizen for citizen in CARDS.citizens if suit in CARDS.suits[citizen]]
    assert (len(own), sum(CARDS.value[citizen] for citizen in own)) == (people, points)


def test_tf_31_waves_have_only_two_personalities() -> None:
    assert {citizen for citizen in CARDS.citizens if "Waves" in CARDS.suits[citizen]} == {"4wl", "6mw"}


def share_suit(one: str, other: str) -> bool:
    return not set(CARDS.suits[one]).isdisjoint(CARDS.suits[other])


def bears_suit(card: str, suit: str) -> bool:
    return suit in CARDS.suits[card]


def pairs_of_ten() -> Iterator[tuple[str, ...]]:
    """Yield the Fates of each pair of cards that makes ten.

    A pair shares a suit, contains a Fate and no Ace, and is unordered.
    """
    for one, other in combinations(EVERY, 2):
        fates = tuple(card for card in (one, other) if card in CARDS.fates)
        ten = CARDS.value[one] + CARDS.value[other] == 10
        if ten and fates and share_suit(one, other) and not CARDS.aces & {one, other}:
            yield fates


@pytest.mark.parametrize(("temple", "count"), [("Moons", 11), ("Wyrms", 11), ("Suns", 10), ("Leaves", 10)])
def test_tf_32_the_printed_totals(temple: str, count: int) -> None:
    """TF-32: the printed totals count the pairs with a Fate of either temple of the rivalry."""
    either = (temple, RIVAL[temple])
    found = [fates for fates in pairs_of_ten() if any(bears_suit(fate, suit) for fate in fates for suit in either)]
    assert len(found) == count


@pytest.mark.parametrize(("temple", "count"), [("Moons", 4), ("Wyrms", 5), ("Suns", 5), ("Leaves", 5)])
def test_tf_32_the_printed_brackets(temple: str, count: int) -> None:
    """TF-32: the printed brackets count ordered pairs.

    Every Fate bears the own suit, neither card the rival's, and an Ace lies only on top.
    """
    found = [
        (beneath, fate)
        for beneath, fate in permutations(EVERY, 2)
        if fate in CARDS.fates
        and beneath not in CARDS.aces
        and share_suit(beneath, fate)
        and CARDS.value[beneath] + CARDS.value[fate] == 10
        and all(bears_suit(card, temple) for card in (beneath, fate) if card in CARDS.fates)
        and not any(bears_suit(card, RIVAL[temple]) for card in (beneath, fate))
    ]
    assert len(found) == count


@pytest.mark.parametrize(
    ("temple", "playable", "unblockable"), [("Moons", 7, 4), ("Wyrms", 9, 6), ("Suns", 9, 5), ("Leaves", 9, 5)]
)
def test_tf_32_advantages_of_a_player(temple: str, playable: int, unblockable: int) -> None:
    """TF-32: pairs without a Fate of the rival's suit help a player; unblockable ones have a Fate of the own suit."""
    free = [fates for fates in pairs_of_ten() if not any(bears_suit(fate, RIVAL[temple]) for fate in fates)]
    own = [fates for fates in free if any(bears_suit(fate, temple) for fate in fates)]
    assert (len(free), len(own)) == (playable, unblockable)


Choice = Callable[[FateView, Random], Move]


@dataclass(frozen=True)
class Played:
    """The statistics of a finished game; `first` is the first mover's share of the win."""

    kind: str
    turns: int
    moments: int
    wild: int
    first: float


def play_games(choose: Choice, games: int) -> list[Played]:
    """Play games in which both seats use this strategy."""
    return [_play_game(choose, Random(seed), Random(f"bot {seed}")) for seed in range(games)]


def _play_game(choose: Choice, luck: Random, rng: Random) -> Played:
    state = GAME.new(2, complete(), DECK)
    while state.turn is not None:
        turn = state.turn
        state.apply(choose(state.view(turn.seat), rng) if isinstance(turn, Prompt) else answer(state, luck))
    outcome, deeds = ending.outcome(state), state.at.deeds
    assert outcome is not None
    first = next(seat for seat, temple in enumerate(state.at.temples) if temple in FIRST_TO_MOVE)
    share = (first in outcome.winners) / len(outcome.winners)
    moments, wild = sum(one.moments for one in deeds), sum(one.wild for one in deeds)
    return Played(outcome.kind, state.at.number, moments, wild, share)


def share(games: list[Played], kind: str) -> float:
    """Return the percentage of games that ended in this way."""
    return 100 * sum(game.kind == kind for game in games) / len(games)


def passing_strategy(rate: float) -> Choice:
    """Return a strategy that passes at this rate or if it must, and otherwise plays at random."""

    def choose(view: FateView, rng: Random) -> Move:
        assert view.prompt is not None
        plays = [move for move in view.prompt.moves if move != PASS]
        return rng.choice(plays) if plays and rng.random() >= rate else PASS

    return choose


def choose_moment(view: FateView, rng: Random) -> Move:
    """Choose a Moment of Truth if there is one, then the move that gains the most points at once."""
    assert view.prompt is not None
    plays = [move for move in view.prompt.moves if move != PASS]
    values = [_immediate_gain(view, move) for move in plays]
    best = [move for move, value in zip(plays, values, strict=True) if value == max(values)]
    return rng.choice(best or [PASS])


def _immediate_gain(view: FateView, move: Move) -> tuple[bool, int]:
    *_, fate, citizen = move.operands
    stack = next(stack for stack in view.at.in_play if stack[0] == citizen)
    own, foreign = stack in view.at.congregations[view.seat], stack in view.at.congregations[1 - view.seat]
    moment = CARDS.is_moment(fate, stack[-1], own)
    gained = 0 if foreign and not moment else citizen_points((*stack, fate), view.at.temples[view.seat], CARDS)
    before = citizen_points(stack, view.at.temples[view.seat if own else 1 - view.seat], CARDS)
    return moment, gained - (before if own else -before if foreign else 0)


@pytest.mark.slow
def test_tf_31_figures_for_players_who_use_every_moment_of_truth() -> None:
    games = play_games(choose_moment, 700)
    assert 17.5 < mean(game.turns for game in games) < 21 and max(game.turns for game in games) < 30
    assert 10 < mean(game.moments for game in games) < 12
    assert 0.4 < mean(game.wild for game in games) < 0.6
    assert 0.53 < mean(game.first for game in games) < 0.62, "the Wyrms or the Leaves"


@pytest.mark.slow
def test_tf_23_tf_24_endings_depend_on_the_players() -> None:
    takers = play_games(choose_moment, 500)
    assert 14 < share(takers, "nobody-left") < 28 and not share(takers, "stalled")
    seldom, often = play_games(passing_strategy(0.11), 500), play_games(passing_strategy(0.2), 500)
    assert 1 < share(seldom, "stalled") < 8
    assert 15 < share(often, "stalled") < 30
    assert share(seldom, "nobody-left") < 4


@pytest.mark.slow
def test_tf_31_greedy_bots_that_hold_back_take_fewer_turns_and_as_many_moments() -> None:
    greedy = make_bot("greedy")
    games = play_games(lambda view, rng: greedy.choose(view, GAME, rng), 150)
    assert 16 < mean(game.turns for game in games) < 20 and max(game.turns for game in games) < 32
    assert 9 < mean(game.moments for game in games) < 12
