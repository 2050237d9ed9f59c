"""Recovery of the files that interrupted writes and other programs left beside the notes."""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path

from vaultkit import files
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import Entry, History, Write, entry_files
from vaultkit.vault.writing.history.reversal import ASIDE_FOLDER, aside_path

MAX_RESUMABLE_ENTRIES = 20
"""The maximum number of newest entries that are searched for interrupted commands."""
MAX_SWEPT_ENTRIES = 5
"""The maximum number of newest entries whose folders are searched for leftovers."""
KEEP_ASIDE_SECONDS = 10.0
"""The time for which replaced files stay in the aside folder, since a program that opened a note may still write."""


def recover_leftovers(vault: Vault, folders: Iterable[Path], max_age_seconds: float = KEEP_ASIDE_SECONDS) -> None:
    """Save in the history the texts that other programs wrote during writes, and remove all other leftovers.

    Call it under the vault's lock, before a new entry is begun, while the hashes of an unfinished write are still
    known. Files in the aside folder are removed after `max_age_seconds`. A note that a crash left under a temporary
    name gets its name back.
    """
    history = History(vault)
    recorded_writes = _RecordedWrites(history)
    _sweep_history(history)
    atomic_file.sweep(vault.root / files.VAULTKIT_FOLDER)
    for folder in _folders_to_search(vault, history, folders):
        atomic_file.sweep(folder)
        for leftover in atomic_file.list_swap_files(folder):
            _recover_leftover(vault, recorded_writes, leftover)
    with contextlib.suppress(OSError):
        files.refuse_links(history.folder / ASIDE_FOLDER)
        for aside_file in sorted((history.folder / ASIDE_FOLDER).iterdir()):
            with contextlib.suppress(OSError, ValueError):
                _recover_aside_file(recorded_writes, aside_file, max_age_seconds)


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
            entry_folder = history.folder / name
            for unfinished in entry_folder.glob("*.tmp"):
                unfinished.unlink()
            if entry_files.has_plan(entry_folder) and not (
                (entry := entry_files.load(entry_folder)) and entry.writes and not entry.complete
            ):
                entry_files.remove_plan(entry_folder)


def _recover_leftover(vault: Vault, recorded_writes: "_RecordedWrites", leftover: Path) -> None:
    """Remove, rename or move to the aside folder a `.swap` file that an interrupted write left.

    If it holds vaultkit's new text, it is removed. If the write was not finished and the note's file is missing, it is
    the note itself and gets the note's name, unless the write was to remove exactly that text. In other cases it is
    moved to the aside folder.
    """
    with contextlib.suppress(OSError):
        digest = atomic_file.sha256(files.read(leftover, files.PICTURE_BYTES))
        places = ((position, vault.file_or_none(write.path)) for position, write in recorded_writes.writes())
        positions_here = [position for position, file in places if file and file.parent == leftover.parent]
        before_positions = [position for position in positions_here if recorded_writes.write(position).before == digest]
        if not before_positions and any(recorded_writes.write(position).after == digest for position in positions_here):
            atomic_file.remove(leftover, digest, aside_path(recorded_writes.history.folder, *positions_here[0], 0))
        elif path := _find_nameless_note(vault, recorded_writes, before_positions or positions_here, digest):
            _restore_name(vault, leftover, path)
        elif positions_here:  # A file that belongs to no write stays: a stray file is better than a lost text.
            leftover.replace(aside_path(recorded_writes.history.folder, *(before_positions or positions_here)[0], 0))


def _find_nameless_note(
    vault: Vault, recorded_writes: "_RecordedWrites", positions: list[tuple[str, int]], digest: str
) -> str:
    """Return the vault path of the note that lost its name in the write at the first of `positions`, or "".

    Windows may take the name from the old file and then fail to give it to the new one. No name is lost if the write
    was to remove the note and `digest` is the hash of the text to remove.
    """
    write = recorded_writes.write(positions[0]) if positions else None
    if write is None or write.before is None or write.done or (write.after is None and write.before == digest):
        return ""
    return "" if vault.file(write.path).exists() else write.path


def _restore_name(vault: Vault, leftover: Path, path: str) -> None:
    atomic_file.give_name(leftover, vault.file(path))
    leftover.unlink(missing_ok=True)
    files.sync_folder(leftover.parent)
    vault.forget(path)


