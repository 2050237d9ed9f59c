"""From the flags of `vaultkit log` to what was said about a game: by `--score`, in a file, or on filled sheets."""

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.scoresheets.example import score_flag
from vaultkit.campaign.scoresheets.record import Flags, PaperRecord, PaperSeat, PaperWords, placed, read_file
from vaultkit.dash import DASH, begins
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.session.ids import is_id
from vaultkit.session.options import all_options, settle
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault.writing.escape import clean

_EXAMPLE = '--score "Ysolde: swords=23/1, stars=7/0, crowns=2"'
_KEY = re.compile(r"\s*([\w][\w.\- ]*?)\s*=(.*)", re.DOTALL)
SCORED = (".pdf", ".toml")
"""How the names of files end that hold scores."""


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


ReadSheet = Callable[[Path], FilledSheet]


def read_flags(flags: Flags, sheets: ScoreSheets, read_pdf: ReadSheet) -> PaperRecord:
    """The game that flags, a file or filled sheets tell of; without seats where a person is to be asked.

    Raises UsageError for ways of giving scores that do not go together, and where no game is named.
    """
    spoken = from_flags(flags.scores, flags.outcome, _example(flags, sheets))
    pdfs = [path.suffix.casefold() == ".pdf" or begins(path, b"%PDF-") for path in flags.files]
    if flags.files and spoken.seats:
        raise UsageError("--from and --score cannot go together.", hint="Give all players' scores in one way.")
    if flags.seats and (flags.files or flags.scores):
        raise UsageError("--seat names who is asked; these scores have their names already.")
    if len(pdfs) > 1 and not all(pdfs):
        raise UsageError("A file of scores is given alone; only filled sheets can be several.")
    if folder := next((path for path in flags.files if path != DASH and path.is_dir()), None):
        hint = f'Name the files in it, such as: --from "{folder / "*.pdf"}"'
        raise InvalidError("This is a folder.", where=str(folder), hint=hint)
    found = spoken
    if flags.files:
        found = _merged(flags, sheets, read_pdf) if all(pdfs) else read_file(flags.files[0])
    return replace(
        found,
        game=find_sheet(flags, sheets, found).id,
        common={**found.common, **spoken.common},
        date=found.date if flags.date is None else PaperWords(flags.date),
        note=flags.note or found.note,
        flags=flags,
    )


def _merged(flags: Flags, sheets: ScoreSheets, read_pdf: ReadSheet) -> PaperRecord:
    """The game of filled sheets, whose own date does not count where `--date` says a better one."""
    read = [read_pdf(path) for path in dict.fromkeys(flags.files)]
    if flags.date is not None:
        read = [replace(one, lines=[line for line in one.lines if line[0] != DATE]) for one in read]
    try:
        sheet = sheets.find(read[0].game)
    except UsageError as error:
        message = "The scores of this sheet are of no game that can be logged."
        hint = "Only the sheets of games can be: vaultkit games"
        raise InvalidError(message, where=read[0].where, hint=hint) from error
    return merged(read, {option.key for option in all_options(sheet)})


def _example(flags: Flags, sheets: ScoreSheets) -> str:
    """How a score of the game is written; "" where none is known by the name."""
    with contextlib.suppress(VaultkitError):
        sheet = sheets.find(flags.game or "")
        return score_flag(sheet, settle(sheet, {}))
    return ""


def from_flags(scores: Iterable[str], outcome: str | None = None, example: str = "") -> PaperRecord:
    """The game that `--score` and `--outcome` tell of. A score without a name and a colon holds for all players.

    Raises UsageError for one that cannot be taken apart, with the `example` of the game, if there is one.
    """
    example = example or _EXAMPLE
    common: dict[str, PaperWords] = {} if outcome is None else {"outcome": PaperWords(outcome)}
    seats = []
    for score in scores:
        # the last colon before the first value: a name may have some of its own, and so may a value
        name, colon, _ = score.partition("=")[0].rpartition(":")
        said = _pairs(score[len(name + colon) :], score, example)
        if not colon:
            if any(" " in key for key in said):
                raise UsageError(f"--score '{score}' has no colon behind the name.", hint=f"Write: {example}")
            common |= said
        elif not name.strip():
            raise UsageError(f"--score '{score}' names nobody.", hint=f"Write: {example}")
        else:
            seats.append(PaperSeat(name.strip(), said))
    return PaperRecord(common=common, seats=tuple(seats))


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


def find_sheet(flags: Flags, sheets: ScoreSheets, written: PaperRecord) -> ScoreSheet:
    """The game that is meant. Raises UsageError where it is not said, InvalidError where it is said in two ways."""
    if not (written.game or flags.game):
        raise UsageError("Which game was it?", hint="Name it: vaultkit log dragon-citadel")
    with placed(written.where):
        found = sheets.find(written.game or flags.game or "")
    if flags.game is not None and (other := sheets.find(flags.game)).id != found.id:
        raise InvalidError(f"These scores are of {found.title}, not of {other.title}.", where=written.where)
    return found


def game_and_files(words: Sequence[str], files: Sequence[Path]) -> tuple[str | None, tuple[Path, ...]]:
    """The game that the words name, and the files: a shell makes `--from one.pdf two.pdf` of `--from *.pdf`."""
    game = " ".join(word for word in words if not _is_file(word))
    return game or None, (*files, *(Path(word) for word in words if _is_file(word)))


def _is_file(word: str) -> bool:
    path = Path(word)
    return path == DASH or path.suffix.casefold() in SCORED


SESSION, DATE, CHARACTER = "session", "date", "character"
"""The lines of a sheet that mean something to us; the first names the evening, in anybody's words."""
_UNFILLED = "Nothing is filled in on this sheet."
_AS_NOTHING = "they count as 0 and no. Whoever did not play has no name on the sheet."
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
            how = _AS_NOTHING if is_there else f"left out. {_ZERO}"
            remarks[f"{seat.name}'s boxes are empty: {how}"] = None
        if seat.said or (is_there and is_left_out):
            _refuse_twice(found.setdefault(seat.name.casefold(), seat), seat, sheet.labels)
    return list(found.values()), list(remarks)


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
