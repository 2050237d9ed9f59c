"""Recovery of the files that interrupted writes and other programs left beside the notes."""

import contextlib
import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path

from vaultkit import files
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import Entry, History, Write, entry_files
from vaultkit.vault.writing.history.undo_execution import ASIDE, aside_path

MAX_RESUMABLE_ENTRIES = 20
"""The maximum number of newest entries that are searched for interrupted commands."""
MAX_SWEPT_ENTRIES = 5
"""The maximum number of newest entries whose folders are searched for leftovers."""
KEEP_ASIDE_SECONDS = 10.0
"""The time for which replaced files stay in the aside folder, since a program that opened a note may still write."""


def recover_leftovers(vault: Vault, folders: Iterable[Path], age: float = KEEP_ASIDE_SECONDS) -> None:
    """Save in the history the texts that other programs wrote during writes, and remove all other leftovers.

    Call it under the vault's lock, before a new entry is begun, while the hashes of an unfinished write are still
    known. Files in the aside folder are removed after `max_age_seconds`. A note that a crash left under a temporary
    name gets its name back.
    """
    history = History(vault)
    recorded_writes = _RecordedWrites(history)
    _sweep_history(history)
    atomic_file.sweep(vault.root / files.VAULTKIT_FOLDER)
    for folder in _folders(vault, history, folders):
        atomic_file.sweep(folder)
        for leftover in atomic_file.list_swap_files(folder):
            _recover_leftover(vault, recorded_writes, leftover)
    with contextlib.suppress(OSError):
        files.refuse_links(history.folder / ASIDE)
        for place in sorted((history.folder / ASIDE).iterdir()):
            with contextlib.suppress(OSError, ValueError):
                _recover_aside_file(recorded_writes, place, age)


def find_interrupted_entries(vault: Vault) -> tuple[Entry, ...]:
    """Return the recent entries of commands that a crash or an error interrupted, newest first.

    Entries that were undone, and commands that a later run completed, are left out.
    """
    entries: list[Entry] = []
    finished: set[tuple[str, str]] = set()
    for entry in islice(History(vault).entries(), MAX_RESUMABLE_ENTRIES):
        key = entry.command, entry.session
        if entry.complete and not entry.undone:
            finished.add(key)
        elif _is_interrupted(entry) and key not in finished:
            finished.add(key)
            entries.append(entry)
    return tuple(entries)


def mark_complete(vault: Vault, command: str, session: str) -> None:
    """Mark all interrupted entries of a command as complete, since nothing is left to write."""
    history = History(vault)
    history.repair_newest()
    for entry in islice(history.entries(), MAX_RESUMABLE_ENTRIES):
        if (entry.command, entry.session) == (command, session) and _is_interrupted(entry):
            history.complete(entry)


def _is_interrupted(entry: Entry) -> bool:
    return not entry.complete and not entry.undone and not entry.undoing


def _sweep_history(history: History) -> None:
    """Remove temporary files of the newest entries, and the plans of entries that are complete or have no writes."""
    with contextlib.suppress(OSError):
        for name in entry_files.list_names(history.folder)[-MAX_SWEPT_ENTRIES:]:
            place = history.folder / name
            for unfinished in place.glob("*.tmp"):
                unfinished.unlink()
            if entry_files.has_plan(place) and not (
                (entry := entry_files.load(place)) and entry.writes and not entry.complete
            ):
                entry_files.remove_plan(place)


def _recover_leftover(vault: Vault, recorded_writes: "_RecordedWrites", leftover: Path) -> None:
    """Remove, rename or move to the aside folder a `.swap` file that an interrupted write left.

    If it holds vaultkit's new text, it is removed. If the write was not finished and the note's file is missing, it is
    the note itself and gets the note's name, unless the write was to remove exactly that text. In other cases it is
    moved to the aside folder.
    """
    with contextlib.suppress(OSError):
        digest = atomic_file.sha256(files.read(leftover, files.MAX_PICTURE_BYTES))
        files_of = ((place, vault.file_or_none(write.path)) for place, write in recorded_writes.writes())
        beside = [place for place, file in files_of if file and file.parent == leftover.parent]
        old = [place for place in beside if recorded_writes.write(place).before == digest]
        if not old and any(recorded_writes.write(place).after == digest for place in beside):
            atomic_file.remove(leftover, digest, aside_path(recorded_writes.history.folder, *beside[0], 0))
        elif path := _find_nameless_note(vault, recorded_writes, old or beside, digest):
            _name_again(vault, leftover, path)
        elif beside:  # A file that belongs to no write stays: a stray file is better than a lost text.
            leftover.replace(aside_path(recorded_writes.history.folder, *(old or beside)[0], 0))


