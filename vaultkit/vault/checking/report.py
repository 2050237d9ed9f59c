"""The result of a check of a vault, and its form in the index, which keeps it until something changes."""

from collections.abc import Container, Mapping
from operator import attrgetter

import msgspec

from vaultkit.errors import Problem, Severity
from vaultkit.vault.checking.causes import Cause, Mending, diagnose


class Report(msgspec.Struct, frozen=True):
    """The numbers of notes and links checked, the problems from top to bottom, and the number of excluded notes.

    `repair_infos` say how `check --fix` repairs problems, where it can. `lost_paths` has the missing path of a broken
    link, by the link's problem. `others` is the number of problems that `filter_by` has left out.
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
        """The number of problems that can be fixed without a guess."""
        return sum(self.mendings[problem].certain for problem in self.problems if problem in self.mendings)

    @property
    def command(self) -> str:
        """The command that shows the repairs of all problems that can be fixed without a guess."""
        generated = any(one.certain and one.generated for one in map(self.mendings.get, self.problems) if one)
        return f"vaultkit check --fix{' --generated' if generated else ''}"

    @property
    def causes(self) -> tuple[Cause, ...]:
        return diagnose(self.problems, self.mendings, self.lost)

    def of(self, name: str) -> "Report":
        """Return a copy of the report with only the problems of one cause or one code."""
        chosen = tuple(one for one in self.problems if name in (one.cause, one.code))
        return msgspec.structs.replace(self, problems=chosen, others=len(self.problems) - len(chosen))

    def without(self, places: Container[tuple[str, int, int, str]]) -> "Report":
        """Return a copy of the report without the problems at `places`: note, line, column and code each."""
        left = tuple(one for one in self.problems if (one.note, one.line, one.column, one.code) not in places)
        return msgspec.structs.replace(self, problems=left)

    @property
    def may_be_kept(self) -> bool:
        """Whether the report may be stored until something changes.

        Not if a file could not be read at all, since it may be readable next time although nothing has changed.
        """
        return not any(one.code == "unreadable" and not one.line for one in self.problems)

    def encoded(self) -> bytes:
        """Return the report as bytes, for `decode_report`."""
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
    """A report as plain values: each problem with its repair information and its missing path, if it has them."""

    notes: int
    links: int
    excluded: int
    rows: tuple[
        tuple[tuple[str, int, int, str, str, str, Severity, str], tuple[bool, bool, str] | None, str | None], ...
    ]


def decoded(data: bytes) -> Report | None:
    """Return the report that was stored as `data`, or None if the bytes are no report."""
    try:
        kept = msgspec.msgpack.decode(data, type=_Kept)
    except msgspec.MsgspecError:
        return None
    problems = tuple(Problem(*fields) for fields, _, _ in kept.rows)
    mendings = {one: Mending(*row[1]) for one, row in zip(problems, kept.rows, strict=True) if row[1] is not None}
    lost = {one: row[2] for one, row in zip(problems, kept.rows, strict=True) if row[2] is not None}
    return Report(kept.notes, kept.links, problems, kept.excluded, mendings, lost)
