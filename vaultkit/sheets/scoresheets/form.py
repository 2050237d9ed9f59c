"""The printed form of a score sheet that has no design of its own: made from the game's definition.

Rounds are rows and columns are columns. Without rounds every number has a row with one box; choices are boxes to tick,
or columns where there is nothing else.
"""

from msgspec.structs import asdict

from vaultkit.games.definition import Column, Definition
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.sheets.scoresheets import design
from vaultkit.sheets.scoresheets.design import Line, Panel, Row, ScoreDesign, Ticks, Total

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
    counted = [(one.title, one.how) for one in definition.columns if one.how and one.key not in heads]
    items = tuple(f"**{title}:** {how}" for title, how in counted)
    panels = [Panel("What counts", items=items)] * bool(items) + [Panel(**asdict(one)) for one in form.panels]
    rounds = [row for row in rows if row.id]
    each = max(1, len(columns))
    return ScoreDesign(
        game=sheet.id,
        title=definition.title,
        subtitle=form.subtitle,
        purpose=form.purpose,
        reminder=form.reminder,
        credit=form.credit,
        corner=form.corner,
        refusal="",
        icons=form.icons,
        layouts=form.layouts,
        seats=definition.players[1],
        party=len(rows) - len(rounds) + min(len(rounds), max(1, (_MOST_LINES - len(rows) + len(rounds)) // each)),
        lines=LINES,
        ticks=ticks,
        columns=columns,
        rows=rows,
        total=Total(total, definition.by_id[total].title, "", columns[0].id, wide) if total else None,
        lists=(),
        panels=tuple(panels),
        played=(),
    )


def _total(definition: Definition) -> str:
    """The id of the column that is the last line: what decides, if it is reckoned from all others."""
    decides = definition.by_id.get(definition.score)
    return decides.key if decides and decides.formula and not definition.is_each(decides) else ""


def _boxes(
    definition: Definition, columns: list[Column]
) -> tuple[tuple[design.Column, ...], tuple[Row, ...], tuple[Ticks, ...]]:
    """Columns, rows, and groups of boxes to tick."""
    each = [one for one in columns if definition.is_each(one)]
    once = [one for one in columns if not definition.is_each(one)]
    chosen, numbers = [one for one in once if one.choices], [one for one in once if not one.choices]
    rounds = definition.rounds
    if not (rounds and each) and not numbers:
        row = Row("", "Result", "", "", "", tuple(one.key for one in chosen))
        return tuple(map(_column, chosen)), (row,), ()
    heads = tuple(map(_column, each)) or (design.Column("value", "Score", wide=any(one.words for one in numbers)),)
    blank = ("",) * (len(heads) - 1)
    singles = [Row("", one.title, "", "", "", (one.key, *blank)) for one in numbers]
    cells = tuple(one.key for one in each)
    numbered = range(1, rounds.most + 1) if rounds and each else ()
    name = rounds.name if rounds else ""
    rows = [Row(f"{name}.{number}", f"{name.capitalize()} {number}", "", "", "", cells) for number in numbered]
    ticks = tuple(Ticks(one.key, one.title, tuple(one.choices.items()), own=True) for one in chosen)
    return heads, (*singles, *rows), ticks


def _column(column: Column) -> design.Column:
    return design.Column(column.key, column.title, column.how, column.brief, 1, tuple(column.choices), column.words)
