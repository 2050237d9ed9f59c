"""The definition of a score sheet: who plays, what is written down, who wins, what cannot be true, how it is printed.

It is read from plain tables, whoever wrote them: those of our own games are in `scoresheets/played/`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import isfinite
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from vaultkit.games.formula import WORDS, FormulaError, read_formula
from vaultkit.shapes import INNER, Path, ShapeError, read_shape
from vaultkit.sorting import slug

Answer = int | float | str
"""A number, or one of a question's choices, or any words where there are none."""
Layout = Literal["one", "four", "party"]
PLACE = re.compile(r"\{([^{}]*)\}")
"""A place for a value in words."""
MOST_PLAYERS, MOST_ROUNDS, MOST_COLUMNS = 12, 60, 40
LARGEST_ANSWER = 999_999
LEAST_STEP = 0.01
_ID = r"^[a-z][a-z0-9_]*\Z"
Players = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]
Title = Annotated[str, Meta(pattern=r"^(?=.*\S).{1,80}\Z", description="Words, such as Goose Fair; 80 signs at most.")]


class Question(Struct, frozen=True, forbid_unknown_fields=True, rename={"key": "id"}):
    """One thing that a score sheet asks.

    `key` is the name of its box on the printed sheet, `swords.total`: what stands before the dot is the row. With
    `choices` the answer is one of them, the words for people beside it; else it is a number from `least` in steps of
    `step`, or with `words` a text. `most` is the highest number that can be true. `default` is the answer of an empty
    box, None where there must be one. `how` says in a sentence what counts, and `summed` that people add it up, from
    `8+9` for example.
    """

    key: str
    title: Annotated[str, Meta(pattern=r"^.{0,80}\Z", description="80 signs at most.")]
    choices: Annotated[Mapping[str, str], INNER] = {}
    least: int = 0
    most: Annotated[int, Meta(ge=-LARGEST_ANSWER, le=LARGEST_ANSWER)] | None = None
    words: Annotated[bool, INNER] = False
    default: Answer | None = None
    rulings: Annotated[tuple[str, ...], INNER] = ()
    how: str = ""
    summed: Annotated[bool, INNER] = False
    step: int | float = 1

    @property
    def row(self) -> str:
        """The row of the sheet: `swords` of `swords.total`, `deal.1` of `deal.1.tricks`, else the key itself."""
        return self.key.rpartition(".")[0] or self.key

    @property
    def called(self) -> str:
        """The name before a colon: `Forfeited` of `Forfeited?`."""
        return self.title.rstrip("?: ")

    @property
    def likeliest(self) -> Answer:
        """The answer where nobody says another: the default, else the first choice, no words, or the least number."""
        first = next(iter(self.choices), "" if self.words else self.least)
        return first if self.default is None else self.default

    @property
    def accepted(self) -> str:
        """The answers that are accepted, for people."""
        if self.choices or self.words:
            return ", ".join(self.choices) or "any words"
        most = f" to {self.most}" if self.most is not None else " on"
        return f"{self.kind} from {self.least}{most}{', or a sum such as 8+9' * self.summed}"

    @property
    def kind(self) -> str:
        """The numbers that can be written."""
        return "a whole number" if self.step == 1 else f"a number in steps of {self.step}"

    def changed(self, **fields: Any) -> Self:
        """The same question but for these fields."""
        return replace(self, **fields)


class Column(Question, frozen=True):
    """A column of a definition, asked once a round if there are rounds, or only `once`.

    It `takes` a number, yes or no, or one of the words listed; `worth` is what each of these is in a formula, else they
    count from 1. One with a `formula` is reckoned, and nobody is asked; nor is what is not `asked`, a box of the sheet
    alone. `brief` says what counts where there is little room.
    """

    takes: Literal["number", "yes or no"] | tuple[str, ...] = "number"
    worth: tuple[int | float, ...] = ()
    formula: str = ""
    once: bool = False
    asked: Annotated[bool, INNER] = True
    brief: str = ""

    @property
    def is_asked(self) -> bool:
        return self.asked and not self.formula

    @property
    def is_yes_no(self) -> bool:
        return set(self.choices) == {"yes", "no"}


