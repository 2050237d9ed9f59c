"""From the flags of `vaultkit log` to what was said about a game: by `--score`, in a file, or on filled sheets."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.scoresheets.example import score_flag
from vaultkit.campaign.scoresheets.record import Flags, PaperRecord, PaperSeat, PaperWords, placed, read_file
from vaultkit.dash import DASH, begins
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.grouping import group
from vaultkit.session.ids import is_id
from vaultkit.session.options import all_options, settle
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault.writing.escape import clean
from vaultkit.wording import listing

_EXAMPLE = '--score "Ysolde: swords=23/1, stars=7/0, crowns=2"'
_PIECE = re.compile(r"\s*(\w[\w.\- ]*?)\s*(?:=(.*))?", re.DOTALL)
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
    named = sheets.find(flags.game) if flags.game else None
    example = score_flag(named, settle(named, {})) if named else _EXAMPLE
    spoken = from_flags(flags.scores, flags.outcome, example)
    if flags.files and spoken.seats:
        raise UsageError("--from and --score cannot go together.", hint="Give all players' scores in one way.")
    if flags.seats and (flags.files or flags.scores):
        raise UsageError("--seat names who is asked; these scores have their names already.")
    found = _of_files(flags, sheets, read_pdf) if flags.files else spoken
    return replace(
        found,
        game=find_sheet(flags, sheets, found).id,
        common={**found.common, **spoken.common},
        date=found.date if flags.date is None else PaperWords(flags.date),
        note=flags.note or found.note,
        flags=flags,
    )


def _of_files(flags: Flags, sheets: ScoreSheets, read_pdf: ReadSheet) -> PaperRecord:
    """The game of a file or of filled sheets, whose own date does not count where `--date` says a better one."""
    pdfs = [path.suffix.casefold() == ".pdf" or begins(path, b"%PDF-") for path in flags.files]
    if len(pdfs) > 1 and not all(pdfs):
        raise UsageError("A file of scores is given alone; only filled sheets can be several.")
    if folder := next((path for path in flags.files if path != DASH and path.is_dir()), None):
        hint = f'Name the files in it, such as: --from "{folder / "*.pdf"}"'
        raise InvalidError("This is a folder.", where=str(folder), hint=hint)
    if not all(pdfs):
        return read_file(flags.files[0])
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


def from_flags(scores: Iterable[str], outcome: str | None = None, example: str = _EXAMPLE) -> PaperRecord:
    """The game that `--score` and `--outcome` tell of. A score without a name and a colon holds for all players.

    Raises UsageError for one that cannot be taken apart, with the `example` of a score.
    """
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
        match = _PIECE.fullmatch(piece)
        if match is None or (match[2] is None and " " in match[1]):
            raise UsageError(f"'{piece.strip()}' in --score '{score}' says nothing.", hint=f"Write: {example}")
        key = match[1].casefold()
        if key in pairs:
            raise UsageError(f"'{key}' is twice in --score '{score}'.", hint="Say it once.")
        pairs[key] = PaperWords("yes" if match[2] is None else match[2].strip())
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
    found = [path for path in map(Path, words) if path == DASH or path.suffix.casefold() in SCORED]
    game = " ".join(word for word in words if Path(word) not in found)
    return game or None, (*files, *found)


SESSION, DATE, CHARACTER = "session", "date", "character"
"""The lines of a sheet that mean something to us; the first names the evening, in anybody's words."""
_UNFILLED = "Nothing is filled in on this sheet."
_AS_NOTHING = "they count as 0 and no. Whoever did not play has no name on the sheet."
_ZERO = "Whoever played has something in one box, if only a 0."
_LEFT_OUT = f"left out. {_ZERO}"
_NOTHING = PaperWords("nothing")


