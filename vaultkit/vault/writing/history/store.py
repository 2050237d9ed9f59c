"""What vaultkit has written into a vault, so that it can be listed and taken back.

Each command's writes are one entry, a folder `.vaultkit/history/<number>-<command>` that holds `entry.json` (each write
as a splice with hashes) and before-images. The entry is on disk before the note is touched, and again after it.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from vaultkit.errors import InvalidError, VaultkitError, WriteError
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history.entry import Entry, Write, plain
from vaultkit.vault.writing.history.folder import private_folder

SCHEMA = 1


class History:
    """The history folder of one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.folder = vault.root / ".vaultkit" / "history"

    def entries(self) -> Iterator[Entry]:
        """Newest first. One that cannot be read is skipped, since the rest can still be undone; so is an empty one."""
        if not self.folder.is_dir():
            return
        for place in sorted(self.folder.iterdir(), reverse=True):
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
                entry = _load(place / "entry.json")
                if entry.writes:
                    yield entry

    def begin(self, command: str, session: str, when: str) -> Entry:
        """A new entry, numbered after the last; call it under the vault's lock."""
        private_folder(self._vault.root, "history")
        self._drop_unfinished()
        numbers = [int(place.name[:6]) for place in self.folder.iterdir() if place.name[:6].isdigit()]
        return Entry(plain(f"{max(numbers, default=0) + 1:06d}-{command}"), command, session, when)

    def record(self, entry: Entry, write: Write, before: bytes | None) -> Entry:
        """The entry with one more write, on disk before that write happens."""
        place = self.folder / entry.id
        place.mkdir(parents=True, exist_ok=True)
        if before is not None:
            _save(place / _image_name(len(entry.writes)), before)
        grown = replace(entry, writes=(*entry.writes, write))
        self.keep(grown)
        return grown

    def done(self, entry: Entry) -> Entry:
        """The entry with its last write done, on disk once that write has happened."""
        finished = replace(entry, writes=(*entry.writes[:-1], replace(entry.writes[-1], done=True)))
        self.keep(finished)
        return finished

    def keep(self, entry: Entry) -> None:
        """Put the entry on disk as it is; so a write that was recorded and then not made is taken out again."""
        data = json.dumps({"schema": SCHEMA, **asdict(entry)}, ensure_ascii=False, indent=1).encode()
        _save(self.folder / entry.id / "entry.json", data)

    def undo(self, entry: Entry) -> list[str]:
        """Take an entry's writes back. Returns the vault paths that were restored or removed.

        Raises WriteError, touching nothing, if a file is not as vaultkit left it or cannot be written. One that fails
        only when its turn comes stops the undo there: the error says what was taken back, and undoing again goes on.
        """
        standing = self._standing(entry)
        images = {index: self._image(entry, index, write) for index, write in standing}
        for _, write in standing:
            self._refuse_unwritable(write)
        self.keep(replace(entry, undoing=True))
        for position, (index, write) in enumerate(standing):
            try:
                self._take_back(write, images[index])
            except VaultkitError as error:
                if not position:
                    with contextlib.suppress(WriteError):
                        self.keep(entry)
                raise _stopped(error, write, [earlier for _, earlier in standing[:position]]) from error
        self.keep(replace(entry, undone=True, undoing=False))
        return list(dict.fromkeys(write.path for _, write in reversed(standing)))

    def _standing(self, entry: Entry) -> list[tuple[int, Write]]:
        """The writes that are still in place, last first; one that never came about, or is undone, is none of them.

        A missing file is no such thing if vaultkit is known to have made it: it lies elsewhere now, or is lost.
        """
        found: list[tuple[int, Write]] = []
        hashes: dict[str, str | None] = {}
        for index, write in reversed(list(enumerate(entry.writes))):
            current = hashes.setdefault(write.path, self._hash(write.path))
            if current == write.after:
                found.append((index, write))
                hashes[write.path] = write.before
            elif current != write.before or (current is None and write.done and not entry.undoing):
                raise _changed(write, current)
        return found

    def _drop_unfinished(self) -> None:
        """Settle the last writes of the newest entry if a crash came between their record and the write itself.

        One that was not made, or was taken back by an undo that was cut off, is taken out: else it would stand in the
        way of every undo once the note has gone on without it.
        """
        newest = next(self.entries(), None)
        if newest is None or newest.undone:
            return
        settled = newest
        while settled.writes and (newest.undoing or not settled.writes[-1].done):
            last = settled.writes[-1]
            current = self._hash(last.path)
            if current != last.before:
                if current == last.after and not last.done:
                    self.done(settled)
                    return
                break
            settled = replace(settled, writes=settled.writes[:-1])
        if settled != newest:
            self.keep(settled)

    def _hash(self, path: str) -> str | None:
        file = self._vault.file(path)
        return atomic.sha256(file.read_bytes()) if file.is_file() else None

    def _image(self, entry: Entry, index: int, write: Write) -> bytes | None:
        """The file as it was before, None if there was none. Raises InvalidError if the history has lost it."""
        if write.before is None:
            return None
        place = self.folder / entry.id / _image_name(index)
        if place.is_file() and atomic.sha256(image := place.read_bytes()) == write.before:
            return image
        where = place.relative_to(self._vault.root).as_posix()
        raise InvalidError(f"The history has lost what {write.path} was before, so nothing was undone.", where=where)

    def _refuse_unwritable(self, write: Write) -> None:
        file = self._vault.file(write.path).resolve()
        if atomic.is_read_only(file):
            raise WriteError(
                "This file is read-only, so nothing was undone.",
                where=write.path,
                hint="Make it writable, then undo again.",
            )
        if not os.access(file.parent, os.W_OK):
            raise WriteError(
                "Nothing can be written in this file's folder, so nothing was undone.",
                where=write.path,
                hint="Make the folder writable, then undo again.",
            )

    def _take_back(self, write: Write, image: bytes | None) -> None:
        file = self._vault.file(write.path)
        if image is None:
            self._delete(file, write)
        else:
            atomic.replace(file, image, write.after)
            if write.mtime_ns is not None:
                with contextlib.suppress(OSError):
                    os.utime(file, ns=(write.mtime_ns, write.mtime_ns))
        self._vault.forget(write.path)

    def _delete(self, file: Path, write: Write) -> None:
        if self._hash(write.path) != write.after:
            raise atomic.ChangedSince("Another program changed this file just now.", where=write.path)
        try:
            file.unlink()
        except OSError as error:
            reason = error.strerror or str(error)
            raise WriteError(f"This file cannot be removed: {reason}.", where=write.path) from error
        for folder in list(file.parents)[: write.folders_made]:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _changed(write: Write, current: str | None) -> WriteError:
    what = "has been changed" if current else "has been moved or deleted"
    by_hand = "Take out by hand what vaultkit wrote, or bring the note back to what it was and undo again."
    return WriteError(
        f"It {what} since vaultkit wrote it, so nothing was undone.",
        where=write.path,
        hint=by_hand if current else "Bring it back to where it was and undo again.",
    )


def _stopped(error: VaultkitError, write: Write, taken: list[Write]) -> WriteError:
    """The error of an undo that failed at `write`, after those of `taken`."""
    paths = ", ".join(dict.fromkeys(earlier.path for earlier in taken))
    so_far = f"Only this was taken back before it: {paths}." if taken else "Nothing was undone."
    return WriteError(f"{error.message} {so_far}", where=write.path, hint=error.hint or "Undo again to go on.")


def _image_name(index: int) -> str:
    return f"{index}.before"


def _load(file: Path) -> Entry:
    raw = json.loads(file.read_bytes())
    raw.pop("schema")
    # Entries of before there was `done` say nothing of it; taking their writes for done can only make undo refuse.
    return Entry(**{**raw, "writes": tuple(Write(**{"done": True, **write}) for write in raw["writes"])})


def _save(file: Path, data: bytes) -> None:
    temporary = file.with_name(f"{file.name}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"The history cannot be written: {reason}.", where=str(file)) from error
    atomic.sync_folder(file.parent)
