"""The append-only save of a game: a header, then one line for each thing that happened.

What stands in the file has happened: every line has reached the disk before anyone is shown what it says, but for
what follows from the seed and the lines before it: after a power cut that comes again as it was.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.session import disk
from vaultkit.session.records import Entry, Header, Line, decode_entry, decode_header, encode

if TYPE_CHECKING:
    from filelock import BaseFileLock

SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a journal. `length` counts the good bytes; `remark` tells of a torn last line, left out."""

    header: Header
    lines: tuple[Line, ...]
    length: int
    remark: str = ""

    @property
    def course(self) -> tuple[Line, ...]:
        """The steps that stand after every undo and every swap."""
        steps: list[Line] = []
        for line in self.lines:
            if line.entry.undo_to is not None:
                del steps[line.entry.undo_to :]
            elif line.entry.is_step:
                steps.append(line)
        return tuple(self._exchanged(steps)) if any(line.entry.swap for line in self.lines) else tuple(steps)

    def _exchanged(self, steps: list[Line]) -> list[Line]:
        """The steps as every later swap leaves them; from the last line on, so that each step is changed once."""
        standing = {step.number for step in steps}
        others, exchanged = dict[str, str](), list[Line]()
        for line in reversed(self.lines):
            if line.entry.swap is not None:
                one, other = line.entry.swap
                others[one], others[other] = others.get(other, other), others.get(one, one)
            elif line.number in standing:
                exchanged.append(Line(line.number, line.entry.exchange(others)))
        return exchanged[::-1]

    @property
    def end(self) -> Entry | None:
        """The last line of a finished game."""
        last = self.lines[-1].entry if self.lines else None
        return last if last and last.end is not None else None

    @property
    def free_undos(self) -> int:
        """How many times something was taken back that the safe rule protects (G-8)."""
        return sum(line.entry.free for line in self.lines)


class Journal:
    """A journal held open for writing by this process alone."""

    def __init__(self, path: Path, lock: "BaseFileLock", length: int) -> None:
        self.path = path
        self._lock = lock
        self._length = length
        self._failed: list[bytes] = []

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Begin a journal. Raises WriteError if there is one of that name, or the folder cannot be written."""
        lock = disk.lock(path)
        try:
            first = encode(header)
            disk.create(path, first)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock, len(first))

    @classmethod
    def reopen(cls, path: Path) -> tuple[Self, Contents]:
        """Go on with a journal; a torn last line is cut off. Raises WriteError while another process holds it."""
        if not path.is_file():
            raise _missing(path)
        lock = disk.lock(path)
        try:
            contents = read(path)
            if contents.remark:
                disk.truncate(path, contents.length)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock, contents.length), contents

    def append(self, entry: Entry, *, waits: bool = True) -> None:
        """Put one line on the disk; when this returns it is there, if it `waits`.

        Raises WriteError, the journal unchanged.
        """
        line = encode(entry)
        try:
            disk.append(self.path, line, self._length, self._failed, waits=waits)
            self._length += len(line)
        except disk.Changed:
            raise
        except BaseException:
            self._failed.append(line)
            raise
        self._failed.clear()

    def close(self) -> None:
        """Let other processes have it."""
        self._lock.release()


def read(path: Path) -> Contents:
    """Everything a journal says. Raises InvalidError that names the line that cannot be right."""
    where, header, lines, length, remark = str(path), None, list[Line](), 0, ""
    for number, (row, following) in enumerate(pairwise(chain(_rows(path), (b"",))), 1):
        if not following and _is_torn(row):
            remark = f"Line {number} was cut off as it was written and is left out."
            break
        if header is None:
            header = decode_header(row, where)
        else:
            lines.append(decode_entry(row, number, where))
        length += len(row)
    if header is None:
        raise InvalidError("The journal was cut off before its first line: nothing was played.", where=where)
    _check_order(tuple(lines), where)
    return Contents(header, tuple(lines), length, remark)


def _is_torn(row: bytes) -> bool:
    """Whether the last line is none: power cuts leave half lines, and zeros where data never arrived."""
    return not row.endswith(b"\n") or b"\0" in row


def _rows(path: Path) -> Iterator[bytes]:
    try:
        yield from files.read_lines(path)
    except files.Refused as error:
        raise InvalidError(f"The journal cannot be read: {error.strerror}.", where=str(path)) from error
    except OSError as error:
        raise _missing(path) from error


def _check_order(lines: tuple[Line, ...], where: str) -> None:
    steps, ended = 0, False
    for line in lines:
        entry = line.entry
        wrong = entry.is_step and entry.n != steps + 1
        wrong = wrong or (entry.undo_to is not None and not 0 <= entry.undo_to < steps)
        if wrong or ended:
            raise InvalidError(f"Line {line.number} of the journal does not follow the line before it.", where=where)
        steps = entry.undo_to if entry.undo_to is not None else steps + entry.is_step
        ended = entry.end is not None


def _missing(path: Path) -> InvalidError:
    return InvalidError("The journal is missing or cannot be read.", where=str(path))
