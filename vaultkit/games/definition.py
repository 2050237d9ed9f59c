"""The definition of a score sheet: players, columns, who wins, impossible scores, and how the sheet is printed.

`definition_reader` reads it from plain tables. The tables of the built-in games are in `scoresheets/played/`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from vaultkit.games.formula import Formula, read_formula
from vaultkit.games.question import Answer, Bound, Column, Question, Text
from vaultkit.schema import INTERNAL_FIELD
from vaultkit.text import slug

Layout = Literal["one", "four", "party"]
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A placeholder for a value in a sentence."""
MAX_PLAYERS, MAX_ROUNDS, MAX_COLUMNS, MAX_TIES = 12, 60, 40, 8
MAX_CONDITION_COUNT = 200
"""The most impossible conditions, and the most aliases, of a game."""
MAX_BOXES_ACROSS, BOXES_PER_TOTAL = 23.5, 1.5
"""The width of a page in boxes of a round, and the width of a box for the whole game in the same unit."""
MAX_LOGGED_ROUNDS = 500
"""The most rounds of one game that can be logged; a printed sheet has room for fewer."""
PlayerCount = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]
Title = Annotated[
    str, Meta(pattern=r"^(?=.*\S).{1,80}\Z", description="Words, such as Goose Fair; at most 80 characters.")
]


class RoundCount(Question, frozen=True):
    """The question how many rounds were played."""

    @property
    def limit(self) -> int:
        return MAX_LOGGED_ROUNDS


_ROUND_NAME = r"^[^\W\d_](?:[\w '’-]{0,22}\w)?\Z"


def _field_name(words: str, fallback: str) -> str:
    """Return words as a part of a box's name, or `fallback` if that would not begin with a letter."""
    name = slug(words, "_")
    return name if name[:1].isalpha() else fallback


class Rounds(Struct, frozen=True, forbid_unknown_fields=True):
    """The rounds of a game: the word for one, such as `deal`, and the number `most` for which a sheet has room.

    `most` is also the limit for the number of rounds that were played if there are `rulings`, which then say so.
    """

    name: Annotated[str, Meta(pattern=_ROUND_NAME, description="A word or a few, as in last round.")] = "round"
    most: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 12
    plural: Annotated[str, Meta(pattern=r"^.{0,80}\Z", description="80 signs at most.")] = ""
    rulings: Annotated[tuple[str, ...], INTERNAL_FIELD] = ()

    @property
    def id(self) -> str:
        """The beginning of the names of all boxes of a round, such as `deal` of `deal.2.points`."""
        return _field_name(self.name, "round")

    @property
    def several(self) -> str:
        return self.plural or f"{self.name}s"

    @property
    def key(self) -> str:
        return _field_name(self.several, "rounds")

    @property
    def question(self) -> Question:
        """The question how many rounds were played."""
        most = self.most if self.rulings else MAX_LOGGED_ROUNDS
        return RoundCount(self.key, f"How many {self.several}?", least=1, most=most, default=1, rulings=self.rulings)


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """An impossible condition: the formula `when` is not 0 only for scores that cannot be true; `words` explain why.

    The formula is evaluated for each player, and in each round if it uses a column that has a box in every round. If
    the players are taken `together`, it is evaluated once, and a column means the sum over all players. `words` has
    placeholders: {player}, {round}, {of} (` of deal 2` if there are several rounds), {who} for all together (`Ann and
    Ben together have`), and formulas such as {points}. The condition applies only with the house rules `under`.
    """

    when: Text
    words: Text
    together: bool = False
    rulings: Annotated[tuple[str, ...], INTERNAL_FIELD] = ()
    under: Annotated[Mapping[str, str], INTERNAL_FIELD] = {}

    @property
    def places(self) -> Sequence[str]:
        """The placeholders that are formulas, without those such as {player} that have a fixed meaning."""
        other_places = {"round", "of", "who" if self.together else "player"}
        return [place for place in dict.fromkeys(PLACEHOLDER.findall(self.words)) if place not in other_places]


MAX_PARTS = Meta(max_length=30)
"""The most panels, lists, sections, texts or rows of one kind on a sheet."""
Texts = Annotated[tuple[Text, ...], MAX_PARTS]
Cells = Annotated[tuple[Text, ...], Meta(max_length=12)]


class Explanation(Struct, frozen=True, forbid_unknown_fields=True):
    """A titled explanation on a printed sheet of one of these `layouts`.

    It has paragraphs (`text`), a list (`items`), a table (`head` and `rows`), and paragraphs `after` that.
    """

    title: str
    text: Text = ""
    items: Texts = ()
    head: Cells = ()
    rows: Annotated[tuple[Cells, ...], MAX_PARTS] = ()
    after: Texts = ()
    layouts: tuple[Layout, ...] = ("one", "four", "party")


