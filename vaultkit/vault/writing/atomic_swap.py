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

SWAP_SUFFIX = ".swap"
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


def exchange(new_file: Path, target: Path) -> Path | None:
    """Put `new_file` in the place of `target`, and return the path where the old file is now.

    If the system cannot exchange files, the old file is kept through a hard link just before a rename; a file that
    another program puts there between the two is lost. Returns None if hard links are impossible as well. Raises
    OSError, with `target` unchanged.
    """
    if sys.platform == "win32":
        return _replace_file(new_file, target)
    if _try_exchange(new_file, target):
        return new_file
    return replace_with_link(new_file, target)


def replace_with_link(new_file: Path, target: Path) -> Path | None:
    """Keep the old file through a hard link, then rename `new_file` over it, and return the link's path.

    This is the fallback for systems that cannot exchange files. Returns None if no link can be made.
    """
    old_file: Path | None = _old_file_path(new_file)
    try:
        os.link(target, _old_file_path(new_file))
    except OSError:
        old_file = None
    try:
        new_file.replace(target)
    except OSError:
        if old_file:
            old_file.unlink()
        raise
    return old_file


def _try_exchange(new_file: Path, target: Path) -> bool:
    """Exchange two files, and return False if the system cannot do so. Raises OSError if the exchange fails."""
    call = _load_exchange_call()
    if call is None:
        return False
    error_code = call(os.fsencode(new_file), os.fsencode(target))
    if error_code in UNSUPPORTED_ERRNOS:
        return False
    if error_code:
        raise OSError(error_code, os.strerror(error_code), str(target))
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

    def exchange_paths(new_path: bytes, target: bytes) -> int:
        if sys.platform == "darwin":
            result = call(new_path, target, ctypes.c_uint(RENAME_SWAP))
        else:
            result = call(AT_FDCWD, new_path, AT_FDCWD, target, ctypes.c_uint(RENAME_EXCHANGE))
        return ctypes.get_errno() if result else 0

    return exchange_paths


def _replace_file(new_file: Path, target: Path) -> Path | None:
    """Replace a file on Windows and return the path of the old file.

    ReplaceFileW renames the old file, and gives its access list and streams to the new one.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.ReplaceFileW.argtypes = [ctypes.c_wchar_p] * 3 + [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
    old_file = _old_file_path(new_file)
    _restore_name(old_file, target)  # an earlier attempt may have failed to do so
    if kernel.ReplaceFileW(str(target), str(new_file), str(old_file), IGNORE_MERGE_AND_ACL_ERRORS_FLAGS, None, None):
        return old_file
    error_code = ctypes.get_last_error()
    if error_code == MOVED_AWAY_ERROR_CODE:
        _restore_name(old_file, target)
    if error_code in (*BUSY_ERROR_CODES, MOVED_AWAY_ERROR_CODE):
        raise PermissionError(errno.EACCES, "Another program holds the file", str(target))
    if error_code in UNSUPPORTED_WINDOWS_ERRORS:
        return replace_with_link(new_file, target)
    raise ctypes.WinError(error_code)


def _restore_name(old_file: Path, target: Path) -> None:
    """Give the old file the name `target` back if no file has it.

    Raises PermissionError if another program holds the old file open; it then keeps its path until the next exchange or
    the next recovery of leftovers.
    """
    if old_file.exists() and not target.exists():
        retry_if_busy(lambda: old_file.rename(target), 0.05, attempts=3)


def _old_file_path(new_file: Path) -> Path:
    return new_file.with_name(f"{new_file.stem}.side{SWAP_SUFFIX}")


Result = TypeVar("Result")

CAN_RETRY = os.name == "nt"
"""Whether to repeat an action after a PermissionError: only on Windows can an open file be the cause."""


def retry_if_busy(action: Callable[[], Result], pause_seconds: float, attempts: int = 6) -> Result:
    """Return the result of `action`; on Windows repeat it after a PermissionError.

    The first wait is `pause_seconds`, and each further one twice as long. Raises the PermissionError of the last
    attempt, and any other error at once.
    """
    for attempt in range(attempts - 1 if CAN_RETRY else 0):
        try:
            return action()
        except PermissionError:
            time.sleep(pause_seconds * 2**attempt)
    return action()
