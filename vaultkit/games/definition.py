"""The definition of a score sheet: players, columns, who wins, impossible scores, and how the sheet is printed.

It is read from plain tables, such as parsed TOML, which are checked because anybody may have written them. The tables
of the built-in games are in `scoresheets/played/`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from vaultkit.games.formula import FORMULA_WORDS, FormulaError, read_formula
from vaultkit.games.question import (
    Answer,
    Column,
    Question,
    check_column,
    complete_column,
    find_twin,
    refuse,
    tidy_texts,
)
from vaultkit.schema import INTERNAL_FIELD, SchemaError, convert_table
from vaultkit.text import slug

Layout = Literal["one", "four", "party"]
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A placeholder for a value in a sentence."""
MAX_PLAYERS, MAX_ROUNDS, MAX_COLUMNS = 12, 60, 40
MAX_LOGGED_ROUNDS = 500
"""The most rounds of one game that can be logged; a printed sheet has room for fewer."""
PlayerCount = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]
Title = Annotated[str, Meta(pattern=r"^(?=.*\S).{1,80}\Z", description="Words, such as Goose Fair; 80 signs at most.")]


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

    when: str
    words: str
    together: bool = False
    rulings: Annotated[tuple[str, ...], INTERNAL_FIELD] = ()
    under: Annotated[Mapping[str, str], INTERNAL_FIELD] = {}

    @property
    def places(self) -> Sequence[str]:
        """The placeholders that are formulas, without those such as {player} that have a fixed meaning."""
        other_places = {"round", "of", "who" if self.together else "player"}
        return [place for place in dict.fromkeys(PLACEHOLDER.findall(self.words)) if place not in other_places]


class Explanation(Struct, frozen=True, forbid_unknown_fields=True):
    """A titled explanation on a printed sheet of one of these `layouts`.

    It has paragraphs (`text`), a list (`items`), a table (`head` and `rows`), and paragraphs `after` that.
    """

    title: str
    text: str = ""
    items: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    after: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ("one", "four", "party")


Id = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z", description="Small letters, digits and hyphens, as in a-1.")]
Count = Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a printed sheet; the names of its boxes begin with its `id`."""

    id: Id
    title: str


class Line(Part, frozen=True):
    """A line to write on; `share` is its part of the width."""

    share: Count = 1


class Listing(Part, frozen=True):
    """A titled list of `count` numbered entries to write on, in one or more `columns`.

    Each entry has a box, or one for each of `heads`, such as the moves of White and of Black.
    """

    count: Count
    how: str = ""
    columns: Count = 1
    heads: tuple[str, ...] = ()


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """The boxes of some `columns` of a definition in their order on the sheet, below a `title`, "" for none.

    Columns that no section names have no boxes.
    """

    columns: tuple[str, ...]
    title: str = ""


class Form(Struct, frozen=True, forbid_unknown_fields=True, rename={"lines": "fields"}):
    """The layout and the texts of a printed sheet, and the `layouts` that suit it, the default first.

    Without `sections` all columns have boxes. A player's own sheet has boxes for several `games` side by side.
    `lines` to write on, entries of `lists`, and `notes`, columns of the rounds, help the players and are not logged.
    """

    subtitle: str = ""
    purpose: str = ""
    reminder: str = ""
    credit: str = ""
    corner: str = ""
    icons: tuple[str, ...] = ()
    layouts: Annotated[tuple[Layout, ...], Meta(min_length=1)] = ("party", "one", "four")
    panels: tuple[Explanation, ...] = ()
    lines: tuple[Line, ...] = ()
    sections: tuple[Section, ...] = ()
    games: Annotated[int, Meta(ge=1, le=6)] = 1
    notes: Annotated[tuple[Part, ...], Meta(max_length=4)] = ()
    lists: tuple[Listing, ...] = ()


class Definition(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All that a score sheet knows of its game. `score` is the id of the column that decides who wins, "" for none.

    `win` says who wins: the `highest` or the `lowest` score, those with a yes in the deciding column (`chosen`), or all
    or none together (`co-op`). `rulings` are the rulings on the number of players. Only games that can be played here
    have `house_rules`, questions with the key of an option, and questions about the whole game that are asked once,
    `before` or `after` the questions to the seats.
    """

    title: Title
    columns: Annotated[tuple[Column, ...], Meta(min_length=1, max_length=MAX_COLUMNS)]
    players: tuple[PlayerCount, PlayerCount]
    rounds: Rounds | None = None
    win: Literal["highest", "lowest", "co-op", "chosen"] = "highest"
    score: str = ""
    impossible: tuple[Condition, ...] = ()
    aliases: tuple[str, ...] = ()
    rulings: Annotated[tuple[str, ...], INTERNAL_FIELD] = ()
    form: Form = Form()
    house_rules: Annotated[tuple[Question, ...], INTERNAL_FIELD] = ()
    before: Annotated[tuple[Question, ...], INTERNAL_FIELD] = ()
    after: Annotated[tuple[Question, ...], INTERNAL_FIELD] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Column]:
        return {column.key: column for column in self.columns}

    @cached_property
    def computed_columns(self) -> Sequence[Column]:
        """The columns with a formula, in an order of computation. Raises CycleError if they depend on each other."""
        needs = {column.key: sorted(read_formula(column.formula).names) for column in self.columns if column.formula}
        return [self.by_id[name] for name in TopologicalSorter(needs).static_order() if name in needs]

    @cached_property
    def round_columns(self) -> frozenset[str]:
        """The ids of the columns with a box in every round.

        A column with a formula has a box in every round if its formula uses a column that has one.
        """
        names = {column.key for column in self.columns if self.rounds and not column.formula and not column.once}
        for column in self.computed_columns:
            names |= {column.key} if read_formula(column.formula).bare & names else set()
        return frozenset(names)

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


