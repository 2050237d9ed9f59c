"""The design of a score sheet, as in `print/sheets/<name>-score.toml`. `reading` makes it from the file."""

import json
from dataclasses import dataclass

ONE, FOUR, PARTY = "one", "four", "party"
LAYOUTS = (ONE, FOUR, PARTY)
"""One player a page, four players a page to be cut apart, or the whole party on one page."""


@dataclass(frozen=True)
class Line:
    """A line to write on; `share` is its part of the width."""

    id: str
    title: str
    share: int = 1


@dataclass(frozen=True)
class Ticks:
    """A group of boxes to tick: the id and the words of each. `own` groups are ticked by every player alone."""

    id: str
    title: str
    options: tuple[tuple[str, str], ...]
    own: bool = False


@dataclass(frozen=True)
class Column:
    """A column of boxes. `how` says what counts; `brief` says it where there is little room.

    With `options` one of them is chosen; `wide` boxes take words, not numbers. A column without title has a box
    in its head. It is shown in `layouts` only.
    """

    id: str
    title: str
    how: str = ""
    brief: str = ""
    share: int = 1
    options: tuple[str, ...] = ()
    wide: bool = False
    layouts: tuple[str, ...] = LAYOUTS


@dataclass(frozen=True)
class Row:
    """A line of boxes. `cells` names the box under each column, empty where there is none; `aside` explains that gap.

    A row without title has a box for it. `names` says in words what a box is that is not what its column says.
    """

    id: str
    title: str
    icon: str
    hint: str
    aside: str
    cells: tuple[str, ...]
    names: tuple[tuple[str, str], ...] = ()

    def field(self, number: int) -> str:
        """The name of the box in column `number`, such as `swords.total`; empty where there is none.

        In a row without an id each box has its own name alone.
        """
        cell = self.cells[number]
        return f"{self.id}.{cell}" if self.id and cell else cell

    def named(self, number: int) -> str:
        """How the box in column `number` is called where that is not as its column: by its own name."""
        return dict(self.names).get(self.cells[number], "")


@dataclass(frozen=True)
class Total:
    """The last line: one box, under the column with the id `under`. A `wide` one takes words, not a number."""

    id: str
    title: str
    how: str
    under: str
    wide: bool = False


@dataclass(frozen=True)
class Listing:
    """A titled list of numbered lines to write on, in one or more columns."""

    id: str
    title: str
    how: str
    count: int
    columns: int


@dataclass(frozen=True)
class Panel:
    """A titled piece of explanation, in this order: a paragraph, a list, a table, and paragraphs; all in Markdown.

    It is shown in `layouts` only.
    """

    title: str
    text: str = ""
    items: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    after: tuple[str, ...] = ()
    layouts: tuple[str, ...] = LAYOUTS


@dataclass(frozen=True)
class Own:
    """Wishes that go before the file: a title, the names of rows and of columns.

    Where one is empty, the file has its way.
    """

    title: str = ""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoreDesign:
    """Everything that a score sheet shows.

    `game` is a game's id, or empty for a sheet of no game. `layouts` are those that make sense, the usual one first;
    `refusal` says why not the others. `reminder` stands in for the panels where there is no room for them. `seats` is
    how many players there are at most; a table for all of them has the first `party` rows, or all for 0. `played` maps
    the parts of a game's score to boxes of another name. `own` is what is not as in the file.
    """

    game: str
    title: str
    subtitle: str
    purpose: str
    reminder: str
    credit: str
    corner: str
    refusal: str
    icons: tuple[str, ...]
    layouts: tuple[str, ...]
    seats: int
    party: int
    lines: tuple[Line, ...]
    ticks: tuple[Ticks, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: Total | None
    lists: tuple[Listing, ...]
    panels: tuple[Panel, ...]
    played: tuple[tuple[str, str], ...]
    own: Own | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every box that takes a score, for one player."""
        cells = [row.field(n) for row in self.rows for n in range(len(self.columns)) if row.field(n)]
        listed = [f"{listing.id}.{n + 1}" for listing in self.lists for n in range(listing.count)]
        return (*cells, *([self.total.id] if self.total else []), *listed)


_MOST = 1000


def own_as_json(own: Own | None) -> str:
    """`own` as JSON, nothing for None."""
    if own is None:
        return ""
    parts = {"title": own.title, "rows": own.rows, "columns": own.columns}
    return json.dumps({key: value for key, value in parts.items() if value}, ensure_ascii=False)


def own_from_json(text: str) -> Own | None:
    """The wishes in JSON that `own_as_json` made, None for nothing. Anything else is a ValueError."""
    if not text:
        return None
    try:
        table = json.loads(text)
    except RecursionError as error:
        raise ValueError(text) from error
    if not isinstance(table, dict) or not table.keys() <= {"title", "rows", "columns"}:
        raise ValueError(text)
    title = table.get("title", "")
    if not isinstance(title, str):
        raise ValueError(text)
    return Own(title, _names(table.get("rows", [])), _names(table.get("columns", [])))


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST or not all(isinstance(name, str) for name in value):
        raise ValueError(value)
    return tuple(value)
