"""The report of a check of a vault, and its encoding for the index, which stores it until something changes."""

from collections.abc import Container, Mapping
from operator import attrgetter

import msgspec

from vaultkit.errors import Problem, Severity
from vaultkit.vault.checking.diagnosis import Cause, Group, LostName, RepairInfo, count_names, diagnose, group_of


class Report(msgspec.Struct, frozen=True):
    """The result of a check: the numbers of checked `notes` and `links`, the sorted `problems`, and more.

    `excluded` is the number of excluded notes. `repair_infos` says how `check --fix` repairs a problem, if it can.
    `lost` has the name of the missing note or folder for problems that stand for one. `others` is the number of
    problems that `filter_by` left out.
    """

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0
    repair_infos: Mapping[Problem, RepairInfo] = {}
    lost: Mapping[Problem, str] = {}
    others: int = 0

    @property
    def causes(self) -> tuple[Cause, ...]:
        return diagnose(self.problems, self.group_of, self.repair_infos)

    def group_of(self, problem: Problem) -> Group:
        """Return the only group of a problem."""
        return group_of(problem, self.repair_infos.get(problem))

    def lost_names(self, group_name: Group) -> list[LostName]:
        """Return the missing notes or folders that the problems of a group name, the ones with the most links first."""
        problems = (problem for problem in self.problems if self.group_of(problem) == group_name)
        return count_names({problem: self.lost[problem] for problem in problems if problem in self.lost})

    def filter_by(self, name: str) -> "Report":
        """Return a copy of the report with only the problems that have the group, cause or code `name`."""
        selected = tuple(
            problem for problem in self.problems if name in (problem.cause, problem.code, self.group_of(problem))
        )
        return msgspec.structs.replace(self, problems=selected, others=len(self.problems) - len(selected))

    def without_places(self, places: Container[tuple[str, int, int, str]]) -> "Report":
        """Return a copy of the report without the problems at `places`, each a note, line, column and code."""
        remaining = tuple(problem for problem in self.problems if problem.place not in places)
        return msgspec.structs.replace(self, problems=remaining)

    @property
    def can_be_stored(self) -> bool:
        """Whether the report stays valid until a file changes; False if a file was unreadable, perhaps temporarily."""
        return not any(problem.code == "unreadable" and not problem.line for problem in self.problems)

    def encode(self) -> bytes:
        """Return the report as bytes, for `decode_report`."""
        rows = tuple(
            (
                _problem_values(problem),
                msgspec.structs.astuple(info) if (info := self.repair_infos.get(problem)) else None,
                self.lost.get(problem),
            )
            for problem in self.problems
        )
        return msgspec.msgpack.encode(_StoredReport(self.notes, self.links, self.excluded, rows))


_problem_values = attrgetter(*Problem.__match_args__)


class _StoredReport(msgspec.Struct, array_like=True):
    """A report as plain values: a row has a problem's values, and its repair info and missing name or None."""

    notes: int
    links: int
    excluded: int
    rows: tuple[
        tuple[tuple[str, int, int, str, str, str, Severity, str], tuple[bool, bool, str] | None, str | None], ...
    ]


def decode_report(data: bytes) -> Report | None:
    """Return the report from the bytes of `Report.encode`, or None if they are not valid."""
    try:
        stored = msgspec.msgpack.decode(data, type=_StoredReport)
    except msgspec.MsgspecError:
        return None
    problems = tuple(Problem(*fields) for fields, _, _ in stored.rows)
    repair_infos = {
        problem: RepairInfo(*row[1]) for problem, row in zip(problems, stored.rows, strict=True) if row[1] is not None
    }
    lost_paths = {problem: row[2] for problem, row in zip(problems, stored.rows, strict=True) if row[2] is not None}
    return Report(stored.notes, stored.links, problems, stored.excluded, repair_infos, lost_paths)
