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
        self._has_simple_line_ends = "\r" not in text or text.count("\r") == text.count("\r\n")
        self._last_line, self._last_offset, self._last_line_start = 1, 0, 0

    def line(self, offset: int) -> int:
        if not self._has_simple_line_ends or offset < self._last_offset:
            return bisect_right(self._line_starts, offset)
        if newlines := self._text.count("\n", self._last_offset, offset):
            self._last_line += newlines
            self._last_line_start = self._text.rfind("\n", self._last_offset, offset) + 1
        self._last_offset = offset
        return self._last_line

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset."""
        return self.extent(offset, offset)[:2]

    def extent(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Return the line and column of `start`, `start` and `end`, in the order of the fields of a Link."""
        line = self.line(start)
        is_known = start == self._last_offset and self._has_simple_line_ends
        line_start = self._last_line_start if is_known else self._line_starts[line - 1]
        return line, start - line_start + 1, start, end

    def start(self, line: int) -> int:
        """Return the offset at which a line begins."""
        return self._line_starts[line - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self._text))]


def offset_converter(body: str, body_start: int) -> Callable[[int], int]:
    """Return a function that converts the parser's byte offsets in a body to offsets in the note's text.

    `body_start` is the offset at which the body begins in the text.
    """
    if body.isascii():
        return body_start.__add__
    # Encoded in chunks, so that a lookup decodes only one chunk.
    chunks = [body[start : start + _CHUNK_CHARS].encode() for start in range(0, len(body), _CHUNK_CHARS)]
    chunk_starts = list(accumulate(map(len, chunks[:-1]), initial=0))

    def text_offset(byte_offset: int) -> int:
        chunk_index = bisect_right(chunk_starts, byte_offset) - 1
        text_before = chunks[chunk_index][: byte_offset - chunk_starts[chunk_index]].decode()
        return body_start + chunk_index * _CHUNK_CHARS + len(text_before)

    return text_offset
