"""Examples for `log`, made from the questions of the game's score sheet: a file for --from, a line for --score."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from vaultkit.campaign.scoresheets.understanding import accepted, likeliest, row_title, together
from vaultkit.games.definition import Question
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally

_SHOWN = 3
"""The rows of a score on the command line that are enough to show how it is written."""


def example(sheet: ScoreSheet, options: Options, players: Sequence[str], day: date) -> str:
    """A commented TOML file for a game that reads back as a sheet of empty boxes.

    It has the names of as many `players` as can play. What must be answered is empty, and refused if it stays so.
    """
    common = {question.key: likeliest(question) for question in sheet.first(options)}
    each = sheet.each(options, common)
    blank = SeatTally({question.key: likeliest(question) for question in each})
    fewest, most = sheet.seats
    names = tuple(players[:most]) or tuple(f"Player {number}" for number in range(1, fewest + 1))
    tally = Tally(options, (blank,) * len(names), common)
    by_round = sheet.game is None and sheet.definition.rounds is not None
    how = "" if sheet.game is None else ", played with real cards"
    parts = [
        f"# {sheet.title}{how}. Fill it in, then: vaultkit log --from FILE.toml",
        f'game = "{sheet.id}"',
        f"date = {day.isoformat()}",
        *(() if by_round else _rows(sheet.first(options))),
        *(f"# {line}" for line in _rows(sheet.last(tally))),
        '# note = "A sentence of your own, for the game\'s note."',
        *_house_rules(sheet),
    ]
    for number, name in enumerate(names):
        parts += ["", "[[players]]", f"name = {_quoted(name)}", *_rows(each, remarks=number == 0, by_round=by_round)]
    return "\n".join(parts) + "\n"


def score_flag(sheet: ScoreSheet, options: Options) -> str:
    """One player's scores on the command line: `--score "NAME: swords=TOTAL/HEROES, ..."`, the first rows of them."""
    common = {question.key: likeliest(question) for question in sheet.first(options)}
    each = sheet.each(options, common)
    if sheet.game is None and sheet.definition.rounds:
        each = tuple(question.changed(key=question.key.rpartition(".")[2]) for question in each)
    words = {one.key: next(iter(one.choices), one.key.rpartition(".")[2].upper()) for one in each}
    pairs = [f"{_key(row, each)}={'/'.join(words[one.key] for one in row)}" for row in together(each)]
    return f'--score "NAME: {", ".join(pairs[:_SHOWN])}"'


def _rows(questions: Sequence[Question], *, remarks: bool = True, by_round: bool = False) -> Iterator[str]:
    """A line for each answer, or for several that go together; what is asked stands behind, how to count above.

    `by_round` each column of the rounds has a line, with its answers one after the other.
    """
    told = {""}
    for group in zip(questions) if by_round else together(questions):
        for how in (question.how for question in group if remarks and question.how not in told):
            told.add(how)
            yield f"# {how}"
        key, value, asked = _key(group, questions), _value(group), _asked(group)
        if by_round and group[0].row != group[0].key:
            key, value = group[0].key.rpartition(".")[2], _quoted(str(likeliest(group[0])))
            asked = f"{group[0].title}, one for each round with / between: {accepted(group[0])}"
        yield f"{_quoted(key) if '.' in key else key} = {value}" + f"  # {asked}" * remarks


def _asked(group: Sequence[Question]) -> str:
    return row_title(group) if len(group) > 1 else f"{group[0].title} ({accepted(group[0])})"


def _value(group: Sequence[Question]) -> str:
    """The empty boxes of a line; nothing where there must be an answer."""
    if len(group) > 1:
        return _quoted("/".join(str(likeliest(question)) for question in group))
    value = group[0].default
    return _quoted(value or "") if value is None or isinstance(value, str) else str(value)


def _key(group: Sequence[Question], questions: Sequence[Question]) -> str:
    """The key of a line: its row, or its one question where others of that row have lines of their own."""
    rows = Counter(question.row for question in questions)
    return group[0].row if rows[group[0].row] == len(group) else group[0].key


def _house_rules(sheet: ScoreSheet) -> Iterator[str]:
    """The place for options, with one of them; nothing for a game without any."""
    for option in sheet.options[:1]:
        some = f'{option.key} = "{option.values[-1]}"'
        yield from ("", "[options]")
        yield f"# House rules, such as: {some}. All of them: vaultkit rules {sheet.id} --options"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
