"""The append-only save file of a game: a header, then one line for each event.

Every line has reached the disk before anybody is shown its contents. The exception is a line that follows from the seed
and the lines before it: after a power cut it is produced again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.games.ledger import LedgerLine
from vaultkit.session import journal_files, journal_records, schema_1
from vaultkit.session.journal_files import PAPER_SUFFIX, SUFFIX, find_journal
from vaultkit.session.journal_records import (
    SCHEMA,
    AnyHeader,
    AnyRecord,
    ConcedeRecord,
    DealRecord,
    EditRecord,
    EndRecord,
    EntryRecord,
    Header,
    Line,
    MoveRecord,
    PaperHeader,
    ScoresRecord,
    StepRecord,
    SwapRecord,
    UndoRecord,
    encode,
)

if TYPE_CHECKING:
    from filelock import BaseFileLock


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of the journal of a game.

    `length` is the number of intact bytes. `remark` is a sentence about an incomplete last line, which is left out, or
    "".
    """

    header: Header
    lines: tuple[Line, ...]
    length: int
    remark: str = ""

    @property
    def steps(self) -> tuple[Line, ...]:
        """The steps of the game, with every undo and every swap applied."""
        steps: list[Line] = []
        for line in self.lines:
            if isinstance(line.record, UndoRecord):
                del steps[line.record.to :]
            elif isinstance(line.record, StepRecord):
                steps.append(line)
        if any(isinstance(line.record, SwapRecord) for line in self.lines):
            return tuple(self._apply_swaps(steps))
        return tuple(steps)

    def _apply_swaps(self, steps: list[Line]) -> list[Line]:
        """Return the steps with the two cards of every later swap exchanged in them.

        The lines are read backwards, so that each step is changed only once.
        """
        numbers = {step.number for step in steps}
        replacements, swapped = dict[str, str](), list[Line]()
        for line in reversed(self.lines):
            if isinstance(line.record, SwapRecord):
                card, other = line.record.cards
                replacements[card], replacements[other] = replacements.get(other, other), replacements.get(card, card)
            elif isinstance(line.record, StepRecord) and line.number in numbers:
                swapped.append(Line(line.number, line.record.exchange(replacements)))
        return swapped[::-1]

    @property
    def move_count(self) -> int:
        """The number of decisions made so far, without deals and without undone decisions."""
        return sum(isinstance(line.record, MoveRecord) for line in self.steps)

    @property
    def end(self) -> EndRecord | None:
        """The end record of a finished game, None for an unfinished one."""
        last = self.lines[-1].record if self.lines else None
        return last if isinstance(last, EndRecord) else None

    @property
    def free_undo_count(self) -> int:
        """The number of undos that the safe rule would have refused (G-8)."""
        return sum(isinstance(line.record, UndoRecord) and line.record.free for line in self.lines)


@dataclass(frozen=True, slots=True)
class PaperContents:
    """The contents of a game with real cards: its entries without undone ones, and its scores once it is over.

    `edits` are corrections of the scores, the last one at the end.

    `length` is the number of intact bytes. `remark` is a sentence about an incomplete last line, which is left out, or
    "".
    """

    header: PaperHeader
    entries: tuple[LedgerLine, ...]
    scores: ScoresRecord | None
    length: int = 0
    remark: str = ""
    edits: tuple[EditRecord, ...] = ()


AnyContents = TypeVar("AnyContents", Contents, PaperContents)


class Journal:
    """A journal that this process alone holds open for writing."""

    def __init__(self, path: Path, lock: "BaseFileLock", length: int) -> None:
        self.path = path
        self._lock = lock
        self._length = length
        self._failed: list[bytes] = []

    @classmethod
    def create(cls, folder: Path, header: AnyHeader) -> Self:
        """Create a journal with its header in `folder`.

        Raises WriteError if a journal of that name exists, or if the folder cannot be written.
        """
        path = folder / f"{header.session}{SUFFIX}"
        lock = journal_files.lock(path)
        try:
            first = encode(header)
            journal_files.create(path, first)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock, len(first))

    @classmethod
    def reopen(cls, path: Path, read_file: "Callable[[Path], AnyContents]") -> "tuple[Self, AnyContents]":
        """Open a journal for appending, and return it with its contents; `read_file` is `read` or `read_paper`.

        An incomplete last line is removed from a file of schema 2 or later. Raises WriteError while another process
        holds the journal, and InvalidError if it cannot be read.
        """
        if not files.is_file(path):
            raise _missing_file_error(path)
        lock = journal_files.lock(path)
        try:
            # Another process may have upgraded the game to a new file since the caller looked up the path.
            path = find_journal(path.parent, path.stem) or path
            contents = read_file(path)
            if contents.remark and path.suffix == SUFFIX:
                journal_files.truncate(path, contents.length)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock, contents.length), contents

    def upgrade(self, header: AnyHeader, lines: Iterable[AnyRecord]) -> None:
        """Copy a journal of an older schema to a new file in the present schema, and continue in the new file.

        The file of schema 1 stays as it is, and that of schema 2 is replaced. The new file appears only when it is
        complete, and is read instead of the old one from then on. Raises WriteError if it cannot be written.
        """
        if self.path.suffix == SUFFIX and header.schema == SCHEMA:
            return
        content = b"".join(map(encode, (msgspec.structs.replace(header, schema=SCHEMA), *lines)))
        path = self.path.with_suffix(SUFFIX)
        journal_files.create_whole(path, content)
        self.path, self._length = path, len(content)

    def append(self, record: AnyRecord, *, waits: bool = True) -> None:
        """Append one record; with `waits`, it has reached the disk on return.

        Raises WriteError if the record cannot be written; the journal is then unchanged.
        """
        line = encode(record)
        try:
            journal_files.append(self.path, line, self._length, self._failed, waits=waits)
            self._length += len(line)
        except journal_files.JournalChanged:
            raise
        except BaseException:
            self._failed.append(line)
            raise
        self._failed.clear()

    def close(self) -> None:
        """Release the journal for other processes."""
        self._lock.release()


