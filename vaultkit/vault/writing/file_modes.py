"""Owners, modes and attributes of files that are written anew."""

import contextlib
import os
import shutil
import sys
import threading
from pathlib import Path

_UMASK_LOCK = threading.Lock()


def set_default_mode(file: Path) -> None:
    """Give a private temporary file the mode of ordinary new files."""
    if os.name == "posix":
        file.chmod(0o666 & ~_umask())


def copy_owner_and_mode(source: Path, destination: Path) -> None:
    """Copy owner, mode and extended attributes from one file to another, as far as the system allows.

    The owner comes first, since changing it may drop bits of the mode.
    """
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            status = source.stat()
            os.chown(destination, status.st_uid, status.st_gid)
    with contextlib.suppress(OSError):
        shutil.copymode(source, destination)
    _copy_attributes(source, destination)


def _copy_attributes(source: Path, destination: Path) -> None:
    """Copy extended attributes, such as a file manager's tags and access lists; Python supports them on Linux only."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):  # some attributes are the system's own
                os.setxattr(destination, name, os.getxattr(source, name))


def _umask() -> int:
    """Return the process's umask; it can only be read by setting it."""
    with _UMASK_LOCK:
        mask = os.umask(0o022)
        os.umask(mask)
    return mask
