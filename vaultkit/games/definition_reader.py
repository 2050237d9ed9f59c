"""The reader of definitions: plain tables, such as parsed TOML, become a complete `Definition`, and TOML again.

The tables are checked because anybody may have written them. Equal definitions give equal texts in TOML.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError
from itertools import starmap
from typing import Any, NamedTuple

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from vaultkit.games.definition import (
    BOXES_PER_TOTAL,
    MAX_BOXES_ACROSS,
    MAX_COLUMNS,
    PLACEHOLDER,
    Condition,
    Definition,
    Form,
)
from vaultkit.games.formula import FORMULA_WORDS, FUNCTION_WORDS, PLACE_NAMES, Formula, FormulaError, read_formula
from vaultkit.games.question import Column, check_column, complete_column, find_twin, is_hundredths, refuse, tidy_texts
from vaultkit.schema import Path, SchemaError, convert_table
from vaultkit.text import is_game_id, toml_line

_RESERVED_FIELDS = {"player", "session", "date"}
_RESERVED_IDS = {*_RESERVED_FIELDS, "name", "players", "outcome", "heads", "names", *FORMULA_WORDS}
_RESERVED_TABLE_IDS = {"game", "note", "options", "vaultkit"}
"""Keys of a file of scores, which the columns of the table would share."""
_PREFIX = "sha256-"
"""The beginning of every id, which keeps programs from reading an id as a number."""

_ONLY_BUILT_IN_MESSAGE = "'{}' is only for the games that can be played here."


def read_definition(game: str, table: Mapping[str, Any]) -> Definition:
    """Return the checked and complete definition of the game with the id `game`. Raises SchemaError."""
    hint = "Lower-case letters and digits of any script, and hyphens, as in chess-960."
    refuse(not is_game_id(game), (), f"'{game}' is not an id of a game.", hint)
    for key in ("house_rules", "before", "after"):
        refuse(key in table, (key,), _ONLY_BUILT_IN_MESSAGE.format(key))
    players = table.get("players")
    is_unclear = "players" in table and not isinstance(players, int | list)
    hint = "Write 3, or the fewest and the most: [2, 4]."
    refuse(is_unclear, ("players",), "'players' must say how many play.", hint)
    definition = complete_definition(raw_definition(table))
    _check_definition(definition)
    is_total = definition.score not in definition.round_columns - definition.running_columns
    complete = definition if is_total else _add_total_column(definition)
    if complete.form.across and complete.form.layouts == Form().layouts:
        complete = replace(complete, form=replace(complete.form, layouts=("party", "one")))
    _check_form(complete)
    return complete


def raw_definition(table: Mapping[str, Any]) -> Definition:
    """Return a definition from plain tables, with tidy texts but without completing it. Raises SchemaError."""
    players = table.get("players")
    tidy_table = {**table, "players": [players, players]} if isinstance(players, int) else dict(table)
    return convert_table(tidy_texts(tidy_table), Definition)


def complete_definition(raw: Definition) -> Definition:
    """Return a definition with complete columns, the deciding column, and conditions for maxima and sums of columns."""
    columns, table = (tuple(map(complete_column, columns)) for columns in (raw.columns, raw.table))
    numbers = [column for column in (*columns, *table) if not (column.choices or column.words)]
    with_max = [column for column in numbers if column.most is not None and column.is_asked]
    limits = (_max_condition(column, "" if column in table else "{player} has ") for column in with_max)
    sums = (_sum_condition(column) for column in columns if column.adds_up_to)
    score = raw.score or _choose_score_column(raw.win, columns)
    return replace(raw, columns=columns, table=table, score=score, impossible=(*raw.impossible, *limits, *sums))


def _max_condition(column: Column, owner: str) -> Condition:
    """Return the impossible condition that a number is higher than the column's maximum.

    `owner` stands before the number in the sentence.
    """
    title = re.sub("[{}]", "", column.title)
    words = f"{title}{{of}}: {owner}{{({column.key})}}, and {column.most} is the most that can be true."
    return Condition(f"{column.key} > {column.most}", words, rulings=column.rulings)


def _sum_condition(column: Column) -> Condition:
    """Return the impossible condition that the numbers of all players do not have the sum in `adds_up_to`."""
    title, total = re.sub("[{}]", "", column.label), re.sub("[{}]", "", column.adds_up_to)
    words = f"{title}{{of}}: the sum over all players is {{({column.key})}}, and it must be {{({total})}}."
    return Condition(f"{column.key} != ({column.adds_up_to})", words, together=True, rulings=column.rulings)


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
    refuse(min_players > max_players, ("players",), "'players' must begin with the fewest.")
    _check_rounds(definition)
    _check_columns(definition)
    _check_formulas(definition)
    for index, condition in enumerate(definition.impossible):
        refuse(condition.under, ("impossible", index, "under"), _ONLY_BUILT_IN_MESSAGE.format("under"))
        stray_braces = set(PLACEHOLDER.sub("", condition.words)) & set("{}")
        refuse(stray_braces, ("impossible", index, "words"), "These words have a single bracket { or }.")
    _check_winning(definition)


def _check_rounds(definition: Definition) -> None:
    """Check the names of rounds. Raises SchemaError."""
    if rounds := definition.rounds:
        is_reserved = rounds.id in _RESERVED_FIELDS
        refuse(is_reserved, ("rounds", "name"), "A round cannot have the name of a field.", "Such as deal.")
        is_bad_plural = rounds.key in _RESERVED_FIELDS or not any(map(str.isalpha, rounds.several))
        message = "A plural needs letters, and must not be the name of a field."
        refuse(is_bad_plural, ("rounds", "plural"), message, "Such as deals.")


def _check_columns(definition: Definition) -> None:
    """Check each column, and that ids and titles differ. Raises SchemaError."""
    rounds = definition.rounds
    reserved_ids = _RESERVED_IDS | ({rounds.key, rounds.id} if rounds else set())
    places: list[Path] = [("columns", index) for index in range(len(definition.columns))]
    places += [("table", index) for index in range(len(definition.table))]
    columns, names, titles = (*definition.columns, *definition.table), list[str](), list[str]()
    for column, path in zip(columns, places, strict=True):
        is_of_table = path[0] == "table"
        check_column(column, path, reserved_ids | (_RESERVED_TABLE_IDS if is_of_table else set()))
        refuse(column.key in names, (*path, "id"), f"Two columns are called '{column.key}'.")
        message = f"'{column.key}' has one value for the whole table, and nothing to add up."
        refuse(is_of_table and column.adds_up_to, (*path, "adds_up_to"), message)
        message = f"'{column.key}' takes words, which only a column of the table can."
        refuse(column.takes == "words" and not is_of_table, (*path, "takes"), message)
        names.append(column.key)
        titles.append(column.label if column.is_asked else "")
    if twin := find_twin(titles):
        message = f"Two columns have the same title: '{titles[twin[0]]}' and '{titles[twin[1]]}'."
        hint = "They differ only in capitals or accents."
        raise SchemaError((*places[twin[1]], "title"), message, hint)


def _check_form(definition: Definition) -> None:
    """Check that the printed form has room for all columns that it names. Raises SchemaError."""
    form, players_columns, names = definition.form, {column.key for column in definition.columns}, set[str]()
    for number, section in enumerate(form.sections):
        for index, key in enumerate(section.columns):
            path = ("form", "sections", number, "columns", index)
            refuse(key not in players_columns, path, f"The players have no column '{key}'.")
            refuse(key in names, path, f"The column '{key}' is named twice in the sections.")
            names.add(key)
    round_columns = [column for column in definition.boxed_columns if definition.is_per_round(column)]
    for index, key in enumerate(form.last):
        is_per_round = key in [column.key for column in round_columns]
        refuse(not is_per_round, ("form", "last", index), f"'{key}' is not a column with a box in each round.")
    if not form.across:
        return
    asked_columns = [column for column in round_columns if not column.formula]
    frequent_columns = [column for column in asked_columns if column.key not in form.last]
    refuse(not frequent_columns, ("form", "across"), "Rounds side by side need a column with a box in each round.")
    message = "Rounds side by side have no place for {}."
    refuse("four" in form.layouts, ("form", "layouts"), message.format("the layout 'four'"))
    for number, section in enumerate(form.sections):
        refuse(section.title, ("form", "sections", number, "title"), message.format("titles of sections"))
    refuse(form.notes, ("form", "notes"), message.format("notes"), "Use 'fields' or 'lists' instead.")
    refuse(form.games > 1, ("form", "games"), message.format("several games of a player"))
    once = [column for column in definition.boxed_columns if column not in round_columns]
    for column in once:
        place = ("columns", definition.columns.index(column), "takes")
        what = f"the choices of '{column.key}', which is written down once"
        refuse(column.choices, place, message.format(what), "Take it into [[table]], or leave out 'once'.")
    count = len(asked_columns) + len(frequent_columns) * (definition.rounds.most - 1 if definition.rounds else 0)
    room = int(MAX_BOXES_ACROSS - BOXES_PER_TOTAL * len(once))
    message = f"Rounds side by side have room for {room} boxes of a player, and these are {count}."
    hint = "Write fewer rounds, or take 'across' out of [form]: then each round is a line."
    refuse(count > room, ("rounds", "most"), message, hint)


def _check_winning(definition: Definition) -> None:
    """Check the way to win, the deciding column, the target, the teams and the title. Raises SchemaError."""
    score_column, win = definition.score_column, definition.win
    is_missing = definition.score and (not score_column or definition.score in definition.table_ids)
    refuse(is_missing, ("score",), f"There is no column '{definition.score}'.")
    is_unfit = not (score_column and score_column.is_yes_no and not score_column.worth)
    message_for_chosen = "Who is chosen must be a column that takes yes or no."
    refuse(win == "chosen" and is_unfit, ("win",), message_for_chosen, 'takes = "yes or no"')
    needs_score = win != "co-op" and not score_column
    refuse(needs_score, ("score",), "No column says who wins.", "Add a column with numbers.")
    is_by_score = win in ("highest", "lowest")
    refuse(definition.ties and not is_by_score, ("ties",), "Only where scores decide can they be equal.")
    message = "A target is a score that somebody reaches, and no score decides here."
    refuse(definition.target is not None and not is_by_score, ("target",), message)
    is_odd_number = not isinstance(definition.target, str | None) and not is_hundredths(definition.target)
    refuse(is_odd_number, ("target",), "A target has two decimals at most, such as 100 or 7.5.")
    team_column, table_ids = definition.by_id.get(definition.teams), definition.table_ids
    is_no_team = not (team_column and team_column.choices) or definition.teams in table_ids
    message = f"'{definition.teams}' is not a column of the players whose choices are teams."
    refuse(definition.teams and is_no_team, ("teams",), message, 'For example: takes = ["Red", "Blue"], once = true')
    name_column = definition.by_id.get(definition.title_from)
    is_no_name = not (name_column and name_column.words) or definition.title_from not in table_ids
    message = f"'{definition.title_from}' is not a column of the table that takes words."
    refuse(
        definition.title_from and is_no_name, ("title_from",), message, 'For example: [[table]] with takes = "words"'
    )


class _DefinedFormula(NamedTuple):
    """A formula of a definition with its path, and the `column` that it belongs to, None for none.

    `is_together` means that it is evaluated once for all players; `when` is the condition whose words it is a part of.
    """

    path: Path
    text: str
    column: Column | None = None
    is_together: bool = False
    when: str = ""

    def is_in_rounds(self, definition: Definition) -> bool:
        """Return whether it has a value for each round."""
        if self.column:
            return definition.is_per_round(self.column)
        return bool(self.when) and definition.is_in_rounds(self.when)


def _list_formulas(definition: Definition) -> Iterator[_DefinedFormula]:
    """Yield the formulas of a definition."""
    for key, columns in (("columns", definition.columns), ("table", definition.table)):
        for index, column in enumerate(columns):
            if column.formula:
                yield _DefinedFormula((key, index, "formula"), column.formula, column, key == "table")
            if column.adds_up_to:
                yield _DefinedFormula((key, index, "adds_up_to"), column.adds_up_to, column, is_together=True)
    for index, text in enumerate(definition.ties):
        yield _DefinedFormula(("ties", index), text)
    if isinstance(definition.target, str):
        yield _DefinedFormula(("target",), definition.target, is_together=True)
    for index, item in enumerate(definition.impossible):
        yield _DefinedFormula(("impossible", index, "when"), item.when, None, item.together, item.when)
        for text in item.places:
            yield _DefinedFormula(("impossible", index, "words"), text, None, item.together, item.when)


def _check_formulas(definition: Definition) -> None:
    """Check that formulas can be parsed, are not circular, and have a meaning in their places.

    Raises SchemaError.
    """
    places = list(_list_formulas(definition))
    for place in places:
        _check_names(definition, place)
    try:
        definition.computed_groups  # noqa: B018
    except CycleError as error:
        key = error.args[1][0]
        path = next(item.path for item in places if item.column is definition.by_id[key] and item.path[-1] == "formula")
        message = f"The formula of '{key}' leads back to itself."
        raise SchemaError(path, message, "Its own value of the round before can be used: previous(...).") from error
    for place in places:
        _check_meaning(definition, place, read_formula(place.text))


def _check_names(definition: Definition, place: _DefinedFormula) -> None:
    """Check that a formula can be read, and that its names are columns. Raises SchemaError."""
    columns = definition.table if place.path == ("target",) else definition.by_id.values()
    other_names = [column.key for column in columns if column is not place.column]
    hint = "Places: player, round, of, who. " * (place.path[-1] == "words")
    hint += f"Columns: {', '.join(other_names)}." * bool(other_names)
    try:
        names = read_formula(place.text).names
    except FormulaError as error:
        raise SchemaError(place.path, f"This formula cannot be read: {error}", hint) from error
    for name in sorted(names - {column.key for column in columns} - PLACE_NAMES.keys()):
        what = "column of the table" if name in definition.by_id else "column"
        raise SchemaError(place.path, f"There is no {what} '{name}'.", hint)


def _check_meaning(definition: Definition, place: _DefinedFormula, formula: Formula) -> None:
    """Check that the words and columns of a formula have a value in its place. Raises SchemaError."""
    round_words = formula.functions & {"previous", "next"} | formula.bare & {"round_number"} - definition.by_id.keys()
    if round_words and not place.is_in_rounds(definition):
        message = f"'{min(round_words)}' has no meaning here: this formula has no value for each round."
        raise SchemaError(place.path, message, "Use it in a column of the rounds, or within sum, min or max.")
    seat_words = formula.functions & {"others", "team"}
    if seat_words and place.is_together:
        raise SchemaError(place.path, f"'{min(seat_words)}' has no meaning for all players together.")
    if "team" in formula.functions and not definition.teams:
        message = "'team' has no meaning here: no column says who plays together."
        raise SchemaError(place.path, message, 'For example: teams = "side"')
    for name in sorted(formula.over - PLACE_NAMES.keys()) if definition.rounds else ():
        message = f"'{name}' is not a column of the rounds, and cannot be added up over them."
        refuse(not definition.is_per_round(definition.by_id[name]), place.path, message)


def find_hidden_words(definition: Definition) -> Iterator[tuple[Path, str]]:
    """Yield the path and a warning for each column whose id also has a meaning in formulas."""
    for key, columns in (("columns", definition.columns), ("table", definition.table)):
        for index, column in enumerate(columns):
            name = column.key
            if name == "round_number":
                yield (key, index, "id"), f"In formulas '{name}' means this column, and not the number of the round."
            elif name in FUNCTION_WORDS:
                yield (key, index, "id"), f"In formulas '{name}' means this column, and '{name}(...)' the function."


def definition_text(raw: Definition) -> str:
    """Return a definition as TOML, without the values that equal their defaults."""
    tables = _to_table(raw)
    values = {key: value for key, value in tables.items() if not _is_table(value)}
    lines = (line for key in tables if key not in values for line in _table_lines(key, tables))
    return "\n".join((*starmap(toml_line, values.items()), *lines, ""))


def definition_id(raw: Definition) -> str:
    """Return the id of a definition, a hash of its text: `sha256-5f0c...`."""
    return _PREFIX + hashlib.sha256(definition_text(raw).encode()).hexdigest()[:16]


def _to_table(struct: Struct) -> dict[str, Any]:
    """Return a struct as a plain table of the fields that differ from their defaults."""
    field_values = ((field, getattr(struct, field.name)) for field in fields(struct))
    return {
        field.encode_name: _to_plain_value(value) for field, value in field_values if value != _default_value(field)
    }


def _default_value(field: Any) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _to_plain_value(value: object) -> Any:
    if isinstance(value, Struct):
        return _to_table(value)
    if isinstance(value, tuple | list):
        return [_to_plain_value(item) for item in value]
    return {key: _to_plain_value(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _is_table(value: object) -> bool:
    """Return whether a value is a table, or a list of tables."""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _table_lines(key: str, tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the table `key` of `tables`, or of each table in it if it is a list."""
    value = tables[key]
    heading = f"[{key}]" if isinstance(value, dict) else f"[[{key}]]"
    for table in [value] if isinstance(value, dict) else value:
        yield from ("", heading, *starmap(toml_line, table.items()))