_RESERVED_FIELDS = {"player", "session", "date"}
_RESERVED_IDS = {*_RESERVED_FIELDS, "name", "players", "outcome", "heads", "names", *FORMULA_WORDS}

_ONLY_BUILT_IN_MESSAGE = "'{}' is only for the games that can be played here."


def read_definition(game: str, table: Mapping[str, Any]) -> Definition:
    """Return the checked and completed definition of the game with the id `game`. Raises SchemaError."""
    hint = "Small letters, digits and hyphens, as in chess-960."
    refuse(not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", game), (), f"'{game}' is no id of a game.", hint)
    for key in ("house_rules", "before", "after"):
        refuse(key in table, (key,), _ONLY_BUILT_IN_MESSAGE.format(key))
    players = table.get("players")
    is_unclear = "players" in table and not isinstance(players, int | list)
    hint = "Write 3, or the fewest and the most: [2, 4]."
    refuse(is_unclear, ("players",), "'players' must say how many play.", hint)
    definition = complete_definition(raw_definition(table))
    _check_definition(definition)
    if definition.score and definition.is_per_round(definition.by_id[definition.score]):
        return _add_total_column(definition)
    return definition


def raw_definition(table: Mapping[str, Any]) -> Definition:
    """Return a definition from plain tables, with tidy texts but without completing it. Raises SchemaError."""
    players = table.get("players")
    tidy_table = {**table, "players": [players, players]} if isinstance(players, int) else dict(table)
    return convert_table(tidy_texts(tidy_table), Definition)


def complete_definition(raw: Definition) -> Definition:
    """Return a definition with complete columns, the deciding column, and a condition for each maximum."""
    columns = tuple(map(complete_column, raw.columns))
    columns_with_max = [column for column in columns if column.most is not None and column.is_asked]
    limits = (_max_condition(column) for column in columns_with_max if not (column.choices or column.words))
    score = raw.score or _choose_score_column(raw.win, columns)
    return replace(raw, columns=columns, score=score, impossible=(*raw.impossible, *limits))


def _max_condition(column: Column) -> Condition:
    """Return the impossible condition that a number is higher than the column's maximum."""
    title = re.sub("[{}]", "", column.title)
    words = f"{title}{{of}}: {{player}} has {{({column.key})}}, and {column.most} is the most that can be true."
    return Condition(f"{column.key} > {column.most}", words, rulings=column.rulings)


def _choose_score_column(win: str, columns: Sequence[Column]) -> str:
    """Return the id of the column that decides who wins if the definition names none; "" for no column.

    With `chosen` it is the last yes or no column. Otherwise it is the last column with a formula, or without any the
    last one with numbers, or without any the last one with a worth.
    """
    computed_columns = [column.key for column in columns if column.formula]
    number_columns = [column.key for column in columns if not column.choices and not column.words]
    yes_no_columns = [column.key for column in columns if column.is_yes_no]
    score_columns = computed_columns or number_columns or [column.key for column in columns if column.worth]
    return ["", *{"co-op": [], "chosen": yes_no_columns}.get(win, score_columns)][-1]


def _add_total_column(definition: Definition) -> Definition:
    """Return a definition whose deciding column is a new one, which adds up the scores of all rounds."""
    names = ("total", *map("total_{}".format, range(2, MAX_COLUMNS + 2)))
    name = next(name for name in names if name not in definition.by_id)
    total = complete_column(Column(name, "Total", formula=f"sum({definition.score})"))
    return replace(definition, columns=(*definition.columns, total), score=name)


def _check_definition(definition: Definition) -> None:
    """Check a whole definition. Raises SchemaError.

    Each check relies on the checks before it.
    """
    min_players, max_players = definition.players
    rounds = definition.rounds
    names = [col.key for col in definition.columns]
    refuse(min_players > max_players, ("players",), "'players' must have the fewest first.")
    is_reserved = rounds and rounds.id in _RESERVED_FIELDS
    refuse(is_reserved, ("rounds", "name"), "A round's name cannot be a field's.", "Such as deal.")
    is_bad_plural = rounds and (rounds.key in _RESERVED_FIELDS or not any(map(str.isalpha, rounds.several)))
    refuse(is_bad_plural, ("rounds", "plural"), "A plural needs letters, and no field's name.", "Such as deals.")
    reserved_ids = _RESERVED_IDS | ({rounds.key, rounds.id} if rounds else set())
    for index, column in enumerate(definition.columns):
        check_column(column, ("columns", index), reserved_ids)
        refuse(column.key in names[:index], ("columns", index, "id"), f"Two columns are called '{column.key}'.")
    titles = [col.label if col.is_asked else "" for col in definition.columns]
    if twin := find_twin(titles):
        message = f"Two columns have one title: '{titles[twin[0]]}' and '{titles[twin[1]]}'."
        raise SchemaError(("columns", twin[1], "title"), message, "Capitals and accents alone do not tell them apart.")
    _check_formulas(definition)
    for index, condition in enumerate(definition.impossible):
        refuse(condition.under, ("impossible", index, "under"), _ONLY_BUILT_IN_MESSAGE.format("under"))
        stray_braces = set(PLACEHOLDER.sub("", condition.words)) & set("{}")
        refuse(stray_braces, ("impossible", index, "words"), "A bracket { or } stands alone in these words.")
    score_column = definition.by_id.get(definition.score)
    refuse(definition.score and not score_column, ("score",), f"There is no column '{definition.score}'.")
    is_unfit = not (score_column and score_column.is_yes_no and not score_column.worth)
    message_for_chosen = "Who is chosen must be a column that takes yes or no."
    refuse(definition.win == "chosen" and is_unfit, ("win",), message_for_chosen, 'takes = "yes or no"')
    needs_score = definition.win != "co-op" and not score_column
    refuse(needs_score, ("score",), "No column says who wins.", "Add a column with numbers.")


def _check_formulas(definition: Definition) -> None:
    """Check that formulas can be read, do not need each other, and only add up columns of the rounds.

    Raises SchemaError.
    """
    column_ids, known_names = [item.key for item in definition.columns], {*definition.by_id, "players"}
    formulas = [(("columns", n, "formula"), item.formula) for n, item in enumerate(definition.columns) if item.formula]
    for number, item in enumerate(definition.impossible):
        formulas += [(("impossible", number, "when"), item.when)]
        formulas += [(("impossible", number, "words"), column_index) for column_index in item.places]
    for path, text in formulas:
        other_columns = [item for number, item in enumerate(column_ids) if path[:2] != ("columns", number)]
        hint = "Places: player, round, of, who. " * (path[2] == "words")
        hint += f"Columns: {', '.join(other_columns)}." * bool(other_columns)
        try:
            names = read_formula(text).names
        except FormulaError as error:
            raise SchemaError(path, f"This formula cannot be read: {error}", hint) from error
        for name in sorted(names):
            refuse(name not in known_names, path, f"There is no column '{name}'.", hint)
    try:
        definition.computed_columns  # noqa: B018
    except CycleError as error:
        column_index = column_ids.index(error.args[1][0])
        message = f"The formula of '{column_ids[column_index]}' leads back to itself."
        raise SchemaError(("columns", column_index, "formula"), message) from error
    for path, text in formulas if definition.rounds else ():
        for name in sorted(read_formula(text).over - {"players"}):
            message = f"'{name}' is no column of the rounds, and cannot be added up over them."
            refuse(not definition.is_per_round(definition.by_id[name]), path, message)
