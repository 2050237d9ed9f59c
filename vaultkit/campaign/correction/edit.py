"""Edits of logged games: note, campaign line, rewards and statistics are rewritten as one entry of the history."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime

from vaultkit.campaign.correction.lines import closest_index, merge_block_line, plan_line_change, plan_line_removal
from vaultkit.campaign.correction.logged import LoggedGame, paper_result, read_logged_game, rename_people
from vaultkit.campaign.correction.paper_edit import edit_paper, edited_comment, rename
from vaultkit.campaign.correction.rewards_update import plan_rewards
from vaultkit.campaign.game_lookup import GameLookup
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.log_target.gm_sessions import find_world_date
from vaultkit.campaign.log_target.line_target import NOTE, LogTarget, settle_target
from vaultkit.campaign.log_target.note_location import plan_line
from vaultkit.campaign.logged_game import GameReader
from vaultkit.campaign.players import Players, find_seats
from vaultkit.campaign.property_names import SCORE_PREFIX, block_id
from vaultkit.campaign.result import GameResult
from vaultkit.campaign.scoresheets.paper_game import PaperGame, append_edit
from vaultkit.campaign.scoresheets.paper_log import PaperLog, parse_past_day
from vaultkit.campaign.scoresheets.paper_record import PaperRecord
from vaultkit.campaign.stats.stats_note import plan_update
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError, UsageError
from vaultkit.text import name_key
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing.interrupted_commands import finish_interrupted
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.text_merge import plan_merge
from vaultkit.vault.writing.write import Writer, plan_and_commit

COMMAND = "log --edit"
ReadRecord = Callable[[LoggedGame], PaperRecord]
"""A function that returns the requested changes of a game, with the flags of the command."""


def find_logged(workspace: Workspace, name: str, now: datetime) -> LoggedGame:
    """Return the logged game with a number, a note or an id; "" is the newest. Raises NothingFound or InvalidError."""
    played = GameLookup(workspace.vault, workspace.settings.players).find_numbered(name, now.date())
    return read_logged_game(workspace, played, now)


def edit_game(paper_log: PaperLog, session: str, read_record: ReadRecord, *, campaign: str | None) -> LogResult:
    """Change a logged game as `read_record` says, and return the changes. Notes are read under the lock of the vault.

    An interrupted edit is finished first. `campaign` is another note for the line, "" or `none` for no line, None to
    leave the line where it is. Raises UsageError, InvalidError or WriteError before anything is written, if a change is
    not possible or would overwrite words of people.
    """
    vault, now = paper_log.workspace.vault, paper_log.now
    finished = () if paper_log.dry_run else finish_interrupted(vault, COMMAND, session, now=now)

    def plan(fresh: Vault) -> tuple[LogResult, Writer | None]:
        workspace = paper_log.workspace.with_vault(fresh)
        played = GameLookup(fresh, workspace.settings.players).find(session)
        game = read_logged_game(workspace, played, now)
        known_names = tuple(seat.name for seat in game.result.seats)
        log = replace(paper_log, workspace=workspace, known_names=known_names)
        paper, result = _edit(game, read_record(game), log)
        editor = _Editor(game, result, campaign, now)
        log_result = editor.plan()
        if paper is not None and editor.writer.diff() and not log.dry_run:
            append_edit(paper, session, fresh.root)
        return log_result, editor.writer

    log_result, paths = plan_and_commit(vault, plan, dry_run=paper_log.dry_run)
    return replace(log_result, written=tuple(dict.fromkeys((*finished, *paths))))


def preview_edit(game: LoggedGame, change: PaperRecord, paper_log: PaperLog) -> LoggedGame:
    """Return the game as an edit would make it; nothing is written. Raises UsageError or InvalidError."""
    known_names = tuple(seat.name for seat in game.result.seats)
    paper, result = _edit(game, change, replace(paper_log, known_names=known_names))
    return replace(game, paper=paper, result=result)


def make_seat_finder(workspace: Workspace) -> Callable[[Sequence[str], str], int | None]:
    """Return a function that finds the index of the name, in a list of names, of the person that a typed word means.

    The beginning of a name is enough if it is the beginning of one name only.
    """
    players = Players(workspace.vault, workspace.settings.players)

    def find(names: Sequence[str], word: str) -> int | None:
        note = players.note(word)
        seats = [index for index, name in enumerate(names) if name_key(name) == name_key(word)]
        seats = seats or [index for index, name in enumerate(names) if note and players.note(name) == note]
        seats = seats or (find_seats(names, word) if word.strip() else [])
        return seats[0] if len(seats) == 1 else None

    return find


def _edit(game: LoggedGame, change: PaperRecord, paper_log: PaperLog) -> tuple[PaperGame | None, GameResult]:
    """Return the scores after an edit, None if they cannot be edited, and the result."""
    find_seat = make_seat_finder(paper_log.workspace)
    if game.paper is not None and not game.locked:
        edited = edit_paper(game.paper, change, paper_log, find_seat)
        return edited, paper_result(edited, game.played.session, paper_log)
    flags, result = change.flags, game.result
    if flags.scores or flags.files or flags.options or flags.outcome is not None or change.seats:
        hint = "What can be edited: --date, --seat OLD=NEW, --note and --campaign."
        raise UsageError(game.locked, where=game.note.path, hint=hint)
    names = rename([seat.name for seat in result.seats if seat.is_person], flags.seats, find_seat)
    if flags.seats:
        names = list(paper_log.people.seat(names, result.title, paper_log.ask, paper_log.tell, paper_log.known_names))
    day = parse_past_day(flags.date, paper_log.now) if flags.date else result.date
    note = edited_comment(result.note, change.note)
    result = replace(rename_people(result, names), date=day, note=note)
    paper = game.paper and replace(game.paper, names=tuple(names), date=day, note=note)
    return paper, result


@dataclass
class _Editor:
    """A planner of all changes that follow from a new result of a logged game."""

    game: LoggedGame
    result: GameResult
    campaign: str | None
    now: datetime

    def __post_init__(self) -> None:
        workspace, old = self.game.workspace, self.game.written
        self.vault, self.settings, self.path = workspace.vault, workspace.settings, self.game.note.path
        self.writer = Writer(self.vault, COMMAND, self.now, old.session)
        self.line_path = self.game.line_path
        if self.result.date != old.date:
            world = find_world_date(self.vault, self.settings, self.line_path, self.result.date).properties
            old_world = {key: str(value) for key in world if (value := self.game.note.property(key)) is not None}
            old, self.result = replace(old, in_world=old_world), replace(self.result, in_world=world)
        self.old, self.new = self.game.pages_of(old), self.game.pages_of(self.result)

    def plan(self) -> LogResult:
        """Plan all changes with the writer, and return them as a result of logging."""
        remarks = list[str]()
        target = self._plan_line(remarks)
        old_note, new_note = _restore_property_names(self.game.note, self.old.note, self.new.note)
        changed = self.game.note

        def plan(note: Note) -> Splice | None:
            has_new_text = closest_index(note.text, [new_note, old_note]) == 0
            return None if has_new_text else plan_merge(note, old_note, new_note)

        if splice := plan(self.game.note):
            changed = self.game.note.with_text(splice.apply(self.game.note.text))
            self.writer.change(self.path, plan)
            self.writer.check(self.path)
        future = self.vault.with_change(self.path, changed.data)
        old_game, new_game = self.game.played, GameReader(future, self.settings.players).read(future.facts[self.path])
        current = self.game.workspace
        remarks += plan_rewards(self.writer, current, old_game, current.with_vault(future), new_game)
        diff = self.writer.diff()
        if diff:
            remarks += plan_update(self.writer, future, self.settings, self.now)
        elif not remarks:
            remarks.append("Nothing changes.")
        return LogResult(self.path, target, (), self.writer.diff(), tuple(remarks), self.new.problems)

    def _plan_line(self, remarks: list[str]) -> str:
        """Plan the change of the campaign line, or its move to another note; return the path of its note."""
        block = block_id(self.game.result.session)
        target = self._target()
        if target is None or target.path == self.line_path:
            old, new = (pages.line(self.line_path) if self.line_path else "" for pages in (self.old, self.new))
            if self.line_path and plan_line_change(self.vault.read(self.line_path), block, old, new):
                self.writer.change(self.line_path, lambda note: plan_line_change(note, block, old, new))
                self.writer.check(self.line_path)
            return self.line_path
        line = self.new.line(target.path) if target.path else ""
        if self.line_path:
            old_line, here = self.old.line(self.line_path), self.vault.read(self.line_path)
            line = merge_block_line(here, block, old_line, line) if line else line
            self.writer.change(self.line_path, lambda note: plan_line_removal(note, block))
            self.writer.check(self.line_path)
        if target.path:
            plan_line(self.writer, target, self.settings.campaign.heading, line, block)
        remarks += target.remarks
        return target.path

    def _target(self) -> LogTarget | None:
        """Return the note for the line, None to leave it where it is.

        A line in the note of its day, or of the newest session then, follows the day.
        """
        vault, settings, day = self.vault, self.settings, self.result.date
        if self.campaign is not None:
            return settle_target(vault, settings, self.campaign, _moment(day, self.now))
        if not self.line_path or day == self.game.result.date or settings.campaign.log_to.strip().lower() == NOTE:
            return None
        with suppress(InvalidError):
            old_target = settle_target(vault, settings, None, _moment(self.game.result.date, self.now))
            if old_target.path == self.line_path:
                return settle_target(vault, settings, None, _moment(day, self.now))
        return None


def _moment(day: date, now: datetime) -> datetime:
    return datetime.combine(day, now.timetz())


def _restore_property_names(note: Note, *texts: str) -> list[str]:
    """Return generated notes in which the properties of scores have the names that `note` gives them.

    They differ after a player was renamed. If a note has as many properties of scores with unknown names as it lacks
    expected ones, the unknown names replace the expected ones in order.
    """
    base = Note(note.path, texts[0].encode())
    keys = [key for key in base.properties if key.startswith(SCORE_PREFIX)]
    written_keys = [key for key in note.properties if key.lower().startswith(SCORE_PREFIX)]
    missing = [key for key in keys if key not in written_keys]
    unknown = [key for key in written_keys if key not in keys]
    if not missing or len(missing) != len(unknown):
        return [*texts]
    names = dict(zip(missing, unknown, strict=True))

    def replace_keys(text: str) -> str:
        end = Note(note.path, text.encode()).body_start
        pattern = re.compile(rf"^(?:{'|'.join(map(re.escape, names))})(?=:)", re.MULTILINE)
        return pattern.sub(lambda match: names[match[0]], text[:end]) + text[end:]

    return list(map(replace_keys, texts))