def read(path: Path) -> Contents:
    """Return the contents of the journal of a game.

    Raises InvalidError with the number of the first line that cannot be right.
    """
    header, lines, length, remark = _read_lines(path)
    if not isinstance(header, Header):
        raise InvalidError("This is a game with real cards of which no cards were dealt here.", where=str(path))
    _check_order(lines, str(path))
    return Contents(header, lines, length, remark)


def read_paper(path: Path) -> PaperContents:
    """Return the contents of a game with real cards of which only the scores or some entries are recorded.

    Raises InvalidError with the number of the first line that cannot be right.
    """
    header, lines, length, remark = _read_lines(path)
    if not isinstance(header, PaperHeader):
        raise InvalidError("This is not a game from paper.", where=str(path))
    entries: list[LedgerLine] = []
    scores: ScoresRecord | None = None
    edits: list[EditRecord] = []
    for line in lines:
        match line.record:
            case EntryRecord(n=n, words=words) if n == len(entries) + 1 and scores is None and header.started:
                entries.append(words)
            case UndoRecord(to=to) if 0 <= to < len(entries) and scores is None:
                del entries[to:]
            case ScoresRecord() as found if scores is None and len(found.seats) == len(header.names):
                scores = found
            case EditRecord() as edit if scores is not None and len(edit.scores.seats) == len(edit.names) > 0:
                edits.append(edit)
            case _:
                raise _order_error(line.number, str(path))
    if scores is None and header.started is None:
        raise InvalidError("The scores are missing.", where=str(path))
    return PaperContents(header, tuple(entries), scores, length, remark, tuple(edits))


def _read_lines(path: Path) -> tuple[AnyHeader, tuple[Line, ...], int, str]:
    """Return the header, the later lines, the length of both in bytes, and a remark on an incomplete last line."""
    if path.suffix == PAPER_SUFFIX:
        paper, paper_records = schema_1.read_paper(path)
        return paper, tuple(Line(number, record) for number, record in enumerate(paper_records, 2)), 0, ""
    where, header, lines, length, remark = str(path), None, list[Line](), 0, ""
    decode, number = journal_records.decode_record, 0
    try:
        for number, (row, next_row) in enumerate(pairwise(chain(_rows(path), (b"",))), 1):
            if not next_row and _is_torn(row):
                remark = f"Line {number} was cut off as it was written and is left out."
                break
            if header is None:
                is_old = journal_records.schema_of(row, where) == 1
                header = schema_1.decode_header(row) if is_old else journal_records.decode_header(row)
                decode = schema_1.decode_record if is_old else journal_records.decode_record
            else:
                lines.append(Line(number, decode(row)))
            length += len(row)
    except journal_records.DECODE_ERRORS as error:
        raise InvalidError(f"Line {number} of the journal cannot be read: {error}", where=where) from error
    if header is None:
        raise InvalidError("The journal was cut off before its first line: nothing was played.", where=where)
    return header, tuple(lines), length, remark


def _is_torn(row: bytes) -> bool:
    """Return whether the last line is incomplete.

    A power cut leaves half a line, or zero bytes where data never arrived.
    """
    return not row.endswith(b"\n") or b"\0" in row


def _rows(path: Path) -> Iterator[bytes]:
    try:
        yield from files.read_lines(path)
    except files.FileRefused as error:
        raise files.unreadable_error("The journal", error, str(path)) from error
    except OSError as error:
        raise _missing_file_error(path) from error


def _check_order(lines: tuple[Line, ...], where: str) -> None:
    """Raise InvalidError for the first line that cannot come after the lines before it."""
    steps, is_over = 0, False
    for line in lines:
        match line.record:
            case MoveRecord(n=n) | DealRecord(n=n) | ConcedeRecord(n=n):
                follows = n == steps + 1
                steps = n
            case UndoRecord(to=to):
                follows = 0 <= to < steps
                steps = to
            case SwapRecord() | EndRecord():
                follows = True
            case _:
                follows = False
        if not follows or is_over:
            raise _order_error(line.number, where)
        is_over = isinstance(line.record, EndRecord)


def _order_error(number: int, where: str) -> InvalidError:
    return InvalidError(f"Line {number} of the journal does not follow the line before it.", where=where)


def _missing_file_error(path: Path) -> InvalidError:
    return InvalidError("The journal is missing or cannot be read.", where=str(path))
