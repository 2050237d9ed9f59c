"""The place of a game or a reading: its note and its line, which are found again wherever they have been moved."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from vaultkit import files
from vaultkit.campaign.log_target.line_target import LogTarget, campaign_note_hint, settle_target
from vaultkit.campaign.logged_game import find_session_note
from vaultkit.campaign.property_names import block_id
from vaultkit.campaign.unreadable_notes import refuse_unread_line
from vaultkit.errors import InvalidError
from vaultkit.settings import Settings
from vaultkit.vault import Note, Vault, subpath
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.file_names import name_part, safe_parts
from vaultkit.vault.resolve import key
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Writer

_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


@dataclass(frozen=True)
class LogPlace:
    """The place of a game or a reading: `existing_note` is its existing note or None, `path` that note or a new one.

    `target` is the note for the line with the id `block`; `line_note_path` is the note that has the line already, "" if
    none has.
    """

    existing_note: str | None
    path: str
    target: LogTarget
    block: str
    line_note_path: str

    @classmethod
    def locate(
        cls,
        vault: Vault,
        settings: Settings,
        campaign: str | None,
        *,
        identity: tuple[str, str],
        title: str,
        when: datetime,
    ) -> "LogPlace":
        """Return the place of a game or a reading at `when`.

        The property and value in `identity` identify its note. `campaign` is a note, one of `line_target.TARGET_WORDS`,
        None for the settings or "" for none; `title` is for the file's name. Raises InvalidError if the place is not
        clear.
        """
        folder, (key, value) = folder_of_games(settings.campaign.folder), identity
        there, block = find_session_note(vault, value, key), block_id(value)
        if there is None:
            _refuse_evicted(vault, folder, when.date(), value)
        target = settle_target(vault, settings, campaign, when)
        path = there or _new_path(title, when.date(), vault, folder)
        return cls(there, path, target, block, _find_line(vault, block, target))

    @property
    def needs_line(self) -> bool:
        """Whether the line is still to be written to the target."""
        return bool(self.target.path) and not self.line_note_path

    def remarks(self, kind: str, vault: Vault) -> Iterator[str]:
        """Yield sentences for the GM on the place; `kind` is "game", "reading" or "draw"."""
        if self.existing_note:
            yield f"This {kind} has its note already: {self.existing_note}"
        if self.line_note_path:
            yield f"Its line is in {self.line_note_path} already."
        elif not self.target.path and not self.target.chosen_by:
            yield f"No campaign note is set, so only the {kind}'s own note is written. {campaign_note_hint(vault)}"
        else:
            yield from self.target.remarks
        line_note = self.line_note_path or self.target.path
        if line_note and (self.line_note_path or not self.target.is_new) and vault.read(line_note).problems:
            yield f"The properties of {line_note} cannot be read; they are left as they are. See: vaultkit check"


def plan_line(writer: Writer, target: LogTarget, heading: str, line: str, block: str) -> None:
    """Plan to write the line to the target, which is created if needed, unless the target then has the block id.

    If Obsidian creates the daily note at that very moment, the line goes into Obsidian's note. Raises InvalidError or
    WriteError if the line cannot be written; nothing is written then.
    """
    check_heading(heading, "campaign.heading", "Log")

    def plan(note: Note) -> Splice | None:
        return None if block in note.blocks else insert_under(note, heading, line)

    if target.text is None:
        writer.change(target.path, plan)
    else:
        note = Note(target.path, target.text.encode())
        text = insert_under(note, heading, line).apply(note.text)
        text += "" if text.endswith("\n") else note.encoded.newline
        writer.create(target.path, text, plan_if_exists=plan)
    writer.check(target.path)


def check_heading(heading: str, key: str, example: str) -> None:
    """Raise InvalidError if the heading in the setting `key` could never be found in a note."""
    if not subpath.comparable_heading(heading):
        message = f"'{heading}' cannot be found as a heading: it has no letter and no number."
        raise InvalidError(message, where=key, hint=f"Set {key} to the text of a heading, such as {example}.")


def folder_of_games(name: str) -> str:
    """Return the folder in `campaign.folder` as a vault path. Raises InvalidError for an impossible name (F4)."""
    return "/".join(safe_parts(name, f"campaign.folder: {name}", "Set campaign.folder to another name."))


def title_in_path(title: str, default: str, max_chars: int = 150) -> str:
    """Return a title as part of a file's name, cut to `max_chars`, or `default` if nothing is left."""
    return name_part(title, max_chars) or default


def _new_path(title: str, day: date, vault: Vault, folder: str) -> str:
    """Return the path of a new note, such as `Games/2026-11-03 Dragon Citadel 2.md`.

    The number follows the last one of that day anywhere in the vault. So no number is used twice, and every link by
    name keeps leading to its game.
    """
    stem = f"{day.isoformat()} {title}"
    pattern = re.compile(rf"{re.escape(key(stem))} (\d{{1,6}})\.md")
    matches = (pattern.fullmatch(key(posixpath.basename(path))) for path in vault.files.paths)
    number = max((int(match[1]) for match in matches if match), default=0) + 1
    return vault.files.respell_folder(posixpath.join(folder, f"{stem} {number}.md"))


def _refuse_evicted(vault: Vault, folder: str, day: date, session_id: str) -> None:
    """Raise InvalidError if a note that is in the cloud only may be the note of the session.

    It may be if its path contains the day, or if it is in the folder of games and its path contains no day. If the
    history has an entry of the session, every note that is in the cloud only may be it.
    """
    evicted = [path for path in vault.listing.evicted if is_note(path)]
    entries = History(vault).entries() if evicted else ()
    was_logged = any(entry.session == session_id and not entry.undone for entry in entries)
    for path in evicted:
        days = _DAY.findall(path)
        is_in_games_folder = key(path).startswith(key(f"{folder}/")) if folder else "/" not in path
        if was_logged or day.isoformat() in days or (is_in_games_folder and not days):
            message = f"This may have a note already: '{path}' is in the cloud; download it first."
            raise InvalidError(message, where=path, hint=files.DOWNLOAD_HINT)


def _find_line(vault: Vault, block: str, target: LogTarget) -> str:
    """Return the vault path of the note that has the block already, the target first; "" if none has."""
    if not target.is_new and target.path and block in vault.read(target.path).blocks:
        return target.path
    if path := find_line(vault, block):
        return path
    if target.path:
        refuse_unread_line(vault, block)
    return ""


def find_line(vault: Vault, block: str) -> str:
    """Return the vault path of the note that has a block, "" if none has."""
    encoded_block = block.encode()  # fast filter: the encoded ids are searched before they are decoded
    for facts in vault.note_facts:
        if encoded_block in bytes(facts.encoded_anchors) and block in facts.anchors.blocks:
            return facts.path
    return ""
