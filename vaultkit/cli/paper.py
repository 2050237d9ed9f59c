"""A game from paper as `vaultkit log` is given it: by flags, files, filled sheets, or a person."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import check_target
from vaultkit.campaign.paper.example import score_flag
from vaultkit.campaign.paper.file import read_file
from vaultkit.campaign.paper.first import every_key
from vaultkit.campaign.paper.flags import from_flags
from vaultkit.campaign.paper.game import PaperGame, PlayedFrom, check_date, refuse_own_rows, seats_of
from vaultkit.campaign.paper.people import guest_remarks, guests, people_of
from vaultkit.campaign.paper.record import PaperRecord, PaperWords
from vaultkit.campaign.paper.sheets import SheetValues, merged
from vaultkit.campaign.paper.understanding import understand
from vaultkit.campaign.players import bare_name
from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import now
from vaultkit.cli.output import talk, terminal
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games import registry
from vaultkit.games.registry import GameInfo, score_keeping
from vaultkit.games.tally import Tally
from vaultkit.session.options import all_options, settle

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

    def refuse_two_ways(self) -> None:
        """Raises UsageError for ways of giving scores that do not go together."""
        kinds = {path.suffix.casefold() == ".pdf" for path in self.files}
        if self.files and from_flags(self.scores).seats:
            raise UsageError("--from and --score cannot go together.", hint="Give all players' scores in one way.")
        if self.seats and (self.files or self.scores):
            raise UsageError("--seat names who is asked; these scores have their names already.")
        if len(kinds) > 1 or (kinds == {False} and len(self.files) > 1):
            raise UsageError("A file of scores is given alone; only filled sheets can be several.")


def game_and_files(words: Sequence[str], files: Sequence[Path]) -> tuple[str | None, tuple[Path, ...]]:
    """The game that the words name, and the files.

    A shell makes `--from one.pdf two.pdf three.pdf` of `--from *.pdf`, so that words may be files; PowerShell leaves
    the `*` to us. Raises InvalidError where no file is called so.
    """
    game = " ".join(word for word in words if Path(word).suffix.casefold() not in SCORED)
    given = (*files, *(Path(word) for word in words if Path(word).suffix.casefold() in SCORED))
    return game or None, tuple(path for one in given for path in _expanded(one))


def _expanded(path: Path) -> Sequence[Path]:
    if not set(path.name) & set("*?[") or path.exists():
        return [path]
    if found := sorted(path.parent.glob(path.name)):
        return found
    raise InvalidError("There is no file of such a name.", where=str(path))


@dataclass(frozen=True)
class Paper:
    """A game of one vault that is to be logged from paper."""

    workspace: Workspace
    info: GameInfo
    given: Given

    @cached_property
    def table(self) -> GameNotes:
        return GameNotes(self.workspace, self.info, registry.rules(self.info.id).deck)

    def sources(self, options: dict[str, Any]) -> PlayedFrom:
        """The notes of the game. It needs neither deck nor rule note to be logged; what is missing is said."""
        table = replace(self.table, wanted=self.table.game.deck_for(options))
        try:
            deck = table.deck_note
        except VaultkitError as error:
            deck = None
            talk(f"Note: no card is linked. {error.message}")
        if table.rule_note is None:
            talk(f"Note: this vault has no rule note for {self.info.title}; the game's note links to none.")
        return PlayedFrom(table.rule_note.note.path if table.rule_note else "", deck)

    def options(self, written: PaperRecord) -> dict[str, Any]:
        """House rules in force; those of a file before `--set`. Raises UsageError or InvalidError."""
        if written.options and written.where:
            try:
                settle(self.table.game, written.options)
            except UsageError as error:
                raise InvalidError(error.message, where=written.where, hint=error.hint) from error
        return self.table.settled(self.given.options, written.options)

    def read(self, written: PaperRecord) -> PaperGame:
        """The game that was written down."""
        options, given = self.options(written), self.given
        written = replace(written, common={**written.common, **from_flags(given.scores, given.outcome).common})
        names = seats_of([seat.name for seat in written.seats], self.info)
        for remark in written.remarks:
            talk(f"Note: {remark}")
        self._tell_guests(names)
        found = understand(written, score_keeping(self.info.id), options)
        for title, words in found.assumed:
            talk(f"{title} Nobody said, so the likeliest: {words}.")
        paper = PaperGame(
            game=self.info.id,
            date=self._day(written),
            names=names,
            tally=found.tally,
            written=found.written,
            note=given.note or written.note,
            forced=given.force,
            campaign=given.campaign,
        )
        refuse_own_rows(paper, written.labels, written.where)
        return paper

    def ask(self, *, to_stderr: bool) -> PaperGame:
        """The game as a person types it. Raises UsageError where nobody is there, EOFError where the person leaves."""
        if not sys.stdin.isatty():
            flag = score_flag(score_keeping(self.info.id), self.options(PaperRecord()))
            hint = f"Give the scores with {flag} once for each player, or --from FILE."
            raise UsageError("There is nobody to ask for the scores: this is no terminal.", hint=hint)
        from vaultkit.play.look import look_for
        from vaultkit.play.sources import Terminal
        from vaultkit.play.stage import Stage
        from vaultkit.play.tally import Tallying

        given, settings, vault = self.given, self.workspace.settings, self.workspace.vault
        options = self.options(PaperRecord())
        names = seats_of(given.seats, self.info) if given.seats else ()
        self._tell_guests(names)
        check_target(vault, settings, given.campaign)
        sources, console = self.sources(options), terminal(stderr=to_stderr)
        begun = PaperGame(
            self.info.id, self._day(PaperRecord()), names, Tally(options, ()), note=given.note, campaign=given.campaign
        )
        stage = Stage(console, Terminal(console), look_for(console, sources.cards(begun.rules, begun.tally)))
        said = {option.partition("=")[0].strip() for option in given.options}
        return Tallying(
            stage,
            begun,
            tuple(map(bare_name, settings.players)),
            sources,
            check=lambda who: people_of(who, vault, settings),
            guests=lambda who: guests(who, vault, settings),
            said=said,
            day=self._day_of,
        ).ask()

    def _tell_guests(self, names: Sequence[str]) -> None:
        """Say who has no note. Raises InvalidError for one who sits twice."""
        vault, settings = self.workspace.vault, self.workspace.settings
        people_of(names, vault, settings)
        for remark in guest_remarks(guests(names, vault, settings)):
            talk(f"Note: {remark}")

    def _day(self, written: PaperRecord) -> date:
        said = PaperWords(self.given.date) if self.given.date is not None else written.date
        return check_date(read_date(said.text, said.where), now()) if said else now().date()

    def _day_of(self, text: str) -> date:
        return check_date(read_date(text), now())


def written_down(workspace: Workspace, given: Given) -> PaperRecord:
    """The game that flags, a file or filled sheets tell of; without seats where a person is to be asked."""
    if not given.files:
        return from_flags(given.scores)
    if folder := next((path for path in given.files if path.is_dir()), None):
        raise InvalidError(
            "This is a folder.", where=str(folder), hint=f'Name the files in it, such as: --from "{folder / "*.pdf"}"'
        )
    if given.files[0].suffix.casefold() != ".pdf":
        return read_file(given.files[0])
    sheets = [_sheet(path, workspace) for path in dict.fromkeys(given.files)]
    game = sheets[0].game
    if game not in registry.GAMES:
        hint = "Only the sheets of the five games can be: vaultkit games"
        raise InvalidError(
            "The scores of this sheet are of no game that can be logged.", where=sheets[0].where, hint=hint
        )
    rules = registry.rules(game)
    asked = every_key(score_keeping(game), settle(rules, {}))
    return merged(sheets, asked, (option.key for option in all_options(rules)))


def game_of(given: Given, written: PaperRecord) -> GameInfo:
    """The game that is meant. Raises UsageError where it is not said, InvalidError where it is said in two ways."""
    if given.game is None and not written.game:
        raise UsageError("Which game was it?", hint="Name it: vaultkit log dragon-citadel")
    if not written.game:
        return registry.find(given.game or "")
    try:
        found = registry.find(written.game)
    except UsageError as error:
        raise InvalidError(error.message, where=written.where, hint=error.hint) from error
    if given.game is not None and registry.find(given.game) != found:
        title = registry.find(given.game).title
        raise InvalidError(f"These scores are of {found.title}, not of {title}.", where=written.where)
    return found


def _sheet(path: Path, workspace: Workspace) -> SheetValues:
    """A filled sheet's values. Raises InvalidError, after all that is wrong with it was told."""
    from vaultkit.sheets.filled.filled_sheet import read_filled

    filled = read_filled(path, workspace.root)
    if filled.problems:
        for problem in filled.problems:
            talk(f"{problem.note}: {problem.message} {problem.hint}".rstrip())
        number = len(filled.problems)
        raise InvalidError(
            f"{'One box' if number == 1 else f'{number} boxes'} of this sheet cannot be read. Nothing was written.",
            where=str(path),
            hint="Correct what is said above, save the sheet, and try again.",
        )
    return filled
