"""Finished games, written on score sheets as people would."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.games.conformance import LONGEST, Case, answer, start
from tests.games.playing import outcome_of
from vaultkit.games.dragon_citadel import rules
from vaultkit.games.game import AnyGame, State
from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.messages import Outcome
from vaultkit.games.options import Options, resolve
from vaultkit.games.propheta.rules import Sheet
from vaultkit.games.prophets_gambit.game import CATEGORY_BY_NUMBER
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally
from vaultkit.games.turn_of_fate.scoresheet import PILES
from vaultkit.session.scoresheets import score_sheet


def played(case: Case, rng: Random) -> State[Any]:
    """Play a game to its end with players who are shy four times in five."""
    state, shy = start(case, rng), rng.random() < 0.8
    for _ in range(LONGEST):
        if state.turn is None:
            return state
        state.apply(answer(state, rng, shy))
    raise AssertionError("the game goes on for ever")


def options_of(case: Case) -> Options:
    return resolve(case.game.options, case.given, case.game.title)


def keeping(game: AnyGame) -> ScoreSheet:
    return score_sheet(game.id)


def result_of(state: State[Any]) -> Outcome:
    outcome = outcome_of(state)
    assert outcome is not None
    return outcome


def citadel(state: Any, options: Options) -> Tally:
    """Return the sheets of Dragon Citadel, with the numbers that each total is the sum of."""
    outcome, facts = result_of(state), state.rules.cards
    sheets = [rules.count_parts(won, len(state.at.crowns[seat]), facts) for seat, won in enumerate(state.at.won)]
    fates = [{"forfeited": "no" if parts["survived"] else "yes"} for parts in outcome.scores]
    summands: list[dict[str, tuple[int, ...]]] = [{} for _ in sheets]
    for seat, won in enumerate(state.at.won):
        for card in won:
            if not facts.is_hero(card):
                key = f"{facts.suit[card].lower()}.total"
                summands[seat][key] = (*summands[seat].get(key, ()), facts.strength[card])
    seats = [SeatTally({**sheet, **fate}, named) for sheet, fate, named in zip(sheets, fates, summands, strict=True)]
    return Tally(options, tuple(seats), {"outcome": outcome.kind})


def gambit(state: Any, options: Options) -> Tally:
    outcome, judged = result_of(state), state.at.judged
    focus = "killed" if judged is not None and judged.verdict == "kill" else "saved"
    sheets: list[dict[str, Answer]] = [
        {
            "game.1.hand": CATEGORY_BY_NUMBER[parts["category"]],
            "game.1.place": rank,
            "game.1.focus": focus,
            "wins": int(rank == 1),
        }
        for parts, rank in zip(outcome.scores, outcome.ranks, strict=True)
    ]
    assert set(TAROKKA_NAMES.values()) == set(CATEGORY_BY_NUMBER.values())
    return Tally(options, tuple(map(SeatTally, sheets)), {"games": 1, "outcome": outcome.kind})


def propheta(state: Any, options: Options) -> Tally:
    sheets: list[dict[str, Answer]] = [{"score": parts["total"]} for parts in result_of(state).scores]
    for number, deal in enumerate(state.at.deals, 1):
        for seat, sheet in enumerate(deal):
            sheets[seat] |= {f"deal.{number}.{part}": getattr(sheet, part) for part in Sheet._fields}
            sheets[seat][f"deal.{number}.points"] = sheet.total
    return Tally(options, tuple(map(SeatTally, sheets)), {"deals": len(state.at.deals)})


def fate(state: Any, options: Options) -> Tally:
    outcome = result_of(state)
    sheets: list[dict[str, Answer]] = []
    for parts, temple in zip(outcome.scores, state.at.temples, strict=True):
        boxes = {
            f"{row}.{box}": parts[f"{name}.{box}"]
            for row, name in PILES.items()
            for box in ("count", "citizens", "doubled", "fates")
        }
        sheets.append({**boxes, "temple": temple.lower(), "score": parts["total"]})
    return Tally(options, tuple(map(SeatTally, sheets)), {"outcome": outcome.kind})


def destiny(state: Any, options: Options) -> Tally:
    outcome, best = result_of(state), state.at.end.best
    parts = outcome.scores[0]
    line = {"laid": parts["played"], "result": outcome.kind, "gained": parts["gained"], "name": "", "asks": ""}
    line["hand"] = best.value.category.value.capitalize() if best else "unknown"
    sheet = SeatTally({f"encounter.2.{box}": value for box, value in line.items()})
    return Tally(options, (sheet,), {"encounter": 2, "inventory": parts["before"]})


WRITERS: Mapping[str, Callable[[Any, Options], Tally]] = {
    "dragon-citadel": citadel,
    "prophets-gambit": gambit,
    "propheta": propheta,
    "turn-of-fate": fate,
    "deck-of-destiny": destiny,
}


def fits(question: Question, value: Answer) -> bool:
    """Return whether the question takes this answer."""
    if question.choices:
        return value in question.choices
    if question.words:
        return isinstance(value, str)
    return isinstance(value, int) and question.least <= value and (question.most is None or value <= question.most)


def asked(keeper: ScoreSheet, tally: Tally) -> tuple[list[Question], list[Question], list[Question]]:
    """Return the questions asked once before, for every seat, and once after."""
    first, last = keeper.opening_questions(tally.options), keeper.closing_questions(tally)
    return list(first), list(keeper.seat_questions(tally.options, tally.common)), list(last)
