"""Scores read from the tables in a game's note, which people may have corrected, by the columns of its definition."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from vaultkit.campaign.logged_game import PlayedGame
from vaultkit.campaign.score_table import PLAYER, ScoreTable
from vaultkit.campaign.scoresheets.answer_parser import parse_answer, parse_summands
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.errors import UsageError
from vaultkit.games.question import Answer, Column, Question, to_number
from vaultkit.games.scoresheet import WON_OR_LOST, ScoreSheet, SeatTally, Tally
from vaultkit.session.options import settle
from vaultkit.vault import Note, Vault
from vaultkit.vault.subpath import comparable_heading
from vaultkit.vault.tables import Row, TableBlock, markdown_tables, plain_cell_text


@dataclass(frozen=True)
class ScoreCell:
    """A cell of a table in a game's note: the value of `column` of a seat in a round; round 0 is the whole game."""

    row: Row
    index: int
    column: Column
    seat: int
    round_number: int

    @property
    def number(self) -> float | None:
        """The number in the cell, None if there is no single one."""
        numbers = parse_summands(re.sub("[\u2013\u2014\u2212]", "-", self.text))
        return to_number(numbers[0]) if len(numbers) == 1 else None

    def is_derived(self, tally: Tally, sheet: ScoreSheet) -> bool:
        """Return whether the cell holds a number that follows from other cells."""
        definition, column = sheet.definition, self.column
        if column.words or (column.choices and not column.worth):
            return False
        is_sum = definition.is_per_round(column) and not self.round_number
        return bool(column.formula) or (is_sum and len(definition.rounds_of(tally.common)) > 1)

    @property
    def text(self) -> str:
        """The plain text, "" if the row ends before the cell."""
        return plain_cell_text(self.row.cells[self.index]) if self.index < len(self.row.cells) else ""


def note_cells(note: Note, played: PlayedGame, sheet: ScoreSheet, vault: Vault) -> tuple[ScoreCell, ...]:
    """Return the cells of a note's score tables that have the columns of the game's definition.

    Tables by round come in the order of the columns that have a box in each round. A table in which a player has no
    row is left out.
    """
    definition = sheet.definition
    columns = {comparable_heading(column.title): column for column in definition.columns}
    round_columns = iter([column for column in definition.boxed_columns if definition.is_per_round(column)])
    cells: list[ScoreCell] = []
    for block in markdown_tables(note):
        heads = [comparable_heading(plain_cell_text(cell)) for cell in block.header.cells][1:]
        rows = _player_rows(block, note, played, vault)
        if not heads or None in rows:
            continue
        if heads == [str(number) for number in range(1, len(heads) + 1)]:
            places = [(column, number) for column in [next(round_columns, None)] if column
                      for number in range(1, len(heads) + 1)]  # fmt: skip
        elif all(head in columns for head in heads):
            places = [(columns[head], 0) for head in heads]
        else:
            continue
        for seat, row in enumerate(filter(None, rows)):
            cells += (ScoreCell(row, index, column, seat, number) for index, (column, number) in enumerate(places, 1))
    return tuple(cells)


def _player_rows(block: TableBlock, note: Note, played: PlayedGame, vault: Vault) -> Sequence[Row | None]:
    """Return the row of each player in a table, None for none. The first column holds the players."""
    rows = tuple(row for row in block.rows if any(row.cells))
    table = ScoreTable(note, block.header.line, {PLAYER: 0}, rows)
    return table.find_rows(played.participants, vault)


def correct_tally(paper: PaperGame, played: PlayedGame, note: Note, vault: Vault) -> Tally:
    """Return the tally of a game with the numbers that people corrected in the tables of its note.

    A cell that cannot be read leaves the answer as it was entered.
    """
    if not paper.sheet.source or len(played.participants) != len(paper.names):
        return paper.tally
    return tally_of_cells(note_cells(note, played, paper.sheet, vault), paper.sheet, paper.tally)


def tally_of_cells(cells: Sequence[ScoreCell], sheet: ScoreSheet, tally: Tally) -> Tally:
    """Return a tally in which the answers come from cells of a note, and all other answers from `tally`."""
    definition = sheet.definition
    round_count = max((cell.round_number for cell in cells), default=0)
    common = {**tally.common}
    if definition.rounds and round_count:
        common[definition.rounds.key] = round_count
    prefix = f"{definition.rounds.id}." if definition.rounds else "\n"
    is_single = len(definition.rounds_of(common)) == 1
    questions = {question.key: question for question in sheet.seat_questions(tally.options, common)}
    answers: list[dict[str, Answer]] = [
        {key: answer for key, answer in seat.answers.items() if key in questions or not key.startswith(prefix)}
        for seat in tally.seats
    ]
    for cell in cells:
        is_sum = definition.is_per_round(cell.column) and not cell.round_number
        if cell.column.formula or not cell.column.is_asked or (is_sum and not is_single):
            continue
        key = definition.key(cell.column, 1 if is_sum else cell.round_number)
        if (question := questions.get(key)) and (answer := _read_cell(question, cell.text)) is not None:
            answers[cell.seat][key] = answer
    seats = (
        seat if dict(seat.answers) == own else SeatTally(own, _matching_summands(seat, own))
        for seat, own in zip(tally.seats, answers, strict=True)
    )
    return replace(tally, seats=tuple(seats), common=common)


def read_tally(cells: Sequence[ScoreCell], sheet: ScoreSheet, game: PlayedGame) -> Tally | None:
    """Return the tally in a note's tables; None unless every box that is asked for has a readable cell.

    Raises UsageError or InvalidError for a definition that does not fit.
    """
    options = settle(sheet, {})
    common = {WON_OR_LOST.key: game.outcome} if sheet.definition.win == "co-op" else {}
    base = Tally(options, tuple(SeatTally() for _ in game.participants), common)
    tally = tally_of_cells(cells, sheet, base)
    keys = {question.key for question in sheet.seat_questions(options, tally.common)}
    is_complete = all(keys <= seat.answers.keys() for seat in tally.seats)
    return tally if is_complete and not {*sheet.definition.before, *sheet.definition.after} else None


def _matching_summands(seat: SeatTally, answers: Mapping[str, Answer]) -> dict[str, tuple[int | float, ...]]:
    return {key: terms for key, terms in seat.summands.items() if answers.get(key) == seat.answers.get(key)}


def _read_cell(question: Question, text: str) -> Answer | None:
    """Return the answer in a cell, None if it cannot be read."""
    with suppress(UsageError):
        return parse_answer(question, re.sub("[\u2013\u2014\u2212]", "-", text))[0]
    return None
