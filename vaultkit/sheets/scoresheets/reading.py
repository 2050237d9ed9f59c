"""Reads and checks the design of a score sheet."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from vaultkit.errors import InvalidError, UsageError
from vaultkit.look import design
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.shapes import ShapeError, read_shape
from vaultkit.sheets.scoresheets.design import Row, ScoreDesign
from vaultkit.sheets.scoresheets.form import form_of
from vaultkit.vault import Vault

_ENDING = "-score.toml"
_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_TABLES = ("columns", "rows", "fields", "ticks", "sum", "lists", "panels", "played")
_WORDS = tuple(key for key in ScoreDesign.__struct_encode_fields__ if key not in (*_TABLES, "own"))


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


def check_boxes(name: str, vault: Path) -> None:
    """Raises InvalidError where a vault's design of a game lacks a box that the game asks for, or has one too many."""
    path, games = _files(vault)[name], ScoreSheets(Vault(vault))
    where = design.name_of(path)
    made = read_score_design(design.load(path), where)
    if not made.game:
        return
    try:
        sheet, have = games.find(made.game), _boxes(made)
        known = _boxes(load_score_design(sheet.id, None, games))
    except UsageError as error:
        raise InvalidError(error.message, where=f"{where} [sheet]", hint=error.hint) from error
    options = {option.key: option.default for option in sheet.options}
    asked = [one.key for one in sheet.each(options, {one.key: 1 for one in sheet.first(options)})]
    if missing := [key for key in asked if _NUMBER.sub("", key) not in have]:
        message = f"The box '{missing[0]}' is missing on this sheet, and {sheet.title} asks for it."
        raise InvalidError(message, where=where, hint=f"The game's boxes: {', '.join(asked)}.")
    if others := [key for part, key in have.items() if part not in known]:
        message = f"{sheet.title} has no box '{others[0]}', so nobody would read what is written there."
        raise InvalidError(message, where=where, hint=f"The game's boxes: {', '.join(known.values())}.")


def read_score_design(table: design.Table, where: str) -> ScoreDesign:
    """A score sheet from the tables of its file."""
    design.check(table, ["sheet", "columns", "rows"], _TABLES, where)
    sheet = design.check(table["sheet"], ["title"], _WORDS, f"{where} [sheet]")
    parts = {key: table[key] for key in table if key != "sheet"}
    try:
        made = read_shape({**sheet, **parts}, ScoreDesign)
    except ShapeError as error:
        part = str(error.path[0])
        place = f"[[{part}]]" if isinstance(parts.get(part), list) else f"[{part}]"
        raise InvalidError(
            error.message, where=f"{where} {place if part in parts else '[sheet]'}", hint=error.hint
        ) from error
    made = replace(made, rows=tuple(row for one in made.rows for row in _rows(one, made, where)))
    _check(made, where)
    return replace(made, icons=made.icons or tuple(row.icon for row in made.rows if row.icon))


def _files(vault: Path | None) -> dict[str, Path]:
    from vaultkit import resources

    found = resources.listing("print", f"sheets/*{_ENDING}", vault)
    return {file.rpartition("/")[2].removesuffix(_ENDING): path for file, path in found}


def _boxes(made: ScoreDesign) -> dict[str, str]:
    """The boxes of a design besides its lists, each group to tick as one, by their names without numbers."""
    names = (*replace(made, lists=()).names, *(group.id for group in made.ticks))
    return {_NUMBER.sub("", name): name for name in reversed(names)}


def _rows(row: Row, made: ScoreDesign, where: str) -> Iterator[Row]:
    """A row of the file becomes one row, or with `count` as many, numbered in their ids and titles."""
    row = replace(row, cells=row.cells or tuple(column.id for column in made.columns))
    if len(row.cells) != len(made.columns):
        message = f"'cells' needs {len(made.columns)} names, one for each column."
        raise InvalidError(message, where=f"{where} [[rows]]", hint='"" is no box.')
    for number in range(1, row.count + 1):
        yield replace(row, id=f"{row.id}.{number}", title=f"{row.title} {number}" if row.title else "")
    if not row.count:
        yield row


def _check(made: ScoreDesign, where: str) -> None:
    """Raises InvalidError where parts of a design do not fit together."""
    columns = [column.id for column in made.columns]
    if made.total and made.total.under and made.total.under not in columns:
        message = f"Unknown column '{made.total.under}'."
        raise InvalidError(message, where=f"{where} [sum]", hint=f"Accepted: {', '.join(columns)}.")
    for panel in made.panels:
        if any(len(line) != len(panel.head) for line in panel.rows):
            message = f"Each of 'rows' needs {len(panel.head)} texts, as 'head' has."
            raise InvalidError(message, where=f"{where} [[panels]]")
    ticks = [f"{group.id}.{option}" for group in made.ticks for option in group.options]
    names = [*(line.id for line in made.lines), *ticks, *made.names]
    groups = {name[:at] for name in names for at in range(len(name)) if name[at] == "."}
    for name, count in Counter(names).items():
        if count > 1 or name in groups:
            hint = "Give each box of the design its own id."
            raise InvalidError(f"The sheet has two boxes named '{name}'.", where=where, hint=hint)
