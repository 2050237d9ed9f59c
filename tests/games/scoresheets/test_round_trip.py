"""Finished games, written on paper and tallied, have the engine's result."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.games.conformance import Case, cases, random_options
from tests.games.scoresheets.papers import (
    WRITERS,
    accepts_answer,
    asked_questions,
    options_of,
    play_game,
    result_of,
    sheet_of,
)
from vaultkit.games.game import State
from vaultkit.games.messages import Outcome
from vaultkit.games.registry import rules
from vaultkit.games.scoresheet import Tally

FEW, MANY = 4, 60


def render_sentence(sentence: Any) -> str:
    return str(sentence.render(lambda seat: f"seat {seat}", lambda card: card))


def check(case: Case, rng: Random) -> str:
    """Check that a real game's sheet raises no doubt and has the engine's result; return the kind of outcome."""
    state, keeper = play_game(case, rng), sheet_of(case.game)
    tally = WRITERS[case.game.id](state, options_of(case))
    outcome, engine = keeper.outcome(tally), result_of(state)
    assert [render_sentence(doubt.sentence) for doubt in keeper.doubts(tally)] == [], str(case)
    assert (outcome.kind, outcome.winners, outcome.ranks) == (engine.kind, engine.winners, engine.ranks)
    check_answers(case, tally)
    check_scores(case, outcome, engine)
    assert render_sentence(outcome.reason) and all(render_sentence(fact) for _, fact in outcome.facts)
    assert case.game.endings[outcome.kind]
    return outcome.kind


def check_answers(case: Case, tally: Tally) -> None:
    """Check that every question takes the true answer, apart from Propheta games of more than six deals."""
    first, each, last = asked_questions(sheet_of(case.game), tally)
    crowded = case.game.id == "propheta" and int(tally.common["deals"]) > 6
    assert crowded or all(accepts_answer(question, tally.common[question.key]) for question in (*first, *last))
    for seat in tally.seats:
        assert all(accepts_answer(question, seat.answers[question.key]) for question in each)


def check_scores(case: Case, outcome: Outcome, engine: Outcome) -> None:
    for own, theirs in zip(outcome.scores, engine.scores, strict=True):
        assert dict(own) == {key: theirs[key] for key in own}
        known = ("rank.", "cards", "trick.")
        assert [key for key in theirs if key not in own and not key.startswith(known)] == []
        assert list(own) == [key for key in theirs if key in own]
    for seat in range(len(outcome.scores)):
        assert outcome.score(seat) == engine.score(seat)
    tables, real = case.game.score_tables(outcome), case.game.score_tables(engine)
    if case.game.id == "propheta":
        assert tables == (real if engine.kind == "match" else real[:1])
    elif case.game.id == "prophets-gambit":
        rows = [(hand, place) for _, hand, _, place in real[0].rows]
        assert [(hand, place) for _, hand, place in tables[0].rows] == rows
    else:
        assert tables == real


@pytest.mark.short(1)
@pytest.mark.parametrize("mode", ["coop", "competitive"])
def test_dragon_citadel_on_paper_has_the_same_result(mode: str) -> None:
    """Dragon Citadel has the same result on paper in all kinds of outcome of the mode."""
    case = Case(rules("dragon-citadel"), {"mode": mode, "joker": "Ghost"})
    rng, kinds = Random(6), set()
    for _ in range(24):
        kinds.add(check(case, rng))
    assert kinds == ({"party", "dealer", "seer"} if mode == "coop" else {"last-survivor", "score", "seer"})


def test_dragon_citadel_on_paper_has_the_same_description() -> None:
    case = Case(rules("dragon-citadel"), {"mode": "competitive"})
    rng = Random(4)
    for _ in range(8):
        state: State[Any] = play_game(case, rng)
        outcome = sheet_of(case.game).outcome(WRITERS["dragon-citadel"](state, options_of(case)))
        engine = result_of(state)
        left_out = [fact for label, fact in engine.facts if label in {"Rounds", "Forfeit"}]
        assert (outcome.reason, outcome.rulings) == (engine.reason, engine.rulings)
        assert [fact for fact in outcome.facts if fact[0] != "Forfeit"] == [
            fact for fact in engine.facts if fact[1] not in left_out
        ]
        forfeits = sorted(fact.seats for label, fact in engine.facts if label == "Forfeit")
        assert sorted(fact.seats for label, fact in outcome.facts if label == "Forfeit") == forfeits


@pytest.mark.parametrize("game", [game for game in WRITERS if game != "dragon-citadel"])
def test_other_games_on_paper_have_the_same_result(game: str) -> None:
    rng = Random(3)
    for _ in range(FEW):
        check(Case(rules(game), {}), rng)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in cases() if case.game.id in WRITERS], ids=str)
def test_every_option_on_paper_gives_the_same_result(case: Case) -> None:
    rng = Random(str(case))
    for _ in range(FEW):
        check(case, rng)


@pytest.mark.slow
@pytest.mark.parametrize("game", WRITERS)
def test_all_options_together_on_paper_give_the_same_result(game: str) -> None:
    rng, kind = Random(f"{game} at once"), rules(game)
    ended = {check(Case(kind, random_options(kind, rng)), rng) for _ in range(MANY)}
    assert len(ended) > 1 or len(kind.endings) == 1


def test_propheta_of_several_deals_without_a_target() -> None:
    """VA-18, VA-19: without a target the highest total wins, and equal totals share the win despite `tiebreak`."""
    case = Case(rules("propheta"), {"target": 20, "tiebreak": "tricks"})
    rng = Random(2)
    for _ in range(2):
        state = play_game(case, rng)
        tally = WRITERS["propheta"](state, {**options_of(case), "target": "none"})
        outcome, engine = sheet_of(case.game).outcome(tally), result_of(state)
        deals = int(tally.common["deals"])
        assert outcome.kind == ("deals" if deals > 1 else "score")
        assert deals == 1 or (outcome.winners, outcome.ranks) == (engine.winners, engine.ranks)
        assert list(sheet_of(case.game).doubts(replace(tally))) == []
