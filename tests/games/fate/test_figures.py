"""The figures that the game's author gives, counted from the deck (TF-31, TF-32)."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random
from statistics import mean

import pytest

from tests.games.conformance import answer
from tests.games.fate.position import CARDS, DECK, GAME, complete
from vaultkit.bots.registry import make
from vaultkit.games.turn import Prompt
from vaultkit.games.turn_of_fate.facts import RIVAL

EVERY = (*CARDS.citizens, *CARDS.fates)


@pytest.mark.parametrize(
    ("suit", "people", "points"), [("Moons", 4, 26), ("Wyrms", 3, 14), ("Suns", 4, 27), ("Leaves", 3, 16)]
)
def test_tf_31_personalities_of_a_temple_and_their_worth(suit: str, people: int, points: int) -> None:
    own = [citizen for citizen in CARDS.citizens if suit in CARDS.suits[citizen]]
    assert (len(own), sum(CARDS.value[citizen] for citizen in own)) == (people, points)


def test_tf_31_only_two_personalities_for_the_waves() -> None:
    assert {citizen for citizen in CARDS.citizens if "Waves" in CARDS.suits[citizen]} == {"4wl", "6mw"}


def share(one: str, other: str) -> bool:
    return not set(CARDS.suits[one]).isdisjoint(CARDS.suits[other])


def bears(card: str, suit: str) -> bool:
    return suit in CARDS.suits[card]


def pairs_of_ten() -> Iterator[tuple[str, ...]]:
    """Unordered, without Aces, of a shared suit, at least one of the two a Fate: the Fates of each."""
    for one, other in combinations(EVERY, 2):
        fates = tuple(card for card in (one, other) if card in CARDS.fates)
        ten = CARDS.value[one] + CARDS.value[other] == 10
        if ten and fates and share(one, other) and not CARDS.aces & {one, other}:
            yield fates


@pytest.mark.parametrize(("temple", "count"), [("Moons", 11), ("Wyrms", 11), ("Suns", 10), ("Leaves", 10)])
def test_tf_32_the_printed_totals(temple: str, count: int) -> None:
    """A Fate of either temple of the rivalry."""
    either = (temple, RIVAL[temple])
    found = [fates for fates in pairs_of_ten() if any(bears(fate, suit) for fate in fates for suit in either)]
    assert len(found) == count


@pytest.mark.parametrize(("temple", "count"), [("Moons", 4), ("Wyrms", 5), ("Suns", 5), ("Leaves", 5)])
def test_tf_32_the_printed_brackets(temple: str, count: int) -> None:
    """Ordered pairs in which every Fate bears the own suit, neither card the rival's, and an Ace lies only on top."""
    found = [
        (beneath, fate)
        for beneath, fate in permutations(EVERY, 2)
        if fate in CARDS.fates
        and beneath not in CARDS.aces
        and share(beneath, fate)
        and CARDS.value[beneath] + CARDS.value[fate] == 10
        and all(bears(card, temple) for card in (beneath, fate) if card in CARDS.fates)
        and not any(bears(card, RIVAL[temple]) for card in (beneath, fate))
    ]
    assert len(found) == count


@pytest.mark.parametrize(
    ("temple", "playable", "unblockable"), [("Moons", 7, 4), ("Wyrms", 9, 6), ("Suns", 9, 5), ("Leaves", 9, 5)]
)
def test_tf_32_what_helps_a_player(temple: str, playable: int, unblockable: int) -> None:
    """No Fate of the rival's suit; and at least one of the own besides."""
    free = [fates for fates in pairs_of_ten() if not any(bears(fate, RIVAL[temple]) for fate in fates)]
    own = [fates for fates in free if any(bears(fate, temple) for fate in fates)]
    assert (len(free), len(own)) == (playable, unblockable)


def test_tf_31_about_twenty_turns_and_eleven_moments_when_played_sensibly() -> None:
    greedy, turns, moments = make("greedy"), [], []
    for seed in range(150):
        luck, rng = Random(seed), Random(f"bot {seed}")
        state = GAME.new(2, complete(), DECK)
        while state.turn is not None:
            turn = state.turn
            if isinstance(turn, Prompt):
                state.apply(greedy.choose(state.view(turn.seat), GAME, rng))
            else:
                state.apply(answer(state, luck))
        turns.append(state.at.number)
        moments.append(sum(tally.moments for tally in state.at.tallies))
    assert 19 < mean(turns) < 23 and max(turns) < 32
    assert 9 < mean(moments) < 12