_ROUND = r"^[^\W\d_](?:[\w '’-]{0,22}\w)?\Z"


class Rounds(Struct, frozen=True, forbid_unknown_fields=True):
    """The rounds of a game, each called `name`; `most` of them have room on a sheet."""

    name: Annotated[str, Meta(pattern=_ROUND, description="A word or a few, as in last round.")] = "round"
    most: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 12
    plural: str = ""
    rulings: Annotated[tuple[str, ...], INNER] = ()

    @property
    def id(self) -> str:
        """The beginning of the names of its boxes."""
        return slug(self.name, "_")

    @property
    def several(self) -> str:
        return self.plural or f"{self.name}s"

    @property
    def key(self) -> str:
        return slug(self.several, "_")

    @property
    def question(self) -> Question:
        """How many there were."""
        return Question(self.key, f"How many {self.several}?", least=1, most=self.most, default=1, rulings=self.rulings)


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A doubt: `when` this formula holds the scores cannot be true, and `words` say why.

    The words have places: {player}, {round}, {of}, which is ` of deal 2` where there are several, and columns and other
    formulas, such as {points}.
    It is looked at for each player, and for each round where it uses a column of the rounds. Where it holds for all
    `together`, a column is what all players have of it, added up, and {who} names those who have any: `Ann and Ben
    together have`. `under` are the house rules under which alone it is looked at.
    """

    when: str
    words: str
    together: bool = False
    rulings: Annotated[tuple[str, ...], INNER] = ()
    under: Annotated[Mapping[str, str], INNER] = {}

    @property
    def places(self) -> Sequence[str]:
        """The places in the words that are formulas; who is meant is none."""
        known = {"round", "of", "who" if self.together else "player"}
        return [place for place in dict.fromkeys(PLACE.findall(self.words)) if place not in known]


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
    layouts: Annotated[tuple[Layout, ...], Meta(min_length=1)] = ("party", "one", "four")
    panels: tuple[Explanation, ...] = ()


class Definition(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A game as its score sheet knows it. `score` is the id of the column that decides, "" where none does.

    The `highest` or the `lowest` score wins, or those whose yes or no is yes are `chosen`, or all win or lose together
    (`co-op`). `rulings` say how many play. The games that are played here ask for `house_rules`, each called as its
    option, and for what holds for all seats, `before` these or `after` them.
    """

    title: Title
    columns: Annotated[tuple[Column, ...], Meta(min_length=1, max_length=MOST_COLUMNS)]
    players: tuple[Players, Players]
    rounds: Rounds | None = None
    win: Literal["highest", "lowest", "co-op", "chosen"] = "highest"
    score: str = ""
    impossible: tuple[Condition, ...] = ()
    aliases: tuple[str, ...] = ()
    rulings: Annotated[tuple[str, ...], INNER] = ()
    form: Form = Form()
    house_rules: Annotated[tuple[Question, ...], INNER] = ()
    before: Annotated[tuple[Question, ...], INNER] = ()
    after: Annotated[tuple[Question, ...], INNER] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Column]:
        return {column.key: column for column in self.columns}

    @cached_property
    def reckoned(self) -> Sequence[Column]:
        """The columns that are reckoned, each behind those that it needs. Raises CycleError if they need each other."""
        needs = {one.key: sorted(read_formula(one.formula).names) for one in self.columns if one.formula}
        return [self.by_id[name] for name in TopologicalSorter(needs).static_order() if name in needs]

    @cached_property
    def in_rounds(self) -> frozenset[str]:
        """The columns with a box in every round; one that is reckoned has it if it uses another that has."""
        found = {column.key for column in self.columns if self.rounds and not column.formula and not column.once}
        for column in self.reckoned:
            found |= {column.key} if read_formula(column.formula).bare & found else set()
        return frozenset(found)

    def is_each(self, column: Column) -> bool:
        """Whether a column has a box in every round."""
        return column.key in self.in_rounds

    def key(self, column: Column, number: int) -> str:
        """The name of a column's box, in round `number` or, with 0, of the whole game."""
        return f"{self.rounds.id}.{number}.{column.key}" if self.rounds and number else column.key

    def rounds_of(self, common: Mapping[str, Answer]) -> range:
        """The numbers of the rounds, from 1; none for a game without any."""
        played = common.get(self.rounds.key, 1) if self.rounds else 0
        return range(1, 1 + (played if isinstance(played, int) else 1))

    def boxes(self, columns: Iterable[Column], common: Mapping[str, Answer]) -> Sequence[tuple[Column, int]]:
        """These columns with each round in which they have a box; with 0 where it is one of the whole game."""
        rounds = self.rounds_of(common)
        return [(column, number) for column in columns for number in (rounds if self.is_each(column) else (0,))]

    def question(self, column: Column, number: int, common: Mapping[str, Answer]) -> Column:
        """The column as it is asked: `Deal 2, tricks`."""
        name = self.round_name(number, common)
        title = f"{name}, {column.title}" if name else column.title
        return column.changed(key=self.key(column, number), title=title[:1].upper() + title[1:])

    def round_name(self, number: int, common: Mapping[str, Answer]) -> str:
        """The name of a round where there are several, `deal 2`; "" where there is one, or none."""
        return f"{self.rounds.name} {number}" if self.rounds and number and len(self.rounds_of(common)) > 1 else ""


