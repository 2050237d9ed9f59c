"""Reads the definition of a score sheet from plain tables, whoever made them, and looks it over."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from graphlib import CycleError
from math import isfinite
from typing import Any

from msgspec.structs import replace

from vaultkit.games.definition import Column, Condition, Definition
from vaultkit.games.formula import WORDS, FormulaError, read_formula
from vaultkit.shapes import Path, ShapeError, read_shape

MOST_PLAYERS, MOST_ROUNDS, MOST_COLUMNS = 12, 60, 40
LARGEST_ANSWER = 999_999
LEAST_STEP = 0.01
_GAME, _ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII), re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_RESERVED = {"name", "player", "players", "session", "date", "outcome", "heads", "names", *WORDS}
_PLACE = re.compile(r"\{([^{}]*)\}")


def read_definition(game: str, table: Mapping[str, Any]) -> Definition:
    """The definition of the game with this id in plain tables. Raises ShapeError."""
    if not _GAME.fullmatch(game):
        hint = "Small letters, digits and hyphens, as in chess-960."
        raise ShapeError((), f"'{game}' is no id of a game.", hint)
    players = table.get("players")
    tidy = {**table, "players": [players, players]} if isinstance(players, int) else dict(table)
    raw = read_shape(tidy, Definition)
    columns = tuple(map(_completed, raw.columns))
    found = replace(raw, columns=columns, score=raw.score or _deciding(raw.win, columns))
    if fault := next(_faults(found), None):
        raise fault
    return _with_total(found) if found.score and found.is_each(found.by_id[found.score]) else found


def _completed(column: Column) -> Column:
    """With the choices that it takes, and what stands for an empty box: no, or nothing."""
    if column.takes == "yes or no":
        return replace(column, choices={"no": "no", "yes": "yes"}, default="no")
    if column.takes != "number":
        return replace(column, choices={word: word for word in column.takes})
    if column.formula:
        return replace(column, least=-LARGEST_ANSWER, step=LEAST_STEP)
    zero = column.least <= 0 and (column.most is None or column.most >= 0)
    return replace(column, default=0) if zero and column.default is None else column


def _deciding(win: str, columns: Sequence[Column]) -> str:
    """The last column that may decide: one that is reckoned, else a number, else choices with a worth; "" for none."""
    reckoned = [one.key for one in columns if one.formula]
    numbers = [one.key for one in columns if not one.choices and not one.words]
    chosen = [one.key for one in columns if one.is_yes_no]
    scores = reckoned or numbers or [one.key for one in columns if one.worth]
    return ["", *{"co-op": [], "chosen": chosen}.get(win, scores)][-1]


def _with_total(found: Definition) -> Definition:
    """With a column that adds up the score of all rounds, which decides."""
    names = ("total", *(f"total_{number}" for number in range(2, MOST_COLUMNS + 2)))
    name = next(one for one in names if one not in found.by_id)
    total = _completed(Column(name, "Total", formula=f"sum({found.score})"))
    return replace(found, columns=(*found.columns, total), score=name)


def _faults(found: Definition) -> Iterator[ShapeError]:
    """All that is wrong. What stands further down counts on all above."""
    (fewest, most), rounds = found.players, found.rounds
    if not 1 <= fewest <= most <= MOST_PLAYERS:
        yield ShapeError(("players",), f"'players' must be from 1 to {MOST_PLAYERS}, the fewest first.")
    if rounds and not (1 <= rounds.most <= MOST_ROUNDS and _ID.fullmatch(rounds.name)):
        hint = f"A name in small letters, and from 1 to {MOST_ROUNDS} of them."
        yield ShapeError(("rounds",), "These rounds cannot be.", hint)
    if not found.title.strip():
        yield ShapeError(("title",), "The game has no title.")
    if not 1 <= len(found.columns) <= MOST_COLUMNS:
        yield ShapeError(("columns",), f"A score sheet needs from 1 to {MOST_COLUMNS} columns.")
    for number, column in enumerate(found.columns):
        before = {one.key for one in found.columns[:number]}
        yield from _of_column(column, ("columns", number), before, {rounds.key, rounds.name} if rounds else set())
    yield from _of_formulas(found)
    for number, condition in enumerate(found.impossible):
        yield from _of_words(condition, ("impossible", number, "words"), found.by_id)
    decides = found.by_id.get(found.score)
    if found.score and not decides:
        yield ShapeError(("score",), f"There is no column '{found.score}'.")
    if found.win == "chosen" and not (decides and decides.is_yes_no):
        yield ShapeError(("win",), "Who is chosen must be a column that takes yes or no.", 'takes = "yes or no"')
    if found.win != "co-op" and not decides:
        yield ShapeError(("score",), "No column says who wins.", "Add a column with numbers.")


def _of_column(column: Column, path: Path, before: set[str], rounds: set[str]) -> Iterator[ShapeError]:
    if not _ID.fullmatch(column.key) or column.key in _RESERVED | rounds:
        hint = "Small letters, digits and _, as in last_round; and no word of formulas or of the sheet itself."
        yield ShapeError((*path, "id"), f"A column cannot be called '{column.key}'.", hint)
    if column.key in before:
        yield ShapeError((*path, "id"), f"Two columns are called '{column.key}'.")
    if column.most is not None and column.most < column.least:
        yield ShapeError((*path, "most"), f"'{column.key}' has a most below its least.")
    if column.takes != "number" and len(column.choices) < 2:
        yield ShapeError((*path, "takes"), f"'{column.key}' needs two choices at least, each once.")
    if not LEAST_STEP <= column.step <= LARGEST_ANSWER or Fraction(str(column.step)) % Fraction(str(LEAST_STEP)):
        yield ShapeError((*path, "step"), f"'{column.key}' needs a step of {LEAST_STEP} or more, such as 0.5.")
    if column.worth and not (len(column.worth) == len(column.choices) and all(map(isfinite, column.worth))):
        yield ShapeError((*path, "worth"), f"'{column.key}' needs a worth for each of its choices.")


def _of_formulas(found: Definition) -> Iterator[ShapeError]:
    """Of formulas that cannot be read, that need each other, or that add up what is in no round."""
    formulas: dict[Path, str] = {
        ("columns", number, "formula"): one.formula for number, one in enumerate(found.columns) if one.formula
    }
    formulas |= {("impossible", number, "when"): one.when for number, one in enumerate(found.impossible)}
    for path, text in formulas.items():
        try:
            unknown = sorted(read_formula(text).names - found.by_id.keys() - {"players"})
        except FormulaError as error:
            yield ShapeError(path, f"This formula cannot be read: {error}")
            return
        if unknown:
            hint = f"Columns: {', '.join(sorted(found.by_id))}."
            yield ShapeError(path, f"There is no column '{unknown[0]}'.", hint)
    try:
        found.reckoned  # noqa: B018
    except CycleError as error:
        number = next(number for number, one in enumerate(found.columns) if one.key in error.args[1])
        message = f"The formula of '{found.columns[number].key}' leads back to itself."
        yield ShapeError(("columns", number, "formula"), message)
    for path, text in formulas.items() if found.rounds else ():
        for name in sorted(read_formula(text).over - {"players"}):
            if not found.is_each(found.by_id[name]):
                yield ShapeError(path, f"'{name}' is no column of the rounds, and cannot be added up over them.")


def _of_words(condition: Condition, path: Path, columns: Mapping[str, Column]) -> Iterator[ShapeError]:
    places = {"players", "round", *columns} | (set() if condition.together else {"player"})
    wrong = next((name for name in _PLACE.findall(condition.words) if name not in places), "")
    if wrong or set(_PLACE.sub("", condition.words)) & set("{}"):
        hint = f"Places: {', '.join(f'{{{place}}}' for place in sorted(places))}."
        yield ShapeError(path, f"'{{{wrong}}}' is no place in these words.", hint)
