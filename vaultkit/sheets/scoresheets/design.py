"""The design of a score sheet: from its file, read and checked, or made from a game's definition.

In a design made from a definition, rounds are rows and the columns of the game are columns. What is written down once
for a game is a row with one box, or a group of boxes to tick.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from vaultkit.compendium.words import ENGLISH, VaultWords, load_words
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.definition import Count, Definition, Explanation, Form, Layout, Line, Part, Section
from vaultkit.games.formula import formula_text, read_formula
from vaultkit.games.question import Column as Asked
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import WON_OR_LOST, ScoreSheet
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.text import capitalize_first
from vaultkit.theme import design_loader as print_design
from vaultkit.vault.writing.escape import escape_markdown

LAYOUTS: tuple[Layout, Layout, Layout] = ("one", "four", "party")
ONE, FOUR, PARTY = LAYOUTS
"""The layouts: one player to a page, four players to a page that is cut apart, or the whole party on one page."""
FIELDS = "2"
"""The version of the naming of fields."""
READABLE = ("1", FIELDS)
"""The versions that can be read. In version 1, options that exclude each other are check boxes with separate names."""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of a sheet's id, none of which looks like another."""
_MAX_HINT_LENGTH = 64
"""The maximum length of a hint beside the title of a row; longer hints are printed below the table."""
PLAYER = "player"
"""The id of the line for the player's name."""
Kind = Literal["number", "words", "choice", "tick"]
"""The kinds of contents of a box: a number, words, one of several choices, or a tick."""
Layouts = Annotated[tuple[Layout, ...], Meta(min_length=1)]
CountOrNone = Annotated[int, Meta(ge=0, le=60)]


class Ticks(Part, frozen=True):
    """A group of boxes to tick, with the id and the words of each. Each player has boxes of an `own` group."""

    options: Mapping[str, str]
    own: bool = False

    @property
    def is_radio(self) -> bool:
        """Whether ticking one box clears the others in a viewer, which needs several boxes whose names PDF allows."""
        return len(self.options) > 1 and {"", "Off"}.isdisjoint(self.options)


class Column(Part, frozen=True):
    """A column of boxes. `how` says what counts, `brief` says it in few words for narrow columns.

    With `options`, one of them is chosen; `wide` boxes take words, the others numbers of `digits` digits. A column
    without a title has a box in its head. The column is printed only in `layouts`.
    """

    how: str = ""
    brief: str = ""
    share: Count = 1
    options: tuple[str, ...] = ()
    wide: bool = False
    digits: Count = 3
    layouts: Layouts = LAYOUTS

    @property
    def kind(self) -> Kind:
        """The kind of its boxes."""
        if self.options:
            return "choice"
        return "words" if self.wide else "number"


class Row(Part, frozen=True):
    """A line of boxes. `cells` names the box under each column, "" for no box; `aside` explains the gap.

    A `section` is the title of a section that begins with this row. A row without a title has a box for one. `names`
    describes boxes that are not what their column says. In a file, `count` is the number of rows made from this one.
    """

    section: str = ""
    icon: str = ""
    hint: str = ""
    aside: str = ""
    cells: tuple[str, ...] = ()
    names: Mapping[str, str] = {}
    count: CountOrNone = 0

    def key(self, cell: str) -> str:
        """Return the name of the box `cell`, such as `swords.total`; without an id of the row it is `cell` alone."""
        return f"{self.id}.{cell}" if self.id and cell else cell

    def label(self, words: VaultWords) -> str:
        """Return the title, or "Row 1" for the id `row.1`."""
        return self.title or str(translate(re.sub(r"[.-]", " ", self.id).capitalize(), words))


class Total(Part, frozen=True):
    """The last line: one box for a number, under the column with the id `under`, or under the first."""

    how: str = ""
    under: str = ""


