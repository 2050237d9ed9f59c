"""Examples of scores as `vaultkit log` reads them: a TOML file to fill in, and a flag."""

from collections.abc import Iterator, Sequence
from datetime import date

from vaultkit.campaign.scoresheets.answer_parser import group_rows, row_title
from vaultkit.games.options import Options
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally
from vaultkit.text import toml_value
from vaultkit.vault.writing.escape import clean_line

_MAX_LISTED_ITEMS = 3
"""The maximum number of rows in an example of a score."""


def example_toml(sheet: ScoreSheet, options: Options, players: Sequence[str], day: date) -> str:
    """Return a commented TOML file for a game, which is read as a sheet with empty boxes.

    It has as many of the `players` as can play. A required answer is an empty text, which is refused unless filled in.
    """
    opening_questions, seat_questions = sheet.opening_questions(options), tuple(player_questions(sheet, options))
    min_players, max_players = sheet.seats
    names = tuple(players[:max_players]) or tuple(f"Player {number}" for number in range(1, min_players + 1))
    seats = (SeatTally(_likely_answers(seat_questions)),) * len(names)
    closing_questions = sheet.closing_questions(Tally(options, seats, _likely_answers(opening_questions)))
    is_paper_only, table_ids = sheet.game is None, sheet.definition.table_ids
    real_cards_text = "" if is_paper_only else ", played with real cards"
    parts = [
        f"# {sheet.title}{real_cards_text}. Fill it in, then: vaultkit log --from FILE.toml",
        f'game = "{sheet.id}"',
        f"date = {day.isoformat()}",
        *_row_lines([item for item in opening_questions if not is_paper_only or item.key in table_ids]),
        *("# " * (item.default is not None) + line for item in closing_questions for line in _row_lines([item])),
        '# note = "A comment for the game note."',
    ]
    for option in sheet.options[:1]:
        sample = f'{option.key} = "{option.values[-1]}"'
        all_options_hint = f"All of them: vaultkit rules {sheet.id} --options"
        parts += ["", "[options]", f"# House rules, such as: {sample}. {all_options_hint}"]
    for number, name in enumerate(names):
        parts += ["", "[[players]]", f"name = {_quote(name)}", *_row_lines(seat_questions, remarks=number == 0)]
    return "\n".join(parts) + "\n"


def score_flag(sheet: ScoreSheet, options: Options) -> str:
    """Return the flag for one player's scores: `--score "NAME: swords=TOTAL/HEROES, ..."`, with the first rows only."""
    questions = tuple(player_questions(sheet, options))
    words = {item.key: next(iter(item.choices), item.key.rpartition(".")[2].upper()) for item in questions}
    rows = group_rows(questions)
    pairs = [f"{line_key(row, questions)}={'/'.join(words[item.key] for item in row)}" for row in rows]
    return f'--score "NAME: {", ".join(pairs[:_MAX_LISTED_ITEMS])}"'


def _likely_answers(questions: Sequence[Question]) -> dict[str, Answer]:
    return {question.key: question.default_answer for question in questions}


def player_questions(sheet: ScoreSheet, options: Options) -> Iterator[Question]:
    """Yield the questions of a player.

    In a defined game with rounds, one question stands for a column of all rounds.
    """
    for question in sheet.seat_questions(options, _likely_answers(sheet.opening_questions(options))):
        column, title = question.key.rpartition(".")[2], f"{question.title}, one for each round with / between"
        by_line = sheet.game or question.row == question.key
        default = str(question.default_answer)
        yield question if by_line else question.replace_fields(key=column, title=title, default=default)


def _row_lines(questions: Sequence[Question], *, remarks: bool = True) -> Iterator[str]:
    """Yield a TOML line for each answer or row of answers.

    With `remarks`, its question follows as a comment on the same line, and how to count stands on the line above.
    """
    written_hints = {""}
    for row in group_rows(questions):
        for explanation in (question.how for question in row if remarks and question.how not in written_hints):
            written_hints.add(explanation)
            yield f"# {clean_line(explanation)}"
        key = line_key(row, questions)
        prompt = row_title(row) if len(row) > 1 else f"{row[0].title} ({row[0].accepted})"
        yield f"{_quote(key) if '.' in key else key} = {_format_boxes(row)}" + f"  # {clean_line(prompt)}" * remarks


def _format_boxes(row: Sequence[Question]) -> str:
    """Return the empty boxes of a line, quoted; "" in quotes if an answer is required."""
    value = row[0].default if len(row) == 1 else "/".join(str(question.default_answer) for question in row)
    return _quote("" if value is None else value)


def line_key(row: Sequence[Question], questions: Sequence[Question]) -> str:
    """Return the key of a line: its row, or its only question if others of the row have lines of their own."""
    row_questions = [question for question in questions if question.row == row[0].row]
    return row[0].row if len(row_questions) == len(row) else row[0].key


def _quote(value: Answer) -> str:
    return toml_value(clean_line(value) if isinstance(value, str) else value)