def _recover_aside_file(recorded_writes: "_RecordedWrites", aside_file: Path, max_age_seconds: float) -> None:
    """Save the text of a file in the aside folder in the history if it was changed, and remove the file once expired.

    Its name is `<entry>.<write>.<mtime in ns>.<time of the move in ns>`.
    """
    name, index, mtime, moved_ns = aside_file.name.rsplit(".", 3)
    is_expired = abs(time.time() - int(moved_ns) / 1e9) >= max_age_seconds
    current_mtime = aside_file.stat().st_mtime_ns
    if (not is_expired and current_mtime == int(mtime)) or not recorded_writes.keep(
        files.read_state(aside_file, files.PICTURE_BYTES), (name, int(index))
    ):
        return
    if is_expired:
        aside_file.unlink()
    else:
        aside_file.rename(aside_file.with_name(f"{name}.{index}.{current_mtime}.{moved_ns}"))


class _RecordedWrites:
    """The writes of a history, newest first, read when needed.

    The position of a write is the id of its entry and its index in the entry.
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self._loaded_entries: dict[str, Entry | None] = {}

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.history.entries()}

    @cached_property
    def _hashes(self) -> set[str | None]:
        return {digest for _, write in self.writes() for digest in _known_hashes(write)}

    def write(self, position: tuple[str, int]) -> Write:
        return self._entries[position[0]].writes[position[1]]

    def _load_write(self, position: tuple[str, int]) -> Write | None:
        """Return the write at a position, read from its entry alone, or None if the history has no such write."""
        if position[0] not in self._loaded_entries:
            self._loaded_entries[position[0]] = entry_files.load(self.history.folder / position[0])
        entry = self._loaded_entries[position[0]]
        return entry.writes[position[1]] if entry and 0 <= position[1] < len(entry.writes) else None

    def writes(self) -> Iterator[tuple[tuple[str, int], Write]]:
        for name, entry in self._entries.items():
            for index, write in reversed(list(enumerate(entry.writes))):
                yield (name, index), write

    def keep(self, data: bytes, write_position: tuple[str, int]) -> bool:
        """Save `data`, which the write at `write_position` replaced, if it is new; return whether the history has it.

        A write can store one displaced content; a second one is stored with another write to the same file.
        """
        digest, own_write = atomic_file.sha256(data), self._load_write(write_position)
        if own_write and digest in _known_hashes(own_write):
            return True
        if digest in self._hashes:
            return True
        path = next((write.path for candidate, write in self.writes() if candidate == write_position), "")
        writes = [(position, write) for position, write in self.writes() if path in ("", write.path)]
        usable_positions = [position for position, write in writes if write.before is not None]
        free_positions = [candidate for candidate in usable_positions if self.write(candidate).displaced is None]
        if not free_positions:
            return False
        name, index = write_position if write_position in free_positions else free_positions[0]
        self._loaded_entries[name] = self._entries[name] = self.history.keep_displaced(self._entries[name], index, data)
        self._hashes.add(digest)
        return True


def _known_hashes(write: Write) -> tuple[str | None, ...]:
    """Return the hashes of the contents before, displaced by and after a write; None for a missing one."""
    return write.before, write.displaced, write.after


def _folders_to_search(vault: Vault, history: History, folders: Iterable[Path]) -> list[Path]:
    """Return `folders` and the folders of files in the newest entries, sorted, without folders outside the vault."""
    newest = islice(history.entries(), MAX_SWEPT_ENTRIES)
    all_folders = {*folders, *written_folders(vault, (write for entry in newest for write in entry.writes))}
    return sorted(folder for folder in all_folders if folder.is_relative_to(vault.root))


def written_folders(vault: Vault, writes: Iterable[Write]) -> set[Path]:
    """Return the existing folders of the files of writes; links to folders and to files are followed."""
    root, places = str(vault.root), {write.path.rpartition("/")[::2] for write in writes}
    folders = {folder for folder, _ in places}
    folders = {folder for folder in folders if os.path.isdir(f"{root}/{folder}")}  # noqa: PTH112 - many are missing
    paths = (f"{folder}/{name}" for folder, name in places if folder in folders)
    linked_files = (vault.file_or_none(path.lstrip("/")) for path in paths if files.is_link(f"{root}/{path}"))
    return {*filter(None, map(vault.file_or_none, folders)), *(file.parent for file in linked_files if file)}