class ScoreDesign(Form, frozen=True, kw_only=True, rename={"total": "sum", "sheet": "own"}):
    """The contents of a score sheet.

    `game` is a game's id, or empty for a sheet of no game. `layouts` are the possible ones, the default first;
    `refusal` is the reason why the others are impossible. `reminder` replaces the panels where they have no room.
    `seats` is the maximum number of players; a table for all of them has the first `party` rows, or all for 0. `played`
    maps parts of a game's score to boxes with other names, for `vaultkit demo`. A design without a file is a form made
    from `sheet`. `words` are the vault's words for all texts.
    """

    title: str
    game: str = ""
    refusal: str = ""
    layouts: Layouts = LAYOUTS
    seats: Count = 6
    party: CountOrNone = 0
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    ticks: tuple[Ticks, ...] = ()
    total: Total | None = None
    played: Mapping[str, str] = {}
    sheet: ScoreSheet | None = None
    words: VaultWords = ENGLISH

    @property
    def rounds(self) -> int:
        """The number of rounds of a form, each of which is a row."""
        return sum(bool(row.id) for row in self.rows) if self.sheet else 0

    def limit_rounds(self, rounds: int) -> Self:
        """Return a copy of a form with at most `rounds` rounds."""
        return replace(self, rows=(*self.rows[: min(rounds, self.rounds)], *self.rows[self.rounds :]))

    def identify(self, layout: str, prefixes: Sequence[str]) -> str:
        """Return eight characters that identify a sheet by its design, its layout, and the prefixes of its fields."""
        parts = msgspec.to_builtins(replace(self, sheet=None, words=ENGLISH))
        del parts["words"]
        identity = msgspec.json.encode((parts, layout, prefixes, FIELDS))
        return "".join(_LETTERS[byte % len(_LETTERS)] for byte in hashlib.sha256(identity).digest()[:8])

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every box that takes a score, for one player."""
        cells = [row.key(cell) for row in self.rows for cell in row.cells if cell]
        return (*cells, *([self.total.id] if self.total else []))


def adapt_design(
    design: ScoreDesign, *, title: str = "", rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> ScoreDesign:
    """Return the design with the given title, rows and columns; empty ones leave its own.

    Raises UsageError for rows and columns of a game's sheet.
    """
    if design.game and (rows or columns):
        hint = "Print a blank one with them: vaultkit print scores blank --rows ... --columns ..."
        raise UsageError(f"The rows and columns of '{design.title}' are those of its game.", hint=hint)
    heads = tuple(Column(f"{n}", words) for n, words in enumerate(columns, 1)) or design.columns
    cells = tuple(column.id for column in heads)
    new_rows = tuple(Row(f"row-{n}", words) for n, words in enumerate(rows, 1)) or design.rows
    lines = tuple(replace(row, cells=cells) for row in new_rows) if rows or columns else new_rows
    party, total = (0 if rows else design.party), (None if columns else design.total)
    return replace(design, title=title or design.title, columns=heads, rows=lines, party=party, total=total)


def translate_rows(design: ScoreDesign, words: Mapping[str, str]) -> ScoreDesign:
    """Return the design with titles of rows replaced by `words`: `Swords` becomes `Schwerter` if the deck says so."""
    return replace(design, rows=tuple(replace(row, title=words.get(row.title, row.title)) for row in design.rows))


_KEYS = frozenset(
    ("id", "game", "icon", "icons", "cells", "under", "layouts", "played", "sheet", "sections", "words", "last")
)
"""The fields of a design's parts that are no texts."""
_FORM_KEYS = frozenset(("own", "sections", "across", "last", "words"))
"""The keys of a design that a file cannot have, since they come from a definition."""
_NUMBERED = re.compile(r"(.*\D)( \d+)")


def translate(part: Any, words: VaultWords) -> Any:
    """Return a part of a design with the vault's words for its texts."""
    if isinstance(part, Struct):
        texts = {key: getattr(part, key) for key in part.__struct_fields__ if key not in _KEYS}
        return replace(part, **{key: translate(text, words) for key, text in texts.items()})
    if isinstance(part, Mapping):
        return {key: translate(text, words) for key, text in part.items()}
    if isinstance(part, tuple):
        return tuple(translate(item, words) for item in part)
    if not isinstance(part, str):
        return part
    row = None if part in words.texts else _NUMBERED.fullmatch(part)
    return f"{words(row[1])}{row[2]}" if row else words(part)


LINES = (Line("player", "Player", 3), Line("session", "Session", 3), Line("date", "Date", 2))


def find_score_design(
    name: str, vault: Path | None = None, games: ScoreSheets | None = None
) -> tuple[str, ScoreDesign]:
    """Return the score sheet of a design or a game, by its id, title or alias, after its id, in the vault's words.

    The vault's designs come before the shipped ones, and these before a form made from a game's definition. Raises
    UsageError, which lists the known designs, for an unknown one.
    """
    folded_name, design_paths, score_sheets = name.strip().lower(), design_files(vault), games or ScoreSheets(None)
    words = load_words(vault)
    try:
        design_id = folded_name if folded_name in design_paths else score_sheets.find_info(name).id
        if design_id in design_paths:
            path = design_paths[design_id]
            design = read_score_design(print_design.parse_file(path), print_design.name_of(path))
            return design_id, replace(translate(design, words), words=words)
        return design_id, make_form(score_sheets.find(design_id), words)
    except UsageError as error:
        designs = ", ".join(name for name in design_paths if name not in GAMES)
        raise type(error)(error.message, hint=f"{error.hint} Other sheets: {designs}.") from None


