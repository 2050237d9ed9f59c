"""The Scene of every game: it is true, and shows each person only what they may know."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.games.conformance import Case, answer, cases, finish, inspector, render_sentence, start
from vaultkit.games.game import State
from vaultkit.games.turn import Chance, Prompt

EACH = [pytest.param(case, id=str(case), marks=[] if len(case.given) == 1 else pytest.mark.slow) for case in cases()]
"""Each game with its default options in each mode; the slow run adds every other option."""
OFTEN = 0.2
"""The share of positions that are checked."""


def positions(case: Case, often: float) -> Iterator[tuple[State[Any], Random]]:
    """Yield positions of games played at random, with their generator."""
    for number in range(count(2, 40)):
        rng = Random(f"scene {case} {number}")
        state = start(case, rng)
        while state.turn is not None:
            if rng.random() < often:
                yield state, rng
            state.apply(answer(state, rng))


def decisions(case: Case) -> Iterator[tuple[State[Any], Prompt]]:
    for state, _ in positions(case, OFTEN):
        if isinstance(state.turn, Prompt):
            yield state, state.turn


@pytest.mark.parametrize("case", EACH)
def test_touched_card_selects_one_offer_or_leads_to_a_second_touch(case: Case) -> None:
    for _, prompt in decisions(case):
        touched = [(move.verb, case.game.touches(move), case.game.label(move).values) for move in prompt.moves]
        assert len(set(touched)) == len(touched)


@pytest.mark.parametrize("case", EACH)
def test_the_title_of_a_zone_does_not_name_its_owner(case: Case) -> None:
    for state, prompt in decisions(case):
        owned = [zone for zone in case.game.table(state.view(prompt.seat)) if zone.owner is not None]
        assert not [zone for zone in owned if zone.title.seats or "your" in zone.title.words.casefold()]


@pytest.mark.parametrize("case", EACH)
def test_a_card_that_is_refused_is_in_no_offer_and_has_one_reason(case: Case) -> None:
    for state, prompt in decisions(case):
        view = state.view(prompt.seat)
        offered = {touch for move in prompt.moves for touch in case.game.touches(move)}
        held = {card for zone in case.game.table(view) if zone.owner == prompt.seat for card in zone.cards}
        for card in held - offered:
            reason = case.game.why_not(view, card)
            assert reason is None or (render_sentence(reason).endswith(".") and render_sentence(reason).count(".") == 1)


@pytest.mark.parametrize("case", EACH)
def test_final_points_of_a_standing_are_those_of_the_score_sheet(case: Case) -> None:
    for number in range(count(2, 40)):
        rng = Random(f"ends {case} {number}")
        state = finish(start(case, rng), rng)
        outcome = case.game.outcome(state)
        assert outcome
        for seat in range(state.seats):
            points = [one.points for one in case.game.standing(state.view(seat))]
            assert all(one is None or one == outcome.score(other) for other, one in enumerate(points))


@pytest.mark.slow
@pytest.mark.parametrize("case", EACH)
def test_hidden_information_does_not_change_the_standing_shown_to_others(case: Case) -> None:
    for state, rng in positions(case, OFTEN / 2):
        for seat in range(state.seats):
            other = inspector(case.game.id).permute(state, seat, rng)
            assert case.game.standing(other.view(seat)) == case.game.standing(state.view(seat))
            assert case.game.heading(other.view(seat)) == case.game.heading(state.view(seat))
            if isinstance(state.turn, Prompt) and state.turn.seat == seat:
                view, moves = other.view(seat), state.turn.moves
                assert case.game.consequences(view, moves) == case.game.consequences(state.view(seat), moves)


@pytest.mark.parametrize("case", [each for each in EACH if "leak_guard" not in str(each.id)])
def test_asked_player_and_question_do_not_reveal_hands_of_others(case: Case) -> None:
    """G-6, VA-12, DC-18, DC-28, TF-11, PG-28: which seat is asked does not depend on hidden cards."""
    for state, rng in positions(case, 2 * OFTEN):
        for seat in state.rules.people:
            other = inspector(case.game.id).permute(state, seat, rng)
            assert asked_seat(other, seat) == asked_seat(state, seat)


def asked_seat(state: Any, looking: int) -> object:
    """Return which seat is asked, whether a silent move would show, and whether it is secret."""
    turn = state.turn
    if isinstance(turn, Chance) or turn is None:
        return turn and (turn.name, turn.seat)
    return turn.seat, turn.seat == looking or turn.ask_always or len(turn.moves) > 1, turn.secret
