"""The definition of a score sheet: who plays, what is written down, who wins, what cannot be true, how it is printed.

It is a value: of the five games it stands beside their rules, of all others it is made from plain tables, whoever read
them. What is wrong with these is a `DefinitionError`, which has the path of the fault: `("columns", 2, "formula")`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, count
from typing import Any, Literal, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from vaultkit.games.formula import WORDS, Formula, FormulaError, read_formula

Answer = int | str
"""A number, or one of a question's choices, or any words where there are none."""
Path = tuple[str | int, ...]
YES_NO = "yes or no"
MOST_PLAYERS, MOST_ROUNDS, MOST_COLUMNS = 12, 60, 40
LARGEST_ANSWER = 999_999
_GAME, _ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII), re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_RESERVED = frozenset({"name", "player", "players", "session", "date", "outcome", "heads", "names"})
_KNOWN = frozenset({"players"})
"""Names in formulas that are no columns."""
_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass
class DefinitionError(Exception):
    """A fault of a definition: where it is, and what would be right."""

    path: Path
    message: str
    hint: str = ""


class Question(Struct, frozen=True, rename={"key": "id"}):
    """One thing that a score sheet asks.

    `key` is the name of its box on the printed sheet, `swords.total`: what stands before the dot is the row. With
    `choices` the answer is one of them, the words for people beside it; else it is a number from `least`, or with
    `words` a text. `most` is the highest number that can be true. `default` is the answer of an empty box, None where
    there must be one. `how` says in a sentence what counts, and `summed` that people add it up, from `8+9` for example.
    """

    key: str
    title: str
    choices: Mapping[str, str] = {}
    least: int = 0
    most: int | None = None
    words: bool = False
    default: Answer | None = None
    rulings: tuple[str, ...] = ()
    how: str = ""
    summed: bool = False

    @property
    def row(self) -> str:
        """The row of the sheet: `swords` of `swords.total`, `deal.1` of `deal.1.tricks`, else the key itself."""
        return self.key.rpartition(".")[0] or self.key

    def changed(self, **fields: Any) -> Self:
        """The same question but for these fields."""
        return replace(self, **fields)


class Column(Question, frozen=True, forbid_unknown_fields=True):
    """A column of a definition, asked once a round if there are rounds, or only `once`.

    It `takes` a number, yes or no, or one of the words listed; `worth` is what each of these is in a formula, else they
    count from 1. One with a `formula` is reckoned, and nobody is asked; nor is what is not `asked`, a box of the sheet
    alone. `brief` says what counts where there is little room.
    """

    takes: Literal["number", "yes or no"] | tuple[str, ...] = "number"
    worth: tuple[int | float, ...] = ()
    formula: str = ""
    once: bool = False
    asked: bool = True
    brief: str = ""

    @property
    def is_asked(self) -> bool:
        return self.asked and not self.formula

    @property
    def is_yes_no(self) -> bool:
        return set(self.choices) == {"yes", "no"}

    @property
    def read(self) -> Formula:
        """Its formula, read."""
        return _read(self.formula)


_read = cache(read_formula)


class Rounds(Struct, frozen=True, forbid_unknown_fields=True):
    """The rounds of a game, each called `name`; `most` of them have room on a sheet."""

    name: str = "round"
    most: int = 12
    plural: str = ""
    rulings: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.plural or f"{self.name}s"


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A doubt: `when` this formula holds the scores cannot be true, and `words` say why.

    The words have places such as {player} and {points}.
    It is looked at for each player, and for each round where it uses a column of the rounds. Where it holds for all
    `together`, a column is what all players have of it, added up.
    """

    when: str
    words: str
    together: bool = False
    rulings: tuple[str, ...] = ()

    @property
    def read(self) -> Formula:
        return _read(self.when)


class Explanation(Struct, frozen=True, forbid_unknown_fields=True):
    """A titled piece of explanation on a printed sheet: a paragraph, a list, a table, and paragraphs."""

    title: str
    text: str = ""
    items: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    after: tuple[str, ...] = ()
    layouts: tuple[Literal["one", "four", "party"], ...] = ("one", "four", "party")


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a printed sheet besides its boxes; `layouts` are those that make sense, the usual one first."""

    subtitle: str = ""
    purpose: str = ""
    reminder: str = ""
    credit: str = ""
    corner: str = ""
    icons: tuple[str, ...] = ()
    layouts: tuple[Literal["one", "four", "party"], ...] = ("party", "one", "four")
    panels: tuple[Explanation, ...] = ()


