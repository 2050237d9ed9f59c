"""Completion of commands that were interrupted before all their files were written, by their plans in the history."""

from collections import Counter
from datetime import datetime

from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.encoding import decode
from vaultkit.vault.note import Note
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.crash_recovery import find_interrupted_entries, recover_leftovers
from vaultkit.vault.writing.history import Entry, History, Write
from vaultkit.vault.writing.lock import vault_lock
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write import Writer
from vaultkit.vault.writing.write_steps import PlanSplice

CONTEXT_LINES = (1, 3, 9, 27, 81)
"""How many lines before and after a place are compared to find it in a changed note, tried in turn."""


def find_interrupted(vault: Vault, command: str, session: str = "") -> tuple[Entry, ...]:
    """Return the recent entries of the history that the given command left unfinished, newest first.

    `session` "" means any session.
    """
    entries = (entry for entry in find_interrupted_entries(vault) if entry.command == command)
    return tuple(entry for entry in entries if session in ("", entry.session))


def finish_interrupted(vault: Vault, command: str, session: str = "", *, now: datetime) -> tuple[str, ...]:
    """Make the writes that a command had planned but not made when it was interrupted; return the vault paths written.

    An entry of the history whose earlier writes are no longer in the vault stays as it is, since somebody removed them
    by hand. Raises WriteError, before anything of an entry is written, if a note was changed where its text was to go.
    """
    if not find_interrupted(vault, command, session):
        return ()
    with vault_lock(vault.root):
        recover_leftovers(vault, ())
        History(vault).repair_newest()
        entries = [entry for entry in find_interrupted(vault, command, session) if _are_writes_kept(vault, entry)]
        paths = tuple(path for entry in entries for path in _finish_entry(vault, entry, now))
    for path in paths:
        vault.forget(path)
    return paths


def _finish_entry(vault: Vault, entry: Entry, now: datetime) -> tuple[str, ...]:
    """Make the planned writes of one entry that are not done yet, and return the vault paths written."""
    history, writer = History(vault), Writer(vault, entry.command, now, entry.session)
    done_counts = Counter((write.path, write.removed, write.inserted) for write in entry.writes if write.done)
    for index, write in enumerate(history.planned_writes(entry)):
        key = write.path, write.removed, write.inserted
        done_counts[key] -= 1
        if done_counts[key] >= 0:
            continue
        exists = vault.file(write.path).is_file()
        if write.before and write.after is None:
            if exists and vault.read(write.path).sha256 != write.before:
                raise _conflict_error(entry, write)
            if exists:
                writer.remove(write.path)
            continue
        if write.before and not exists:
            raise _conflict_error(entry, write)
        if write.before is None:
            writer.create(write.path, write.inserted, plan_if_exists=_plan_for_current_text(entry, write, None))
        else:
            plan = _plan_for_current_text(entry, write, history.planned_image(entry, index, write))
            writer.change(write.path, plan, generated=True)
    return writer.commit()


def _plan_for_current_text(entry: Entry, write: Write, planned_content: bytes | None) -> PlanSplice:
    """Return a plan that makes a planned write in the current text of its note, which may have been changed since.

    `planned_content` is the content of the note for which the write was planned, None if it is not known. The plan
    changes nothing if the note already has the text, and raises WriteError if its place cannot be found.
    """

    def plan(note: Note) -> Splice | None:
        if write.inserted.strip() and write.inserted.strip() in note.text:
            return None
        if note.sha256 == write.before:
            return write.splice
        splice = planned_content and move_splice(write.splice, decode(planned_content, write.path).text, note.text)
        if not splice:
            raise _conflict_error(entry, write)
        return splice

    return plan


def _conflict_error(entry: Entry, write: Write) -> WriteError:
    """Return the error for a note that was changed where the planned write was to go."""
    message = f"The command {entry.short} was cut off, and this note has since been changed where the rest belongs."
    hint = f"Undo what was written, then run the command again: vaultkit undo {entry.number}"
    return WriteError(message, where=write.path, hint=hint)


def move_splice(splice: Splice, planned_text: str, current_text: str) -> Splice | None:
    """Return a splice that was planned for the text `planned_text`, moved to the same place in the text `current_text`.

    The place is found by the lines around it, as many as are needed to make it unique. None if those lines were
    changed, or if no number of lines makes it unique.
    """
    for lines in CONTEXT_LINES:
        text_before = "".join(planned_text[: splice.offset].splitlines(keepends=True)[-lines:])
        text_after = "".join(planned_text[splice.end :].splitlines(keepends=True)[:lines])
        window = text_before + splice.removed + text_after
        if not window.strip() or _is_repeated(window, planned_text) or _is_repeated(window, current_text):
            continue
        start = current_text.find(window)
        if start < 0 or not _is_whole_lines(current_text, start, start + len(window)):
            return None
        return Splice(start + len(text_before), splice.removed, splice.inserted)
    return None


def _is_repeated(part: str, text: str) -> bool:
    """Return whether a text contains the part more than once."""
    first = text.find(part)
    return first >= 0 and text.find(part, first + 1) >= 0


def _is_whole_lines(text: str, start: int, end: int) -> bool:
    """Return whether the text between two offsets begins and ends at line breaks or at an end of the text."""
    before, last, after = text[:start][-1:], text[:end][-1:], text[end : end + 1]
    return before in ("", "\r", "\n") and (last in ("\r", "\n") or after in ("", "\r", "\n"))


def _are_writes_kept(vault: Vault, entry: Entry) -> bool:
    """Return whether all writes that the entry's command made are still in the vault."""
    return all(_is_write_kept(vault, write) for write in entry.writes if write.done)


def _is_write_kept(vault: Vault, write: Write) -> bool:
    """Return whether a file that was created still exists, or a note that was changed still has the inserted text.

    A file that was removed must still be missing.
    """
    if write.after is None:
        return not vault.file(write.path).exists()
    try:
        text = vault.reopen().read(write.path).text
    except VaultkitError:
        return False
    return write.before is None or write.inserted.strip() in text
