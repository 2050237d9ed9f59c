"""The printed form of a score sheet that has no design of its own: made from the game's definition.

Rounds are rows and columns are columns. Without rounds every number has a row with one box; choices are boxes to tick,
or columns where there is nothing else.
"""

from collections.abc import Sequence

from msgspec.structs import asdict

from vaultkit.games.definition import Column, Definition, Explanation
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.sheets.scoresheets import design
from vaultkit.sheets.scoresheets.design import Line, Row, ScoreDesign, Ticks, Total

LINES = (Line("player", "Player", 3), Line("session", "Session", 3), Line("date", "Date", 2))
_MOST_LINES = 26
"""So many lines have room in a table for all players."""


def form_of(sheet: ScoreSheet) -> ScoreDesign:
    """The design of a game's score sheet, by its definition alone."""
    definition, form = sheet.definition, sheet.definition.form
    total = _total(definition)
    wide = definition.has_fractions  # such numbers are read as words are, when the sheet is logged
    shown = [one.changed(words=one.words or wide) for one in definition.columns if one.key != total]
    columns, rows, ticks = _boxes(definition, shown)
    heads = {column.id for column in columns}
    items = [f"**{one.title}:** {one.how}" for one in definition.columns if one.how and one.key not in heads]
    counted = (Explanation("What counts", items=tuple(items)),) if items else ()
    rounds = sum(bool(row.id) for row in rows)
    most = min(rounds, max(1, (_MOST_LINES - len(rows) + rounds) // max(1, len(columns))))
    words = asdict(form) | {"panels": (*counted, *form.panels), "layouts": form.layouts or design.LAYOUTS}
    return ScoreDesign(
        **words,
        game=sheet.id,
        title=definition.title,
        seats=definition.players[1],
        party=len(rows) - rounds + most,
        lines=LINES,
        ticks=ticks,
        columns=columns,
        rows=rows,
        total=Total(total, definition.by_id[total].title, wide=wide) if total else None,
    )


def _total(definition: Definition) -> str:
    """The id of the column that is the last line: what decides, if it is reckoned from all others."""
    decides = definition.by_id.get(definition.score)
    return decides.key if decides and decides.formula and not definition.is_each(decides) else ""


def _boxes(
    definition: Definition, columns: Sequence[Column]
) -> tuple[tuple[design.Column, ...], tuple[Row, ...], tuple[Ticks, ...]]:
    """Columns, rows, and groups of boxes to tick."""
    each = [one for one in columns if definition.is_each(one)]
    once = [one for one in columns if not definition.is_each(one)]
    chosen, numbers = [one for one in once if one.choices], [one for one in once if not one.choices]
    if not each and not numbers:
        return tuple(map(_column, chosen)), (Row("", "Result", cells=tuple(one.key for one in chosen)),), ()
    heads = tuple(map(_column, each)) or (design.Column("value", "Score", wide=any(one.words for one in numbers)),)
    blank, cells = ("",) * (len(heads) - 1), tuple(one.key for one in each)
    rows = [Row("", one.title, cells=(one.key, *blank)) for one in numbers]
    rounds = definition.rounds
    if rounds and each:
        numbered = range(1, rounds.most + 1)
        rows += [Row(f"{rounds.name}.{n}", f"{rounds.name.capitalize()} {n}", cells=cells) for n in numbered]
    ticks = tuple(Ticks(one.key, one.title, one.choices, own=True) for one in chosen)
    return heads, tuple(rows), ticks


def _column(column: Column) -> design.Column:
    return design.Column(
        column.key, column.title, column.how, column.brief, options=tuple(column.choices), wide=column.words
    )
