"""Exchange of two files in one step, so that the text which had a name until that moment can still be checked.

A plain rename over a file loses what another program wrote there since it was last read. Of PyPI's packages, renameat2
is an extension that must be compiled, for Linux only; atomicswap uses NTFS transactions on Windows, which no other file
system has, and offers no fallback. Each system has a single call for the exchange, which vaultkit makes itself.
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
"""The suffix of files that are about to change places with a note, or have just done so."""

AT_FDCWD = -100
RENAME_EXCHANGE = 2
RENAME_SWAP = 2
UNSUPPORTED_ERRNOS = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.ENOTTY)
"""The errno values of systems and drives that cannot exchange files: some network drives, kernels before 3.15,
sandboxes."""

IGNORE_MERGE_AND_ACL_ERRORS_FLAGS = 2 | 4
BUSY_ERROR_CODES = (1175, 1176)
"""The Windows errors after which neither file was moved and both have their old names."""
MOVED_AWAY_ERROR_CODE = 1177
"""The Windows error after which the old file has its backup name, but the new file did not get the old name."""
UNSUPPORTED_WINDOWS_ERRORS = (1, 50, 120)


def exchange(fresh: Path, target: Path) -> Path | None:
    """Put the file `fresh` in the place of `target`, and return the path where the old file is now.

    If the system cannot exchange files, a hard link is made just before a rename. The link holds what was written into
    the old file, but not a file that replaced it in between. Returns None if there are no hard links either. Raises
    OSError, with `target` unchanged.
    """
    if sys.platform == "win32":
        return _replace_file(fresh, target)
    if _try_exchange(fresh, target):
        return fresh
    return replace_with_link(fresh, target)


def replace_with_link(fresh: Path, target: Path) -> Path | None:
    """Keep the old file through a hard link, then rename `fresh` over it; a fallback without atomic exchange."""
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
    """Return whether the system exchanged the two files. Raises OSError if it can exchange files but failed."""
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
    """Return the system's call to exchange two paths, which returns 0 or an errno value; None if there is none."""
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

    One call keeps the old file under another name, and its access list and streams in the new file.
    """
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.ReplaceFileW.argtypes = [ctypes.c_wchar_p] * 3 + [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
    side = _side_path(fresh)
    _name_again(side, target)  # in case an earlier attempt could not
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
    """Give the old file its name back if the new file did not get it. Raises PermissionError if it is still held open.

    In that case it stays at `side` until the next exchange or the next recovery of leftovers.
    """
    if side.exists() and not target.exists():
        retry_if_busy(lambda: side.rename(target), 0.05, attempts=3)


def _side_path(fresh: Path) -> Path:
    return fresh.with_name(f"{fresh.stem}.side{SUFFIX}")


Done = TypeVar("Done")

CAN_RETRY = os.name == "nt"
"""Whether a refused action is worth another attempt: only Windows refuses access to a file because it is open."""


def retry_if_busy(action: Callable[[], Done], pause: float, attempts: int = 6) -> Done:
    """Return the result of `action`; on Windows repeat it after a PermissionError.

    The waits are `pause` seconds, then twice as long each time. Raises the PermissionError of the last attempt, and any
    other error at once.
    """
    for attempt in range(attempts - 1 if CAN_RETRY else 0):
        try:
            return action()
        except PermissionError:
            time.sleep(pause * 2**attempt)
    return action()
