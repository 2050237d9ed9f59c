"""Limits of what one file of a stranger may have or take, and the error of a file that exceeds one.

Each surface declares its limits as constants of the type `Limit`. They count bytes, items, steps, levels or pages.
"""

from typing import NamedTuple

from vaultkit.errors import InvalidError, Problem


class BudgetExceeded(InvalidError):
    """A file that exceeds a limit. `where` names the file, and its line if that is known."""


class Limit(NamedTuple):
    """The most of something in one file.

    `subject` begins the sentence about a file that exceeds the limit, such as `This deck has`; `unit` is what is
    counted, such as `cards`, and `hint` says what to do.
    """

    subject: str
    maximum: int
    unit: str
    hint: str = ""

    @property
    def message(self) -> str:
        """The sentence about a file that exceeds the limit."""
        return f"{self.subject} more than {self.maximum:,} {self.unit}."

    def error(self, where: str = "") -> BudgetExceeded:
        """Return the error for the file `where`."""
        return BudgetExceeded(self.message, where=where, hint=self.hint)

    def check(self, count: float, where: str = "") -> None:
        """Raise BudgetExceeded if `count` exceeds the limit."""
        if count > self.maximum:
            raise self.error(where)

    def problem(self, note: str, code: str, line: int = 0) -> Problem:
        """Return the problem of a note that exceeds the limit, for commands that go on without it."""
        return Problem(note, line, min(line, 1), code, self.message, self.hint)


class Budget:
    """The count of steps, items or bytes that one file has taken of a limit."""

    def __init__(self, limit: Limit, where: str = "") -> None:
        self.limit, self.where, self.spent = limit, where, 0

    @property
    def is_exceeded(self) -> bool:
        return self.spent > self.limit.maximum

    def spend(self, count: int = 1) -> None:
        """Count further steps, items or bytes. Raises BudgetExceeded if there are too many."""
        self.spent += count
        self.limit.check(self.spent, self.where)
