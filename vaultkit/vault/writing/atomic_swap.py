"""Atomic exchange of two files, after which the old content can still be checked.

A plain rename over a file loses what another program wrote into it since it was last read. This module calls each
system's own function. The packages on PyPI are not suitable: renameat2 must be compiled and is for Linux only, and
atomicswap needs NTFS on Windows and has no fallback.
"""

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from vaultkit.file_errors import retry_if_in_use, windows_error

SWAP_SUFFIX = ".swap"
"""The suffix of a file that is about to be exchanged with a note, or was just exchanged with it."""

AT_FDCWD = -100
RENAME_EXCHANGE = 2
RENAME_SWAP = 2
UNSUPPORTED_ERRNOS = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.ENOTTY)
"""The errno values that mean that files cannot be exchanged, as on some network drives, in sandboxes, and with Linux
before 3.15."""

IGNORE_MERGE_AND_ACL_ERRORS_FLAGS = 2 | 4
MOVED_AWAY_ERROR_CODE = 1177
"""The Windows error after which the old file has its backup name, but the new file has not the note's name."""
UNSUPPORTED_WINDOWS_ERRORS = (1, 50, 120)


def exchange(new_file: Path, target: Path) -> Path | None:
    """Put `new_file` in the place of `target`, and return the path where the old file is now.

    If the system cannot exchange files, the old file is kept through a hard link just before a rename; a file that
    another program puts there between the two is lost. Returns None if hard links are impossible as well. Raises
    OSError, with `target` unchanged.
    """
    if replace_call := _load_replace_call():
        return _replace_file(replace_call, new_file, target)
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


@cache
def _load_replace_call() -> Callable[[str, str, str], int] | None:
    """Return Windows' call that replaces a file and keeps the old one; None on other systems.

    It takes the paths of the file, the new file and the old one, and returns 0 or the number of an error. The new file
    gets the access list and streams of the old one.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.ReplaceFileW.argtypes = [ctypes.c_wchar_p] * 3 + [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]

    def replace_file(target: str, new_file: str, old_file: str) -> int:
        is_done = kernel.ReplaceFileW(target, new_file, old_file, IGNORE_MERGE_AND_ACL_ERRORS_FLAGS, None, None)
        return 0 if is_done else ctypes.get_last_error()

    return replace_file


def _replace_file(call: Callable[[str, str, str], int], new_file: Path, target: Path) -> Path | None:
    """Replace a file on Windows and return the path of the old file. Raises OSError."""
    old_file = _old_file_path(new_file)
    _restore_name(old_file, target)  # an earlier attempt may have failed to do so
    error_code = call(str(target), str(new_file), str(old_file))
    if not error_code:
        return old_file
    if error_code == MOVED_AWAY_ERROR_CODE:
        _restore_name(old_file, target)
    if error_code in UNSUPPORTED_WINDOWS_ERRORS:
        return replace_with_link(new_file, target)
    raise windows_error(error_code, str(target))


def _restore_name(old_file: Path, target: Path) -> None:
    """Give the old file the name `target` back if no file has it.

    Raises PermissionError if another program holds the old file open; it then keeps its path until the next exchange or
    the next recovery of leftovers.
    """
    if old_file.exists() and not target.exists():
        retry_if_in_use(lambda: old_file.rename(target), 0.05, attempts=3)


def _old_file_path(new_file: Path) -> Path:
    return new_file.with_name(f"{new_file.stem}.side{SWAP_SUFFIX}")