def merged(sheets: Sequence[FilledSheet], options: Collection[str]) -> PaperRecord:
    """One game of filled sheets, of one or of all players; whoever has filled nothing in did not play.

    `options` are the keys of the game's options. Raises InvalidError that names the sheets which differ.
    """
    _refuse_others(sheets)
    players, remarks = _players(sheets)
    lines = group(line for sheet in sheets for line in sheet.lines)
    evenings = filter(None, (clean(words.text) for words in lines.pop(SESSION, ())))
    session = min(evenings, key=lambda name: not is_id(name), default="")
    common = _agreed(lines)
    date, played = common.pop(DATE, None), common.pop(CHARACTER, None)
    character = clean(played.text) if played and len(players) == 1 else ""
    evening = "" if is_id(session) else session
    if evening and not evening.casefold().startswith("session"):
        evening = f"Session: {evening}"
    player = players[0].name
    by = f"{character} was played by {player}." if character and player.casefold() != character.casefold() else ""
    return PaperRecord(
        game=sheets[0].game,
        date=date,
        options={key: words.text for key, words in common.items() if key in options},
        common={key: words for key, words in common.items() if key not in options},
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


def _agreed(lines: Mapping[str, Sequence[PaperWords]]) -> dict[str, PaperWords]:
    """The words on the lines and by the ticks for all players, once each.

    Raises InvalidError with everything in which the sheets differ.
    """
    differ, files = [], dict[str, None]()
    for key, said in lines.items():
        meanings = {_meaning(key, words): words for words in said}
        if len(meanings) > 1:
            differ.append(f"the {key}: " + listing(f"'{words.text}'" for words in meanings.values()))
            files |= dict.fromkeys(words.where for words in meanings.values())
    if differ:
        hint = "Correct one of them. Sheets of two games are logged one after the other."
        raise InvalidError(f"The sheets differ in {'; '.join(differ)}.", where=", ".join(files), hint=hint)
    return {key: said[0] for key, said in lines.items()}


def _meaning(key: str, words: PaperWords) -> object:
    """A day however it is written; other words in any case."""
    return read_date(words.text, words.where) if key == DATE else clean(words.text).casefold()


def _players(sheets: Sequence[FilledSheet]) -> tuple[list[PaperSeat], list[str]]:
    """Every player once, in the order of the sheets, and remarks on those who have filled nothing in.

    These played if somebody wrote their names on a sheet that others have filled in. A copy of a sheet adds nothing.
    Raises InvalidError where nobody has filled anything in.
    """
    named = group((clean(seat.name).casefold(), (seat, sheet)) for sheet in sheets for seat in sheet.seats)
    players: list[PaperSeat] = []
    remarks = []
    for same in named.values():
        filled = [seat for seat, _ in same if seat.said]
        typed = [seat for seat, sheet in same if seat.typed and any(one.said for one in sheet.seats)]
        if filled:
            _refuse_other_numbers(filled, sheets[0].labels)
        else:
            remarks.append(f"{clean(same[0][0].name)}'s boxes are empty: {_AS_NOTHING if typed else _LEFT_OUT}")
        players += [replace(seat, name=clean(seat.name)) for seat in (filled or typed)[:1]]
    if not players:
        raise InvalidError(_UNFILLED, where=sheets[0].where, hint=_ZERO)
    return players, remarks


def _refuse_other_numbers(seats: Sequence[PaperSeat], labels: Mapping[str, str]) -> None:
    """Raises InvalidError for a player whom two sheets have, unless they say the same."""
    first = seats[0].said
    for seat in seats[1:]:
        for key in {**first, **seat.said}:
            one, other = first.get(key, _NOTHING).text, seat.said.get(key, _NOTHING).text
            if one != other:
                box = f"{labels.get(key, key)}: {one} and {other}"
                raise InvalidError(
                    f"{clean(seat.name)} is there twice, and not with the same numbers ({box}).",
                    where=", ".join(dict.fromkeys((seats[0].where, seat.where))),
                    hint="Leave out the sheet that is not right, or write another name on one of them.",
                )
