"""From the flags of `vaultkit log` to what was said about a game: by `--score`, in a file, or on filled sheets."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from vaultkit.campaign.scoresheets.example import score_flag
from vaultkit.campaign.scoresheets.record import (
    DATE,
    FilledSheet,
    Flags,
    PaperRecord,
    PaperWords,
    from_flags,
    merged,
    read_file,
    refusal,
)
from vaultkit.dash import DASH, begins
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.session.options import all_options, settle
from vaultkit.session.scoresheets import ScoreSheets

SCORED = (".pdf", ".toml")
"""How the names of files end that hold scores."""
ReadSheet = Callable[[Path], FilledSheet]


def read_flags(flags: Flags, sheets: ScoreSheets, read_pdf: ReadSheet) -> PaperRecord:
    """The game that flags, a file or filled sheets tell of; without seats where a person is to be asked.

    Raises UsageError for ways of giving scores that do not go together, and where no game is named.
    """
    spoken, pdfs = from_flags(flags.scores, flags.outcome, _example(flags, sheets)), [*map(_is_pdf, flags.files)]
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


def find_sheet(flags: Flags, sheets: ScoreSheets, written: PaperRecord) -> ScoreSheet:
    """The game that is meant. Raises UsageError where it is not said, InvalidError where it is said in two ways."""
    if not (written.game or flags.game):
        raise UsageError("Which game was it?", hint="Name it: vaultkit log dragon-citadel")
    try:
        found = sheets.find(written.game or flags.game or "")
    except UsageError as error:
        raise refusal(error.message, written.where, error.hint) from error
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


def _is_pdf(path: Path) -> bool:
    return path.suffix.casefold() == ".pdf" or begins(path, b"%PDF-")
