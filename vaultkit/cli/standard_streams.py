"""Repairs for stdin, stdout and stderr, which a shell may leave closed, full, or without a reader."""

import errno
import io
import os
import sys
from typing import TextIO

from vaultkit.errors import WriteError


class _GuardedStdout(io.FileIO):
    """A stdout that ends the program quietly when its reader, such as `head`, has closed the pipe.

    Other errors, such as a full disk, raise WriteError.
    """

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except BrokenPipeError:
            _redirect_to_null(self)
            sys.exit()
        except OSError as error:
            _redirect_to_null(self)
            reason = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise WriteError(f"The result could not be written to stdout: {reason}.") from error


class _GuardedStderr(io.FileIO):
    """A stderr that ignores errors, since nobody can read an error about it."""

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            _redirect_to_null(self)
            return len(data)


def _redirect_to_null(stream: io.FileIO) -> None:
    """Redirect a stream to the null device, so that Python can flush it again at exit without an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def repair_streams() -> None:
    """Make stdin, stdout and stderr available in UTF-8, and handle output that cannot be written.

    Characters that an old code page of a Windows console lacks, or a stray byte in the input, must not raise an error.
    """
    # Replace closed streams, or a file opened later would get their number. The lowest free number is used first.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or _open_null(os.O_RDONLY)  # read-only, so that writing fails
    sys.stderr = sys.stderr or _open_null(os.O_WRONLY)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    sys.stdout = _guard_stream(sys.stdout, _GuardedStdout)
    sys.stderr = _guard_stream(sys.stderr, _GuardedStderr)


def _open_null(flags: int) -> TextIO:
    return open(os.open(os.devnull, flags), "w", encoding="utf-8")  # noqa: PTH123


def _guard_stream(stream: TextIO, file_class: type[io.FileIO]) -> TextIO:
    """Return the stream with its raw file replaced by an object of `file_class`.

    A Windows console, and a stream that a test has replaced, is returned unchanged.
    """
    buffer = getattr(stream, "buffer", None)
    if type(getattr(buffer, "raw", buffer)) is not io.FileIO:
        return stream
    stream.flush()
    buffer = io.BufferedWriter(file_class(stream.fileno(), "w", closefd=False))
    line_buffering = any(getattr(stream, name, False) for name in ("line_buffering", "write_through"))
    return io.TextIOWrapper(buffer, encoding="utf-8", errors="replace", line_buffering=line_buffering)
