"""What vaultkit has written into a vault, so that it can be listed and taken back.

Each command's writes are one entry, a folder `.vaultkit/history/<number>-<command>` that holds `entry.json` (each write
as a splice with hashes) and before-images. The entry is on disk before the note is touched.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path

from vaultkit.errors import InvalidError, WriteError
from vaultkit.vault import atomic
from vaultkit.vault.vault import Vault

SCHEMA = 1
IGNORE = """# vaultkit keeps its history and journals here; they need no versions.
history/
journals/
.gitignore
"""


@dataclass(frozen=True, slots=True)
class Write:
    """One file's change: `before` is None if the write made the file. Hashes are SHA-256 of the whole file.

    `folders_made` counts the folders that had to be made for it. A file that is not text has no `inserted`.
    """

    path: str
    offset: int
    removed: str
    inserted: str
    before: str | None
    after: str
    mtime_ns: int | None = None
    folders_made: int = 0


@dataclass(frozen=True)
class Entry:
    """All that one command wrote. `id` is its folder's name, `when` an ISO date and time."""

    id: str
    command: str
    session: str
    when: str
    writes: tuple[Write, ...] = field(default=())
    undone: bool = False

    @property
    def title(self) -> str:
        """What it was and when, for people: `log of 20261103-dragon-citadel-k3f9, 3 November 2026 20:15`."""
        what = f"{self.command} of {self.session}" if self.session else self.command
        try:
            when = datetime.fromisoformat(self.when)
        except ValueError:
            return f"{what}, {self.when}"
        return f"{what}, {when.day} {when:%B %Y %H:%M}"


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
        return Entry(f"{max(numbers, default=0) + 1:06d}-{command}", command, session, when)

    def record(self, entry: Entry, write: Write, before: bytes | None) -> Entry:
        """The entry with one more write, on disk before that write happens."""
        place = self.folder / entry.id
        place.mkdir(parents=True, exist_ok=True)
        if before is not None:
            _save(place / _image_name(len(entry.writes)), before)
        grown = replace(entry, writes=(*entry.writes, write))
        self.keep(grown)
        return grown

    def keep(self, entry: Entry) -> None:
        """Put the entry on disk as it is; so a write that was recorded and then not made is taken out again."""
        data = json.dumps({"schema": SCHEMA, **asdict(entry)}, ensure_ascii=False, indent=1).encode()
        _save(self.folder / entry.id / "entry.json", data)

    def undo(self, entry: Entry) -> list[str]:
        """Take an entry's writes back, all or none. Returns the vault paths that were restored or removed.

        Raises WriteError, touching nothing, if a file is not as vaultkit left it.
        """
        standing = self._standing(entry)
        images = {index: self._image(entry, index, write) for index, write in standing}
        for index, write in standing:
            self._take_back(write, images[index])
        self.keep(replace(entry, undone=True))
        return list(dict.fromkeys(write.path for _, write in reversed(standing)))

    def _standing(self, entry: Entry) -> list[tuple[int, Write]]:
        """The writes that are still in place, last first; one that never came about, or is undone, is none of them."""
        found: list[tuple[int, Write]] = []
        hashes: dict[str, str | None] = {}
        for index, write in reversed(list(enumerate(entry.writes))):
            current = hashes.setdefault(write.path, self._hash(write.path))
            if current == write.after:
                found.append((index, write))
                hashes[write.path] = write.before
            elif current != write.before:
                raise _changed(write, current)
        return found

    def _drop_unfinished(self) -> None:
        """Take the last write out of the newest entry if a crash came between its record and the write itself.

        Else it would stand in the way of every undo once the note has gone on without it.
        """
        newest = next(self.entries(), None)
        if newest is None or newest.undone or self._hash(newest.writes[-1].path) != newest.writes[-1].before:
            return
        self.keep(replace(newest, writes=newest.writes[:-1]))

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

    def _take_back(self, write: Write, image: bytes | None) -> None:
        file = self._vault.file(write.path)
        if image is None:
            self._delete(file, write)
        else:
            atomic.replace(file, image, write.after)
            if write.mtime_ns is not None:
                os.utime(file, ns=(write.mtime_ns, write.mtime_ns))
        self._vault.forget(write.path)

    def _delete(self, file: Path, write: Write) -> None:
        if self._hash(write.path) != write.after:
            raise _changed(write, write.after)
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
    return WriteError(
        f"It {what} since vaultkit wrote it, so nothing was undone.",
        where=write.path,
        hint="Take out by hand what vaultkit wrote, or bring the note back to what it was and undo again.",
    )


def _image_name(index: int) -> str:
    return f"{index}.before"


def _load(file: Path) -> Entry:
    raw = json.loads(file.read_bytes())
    raw.pop("schema")
    return Entry(**{**raw, "writes": tuple(Write(**write) for write in raw["writes"])})


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


def private_folder(root: Path, name: str) -> Path:
    """`.vaultkit/<name>` in the vault, made if missing and kept out of git."""
    folder = root / ".vaultkit" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text(IGNORE, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"vaultkit cannot keep its files in this vault: {reason}.", where=str(folder)) from error
    return folder
