"""What a run of the whole suite collects: no test that it deselects, and one item for the cases of a simple test.

Pytest spends more time on an item than most of our cases take. Whoever names files or tests, and `make soak`, get an
item for each case.
"""

import re
from collections.abc import Callable, Collection
from functools import cache
from itertools import product
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest

from tests.counts import SOAK

Case = dict[str, Any]
_MarkedCase = type(pytest.param())
_SLOW = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow\b", re.MULTILINE)


@cache
def is_whole(config: pytest.Config) -> bool:
    """Whether the run is one of all test files, as of `make test` and `make test-slow`."""
    everything = [config.rootpath / path for path in config.getini("testpaths")]
    return not SOAK and not config.option.keyword and [Path(path).absolute() for path in config.args] == everything


def is_slow(text: str) -> bool:
    """Whether all tests of a file with this text are slow."""
    return bool(_SLOW.search(text))


def names_of_tests(text: str, *, quick: bool) -> list[str]:
    """Return the names of the tests in the text of a file; with `quick`, only of those that `make test` runs."""
    if quick:
        parts = [] if is_slow(text) else text.split("\n\n\n")
        text = "\n".join(part for part in parts if not re.search(r"@pytest\.mark\.slow\b", part))
    return re.findall(r"^ *(?:async )?def (test_\w+)", text, re.MULTILINE)


def is_needed(file: Path, config: pytest.Config) -> bool:
    """Whether the run has tests of the file: `make test` has none of a file whose tests are all slow."""
    return config.option.markexpr != "not slow" or not is_slow(file.read_text(encoding="utf-8"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out test files without a test of this run."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if is_test and is_whole(config) and not is_needed(collection_path, config) else None


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    """Return no items of a test that this run deselects, and one for all cases of a test without fixtures."""
    if not (name.startswith("test") and isinstance(obj, FunctionType) and is_whole(collector.config)):
        return None
    marks: list[pytest.Mark] = getattr(obj, "pytestmark", [])
    names = {mark.name for mark in marks} | {mark.name for mark in collector.iter_markers()}
    selected = collector.config.option.markexpr
    if selected == "not slow" and "slow" in names:
        return []
    if selected == "slow" and not names & {"slow", "short"} and not any(map(_has_marked_cases, marks)):
        return []
    cases = cases_of(obj, marks)
    return [pytest.Function.from_parent(collector, name=name, callobj=together(obj, cases))] if cases else None


def _has_marked_cases(mark: pytest.Mark) -> bool:
    return mark.name == "parametrize" and any(isinstance(value, _MarkedCase) for value in _values(mark))


def _values(mark: pytest.Mark) -> Collection[Any]:
    values = mark.args[1] if len(mark.args) > 1 else mark.kwargs.get("argvalues")
    return values if isinstance(values, Collection) else [pytest.param()]


def cases_of(function: Callable[..., None], marks: list[pytest.Mark]) -> list[Case]:
    """Return the arguments of each case, or nothing if the test needs more than its parameters."""
    if not marks or any(
        mark.name != "parametrize" or "indirect" in mark.kwargs or _has_marked_cases(mark) for mark in marks
    ):
        return []
    axes = []
    for mark in marks:
        names = mark.args[0]
        names = [one.strip() for one in names.split(",")] if isinstance(names, str) else [*names]
        axes.append([dict(zip(names, [value] if len(names) == 1 else value, strict=True)) for value in _values(mark)])
    cases = [{name: value for part in parts for name, value in part.items()} for parts in product(*axes)]
    code = cast(FunctionType, function).__code__
    needed = {*code.co_varnames[: code.co_argcount]}
    return [case for case in cases if case.keys() == needed]


def together(function: Callable[..., None], cases: list[Case]) -> Callable[[], None]:
    """Return a test that runs the test for each case, and reports every case that failed."""

    def run() -> None:
        failed, skipped = list[BaseException](), list[BaseException]()
        for case in cases:
            try:
                function(**case)
            except pytest.skip.Exception as reason:
                skipped.append(reason)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                error.add_note(f"case: {case!r}")
                failed.append(error)
        if failed:
            raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases failed", failed)
        if len(skipped) == len(cases):
            raise skipped[0]

    run.__doc__ = function.__doc__
    return run
