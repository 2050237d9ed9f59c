"""A game as `vaultkit log` is given it: by flags, files or filled sheets, or with nothing yet but who is asked."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.game_notes import GameNotes, option_pairs
from vaultkit.campaign.scoresheets.example import score_flag
from vaultkit.campaign.scoresheets.game import PaperGame, PlayedFrom, check_date, seats_of
from vaultkit.campaign.scoresheets.people import People, guest_remarks
from vaultkit.campaign.scoresheets.record import (
    DATE,
    NOTHING,
    FilledSheet,
    PaperRecord,
    PaperWords,
    from_flags,
    merged,
    read_file,
    refusal,
)
from vaultkit.campaign.scoresheets.understanding import understand
from vaultkit.campaign.workspace import Workspace
from vaultkit.dash import DASH, begins
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.session.options import all_options, settle
from vaultkit.session.scoresheets import ScoreSheets

SCORED = (".pdf", ".toml")
"""How the names of files end that hold scores."""


@dataclass(frozen=True)
class Given:
    """The flags of one run that say something of the game."""

    game: str | None = None
    scores: Sequence[str] = ()
    seats: Sequence[str] = ()
    files: Sequence[Path] = ()
    options: Sequence[str] = ()
    outcome: str | None = None
    date: str | None = None
    note: str = ""
    campaign: str | None = None
    force: bool = False

    @property
    def nothing(self) -> bool:
        """Whether not even the game is named."""
        return self == Given(campaign=self.campaign)

    def record(self, sheets: ScoreSheets, read_pdf: Callable[[Path], FilledSheet]) -> PaperRecord:
        """The game that flags, a file or filled sheets tell of; without seats where a person is to be asked.

        Raises UsageError for ways of giving scores that do not go together.
        """
        flags, pdfs = from_flags(self.scores, self.outcome, self._example(sheets)), [*map(_is_pdf, self.files)]
        if self.files and flags.seats:
            raise UsageError("--from and --score cannot go together.", hint="Give all players' scores in one way.")
        if self.seats and (self.files or self.scores):
            raise UsageError("--seat names who is asked; these scores have their names already.")
        if len(pdfs) > 1 and not all(pdfs):
            raise UsageError("A file of scores is given alone; only filled sheets can be several.")
        if folder := next((path for path in self.files if path != DASH and path.is_dir()), None):
            hint = f'Name the files in it, such as: --from "{folder / "*.pdf"}"'
            raise InvalidError("This is a folder.", where=str(folder), hint=hint)
        if not self.files:
            return flags
        found = self._merged(sheets, read_pdf) if all(pdfs) else read_file(self.files[0])
        return replace(found, common={**found.common, **flags.common})

    def _merged(self, sheets: ScoreSheets, read_pdf: Callable[[Path], FilledSheet]) -> PaperRecord:
        read = [self._dated(read_pdf(path)) for path in dict.fromkeys(self.files)]
        try:
            sheet = sheets.find(read[0].game)
        except UsageError as error:
            message = "The scores of this sheet are of no game that can be logged."
            hint = "Only the sheets of games can be: vaultkit games"
            raise InvalidError(message, where=read[0].where, hint=hint) from error
        return merged(read, {option.key for option in all_options(sheet)})

    def _example(self, sheets: ScoreSheets) -> str:
        """How a score of the game is written; "" where none is known by the name."""
        with contextlib.suppress(VaultkitError):
            sheet = sheets.find(self.game or "")
            return score_flag(sheet, settle(sheet, {}))
        return ""

    def _dated(self, sheet: FilledSheet) -> FilledSheet:
        """A sheet without its date where `--date` says a better one."""
        return replace(sheet, lines=[line for line in sheet.lines if line[0] != DATE or self.date is None])

    def sheet(self, sheets: ScoreSheets, written: PaperRecord) -> ScoreSheet:
        """The game that is meant. Raises UsageError where it is not said, InvalidError where it is said in two ways."""
        if not (written.game or self.game):
            raise UsageError("Which game was it?", hint="Name it: vaultkit log dragon-citadel")
        try:
            found = sheets.find(written.game or self.game or "")
        except UsageError as error:
            raise refusal(error.message, written.where, error.hint) from error
        if self.game is not None and (other := sheets.find(self.game)).id != found.id:
            raise InvalidError(f"These scores are of {found.title}, not of {other.title}.", where=written.where)
        return found


def game_and_files(words: Sequence[str], files: Sequence[Path]) -> tuple[str | None, tuple[Path, ...]]:
    """The game that the words name, and the files.

    A shell makes `--from one.pdf two.pdf three.pdf` of `--from *.pdf`, so that words may be files; PowerShell leaves
    the `*` to us. Raises InvalidError where no file is called so.
    """
    game = " ".join(word for word in words if not _is_file(word))
    given = (*files, *(Path(word) for word in words if _is_file(word)))
    return game or None, tuple(path for one in given for path in _expanded(one))


def _is_file(word: str) -> bool:
    path = Path(word)
    return path == DASH or path.suffix.casefold() in SCORED


def _is_pdf(path: Path) -> bool:
    return path.suffix.casefold() == ".pdf" or begins(path, b"%PDF-")


def _expanded(path: Path) -> Sequence[Path]:
    if not set(path.name) & set("*?[") or path.exists():
        return [path]
    if found := sorted(path.parent.glob(path.name)):
        return found
    raise InvalidError("There is no file of such a name.", where=str(path))


@dataclass(frozen=True)
class GivenGame:
    """A game of one vault that is to be logged; `tell` takes what the GM should know on the way.

    `ask_slips` has of guests the players whom a person means, by their names; None where nobody can be asked.
    """

    workspace: Workspace
    sheet: ScoreSheet
    given: Given
    now: datetime
    tell: Callable[[str], None]
    ask_slips: Callable[[Mapping[str, str]], Mapping[str, str] | None] = lambda _: None

    @cached_property
    def _notes(self) -> GameNotes:
        return GameNotes(self.workspace, self.sheet.info, self.sheet.info.deck)

    @cached_property
    def people(self) -> People:
        return People(self.workspace.vault, self.workspace.settings.players)

    def sources(self, options: Options) -> PlayedFrom:
        """The notes of the game. It needs neither deck nor rule note to be logged; what is missing is said."""
        notes, deck = replace(self._notes, wanted=self.sheet.deck_for(options)), None
        if self.sheet.game:
            try:
                deck = notes.deck_note
            except VaultkitError as error:
                self.tell(f"Note: no card is linked. {error.message}")
            if notes.rule_note is None:
                title = self.sheet.title
                self.tell(f"Note: this vault has no rule note for {title}; the game's note links to none.")
        return PlayedFrom(notes.rule_note.note.path if notes.rule_note else "", deck)

    def options(self, written: PaperRecord = NOTHING) -> Options:
        """House rules in force; those of a file before `--set`. Raises UsageError or InvalidError."""
        try:
            settle(self.sheet, written.options)
        except UsageError as error:
            raise refusal(error.message, written.where, error.hint) from error
        if self.sheet.game is None:
            return settle(self.sheet, {**written.options, **option_pairs(self.given.options)})
        return self._notes.settled(self.given.options, written.options)

    def read(self, written: PaperRecord) -> PaperGame:
        """The game that was written down."""
        names = self._seated([seat.name for seat in written.seats])
        seats = tuple(replace(seat, name=name) for seat, name in zip(written.seats, names, strict=True))
        written = replace(written, seats=seats)
        for remark in written.remarks:
            self.tell(f"Note: {remark}")
        found = understand(written, self.sheet, self.options(written))
        for title, words in found.assumed:
            self.tell(f"{title} Nobody said, so the likeliest: {words}.")
        return self._begun(names, found.tally, written)

    def begin(self) -> PaperGame:
        """The game before anybody is asked: day, options, and the names of those who played if they are given."""
        options = self.options()
        return self._begun(self._seated(self.given.seats) if self.given.seats else (), Tally(options, ()))

    def _begun(self, names: tuple[str, ...], tally: Tally, written: PaperRecord = NOTHING) -> PaperGame:
        given = self.given
        said = written.date if given.date is None else PaperWords(given.date)
        day = self.day(said.text, said.where) if said else self.now.date()
        note = given.note or written.note
        return PaperGame(self.sheet.id, day, names, tally, (), note, given.force, given.campaign, sheet=self.sheet)

    def _seated(self, given: Sequence[str]) -> tuple[str, ...]:
        """The names of those who played, those put right that somebody mistyped; who else has no note is said.

        Raises InvalidError for one who sits twice.
        """
        names = seats_of(given, self.sheet.title)
        self.people.each_once(names)
        found = self.people.guests(names)
        meant = self.ask_slips(found)
        for remark in guest_remarks({name: like for name, like in found.items() if meant is None or not like}):
            self.tell(f"Note: {remark}")
        if meant:
            names = seats_of([meant.get(name, name) for name in names], self.sheet.title)
            self.people.each_once(names)
        return names

    def day(self, text: str, where: str = "") -> date:
        """The day that was written. Raises InvalidError for what is none, and for one that has not come yet."""
        return check_date(read_date(text, where), self.now)
