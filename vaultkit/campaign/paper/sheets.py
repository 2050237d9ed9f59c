"""Filled score sheets, several together, as one game: what they say must agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.paper.dates import read_date
from vaultkit.campaign.paper.written import Said, Written, WrittenSeat
from vaultkit.errors import InvalidError
from vaultkit.vault.writing.escape import clean

_NAMES = {"date": "date", "session": "session"}


@dataclass(frozen=True)
class SheetPlayer:
    """One player's boxes, by their names: `numbers` and `words` as written, `ticks` by group."""

    name: str
    numbers: Mapping[str, int]
    words: Mapping[str, str]
    ticks: Mapping[str, str]


@dataclass(frozen=True)
class SheetValues:
    """What one filled sheet says. `about` are the lines for all players, `ticks` theirs; `sheet` is its id."""

    where: str
    game: str
    title: str
    sheet: str
    about: Mapping[str, str]
    ticks: Mapping[str, str]
    players: tuple[SheetPlayer, ...]
    labels: Mapping[str, str]


def merged(sheets: Sequence[SheetValues], asked: Iterable[str], options: Iterable[str]) -> Written:
    """One game of the sheets of one or of all players.

    `asked` are the keys of what the game asks of each player: other numbers follow from these, other words are the
    player's own. `options` are the keys of the game's options. Raises InvalidError that names the sheets which differ.
    """
    _refuse_others(sheets)
    about = _agreed(sheets, "about")
    ticks = _agreed(sheets, "ticks")
    known, settled = set(asked), set(options)
    players = _players(sheets)
    day = about.get("date")
    return Written(
        game=sheets[0].game,
        date=Said(*day) if day else None,
        options={key: value for key, (value, _) in ticks.items() if key in settled},
        common={key: Said(*said) for key, said in ticks.items() if key not in settled},
        seats=tuple(_seat(player, where, known) for player, where in players),
        where=sheets[0].where,
        labels=sheets[0].labels,
    )


def _refuse_others(sheets: Sequence[SheetValues]) -> None:
    first = sheets[0]
    for sheet in sheets[1:]:
        if sheet.game != first.game:
            message = f"These sheets are of two games: {first.title} and {sheet.title}."
            raise InvalidError(message, where=f"{first.where}, {sheet.where}", hint="Log one game at a time.")
    for sheet in sheets:
        if not sheet.players:
            raise InvalidError("Nothing is filled in on this sheet.", where=sheet.where)
        if any(not clean(player.name) for player in sheet.players):
            raise InvalidError("The name of a player is missing on this sheet.", where=sheet.where, hint="Write it in.")


def _agreed(sheets: Iterable[SheetValues], part: str) -> dict[str, tuple[str, str]]:
    """What the sheets say for all players, each with the sheet that says so."""
    found: dict[str, tuple[str, str]] = {}
    for sheet in sheets:
        said: Mapping[str, str] = sheet.about if part == "about" else sheet.ticks
        for key, value in said.items():
            other, where = found.setdefault(key, (value, sheet.where))
            if _meant(key, other, where) != _meant(key, value, sheet.where):
                message = f"The sheets differ in the {_NAMES.get(key, key)}: '{other}' and '{value}'."
                hint = "Correct one of them. Sheets of two games are logged one after the other."
                raise InvalidError(message, where=f"{where}, {sheet.where}", hint=hint)
    return found


def _meant(key: str, said: str, where: str) -> object:
    """A day however it is written; other words in any case."""
    return read_date(Said(said, where)) if key == "date" else clean(said).casefold()


def _players(sheets: Iterable[SheetValues]) -> list[tuple[SheetPlayer, str]]:
    """Every player once, in the order of the sheets; a copy of a sheet adds nothing."""
    found: dict[str, tuple[SheetPlayer, str]] = {}
    for sheet in sheets:
        for player in sheet.players:
            name = clean(player.name).casefold()
            if name not in found:
                found[name] = (player, sheet.where)
                continue
            other, where = found[name]
            if replace(other, name="") != replace(player, name=""):
                differs = _where_differs(other, player, sheet)
                raise InvalidError(
                    f"{clean(player.name)} is there twice, and not with the same numbers{differs}.",
                    where=where if where == sheet.where else f"{where}, {sheet.where}",
                    hint="Leave out the sheet that is not right, or write another name on one of them.",
                )
    return list(found.values())


def _where_differs(one: SheetPlayer, other: SheetPlayer, sheet: SheetValues) -> str:
    """The first box in which two players' numbers differ."""
    for key in dict.fromkeys((*one.numbers, *other.numbers)):
        if one.numbers.get(key, 0) != other.numbers.get(key, 0):
            values = f"{one.numbers.get(key, 'nothing')} and {other.numbers.get(key, 'nothing')}"
            return f" ({sheet.labels.get(key, key)}: {values})"
    return ""


def _seat(player: SheetPlayer, where: str, asked: set[str]) -> WrittenSeat:
    written = {key: str(value) for key, value in player.numbers.items()} | dict(player.words) | dict(player.ticks)
    return WrittenSeat(
        clean(player.name),
        {key: Said(text, where) for key, text in written.items() if key in asked},
        {key: value for key, value in player.numbers.items() if key not in asked},
        where,
    )
