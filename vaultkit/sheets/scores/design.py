"""A score sheet as data: rows, columns, rewards and notes, read from `print/sheets/<game>-score.toml` and checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets import design


@dataclass(frozen=True)
class Field:
    """A line to write on, a column, or a group of boxes to tick; `share` is its part of the width."""

    id: str
    title: str
    how: str = ""
    share: int = 1
    options: Mapping[str, str] = field(default_factory=lambda: design.NOTHING)


@dataclass(frozen=True)
class Row:
    """A suit. `cells` names the box under each column, empty where there is none; `aside` explains that gap."""

    id: str
    title: str
    icon: str
    hint: str
    aside: str
    cells: tuple[str, ...]

    def field(self, number: int) -> str:
        """The name of the box in column `number`, such as `swords.total`; empty where there is none."""
        return f"{self.id}.{self.cells[number]}" if self.cells[number] else ""


@dataclass(frozen=True)
class Panel:
    """A titled piece of explanation: paragraphs in Markdown, and a table below, or between `items` and `after`."""

    title: str
    items: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    after: tuple[str, ...] = ()
    bullets: bool = False


@dataclass(frozen=True)
class ScoreDesign:
    """Everything that a score sheet shows."""

    game: str
    title: str
    subtitle: str
    purpose: str
    emblem: str
    credit: str
    fields: tuple[Field, ...]
    ticks: tuple[Field, ...]
    columns: tuple[Field, ...]
    rows: tuple[Row, ...]
    total: Field | None
    rewards: Panel
    notes: tuple[Panel, ...]
    example: Panel | None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every box that takes a number."""
        cells = [row.field(n) for row in self.rows for n in range(len(self.columns)) if row.field(n)]
        return (*cells, *([self.total.id] if self.total else []))


def load(game: str, vault: Path | None = None) -> ScoreDesign:
    """The score sheet of `game`; a game without one is an error that names those that have one."""
    from vaultkit import resources

    have = {Path(name).name.removesuffix("-score.toml"): path for name, path in
            resources.listing("print", "sheets/*-score.toml", vault)}  # fmt: skip
    if game not in have:
        raise UsageError(f"There is no score sheet for '{game}'.", hint=f"There is one for: {', '.join(have)}.")
    path = have[game]
    return read(design.load(path), path.name)


def read(table: design.Table, where: str) -> ScoreDesign:
    """A score sheet from the tables of its file."""
    optional = ["ticks", "sum", "notes", "example"]
    design.check(table, ["sheet", "fields", "columns", "rows", "rewards"], optional, where)
    sheet_where = f"{where} [sheet]"
    words = ["subtitle", "purpose", "emblem", "credit"]
    sheet = design.check(table["sheet"], ["game", "title"], words, sheet_where)
    columns = tuple(_field(item, f"{where} [[columns]]") for item in design.tables(table, "columns", where))
    total = _total(table["sum"], f"{where} [sum]") if "sum" in table else None
    rows = tuple(_row(item, len(columns), f"{where} [[rows]]") for item in design.tables(table, "rows", where))
    return ScoreDesign(
        **{key: design.text(sheet, key, sheet_where) for key in ["game", "title", *words]},
        fields=tuple(_field(item, f"{where} [[fields]]") for item in design.tables(table, "fields", where)),
        ticks=tuple(_ticks(item, f"{where} [[ticks]]") for item in design.tables(table, "ticks", where)),
        columns=columns,
        rows=rows,
        total=total,
        rewards=_panel(table["rewards"], f"{where} [rewards]", "notes"),
        notes=tuple(_panel(item, f"{where} [[notes]]", "items") for item in design.tables(table, "notes", where)),
        example=_panel(table["example"], f"{where} [example]", "after") if "example" in table else None,
    )


def _field(item: object, where: str) -> Field:
    table = design.check(item, ["id", "title"], ["how", "share"], where)
    share = table.get("share", 1)
    if not isinstance(share, int) or not 1 <= share <= 100:
        raise InvalidError("'share' must be a whole number from 1 to 100.", where=where)
    return replace(_total({key: item for key, item in table.items() if key != "share"}, where), share=share)


def _total(item: object, where: str) -> Field:
    table = design.check(item, ["id", "title"], ["how"], where)
    name, title, how = (design.text(table, key, where) for key in ("id", "title", "how"))
    return Field(name, title, how)


def _ticks(item: object, where: str) -> Field:
    table = design.check(item, ["id", "title", "options"], [], where)
    options = _words(table["options"], where, "options")
    return Field(design.text(table, "id", where), design.text(table, "title", where), options=options)


def _row(item: object, columns: int, where: str) -> Row:
    table = design.check(item, ["id", "title", "cells"], ["icon", "hint", "aside"], where)
    cells = design.texts(table, "cells", where)
    if len(cells) != columns:
        raise InvalidError(f"'cells' needs {columns} names, one for each column.", where=where, hint='"" is no box.')
    words = {key: design.text(table, key, where) for key in ("id", "title", "icon", "hint", "aside")}
    return Row(**words, cells=cells)


def _words(value: Any, where: str, key: str) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise InvalidError(f"'{key}' must be names with texts in quotes.", where=where)
    return value


def _panel(item: object, where: str, below: str) -> Panel:
    table = design.check(item, ["title"], dict.fromkeys(["head", "rows", "text", below]), where)
    grid = design.tables(table, "rows", where)
    head = design.texts(table, "head", where)
    for line in grid:
        if not isinstance(line, list) or len(line) != len(head) or not all(isinstance(cell, str) for cell in line):
            raise InvalidError(f"Each of 'rows' needs {len(head)} texts, as 'head' has.", where=where)
    text = design.text(table, "text", where)
    one = isinstance(table.get(below), str)
    lines = (design.text(table, below, where),) if one else design.texts(table, below, where)
    bullets = below == "items"
    before, after = ((text,) if text else ()), tuple(line for line in lines if line)
    items, after = ((*before, *after), ()) if bullets else (before, after)
    return Panel(design.text(table, "title", where), items, head, tuple(tuple(line) for line in grid), after, bullets)
