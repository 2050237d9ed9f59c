"""Checks of the games that a vault defines, and descriptions of their score sheets in sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultkit.campaign.new_game import find_definition
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.own_games import RawSheet, raw_sheets
from vaultkit.errors import InvalidError, Problem, Severity, split_place
from vaultkit.games.computed_scores import ComputedScores
from vaultkit.games.definition_reader import find_hidden_words
from vaultkit.games.formula import formula_text
from vaultkit.games.question import Column, Question
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.text import format_range, join_words


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
    line = split_place(where)[1]
    return Problem(raw.tables.where, line, min(line, 1), "game", message, hint, severity)


_WIN_WORDS = {
    "highest": "The highest score wins.", "lowest": "The lowest score wins.",
    "co-op": "All win or lose together; vaultkit asks which when you log a game.", "chosen": "Players who say yes win.",
}  # fmt: skip


def describe_sheet(sheet: ScoreSheet) -> Iterator[str]:
    """Yield sentences on what a score sheet asks, computes and refuses, and on who wins."""
    definition, (fewest, most) = sheet.definition, sheet.definition.players
    players = format_range(fewest, most, "player")
    yield f"{definition.title}: {players}. {_WIN_WORDS[definition.win]}"
    rounds, titles = definition.rounds, {key: column.label for key, column in definition.by_id.items()}
    groups = {
        f"In each {rounds.name}" if rounds else "": filter(definition.is_per_round, definition.columns),
        "Each player" + " once" * bool(rounds): (c for c in definition.columns if not definition.is_per_round(c)),
        "Once for all players": definition.table,
    }
    for words, columns in groups.items():
        if texts := [_describe_column(column, titles) for column in columns]:
            yield f"{words}: {'; '.join(texts)}."
    if definition.score and definition.win != "co-op":
        counted = {definition.score, *definition.find_sources(definition.score)}
        uncounted = [titles[key] for key, column in definition.by_id.items()
                     if column.takes == "number" and not column.formula and key not in counted]  # fmt: skip
        rest = f" {join_words(uncounted)} {'does' if len(uncounted) == 1 else 'do'} not count." if uncounted else ""
        yield f"{titles[definition.score]} decides who wins.{rest}"
    if definition.ties:
        yield f"Between equal scores: {join_words((formula_text(text, titles) for text in definition.ties), 'then')}."
    if definition.target is not None:
        yield f"The game ends at {formula_text(str(definition.target), titles)}."
    if definition.teams:
        yield f"Teams: {titles[definition.teams]}."


def _describe_column(column: Column, titles: Mapping[str, str]) -> str:
    """Return a column in words: `Geese (a whole number from 0 on)`, or `Score = 2 × Geese`."""
    if column.formula:
        return f"{column.label} = {formula_text(column.formula, titles)}"
    sums = f", adding up to {formula_text(column.adds_up_to, titles)}" if column.adds_up_to else ""
    return f"{column.label} ({column.accepted}){sums}"
