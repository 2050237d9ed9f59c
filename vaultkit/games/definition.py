"""The definition of a score sheet: who plays, what is written down, who wins, what cannot be true, how it is printed.

It is a value: of the five games it stands beside their rules, of all others `definition_reader` makes it from tables.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from vaultkit.games.formula import read_formula

Answer = int | float | str
"""A number, or one of a question's choices, or any words where there are none."""
Layout = Literal["one", "four", "party"]
Win = Annotated[
    Literal["highest", "lowest", "co-op", "chosen"], Meta(description="Accepted: highest, lowest, co-op, chosen.")
]


class Question(Struct, frozen=True, rename={"key": "id"}):
    """One thing that a score sheet asks.

    `key` is the name of its box on the printed sheet, `swords.total`: what stands before the dot is the row. With
    `choices` the answer is one of them, the words for people beside it; else it is a number from `least` in steps of
    `step`, or with `words` a text. `most` is the highest number that can be true. `default` is the answer of an empty
    box, None where there must be one. `how` says in a sentence what counts, and `summed` that people add it up, from
    `8+9` for example.
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
    step: int | float = 1

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


class Explanation(Struct, frozen=True, forbid_unknown_fields=True):
    """A titled piece of explanation on a printed sheet: a paragraph, a list, a table, and paragraphs."""

    title: str
    text: str = ""
    items: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    after: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ("one", "four", "party")


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a printed sheet besides its boxes; `layouts` are those that make sense, the usual one first."""

    subtitle: str = ""
    purpose: str = ""
    reminder: str = ""
    credit: str = ""
    corner: str = ""
    icons: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ("party", "one", "four")
    panels: tuple[Explanation, ...] = ()


class Definition(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A game as its score sheet knows it. `score` is the id of the column that decides, "" where none does.

    The `highest` or the `lowest` score wins, or those whose yes or no is yes are `chosen`, or all win or lose together
    (`co-op`).
    """

    title: str
    columns: tuple[Column, ...]
    players: tuple[int, int]
    rounds: Rounds | None = None
    win: Win = "highest"
    score: str = ""
    impossible: tuple[Condition, ...] = ()
    aliases: tuple[str, ...] = ()
    form: Form = Form()

    @cached_property
    def by_id(self) -> Mapping[str, Column]:
        return {column.key: column for column in self.columns}

    @cached_property
    def reckoned(self) -> Sequence[Column]:
        """The columns that are reckoned, each behind those that it needs. Raises CycleError if they need each other."""
        needs = {one.key: sorted(read_formula(one.formula).names) for one in self.columns if one.formula}
        return [self.by_id[name] for name in TopologicalSorter(needs).static_order() if name in needs]

    @cached_property
    def _in_rounds(self) -> frozenset[str]:
        """The columns with a box in every round; one that is reckoned has it if it uses another that has."""
        if self.rounds is None:
            return frozenset()
        found = {column.key for column in self.columns if not column.formula and not column.once}
        for column in self.reckoned:
            found |= {column.key} if read_formula(column.formula).bare & found else set()
        return frozenset(found)

    def is_each(self, column: Column) -> bool:
        """Whether a column has a box in every round."""
        return column.key in self._in_rounds

    def in_rounds(self, formula: str) -> bool:
        """Whether a formula says something of every round."""
        return bool(read_formula(formula).bare & self._in_rounds)

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
        name = self.round_name(number, common)
        title = f"{name}, {column.title}" if name else column.title
        return column.changed(key=self.key(column, number), title=title[:1].upper() + title[1:])

    def round_name(self, number: int, common: Mapping[str, Answer]) -> str:
        """The name of a round where there are several, `deal 2`; "" where there is one, or none."""
        return f"{self.rounds.name} {number}" if self.rounds and number and len(self.rounds_of(common)) > 1 else ""

    def of_round(self, number: int, common: Mapping[str, Answer]) -> str:
        """Which round is meant, in words behind a column's name."""
        name = self.round_name(number, common)
        return f" of {name}" if name else ""
