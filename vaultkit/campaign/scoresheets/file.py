"""A game written down in a TOML file, for `log --from FILE.toml`.

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

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path

from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords
from vaultkit.compendium.scoresheets import Steps, Tables, read_text, read_toml
from vaultkit.errors import InvalidError

_OWN: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "game": (str, "a text in quotes"),
    "note": (str, "a text in quotes"),
    "date": ((date, str), "a date such as 2026-11-03"),
    "options": (dict, "a table: write [options] above its keys"),
    "players": (list, "a list of tables: write [[players]] above each"),
}
"""The keys that are no answers, each with what it must be."""
_HINT = "See what belongs there: vaultkit log GAME --example"


def read_file(path: Path) -> PaperRecord:
    """The game in a file. Raises InvalidError with the line for what is no TOML or not of this shape."""
    hint = "Only scores in a TOML file, saved as UTF-8, and filled score sheets (.pdf) can be read."
    text = read_text(path, str(path), "a score sheet", hint)
    if not text.strip():
        raise InvalidError("There is nothing in this file.", where=str(path), hint=_HINT)
    return from_toml(text, str(path))


def from_toml(text: str, where: str) -> PaperRecord:
    """The game in the text of a file called `where`. Raises InvalidError with the line."""
    file = read_toml(text, where, _HINT)
    own = {"game": "", "note": "", "options": {}, "players": [], **file.table}
    for key, (kinds, expected) in _OWN.items():
        if key in own and not isinstance(own[key], kinds):
            raise _wrong(file, (key,), f"'{key}' must be {expected}.")
    for key, value in own["options"].items():
        if isinstance(value, dict | list):
            raise _wrong(file, ("options", key), f"'{key}' must be one value.")
    day = own.get("date")
    day = day.date() if isinstance(day, datetime) else day
    return PaperRecord(
        game=own["game"],
        date=None if day is None else PaperWords(str(day), file.place(("date",))),
        options={key: _plain(value) for key, value in own["options"].items()},
        common=dict(_words(file, (), {key: value for key, value in file.table.items() if key not in _OWN})),
        seats=tuple(_seat(file, ("players", number), player) for number, player in enumerate(own["players"])),
        note=own["note"],
        where=where,
    )


def _seat(file: Tables, at: Steps, player: object) -> PaperSeat:
    if not isinstance(player, dict):
        raise _wrong(file, at, f"'players' must be {_OWN['players'][1]}.")
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