_FIELDS = {"player", "session", "date"}
_RESERVED = {*_FIELDS, "name", "players", "outcome", "heads", "names", *WORDS}

_ONLY_PLAYED = "'{}' is only for the games that can be played here."


def read_definition(game: str, table: Mapping[str, Any]) -> Definition:
    """The definition of the game with this id in plain tables. Raises ShapeError."""
    hint = "Small letters, digits and hyphens, as in chess-960."
    _refuse(not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", game), (), f"'{game}' is no id of a game.", hint)
    for key in ("house_rules", "before", "after"):
        _refuse(key in table, (key,), _ONLY_PLAYED.format(key))
    players = table.get("players")
    unclear = "players" in table and not isinstance(players, int | list)
    _refuse(unclear, ("players",), "'players' must say how many play.", "Write 3, or the fewest and the most: [2, 4].")
    tidy = {**table, "players": [players, players]} if isinstance(players, int) else dict(table)
    found = completed(read_shape(tidy, Definition))
    _check(found)
    return _with_total(found) if found.score and found.is_each(found.by_id[found.score]) else found


def completed(raw: Definition) -> Definition:
    """With what its columns leave unsaid, the column that decides, and a doubt for each number that is too high."""
    columns = tuple(map(_completed, raw.columns))
    limited = (one for one in columns if one.most is not None and one.is_asked and not (one.choices or one.words))
    score = raw.score or _deciding(raw.win, columns)
    return replace(raw, columns=columns, score=score, impossible=(*raw.impossible, *map(_beyond, limited)))


def _beyond(column: Column) -> Condition:
    """The doubt that a number is higher than can be true."""
    title = re.sub("[{}]", "", column.title)
    words = f"{title}{{of}}: {{player}} has {{({column.key})}}, and {column.most} is the most that can be true."
    return Condition(f"{column.key} > {column.most}", words, rulings=column.rulings)


def _completed(column: Column) -> Column:
    """With the choices that it takes, and what stands for an empty box: no, or nothing."""
    if column.takes == "yes or no" or (set(map(str.casefold, column.takes)) == {"yes", "no"} and not column.worth):
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
    name = next(one for one in ("total", *map("total_{}".format, range(2, MOST_COLUMNS + 2))) if one not in found.by_id)
    total = _completed(Column(name, "Total", formula=f"sum({found.score})"))
    return replace(found, columns=(*found.columns, total), score=name)


def _refuse(wrong: object, path: Path, message: str, hint: str = "") -> None:
    """Raises ShapeError with this message if something is wrong."""
    if wrong:
        raise ShapeError(path, message, hint)


def _check(found: Definition) -> None:
    """Raises ShapeError for what is wrong. What stands further down counts on all above."""
    (fewest, most), rounds, names = found.players, found.rounds, [one.key for one in found.columns]
    _refuse(fewest > most, ("players",), "'players' must have the fewest first.")
    unnamed = rounds and (rounds.id in _FIELDS or not re.search(_ID, rounds.id))
    _refuse(unnamed, ("rounds", "name"), "A round's name needs letters from a to z, and no field's.", "Such as deal.")
    reserved = _RESERVED | ({rounds.key, rounds.id} if rounds else set())
    for number, column in enumerate(found.columns):
        _check_column(column, ("columns", number), reserved)
        _refuse(column.key in names[:number], ("columns", number, "id"), f"Two columns are called '{column.key}'.")
    _check_formulas(found)
    for number, condition in enumerate(found.impossible):
        _refuse(condition.under, ("impossible", number, "under"), _ONLY_PLAYED.format("under"))
        alone = set(PLACE.sub("", condition.words)) & set("{}")
        _refuse(alone, ("impossible", number, "words"), "A bracket { or } stands alone in these words.")
    decides = found.by_id.get(found.score)
    _refuse(found.score and not decides, ("score",), f"There is no column '{found.score}'.")
    unfit, chosen = not (decides and decides.is_yes_no), "Who is chosen must be a column that takes yes or no."
    _refuse(found.win == "chosen" and unfit, ("win",), chosen, 'takes = "yes or no"')
    _refuse(found.win != "co-op" and not decides, ("score",), "No column says who wins.", "Add a column with numbers.")


def _check_column(column: Column, path: Path, reserved: set[str]) -> None:
    hint = "Small letters, digits and _, as in last_round; and no word of formulas or of the sheet itself."
    named = re.search(_ID, column.key) and column.key not in reserved
    _refuse(not named, (*path, "id"), f"A column cannot be called '{column.key}'.", hint)
    below = column.most is not None and column.most < column.least
    _refuse(below, (*path, "most"), f"'{column.key}' has a most below its least.")
    listed, signs = column.takes != "number", {*"".join(column.choices)} & {*"/,;="} | {*column.choices} & {"-", "–"}
    parted = f"'{column.key}' takes a word with '{min(signs, default='')}', which parts scores or stands for none."
    _refuse(listed and signs, (*path, "takes"), parted)
    single = f"'{column.key}' needs two choices at least, each once."
    _refuse(listed and len(column.choices) < 2, (*path, "takes"), single)
    unfit = listed and column.default is not None and column.default not in column.choices
    _refuse(unfit, (*path, "default"), f"'{column.key}' does not take '{column.default}'.")
    stepped = LEAST_STEP <= column.step <= LARGEST_ANSWER and not Fraction(str(column.step)) % Fraction(str(LEAST_STEP))
    _refuse(not stepped, (*path, "step"), f"'{column.key}' needs a step of {LEAST_STEP} or more, such as 0.5.")
    worth = not column.worth or (len(column.worth) == len(column.choices) and all(map(isfinite, column.worth)))
    _refuse(not worth, (*path, "worth"), f"'{column.key}' needs a worth for each of its choices.")


def _check_formulas(found: Definition) -> None:
    """Raises ShapeError for formulas that cannot be read, need each other, or add up what is in no round."""
    columns, known = [one.key for one in found.columns], {*found.by_id, "players"}
    formulas = [(("columns", n, "formula"), one.formula) for n, one in enumerate(found.columns) if one.formula]
    for number, one in enumerate(found.impossible):
        formulas += [(("impossible", number, "when"), one.when)]
        formulas += [(("impossible", number, "words"), place) for place in one.places]
    for path, text in formulas:
        rest = [one for number, one in enumerate(columns) if path[:2] != ("columns", number)]
        hint = "Places: player, round, of, who. " * (path[2] == "words") + f"Columns: {', '.join(rest)}." * bool(rest)
        try:
            names = read_formula(text).names
        except FormulaError as error:
            raise ShapeError(path, f"This formula cannot be read: {error}", hint) from error
        for name in sorted(names):
            _refuse(name not in known, path, f"There is no column '{name}'.", hint)
    try:
        found.reckoned  # noqa: B018
    except CycleError as error:
        place = columns.index(error.args[1][0])
        message = f"The formula of '{columns[place]}' leads back to itself."
        raise ShapeError(("columns", place, "formula"), message) from error
    for path, text in formulas if found.rounds else ():
        for name in sorted(read_formula(text).over - {"players"}):
            message = f"'{name}' is no column of the rounds, and cannot be added up over them."
            _refuse(not found.is_each(found.by_id[name]), path, message)
