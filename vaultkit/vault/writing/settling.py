"""Recovery of the files that killed writes and other programs left beside the notes."""

import contextlib
import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path

from vaultkit import files
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history import Entry, History, Write, disk
from vaultkit.vault.writing.history.undoing import ASIDE, place_of

RECENT = 20
"""The number of newest entries that are searched for interrupted commands."""
NEWEST = 5
"""The number of newest entries whose folders are searched for leftovers."""
AGE = 10.0
"""The seconds for which replaced files are kept in the aside folder: longer than a program needs between opening a note
and writing all of it."""


def settle(vault: Vault, folders: Iterable[Path], age: float = AGE) -> None:
    """Keep in the history what other programs wrote during a write, and remove all other leftovers.

    Call it under the vault's lock, before a new entry is begun, while the hashes of an unfinished write are still
    known. A file in the aside folder is removed after `age` seconds. A note that lost its name gets it back.
    """
    history = History(vault)
    known = _Known(history)
    _sweep_history(history)
    atomic.sweep(vault.root / files.OWN)
    for folder in _folders(vault, history, folders):
        atomic.sweep(folder)
        for leftover in atomic.exchanged_in(folder):
            _lay_aside(vault, known, leftover)
    with contextlib.suppress(OSError):
        files.refuse_links(history.folder / ASIDE)
        for place in sorted((history.folder / ASIDE).iterdir()):
            with contextlib.suppress(OSError, ValueError):
                _settle_aside(known, place, age)


def cut_off(vault: Vault) -> tuple[Entry, ...]:
    """Return the recent entries of commands that a crash or an error ended between two files, newest first.

    Entries of commands that have since been completed by another run, or undone, are left out.
    """
    found: list[Entry] = []
    finished: set[tuple[str, str]] = set()
    for entry in islice(History(vault).entries(), RECENT):
        key = entry.command, entry.session
        if entry.complete and not entry.undone:
            finished.add(key)
        elif _is_cut_off(entry) and key not in finished:
            finished.add(key)
            found.append(entry)
    return tuple(found)


def complete(vault: Vault, command: str, session: str) -> None:
    """Mark all interrupted entries of a command as complete, since nothing is left to write."""
    history = History(vault)
    history.settle()
    for entry in islice(history.entries(), RECENT):
        if (entry.command, entry.session) == (command, session) and _is_cut_off(entry):
            history.complete(entry)


def _is_cut_off(entry: Entry) -> bool:
    return not entry.complete and not entry.undone and not entry.undoing


def _sweep_history(history: History) -> None:
    """Remove unfinished files of the newest entries, and plans that are complete or of which nothing was written."""
    with contextlib.suppress(OSError):
        for name in disk.names(history.folder)[-NEWEST:]:
            place = history.folder / name
            for unfinished in place.glob("*.tmp"):
                unfinished.unlink()
            if disk.has_plan(place) and not ((entry := disk.load(place)) and entry.writes and not entry.complete):
                disk.remove_plan(place)


def _lay_aside(vault: Vault, known: "_Known", leftover: Path) -> None:
    """Remove, restore or move to the aside folder a `.swap` file that an interrupted write left.

    The file holds vaultkit's new text, which is removed, or the old text or another program's, which is kept. If the
    write was interrupted or refused and the note has no file now, the leftover is the note itself and gets the name
    back, unless the write was to remove exactly that text.
    """
    with contextlib.suppress(OSError):
        digest = atomic.sha256(files.read(leftover, files.PICTURE))
        files_of = ((place, vault.inside(write.path)) for place, write in known.writes())
        beside = [place for place, file in files_of if file and file.parent == leftover.parent]
        old = [place for place in beside if known.write(place).before == digest]
        if not old and any(known.write(place).after == digest for place in beside):
            atomic.remove(leftover, digest, place_of(known.history.folder, *beside[0], 0))
        elif named := _without_a_file(vault, known, old or beside, digest):
            _name_again(vault, leftover, named)
        elif beside:  # A file that belongs to no write stays: a stray file is better than a lost text.
            leftover.replace(place_of(known.history.folder, *(old or beside)[0], 0))


def _without_a_file(vault: Vault, known: "_Known", places: list[tuple[str, int]], digest: str) -> str:
    """Return the vault path of the note that lost its name in the write at the first of `places`, or "".

    Windows may take the name from the old file and fail to give it to the new one. A removal takes the name as well,
    and has succeeded if the text with the hash `digest` is the one to be removed.
    """
    write = known.write(places[0]) if places else None
    if write is None or write.before is None or write.done or (write.after is None and write.before == digest):
        return ""
    return "" if vault.file(write.path).exists() else write.path


def _name_again(vault: Vault, leftover: Path, path: str) -> None:
    atomic.give_name(leftover, vault.file(path))
    leftover.unlink(missing_ok=True)
    files.sync_folder(leftover.parent)
    vault.forget(path)


def _settle_aside(known: "_Known", place: Path, age: float) -> None:
    """Keep changes to a file in the aside folder in the history, and remove the file once it is old."""
    name, index, mtime, moved = place.name.rsplit(".", 3)
    old = abs(time.time() - int(moved) / 1e9) >= age
    now = place.stat().st_mtime_ns
    if (not old and now == int(mtime)) or not known.keep(files.read_own(place, files.PICTURE), (name, int(index))):
        return
    if old:
        place.unlink()
    else:
        place.rename(place.with_name(f"{name}.{index}.{now}.{moved}"))


class _Known:
    """The writes of a history, newest first, keyed by the id of their entry and their index in it; read when needed."""

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

    def _own(self, place: tuple[str, int]) -> Write | None:
        """Return a write without reading the whole history, or None if the history has no such write."""
        if place[0] not in self._read:
            self._read[place[0]] = disk.load(self.history.folder / place[0])
        entry = self._read[place[0]]
        return entry.writes[place[1]] if entry and 0 <= place[1] < len(entry.writes) else None

    def writes(self) -> Iterator[tuple[tuple[str, int], Write]]:
        for name, entry in self._entries.items():
            for index, write in reversed(list(enumerate(entry.writes))):
                yield (name, index), write

    def keep(self, data: bytes, place: tuple[str, int]) -> bool:
        """Return whether the history has the content `data` that the write at `place` replaced; store it if possible.

        A write has room for one displaced content. A second one is stored with another write to the same file.
        """
        digest, own = atomic.sha256(data), self._own(place)
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
    """Return the hashes of a write's contents that are in the history or were written by vaultkit itself."""
    return write.before, write.displaced, write.after


def _folders(vault: Vault, history: History, folders: Iterable[Path]) -> list[Path]:
    """Return `folders` and the folders of the newest entries, sorted; folders outside the vault are left out.

    The newest entries may have been interrupted in other folders.
    """
    newest = islice(history.entries(), NEWEST)
    paths = {write.path for entry in newest for write in entry.writes}
    found = {*folders, *(file.parent for path in paths if (file := vault.inside(path)))}
    return sorted(folder for folder in found if folder.is_relative_to(vault.root))
