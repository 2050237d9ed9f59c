"""Filled score sheets, several together, as one game: what they say must agree."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError
from vaultkit.session.ids import is_id
from vaultkit.vault.writing.escape import clean

SESSION = "session"
"""The line of a sheet that names the evening, in anybody's words."""
_UNFILLED = "Nothing is filled in on this sheet."
_ZERO = "Whoever played has something in one box, if only a 0."


@dataclass(frozen=True)
class SheetPlayer:
    """One player's boxes, by their names without prefix: `{"swords.total": 17}`, `{"forfeited": "no"}`.

    Boxes that are empty are left out; `ticks` are by group. `name` is "" if none was written, and `is_typed` says that
    it was not printed with the sheet.
    """

    name: str
    numbers: Mapping[str, int]
    words: Mapping[str, str]
    ticks: Mapping[str, str]
    is_typed: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is a name and nothing else: nobody has filled the boxes in."""
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


def merged(sheets: Sequence[SheetValues], options: Collection[str]) -> PaperRecord:
    """One game of the sheets of one or of all players; whoever has filled nothing in did not play.

    `options` are the keys of the game's options. Raises InvalidError that names the sheets which differ.
    """
    _refuse_others(sheets)
    said = _agreed(sheets)
    ticks = {key: said[key] for sheet in sheets for key in sheet.ticks}
    players, remarked = _players(sheets)
    session, remarks = _session(sheets)
    character = clean(said["character"].text) if "character" in said and len(players) == 1 else ""
    evening = "" if is_id(session) else session
    if evening and not evening.casefold().startswith("session"):
        evening = f"Session: {evening}"
    player = players[0].name
    by = f"{character} was played by {player}." if character and player.casefold() != character.casefold() else ""
    return PaperRecord(
        game=sheets[0].game,
        date=said.get("date"),
        options={key: words.text for key, words in ticks.items() if key in options},
        common={key: words for key, words in ticks.items() if key not in options},
        seats=(replace(players[0], name=character),) if character else tuple(players),
        note=". ".join(filter(None, (evening, by))),
        session=session,
        where=sheets[0].where,
        labels=sheets[0].labels,
        remarks=(*remarks, *remarked),
    )


def _refuse_others(sheets: Sequence[SheetValues]) -> None:
    first = sheets[0]
    for sheet in sheets:
        if sheet.game != first.game:
            message = f"These sheets are of two games: {first.title} and {sheet.title}."
            raise InvalidError(message, where=f"{first.where}, {sheet.where}", hint="Log one game at a time.")
    for sheet in sheets:
        if not sheet.players:
            raise InvalidError(_UNFILLED, where=sheet.where, hint=_ZERO)
        if any(not clean(player.name) for player in sheet.players):
            raise InvalidError("The name of a player is missing on this sheet.", where=sheet.where, hint="Write it in.")


def _agreed(sheets: Iterable[SheetValues]) -> dict[str, PaperWords]:
    """The words and ticks for all players, each with the sheet that has it.

    Raises InvalidError with everything in which they differ, but for how they call the evening.
    """
    found: dict[str, PaperWords] = {}
    differ: list[str] = []
    files: dict[str, None] = {}
    for sheet in sheets:
        for key, text in {**sheet.about, **sheet.ticks}.items():
            words = PaperWords(text, sheet.where)
            other = found.setdefault(key, words)
            if key != SESSION and _meant(key, other) != _meant(key, words):
                differ.append(f"the {key}: '{other.text}' and '{text}'")
                files |= {other.where: None, sheet.where: None}
    if differ:
        hint = "Correct one of them. Sheets of two games are logged one after the other."
        raise InvalidError(f"The sheets differ in {'; '.join(differ)}.", where=", ".join(files), hint=hint)
    return found


def _meant(key: str, words: PaperWords) -> object:
    """A day however it is written; other words in any case."""
    return read_date(words.text, words.where) if key == "date" else clean(words.text).casefold()


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


def _players(sheets: Sequence[SheetValues]) -> tuple[list[PaperSeat], list[str]]:
    """Every player once, in the order of the sheets, and remarks on those who have filled nothing in.

    These played if somebody wrote their names on a sheet that others have filled in. A copy of a sheet adds nothing.
    Raises InvalidError where nobody has filled anything in.
    """
    seats = [(_seat(player, sheet.where), player, sheet) for sheet in sheets for player in sheet.players]
    filled = {seat.name.casefold() for seat, player, _ in seats if not player.is_empty}
    if not filled:
        raise InvalidError(_UNFILLED, where=sheets[0].where, hint=_ZERO)
    found: dict[str, PaperSeat] = {}
    remarks: dict[str, None] = {}
    for seat, player, sheet in seats:
        is_there = player.is_typed and any(not one.is_empty for one in sheet.players)
        if player.is_empty and seat.name.casefold() not in filled:
            remarks[_remark(seat.name, is_there=is_there)] = None
        if not player.is_empty or (is_there and seat.name.casefold() not in filled):
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
        differ = (key for key in {**one.numbers, **other.numbers} if first.get(key, "0") != second.get(key, "0"))
        boxes = (
            f" ({labels.get(key, key)}: {first.get(key, 'nothing')} and {second.get(key, 'nothing')})" for key in differ
        )
        raise InvalidError(
            f"{other.name} is there twice, and not with the same numbers{next(boxes, '')}.",
            where=", ".join(dict.fromkeys((one.where, other.where))),
            hint="Leave out the sheet that is not right, or write another name on one of them.",
        )


def _seat(player: SheetPlayer, where: str) -> PaperSeat:
    written = {**{key: str(value) for key, value in player.numbers.items()}, **player.words, **player.ticks}
    said = {key: PaperWords(text, where) for key, text in written.items()}
    return PaperSeat(clean(player.name), said, player.numbers, where)
