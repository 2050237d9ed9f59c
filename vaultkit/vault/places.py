"""Offsets, lines and columns: from the parser's bytes to code points, and from those to what people count."""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate

LINE_END = re.compile(r"\r\n|\n|\r")
_CHUNK = 1024


class Places:
    """Line and column, from 1 in code points, of offsets in a text, and back.

    Questions that go from top to bottom are counted on from the last; one that goes back makes the table of all lines.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._countable = "\r" not in text or text.count("\r") == text.count("\r\n")
        self._line, self._offset, self._start = 1, 0, 0

    def line(self, offset: int) -> int:
        if not self._countable or offset < self._offset:
            return bisect_right(self._starts, offset)
        if passed := self._text.count("\n", self._offset, offset):
            self._line += passed
            self._start = self._text.rfind("\n", self._offset, offset) + 1
        self._offset = offset
        return self._line

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column."""
        return self.extent(offset, offset)[:2]

    def extent(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Line and column of `start`, then both offsets, as a Link has them."""
        line = self.line(start)
        first = self._start if start == self._offset and self._countable else self._starts[line - 1]
        return line, start - first + 1, start, end

    def start(self, line: int) -> int:
        """Where a line begins."""
        return self._starts[line - 1]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self._text))]


def offsets(body: str, base: int) -> Callable[[int], int]:
    """From the parser's byte offsets in a body to offsets in the text, in which the body begins at `base`."""
    return base.__add__ if body.isascii() else _Offsets(body, base).at


class _Offsets:
    """The same for a text with more than ASCII: it is encoded in chunks, so that a look-up decodes one at most."""

    def __init__(self, body: str, base: int) -> None:
        self._base = base
        self._chunks = [body[start : start + _CHUNK].encode() for start in range(0, len(body), _CHUNK)]
        self._starts = list(accumulate(map(len, self._chunks[:-1]), initial=0))

    def at(self, byte: int) -> int:
        number = bisect_right(self._starts, byte) - 1
        before = self._chunks[number][: byte - self._starts[number]].decode()
        return self._base + number * _CHUNK + len(before)
