"""stdin, stdout and stderr as a shell may have left them: closed, full, or with a reader that has gone."""

import errno
import io
import os
import sys
from typing import TextIO

from vaultkit.errors import WriteError


class _Stdout(io.FileIO):
    """A reader that has seen enough, as `head` has, ends the command well; a full disk is an error of its own."""

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except BrokenPipeError:
            _give_up(self)
            sys.exit()
        except OSError as error:
            _give_up(self)
            reason = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise WriteError(f"The result could not be written to stdout: {reason}.") from error


class _Stderr(io.FileIO):
    """A stream that nobody can read stops nothing."""

    def write(self, data: "bytes | memoryview") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError:
            _give_up(self)
            return len(data)


def _give_up(stream: io.FileIO) -> None:
    """Python flushes the stream once more on its way out, which must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def mend_streams() -> None:
    """Let each stream be there, in UTF-8, and let what cannot be written end in the way that is right for it.

    Suit symbols must not crash a Windows console that is set to an old code page, nor a stray byte what is typed.
    """
    # A stream that was closed must not become a file that is opened later. The lowest number goes first.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or _opened(os.O_RDONLY)  # to write fails
    sys.stderr = sys.stderr or _opened(os.O_WRONLY)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    sys.stdout = _guarded(sys.stdout, _Stdout)
    sys.stderr = _guarded(sys.stderr, _Stderr)


def _opened(flags: int) -> TextIO:
    return open(os.open(os.devnull, flags), "w", encoding="utf-8")  # noqa: PTH123


def _guarded(stream: TextIO, guard: type[io.FileIO]) -> TextIO:
    """The stream through `guard`; a Windows console, and whatever a test puts in place, as it is."""
    buffer = getattr(stream, "buffer", None)
    if type(getattr(buffer, "raw", buffer)) is not io.FileIO:
        return stream
    stream.flush()
    buffer = io.BufferedWriter(guard(stream.fileno(), "w", closefd=False))
    line_buffering = any(getattr(stream, name, False) for name in ("line_buffering", "write_through"))
    return io.TextIOWrapper(buffer, encoding="utf-8", errors="replace", line_buffering=line_buffering)
