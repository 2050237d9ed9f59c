"""Errors and problems, worded for game masters, and the exit codes that go with them."""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Literal


class ExitCode(IntEnum):
    """The exit codes of the process."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    INVALID = 3
    NOTHING = 4
    WRITE = 5
    BUG = 70
    INTERRUPTED = 130


class VaultkitError(Exception):
    """One clear error: what is wrong, where (note, and line where known), and what to do about it.

    `written` and `unwritten` are vault paths: what a command wrote before the error, and what it did not write.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.INVALID

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint
        self.written: tuple[str, ...] = ()
        self.unwritten: tuple[str, ...] = ()

    @property
    def in_full(self) -> str:
        """The message, and behind it what to do."""
        return f"{self.message} {self.hint}".strip()


class UsageError(VaultkitError):
    """The command was given something that it does not know or cannot use."""

    exit_code = ExitCode.USAGE


class InvalidError(VaultkitError):
    """A vault, note, setting or journal is missing, or cannot be read as what it should be."""

    exit_code = ExitCode.INVALID


class NothingFound(VaultkitError):
    """The question was fine and nothing answers it: no such deck, card or session."""

    exit_code = ExitCode.NOTHING


class MissingNote(NothingFound):
    """A note that was named is not there: to the shell the same as a note that cannot be read.

    `guess` is the sentence that asks for the note that may be meant, "" if no name is like it.
    """

    exit_code = ExitCode.INVALID

    def __init__(self, message: str, *, where: str = "", hint: str = "", guess: str = "") -> None:
        super().__init__(message, where=where, hint=guess or hint)
        self.guess = guess


class WriteError(VaultkitError):
    """A file could not be written, or must not be: locked, read-only, changed since it was read."""

    exit_code = ExitCode.WRITE


Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong in a note; collected, never raised, so that one bad note stops nothing.

    `note` is the vault path with `/`; `line` and `column` count code points from 1, and 0 means the whole note.
    `cause` is one of those that a diagnosis of many problems tells once.
    """

    note: str
    line: int
    column: int
    code: str
    message: str
    hint: str = ""
    severity: Severity = "error"
    cause: str = "other"

    @property
    def in_full(self) -> str:
        """The message, and behind it what to do."""
        return f"{self.message} {self.hint}".strip()