def load_score_design(name: str, vault: Path | None = None, games: ScoreSheets | None = None) -> ScoreDesign:
    """Return what `find_score_design` returns, without the id."""
    return find_score_design(name, vault, games)[1]


def read_score_design(table: print_design.Table, where: str) -> ScoreDesign:
    """Return a score sheet from the tables of its file."""
    keys = [key for key in ScoreDesign.__struct_encode_fields__ if key not in _FORM_KEYS]
    sheet = print_design.check_keys(table.get("sheet"), ["title"], keys, f"{where} [sheet]")
    parts = {key: part for key, part in table.items() if key != "sheet"}
    print_design.check_keys(parts, [], keys, where)
    design = print_design.convert_to_shape({**sheet, **parts}, ScoreDesign, where, " [sheet]")
    design = replace(design, rows=tuple(row for design_row in design.rows for row in _rows(design_row, design, where)))
    _check(design, where)
    return replace(design, icons=design.icons or tuple(row.icon for row in design.rows if row.icon))


def design_files(vault: Path | None) -> dict[str, Path]:
    """Return the files of designs by their names, in which `-score` at the end may be left out."""
    return {name.removesuffix("-score"): path for name, path in print_design.design_files("sheets", vault).items()}


def _rows(row: Row, design: ScoreDesign, where: str) -> Iterator[Row]:
    """Yield the row, or with `count` that many copies, numbered in their ids and titles."""
    row = replace(row, cells=row.cells or tuple(column.id for column in design.columns))
    if len(row.cells) != len(design.columns):
        message = f"'cells' needs {len(design.columns)} names, one for each column."
        raise InvalidError(message, where=f"{where} [[rows]]", hint='"" is not a box.')
    for number in range(1, row.count + 1):
        yield replace(row, id=f"{row.id}.{number}", title=f"{row.title} {number}" if row.title else "")
    if not row.count:
        yield row


def _check(design: ScoreDesign, where: str) -> None:
    """Raise InvalidError if parts of a design contradict each other."""
    columns = [column.id for column in design.columns]
    if design.total and design.total.under and design.total.under not in columns:
        message = f"Unknown column '{design.total.under}'."
        raise InvalidError(message, where=f"{where} [sum]", hint=f"Accepted: {', '.join(columns)}.")
    for panel in design.panels:
        if any(len(line) != len(panel.head) for line in panel.rows):
            message = f"Each of 'rows' needs {len(panel.head)} texts, as 'head' has."
            raise InvalidError(message, where=f"{where} [[panels]]")
    names = [*(part.id for part in (*design.lines, *design.ticks, *design.lists)), *design.names]
    groups = {name[:at] for name in names for at in range(len(name)) if name[at] == "."}
    if twice := [name for name, count in Counter([*names, *groups]).items() if count > 1]:
        hint = "Give each box of the design its own id."
        raise InvalidError(f"The sheet has two boxes named '{twice[0]}'.", where=where, hint=hint)


