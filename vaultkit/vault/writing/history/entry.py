"""What one command wrote into a vault: its files one by one, as splices with hashes."""

import re
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Write:
    """One file's change: `before` is None if the write made the file. Hashes are SHA-256 of the whole file.

    `folders_made` counts the folders that had to be made for it. A file that is not text has no `inserted`.
    A write is recorded first and `done` once the file is there, so one that a crash prevented is known for what it is.
    `displaced` is the hash of what another program had put there in the last instant, kept beside the before-image.
    """

    path: str
    offset: int
    removed: str
    inserted: str
    before: str | None
    after: str
    mtime_ns: int | None = None
    folders_made: int = 0
    done: bool = False
    displaced: str | None = None


@dataclass(frozen=True)
class Entry:
    """All that one command wrote. `id` is its folder's name, its number and the command; `when` an ISO date and time.

    While it is being taken back it is `undoing`; if it stays so, that was cut off, and undoing it again goes on.
    """

    id: str
    command: str
    session: str
    when: str
    writes: tuple[Write, ...] = field(default=())
    undone: bool = False
    undoing: bool = False

    @property
    def happened(self) -> bool:
        """Whether any of its writes is known to have been made, wherever the files are now."""
        return any(write.done for write in self.writes)

    def goes_by(self, word: str) -> bool:
        """Whether a person means this one by `word`: its id, as it is or as it would be now, or its number."""
        number = self.id.partition("-")[0]
        if word.isdecimal() and number.isdecimal():
            return int(word) == int(number)
        return word == self.id or word == plain(self.id)

    @property
    def title(self) -> str:
        """What it was and when, for people: `log of 20261103-dragon-citadel-k3f9, 3 November 2026 20:15`."""
        what = f"{self.command} of {self.session}" if self.session else self.command
        try:
            when = datetime.fromisoformat(self.when)
        except ValueError:
            return f"{what}, {self.when}"
        return f"{what}, {when.day} {when:%B %Y %H:%M}"


def plain(name: str) -> str:
    """A name as a shell takes it without quotes: letters, digits and hyphens; `000001-check-fix`."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
