"""Errors and problems worded for game masters, and the exit codes of the process."""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Literal


class ExitCode(IntEnum):
    """Exit codes of the process."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    INVALID = 3
    NOTHING = 4
    WRITE = 5
    BUG = 70
    INTERRUPTED = 130


class VaultkitError(Exception):
    """An error for the user: what is wrong, where (the note, and the line if known), and what to do about it.

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
    def message_with_hint(self) -> str:
        """The message, followed by the hint if there is one."""
        return f"{self.message} {self.hint}".strip()


class UsageError(VaultkitError):
    """An argument that a command does not know or cannot use."""

    exit_code = ExitCode.USAGE


class UnknownName(UsageError):
    """A name in an argument that nothing has, such as that of a game or a theme."""

    exit_code = ExitCode.NOTHING


class InvalidError(VaultkitError):
    """A vault, note, setting or journal that is missing or cannot be read as what it should be."""

    exit_code = ExitCode.INVALID


class BudgetExceeded(InvalidError):
    """A file that exceeds a limit. `where` names the file, and its line if that is known."""


class NothingFound(VaultkitError):
    """A valid question without a result: there is no such deck, card or session.

    `mentions` are the vault paths of notes that name what was asked for, but say nothing about it.
    """

    exit_code = ExitCode.NOTHING
    mentions: tuple[str, ...] = ()


class MissingNote(NothingFound):
    """A note that the user named but that does not exist.

    `guess` is a sentence that suggests the note that may be meant, "" if no name is similar.
    """

    def __init__(self, message: str, *, where: str = "", hint: str = "", guess: str = "") -> None:
        super().__init__(message, where=where, hint=guess or hint)
        self.guess = guess


class WriteError(VaultkitError):
    """A file that could not or must not be written: locked, read-only, or changed since it was read."""

    exit_code = ExitCode.WRITE


class TooManyOpenFiles(Exception):
    """The error of a system that lets the process open no more files; it ends a command, as too little memory does."""


def split_place(where: str) -> tuple[str, int]:
    """Return the path and the line of a place such as `Deck.md:12`; the line is 0 if none is named."""
    path, _, line = where.rpartition(":")
    return (path, int(line)) if path and line.isdecimal() else (where, 0)


Severity = Literal["error", "warning", "remark"]
"""How serious a problem is. Only errors change the exit code; a remark asks for nothing."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong in a note. Problems are collected, not raised, so that one bad note does not stop a command.

    `note` is the vault path with `/`; `line` and `column` count code points from 1, and 0 means the whole note. `cause`
    names the cause under which a diagnosis of many problems groups this one.
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
    def place(self) -> tuple[str, int, int, str]:
        """The note, line, column and code."""
        return self.note, self.line, self.column, self.code

    @property
    def message_with_hint(self) -> str:
        """The message, followed by the hint if there is one."""
        return f"{self.message} {self.hint}".strip()
