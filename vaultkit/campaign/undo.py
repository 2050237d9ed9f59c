"""Undo of vaultkit's writes to a vault, and the list of these writes."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from vaultkit.campaign.dates import entry_title, format_day
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError, NothingFound, UsageError, VaultkitError, WriteError
from vaultkit.session.journal_files import find_journal
from vaultkit.session.session_ids import is_id
from vaultkit.spelling import read_number
from vaultkit.stdio import DASH, write_stdout
from vaultkit.text import quote_word
from vaultkit.vault import Vault
from vaultkit.vault.file_names import is_device
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.crash_recovery import find_interrupted_entries, recover_leftovers, written_folders
from vaultkit.vault.writing.history import Entry, History, WriteDiff, diff_contents, diff_entry
from vaultkit.vault.writing.history.undo_refusals import WriteUndoRefused
from vaultkit.vault.writing.lock import vault_lock
from vaultkit.vault.writing.write import Writer

_LIST_HINT = "See: vaultkit undo --list"
MAX_TRIED_ENTRIES, MAX_NAMED_ENTRIES = 20, 3
"""Limits for the hint if the last entry cannot be undone: entries tried, and entries named that can be undone."""


@dataclass(frozen=True)
class UndoResult:
    """The vault paths that an undo restored, or removed if vaultkit had created them.

    `restored` is empty if all was undone already, by hand or by an undo that was cut off. `again` is the number of the
    undo itself, with which it can be undone in turn, "" if there was nothing to do. `meant` is the original write that
    was undone, or that was brought `back` because the undone entry was itself an undo.
    """

    restored: tuple[str, ...]
    again: str
    meant: Entry
    back: bool

    @property
    def title(self) -> str:
        """The title of the write that was undone or brought back: `log of Dragon Citadel, 3 November`."""
        return entry_title(self.meant)


def list_entries(vault: Vault, note: str = "") -> tuple[Entry, ...]:
    """Return the history of vaultkit's writes into the vault, newest first; undone entries are marked (`undone`).

    With `note`, a vault path or a name, only entries that wrote to that note. Raises NothingFound if there are none.
    """
    vault_entries = _settled_history(vault).entries()
    matching_entries = tuple(
        entry for entry in vault_entries if not note or any(_is_note_named(write.path, note) for write in entry.writes)
    )
    if note and not matching_entries:
        raise NothingFound(f"vaultkit has written nothing into '{note}', as far as it remembers.", hint=_LIST_HINT)
    return matching_entries


def show_entry(vault: Vault, entry_id: str) -> tuple[Entry, tuple[WriteDiff, ...]]:
    """Return an entry, undone or not, and its writes as diffs; without an id the newest that is not an undo.

    Raises NothingFound if there is no such entry, and UsageError if several have that number.
    """
    history = _settled_history(vault)
    entry = _find_entry(vault, history, entry_id)
    return entry, diff_entry(history, entry)


def undo(
    vault: Vault,
    entry_id: str = "",
    *,
    keep_edits: bool = False,
    now: datetime | None = None,
    progress: Progress | None = None,
) -> UndoResult:
    """Undo the entry with the given id or number; without one the newest that is neither undone nor itself an undo.

    What vaultkit wrote elsewhere in the same notes since stays; with `keep_edits` also what others wrote, as long as
    our own text can be told apart.

    Raises NothingFound if there is nothing to undo, no such entry, one that is undone already, or one that ended
    before it wrote anything: an older one is undone only if it is named. Raises UsageError if several
    entries have the number; WriteError, changing nothing, if a later write is in the way, or a note has changed, moved
    or become read-only since; if a note fails only when its turn comes, the error says what was undone before.

    If a crash cut off an earlier undo of the same entry that had restored everything already, this call only completes
    that undo, so that repeating the command undoes nothing else.
    """
    if not History(vault).folder.is_dir():
        raise _nothing_found_error(vault, entry_id, [])
    with vault_lock(vault.root):
        history = History(vault)
        begun = history.load_begun()
        recover_leftovers(vault, ())
        history.separate_copies()
        interrupted_undo = _find_interrupted_undo(history)
        history.repair_newest()
        _refuse_unwritten(history, begun, entry_id)
        if interrupted_undo and (finished_entry := _find_finished_entry(history, interrupted_undo, entry_id)):
            return UndoResult((), interrupted_undo.number, *find_origin(vault, finished_entry))
        entry = _find_entry(vault, history, entry_id, is_active=True)
        recover_leftovers(vault, written_folders(vault, entry.writes))
        with _suggest_others(history, entry_id):
            restored = history.undo(entry, keep_edits=keep_edits, now=now, progress=progress)
        if not (restored or entry.has_done_writes):
            raise _unwritten_error(history, entry)
        newest = next(history.entries(), None)
        undo_number = newest.number if restored and newest and newest.undoes == entry.id else ""
        return UndoResult(tuple(restored), undo_number, *find_origin(vault, entry))


def preview(vault: Vault, entry_id: str = "", *, keep_edits: bool = False) -> tuple[Entry, str]:
    """Return the entry that `undo` would undo, and a unified diff of the changes; change nothing.

    Raises NothingFound, UsageError or WriteError if the entry cannot be undone.
    """
    history = _history(vault)
    _refuse_unwritten(history, history.load_begun(), entry_id)
    entry = _find_entry(vault, history, entry_id, is_active=True)
    with _suggest_others(history, entry_id):
        plan = history.plan(entry, keep_edits=keep_edits)
    if not (plan.reversals or entry.has_done_writes):
        raise _unwritten_error(history, entry)
    return entry, "".join(diff_contents(step.before, step.after, step.write.path) for step in plan.reversals)


def find_origin(vault: Vault, entry: Entry) -> tuple[Entry, bool]:
    """Return the original write behind an undo, through undos of undos, and whether undoing `entry` brings it back."""
    entries_by_id = {known_entry.id: known_entry for known_entry in History(vault).entries()}
    brings_back = False
    while entry.undoes in entries_by_id:
        entry, brings_back = entries_by_id[entry.undoes], not brings_back
    return entry, brings_back


@contextlib.contextmanager
def _suggest_others(history: History, entry_id: str) -> Iterator[None]:
    """Add to the refusal of the last write, if no id was given, other writes that can be undone."""
    try:
        yield
    except WriteUndoRefused as refused:
        if not entry_id.strip():
            entries = [entry for entry in _find_candidates(history, "") if not entry.undone][1:MAX_TRIED_ENTRIES]
            undoable = islice((entry for entry in entries if _is_undoable(history, entry)), MAX_NAMED_ENTRIES)
            if commands := "; ".join(f"vaultkit undo {entry.number} ({entry_title(entry)})" for entry in undoable):
                refused.hint = f"{refused.hint.removesuffix('.')}. What can be undone now: {commands}."
        raise


def _is_undoable(history: History, entry: Entry) -> bool:
    """Return whether undoing an entry would change anything and nothing is in its way."""
    try:
        return bool(history.plan(entry).reversals)
    except VaultkitError:
        return False


def rescue(vault: Vault, entry_id: str, target: Path, *, note: str, now: datetime) -> str:
    """Write to the new file `target` what another program wrote to a note just before an entry replaced it.

    DASH is stdout. Returns the vault path of that note; `note` says which, if there are several. Raises NothingFound if
    there is no such content, UsageError if several notes fit, WriteError if the file `target` exists already.
    """
    path, data = _read_displaced(vault, entry_id, note, target)
    if target == DASH:
        write_stdout(data)
    else:
        _write_new(vault, target, data, now)
    return path


def _read_displaced(vault: Vault, entry_id: str, note: str, target: Path) -> tuple[str, bytes]:
    """Return the vault path of a note, and what another program wrote there just before an entry replaced it.

    Raises NothingFound, with a command that rescues it from another entry to `target`.
    """
    history = _history(vault)
    entry = _find_entry(vault, history, entry_id)
    displaced = [(index, write) for index, write in enumerate(entry.writes) if write.displaced]
    indexes = [index for index, write in displaced if _is_note_named(write.path, note)]
    if not indexes:
        message = (
            f"There is nothing to rescue: write {entry.number} ({entry_title(entry)}) replaced no other program's text."
        )
        others = [other.number for other in history.entries() if any(write.displaced for write in other.writes)]
        command = f"vaultkit undo {others[0]} --rescue {quote_word(str(target))}" if others else ""
        hint = f"Another write did: {command}." if others else "No write in this vault did. To undo one: vaultkit undo"
        raise NothingFound(message, hint=hint)
    paths = [entry.writes[index].path for index in indexes]
    if len(paths) > 1:
        raise UsageError("It did so in several notes.", hint=f"Name one with --note: {', '.join(paths)}")
    data = history.load_displaced(entry, indexes[0])
    if data is None:
        raise InvalidError("The history has lost what the other program wrote.", where=paths[0])
    return paths[0], data


def find_unfinished(workspace: Workspace) -> Iterator[tuple[Entry, str]]:
    """Yield the commands that a crash cut off between two files, each with a sentence on how to finish it.

    The log of a game that has been discarded since can only be undone.
    """
    for entry in find_interrupted_entries(workspace.vault):
        command = f"The {entry.command} of {entry.session}" if entry.session else f"The command {entry.command}"
        has_journal = is_id(entry.session) and find_journal(workspace.journals, entry.session) is not None
        undo_command = f"vaultkit undo {entry.number}"
        if entry.command == "log" and entry.session and has_journal:
            next_step = f"Finish it with: vaultkit log --session {entry.session}"
        elif entry.command == "log":
            next_step = f"The game has since been discarded. Undo what was written: {undo_command}"
        else:
            next_step = f"Run it again to finish it, or undo it: {undo_command}"
        yield entry, f"{command}{_format_on_day(entry.when)} was cut off. {next_step}"


def _format_on_day(when: str) -> str:
    try:
        return f" on {format_day(datetime.fromisoformat(when))}"
    except ValueError:
        return ""


def _history(vault: Vault) -> History:
    """Return the history for reading; entries that a sync tool put together are separated if the vault is writable."""
    history = History(vault)
    if history.has_mixed_entries:
        with contextlib.suppress(WriteError), vault_lock(vault.root):
            history.separate_copies()
    return history


def _settled_history(vault: Vault) -> History:
    """Return the history, in which also an undo that a crash cut off has marked the entry that it undid.

    The mark is missing if the history cannot be written, or if another process is writing.
    """
    history = _history(vault)
    if _find_interrupted_undo(history):
        with contextlib.suppress(VaultkitError), vault_lock(vault.root, timeout_seconds=0):
            recover_leftovers(vault, ())
            history.repair_newest()
    return history


def _find_interrupted_undo(history: History) -> Entry | None:
    """Return the newest entry if it is an undo that was cut off or is still running, else None.

    The entry that it undid may not be marked yet.
    """
    newest = next(history.entries(), None)
    return newest if newest and newest.undoes and newest.undoing and not newest.undone else None


def _find_finished_entry(history: History, undo: Entry, entry_id: str) -> Entry | None:
    """Return the entry that `entry_id` means, or the last write for "", if `undo` has undone all of it; else None."""
    name = entry_id.strip()
    entry = next((candidate for candidate in history.entries() if candidate.id == undo.undoes), None)
    is_meant = entry is not None and (entry.is_named_by(name) if name else not entry.undoes)
    return entry if entry and entry.undone and is_meant else None


def _write_new(vault: Vault, target: Path, data: bytes, now: datetime) -> None:
    """Write a new file: inside the vault with a history entry, elsewhere without."""
    resolved_path = target.resolve()
    if is_device(resolved_path.name):
        message = f"Windows reserves the name '{resolved_path.name}' for a device."
        raise WriteError(message, where=str(target), hint="Name another file.")
    if resolved_path.is_relative_to(vault.root):
        writer = Writer(vault, "undo --rescue", now)
        writer.create(resolved_path.relative_to(vault.root).as_posix(), data)
        writer.commit()
        return
    if not resolved_path.parent.is_dir():
        raise WriteError("There is no such folder.", where=str(target.parent), hint="Make it, or name another file.")
    atomic_file.create(resolved_path, data)


def _is_note_named(path: str, note: str) -> bool:
    """Return whether `note` names the file at `path`: by its vault path or its name, with or without `.md`.

    "" names every file.
    """
    name = note.strip().replace("\\", "/").removeprefix("./").casefold()
    names = {path.casefold(), path.rpartition("/")[2].casefold()}
    return not name or name in names or f"{name}.md" in names


def _find_candidates(history: History, entry_id: str) -> list[Entry]:
    """Return the entries that `entry_id` may mean, newest first; for "" all that are not undos."""
    name = entry_id.strip()
    return [entry for entry in history.entries() if (entry.is_named_by(name) if name else not entry.undoes)]


def _find_entry(vault: Vault, history: History, entry_id: str, *, is_active: bool = False) -> Entry:
    """Return the entry that `entry_id` means, for "" the newest one that is not an undo.

    If `is_active`, undone entries are not meant. Raises NothingFound if there is none, and UsageError if several have
    that number.
    """
    candidates = _find_candidates(history, entry_id)
    matches = [entry for entry in candidates if not (is_active and entry.undone)]
    if not matches:
        raise _nothing_found_error(vault, entry_id, candidates if entry_id.strip() else [])
    if entry_id.strip() and len(matches) > 1:
        several = ", ".join(f"{entry.id} ({entry_title(entry)})" for entry in matches)
        count_text = f"{len(matches)} writes have the number {matches[0].number}"
        hint = f"Name the one that you mean in full: vaultkit undo {matches[-1].id}"
        raise UsageError(f"{count_text}, as when two computers share a vault: {several}.", hint=hint)
    return matches[0]


def _refuse_unwritten(history: History, begun: Entry | None, entry_id: str) -> None:
    """Raise NothingFound if the last write is to be undone, but was only `begun`, so that it is in no entry."""
    newest_ids = {entry.id for entry in islice(history.entries(), 1)}
    if begun and not entry_id.strip() and begun.id not in newest_ids:
        raise _unwritten_error(history, begun)


def _unwritten_error(history: History, entry: Entry) -> NothingFound:
    """Return the error for an entry that ended before it wrote anything; its hint names the write before it."""
    earlier = (other for other in history.entries() if other.id < entry.id and not (other.undone or other.undoes))
    commands = (f"The one before it: vaultkit undo {other.number} ({entry_title(other)}). " for other in earlier)
    message = f"Write {entry.number} ({entry_title(entry)}) ended before it wrote anything."
    return NothingFound(message, hint=f"{next(commands, '')}{_LIST_HINT}")


def _nothing_found_error(vault: Vault, entry_id: str, undone_entries: list[Entry]) -> NothingFound:
    """Return the error for an entry that does not exist, or that is undone already if `undone_entries` has one."""
    name = entry_id.strip()
    if undone_entries:
        undone, entries = undone_entries[0], History(vault).entries()
        undo_number = next((entry.number for entry in entries if entry.undoes == undone.id and not entry.undone), "")
        redo_hint = f". To redo it: vaultkit undo {undo_number}" if undo_number else ""
        message = f"{undone.number} ({entry_title(undone)}) is undone already."
        return NothingFound(message, hint=f"{_LIST_HINT}{redo_hint}")
    if not name:
        return NothingFound("There is nothing to undo.", where=str(vault.root), hint=_LIST_HINT)
    if name.isdecimal():
        newest = next((f"The newest is {entry.number}. " for entry in History(vault).entries()), "")
        return NothingFound(f"There is no history entry {name}.", hint=f"{newest}{_LIST_HINT}")
    number = read_number(name)
    active_entries = [entry for entry in History(vault).entries() if not entry.undone]
    named_entries = [entry for entry in active_entries if name.casefold() in _searched_text(entry)]
    commands = [f"vaultkit undo {entry.number} ({entry_title(entry)})" for entry in named_entries[:MAX_NAMED_ENTRIES]]
    hint = (
        f"Writes with that name: {'; '.join(commands)}. {_LIST_HINT}"
        if commands
        else f"{_LIST_HINT}; the number is enough."
    )
    if number:
        hint = f"The last write: vaultkit undo. The one with the number {number}: vaultkit undo {number}. {_LIST_HINT}"
    return NothingFound(f"There is no history entry '{name}'.", hint=hint)


def _searched_text(entry: Entry) -> str:
    return " ".join(
        (entry.command, entry_title(entry), entry.session, *(write.path for write in entry.writes))
    ).casefold()
