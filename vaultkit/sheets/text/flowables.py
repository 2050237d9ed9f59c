"""ReportLab's flowables, without the wait for a pattern of theirs that no sheet asks for."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LONG = 300
"""Letters of a pattern that is not compiled before it is used. ReportLab has one: addresses broken at their slashes."""


class _Later:
    """A pattern that is compiled when it is asked for something."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(*self._given), name)


@contextmanager
def _long_patterns_later() -> Iterator[None]:
    """That one takes more than half of the time in which all flowables load."""
    compiled = re.compile

    def compile_or_wait(pattern: Any, flags: int = 0) -> Any:
        wait = isinstance(pattern, str) and len(pattern) > _LONG
        return _Later(pattern, flags) if wait else compiled(pattern, flags)

    re.compile = compile_or_wait
    try:
        yield
    finally:
        re.compile = compiled


with _long_patterns_later():
    from reportlab.platypus import Flowable, HRFlowable, Paragraph, Table, TableStyle

__all__ = ["Flowable", "HRFlowable", "Paragraph", "Table", "TableStyle"]
