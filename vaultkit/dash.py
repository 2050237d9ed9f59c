"""`-` in place of a file: stdin where it is read, stdout where it is written."""

import sys
from io import BufferedReader
from pathlib import Path

DASH = Path("-")


def begins(path: Path, mark: bytes) -> bool:
    """Whether what stdin holds begins with `mark`, which stays to be read; of a file nothing is said."""
    stdin = sys.stdin.buffer
    return path == DASH and isinstance(stdin, BufferedReader) and stdin.peek(len(mark)).startswith(mark)


def send(data: bytes) -> None:
    """The data as they are, to stdout."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
