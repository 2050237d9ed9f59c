"""Regular expressions that are made when they are first used.

Two of those that ReportLab makes as it is loaded take longer than a page, and no sheet of ours uses them. Of those that
come with Typer and with all checks, most runs use a few.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

_compile = re.compile


class LatePattern:
    """A pattern, and its flags, that stands for what `re.compile` would make of it."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._pattern = pattern, flags

    @cached_property
    def _made(self) -> Any:
        return _compile(*self._pattern)

    def __getattr__(self, name: str) -> Any:
        self.__dict__[name] = found = getattr(self._made, name)
        return found


@contextmanager
def late_patterns() -> Iterator[None]:
    """Modules that are loaded within make their patterns late."""
    re.compile = LatePattern  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = _compile
