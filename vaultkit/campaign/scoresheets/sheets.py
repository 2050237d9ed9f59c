"""Filled score sheets, several together, as one game: what they say must agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError
from vaultkit.session.ids import is_id
from vaultkit.vault.writing.escape import clean

SESSION = "session"
"""The line of a sheet that names the evening, in anybody's words."""


@dataclass(frozen=True)
class SheetPlayer:
    """One player's boxes, by their names without prefix: `{"swords.total": 17}`, `{"forfeited": "no"}`.

    Boxes that are empty are left out; `ticks` are by group. `name` is "" if none was written.
    """

    name: str
    numbers: Mapping[str, int]
    words: Mapping[str, str]
    ticks: Mapping[str, str]

    @property
    def is_empty(self) -> bool:
        """Whether there is a name and nothing else, as the sheet was printed: nobody has filled the boxes in."""
        return not (self.numbers or self.words or self.ticks)


@dataclass(frozen=True)
class SheetValues:
    """One filled sheet. `about` are the lines for all players, such as `date`; `ticks` theirs, by group.

    `game` is a game's id, or the name of a design of no game; `title` stands on the sheet, and `sheet` is the id that
    it was printed with. Players whose boxes are all empty are left out. `labels` say what a box is by its name without
    prefix: `{"row-1.1": "Ysolde, Won"}`.
    """

    where: str
    game: str
    title: str
    sheet: str
    about: Mapping[str, str]
    ticks: Mapping[str, str]
    players: tuple[SheetPlayer, ...]
    labels: Mapping[str, str]


def merged(sheets: Sequence[SheetValues], options: Iterable[str]) -> PaperRecord:
    """One game of the sheets of one or of all players; whoever has filled nothing in did not play.

    `options` are the keys of the game's options. Raises InvalidError that names the sheets which differ.
    """
    _refuse_others(sheets)
    about, ticks = _agreed(sheets)
    settled = set(options)
    players, absent = _players(sheets)
    session, remarks = _session(sheets)
    day, character = about.get("date"), clean(about.get("character", ("", ""))[0])
    if character and len(players) == 1:
        players = [(replace(players[0][0], name=character), players[0][1])]
    return PaperRecord(
        game=sheets[0].game,
        date=PaperWords(*day) if day else None,
        options={key: value for key, (value, _) in ticks.items() if key in settled},
        common={key: PaperWords(*said) for key, said in ticks.items() if key not in settled},
        seats=tuple(_seat(player, where) for player, where in players),
        note=_evening(session, sheets[0].players[0].name if character else "", character),
        session=session,
        where=sheets[0].where,
        labels=sheets[0].labels,
        remarks=(*remarks, *(f"{name}'s boxes are empty: left out." for name in absent)),
    )


def _evening(session: str, player: str, character: str) -> str:
    """The evening's name on the sheets, and who played a character, for the game's note; an id is for us."""
    evening = "" if is_id(session) else session
    named = evening if evening.casefold().startswith("session") else evening and f"Session: {evening}"
    by = f"{character} was played by {clean(player)}." if clean(player).casefold() != character.casefold() else ""
    return f"{named}{'. ' if named and by else ''}{by}"


def _refuse_others(sheets: Sequence[SheetValues]) -> None:
    first = sheets[0]
    for sheet in sheets[1:]:
        if sheet.game != first.game:
            message = f"These sheets are of two games: {first.title} and {sheet.title}."
            raise InvalidError(message, where=f"{first.where}, {sheet.where}", hint="Log one game at a time.")
    for sheet in sheets:
        if not sheet.players:
            raise _unfilled(sheet.where)
        if any(not clean(player.name) for player in sheet.players):
            raise InvalidError("The name of a player is missing on this sheet.", where=sheet.where, hint="Write it in.")


def _unfilled(where: str) -> InvalidError:
    return InvalidError("Nothing is filled in on this sheet.", where=where)


