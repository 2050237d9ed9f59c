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

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from vaultkit.campaign.dates import read_date
from vaultkit.compendium.scoresheets import Steps, Tables, read_text, read_toml
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.session.ids import is_id
from vaultkit.shapes import ShapeError, read_shape
from vaultkit.vault.writing.escape import clean

_EXAMPLE = '--score "Ysolde: swords=23/1, stars=7/0, crowns=2"'
_KEY = re.compile(r"\s*([\w][\w.\- ]*?)\s*=(.*)", re.DOTALL)
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


def from_flags(scores: Iterable[str], outcome: str | None = None, example: str = "") -> PaperRecord:
    """The game that `--score` and `--outcome` tell of. A score without a name and a colon holds for all players.

    Raises UsageError for one that cannot be taken apart, with the `example` of the game, if there is one.
    """
    example = example or _EXAMPLE
    common: dict[str, PaperWords] = {} if outcome is None else {"outcome": PaperWords(outcome)}
    seats = []
    for score in scores:
        name, colon, said = _named(score)
        if not colon:
            found = _pairs(said, score, example)
            if any(" " in key for key in found):
                raise UsageError(f"--score '{score}' has no colon behind the name.", hint=f"Write: {example}")
            common |= found
        elif not name.strip():
            raise UsageError(f"--score '{score}' names nobody.", hint=f"Write: {example}")
        else:
            seats.append(PaperSeat(name.strip(), _pairs(said, score, example)))
    return PaperRecord(common=common, seats=tuple(seats))


def _named(score: str) -> tuple[str, str, str]:
    """The name before the colon, the colon, and what is said.

    It is the last colon before the first value, so that a name may have some of its own, and so may a value.
    """
    name, colon, _ = score.partition("=")[0].rpartition(":")
    return name, colon, score[len(name + colon) :]


def _pairs(said: str, score: str, example: str) -> dict[str, PaperWords]:
    """Keys with their values; a key alone means yes."""
    pairs: dict[str, PaperWords] = {}
    for piece in filter(str.strip, re.split(r"[,;]", said)):
        match = _KEY.fullmatch(piece)
        key, value = (match[1], match[2].strip()) if match else (piece.strip(), "yes")
        if match is None and not re.fullmatch(r"[\w.\-]+", key):
            raise UsageError(f"'{key}' in --score '{score}' says nothing.", hint=f"Write: {example}")
        key = key.casefold()
        if key in pairs:
            raise UsageError(f"'{key}' is twice in --score '{score}'.", hint="Say it once.")
        pairs[key] = PaperWords(value)
    return pairs


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
    try:
        own = read_shape(file.table, _File)
    except ShapeError as error:
        raise _wrong(file, error.path, error.message) from error
    if not isinstance(own.date, date | str | None):
        raise _wrong(file, ("date",), "'date' must be a date such as 2026-11-03.")
    day = own.date.date() if isinstance(own.date, datetime) else own.date
    common = {key: value for key, value in file.table.items() if key not in _File.__struct_fields__}
    return PaperRecord(
        game=own.game,
        date=None if day is None else PaperWords(str(day), file.place(("date",))),
        options={key: _plain(value) for key, value in own.options.items()},
        common=dict(_words(file, (), common)),
        seats=tuple(_seat(file, ("players", number), player) for number, player in enumerate(own.players)),
        note=own.note,
        where=where,
    )


class _File(Struct):
    """The keys that are no answers."""

    game: str = ""
    note: str = ""
    date: Any = None
    options: dict[str, str | int | float | bool] = {}
    players: tuple[dict[str, Any], ...] = ()


def _seat(file: Tables, at: Steps, player: Mapping[str, object]) -> PaperSeat:
    name = player.get("name")
    if not isinstance(name, str) or not name.strip():
        raise _wrong(file, at, "A player has no name.", 'Write: name = "Ysolde"')
    said = {key: value for key, value in player.items() if key != "name"}
    return PaperSeat(name.strip(), dict(_words(file, at, said)), where=file.place(at))


def _words(file: Tables, at: Steps, table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, PaperWords]]:
    """The answers in a table and in those within it, by their keys with dots between."""
    for key, value in table.items():
        name, here = f"{above}{key}", (*at, key)
        if isinstance(value, dict):
            yield from _words(file, here, value, f"{name}.")
        elif isinstance(value, str | int | float):
            yield name.casefold(), PaperWords(str(_plain(value)), file.place(here))
        else:
            raise _wrong(file, here, f"'{name}' must be a number or a text in quotes.")


def _wrong(file: Tables, at: Steps, message: str, hint: str = _HINT) -> InvalidError:
    return InvalidError(message, where=file.place(at), hint=hint)


def _plain(value: object) -> object:
    """`true` and `false` are yes and no."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


@dataclass(frozen=True)
class FilledSheet:
    """A filled score sheet; `game` is a game's id, or the name of a design of no game, and `title` stands on it.

    `layout` is the first of the design's that has these boxes. `lines` and ticks for all stand there once for each
    player. Boxes that are empty are left out, and so are players who have none but these. What cannot be true or cannot
    be read stands in `problems` and nowhere else. `labels` are as in a record.
    """

    where: str
    game: str
    title: str
    layout: str = ""
    lines: Sequence[tuple[str, PaperWords]] = ()
    seats: tuple[PaperSeat, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


SESSION, DATE, CHARACTER = "session", "date", "character"
"""The lines of a sheet that mean something to us; the first names the evening, in anybody's words."""
_UNFILLED = "Nothing is filled in on this sheet."
_ZERO = "Whoever played has something in one box, if only a 0."


