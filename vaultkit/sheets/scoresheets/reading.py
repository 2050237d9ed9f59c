"""Reads and checks the design of a score sheet."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from vaultkit.errors import InvalidError, UsageError
from vaultkit.look import design
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets.design import LAYOUTS, Column, Line, Listing, Panel, Row, ScoreDesign, Ticks, Total
from vaultkit.sheets.scoresheets.form import form_of

_ID = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
_ENDING = "-score.toml"
_WORDS = ("game", "subtitle", "purpose", "reminder", "credit", "corner", "refusal")
_MOST = 60
Part = TypeVar("Part")


def load_score_design(name: str, vault: Path | None = None, games: ScoreSheets | None = None) -> ScoreDesign:
    """The score sheet called `name`, such as a game's id; an unknown one is an error that names those that there are.

    The vault's own designs win over ours, and these over a form made from the definition of one of the `games`.
    """
    have, known = _files(vault), games or ScoreSheets(None)
    if name in have:
        return read_score_design(design.load(have[name]), design.name_of(have[name]))
    if name in known.defined:
        return form_of(known.defined[name])
    listed = ", ".join(dict.fromkeys((*have, *known.defined)))
    raise UsageError(f"There is no score sheet for '{name}'.", hint=f"There is one for: {listed}.")


def find_score_design(
    name: str, vault: Path | None = None, games: ScoreSheets | None = None
) -> tuple[str, ScoreDesign]:
    """The score sheet of a design or a game, by the id, title or alias of that; and the id under which it was found."""
    wanted, have = name.strip().lower(), _files(vault)
    if wanted in have:
        return wanted, load_score_design(wanted, vault)
    try:
        found = (games or ScoreSheets(None)).known(name).id
    except UsageError as error:
        raise UsageError(error.message, hint=f"{error.hint} Score sheets: {', '.join(have)}.") from None
    return found, load_score_design(found, vault, games)


def read_score_design(table: design.Table, where: str) -> ScoreDesign:
    """A score sheet from the tables of its file."""
    design.check(table, ["sheet", "columns", "rows"], ["fields", "ticks", "sum", "lists", "panels", "played"], where)
    place = f"{where} [sheet]"
    sheet = design.check(table["sheet"], ["title"], [*_WORDS, "icons", "layouts", "seats", "party"], place)
    columns = _each(table, "columns", where, _column)
    rows = [row for part in _each(table, "rows", where, _rows_for(columns)) for row in part]
    words: dict[str, Any] = {key: design.text(sheet, key, place) for key in _WORDS}
    made = ScoreDesign(
        title=design.text(sheet, "title", place),
        **words,
        icons=design.texts(sheet, "icons", place) or tuple(row.icon for row in rows if row.icon),
        layouts=_layouts(sheet, place),
        seats=_count(sheet, "seats", place, 6, 1),
        party=_count(sheet, "party", place, 0),
        lines=_each(table, "fields", where, _line),
        ticks=_each(table, "ticks", where, _ticks),
        columns=columns,
        rows=tuple(rows),
        total=_total(table["sum"], columns, f"{where} [sum]") if "sum" in table else None,
        lists=_each(table, "lists", where, _listing),
        panels=_each(table, "panels", where, _panel),
        played=tuple(_words(table.get("played", {}), f"{where} [played]", "played").items()),
    )
    _distinct(made, where)
    return made


def _files(vault: Path | None) -> dict[str, Path]:
    from vaultkit import resources

    found = resources.listing("print", f"sheets/*{_ENDING}", vault)
    return {file.rpartition("/")[2].removesuffix(_ENDING): path for file, path in found}


def _each(table: design.Table, key: str, where: str, one: Callable[[object, str], Part]) -> tuple[Part, ...]:
    return tuple(one(item, f"{where} [[{key}]]") for item in design.tables(table, key, where))


def _line(item: object, where: str) -> Line:
    table = design.check(item, ["id", "title"], ["share"], where)
    return Line(_id(table, where), design.text(table, "title", where), _count(table, "share", where, 1, 1))


def _ticks(item: object, where: str) -> Ticks:
    table = design.check(item, ["id", "title", "options"], ["own"], where)
    options = _words(table["options"], where, "options")
    return Ticks(
        _id(table, where), design.text(table, "title", where), tuple(options.items()), _flag(table, "own", where)
    )


def _column(item: object, where: str) -> Column:
    table = design.check(item, ["id", "title"], [field.name for field in fields(Column)], where)
    title, how, brief = (design.text(table, key, where) for key in ("title", "how", "brief"))
    options, share = design.texts(table, "options", where), _count(table, "share", where, 1, 1)
    wide, layouts = _flag(table, "wide", where), _layouts(table, where)
    return Column(_id(table, where), title, how, brief, share, options, wide, layouts)


def _rows_for(columns: tuple[Column, ...]) -> Callable[[object, str], list[Row]]:
    """A row of the file becomes one row, or with `count` as many, numbered in their ids and titles."""

    def rows(item: object, where: str) -> list[Row]:
        table = design.check(item, ["id", "title"], ["cells", "names", "icon", "hint", "aside", "count"], where)
        cells = design.texts(table, "cells", where) or tuple(column.id for column in columns)
        if len(cells) != len(columns):
            hint = '"" is no box.'
            raise InvalidError(f"'cells' needs {len(columns)} names, one for each column.", where=where, hint=hint)
        title, icon, hint, aside = (design.text(table, key, where) for key in ("title", "icon", "hint", "aside"))
        name, count = _id(table, where), _count(table, "count", where, 0)
        titles = [(f"{name}.{n}", f"{title} {n}" if title else "") for n in range(1, count + 1)]
        names = tuple(_words(table.get("names", {}), where, "names").items())
        return [Row(one, words, icon, hint, aside, cells, names) for one, words in titles or [(name, title)]]

    return rows


def _total(item: object, columns: tuple[Column, ...], where: str) -> Total:
    table = design.check(item, ["id", "title"], ["how", "under"], where)
    under = design.text(table, "under", where, columns[0].id if columns else "")
    _one_of([column.id for column in columns], under, "column", where)
    return Total(_id(table, where), design.text(table, "title", where), design.text(table, "how", where), under)


def _listing(item: object, where: str) -> Listing:
    table = design.check(item, ["id", "title", "count"], ["how", "columns"], where)
    title, how = design.text(table, "title", where), design.text(table, "how", where)
    count, columns = _count(table, "count", where, 1, 1), _count(table, "columns", where, 1, 1)
    return Listing(_id(table, where), title, how, count, columns)


def _panel(item: object, where: str) -> Panel:
    table = design.check(item, ["title"], ["text", "items", "head", "rows", "after", "layouts"], where)
    head, grid = design.texts(table, "head", where), design.tables(table, "rows", where)
    for line in grid:
        if not isinstance(line, list) or len(line) != len(head) or not all(isinstance(cell, str) for cell in line):
            raise InvalidError(f"Each of 'rows' needs {len(head)} texts, as 'head' has.", where=where)
    rows = tuple(tuple(line) for line in grid)
    title, text = design.text(table, "title", where), design.text(table, "text", where)
    items, after = design.texts(table, "items", where), design.texts(table, "after", where)
    return Panel(title, text, items, head, rows, after, _layouts(table, where))


def _one_of(accepted: Sequence[str], given: str, what: str, where: str) -> None:
    if given not in accepted:
        raise InvalidError(f"Unknown {what} '{given}'.", where=where, hint=f"Accepted: {', '.join(accepted)}.")


def _id(table: design.Table, where: str) -> str:
    name = design.text(table, "id", where)
    if not _ID.fullmatch(name):
        raise InvalidError(f"'{name}' is not an id.", where=where, hint="Small letters, digits and hyphens, as in a-1.")
    return name


def _count(table: design.Table, key: str, where: str, default: int, least: int = 0) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST:
        raise InvalidError(f"'{key}' must be a whole number from {least} to {_MOST}.", where=where)
    return value


def _flag(table: design.Table, key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise InvalidError(f"'{key}' must be true or false.", where=where)
    return value


def _layouts(table: design.Table, where: str) -> tuple[str, ...]:
    given = design.texts(table, "layouts", where)
    for name in given:
        _one_of(LAYOUTS, name, "layout", where)
    return given or LAYOUTS


def _words(value: Any, where: str, key: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise InvalidError(f"'{key}' must be names with texts in quotes.", where=where)
    return value


def _distinct(made: ScoreDesign, where: str) -> None:
    """No box may have the name of another, or of a group of others."""
    ticks = [f"{group.id}.{option}" for group in made.ticks for option, _ in group.options]
    names = [*(line.id for line in made.lines), *ticks, *made.names]
    groups = {name[:at] for name in names for at in range(len(name)) if name[at] == "."}
    for name, count in Counter(names).items():
        if count > 1 or name in groups:
            hint = "Give each box of the design its own id."
            raise InvalidError(f"The sheet has two boxes named '{name}'.", where=where, hint=hint)
