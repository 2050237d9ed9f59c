"""Examples for `log`, made from the questions of the game's score sheet: a file for --from, a line for --score."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from vaultkit.campaign.scoresheets.understanding import row_title, together
from vaultkit.games.definition import Answer, Question
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally

_SHOWN = 3
"""The rows of a score on the command line that are enough to show how it is written."""


def example(sheet: ScoreSheet, options: Options, players: Sequence[str], day: date) -> str:
    """A commented TOML file for a game that reads back as a sheet of empty boxes.

    It has the names of as many `players` as can play. What must be answered is empty, and refused if it stays so.
    """
    first, each = sheet.first(options), tuple(_each(sheet, options))
    fewest, most = sheet.seats
    names = tuple(players[:most]) or tuple(f"Player {number}" for number in range(1, fewest + 1))
    tally = Tally(options, (SeatTally(_likeliest(each)),) * len(names), _likeliest(first))
    own = sheet.game is None
    parts = [
        f"# {sheet.title}{'' if own else ', played with real cards'}. Fill it in, then: vaultkit log --from FILE.toml",
        f'game = "{sheet.id}"',
        f"date = {day.isoformat()}",
        *(() if own else _rows(first)),
        *(f"# {line}" for line in _rows(sheet.last(tally))),
        '# note = "A sentence of your own, for the game\'s note."',
    ]
    for option in sheet.options[:1]:
        some = f'{option.key} = "{option.values[-1]}"'
        parts += ["", "[options]", f"# House rules, such as: {some}. All of them: vaultkit rules {sheet.id} --options"]
    for number, name in enumerate(names):
        parts += ["", "[[players]]", f"name = {_quoted(name)}", *_rows(each, remarks=number == 0)]
    return "\n".join(parts) + "\n"


def score_flag(sheet: ScoreSheet, options: Options) -> str:
    """One player's scores on the command line: `--score "NAME: swords=TOTAL/HEROES, ..."`, the first rows of them."""
    each = tuple(_each(sheet, options))
    words = {one.key: next(iter(one.choices), one.key.rpartition(".")[2].upper()) for one in each}
    pairs = [f"{_key(row, each)}={'/'.join(words[one.key] for one in row)}" for row in together(each)]
    return f'--score "NAME: {", ".join(pairs[:_SHOWN])}"'


def _likeliest(questions: Sequence[Question]) -> dict[str, Answer]:
    return {question.key: question.likeliest for question in questions}


def _each(sheet: ScoreSheet, options: Options) -> Iterator[Question]:
    """The questions of a player; one for a column of the rounds, unless it is a game of ours, whose rows are lines."""
    for one in sheet.each(options, _likeliest(sheet.first(options))):
        column, title = one.key.rpartition(".")[2], f"{one.title}, one for each round with / between"
        by_line = sheet.game or one.row == one.key
        yield one if by_line else one.changed(key=column, title=title, default=str(one.likeliest))


def _rows(questions: Sequence[Question], *, remarks: bool = True) -> Iterator[str]:
    """A line for each answer, or for several that go together; what is asked stands behind, how to count above."""
    said = {""}
    for group in together(questions):
        for how in (question.how for question in group if remarks and question.how not in said):
            said.add(how)
            yield f"# {how}"
        key = _key(group, questions)
        asked = row_title(group) if len(group) > 1 else f"{group[0].title} ({group[0].accepted})"
        yield f"{_quoted(key) if '.' in key else key} = {_value(group)}" + f"  # {asked}" * remarks


def _value(group: Sequence[Question]) -> str:
    """The empty boxes of a line; nothing where there must be an answer."""
    value = group[0].default if len(group) == 1 else "/".join(str(question.likeliest) for question in group)
    return _quoted("" if value is None else value)


def _key(group: Sequence[Question], questions: Sequence[Question]) -> str:
    """The key of a line: its row, or its one question where others of that row have lines of their own."""
    rows = Counter(question.row for question in questions)
    return group[0].row if rows[group[0].row] == len(group) else group[0].key


def _quoted(value: Answer) -> str:
    return json.dumps(value, ensure_ascii=False)