def _agreed(sheets: Iterable[SheetValues]) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """The words and ticks for all players, each with the sheet that has it.

    Raises InvalidError with everything in which they differ, but for how they call the evening.
    """
    about: dict[str, tuple[str, str]] = {}
    ticks: dict[str, tuple[str, str]] = {}
    differ: list[str] = []
    files: dict[str, None] = {}
    for sheet in sheets:
        pairs = [(about, item) for item in sheet.about.items() if item[0] != SESSION]
        for found, (key, value) in (*pairs, *((ticks, item) for item in sheet.ticks.items())):
            other, where = found.setdefault(key, (value, sheet.where))
            if _meant(key, other, where) != _meant(key, value, sheet.where):
                differ.append(f"the {key}: '{other}' and '{value}'")
                files |= {where: None, sheet.where: None}
    if differ:
        hint = "Correct one of them. Sheets of two games are logged one after the other."
        raise InvalidError(f"The sheets differ in {'; '.join(differ)}.", where=", ".join(files), hint=hint)
    return about, ticks


def _session(sheets: Iterable[SheetValues]) -> tuple[str, tuple[str, ...]]:
    """The evening's name on the sheets, the id of a game before all else, and remarks on other names."""
    said = [clean(sheet.about.get(SESSION, "")) for sheet in sheets]
    named: dict[str, str] = {}
    for name in sorted(filter(None, said), key=lambda name: not is_id(name)):
        named.setdefault(name.casefold().removeprefix("session").strip(" :#."), name)
    names = list(named.values())
    if len(names) < 2 or is_id(names[0]):
        return next(iter(names), ""), ()
    listed = " and ".join(f"'{name}'" for name in names)
    return names[0], (f"The sheets call the session {listed}: {names[0]} is taken.",)


def _meant(key: str, said: str, where: str) -> object:
    """A day however it is written; other words in any case."""
    return read_date(said, where) if key == "date" else clean(said).casefold()


def _players(sheets: Sequence[SheetValues]) -> tuple[list[tuple[SheetPlayer, str]], list[str]]:
    """Every player once, in the order of the sheets, and the names of those who have filled nothing in.

    A copy of a sheet adds nothing. Raises InvalidError where nobody has filled anything in.
    """
    found: dict[str, tuple[SheetPlayer, str]] = {}
    absent: dict[str, str] = {}
    for sheet in sheets:
        for player in sheet.players:
            name = clean(player.name).casefold()
            if player.is_empty:
                absent[name] = clean(player.name)
            elif (other := found.setdefault(name, (player, sheet.where)))[0] is not player:
                _refuse_twice(other, player, sheet)
    if not found:
        raise _unfilled(sheets[0].where)
    return list(found.values()), [shown for name, shown in absent.items() if name not in found]


def _refuse_twice(first: tuple[SheetPlayer, str], player: SheetPlayer, sheet: SheetValues) -> None:
    """Raises InvalidError for a player whom two sheets have, unless they say the same."""
    other, where = first
    if replace(other, name="") != replace(player, name=""):
        raise InvalidError(
            f"{clean(player.name)} is there twice, and not with the same numbers"
            f"{_where_differs(other, player, sheet)}.",
            where=where if where == sheet.where else f"{where}, {sheet.where}",
            hint="Leave out the sheet that is not right, or write another name on one of them.",
        )


def _where_differs(one: SheetPlayer, other: SheetPlayer, sheet: SheetValues) -> str:
    """The first box in which two players' numbers differ."""
    for key in dict.fromkeys((*one.numbers, *other.numbers)):
        if one.numbers.get(key, 0) != other.numbers.get(key, 0):
            values = f"{one.numbers.get(key, 'nothing')} and {other.numbers.get(key, 'nothing')}"
            return f" ({sheet.labels.get(key, key)}: {values})"
    return ""


def _seat(player: SheetPlayer, where: str) -> PaperSeat:
    written = {**{key: str(value) for key, value in player.numbers.items()}, **player.words, **player.ticks}
    said = {key: PaperWords(text, where) for key, text in written.items()}
    return PaperSeat(clean(player.name), said, player.numbers, where)