class Definition(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A game as its score sheet knows it. `score` is the id of the column that decides, where that is not plain.

    The `highest` or the `lowest` score wins, or those whose yes or no is yes are `chosen`, or all win or lose together
    (`co-op`).
    """

    title: str
    columns: tuple[Column, ...]
    players: tuple[int, int]
    rounds: Rounds | None = None
    win: Literal["highest", "lowest", "co-op", "chosen"] = "highest"
    score: str = ""
    impossible: tuple[Condition, ...] = ()
    aliases: tuple[str, ...] = ()
    form: Form = Form()

    @cached_property
    def by_id(self) -> Mapping[str, Column]:
        return {column.key: column for column in self.columns}

    @cached_property
    def reckoned(self) -> Sequence[Column]:
        """The columns that are reckoned, each behind those that it needs."""
        done = {column.key for column in self.columns if not column.formula} | _KNOWN
        left, found = [column for column in self.columns if column.formula], list[Column]()
        while left:
            ready = [column for column in left if column.read.names <= done]
            found += ready
            done |= {column.key for column in ready}
            left = [column for column in left if column.key not in done]
        return found

    @cached_property
    def _in_rounds(self) -> frozenset[str]:
        """The columns with a box in every round; one that is reckoned has it if it uses another that has."""
        if self.rounds is None:
            return frozenset()
        found = {column.key for column in self.columns if not column.formula and not column.once}
        for column in self.reckoned:
            found |= {column.key} if column.read.bare & found else set()
        return frozenset(found)

    @property
    def decides(self) -> str:
        """The id of the column that decides, "" for none."""
        if self.score or self.win == "co-op":
            return self.score
        wanted = [one.key for one in self.columns if one.is_yes_no] if self.win == "chosen" else self._numbers
        return wanted[-1] if wanted else ""

    @property
    def _numbers(self) -> list[str]:
        """Columns that may be the score: those that are reckoned, else numbers, else choices with a worth."""
        reckoned = [one.key for one in self.columns if one.formula]
        numbers = [one.key for one in self.columns if not one.choices and not one.words]
        return reckoned or numbers or [one.key for one in self.columns if one.worth]

    def is_each(self, column: Column) -> bool:
        """Whether a column has a box in every round."""
        return column.key in self._in_rounds

    def in_rounds(self, formula: Formula) -> bool:
        """Whether a formula says something of every round."""
        return bool(formula.bare & self._in_rounds)

    def key(self, column: Column, number: int) -> str:
        """The name of a column's box, in round `number` or, with 0, of the whole game."""
        return f"{self.rounds.name}.{number}.{column.key}" if self.rounds and number else column.key

    def rounds_of(self, common: Mapping[str, Answer]) -> range:
        """The numbers of the rounds, from 1; none for a game without any."""
        played = common.get(self.rounds.key, 1) if self.rounds else 0
        return range(1, 1 + (played if isinstance(played, int) else 1))

    def numbers(self, column: Column, common: Mapping[str, Answer]) -> Sequence[int]:
        """The rounds in which the column has a box; 0 for one of the whole game."""
        return self.rounds_of(common) if self.is_each(column) else (0,)

    def question(self, column: Column, number: int, common: Mapping[str, Answer]) -> Column:
        """The column as it is asked: `Deal 2, tricks`."""
        title = column.title[:1].upper() + column.title[1:]
        if number and self.rounds and len(self.rounds_of(common)) > 1:
            title = f"{self.rounds.name.capitalize()} {number}, {column.title}"
        return column.changed(key=self.key(column, number), title=title)

    def of_round(self, number: int, common: Mapping[str, Answer]) -> str:
        """Which round is meant, in words behind a column's name."""
        several = self.rounds and number and len(self.rounds_of(common)) > 1
        return f" of {self.rounds.name} {number}" if self.rounds and several else ""


def read_definition(game: str, table: Mapping[str, Any]) -> Definition:
    """The definition of the game with this id in plain tables. Raises DefinitionError."""
    if not _GAME.fullmatch(game):
        raise DefinitionError(
            (), f"'{game}' is no id of a game.", "Small letters, digits and hyphens, as in chess-960."
        )
    players = table.get("players")
    tidy = {**table, "players": [players, players]} if isinstance(players, int) else dict(table)
    try:
        found = msgspec.convert(tidy, Definition)
    except msgspec.ValidationError as error:
        raise _translated(str(error)) from error
    found = replace(found, columns=tuple(map(_completed, found.columns)))
    _Check(found).all()
    decides = found.by_id[found.decides] if found.decides else None
    if decides is None or not found.is_each(decides):
        return found
    total = Column(_free("total", found), "Total", formula=f"sum({decides.key})", least=-LARGEST_ANSWER)
    return replace(found, columns=(*found.columns, total), score=total.key)


def _free(name: str, found: Definition) -> str:
    taken = {column.key for column in found.columns}
    return next(one for one in chain([name], (f"{name}_{n}" for n in count(2))) if one not in taken)


def _completed(column: Column) -> Column:
    """With the choices that it takes, and what stands for an empty box: no, or nothing."""
    if column.takes == YES_NO:
        return replace(column, choices={"no": "no", "yes": "yes"}, default="no")
    if column.takes != "number":
        return replace(column, choices={word: word for word in column.takes})
    if column.formula:
        return replace(column, least=-LARGEST_ANSWER)
    zero = column.least <= 0 and (column.most is None or column.most >= 0)
    return replace(column, default=0) if zero and column.default is None else column


_SHAPES: dict[str, type[Struct]] = {
    "columns": Column, "rounds": Rounds, "impossible": Condition, "form": Form, "panels": Explanation
}  # fmt: skip
_TYPES = {"int": "a whole number", "float": "a number", "str": "a text in quotes", "bool": "true or false",
          "array": "a list", "object": "a table"}  # fmt: skip


def _translated(said: str) -> DefinitionError:
    """An error of msgspec in words for people: `Expected `int`, got `str` - at `$.columns[0].most``."""
    message, _, place = said.rpartition(" - at `") if " - at `" in said else (said, "", "")
    path: Path = tuple(name or int(number) for name, number in re.findall(r"\.([\w-]+)|\[(\d+)\]", place))
    named = [step for step in path if isinstance(step, str)]
    what = f"'{named[-1]}'" if named else "This"
    accepted = f"Accepted: {', '.join(_SHAPES.get(''.join(named[-1:]), Definition).__struct_encode_fields__)}."
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return DefinitionError((*path, unknown[1]), f"Unknown key '{unknown[1]}'.", accepted)
    if missing := re.fullmatch(r"Object missing required field `(.*)`", message):
        return DefinitionError(path, f"The key '{missing[1]}' is missing.", accepted)
    if wrong := re.fullmatch(r"Invalid enum value '(.*)'", message, re.DOTALL):
        hint = (
            "Accepted: highest, lowest, co-op, chosen." if path == ("win",) else "The layouts are one, four and party."
        )
        return DefinitionError(path, f"{what} cannot be '{wrong[1]}'.", hint)
    expected = re.match(r"Expected `([^`]*)`", message)
    wanted = [_TYPES[word] for word in re.split(r"[ |]+", expected[1]) if word in _TYPES] if expected else []
    return DefinitionError(path, f"{what} must be {' or '.join(wanted)}." if wanted else f"{what}: {message}.")


class _Check:
    """Looks a definition over, and raises a DefinitionError for the first thing that is wrong."""

    def __init__(self, found: Definition) -> None:
        self.found = found
        self.known = {column.key for column in found.columns}

    def all(self) -> None:
        found = self.found
        fewest, most = found.players
        if not 1 <= fewest <= most <= MOST_PLAYERS:
            raise DefinitionError(("players",), f"'players' must be from 1 to {MOST_PLAYERS}, the fewest first.")
        if found.rounds and not (1 <= found.rounds.most <= MOST_ROUNDS and _ID.fullmatch(found.rounds.name)):
            hint = f"A name in small letters, and from 1 to {MOST_ROUNDS} of them."
            raise DefinitionError(("rounds",), "These rounds cannot be.", hint)
        if not found.title.strip():
            raise DefinitionError(("title",), "The game has no title.")
        if not 1 <= len(found.columns) <= MOST_COLUMNS:
            raise DefinitionError(("columns",), f"A score sheet needs from 1 to {MOST_COLUMNS} columns.")
        self._columns()
        self._formulas()
        for number, condition in enumerate(found.impossible):
            self._condition(condition, ("impossible", number))
        self._winner()

    def _columns(self) -> None:
        names: set[str] = set()
        rounds = self.found.rounds
        taken = _RESERVED | WORDS | ({rounds.key, rounds.name} if rounds else set())
        for number, column in enumerate(self.found.columns):
            path: Path = ("columns", number)
            if not _ID.fullmatch(column.key) or column.key in taken:
                hint = "Small letters, digits and _, as in last_round; and no word of formulas or of the sheet itself."
                raise DefinitionError((*path, "id"), f"A column cannot be called '{column.key}'.", hint)
            if column.key in names:
                raise DefinitionError((*path, "id"), f"Two columns are called '{column.key}'.")
            names.add(column.key)
            if column.most is not None and column.most < column.least:
                raise DefinitionError((*path, "most"), f"'{column.key}' has a most below its least.")
            if column.takes != "number" and len(column.choices) < 2:
                raise DefinitionError((*path, "takes"), f"'{column.key}' needs two choices at least, each once.")
            if column.worth and len(column.worth) != len(column.choices):
                raise DefinitionError((*path, "worth"), f"'{column.key}' needs a worth for each of its choices.")

    def _formulas(self) -> None:
        uses: dict[str, frozenset[str]] = {}
        for number, column in enumerate(self.found.columns):
            if column.formula:
                uses[column.key] = self._named(column.formula, ("columns", number, "formula"))
        for number, column in enumerate(self.found.columns):
            if column.key in _reached(column.key, uses):
                message = f"The formula of '{column.key}' leads back to itself."
                raise DefinitionError(("columns", number, "formula"), message)
        for number, column in enumerate(self.found.columns):
            if column.formula:
                self._over_rounds(column.read, ("columns", number, "formula"))

    def _named(self, text: str, path: Path) -> frozenset[str]:
        """The columns that a formula names, all of which there are."""
        try:
            names = _read(text).names - _KNOWN
        except FormulaError as error:
            raise DefinitionError(path, f"This formula cannot be read: {error}") from error
        if unknown := sorted(names - self.known):
            raise DefinitionError(
                path, f"There is no column '{unknown[0]}'.", f"Columns: {', '.join(sorted(self.known))}."
            )
        return names

    def _over_rounds(self, formula: Formula, path: Path) -> None:
        for name in sorted(formula.over - _KNOWN) if self.found.rounds else ():
            if not self.found.is_each(self.found.by_id[name]):
                message = f"'{name}' is no column of the rounds, and cannot be added up over them."
                raise DefinitionError(path, message)

    def _condition(self, condition: Condition, path: Path) -> None:
        self._named(condition.when, (*path, "when"))
        self._over_rounds(condition.read, (*path, "when"))
        places = {"players", "round", *self.known} | (set() if condition.together else {"player"})
        said = _PLACE.sub("", condition.words)
        wrong = next((name for name in _PLACE.findall(condition.words) if name not in places), "")
        if wrong or set(said) & set("{}"):
            hint = f"Places: {', '.join(f'{{{place}}}' for place in sorted(places))}."
            raise DefinitionError((*path, "words"), f"'{{{wrong}}}' is no place in these words.", hint)

    def _winner(self) -> None:
        found, decides = self.found, self.found.decides
        if decides and decides not in self.known:
            raise DefinitionError(("score",), f"There is no column '{decides}'.")
        if found.win == "chosen" and not (decides and found.by_id[decides].is_yes_no):
            raise DefinitionError(
                ("win",), "Who is chosen must be a column that takes yes or no.", 'takes = "yes or no"'
            )
        if found.win != "co-op" and not decides:
            raise DefinitionError(("score",), "No column says who wins.", "Add a column with numbers.")


def _reached(name: str, uses: Mapping[str, frozenset[str]]) -> set[str]:
    """The columns that a column's formula needs, and theirs."""
    reached: set[str] = set()
    todo = [*uses.get(name, ())]
    while todo:
        if (one := todo.pop()) not in reached:
            reached.add(one)
            todo += uses.get(one, ())
    return reached
