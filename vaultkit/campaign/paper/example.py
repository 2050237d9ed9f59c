"""Examples for `log`, made from the questions of the game's score sheet: a file for --from, a line for --score."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from vaultkit.campaign.paper.answers import accepted, row_title, together
from vaultkit.games.base import AnyGame
from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Question, ScoreKeeping, SeatTally, Tally

_SHOWN = 3
"""The rows of a score on the command line that are enough to show how it is written."""


def example(game: AnyGame, keeping: ScoreKeeping, options: Options, players: Sequence[str], day: date) -> str:
    """A commented TOML file for `game` that reads back as a sheet of empty boxes.

    It has the names of as many `players` as can play. What must be answered is empty, and refused if it stays so.
    """
    common = {question.key: _empty(question) for question in keeping.first(options)}
    each = keeping.each(options, common)
    blank = SeatTally({question.key: _empty(question) for question in each})
    fewest, most = game.seats
    names = tuple(players[:most]) or tuple(f"Player {number}" for number in range(1, fewest + 1))
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
        f"# House rules{_some(game)}. All of them: vaultkit rules {game.id} --options",
    ]
    for number, name in enumerate(names):
        parts += ["", "[[players]]", f"name = {_quoted(name)}", *_rows(each, remarks=number == 0)]
    return "\n".join(parts) + "\n"


def score_flag(keeping: ScoreKeeping, options: Options) -> str:
    """One player's scores on the command line: `--score "NAME: swords=TOTAL/HEROES, ..."`, the first rows of them."""
    common = {question.key: _empty(question) for question in keeping.first(options)}
    each = keeping.each(options, common)
    pairs = [f"{_key(group, each)}={'/'.join(map(_placeholder, group))}" for group in together(each)]
    return f'--score "NAME: {", ".join(pairs[:_SHOWN])}"'


def _placeholder(question: Question) -> str:
    """The name of an answer, or its first choice."""
    return next(iter(question.choices), question.key.rpartition(".")[2].upper())


def _rows(questions: Sequence[Question], *, remarks: bool = True) -> Iterator[str]:
    """A line for each answer, or for several that go together; what is asked stands behind, how to count above."""
    told = {""}
    for group in together(questions):
        for how in (question.how for question in group if remarks and question.how not in told):
            told.add(how)
            yield f"# {how}"
        yield f"{_quoted_key(_key(group, questions))} = {_value(group)}" + f"  # {_asked(group)}" * remarks


def _asked(group: Sequence[Question]) -> str:
    return row_title(group) if len(group) > 1 else f"{group[0].title} ({accepted(group[0])})"


def _value(group: Sequence[Question]) -> str:
    """The empty boxes of a line; nothing where there must be an answer."""
    if len(group) > 1:
        return _quoted("/".join(str(_empty(question)) for question in group))
    value = group[0].default
    return str(value) if isinstance(value, int) else _quoted(value or "")


def _key(group: Sequence[Question], questions: Sequence[Question]) -> str:
    """The key of a line: its row, or its one question where others of that row have lines of their own."""
    rows = Counter(question.row for question in questions)
    return group[0].row if rows[group[0].row] == len(group) else group[0].key


def _empty(question: Question) -> Answer:
    if question.default is not None:
        return question.default
    return next(iter(question.choices), "" if question.words else question.least)


def _quoted_key(key: str) -> str:
    return f'"{key}"' if "." in key else key


def _some(game: AnyGame) -> str:
    """An example of a house rule, where the game has any of its own."""
    return "".join(f', such as: {option.key} = "{option.values[-1]}"' for option in game.options[:1])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
