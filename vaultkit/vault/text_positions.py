"""Conversion of positions in texts: byte offsets to offsets in code points, and offsets to lines and columns."""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate

LINE_END = re.compile(r"\r\n|\n|\r")
_CHUNK_CHARS = 1024


class Places:
    """A converter between offsets in a text and lines and columns, which count from 1, in code points.

    It is fast for growing offsets; the first smaller offset makes it build a table of all lines.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._countable = "\r" not in text or text.count("\r") == text.count("\r\n")
        self._line, self._offset, self._start = 1, 0, 0

    def line(self, offset: int) -> int:
        if not self._countable or offset < self._offset:
            return bisect_right(self._starts, offset)
        if newlines := self._text.count("\n", self._offset, offset):
            self._line += newlines
            self._start = self._text.rfind("\n", self._offset, offset) + 1
        self._offset = offset
        return self._line

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset."""
        return self.extent(offset, offset)[:2]

    def extent(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Return the line and column of `start`, `start` and `end`, in the order of the fields of a Link."""
        line = self.line(start)
        first = self._start if start == self._offset and self._countable else self._starts[line - 1]
        return line, start - first + 1, start, end

    def start(self, line: int) -> int:
        """Return the offset at which a line begins."""
        return self._starts[line - 1]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self._text))]


def offset_converter(body: str, base: int) -> Callable[[int], int]:
    """Return a function that converts the parser's byte offsets in a body to offsets in the note's text.

    `body_start` is the offset at which the body begins in the text.
    """
    return base.__add__ if body.isascii() else _Offsets(body, base).text_offset


class _Offsets:
    """A converter of byte offsets in a non-ASCII text, encoded in chunks, so that a lookup decodes only one chunk."""

    def __init__(self, body: str, base: int) -> None:
        self._base = base
        self._chunks = [body[start : start + _CHUNK_CHARS].encode() for start in range(0, len(body), _CHUNK_CHARS)]
        self._starts = list(accumulate(map(len, self._chunks[:-1]), initial=0))

    def text_offset(self, byte: int) -> int:
        number = bisect_right(self._starts, byte) - 1
        before = self._chunks[number][: byte - self._starts[number]].decode()
        return self._base + number * _CHUNK_CHARS + len(before)
