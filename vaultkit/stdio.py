"""Standard input and output for the file name `-`: stdin where a file is read, stdout where one is written."""

import sys
from io import BufferedReader
from pathlib import Path

DASH = Path("-")


def stdin_starts_with(path: Path, mark: bytes) -> bool:
    """Return whether `path` is `-` and stdin begins with `mark`, without consuming it; False for every file."""
    stdin = sys.stdin.buffer
    return path == DASH and isinstance(stdin, BufferedReader) and stdin.peek(len(mark)).startswith(mark)


def write_stdout(data: bytes) -> None:
    """Write bytes unchanged to stdout, after the text printed so far."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
