"""The design of a score sheet, as in `print/sheets/<name>-score.toml`. `reading` makes it from the file."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from vaultkit.errors import UsageError
from vaultkit.games.definition import Explanation, Form, Layout

LAYOUTS: tuple[Layout, Layout, Layout] = ("one", "four", "party")
ONE, FOUR, PARTY = LAYOUTS
"""One player a page, four players a page to be cut apart, or the whole party on one page."""
FIELDS = "2"
"""The version of the names of the fields."""
READABLE = ("1", FIELDS)
"""Those that can be read. In version 1 what rules each other out had check boxes, each with a name of its own."""
PLAYER = "player"
"""The line for the name."""
Kind = Literal["number", "words", "choice", "tick"]
"""Into a box goes a number, words, one of several choices, or a tick."""
Layouts = Annotated[tuple[Layout, ...], Meta(min_length=1)]
Id = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z", description="Small letters, digits and hyphens, as in a-1.")]
Count = Annotated[int, Meta(ge=1, le=60)]
CountOrNone = Annotated[int, Meta(ge=0, le=60)]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a design; it has an id, which the names of its boxes begin with, and a title."""

    id: Id
    title: str


class Line(Part, frozen=True):
    """A line to write on; `share` is its part of the width."""

    share: Count = 1


class Ticks(Part, frozen=True):
    """A group of boxes to tick: the id and the words of each. `own` groups are ticked by every player alone."""

    options: Mapping[str, str]
    own: bool = False

    @property
    def is_radio(self) -> bool:
        """Whether one tick clears the others in a viewer: where there are several, and PDF can name each of them."""
        return len(self.options) > 1 and {"", "Off"}.isdisjoint(self.options)


class Column(Part, frozen=True):
    """A column of boxes. `how` says what counts; `brief` says it where there is little room.

    With `options` one of them is chosen; `wide` boxes take words, not numbers. A column without title has a box
    in its head. It is shown in `layouts` only.
    """

    how: str = ""
    brief: str = ""
    share: Count = 1
    options: tuple[str, ...] = ()
    wide: bool = False
    layouts: Layouts = LAYOUTS

    @property
    def kind(self) -> Kind:
        """The kind of its boxes."""
        if self.options:
            return "choice"
        return "words" if self.wide else "number"


class Row(Part, frozen=True):
    """A line of boxes. `cells` names the box under each column, empty where there is none; `aside` explains that gap.

    A row without title has a box for it. `names` says in words what a box is that is not what its column says. In a
    file, `count` makes so many rows of one.
    """

    icon: str = ""
    hint: str = ""
    aside: str = ""
    cells: tuple[str, ...] = ()
    names: Mapping[str, str] = {}
    count: CountOrNone = 0

    def key(self, cell: str) -> str:
        """The name of the box `cell`, such as `swords.total`; in a row without an id each has its own name alone."""
        return f"{self.id}.{cell}" if self.id and cell else cell


class Total(Part, frozen=True):
    """The last line: one box for a number, under the column with the id `under`, or under the first."""

    how: str = ""
    under: str = ""


class Listing(Part, frozen=True):
    """A titled list of numbered lines to write on, in one or more columns."""

    count: Count
    how: str = ""
    columns: Count = 1


class ScoreDesign(Form, frozen=True, kw_only=True, rename={"lines": "fields", "total": "sum"}):
    """Everything that a score sheet shows.

    `game` is a game's id, or empty for a sheet of no game. `layouts` are those that make sense, the usual one first;
    `refusal` says why not the others. `reminder` stands in for the panels where there is no room for them. `seats` is
    how many players there are at most; a table for all of them has the first `party` rows, or all for 0. `played` maps
    the parts of a game's score to boxes of another name, where `vaultkit demo` fills them in.
    """

    title: str
    game: str = ""
    refusal: str = ""
    layouts: Layouts = LAYOUTS
    seats: Count = 6
    party: CountOrNone = 0
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    lines: tuple[Line, ...] = ()
    ticks: tuple[Ticks, ...] = ()
    total: Total | None = None
    lists: tuple[Listing, ...] = ()
    panels: tuple[Explanation, ...] = ()
    played: Mapping[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every box that takes a score, for one player."""
        cells = [row.key(cell) for row in self.rows for cell in row.cells if cell]
        listed = [f"{listing.id}.{n + 1}" for listing in self.lists for n in range(listing.count)]
        return (*cells, *([self.total.id] if self.total else []), *listed)


def adapted(
    design: ScoreDesign, *, title: str = "", rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> ScoreDesign:
    """The design with a title, rows and columns of one's own; what is not given stays.

    Only a sheet of no game can have other rows and columns; else it is a UsageError.
    """
    if design.game and (rows or columns):
        hint = "Print a blank one with them: vaultkit print scores blank --rows ... --columns ..."
        raise UsageError(f"The rows and columns of '{design.title}' are those of its game.", hint=hint)
    heads = tuple(Column(f"{n}", words) for n, words in enumerate(columns, 1)) or design.columns
    cells = tuple(column.id for column in heads)
    named = tuple(Row(f"row-{n}", words) for n, words in enumerate(rows, 1)) or design.rows
    lines = tuple(replace(row, cells=cells) for row in named) if rows or columns else named
    party, total = (0 if rows else design.party), (None if columns else design.total)
    return replace(design, title=title or design.title, columns=heads, rows=lines, party=party, total=total)


def in_words(design: ScoreDesign, words: Mapping[str, str]) -> ScoreDesign:
    """The design with rows that are called as `words` have it: `Swords` is `Schwerter` where the deck says so."""
    return replace(design, rows=tuple(replace(row, title=words.get(row.title, row.title)) for row in design.rows))
