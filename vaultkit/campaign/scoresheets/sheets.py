"""Filled score sheets, several together, as one game: what they say must agree."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError
from vaultkit.session.ids import is_id
from vaultkit.vault.writing.escape import clean

SESSION = "session"
"""The line of a sheet that names the evening, in anybody's words."""
_UNFILLED = "Nothing is filled in on this sheet."
_ZERO = "Whoever played has something in one box, if only a 0."


def merged(sheets: Sequence[PaperRecord], options: Collection[str]) -> PaperRecord:
    """One game of filled sheets, of one or of all players; whoever has filled nothing in did not play.

    `options` are the keys of the game's options. Raises InvalidError that names the sheets which differ.
    """
    _refuse_others(sheets)
    said = _agreed(sheets)
    ticks = {key: said[key] for sheet in sheets for key in sheet.common}
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


def _refuse_others(sheets: Sequence[PaperRecord]) -> None:
    first = sheets[0]
    for sheet in sheets:
        if sheet.game != first.game:
            message = f"These sheets are of two games: {first.title} and {sheet.title}."
            raise InvalidError(message, where=f"{first.where}, {sheet.where}", hint="Log one game at a time.")
    for sheet in sheets:
        if not sheet.seats:
            raise InvalidError(_UNFILLED, where=sheet.where, hint=_ZERO)
        if any(not clean(seat.name) for seat in sheet.seats):
            raise InvalidError("The name of a player is missing on this sheet.", where=sheet.where, hint="Write it in.")


def _agreed(sheets: Iterable[PaperRecord]) -> dict[str, PaperWords]:
    """The words and ticks for all players, each with the sheet that has it.

    Raises InvalidError with everything in which they differ, but for how they call the evening.
    """
    found: dict[str, PaperWords] = {}
    differ: list[str] = []
    files: dict[str, None] = {}
    for sheet in sheets:
        for key, words in {**sheet.about, **sheet.common}.items():
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


def _session(sheets: Iterable[PaperRecord]) -> tuple[str, tuple[str, ...]]:
    """The evening's name on the sheets, the id of a game before all else, and remarks on other names."""
    said = [clean(sheet.about[SESSION].text) for sheet in sheets if SESSION in sheet.about]
    named: dict[str, str] = {}
    for name in sorted(filter(None, said), key=lambda name: not is_id(name)):
        named.setdefault(name.casefold().removeprefix("session").strip(" :#."), name)
    names = list(named.values())
    if len(names) < 2 or is_id(names[0]):
        return next(iter(names), ""), ()
    listed = " and ".join(f"'{name}'" for name in names)
    return names[0], (f"The sheets call the session {listed}: {names[0]} is taken.",)


def _players(sheets: Sequence[PaperRecord]) -> tuple[list[PaperSeat], list[str]]:
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
        differ = (key for key in {**one.numbers, **other.numbers} if first.get(key, "0") != second.get(key, "0"))
        boxes = (
            f" ({labels.get(key, key)}: {first.get(key, 'nothing')} and {second.get(key, 'nothing')})" for key in differ
        )
        raise InvalidError(
            f"{other.name} is there twice, and not with the same numbers{next(boxes, '')}.",
            where=", ".join(dict.fromkeys((one.where, other.where))),
            hint="Leave out the sheet that is not right, or write another name on one of them.",
        )
