"""Entries of the history, each with everything that one command wrote, and the folder `.vaultkit` that holds them."""

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

Word = Annotated[str, Meta(max_length=1_000)]
State = Literal["", "undone", "partly undone", "cut off"]
Time = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""Like Time, a number checked when an entry is read, since a damaged entry may hold one that systems refuse."""


@dataclass(frozen=True, slots=True)
class Write:
    """A change of one file. `before` and `after` are SHA-256 hashes of the whole file, None for a missing file.

    `folders_made` is the number of folders that were created for the file. `inserted` is "" for a binary file. `done`
    is False when the write is recorded and True once it is made, so that a crash between the two can be noticed.
    `displaced` is the hash of a text that another program wrote at the last moment; the text is stored in the history.
    `packed` is the place of the file's content before the write if one file holds several: the number in that file's
    name, the offset and the length. In an undo, `of` is the index of the write that this write reverts, in the entry
    that is undone. `taken` is True if this write was itself undone.
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
    """A record of everything that one command wrote.

    `id` is the name of its folder, a number and the command; `when` is an ISO date and time. An undo is an entry as
    well: `undoes` is the id of the entry that it undoes, and `undoing` is True while it is in progress or if it was
    interrupted. (Old versions of vaultkit set `undoing` in the entry that is undone.) `complete` is False while the
    command writes or if it was interrupted.
    """

    id: Word
    command: Word
    session: Word
    when: Word
    writes: tuple[Write, ...] = field(default=())
    undone: bool = False
    undoing: bool = False
    complete: bool = True
    undoes: Word = ""

    @property
    def state(self) -> State:
        """The state in one or two words; "" for an entry that is complete and not undone."""
        if self.undone:
            return "undone"
        if self.undoing or not self.complete or not all(write.done for write in self.writes):
            return "cut off"
        return "partly undone" if any(write.taken for write in self.writes) else ""

    @property
    def number(self) -> str:
        """The number in the id, or the id itself if it has none."""
        return _entry_number(self.id)

    def with_write(self, index: int, **changes: Any) -> "Entry":
        """Return a copy of the entry with changes to the write `index`, -1 for the last one."""
        writes = [*self.writes]
        writes[index] = replace(writes[index], **changes)
        return replace(self, writes=tuple(writes))

    def with_changes(self, indices: Iterable[int], **changes: Any) -> "Entry":
        """Return a copy of the entry with changes to the writes at `indices`; an index without a write is ignored."""
        index_set = {*indices}
        writes = (replace(each, **changes) if index in index_set else each for index, each in enumerate(self.writes))
        return replace(self, writes=tuple(writes))

    def with_undone(self, indices: Iterable[int], *, is_undone: bool) -> "Entry":
        """Return a copy of the entry with `taken` set to `is_undone` for the writes at `indices`.

        The entry is `undone` if all its writes are.
        """
        entry = self.with_changes(indices, taken=is_undone)
        return replace(entry, undone=all(write.taken for write in entry.writes))

    def with_first_writes(self, count: int) -> "Entry":
        """Return a copy of the entry with its first `count` writes only."""
        return replace(self, writes=self.writes[:count])

    @property
    def has_done_writes(self) -> bool:
        """Whether any of the writes is marked as done."""
        return any(write.done for write in self.writes)

    def is_named_by(self, word: str) -> bool:
        """Return whether `word` is the entry's number, its id, or its id without characters that shells interpret."""
        number = self.id.partition("-")[0]
        if word.isdecimal() and number.isdecimal():
            return word.lstrip("0") == number.lstrip("0")
        return word == self.id or word == make_shell_safe(self.id)

    @property
    def title(self) -> str:
        """The command, session and time: `log of 20261103-dragon-citadel-k3f9, 3 November 2026 20:15`."""
        return self._format_title(_entry_number(self.undoes) or self.session)

    @property
    def short(self) -> str:
        """The command and time, without the session: `log, 3 November 2026 20:15`."""
        return self._format_title(_entry_number(self.undoes))

    def _format_title(self, subject: str) -> str:
        command_phrase = f"{self.command} of {subject}" if subject else self.command
        try:
            when = datetime.fromisoformat(self.when)
        except ValueError:
            return f"{command_phrase}, {self.when}"
        return f"{command_phrase}, {when.day} {when:%B %Y %H:%M}"


def _entry_number(entry_id: str) -> str:
    number = entry_id.partition("-")[0]
    return number.lstrip("0") or "0" if number.isdecimal() else entry_id


def make_shell_safe(name: str) -> str:
    """Return a name of letters, digits and hyphens, which a shell takes without quotes: `000001-check-fix`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


JOURNALS_FOLDER = ".vaultkit/journals"
"""The folder in a vault for the journals of games and the scores of paper games."""
LOCK_FILE = "lock"
"""The name of the file in `.vaultkit` that a process locks while it writes into the vault."""
GITIGNORE_TEXT = """# vaultkit keeps its history and journals here; they need no versions.
history/
journals/
lock
.gitignore
"""


def own_folder(root: Path) -> Path:
    """Return the folder `.vaultkit` of a vault; create it if missing, and complete its `.gitignore`.

    Raises WriteError if it leads out of the vault or cannot be created.
    """
    folder = root / files.VAULTKIT_FOLDER
    if not folder.resolve().is_relative_to(root):
        message = "The folder .vaultkit leads out of the vault, where vaultkit must not write."
        raise WriteError(message, where=str(folder), hint="Make it a folder of the vault.")
    with translate_os_errors("vaultkit cannot keep its files in this vault", folder):
        files.refuse_links(folder)
        files.make_folder(folder)
    _complete_ignore_file(folder / ".gitignore")
    return folder


def _complete_ignore_file(file: Path) -> None:
    """Add the lines of GITIGNORE_TEXT that a `.gitignore` lacks, and keep all existing lines.

    A line that is commented out or negated there is not added again. Errors are ignored, since the file is optional.
    """
    with contextlib.suppress(OSError, VaultkitError):
        try:
            data = files.read_state(file)
        except FileNotFoundError:
            create(file, GITIGNORE_TEXT.encode())
            return
        if not data.strip(b"\0\r\n\t "):
            put(file, GITIGNORE_TEXT.encode())
        elif missing := _find_missing_lines(data):
            separator = b"" if data.endswith(b"\n") else b"\n"
            with files.open_state(file, "ab") as stream:
                stream.write(separator + b"".join(line + b"\n" for line in missing))


def _find_missing_lines(data: bytes) -> list[bytes]:
    names = {line.strip().lstrip(b"#! /").rstrip(b"/") for line in data.splitlines()}
    lines = (line for line in GITIGNORE_TEXT.encode().splitlines() if not line.startswith((b"#", b".gitignore")))
    return [line for line in lines if line.rstrip(b"/") not in names]


def private_folder(root: Path, name: str) -> Path:
    """Return the folder `.vaultkit/<name>` of a vault; create it if missing, readable by its owner only.

    Raises WriteError if it cannot be created.
    """
    folder = own_folder(root) / name
    with translate_os_errors("vaultkit cannot keep its files in this vault", folder):
        files.refuse_links(folder)
        files.make_folder(folder, 0o700)  # private to the owner, since it holds copies of notes
        with contextlib.suppress(OSError):  # earlier versions and sync tools made it readable by others
            if os.name == "posix" and folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
    return folder
