"""Filled score sheets of one game, merged into one record: sheets of one player, of all players, or copies."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from vaultkit.campaign.dates import find_date, read_date
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError, Problem
from vaultkit.session.session_ids import is_id
from vaultkit.text import group, join_words, name_key
from vaultkit.vault.writing.escape import clean_line

_MAX_LISTED_ITEMS = 3
"""The maximum number of differences between sheets in an error message."""


@dataclass(frozen=True)
class CoveredBox:
    """A box of a filled sheet with something drawn over it: `cover`, such as ink, on a page counted from 1.

    `text` is the value of its field, "" for none; for a box to tick it is `yes` or `no`.
    """

    field: str
    label: str
    page: int
    cover: str
    text: str

    @property
    def sentence(self) -> str:
        content = f"the field says '{self.text}'" if self.text else "the field is empty"
        return f"{self.label}: on page {self.page} {self.cover} covers this box, and {content}."


@dataclass(frozen=True)
class FilledSheet:
    """A filled score sheet. `game` is a game's id, or the name of a design without a game; `title` is printed on it.

    `layout` is the first layout of the design that has all boxes of the sheet. `lines`, and boxes to tick for all
    players, are listed once for each player. Empty boxes are left out, and so are players with empty boxes only.
    `problems` hold what cannot be true or cannot be read, which is listed nowhere else. `labels` are the titles of
    boxes by their names. `covered` are boxes whose content is unknown. `remarks` are about what the sheet lacks.
    """

    where: str
    game: str
    title: str
    layout: str = ""
    lines: Sequence[tuple[str, PaperWords]] = ()
    seats: tuple[PaperSeat, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    covered: tuple[CoveredBox, ...] = ()
    remarks: tuple[str, ...] = ()


def join_sheets(sheets: Sequence[FilledSheet]) -> FilledSheet:
    """Return sheets from one file as one. Raises InvalidError if they are of different games."""
    _check_same_game(sheets)
    labels = {key: label for sheet in reversed(sheets) for key, label in sheet.labels.items()}
    lines, keys = [line for sheet in sheets for line in sheet.lines], ("seats", "problems", "covered", "remarks")
    several: dict[str, Any] = {key: tuple(chain.from_iterable(getattr(sheet, key) for sheet in sheets)) for key in keys}
    return replace(sheets[0], lines=lines, labels=labels, **several)


def _check_same_game(sheets: Sequence[FilledSheet]) -> None:
    if other_sheet := next((sheet for sheet in sheets if sheet.game != sheets[0].game), None):
        message = f"These sheets are of two games: {sheets[0].title} and {other_sheet.title}."
        raise InvalidError(message, where=f"{sheets[0].where}, {other_sheet.where}", hint="Log one game at a time.")


SESSION, DATE, CHARACTER = "session", "date", "character"
"""Lines of a sheet with a meaning of their own; `session` names the evening, in free words."""
_ZERO_HINT = "A player who took part has something in at least one box, even a 0."


def merge_sheets(sheets: Sequence[FilledSheet], options: Collection[str], *, all_named: bool = False) -> PaperRecord:
    """Return one game from filled sheets of one player or of all; players who filled in nothing did not play.

    `options` are the keys of the game's options; with `all_named`, each player named on a sheet that others filled in
    played. Raises InvalidError, naming the sheets, if they differ or one is empty.
    """
    _check_same_game(sheets)
    players, remarks = _merge_players(sheets, all_named)
    remarks = (*dict.fromkeys(remark for sheet in sheets for remark in sheet.remarks), *remarks)
    if empty_sheet := next((sheet for sheet in sheets if not sheet.seats), None if players else sheets[0]):
        raise InvalidError("Nothing is filled in on this sheet.", where=empty_sheet.where, hint=_ZERO_HINT)
    lines = group(line for sheet in sheets for line in sheet.lines)
    evenings = filter(None, (clean_line(words.text) for words in lines.pop(SESSION, ())))
    session = min(evenings, key=lambda name: not is_id(name), default="")
    common = _merge_lines(lines, "the", {})
    day, played_character = common.pop(DATE, None), common.pop(CHARACTER, None)
    character = clean_line(played_character.text) if played_character and len(players) == 1 else ""
    evening_title = session if any(map(str.isalpha, session)) else f"Session: {session}"
    evening_sentence = evening_title if session and not is_id(session) else ""
    player = players[0].name
    has_two_names = character and player.casefold() != character.casefold()
    player_sentence = f"{character} was played by {player}." if has_two_names else ""
    seats = (replace(players[0], name=character),) if character else tuple(players)
    values = {key: common.pop(key).text for key in [*common] if key in options}
    first, note = sheets[0], ". ".join(filter(None, (evening_sentence, player_sentence)))
    record = PaperRecord(first.game, day, values, common, seats, note, session, first.where, first.labels, remarks)
    return replace(record, printed=True)


def _merge_lines(
    lines: Mapping[str, Sequence[PaperWords]], whose: str, labels: Mapping[str, str]
) -> dict[str, PaperWords]:
    """Return the words on the lines or in the boxes of several sheets, once for each key.

    Raises InvalidError if sheets have different words for a key. The message names `whose` key it is (`the`, or
    `Ysolde's`) and its label in `labels`.
    """
    differences, files = [], dict[str, None]()
    for key, entries in lines.items():
        if len(meanings := {_comparable_value(key, words): words for words in entries}) > 1:
            variants = join_words(f"'{words.text}'" for words in meanings.values())
            differences.append(f"{whose} {labels.get(key, key)}: {variants}")
            files |= dict.fromkeys(words.where for words in meanings.values())
    if differences:
        hint = "Correct one of them, or leave it out. Write two names for two people; log two games one by one."
        end = " ..." if len(differences) > _MAX_LISTED_ITEMS else "."
        message = f"The sheets differ in {'; '.join(differences[:_MAX_LISTED_ITEMS])}{end}"
        raise InvalidError(message, where=", ".join(files), hint=hint)
    return {key: entries[0] for key, entries in lines.items()}


def _comparable_value(key: str, words: PaperWords) -> object:
    """Return a comparable value: the day if `key` is the date, however it is written, else the words in lower case."""
    if key != DATE:
        return clean_line(words.text).casefold()
    written_date = find_date(words.text)
    return written_date.days if written_date and len(written_date.days) > 1 else read_date(words.text, words.where)


def _merge_players(sheets: Sequence[FilledSheet], all_named: bool) -> tuple[list[PaperSeat], tuple[str, ...]]:
    """Return every player once, in the order of the sheets, and remarks on players who filled in nothing.

    A player who filled in nothing played if the name was typed into a sheet that others filled in; with `all_named`, a
    printed name is enough. Copies of a sheet add nothing. Raises InvalidError if two sheets of a player differ.
    """
    seats_by_name = group((name_key(clean_line(seat.name)), (seat, sheet)) for sheet in sheets for seat in sheet.seats)
    players: list[PaperSeat] = []
    remarks = []
    for copies in seats_by_name.values():
        name, filled = clean_line(copies[0][0].name), [seat for seat, _ in copies if seat.said]
        named_seats = [(seat, sheet) for seat, sheet in copies if seat.typed or all_named]
        typed_seats = [seat for seat, sheet in named_seats if any(other.said for other in sheet.seats)]
        keys = dict.fromkeys(key for seat in filled for key in seat.said)
        boxes = ((key, seat.said.get(key, PaperWords("–", seat.where))) for key in keys for seat in filled)
        _merge_lines(group(boxes), f"{name}'s", sheets[0].labels)
        if not filled:
            as_nothing = "they count as 0 and no. A player who did not take part has no name on the sheet."
            remarks.append(f"{name}'s boxes are empty: {as_nothing if typed_seats else f'left out. {_ZERO_HINT}'}")
        players += [replace(seat, name=clean_line(seat.name)) for seat in (filled or typed_seats)[:1]]
    return players, tuple(remarks)
