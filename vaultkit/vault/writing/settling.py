"""Files that killed writes and other programs left beside the notes: the next write keeps those of value."""

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
"""Entries that are looked through for commands that were cut off."""
NEWEST = 5
"""Entries in whose folders leftovers are looked for, so many may have been cut off since the last that was not."""
AGE = 10.0
"""Seconds for which files are laid aside: more than a program needs between opening a note and writing all of it."""


def settle(vault: Vault, folders: Iterable[Path], age: float = AGE) -> None:
    """Keep in the history what other programs wrote in the last instant, and remove all other leftovers.

    Call it under the vault's lock, before a new entry is begun: of an unfinished write the hashes must be known still.
    A file that was laid aside is removed after `age` seconds. A note that was left without its name gets it back.
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
    """The recent commands that a crash, or an error, ended between two of their files, newest first.

    One that has been carried out again since, or taken back, is none of them.
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
    """Nothing is left to be written of this command: all that were cut off are so no more."""
    history = History(vault)
    history.settle()
    for entry in islice(history.entries(), RECENT):
        if (entry.command, entry.session) == (command, session) and _is_cut_off(entry):
            history.complete(entry)


def _is_cut_off(entry: Entry) -> bool:
    return not entry.complete and not entry.undone and not entry.undoing


def _sweep_history(history: History) -> None:
    """Remove unfinished files of the newest entries, and plans of which nothing is written, or nothing is left."""
    with contextlib.suppress(OSError):
        for name in disk.names(history.folder)[-NEWEST:]:
            place = history.folder / name
            for unfinished in place.glob("*.tmp"):
                unfinished.unlink()
            if disk.has_plan(place) and not ((entry := disk.load(place)) and entry.writes and not entry.complete):
                disk.remove_plan(place)


def _lay_aside(vault: Vault, known: "_Known", leftover: Path) -> None:
    """A file that was to change places with a note, or has: ours, which goes, or another program's, or the old one.

    Where the write was cut off, or refused, and nothing lies where the note was, that is the note itself, unless
    the write was to remove that very text.
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
        elif beside:  # Else it stays: better a stray file than a lost text.
            leftover.replace(place_of(known.history.folder, *(old or beside)[0], 0))


def _without_a_file(vault: Vault, known: "_Known", places: list[tuple[str, int]], digest: str) -> str:
    """Return the vault path of the note that lost its name in the newest of these writes, "" if none did.

    Windows may take the name from the old file and not get to give it to the new one. A removal takes it as well, and
    is done where the text with the `digest` is the one that was to go.
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
    """Look at a file laid aside if it has been written into since, and in any case before it is removed."""
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
    """The writes of a history, newest first, each by the id of its entry and its place in that; read when needed."""

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
        """A write, without reading the whole history for it; None if that does not know it."""
        if place[0] not in self._read:
            self._read[place[0]] = disk.load(self.history.folder / place[0])
        entry = self._read[place[0]]
        return entry.writes[place[1]] if entry and 0 <= place[1] < len(entry.writes) else None

    def writes(self) -> Iterator[tuple[tuple[str, int], Write]]:
        for name, entry in self._entries.items():
            for index, write in reversed(list(enumerate(entry.writes))):
                yield (name, index), write

    def keep(self, data: bytes, place: tuple[str, int]) -> bool:
        """Whether the history holds a content that this write replaced, now if not before.

        A write has room for one content; a second goes to another write into that file.
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
    """Return the hashes of what the history holds of a write's file, or vaultkit itself put there."""
    return write.before, write.displaced, write.after


def _folders(vault: Vault, history: History, folders: Iterable[Path]) -> list[Path]:
    """These and those of the newest entries, which may have been cut off elsewhere; none outside of the vault."""
    newest = islice(history.entries(), NEWEST)
    paths = {write.path for entry in newest for write in entry.writes}
    found = {*folders, *(file.parent for path in paths if (file := vault.inside(path)))}
    return sorted(folder for folder in found if folder.is_relative_to(vault.root))