def _find_nameless_note(
    vault: Vault, recorded_writes: "_RecordedWrites", places: list[tuple[str, int]], digest: str
) -> str:
    """Return the vault path of the note that lost its name in the write at the first of `positions`, or "".

    Windows may take the name from the old file and then fail to give it to the new one. No name is lost if the write
    was to remove the note and `digest` is the hash of the text to remove.
    """
    write = recorded_writes.write(places[0]) if places else None
    if write is None or write.before is None or write.done or (write.after is None and write.before == digest):
        return ""
    return "" if vault.file(write.path).exists() else write.path


def _name_again(vault: Vault, leftover: Path, path: str) -> None:
    atomic_file.give_name(leftover, vault.file(path))
    leftover.unlink(missing_ok=True)
    files.sync_folder(leftover.parent)
    vault.forget(path)


def _recover_aside_file(recorded_writes: "_RecordedWrites", place: Path, age: float) -> None:
    """Save the text of a file in the aside folder in the history if it was changed, and remove the file once expired.

    Its name is `<entry>.<write>.<mtime in ns>.<time of the move in ns>`.
    """
    name, index, mtime, moved_ns = place.name.rsplit(".", 3)
    old = abs(time.time() - int(moved_ns) / 1e9) >= age
    now = place.stat().st_mtime_ns
    if (not old and now == int(mtime)) or not recorded_writes.keep(
        files.read_state(place, files.MAX_PICTURE_BYTES), (name, int(index))
    ):
        return
    if old:
        place.unlink()
    else:
        place.rename(place.with_name(f"{name}.{index}.{now}.{moved_ns}"))


class _RecordedWrites:
    """The writes of a history, newest first, read when needed.

    The position of a write is the id of its entry and its index in the entry.
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self._read: dict[str, Entry | None] = {}

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.history.entries()}

    @cached_property
    def _hashes(self) -> set[str | None]:
        return {digest for _, write in self.writes() for digest in _contents(write)}

    def write(self, place: tuple[str, int]) -> Write:
        return self._entries[place[0]].writes[place[1]]

    def _load_write(self, place: tuple[str, int]) -> Write | None:
        """Return the write at a position, read from its entry alone, or None if the history has no such write."""
        if place[0] not in self._read:
            self._read[place[0]] = entry_files.load(self.history.folder / place[0])
        entry = self._read[place[0]]
        return entry.writes[place[1]] if entry and 0 <= place[1] < len(entry.writes) else None

    def writes(self) -> Iterator[tuple[tuple[str, int], Write]]:
        for name, entry in self._entries.items():
            for index, write in reversed(list(enumerate(entry.writes))):
                yield (name, index), write

    def keep(self, data: bytes, place: tuple[str, int]) -> bool:
        """Save `data`, which the write at `write_position` replaced, if it is new; return whether the history has it.

        A write can store one displaced content; a second one is stored with another write to the same file.
        """
        digest, own = atomic_file.sha256(data), self._load_write(place)
        if own and digest in _contents(own):
            return True
        if digest in self._hashes:
            return True
        path = next((write.path for other, write in self.writes() if other == place), "")
        into = [other for other, write in self.writes() if path in ("", write.path) and write.before is not None]
        free = [other for other in into if self.write(other).displaced is None]
        if not free:
            return False
        name, index = place if place in free else free[0]
        self._read[name] = self._entries[name] = self.history.keep_displaced(self._entries[name], index, data)
        self._hashes.add(digest)
        return True


def _contents(write: Write) -> tuple[str | None, ...]:
    """Return the hashes of the contents before, displaced by and after a write; None for a missing one."""
    return write.before, write.displaced, write.after


def _folders(vault: Vault, history: History, folders: Iterable[Path]) -> list[Path]:
    """Return `folders` and the folders of files in the newest entries, sorted, without folders outside the vault."""
    newest = islice(history.entries(), MAX_SWEPT_ENTRIES)
    paths = {write.path for entry in newest for write in entry.writes}
    all_folders = {*folders, *(file.parent for path in paths if (file := vault.file_or_none(path)))}
    return sorted(folder for folder in all_folders if folder.is_relative_to(vault.root))
