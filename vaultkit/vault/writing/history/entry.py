"""Entries of the history: everything that one command wrote, file by file, as splices with hashes."""

import contextlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from vaultkit import files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.writing.atomic_file import create, put, translate_os_errors
from vaultkit.vault.writing.splice import Splice

State = Literal["", "undone", "partly undone", "cut off"]
Time = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""Numbers in the range that systems accept; an entry on disk may hold others."""


@dataclass(frozen=True, slots=True)
class Write:
    """One file's change. `before` and `after` are SHA-256 hashes of the whole file, None for a missing file.

    `folders_made` counts the folders that had to be made for the file. A file that is not text has no `inserted`. A
    write is recorded first and `done` is set once the file is in place, so that a write which a crash prevented is
    known. `displaced` is the hash of what another program had written there at the last moment, which is stored beside
    the before-image. `packed` locates the before-image if several share one file: that file's number, and the image's
    offset and length in it. `of` is the index of the write that this write undoes, in the entry that its own entry
    undoes; `taken` says that this write has itself been undone.
    """

    path: str
    offset: Count
    removed: str
    inserted: str
    before: str | None
    after: str | None
    mtime_ns: Time | None = None
    folders_made: Count = 0
    done: bool = False
    displaced: str | None = None
    packed: tuple[Count, Count, Count] | None = None
    of: Count | None = None
    taken: bool = False

    @property
    def splice(self) -> Splice:
        """The change, relative to the file's text just before it."""
        return Splice(self.offset, self.removed, self.inserted)


@dataclass(frozen=True)
class Entry:
    """Everything that one command wrote. `id` is the folder's name: number and command; `when` an ISO date and time.

    An undo is an entry as well, and `undoes` is the id of the entry that it undoes. `undoing` is set while it is in
    progress, so an undo that still has it was interrupted. Old entries have `undoing` set themselves while they are
    undone. `complete` is False until the last write is made, so an entry that still lacks it was interrupted.
    """

    id: str
    command: str
    session: str
    when: str
    writes: tuple[Write, ...] = field(default=())
    undone: bool = False
    undoing: bool = False
    complete: bool = True
    undoes: str = ""

    @property
    def state(self) -> State:
        """The state in one or two words, "" for an entry that is whole and in effect."""
        if self.undone:
            return "undone"
        if self.undoing or not self.complete or not all(write.done for write in self.writes):
            return "cut off"
        return "partly undone" if any(write.taken for write in self.writes) else ""

    @property
    def number(self) -> str:
        """The number in the id, or the id itself if it has none."""
        return _number(self.id)

    def with_write(self, index: int, **changes: Any) -> "Entry":
        """Return a copy of the entry with changes to the write `index`, -1 for the last one."""
        writes = [*self.writes]
        writes[index] = replace(writes[index], **changes)
        return replace(self, writes=tuple(writes))

    def with_undone(self, indices: Iterable[int], *, is_undone: bool) -> "Entry":
        """Return a copy of the entry with `taken` set to `is_undone` for some writes; undone if all writes are."""
        index_set = {*indices}
        writes = (
            replace(each, taken=is_undone) if index in index_set else each for index, each in enumerate(self.writes)
        )
        entry = replace(self, writes=tuple(writes))
        return replace(entry, undone=all(write.taken for write in entry.writes))

    def with_done(self, indices: Iterable[int]) -> "Entry":
        """Return a copy of the entry with some writes marked as done."""
        index_set = {*indices}
        writes = (replace(write, done=True) if index in index_set else write for index, write in enumerate(self.writes))
        return replace(self, writes=tuple(writes))

    def up_to(self, count: int) -> "Entry":
        """Return a copy of the entry with its first `count` writes only."""
        return replace(self, writes=self.writes[:count])

    def with_first_done(self, count: int) -> "Entry":
        """Return a copy of the entry with its first `count` writes only, all marked as done."""
        return self.up_to(count).with_done(range(count))

    @property
    def was_made(self) -> bool:
        """Whether any of the writes is known to have been made, wherever the files are now."""
        return any(write.done for write in self.writes)

    def is_named_by(self, word: str) -> bool:
        """Return whether `word` names this entry: its number, its id, or its id in today's format."""
        number = self.id.partition("-")[0]
        if word.isdecimal() and number.isdecimal():
            return word.lstrip("0") == number.lstrip("0")
        return word == self.id or word == make_shell_safe(self.id)

    @property
    def title(self) -> str:
        """Command, session and time for people: `log of 20261103-dragon-citadel-k3f9, 3 November 2026 20:15`."""
        return self._format_title(_number(self.undoes) or self.session)

    @property
    def short(self) -> str:
        """Command and time for people, without the session id: `log, 3 November 2026 20:15`."""
        return self._format_title(_number(self.undoes))

    def _format_title(self, of: str) -> str:
        what = f"{self.command} of {of}" if of else self.command
        try:
            when = datetime.fromisoformat(self.when)
        except ValueError:
            return f"{what}, {self.when}"
        return f"{what}, {when.day} {when:%B %Y %H:%M}"


