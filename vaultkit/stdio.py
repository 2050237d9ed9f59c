"""Standard input and output: for the file name `-`, and whether people have the terminal for themselves."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO

from vaultkit import files
from vaultkit.budget import Limit

DASH = Path("-")
PIPE_TIMEOUT_SECONDS = 60.0
"""Seconds within which a pipe named on the command line has to deliver all of its data."""
_CHUNK_BYTES = 1 << 16
BEFORE_HOLD: list[Callable[[], None]] = []
"""Functions to call before and after people have the terminal: the line editor prints past Python's streams."""
_HOLDS: list[object] = []


@contextmanager
def hold_terminal() -> Iterator[None]:
    """Erase the progress line, and let no other appear within the block, in which people read and type."""
    _HOLDS.append(None)
    try:
        _call_before_hold()
        yield
    finally:
        _HOLDS.pop()
        _call_before_hold()


def is_terminal_held() -> bool:
    """Return whether people read and type in the terminal."""
    return bool(_HOLDS)


def _call_before_hold() -> None:
    for function in BEFORE_HOLD:
        function()


def stdin_starts_with(path: Path, mark: bytes) -> bool:
    """Return whether `path` is `-` and stdin begins with `mark`, without consuming it; False for every file."""
    stdin = sys.stdin.buffer
    return path == DASH and isinstance(stdin, BufferedReader) and stdin.peek(len(mark)).startswith(mark)


def write_stdout(data: bytes) -> None:
    """Write bytes unchanged to stdout, after the text printed so far."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def read_input(file: Path | str, limit: Limit) -> bytes:
    """Return the bytes of the input named on the command line: `-` for stdin, a file, a link to a file, or a pipe.

    Raises OSError; its subclass FileRefused for more bytes than the limit, and for a pipe that takes too long.
    """
    if os.fspath(file) == "-":
        return _read_limited(sys.stdin.buffer, limit, file)
    files.refuse_evicted(file)
    if stat.S_ISREG(Path(file).stat().st_mode) or Path(file).is_dir():
        return files.read(file, limit, allow_links=True)
    return _read_with_timeout(file, limit)


def _read_with_timeout(file: Path | str, limit: Limit) -> bytes:
    """Return the bytes of a pipe or device, read by a thread, since only the other side can end a wait for them.

    Raises FileRefused if they have not all come in time.
    """
    import threading

    results: list[bytes | OSError] = []

    def work() -> None:
        try:
            with Path(file).open("rb", buffering=0) as stream:
                results.append(_read_limited(stream, limit, file))
        except OSError as error:
            results.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(PIPE_TIMEOUT_SECONDS)
    result = (
        results[0] if results else files.FileRefused(f"nothing more came for {PIPE_TIMEOUT_SECONDS:.0f} seconds", file)
    )
    if isinstance(result, OSError):
        raise result
    return result


def _read_limited(stream: IO[bytes] | RawIOBase, limit: Limit, file: Path | str) -> bytes:
    chunks, length = list[bytes](), 0
    while length <= limit.maximum and (data := stream.read(min(_CHUNK_BYTES, limit.maximum + 1 - length))):
        chunks.append(data)
        length += len(data)
    if length > limit.maximum:
        raise files.TooLarge(limit, file)
    return b"".join(chunks)
