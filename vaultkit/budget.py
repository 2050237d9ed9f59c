"""Limits of what one file of a stranger may have or take.

Each surface declares its limits as constants of the type `Limit`. They count bytes, items, steps, levels or pages.
"""

from vaultkit.errors import BudgetExceeded, Problem

MB = 1_000_000


class Limit:
    """The most of something in one file.

    `subject` begins the sentence about a file that exceeds the limit, such as `This deck has`; `unit` is what is
    counted, such as `cards`, and `hint` says what to do. `docs/limits.md` lists all limits.
    """

    __slots__ = ("hint", "maximum", "subject", "unit")

    def __init__(self, subject: str, maximum: int, unit: str, hint: str) -> None:
        self.subject, self.maximum, self.unit, self.hint = subject, maximum, unit, hint

    @property
    def amount(self) -> str:
        """The maximum with its unit; large numbers of bytes are in MB."""
        if self.unit.startswith("bytes") and self.maximum >= MB:
            return f"{self.maximum // MB} MB{self.unit.removeprefix('bytes')}"
        return f"{self.maximum:,} {self.unit.removesuffix('s') if self.maximum == 1 else self.unit}"

    @property
    def message(self) -> str:
        """The sentence about a file that exceeds the limit."""
        return f"{self.subject} more than {self.amount}."

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
