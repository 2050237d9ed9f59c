"""Invariants of every position, checked against a second, plain implementation of the rules."""

from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.games.conformance import answer
from tests.games.fate.position import CARDS, DECK, GAME, complete
from vaultkit.games.turn import HIDDEN, Move, Prompt
from vaultkit.games.turn_of_fate.rules import Stack
from vaultkit.games.turn_of_fate.state import FateState

SEEDS = st.integers(0, 2**32)
MODES = st.fixed_dictionaries(
    {
        "temples": st.sampled_from(("by-card", "random")),
        "introduce": st.sampled_from(("one", "refill-to-4", "optional")),
    }
)


def positions(seed: int, options: dict[str, str]) -> Iterator[tuple[FateState, Prompt]]:
    """Yield every decision of a random game; the state changes between them."""
    rng = Random(seed)
    state = GAME.new(2, complete(**options), DECK)
    while state.turn is not None:
        if isinstance(state.turn, Prompt):
            yield state, state.turn
        state.apply(answer(state, rng, shy=True))


def places(state: FateState, seat: int) -> dict[str, tuple[str, Stack]]:
    """Return each Citizen with the cards on them, and where they lie from the seat's point of view."""
    at = state.at
    zones = {"own": at.congregations[seat], "rival": at.congregations[1 - seat], "agora": at.agora}
    zones |= {"temple": at.vowed[seat], "rival's temple": at.vowed[1 - seat]}
    return {stack[0]: (place, stack) for place, stacks in zones.items() for stack in stacks}


def playable(state: FateState, seat: int) -> Iterator[str]:
    temple, hand = state.at.temples[seat], state.at.hands[seat]
    wild = {"Wyrms": "Calamity", "Leaves": "End"}.get(temple)
    for citizen, (place, stack) in places(state, seat).items():
        if "temple" in place:
            continue
        for fate in hand:
            if set(DECK[fate].suits) & set(DECK[stack[-1]].suits):
                yield f"play {fate} {citizen}"
            if DECK[fate].name == wild:
                yield from (f"wild {ace} {fate} {citizen}" for ace in hand if DECK[ace].rank == "Ace")


def destination(place: str, fate: str, beneath: str) -> str:
    ranks = (DECK[fate].rank, DECK[beneath].rank)
    values = [{"Ace": 1, "Crown": 10}.get(str(rank), rank) for rank in ranks]
    moment = ranks[0] == "Crown" or (ranks[0] == "Ace" and place == "own") or sum(map(int, map(str, values))) == 10
    if place == "rival":
        return "own" if moment else "agora"
    return "temple" if moment else "own"


@settings(max_examples=count(25, 1_000))
@given(SEEDS, MODES)
def test_tf_12_tf_18_exactly_matching_cards_and_the_wild_crown_can_be_played(
    seed: int, options: dict[str, str]
) -> None:
    for state, prompt in positions(seed, options):
        if prompt.rule == "Playing a Fate":
            assert sorted(move.id for move in prompt.moves) == sorted([*playable(state, prompt.seat), "pass"])


@settings(max_examples=count(15, 1_000))
@given(SEEDS, MODES)
def test_tf_13_tf_14_tf_15_citizen_moves_as_the_fate_requires(seed: int, options: dict[str, str]) -> None:
    for state, prompt in positions(seed, options):
        for move in prompt.moves:
            if move.verb in {"play", "wild"}:
                check_movement(state, prompt.seat, move)


def check_movement(state: FateState, seat: int, move: Move) -> None:
    *_, fate, citizen = move.operands
    before, after = places(state, seat), state.clone()
    after.apply(move)
    place, stack = before[citizen]
    found = places(after, seat)
    assert found.pop(citizen) == (destination(place, fate, stack[-1]), (*stack, fate))
    assert all(found[other] == where for other, where in before.items() if other != citizen), "nobody else moves"


@settings(max_examples=count(25, 1_000))
@given(SEEDS, MODES)
def test_moves_described_as_ending_the_game_do(seed: int, options: dict[str, str]) -> None:
    for state, prompt in positions(seed, options):
        for move, _ in prompt.ends:
            after = state.clone()
            after.apply(move)
            assert after.turn is None, move.id


@settings(max_examples=count(25, 1_000))
@given(SEEDS, MODES)
def test_tf_9_each_knows_only_the_cards_that_passed_through_their_own_hands(seed: int, options: dict[str, str]) -> None:
    for state, _ in positions(seed, options):
        for seat in (0, 1):
            view = state.view(seat)
            rivals = ({*view.at.hands[1 - seat], *view.at.fates.bottom}) - {HIDDEN}
            assert rivals <= state.at.known[seat]
            hidden = [
                card for card, known in zip(state.at.fates.bottom, view.at.fates.bottom, strict=True) if known == HIDDEN
            ]
            assert CARDS.bearing[state.at.temples[seat]].issuperset(hidden), "the rival could not take them"
            assert CARDS.bearing[state.rival_suit(seat)].isdisjoint(view.at.hands[seat])