def make_form(sheet: ScoreSheet, words: VaultWords = ENGLISH) -> ScoreDesign:
    """Return the design of a game's score sheet, by its definition alone, in a vault's words."""
    definition, form = sheet.definition, sheet.definition.form
    sections = form.sections or (Section(tuple(column.key for column in definition.columns)),)
    boxed = {key: section.title for section in sections for key in section.columns}
    players_columns = [definition.by_id[key] for key in boxed]
    each = [column for column in players_columns if definition.is_per_round(column)]
    once = [column for column in players_columns if column not in each]
    total = next((column for column in once if column.formula and column.key == definition.score), None)
    described = [*players_columns, *definition.table]
    full, brief = ({column.key: _describe_column(definition, column, words, brief=is_brief) for column in described}
                   for is_brief in (False, True))  # fmt: skip
    hints = {column.key: "" if each or len(full[column.key]) > _MAX_HINT_LENGTH else full[column.key]
             for column in once}  # fmt: skip
    plain = [column for column in once if not column.choices and column is not total]
    titles = ["", *(boxed[column.key] for column in plain)]
    numbers = [
        Row("", column.title or column.key, title * (title != before), hint=hints[column.key], cells=(column.key,))
        for column, title, before in zip(plain, titles[1:], titles, strict=False)
    ]
    columns = [
        Column(column.key, column.title, options=_options(column), wide=column.words, digits=_digits(column))
        for column in each
    ]
    columns += [Column("value", "Score", digits=4)] if not each and (numbers or total) else []
    added = [column.key for column in each if total and column.key in read_formula(total.formula).names]
    ticks = [_choice_ticks(column) for column in definition.table if column.choices]
    ticks += [Ticks(WON_OR_LOST.key, "Result", {"won": "won", "lost": "lost"})] if definition.win == "co-op" else []
    ticks += [_choice_ticks(column, own=True) for column in once if column.choices]
    lines = [Line(column.key, column.title, 2) for column in definition.table if not column.choices]
    labels = {column.key: escape_markdown(words(column.label or column.key)) for column in described}
    below = [column.key for column in described if not hints.get(column.key) or column.choices]
    counted = (
        Explanation("What counts", items=_list_texts(full, below, labels), layouts=(ONE, PARTY)),
        Explanation("What counts", items=_list_texts(brief, labels, labels), layouts=(FOUR,)),
    )
    how, under = (hints[total.key], (added or [column.id for column in columns])[-1]) if total else ("", "")
    corner = capitalize_first(definition.rounds.name) if each and definition.rounds else ""
    design = ScoreDesign(
        **{key: getattr(form, key) for key in form.__struct_fields__}
        | {"panels": (*counted, *form.panels), "corner": form.corner or corner, "lines": (*LINES, *lines, *form.lines)},
        sheet=sheet, game=sheet.id, title=definition.title,
        seats=definition.players[1], columns=tuple(columns), ticks=tuple(ticks),
        rows=(*_rounds(definition, each, words), *numbers),
        total=Total(total.key, total.title, how, under=under) if total else None, words=words,
    )  # fmt: skip
    return translate(design, words)  # type: ignore[no-any-return]


def _digits(column: Asked) -> int:
    """Return the maximum number of digits and signs in the numbers of a column."""
    if column.formula:
        return 4
    bounds = [str(bound) for bound in (column.least, 999 if column.most is None else column.most)]
    return max(map(len, bounds)) + (2 if column.step % 1 else 0)


def _rounds(definition: Definition, columns: Sequence[Asked], words: VaultWords) -> Iterator[Row]:
    """Yield a row for each round; some columns have a box in the last one only."""
    if (rounds := definition.rounds) and columns:
        name = words(capitalize_first(rounds.name))
        for n in range(1, 1 + rounds.most):
            left_out = definition.form.last if n < rounds.most else ()
            cells = tuple("" if column.key in left_out else column.key for column in columns)
            yield Row(f"{rounds.id}.{n}", f"{name} {n}", cells=cells)


def _options(column: Asked) -> tuple[str, ...]:
    """Return the choices of a column, yes before no."""
    return tuple(column.choices)[:: -1 if column.is_yes_no and not column.worth else 1]


def _choice_ticks(column: Asked, *, own: bool = False) -> Ticks:
    return Ticks(column.key, column.title, {word: word for word in _options(column)}, own=own)


def _list_texts(texts: Mapping[str, str], keys: Iterable[str], labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return items in Markdown with the label and the text of each column that has a text."""
    return tuple(f"**{labels[key]}:** {texts[key]}" for key in keys if texts[key])


def _describe_column(definition: Definition, column: Asked, words: VaultWords, *, brief: bool = False) -> str:
    """Return in Markdown how a column counts: the GM's words or the formula, and the values of words in formulas."""
    titles = {column.key: words(column.label or column.key) for column in definition.by_id.values()}
    formula = escape_markdown(formula_text(column.formula, titles, words)) if column.formula else ""
    how = words((column.brief if brief else "") or column.how) or formula
    used = {name for formula in definition.formulas.values() for name in formula.names}
    is_counted = column.key in used and not column.is_yes_no
    worth = column.worth or (range(1, 1 + len(column.choices)) if is_counted else ())
    pairs = zip(column.choices, worth, strict=False)
    values = [f"{words(word)} {value}" for word, value in pairs if word != f"{value}"]
    options = map(words, _options(column))
    choices_text = words.join(options, "or") if definition.is_per_round(column) and not how else ""
    return f"{how} {escape_markdown(words(', ').join(values) or choices_text)}".strip()