def merged(sheets: Sequence[FilledSheet], options: Collection[str]) -> PaperRecord:
    """One game of filled sheets, of one or of all players; whoever has filled nothing in did not play.

    `options` are the keys of the game's options. Raises InvalidError that names the sheets which differ.
    """
    _refuse_others(sheets)
    said = _agreed(sheets)
    players, remarks = _players(sheets)
    evenings = (clean(words.text) for sheet in sheets for key, words in sheet.lines if key == SESSION)
    session = min(filter(None, evenings), key=lambda name: not is_id(name), default="")
    character = clean(said[CHARACTER].text) if CHARACTER in said and len(players) == 1 else ""
    evening = "" if is_id(session) else session
    if evening and not evening.casefold().startswith("session"):
        evening = f"Session: {evening}"
    player = players[0].name
    by = f"{character} was played by {player}." if character and player.casefold() != character.casefold() else ""
    return PaperRecord(
        game=sheets[0].game,
        date=said.get(DATE),
        options={key: words.text for key, words in said.items() if key in options},
        common={key: words for key, words in said.items() if key not in {SESSION, DATE, CHARACTER, *options}},
        seats=(replace(players[0], name=character),) if character else tuple(players),
        note=". ".join(filter(None, (evening, by))),
        session=session,
        where=sheets[0].where,
        labels=sheets[0].labels,
        remarks=tuple(remarks),
        printed=True,
    )


def _refuse_others(sheets: Sequence[FilledSheet]) -> None:
    first = sheets[0]
    for sheet in sheets:
        if sheet.game != first.game:
            message = f"These sheets are of two games: {first.title} and {sheet.title}."
            raise InvalidError(message, where=f"{first.where}, {sheet.where}", hint="Log one game at a time.")
        if not sheet.seats:
            raise InvalidError(_UNFILLED, where=sheet.where, hint=_ZERO)


def _agreed(sheets: Iterable[FilledSheet]) -> dict[str, PaperWords]:
    """The words and ticks for all players, each with the sheet that has it.

    Raises InvalidError with everything in which they differ, but for how they call the evening.
    """
    found: dict[str, PaperWords] = {}
    differ: list[str] = []
    files: dict[str, None] = {}
    for sheet in sheets:
        for key, words in sheet.lines:
            other = found.setdefault(key, words)
            if key != SESSION and _meant(key, other) != _meant(key, words):
                differ.append(f"the {key}: '{other.text}' and '{words.text}'")
                files |= {other.where: None, sheet.where: None}
    if differ:
        hint = "Correct one of them. Sheets of two games are logged one after the other."
        raise InvalidError(f"The sheets differ in {'; '.join(differ)}.", where=", ".join(files), hint=hint)
    return found


def _meant(key: str, words: PaperWords) -> object:
    """A day however it is written; other words in any case."""
    return read_date(words.text, words.where) if key == "date" else clean(words.text).casefold()


def _players(sheets: Sequence[FilledSheet]) -> tuple[list[PaperSeat], list[str]]:
    """Every player once, in the order of the sheets, and remarks on those who have filled nothing in.

    These played if somebody wrote their names on a sheet that others have filled in. A copy of a sheet adds nothing.
    Raises InvalidError where nobody has filled anything in.
    """
    seats = [(replace(seat, name=clean(seat.name)), sheet) for sheet in sheets for seat in sheet.seats]
    filled = {seat.name.casefold() for seat, _ in seats if seat.said}
    if not filled:
        raise InvalidError(_UNFILLED, where=sheets[0].where, hint=_ZERO)
    found: dict[str, PaperSeat] = {}
    remarks: dict[str, None] = {}
    for seat, sheet in seats:
        is_there = seat.typed and any(one.said for one in sheet.seats)
        is_left_out = seat.name.casefold() not in filled
        if is_left_out:
            remarks[_remark(seat.name, is_there=is_there)] = None
        if seat.said or (is_there and is_left_out):
            _refuse_twice(found.setdefault(seat.name.casefold(), seat), seat, sheet.labels)
    return list(found.values()), list(remarks)


def _remark(name: str, *, is_there: bool) -> str:
    if is_there:
        return f"{name}'s boxes are empty: they count as 0 and no. Whoever did not play has no name on the sheet."
    return f"{name}'s boxes are empty: left out. {_ZERO}"


def _refuse_twice(one: PaperSeat, other: PaperSeat, labels: Mapping[str, str]) -> None:
    """Raises InvalidError for a player whom two sheets have, unless they say the same."""
    first, second = ({key: words.text for key, words in seat.said.items()} for seat in (one, other))
    if first != second:
        differ = (key for key in first | second if first.get(key) != second.get(key))
        boxes = (
            f" ({labels.get(key, key)}: {first.get(key, 'nothing')} and {second.get(key, 'nothing')})" for key in differ
        )
        raise InvalidError(
            f"{other.name} is there twice, and not with the same numbers{next(boxes, '')}.",
            where=", ".join(dict.fromkeys((one.where, other.where))),
            hint="Leave out the sheet that is not right, or write another name on one of them.",
        )
