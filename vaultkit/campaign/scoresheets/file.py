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

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords
from vaultkit.compendium.scoresheets import LARGEST, read_toml
from vaultkit.dash import open_file
from vaultkit.errors import InvalidError

_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)
"""How a file begins that PowerShell has written with `>`."""
_TEXTS = ("game", "note")
_OWN = (*_TEXTS, "date", "options", "players")
_HINT = "See what belongs there: vaultkit log GAME --example"


def read_file(path: Path) -> PaperRecord:
    """The game in a file. Raises InvalidError with the line for what is no TOML or not of this shape."""
    try:
        with open_file(path) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise InvalidError("This file is too large to be a score sheet.", where=str(path))
        text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "Only scores in a TOML file, saved as UTF-8, and filled score sheets (.pdf) can be read."
        raise InvalidError("This file is no text in UTF-8.", where=str(path), hint=hint) from error
    except OSError as error:
        raise InvalidError(f"The file cannot be read: {error.strerror or error}.", where=str(path)) from error
    if not text.strip():
        raise InvalidError("There is nothing in this file.", where=str(path), hint=_HINT)
    return from_toml(text, str(path))


def from_toml(text: str, where: str) -> PaperRecord:
    """The game in the text of a file called `where`. Raises InvalidError with the line."""
    table = read_toml(text, where, _HINT)
    return _Reader(table, text.splitlines(), where).record()


class _Reader:
    """Takes the tables of one file apart."""

    def __init__(self, table: Mapping[str, Any], lines: list[str], where: str) -> None:
        self._table, self._lines, self._where = table, lines, where
        heads = [number for number, line in enumerate(lines) if re.match(r"\s*\[\[\s*players\s*\]\]", line)]
        self._starts = heads

    def record(self) -> PaperRecord:
        game, note = (self._text(key) for key in _TEXTS)
        common = {key: value for key, value in self._table.items() if key not in _OWN}
        return PaperRecord(
            game=game,
            date=self._date(),
            options=self._options(),
            common=dict(self._words(common, 0, self._end(0))),
            seats=tuple(self._seats()),
            note=note,
            where=self._where,
        )

    def _text(self, key: str) -> str:
        value = self._table.get(key, "")
        if not isinstance(value, str):
            raise self._wrong(f"'{key}' must be a text in quotes.", self._line(key))
        return value

    def _date(self) -> PaperWords | None:
        value = self._table.get("date")
        if value is None:
            return None
        line = self._line("date")
        if isinstance(value, datetime):
            value = value.date()
        if not isinstance(value, date | str):
            raise self._wrong("'date' must be a date such as 2026-11-03.", line)
        return PaperWords(str(value), self._at(line))

    def _options(self) -> dict[str, object]:
        value = self._table.get("options", {})
        if not isinstance(value, dict):
            raise self._wrong("'options' must be a table.", self._line("options"), "Write [options] above its keys.")
        for key, item in value.items():
            if isinstance(item, dict | list):
                raise self._wrong(f"'{key}' must be one value.", self._line(key))
        return {key: _plain(item) for key, item in value.items()}

    def _seats(self) -> Iterator[PaperSeat]:
        players = self._table.get("players", [])
        if not isinstance(players, list) or not all(isinstance(player, dict) for player in players):
            raise self._wrong("'players' must be a list of tables.", self._line("players"), "Write [[players]] above.")
        for number, player in enumerate(players):
            start = self._starts[number] if number < len(self._starts) else 0
            name = player.get("name", "")
            if not isinstance(name, str) or not name.strip():
                raise self._wrong("A player has no name.", start + 1, 'Write: name = "Ysolde"')
            said = {key: value for key, value in player.items() if key != "name"}
            pairs = dict(self._words(said, start, self._end(number + 1)))
            yield PaperSeat(name.strip(), pairs, where=self._at(start + 1))

    def _end(self, number: int) -> int:
        """The line where the table of the next player begins."""
        return self._starts[number] if number < len(self._starts) else len(self._lines)

    def _words(
        self, table: Mapping[str, Any], start: int, end: int, above: str = ""
    ) -> Iterator[tuple[str, PaperWords]]:
        for key, value in table.items():
            name = f"{above}{key}"
            line = self._line(key, start, end)
            if isinstance(value, dict):
                yield from self._words(value, start, end, f"{name}.")
            elif isinstance(value, str | int | float):
                yield name.casefold(), PaperWords(str(_plain(value)), self._at(line))
            else:
                raise self._wrong(f"'{name}' must be a number or a text in quotes.", line)

    def _line(self, key: str, start: int = 0, end: int | None = None) -> int:
        """The line, from 1, that says `key` first between two others; 0 if it is written in another way."""
        said = re.compile(rf"(?:^|[{{,.\[])\s*[\"']?{re.escape(key)}[\"']?\s*[=.\]]")
        lines = enumerate(self._lines[start:end], start + 1)
        return next((number for number, line in lines if said.search(line)), 0)

    def _at(self, line: int) -> str:
        return f"{self._where}:{line}" if line else self._where

    def _wrong(self, message: str, line: int, hint: str = _HINT) -> InvalidError:
        return InvalidError(message, where=self._at(line), hint=hint)


def _plain(value: object) -> object:
    """`true` and `false` are yes and no."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
