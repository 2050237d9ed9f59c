"""Two files change places in one step, so that what lay under a name until that instant can still be looked at.

A plain rename over a file loses what another program wrote there since it was last looked at. Of PyPI's packages
renameat2 is an extension to be compiled, for Linux alone; atomicswap goes by transactions of NTFS on Windows, which no
other drive has, and knows no weaker way. The systems have one call each for it, so these are made here.
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
"""How the names of files end that are to change places with a note, or have just done so."""

AT_FDCWD = -100
RENAME_EXCHANGE = 2
RENAME_SWAP = 2
NOT_HERE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.ENOTTY)
"""The errors of systems and drives that cannot exchange files: some network drives, kernels before 3.15, sandboxes."""

IGNORE_MERGE_AND_ACL_ERRORS = 2 | 4
BUSY = (1175, 1176)
"""Windows could not move one of the two, and both have the names that they had."""
MOVED_AWAY = 1177
"""Windows gave the old file its backup's name, and could not give its name to the new one."""
NOT_IN_WINDOWS = (1, 50, 120)


def exchange(fresh: Path, target: Path) -> Path | None:
    """Put the file `fresh` where `target` lies, and return where the file is now that lay there.

    Where the system cannot exchange files that is a hard link, made just before a rename: it holds what was written
    into the old file, but not a file that was put in its place in between. None where there are no hard links either.
    Raises OSError, with `target` as it was.
    """
    if sys.platform == "win32":
        return _replace_file(fresh, target)
    if _exchanged(fresh, target):
        return fresh
    return linked(fresh, target)


def linked(fresh: Path, target: Path) -> Path | None:
    """The weaker way of `exchange`, for drives that know no better."""
    side: Path | None = _side(fresh)
    try:
        os.link(target, _side(fresh))
    except OSError:
        side = None
    try:
        fresh.replace(target)
    except OSError:
        if side:
            side.unlink()
        raise
    return side


def _exchanged(fresh: Path, target: Path) -> bool:
    """Whether the system has exchanged the two. Raises OSError if it can and did not."""
    call = _call()
    if call is None:
        return False
    number = call(os.fsencode(fresh), os.fsencode(target))
    if number in NOT_HERE:
        return False
    if number:
        raise OSError(number, os.strerror(number), str(target))
    return True


@cache
def _call() -> Callable[[bytes, bytes], int] | None:
    """The system's call for two paths, which returns 0 or the error's number; None if it has none."""
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
    """Windows: one call that keeps the old file under another name, and its access list and streams in the new one."""
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.ReplaceFileW.argtypes = [ctypes.c_wchar_p] * 3 + [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
    side = _side(fresh)
    _name_again(side, target)  # where an attempt before this one could not
    if kernel.ReplaceFileW(str(target), str(fresh), str(side), IGNORE_MERGE_AND_ACL_ERRORS, None, None):
        return side
    number = ctypes.get_last_error()
    if number == MOVED_AWAY:
        _name_again(side, target)
    if number in (*BUSY, MOVED_AWAY):
        raise PermissionError(errno.EACCES, "Another program holds the file", str(target))
    if number in NOT_IN_WINDOWS:
        return linked(fresh, target)
    raise ctypes.WinError(number)


def _name_again(side: Path, target: Path) -> None:
    """Give the old file back its name, if the new one has not got it. Raises PermissionError if it is held open still.

    Then it lies at `side`, until an exchange is tried again or leftovers are settled.
    """
    if side.exists() and not target.exists():
        retrying(lambda: side.rename(target), 0.05, attempts=3)


def _side(fresh: Path) -> Path:
    return fresh.with_name(f"{fresh.stem}.side{SUFFIX}")


Done = TypeVar("Done")

WAITS = os.name == "nt"
"""Elsewhere an open file is in nobody's way, and a refusal is one for good."""


def retrying(action: Callable[[], Done], pause: float, attempts: int = 6) -> Done:
    """The result of `action`. On Windows a refused one is tried again: after `pause` seconds, then after twice as many.

    Raises the PermissionError of the last attempt, and any other error at once.
    """
    for attempt in range(attempts - 1 if WAITS else 0):
        try:
            return action()
        except PermissionError:
            time.sleep(pause * 2**attempt)
    return action()
