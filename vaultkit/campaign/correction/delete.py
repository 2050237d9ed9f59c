"""Deletion of logged games: the note, the campaign line and the loot, as one entry of the history."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign.correction.lines import line_span, plan_line_removal
from vaultkit.campaign.correction.logged import LoggedGame, read_logged_game
from vaultkit.campaign.dragon_citadel.record_rewards import find_section, loot_notes
from vaultkit.campaign.dragon_citadel.rewards_page import rewards_id
from vaultkit.campaign.game_lookup import GameLookup
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.log_target.note_location import find_line
from vaultkit.campaign.logged_game import PlayedGame
from vaultkit.campaign.property_names import block_id
from vaultkit.campaign.stats.stats_note import KEY as STATS_KEY
from vaultkit.campaign.stats.stats_note import plan_update
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.text import join_words
from vaultkit.vault import Note, Vault
from vaultkit.vault.queries import links_to
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.interrupted_commands import finish_interrupted
from vaultkit.vault.writing.properties import remove_property
from vaultkit.vault.writing.splice import Splice, smallest_splice
from vaultkit.vault.writing.text_merge import added_text, has_own_words
from vaultkit.vault.writing.write import Writer, plan_and_commit

COMMAND = "log --delete"
_MAX_LISTED_NOTES = 3
"""The maximum number of notes that a remark lists."""


def delete_game(
    workspace: Workspace, session: str, *, keep_text: bool, now: datetime, dry_run: bool = False
) -> LogResult:
    """Delete a logged game from the vault, and return the changes. Notes are read under the lock of the vault.

    With `keep_text`, a note that people wrote into stays, with their text alone. Without it, such a note raises
    WriteError before anything is written.
    """
    vault = workspace.vault
    finished = () if dry_run else finish_interrupted(vault, COMMAND, session, now=now)
    if finished and all(game.session != session for game in GameLookup(vault.reopen()).games):
        return LogResult("", "", finished, "")

    def plan(fresh: Vault) -> tuple[LogResult, Writer]:
        played = GameLookup(fresh, workspace.settings.players).find(session)
        deletion = _Deletion(workspace.with_vault(fresh), played, keep_text, now)
        return deletion.plan(), deletion.writer

    log_result, paths = plan_and_commit(vault, plan, dry_run=dry_run)
    return replace(log_result, written=tuple(dict.fromkeys((*finished, *paths))))


@dataclass
class _Deletion:
    """A planner of the changes that delete a game from a vault."""

    workspace: Workspace
    played: PlayedGame
    keep_text: bool
    now: datetime

    def __post_init__(self) -> None:
        self.vault, self.session = self.workspace.vault, self.played.session
        self.writer = Writer(self.vault, COMMAND, self.now, self.session)
        self.note, self.line_path = self.vault.read(self.played.note), find_line(self.vault, block_id(self.session))
        self.game: LoggedGame | None = None
        with suppress(VaultkitError):  # without its journal, the history tells what vaultkit wrote
            self.game = read_logged_game(self.workspace, self.played, self.now)

    def plan(self) -> LogResult:
        """Plan all changes, and return them as what would be logged. Raises WriteError for text that would be lost."""
        own_text = self._text_of_people()
        if own_text and not self.keep_text:
            own_note = self.note.with_text(own_text)
            own_lines = [*own_note.body.splitlines(), *own_text.splitlines()]
            own_line = next(line.strip() for line in own_lines if line.strip().strip("-"))
            line = self.note.places.line(max(self.note.text.find(own_line), 0))
            message = f"This note has text of yours: {own_line}"
            hint = "To keep it and take out only what vaultkit wrote: --keep-text"
            raise WriteError(message, where=f"{self.note.path}:{line}", hint=hint)
        line_base = ""
        if self.line_path:
            line_base = self.game.pages.line(self.line_path) if self.game else ""
            self._plan_line(self.line_path, block_id(self.session), line_base)
        loot_paths = loot_notes(self.played, self.vault)
        for path in loot_paths:
            self._plan_line(path, rewards_id(self.session, "loot"), "")
        data = self.note.with_text(own_text).data if own_text else None
        remarks = list(
            plan_update(self.writer, self.vault.with_change(self.note.path, data), self.workspace.settings, self.now)
        )
        if own_text:
            removed_parts = ["its scores and story", *[f"its line in {self.line_path}"] * bool(self.line_path)]
            removed_parts += [f"its loot in {path}" for path in loot_paths]
            remarks.append(f"{self.note.path} stays, with only your text. Removed: {join_words(removed_parts)}.")
        else:
            remarks += self._remarks_on_links()
        self._plan_note(own_text)  # last, so that an interrupted deletion still finds the game
        return LogResult(self.note.path, self.line_path, (), self.writer.diff(), tuple(remarks))

    def _plan_note(self, own_text: str) -> None:
        """Plan to remove the note, or to leave what people wrote in it."""
        path = self.note.path
        if not own_text:
            self.writer.remove(path)
        else:
            self.writer.change(
                path, lambda note: smallest_splice(note.text, own_text) if note.text != own_text else None
            )
        self.writer.check(path)

    def _plan_line(self, path: str, block: str, base: str) -> None:
        """Plan to remove a line; with `keep_text`, a line with words of people only loses its block id."""
        note = self.vault.read(path)
        start, end = line_span(note, block)
        line = note.text[start:end]
        has_words = not self._is_text_of_vaultkit(path, line) and has_own_words(base, line)
        if has_words and not self.keep_text:
            message = f"This line was changed by hand: {line.strip()}"
            where = f"{path}:{note.places.line(start)}"
            raise WriteError(message, where=where, hint="To keep it, without its block id: --keep-text")

        def plan(note: Note) -> Splice | None:
            if not has_words:
                return plan_line_removal(note, block)
            start, end = line_span(note, block)
            text = note.text[start:end]
            new = text[: text.rindex("^")].rstrip() if "^" in text else text
            return Splice(start + len(new), text[len(new) :], "") if new != text else None

        self.writer.change(path, plan)
        self.writer.check(path)

    def _text_of_people(self) -> str:
        """Return the text that people added to the note, with the remaining frontmatter; "" if they added nothing."""
        note = self.note
        if self._is_untouched():
            return ""
        created = next((text for text in self._written_texts(note.path) if self.session in text), "")
        base = self.game.pages.note if self.game else created
        section = find_section(note, self.session) or ""
        base_note = Note(note.path, base.encode())
        own = note.text[note.body_start :]
        if section and self._is_text_of_vaultkit(note.path, section):
            own = own.replace(section, "", 1)
        newline = note.encoded.newline
        body = added_text(base_note.body.replace("\n", newline), own)
        # what the settings of that day put into the note, such as the date in the world, is not in `base`
        for name in {**base_note.properties, **Note(note.path, created.encode()).properties}:
            splice = remove_property(note, name)
            note = note.with_text(splice.apply(note.text)) if splice else note
        gap = newline if note.head and body else ""
        return note.head + gap + body + (newline if body and not body.endswith(("\n", "\r")) else "")

    def _written_texts(self, path: str) -> Iterator[str]:
        """Yield the texts that vaultkit wrote into a file, newest first."""
        writes = (write for entry in History(self.vault).entries() for write in reversed(entry.writes))
        return (write.inserted for write in writes if write.path == path and not write.taken)

    def _is_untouched(self) -> bool:
        """Return whether nobody but vaultkit ever wrote into the note, by the hashes of the history."""
        entries = reversed([*History(self.vault).entries()])
        writes = [write for entry in entries for write in entry.writes if write.path == self.note.path and write.done]
        hashes = [None, *(write.after for write in writes)]
        return hashes[-1] == self.note.sha256 and all(
            write.before == before for write, before in zip(writes, hashes, strict=False)
        )

    def _is_text_of_vaultkit(self, path: str, text: str) -> bool:
        words = _normalize(text)
        return any(words in _normalize(inserted) for inserted in self._written_texts(path))

    def _remarks_on_links(self) -> Iterator[str]:
        """Yield a remark on other notes with links to the game's note."""
        paths = dict.fromkeys(path for path, _ in links_to(self.vault, self.note.path) if path != self.line_path)
        linking = [path for path in paths if self.vault.facts[path].property(STATS_KEY) is not True]
        if linking:
            rest = f" and {len(linking) - _MAX_LISTED_NOTES} more" if len(linking) > _MAX_LISTED_NOTES else ""
            yield f"Links to it are left in {join_words(linking[:_MAX_LISTED_NOTES])}{rest}."


def _normalize(text: str) -> str:
    return " ".join(text.split())
