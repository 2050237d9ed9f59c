"""Checks of the games that a vault defines: the questions of their score sheets, and their problems."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vaultkit.campaign.new_game import describe_sheet, find_definition
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.own_games import RawSheet, raw_sheets
from vaultkit.errors import InvalidError, Problem, Severity
from vaultkit.games.computed_scores import ComputedScores
from vaultkit.games.definition_reader import find_hidden_words
from vaultkit.games.question import Question
from vaultkit.games.scoresheet import ScoreSheet


@dataclass(frozen=True)
class GameCheck:
    """A game with the file of its definition, sentences on its `sheet` (none if it cannot be read), and problems."""

    game: str
    title: str
    file: str
    sheet: tuple[str, ...]
    problems: tuple[Problem, ...]


def check_games(workspace: Workspace, name: str = "") -> Iterator[GameCheck]:
    """Yield the check of the game `name`, or of each game that the vault defines.

    Raises UsageError for an unknown game.
    """
    sheets = workspace.score_sheets
    faults = {faulty.tables.where: error for faulty, error in sheets.faults}
    if name:
        raw_sheets_to_check = [find_definition(sheets, workspace.vault, name, accept_notes=True)]
    else:
        raw_sheets_to_check = [raw for raw in raw_sheets(workspace.vault) if not raw.ours]
    for raw in raw_sheets_to_check:
        if fault := faults.get(raw.tables.where):
            problem = _problem(raw, fault.where, fault.message, fault.hint)
            yield GameCheck(raw.game, raw.title, raw.tables.where, (), (problem,))
        else:
            sheet = sheets.defined[raw.game]
            yield GameCheck(
                raw.game, sheet.title, raw.tables.where, tuple(describe_sheet(sheet)), tuple(_find_problems(raw, sheet))
            )


def _find_problems(raw: RawSheet, sheet: ScoreSheet) -> Iterator[Problem]:
    """Yield a warning for each name with two meanings, and for a formula without a value for an empty or full sheet."""
    for path, message in find_hidden_words(sheet.definition):
        yield _problem(raw, sheet.where(path), message, "Give it another id if you mean the word.", "warning")
    rounds, seats = sheet.definition.rounds, sheet.definition.players[1]
    common = {rounds.key: rounds.most} if rounds else {}
    for words, use_limits in (("Nobody has written anything", False), ("All numbers are the highest", True)):
        questions = sheet.seat_questions({}, common)
        answers = {question.key: _sample_answer(question, use_limits) for question in questions}
        try:
            ComputedScores(sheet.definition, [answers] * seats, common, sheet.where)
        except InvalidError as error:
            yield _problem(raw, error.where, f"{words}: {error.message}", "", "warning")


def _sample_answer(question: Question, use_limits: bool) -> int | float | str:
    is_number = not (question.choices or question.words)
    return question.most if use_limits and is_number and question.most is not None else question.default_answer


def _problem(raw: RawSheet, where: str, message: str, hint: str, severity: Severity = "error") -> Problem:
    line = int(match[1]) if (match := re.search(r":(\d+)$", where)) else 0
    return Problem(raw.tables.where, line, min(line, 1), "game", message, hint, severity)
