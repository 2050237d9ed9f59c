"""The result of a check of a vault, and how the index keeps it until something has changed."""

from collections.abc import Container, Mapping
from operator import attrgetter

import msgspec

from vaultkit.errors import Problem, Severity
from vaultkit.vault.checking.causes import Cause, Mending, diagnose


class Report(msgspec.Struct, frozen=True):
    """How many notes and links were looked at, what was found, top to bottom, and how many notes were left out.

    `mendings` are how `check --fix` mends problems, where it can. `lost` are the paths that lead to no file, by the
    problem of their link. `others` are how many problems `of` has left out.
    """

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0
    mendings: Mapping[Problem, Mending] = {}
    lost: Mapping[Problem, str] = {}
    others: int = 0

    @property
    def mendable(self) -> int:
        """How many of the problems need no guess."""
        return sum(self.mendings[problem].certain for problem in self.problems if problem in self.mendings)

    @property
    def command(self) -> str:
        """The command that shows how those are mended, all of them."""
        generated = any(one.certain and one.generated for one in map(self.mendings.get, self.problems) if one)
        return f"vaultkit check --fix{' --generated' if generated else ''}"

    @property
    def causes(self) -> tuple[Cause, ...]:
        return diagnose(self.problems, self.mendings, self.lost)

    def of(self, name: str) -> "Report":
        """The same with the problems of one cause, or of one code, alone."""
        chosen = tuple(one for one in self.problems if name in (one.cause, one.code))
        return msgspec.structs.replace(self, problems=chosen, others=len(self.problems) - len(chosen))

    def without(self, places: Container[tuple[str, int, int, str]]) -> "Report":
        """The same without the problems at these places, which are a note, a line, a column and a code."""
        left = tuple(one for one in self.problems if (one.note, one.line, one.column, one.code) not in places)
        return msgspec.structs.replace(self, problems=left)

    @property
    def may_be_kept(self) -> bool:
        """Not if something could not be read at all: it may be readable the next time, though nothing has changed."""
        return not any(one.code == "unreadable" and not one.line for one in self.problems)

    def encoded(self) -> bytes:
        """The report as bytes, from which `decoded` makes it again."""
        rows = tuple(
            (
                _values(one),
                msgspec.structs.astuple(mending) if (mending := self.mendings.get(one)) else None,
                self.lost.get(one),
            )
            for one in self.problems
        )
        return msgspec.msgpack.encode(_Kept(self.notes, self.links, self.excluded, rows))


_values = attrgetter(*Problem.__match_args__)


class _Kept(msgspec.Struct, array_like=True):
    """A report as plain values: each problem with its mending and its lost path, where it has one."""

    notes: int
    links: int
    excluded: int
    rows: tuple[
        tuple[tuple[str, int, int, str, str, str, Severity, str], tuple[bool, bool, str] | None, str | None], ...
    ]


def decoded(data: bytes) -> Report | None:
    """The report that was kept as `data`; None for what is none."""
    try:
        kept = msgspec.msgpack.decode(data, type=_Kept)
    except msgspec.MsgspecError:
        return None
    problems = tuple(Problem(*fields) for fields, _, _ in kept.rows)
    mendings = {one: Mending(*row[1]) for one, row in zip(problems, kept.rows, strict=True) if row[1] is not None}
    lost = {one: row[2] for one, row in zip(problems, kept.rows, strict=True) if row[2] is not None}
    return Report(kept.notes, kept.links, problems, kept.excluded, mendings, lost)
