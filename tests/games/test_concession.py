"""Concessions (G-14) in every game, with every value of every option: at random steps, one seat after another."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.counts import count
from tests.games.conformance import Case, Run, answer, cases, deck_of
from tests.wording import Says
from vaultkit.errors import UsageError
from vaultkit.games.concession import CONCEDE, CONCEDED, concession
from vaultkit.games.game import State
from vaultkit.games.messages import Seat
from vaultkit.games.options import resolve
from vaultkit.games.turn import IllegalMove

CASES = cases()
EACH = [pytest.param(case, id=str(case), marks=[] if len(case.given) < 2 else pytest.mark.slow) for case in CASES]
GAMES_EACH = {game: -(-count(120, 3_000) // number) for game, number in Counter(case.game.id for case in CASES).items()}


@pytest.mark.short(4)
@pytest.mark.parametrize("case", EACH)
def test_g_14_games_with_concessions_fulfil_the_contract(case: Case) -> None:
    for number in range(GAMES_EACH[case.game.id]):
        Run(case, Random(f"{case} concede {number}"), often=0.012, concedes=0.06 if number % 2 else 0.01).play()


def begin(case: Case, rng: Random, people: str) -> State[Any]:
    """Begin a game with as many seats as the options allow; `people` is `all`, or `one` for a random seat."""
    options = resolve(case.game.options, case.given, case.game.title)
    for seats in range(case.game.seats[1], 0, -1):
        persons = frozenset(range(seats) if people == "all" else [rng.randrange(seats)])
        try:
            return case.game.new(seats, options, deck_of(case.game, case.given), persons)
        except UsageError:
            continue
    raise AssertionError("the options allow no number of seats")


def play_until(state: State[Any], rng: Random, seat: Seat | None = None, least: int = 0) -> Seat | None:
    """Play at random until a seat, or that seat, may concede after `least` steps; return it, None after the end."""
    while state.turn is not None:
        deciding = [other for other in state.deciding_seats if seat in (None, other)]
        if deciding and least <= 0:
            return rng.choice(deciding)
        state.apply(answer(state, rng))
        least -= 1
    return None


PICK = st.builds(
    lambda case, seed, steps: (case, Random(seed), steps), st.sampled_from(CASES), st.integers(0), st.integers(0, 60)
)


@pytest.mark.slow
@given(PICK)
def test_g_14_who_concedes_is_out_and_the_cards_and_scores_stand(pick: tuple[Case, Random, int]) -> None:
    case, rng, least = pick
    state = begin(case, rng, "all")
    seat = play_until(state, rng, least=least)
    if seat is None:
        return
    before = {other: standing.points for other, standing in enumerate(case.game.standing(state.view(seat)))}
    playing = state.playing
    events = state.apply(concession(seat))
    assert events[0].kind == CONCEDE and events[0].seen_by is None and events[0].rulings == ("G-14",)
    if case.game.id != "dragon-citadel" or state.turn is None:
        assert not any(event.kind == "discard" and event.seat == seat for event in events)
    outcome = case.game.outcome(state)
    is_party = case.given.get("mode") == "coop"
    if len(playing) <= 2 or is_party:
        assert outcome is not None and state.turn is None
    if case.game.id == "deck-of-destiny":
        assert outcome is not None and outcome.kind in {"retreat", "loss"}
        return
    if outcome is not None and outcome.kind == CONCEDED:
        assert outcome.winners == (() if is_party else tuple(other for other in playing if other != seat))
        assert is_party or outcome.ranks[seat] > 1
        after = {other: standing.points for other, standing in enumerate(case.game.standing(state.view(seat)))}
        assert all(after[other] == points for other, points in before.items()), "what was scored stands"
    asked = set[Seat]()
    while state.turn is not None:
        asked.update(state.deciding_seats)
        assert seat not in state.deciding_seats
        assert getattr(state.turn, "seat", None) != seat, "it is dealt no more"
        state.apply(answer(state, rng))
    end = case.game.outcome(state)
    assert end is not None and seat not in end.winners
    if case.game.id != "dragon-citadel":
        assert end.ranks[seat] == max(end.ranks)
    assert [fact for topic, fact in end.facts if topic == "Conceded"]


@pytest.mark.slow
@given(PICK)
def test_g_14_bots_do_not_play_on_when_the_last_person_concedes(pick: tuple[Case, Random, int]) -> None:
    case, rng, least = pick
    state = begin(case, rng, "one")
    person = next(iter(state.rules.people), 0)
    if play_until(state, rng, person, least) is None:
        return
    playing = state.playing
    state.apply(concession(person))
    outcome = case.game.outcome(state)
    assert state.turn is None and outcome is not None
    if case.given.get("mode") == "coop" or case.game.seats[1] == 1:
        assert not outcome.winners
        return
    assert outcome.winners and set(outcome.winners) <= set(playing) - {person}
    assert all(outcome.ranks[seat] == 1 for seat in outcome.winners)
    points = [standing.points for standing in case.game.standing(state.view(person))]
    if all(isinstance(number, int | float) for number in points):
        rivals = [seat for seat in playing if seat != person]
        assert {points[seat] for seat in outcome.winners} == {max(points[seat] or 0 for seat in rivals)}


@pytest.mark.slow
@given(st.integers(0), st.integers(0, 30))
def test_g_14_the_best_hand_so_far_wins_prophets_gambit_when_no_person_plays_on(seed: int, least: int) -> None:
    case = next(case for case in CASES if case.game.id == "prophets-gambit")
    rng = Random(seed)
    state = begin(case, rng, "one")
    person = next(iter(state.rules.people))
    if play_until(state, rng, person, least) is None:
        return
    state.apply(concession(person))
    outcome = case.game.outcome(state)
    assert outcome is not None and outcome.reason.words == Says("{s1}", "best hand", "wins.")
    (winner,) = outcome.winners
    best, *others = (case.game.standing(state.view(seat))[seat].weight for seat in (winner, *state.playing))
    assert best == max(others)
    (table,) = case.game.score_tables(outcome)
    assert [row[1:3] == ("gave up", "–") for row in table.rows] == [seat == person for seat in range(state.seats)]


@given(PICK)
def test_g_14_a_seat_concedes_only_in_its_own_turn_and_only_once(pick: tuple[Case, Random, int]) -> None:
    case, rng, least = pick
    state = begin(case, rng, "all")
    if play_until(state, rng, least=least) is None:
        return
    views = [state.view(seat) for seat in range(state.seats)]
    for seat in set(range(state.seats)) - set(state.deciding_seats):
        with pytest.raises(IllegalMove):
            state.apply(concession(seat))
    assert [state.view(seat) for seat in range(state.seats)] == views
    seat = rng.choice(state.deciding_seats)
    state.apply(concession(seat))
    with pytest.raises(IllegalMove):
        state.apply(concession(seat))