def _number(entry_id: str) -> str:
    number = entry_id.partition("-")[0]
    return number.lstrip("0") or "0" if number.isdecimal() else entry_id


def make_shell_safe(name: str) -> str:
    """Return a name that a shell takes without quotes: letters, digits and hyphens, as in `000001-check-fix`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


JOURNALS = ".vaultkit/journals"
"""The folder in a vault for the journals of games and the scores of paper games."""
LOCK = "lock"
"""The file in `.vaultkit` that is locked for the process that writes into the vault."""
IGNORE = """# vaultkit keeps its history and journals here; they need no versions.
history/
journals/
lock
.gitignore
"""


def own_folder(root: Path) -> Path:
    """Return the folder `.vaultkit` of a vault, made if missing, with a `.gitignore` for its volatile contents."""
    folder = root / files.VAULTKIT_FOLDER
    if not folder.resolve().is_relative_to(root):
        raise WriteError(
            "The folder .vaultkit leads out of the vault, where nothing of your notes is to be written.",
            where=str(folder),
            hint="Make it a folder of the vault.",
        )
    with translate_os_errors("vaultkit cannot keep its files in this vault", folder):
        files.refuse_links(folder)
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            files.sync_folder(root)
    _complete_ignore_file(folder / ".gitignore")
    return folder


def _complete_ignore_file(file: Path) -> None:
    """Add the lines of IGNORE that a `.gitignore` lacks, as after a crash, and keep all existing lines.

    A line that is commented out or negated is not added again. Errors are ignored, so that commands can go on.
    """
    with contextlib.suppress(OSError, VaultkitError):
        try:
            data = files.read_state(file)
        except FileNotFoundError:
            create(file, IGNORE.encode())
            return
        if not data.strip(b"\0\r\n\t "):
            put(file, IGNORE.encode())
        elif missing := _missing_lines(data):
            end = b"" if data.endswith(b"\n") else b"\n"
            with files.open_state(file, "ab") as stream:
                stream.write(end + b"".join(line + b"\n" for line in missing))


def _missing_lines(data: bytes) -> list[bytes]:
    names = {line.strip().lstrip(b"#! /").rstrip(b"/") for line in data.splitlines()}
    lines = (line for line in IGNORE.encode().splitlines() if not line.startswith((b"#", b".gitignore")))
    return [line for line in lines if line.rstrip(b"/") not in names]


def private_folder(root: Path, name: str) -> Path:
    """Return the folder `.vaultkit/<name>` of a vault, made if missing and kept out of git."""
    folder = own_folder(root) / name
    with translate_os_errors("vaultkit cannot keep its files in this vault", folder):
        files.refuse_links(folder)
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)  # private to the owner, since it holds copies of notes
            files.sync_folder(folder.parent)
        with contextlib.suppress(OSError):  # earlier versions and sync tools make it readable by others
            if os.name == "posix" and folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
    return folder