Id = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z", description="Lower-case letters, digits and hyphens, as in a-1.")
]
Count = Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a printed sheet; the names of its boxes begin with its `id`."""

    id: Id
    title: str


class Line(Part, frozen=True):
    """A line to write on; `share` is its part of the width."""

    share: Count = 1


class EntryList(Part, frozen=True):
    """A titled list of `count` numbered entries to write on, in one or more `columns`.

    Each entry has a box, or one for each of `heads`, such as the moves of White and of Black.
    """

    count: Count
    how: Text = ""
    columns: Count = 1
    heads: tuple[str, ...] = ()


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """The boxes of some `columns` of a definition in their order on the sheet, below a `title`, "" for none.

    Columns that no section names have no boxes.
    """

    columns: Annotated[tuple[str, ...], Meta(max_length=MAX_COLUMNS)]
    title: Text = ""


class Form(Struct, frozen=True, forbid_unknown_fields=True, rename={"lines": "fields"}):
    """The layout and the texts of a printed sheet, and the `layouts` that suit it, the default first.

    Without `sections` all columns have boxes. A player's own sheet has boxes for several `games` side by side.
    With `across` rounds stand side by side, and each player has a row; the columns `last` have a box in the last round
    only. `lines` to write on, entries of `lists`, and `notes`, columns of the rounds, help the players and are not
    logged.
    """

    subtitle: Text = ""
    purpose: Text = ""
    reminder: Text = ""
    credit: Text = ""
    corner: Text = ""
    icons: tuple[str, ...] = ()
    layouts: Annotated[tuple[Layout, ...], Meta(min_length=1)] = ("party", "one", "four")
    panels: Annotated[tuple[Explanation, ...], Meta(max_length=16)] = ()
    lines: Annotated[tuple[Line, ...], MAX_PARTS] = ()
    sections: Annotated[tuple[Section, ...], Meta(max_length=MAX_COLUMNS)] = ()
    games: Annotated[int, Meta(ge=1, le=6)] = 1
    across: bool = False
    last: tuple[str, ...] = ()
    notes: Annotated[tuple[Part, ...], Meta(max_length=4)] = ()
    lists: Annotated[tuple[EntryList, ...], MAX_PARTS] = ()


class Definition(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All that a score sheet knows of its game. `score` is the id of the column that decides who wins, "" for none.

    `columns` have a value for each player, and the columns of the `table` one for all. `win` says who wins: the
    `highest` or the `lowest` score, those with a yes in the deciding column (`chosen`), or all or none together
    (`co-op`). Between equal scores the formulas of `ties` decide in their order; the higher value wins. The game ends
    when a score reaches the `target`, a number or a formula of the table's columns. `teams` is the id of the column
    whose choices are the teams, and `title_from` that of the table's column which names the game. `rulings` are the
    rulings on the number of players. Only games that can be played here have `house_rules`, questions with the key of
    an option, and questions about the whole game that are asked once, `before` or `after` the questions to the seats.
    """

    title: Title
    columns: Annotated[tuple[Column, ...], Meta(min_length=1, max_length=MAX_COLUMNS)]
    players: tuple[PlayerCount, PlayerCount]
    rounds: Rounds | None = None
    win: Literal["highest", "lowest", "co-op", "chosen"] = "highest"
    score: Text = ""
    ties: Annotated[tuple[str, ...], Meta(max_length=MAX_TIES)] = ()
    target: Bound | str | None = None
    teams: Text = ""
    title_from: Text = ""
    table: Annotated[tuple[Column, ...], Meta(max_length=MAX_COLUMNS)] = ()
    impossible: Annotated[tuple[Condition, ...], Meta(max_length=MAX_CONDITION_COUNT)] = ()
    aliases: Annotated[tuple[str, ...], Meta(max_length=MAX_CONDITION_COUNT)] = ()
    rulings: Annotated[tuple[str, ...], INTERNAL_FIELD] = ()
    form: Form = Form()
    house_rules: Annotated[tuple[Question, ...], INTERNAL_FIELD] = ()
    before: Annotated[tuple[Question, ...], INTERNAL_FIELD] = ()
    after: Annotated[tuple[Question, ...], INTERNAL_FIELD] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Column]:
        """The columns, and those of the table, by their ids."""
        return {column.key: column for column in (*self.columns, *self.table)}

    @cached_property
    def boxed_columns(self) -> Sequence[Column]:
        """The players' columns that have boxes on the sheet."""
        keys = {key for section in self.form.sections for key in section.columns}
        return [column for column in self.columns if not keys or column.key in keys]

    @cached_property
    def table_ids(self) -> frozenset[str]:
        return frozenset(column.key for column in self.table)

    @property
    def score_column(self) -> Column | None:
        """The column that decides who wins; None for none."""
        return self.by_id.get(self.score)

    @cached_property
    def formulas(self) -> Mapping[str, Formula]:
        """The formulas of the computed columns, by the ids of these."""
        return {column.key: read_formula(column.formula) for column in self.by_id.values() if column.formula}

    @cached_property
    def computed_groups(self) -> Sequence[Sequence[Column]]:
        """The columns with a formula, in an order of computation.

        The columns of one group use their own values of earlier rounds, and are computed round by round. Raises
        CycleError, with the ids, if columns depend on each other otherwise.
        """
        formulas = self.formulas
        needs = {key: sorted(formula.names & formulas.keys()) for key, formula in formulas.items()}
        first = {key: {use.name for use in formulas[key].uses if not use.is_earlier} for key in needs}
        order = [*TopologicalSorter({key: sorted(first[key] & needs.keys()) for key in needs}).static_order()]
        sources = {key: self.find_sources(key) for key in needs}
        circles = {key: [item for item in order if key in sources[item] and item in sources[key]] for key in order}
        for key, circle in circles.items():
            if any(use.name in circle and (use.over or use.shift > 0) for use in formulas[key].uses):
                raise CycleError("columns depend on each other", [key])
        groups = {key: tuple(circle or [key]) for key, circle in circles.items()}
        graph: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for key, group in groups.items():
            graph.setdefault(group, []).extend(groups[name] for name in needs[key] if name not in group)
        return [[self.by_id[key] for key in group] for group in TopologicalSorter(graph).static_order()]

    def find_sources(self, key: str) -> set[str]:
        """Return all columns from which a column is computed, directly or through others."""
        sources, open_keys = set[str](), [key]
        while open_keys:
            formula = self.formulas.get(open_keys.pop())
            new_keys = formula.names - sources if formula else set[str]()
            sources |= new_keys
            open_keys += new_keys
        return sources

    @cached_property
    def running_columns(self) -> frozenset[str]:
        """The ids of the columns that use their own values of earlier rounds, such as a running total.

        For the whole game the value of the last round counts.
        """
        return frozenset(
            column.key
            for group in self.computed_groups
            for column in group
            if len(group) > 1 or column.key in self.formulas[column.key].names
        )

    @cached_property
    def computed_columns(self) -> Sequence[Column]:
        """The players' columns with a formula, in an order of computation. Raises CycleError if there is none."""
        columns = (column for group in self.computed_groups for column in group)
        return [column for column in columns if column.key not in self.table_ids]

    @cached_property
    def round_columns(self) -> frozenset[str]:
        """The ids of the columns with a box in every round.

        A column with a formula has a box in every round if its formula uses a column that has one.
        """
        names = {column.key for column in self.columns if self.rounds and not column.formula and not column.once}
        for _ in self.columns:  # until none is added, since columns may use each other's earlier values
            names |= {
                key for key, formula in self.formulas.items() if key not in self.table_ids and formula.bare & names
            }
        return frozenset(names)

    def is_in_rounds(self, text: str) -> bool:
        """Return whether a formula has a value for every round, since it uses a column that has one."""
        return not read_formula(text).bare.isdisjoint(self.round_columns)

    def is_per_round(self, column: Column) -> bool:
        """Return whether a column has a box in every round."""
        return column.key in self.round_columns

    def key(self, column: Column, round_number: int) -> str:
        """Return the name of a column's box in round `round_number`, or in the whole game if that is 0."""
        return f"{self.rounds.id}.{round_number}.{column.key}" if self.rounds and round_number else column.key

    def rounds_of(self, common: Mapping[str, Answer]) -> range:
        """Return the numbers of the rounds, from 1; empty for a game without rounds."""
        round_count = common.get(self.rounds.key, 1) if self.rounds else 0
        return range(1, 1 + (round_count if isinstance(round_count, int) else 1))

    def boxes(self, columns: Iterable[Column], common: Mapping[str, Answer]) -> Sequence[tuple[Column, int]]:
        """Return each column with each round in which it has a box, or with 0 if it has one for the whole game."""
        rounds = self.rounds_of(common)
        return [(col, number) for col in columns for number in (rounds if self.is_per_round(col) else (0,))]

    def question(self, column: Column, round_number: int, common: Mapping[str, Answer]) -> Column:
        """Return a column as the question for round `round_number`, with a title such as `Deal 2, tricks`."""
        name = self.round_name(round_number, common)
        title = f"{name}, {column.title}" if name else column.title
        return column.replace_fields(key=self.key(column, round_number), title=title[:1].upper() + title[1:])

    def round_name(self, round_number: int, common: Mapping[str, Answer]) -> str:
        """Return the name of a round, such as `deal 2`; "" if the game has only one round, or none."""
        if self.rounds and round_number and len(self.rounds_of(common)) > 1:
            return f"{self.rounds.name} {round_number}"
        return ""
