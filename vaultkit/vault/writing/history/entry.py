"""Entries of the history: all that one command wrote, file by file, as splices with hashes."""

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
from vaultkit.vault.writing.atomic import create, put, refusing
from vaultkit.vault.writing.splice import Splice

State = Literal["", "undone", "partly undone", "cut off"]
Time = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""Numbers as systems take them; a file may hold others."""


@dataclass(frozen=True, slots=True)
class Write:
    """One file's change: `before` is None if it made the file, `after` if it removed it. Hashes are SHA-256 of it all.

    `folders_made` counts the folders that had to be made for it. A file that is not text has no `inserted`.
    A write is recorded first and `done` once the file is there, so one that a crash prevented is known for what it is.
    `displaced` is the hash of what another program had put there in the last instant, kept beside the before-image.
    `packed` says where its before-image lies if those of many writes are in one file: the number of that file, and
    the first byte and the length in it. `of` is the index of the write that this one takes back, in the entry that its
    own entry undoes; `taken` says that this one has been taken back itself.
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
        """The change as it was made in the text of that time."""
        return Splice(self.offset, self.removed, self.inserted)


@dataclass(frozen=True)
class Entry:
    """All that one command wrote. `id` is its folder's name, its number and the command; `when` an ISO date and time.

    An undo is an entry as well, and `undoes` the id of another. While it goes on it is `undoing`; if it stays so, it
    was cut off. Entries of before that was so are `undoing` themselves while they are taken back.
    Until the last of its writes is made it is not `complete`; if it stays so, the command was cut off.
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
        """Its state in a word, "" for one that stands whole."""
        if self.undone:
            return "undone"
        if self.undoing or not self.complete or not all(write.done for write in self.writes):
            return "cut off"
        return "partly undone" if any(write.taken for write in self.writes) else ""

    @property
    def number(self) -> str:
        """Its number, or its id if that has none."""
        return _number(self.id)

    def with_write(self, index: int, **changes: Any) -> "Entry":
        """The same with another write `index`, the last one for -1."""
        writes = [*self.writes]
        writes[index] = replace(writes[index], **changes)
        return replace(self, writes=tuple(writes))

    def with_taken(self, indices: Iterable[int], *, taken: bool) -> "Entry":
        """The same with these writes taken back, or standing again; undone if none stands."""
        chosen = {*indices}
        writes = (replace(one, taken=taken) if at in chosen else one for at, one in enumerate(self.writes))
        entry = replace(self, writes=tuple(writes))
        return replace(entry, undone=all(write.taken for write in entry.writes))

    def with_done(self, indices: Iterable[int]) -> "Entry":
        """The same with these writes done."""
        chosen = {*indices}
        writes = (replace(one, done=True) if at in chosen else one for at, one in enumerate(self.writes))
        return replace(self, writes=tuple(writes))

    def up_to(self, count: int) -> "Entry":
        """The same with its first writes alone."""
        return replace(self, writes=self.writes[:count])

    def first_done(self, count: int) -> "Entry":
        """The same with its first writes alone, all of them done."""
        return self.up_to(count).with_done(range(count))

    @property
    def happened(self) -> bool:
        """Whether any of its writes is known to have been made, wherever the files are now."""
        return any(write.done for write in self.writes)

    def goes_by(self, word: str) -> bool:
        """Whether a person means this one by `word`: its id, as it is or as it would be now, or its number."""
        number = self.id.partition("-")[0]
        if word.isdecimal() and number.isdecimal():
            return word.lstrip("0") == number.lstrip("0")
        return word == self.id or word == plain(self.id)

    @property
    def title(self) -> str:
        """Command and time, for people: `log of 20261103-dragon-citadel-k3f9, 3 November 2026 20:15`."""
        return self._titled(_number(self.undoes) or self.session)

    @property
    def short(self) -> str:
        """The same without the session, whose id says little: `log, 3 November 2026 20:15`."""
        return self._titled(_number(self.undoes))

    def _titled(self, of: str) -> str:
        what = f"{self.command} of {of}" if of else self.command
        try:
            when = datetime.fromisoformat(self.when)
        except ValueError:
            return f"{what}, {self.when}"
        return f"{what}, {when.day} {when:%B %Y %H:%M}"


def _number(entry_id: str) -> str:
    number = entry_id.partition("-")[0]
    return number.lstrip("0") or "0" if number.isdecimal() else entry_id


def plain(name: str) -> str:
    """A name as a shell takes it without quotes: letters, digits and hyphens; `000001-check-fix`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


JOURNALS = ".vaultkit/journals"
"""Where the journals of games lie in a vault, and the scores of games from paper."""
LOCK = "lock"
"""The file in `.vaultkit` that the system locks for the process that writes into the vault."""
IGNORE = """# vaultkit keeps its history and journals here; they need no versions.
history/
journals/
lock
.gitignore
"""


def own_folder(root: Path) -> Path:
    """Make `.vaultkit` in the vault if it is missing, with a `.gitignore` for what needs no versions; return it."""
    folder = root / files.OWN
    if not folder.resolve().is_relative_to(root):
        raise WriteError(
            "The folder .vaultkit leads out of the vault, where nothing of your notes is to be written.",
            where=str(folder),
            hint="Make it a folder of the vault.",
        )
    with refusing("vaultkit cannot keep its files in this vault", folder):
        files.refuse_links(folder)
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            files.sync_folder(root)
    _complete_ignore_file(folder / ".gitignore")
    return folder


def _complete_ignore_file(file: Path) -> None:
    """Add the lines of IGNORE that a `.gitignore` lacks, as after a crash; every line of a person's stays.

    One that is commented out, or negated, is not added again. Where this cannot be, nothing else is kept from going on.
    """
    with contextlib.suppress(OSError, VaultkitError):
        try:
            data = files.read_own(file)
        except FileNotFoundError:
            create(file, IGNORE.encode())
            return
        if not data.strip(b"\0\r\n\t "):
            put(file, IGNORE.encode())
        elif missing := _missing_lines(data):
            end = b"" if data.endswith(b"\n") else b"\n"
            with files.open_own(file, "ab") as stream:
                stream.write(end + b"".join(line + b"\n" for line in missing))


def _missing_lines(data: bytes) -> list[bytes]:
    names = {line.strip().lstrip(b"#! /").rstrip(b"/") for line in data.splitlines()}
    lines = (line for line in IGNORE.encode().splitlines() if not line.startswith((b"#", b".gitignore")))
    return [line for line in lines if line.rstrip(b"/") not in names]


def private_folder(root: Path, name: str) -> Path:
    """`.vaultkit/<name>` in the vault, made if missing and kept out of git."""
    folder = own_folder(root) / name
    with refusing("vaultkit cannot keep its files in this vault", folder):
        files.refuse_links(folder)
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)  # for its owner alone: it holds copies of notes
            files.sync_folder(folder.parent)
        with contextlib.suppress(OSError):  # one of an earlier version, or that a sync tool made, is open to others
            if os.name == "posix" and folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
    return folder
