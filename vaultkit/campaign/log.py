"""Logging of a finished game: its own note, and a line in the campaign's log. Logging again adds nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from vaultkit.campaign.deck_of_destiny import inventory
from vaultkit.campaign.log_target.gm_sessions import WorldDate, find_world_date
from vaultkit.campaign.log_target.line_target import LogTarget, settle_target
from vaultkit.campaign.log_target.note_location import LogPlace, folder_of_games, plan_line, title_in_path
from vaultkit.campaign.players import Players
from vaultkit.campaign.property_names import SESSION, block_id
from vaultkit.campaign.result import GameResult
from vaultkit.campaign.session_note import SessionPage, log_line, session_note
from vaultkit.compendium.words import load_words
from vaultkit.errors import Problem, VaultkitError, WriteError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.interrupted_commands import find_interrupted
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.write import Writer, plan_and_commit

_LOG_COMMAND = "vaultkit log --session"


@dataclass(frozen=True)
class LogResult:
    """The changes that logging made, or would make: vault paths, and the unified `diff`.

    `campaign_note` is the note with the line, also if the line was in it already; "" for none. `remarks` are sentences
    for the GM; `problems` are about names that could not be linked.
    """

    note: str
    campaign_note: str
    written: tuple[str, ...]
    diff: str
    remarks: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @classmethod
    def from_plan(
        cls, place: LogPlace, writer: Writer, remarks: tuple[str, ...], problems: tuple[Problem, ...] = ()
    ) -> "LogResult":
        """Return the changes that are planned at a place, and not written yet."""
        return cls(place.path, place.line_note_path or place.target.path, (), writer.diff(), remarks, problems)


def record_game(
    result: GameResult,
    vault: Vault,
    settings: Settings,
    *,
    campaign: str | None = None,
    now: datetime,
    dry_run: bool = False,
) -> LogResult:
    """Write the session note and the campaign line of a game, unless they exist.

    With `dry_run` nothing is written and the changes are only returned. `campaign` is the note for the line, or one of
    `line_target.TARGET_WORDS`; None for the note of the settings and "" for none. A line that is already in another
    note of the vault is not added again. The vault is read again under its lock.

    Raises InvalidError or WriteError before anything is written, if the note or the line cannot be written; for the
    campaign note, the hint says how to log the game elsewhere.
    """
    command = f"To write what is missing: {_LOG_COMMAND} {result.session}"
    with _add_hint(command if result.journal or result.match else "", WriteError):
        logged, paths = plan_and_commit(vault, lambda new: _plan(result, new, settings, campaign, now), dry_run=dry_run)
        return replace(logged, written=paths)


def check_target(vault: Vault, settings: Settings, campaign: str | None, on: date | None = None) -> LogTarget:
    """Return the note for the line of a game on a day, today if None; the note may not exist yet. Nothing is written.

    Raises every error that `record_game` would raise for that note, so that it shows before a game and not after it.
    """
    day = on or date.today()
    target = settle_target(vault, settings, campaign, datetime(day.year, day.month, day.day))
    folder_of_games(settings.campaign.folder)
    if target.path:
        block = block_id("check")
        plan_line(Writer(vault, "log", datetime.min), target, settings.campaign.heading, f"- Game. ^{block}", block)
    return target


@dataclass(frozen=True)
class GamePages:
    """The texts about a result: its note, whose values are in `page`, and its line in another note.

    The result has the names of players as their notes spell them; `problems` are about these names.
    """

    page: SessionPage
    root: Path
    problems: tuple[Problem, ...]

    @classmethod
    def create(cls, result: GameResult, vault: Vault, settings: Settings, path: str) -> "GamePages":
        """Return the texts for a note at `path`, which may not exist yet.

        The name of each seat with a note is spelled as in the note: `[[Zoë Müller|Zoë]]` and `zoë` become Zoë.
        """
        players = Players(vault, settings.players)
        may_have_note = [seat.is_person or players.is_in_party(seat.name) for seat in result.seats]
        pairs = zip(result.seats, may_have_note, strict=True)
        notes = tuple(players.note(seat.name) if may else None for seat, may in pairs)
        noted_seats = zip(result.seats, notes, strict=True)
        seats = tuple(replace(seat, name=players.spelling(seat.name, note)) for seat, note in noted_seats)
        result = replace(result, seats=seats)
        page = SessionPage(result, path, notes, Linker(vault, [path]), load_words(vault.root))
        return cls(page, vault.root, tuple(players.problems))

    @property
    def note(self) -> str:
        """The text of the whole note. Raises InvalidError for a template that loses what identifies the note."""
        return session_note(self.page, self.root)

    def line(self, target: str) -> str:
        """Return the line in the note at the path `target`. Raises InvalidError for a template that makes no line."""
        return log_line(replace(self.page, path=target), self.page.path, self.root)


def _plan(
    result: GameResult, vault: Vault, settings: Settings, campaign: str | None, now: datetime
) -> tuple[LogResult, Writer]:
    """Return the result and a Writer with all changes that log a game."""
    command = f"To log it: {_LOG_COMMAND} {result.session} --campaign NOTE" if result.journal else ""
    with _add_hint(command):
        when = datetime.combine(result.date, now.timetz())
        title = title_in_path(result.title, "Game")
        place = LogPlace.locate(vault, settings, campaign, identity=(SESSION, result.session), title=title, when=when)
    world_date = WorldDate(result.in_world)
    if not result.in_world:
        world_date = find_world_date(vault, settings, place.target.path, result.date)
    pages = GamePages.create(replace(result, in_world=world_date.properties), vault, settings, place.path)
    writer, extra_remarks = Writer(vault, "log", now, result.session), list[str]()
    if place.existing_note is None:
        writer.create(place.path, pages.note)
        extra_remarks = [world_date.remark]
    if place.existing_note is None or _lacks_inventory(result, vault):
        extra_remarks += _plan_inventory(writer, result, vault)
    if place.needs_line:
        line = pages.line(place.target.path)
        with _add_hint(command):
            plan_line(writer, place.target, settings.campaign.heading, line, place.block)
    remarks = (*filter(None, extra_remarks), *place.remarks("game", vault))
    return LogResult.from_plan(place, writer, remarks, pages.problems), writer


def _lacks_inventory(result: GameResult, vault: Vault) -> bool:
    """Return whether the log of this game was cut off before its inventory was written."""
    entry = next(iter(find_interrupted(vault, "log", result.session)), None)
    if entry is None or result.inventory is None:
        return False
    planned_writes, done_writes = History(vault).planned_writes(entry), entry.writes
    note = result.inventory.note
    return note in {write.path for write in planned_writes} and note not in {write.path for write in done_writes}


def _plan_inventory(writer: Writer, result: GameResult, vault: Vault) -> Iterator[str]:
    """Plan the change of the inventory that comes with the game's note.

    Yield why it cannot be written, and a warning if the character has lost the last card.
    """
    change = result.inventory
    if change is None:
        return
    if reason := inventory.reason_not_written(change, vault, result.card_names):
        yield reason
    else:
        writer.change(change.note, lambda note: inventory.plan_inventory(change, note, result.card_names))
        writer.check(change.note)
    if not change.after:
        yield f"{name_of(change.note)} has no card left. {inventory.EMPTY_INVENTORY_ADVICE}"


@contextmanager
def _add_hint(command: str, error_type: type[VaultkitError] = VaultkitError) -> Iterator[None]:
    """Add to an error the command that logs a game which is kept, "" for none, unless its hint has such a command."""
    try:
        yield
    except error_type as error:
        if command and _LOG_COMMAND not in error.hint:
            error.hint = f"{error.hint} The game is kept. {command}".strip()
        raise
