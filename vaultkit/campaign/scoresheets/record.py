"""A game as people have written it down, in flags or in a file, before anything is made of it.

On the command line: `--score "Ysolde: swords=23/1, stars=7/0, forfeited"`. In a TOML file, for `log --from FILE.toml`:

game = "dragon-citadel"
date = 2026-11-03
outcome = "party"
note = "Sefa gave her potion to Bram."

[options]
mode = "coop"

[[players]]
name = "Ysolde"
swords = "23/1"                     # the parts of a row as on the sheet, or:
stars = {total = 7, heroes = 0}
points = "18/0/-48"                 # round by round, in a game with rounds
crowns = 2
forfeited = false
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from vaultkit.compendium.plain_tables import Steps, Tables, read_text, read_toml
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.shapes import ShapeError, read_shape

_HINT = "See what belongs there: vaultkit log GAME --example"


@dataclass(frozen=True, slots=True)
class PaperWords:
    """Somebody's words, and the file and line where they stand; "" for what was said on the command line."""

    text: str
    where: str = ""


@dataclass(frozen=True)
class PaperSeat:
    """One player's scores: `said` by the keys of questions (`swords.total`) or by rows (`swords`).

    On a printed sheet the name may have been `typed`, too, or printed with it.
    """

    name: str
    said: Mapping[str, PaperWords] = field(default_factory=dict)
    where: str = ""
    typed: bool = False


@dataclass(frozen=True)
class Flags:
    """The flags of one run of `log` that say something of the game."""

    game: str | None = None
    scores: Sequence[str] = ()
    seats: Sequence[str] = ()
    files: Sequence[Path] = ()
    options: Sequence[str] = ()
    outcome: str | None = None
    date: str | None = None
    note: str = ""
    campaign: str | None = None
    force: bool = False

    @property
    def nothing(self) -> bool:
        """Whether not even the game is named."""
        return self == Flags(campaign=self.campaign)


@dataclass(frozen=True)
class PaperRecord:
    """A game as it was written down. What was not said is empty; `common` is what holds for all players.

    `session` is what the sheets call the evening, or the id of the game that they were printed of. `labels` say what
    the boxes for numbers of printed sheets are, by their names; a `printed` record has some that nobody asks for.
    `remarks` are sentences for the GM.
    """

    game: str = ""
    date: PaperWords | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    common: Mapping[str, PaperWords] = field(default_factory=dict)
    seats: tuple[PaperSeat, ...] = ()
    note: str = ""
    session: str = ""
    where: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    printed: bool = False
    flags: Flags = Flags()

    @property
    def is_written(self) -> bool:
        """Whether there are scores, so that nobody is asked for them."""
        return bool(self.seats or self.where)


def refusal(message: str, where: str, hint: str = "") -> VaultkitError:
    """The error for words that cannot be used: of the command line, or of the file `where` they stand."""
    return InvalidError(message, where=where, hint=hint) if where else UsageError(message, hint=hint)


@contextmanager
def placed(where: str, name: str = "") -> Iterator[None]:
    """Gives an error of words the place where they stand, and the `name` of the player whose they are."""
    try:
        yield
    except UsageError as error:
        raise refusal(f"{name}: {error.message}" if name else error.message, where, error.hint) from error


def read_file(path: Path) -> PaperRecord:
    """The game in a file. Raises InvalidError with the line for what is no TOML or not of this shape."""
    hint = "Only scores in a TOML file, saved as UTF-8, and filled score sheets (.pdf) can be read."
    text = read_text(path, str(path), hint)
    if not text.strip():
        raise InvalidError("There is nothing in this file.", where=str(path), hint=_HINT)
    return from_toml(text, str(path))


def from_toml(text: str, where: str) -> PaperRecord:
    """The game in the text of a file called `where`. Raises InvalidError with the line."""
    file = read_toml(text, where, _HINT)
    with file.placing(_HINT):
        own = read_shape(file.table, _File)
        common = {key: value for key, value in file.table.items() if key not in _File.__struct_fields__}
        words = dict(_words(file, (), common))
        seats = tuple(_seat(file, ("players", number), player) for number, player in enumerate(own.players))
    options = {key: _plain(value) for key, value in own.options.items()}
    return PaperRecord(own.game, words.pop("date", None), options, words, seats, own.note, where=where)


class _File(Struct):
    """The keys that are no answers."""

    game: str = ""
    note: str = ""
    options: dict[str, str | int | float | bool] = {}
    players: tuple[dict[str, Any], ...] = ()


def _seat(file: Tables, at: Steps, player: Mapping[str, object]) -> PaperSeat:
    name = player.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ShapeError(at, "A player has no name.", 'Write: name = "Ysolde"')
    said = {key: value for key, value in player.items() if key != "name"}
    return PaperSeat(name.strip(), dict(_words(file, at, said)), where=file.place(at))


def _words(file: Tables, at: Steps, table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, PaperWords]]:
    """The answers in a table and in those within it, by their keys with dots between."""
    for key, value in table.items():
        name, here = f"{above}{key}", (*at, key)
        if isinstance(value, dict):
            yield from _words(file, here, value, f"{name}.")
        elif isinstance(value, str | int | float | date):
            yield name.casefold(), PaperWords(str(_plain(value)), file.place(here))
        else:
            raise ShapeError(here, f"'{name}' must be a number or a text in quotes, or a date such as 2026-11-03.")


def _plain(value: object) -> object:
    """`true` and `false` are yes and no, and a time is its day."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.date() if isinstance(value, datetime) else value
