"""Atomic exchange of two files, after which the old content can still be checked.

A plain rename over a file loses what another program wrote into it since it was last read. This module calls each
system's own function. The packages on PyPI are not suitable: renameat2 must be compiled and is for Linux only, and
atomicswap needs NTFS on Windows and has no fallback.
"""

import errno
import os
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

SUFFIX = ".swap"
"""The suffix of a file that is about to be exchanged with a note, or was just exchanged with it."""

AT_FDCWD = -100
RENAME_EXCHANGE = 2
RENAME_SWAP = 2
UNSUPPORTED_ERRNOS = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.ENOTTY)
"""The errno values that mean that files cannot be exchanged, as on some network drives, in sandboxes, and with Linux
before 3.15."""

IGNORE_MERGE_AND_ACL_ERRORS_FLAGS = 2 | 4
BUSY_ERROR_CODES = (1175, 1176)
"""The Windows errors after which both files still have their old names."""
MOVED_AWAY_ERROR_CODE = 1177
"""The Windows error after which the old file has its backup name, but the new file has not the note's name."""
UNSUPPORTED_WINDOWS_ERRORS = (1, 50, 120)


def exchange(fresh: Path, target: Path) -> Path | None:
    """Put `new_file` in the place of `target`, and return the path where the old file is now.

    If the system cannot exchange files, the old file is kept through a hard link just before a rename; a file that
    another program puts there between the two is lost. Returns None if hard links are impossible as well. Raises
    OSError, with `target` unchanged.
    """
    if sys.platform == "win32":
        return _replace_file(fresh, target)
    if _try_exchange(fresh, target):
        return fresh
    return replace_with_link(fresh, target)


def replace_with_link(fresh: Path, target: Path) -> Path | None:
    """Keep the old file through a hard link, then rename `new_file` over it, and return the link's path.

    This is the fallback for systems that cannot exchange files. Returns None if no link can be made.
    """
    side: Path | None = _side_path(fresh)
    try:
        os.link(target, _side_path(fresh))
    except OSError:
        side = None
    try:
        fresh.replace(target)
    except OSError:
        if side:
            side.unlink()
        raise
    return side


def _try_exchange(fresh: Path, target: Path) -> bool:
    """Exchange two files, and return False if the system cannot do so. Raises OSError if the exchange fails."""
    call = _load_exchange_call()
    if call is None:
        return False
    number = call(os.fsencode(fresh), os.fsencode(target))
    if number in UNSUPPORTED_ERRNOS:
        return False
    if number:
        raise OSError(number, os.strerror(number), str(target))
    return True


@cache
def _load_exchange_call() -> Callable[[bytes, bytes], int] | None:
    """Return a function that exchanges two paths and returns 0 or an errno value; None if the system has none."""
    import ctypes

    try:
        library = ctypes.CDLL(None, use_errno=True)
        call = library.renamex_np if sys.platform == "darwin" else library.renameat2
    except (OSError, AttributeError):
        return None

    def renamed(fresh: bytes, target: bytes) -> int:
        if sys.platform == "darwin":
            failed = call(fresh, target, ctypes.c_uint(RENAME_SWAP))
        else:
            failed = call(AT_FDCWD, fresh, AT_FDCWD, target, ctypes.c_uint(RENAME_EXCHANGE))
        return ctypes.get_errno() if failed else 0

    return renamed


def _replace_file(fresh: Path, target: Path) -> Path | None:
    """Replace a file on Windows and return the path of the old file.

    ReplaceFileW renames the old file, and gives its access list and streams to the new one.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.ReplaceFileW.argtypes = [ctypes.c_wchar_p] * 3 + [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
    side = _side_path(fresh)
    _name_again(side, target)  # an earlier attempt may have failed to do so
    if kernel.ReplaceFileW(str(target), str(fresh), str(side), IGNORE_MERGE_AND_ACL_ERRORS_FLAGS, None, None):
        return side
    number = ctypes.get_last_error()
    if number == MOVED_AWAY_ERROR_CODE:
        _name_again(side, target)
    if number in (*BUSY_ERROR_CODES, MOVED_AWAY_ERROR_CODE):
        raise PermissionError(errno.EACCES, "Another program holds the file", str(target))
    if number in UNSUPPORTED_WINDOWS_ERRORS:
        return replace_with_link(fresh, target)
    raise ctypes.WinError(number)


def _name_again(side: Path, target: Path) -> None:
    """Give the old file the name `target` back if no file has it.

    Raises PermissionError if another program holds the old file open; it then keeps its path until the next exchange or
    the next recovery of leftovers.
    """
    if side.exists() and not target.exists():
        retry_if_busy(lambda: side.rename(target), 0.05, attempts=3)


def _side_path(fresh: Path) -> Path:
    return fresh.with_name(f"{fresh.stem}.side{SUFFIX}")


Done = TypeVar("Done")

CAN_RETRY = os.name == "nt"
"""Whether to repeat an action after a PermissionError: only on Windows can an open file be the cause."""


def retry_if_busy(action: Callable[[], Done], pause: float, attempts: int = 6) -> Done:
    """Return the result of `action`; on Windows repeat it after a PermissionError.

    The first wait is `pause_seconds`, and each further one twice as long. Raises the PermissionError of the last
    attempt, and any other error at once.
    """
    for attempt in range(attempts - 1 if CAN_RETRY else 0):
        try:
            return action()
        except PermissionError:
            time.sleep(pause * 2**attempt)
    return action()
