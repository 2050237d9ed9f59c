"""A file to fill in by hand for `log --from FILE.toml`, made from the questions of the game's score sheet."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from vaultkit.campaign.paper.answers import accepted, row_title
from vaultkit.games.base import Game
from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Question, ScoreKeeping, SeatTally, Tally


def example(game: Game[Any], keeping: ScoreKeeping, options: Options, players: Sequence[str], day: date) -> str:
    """A commented TOML file for `game` with the names of `players`, that reads back as a sheet of empty boxes."""
    common = {question.key: _empty(question) for question in keeping.first(options)}
    each = keeping.each(options, common)
    blank = SeatTally({question.key: _empty(question) for question in each})
    names = tuple(players) or tuple(f"Player {number}" for number in range(1, game.seats[0] + 1))
    tally = Tally(options, (blank,) * len(names), common)
    parts = [
        f"# {game.title}, played with real cards. Fill it in, then: vaultkit log --from FILE.toml",
        f'game = "{game.id}"',
        f"date = {day.isoformat()}",
        *_rows(keeping.first(options)),
        *(f"# {line}" for line in _rows(keeping.last(tally))),
        '# note = "A sentence of your own, for the game\'s note."',
        "",
        "[options]",
        f"# House rules, such as: {_some(game)}. All of them: vaultkit rules {game.id} --options",
    ]
    for number, name in enumerate(names):
        parts += ["", "[[players]]", f"name = {_quoted(name)}", *_rows(each, remarks=number == 0)]
    return "\n".join(parts) + "\n"


def _rows(questions: Iterable[Question], *, remarks: bool = True) -> Iterator[str]:
    """A line for each row, with what is asked behind it."""
    for row, group in groupby(questions, key=lambda question: question.row):
        asked = tuple(group)
        if len(asked) == 1:
            value = _value(asked[0])
            remark = f"{asked[0].title}: {accepted(asked[0])}"
        else:
            value = _quoted("/".join(str(_empty(question)) for question in asked))
            remark = row_title(asked)
            for question in asked if remarks else ():
                if question.choices:
                    yield f"# {question.title}: {accepted(question)}"
        yield f"{_key(row)} = {value}" + (f"  # {remark}" if remarks else "")


def _empty(question: Question) -> Answer:
    if question.default is not None:
        return question.default
    return next(iter(question.choices), "" if question.words else question.least)


def _value(question: Question) -> str:
    value = _empty(question)
    return str(value) if isinstance(value, int) else _quoted(value)


def _key(row: str) -> str:
    return f'"{row}"' if "." in row else row


def _some(game: Game[Any]) -> str:
    option = game.options[0]
    return f'{option.key} = "{option.values[-1]}"'


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
