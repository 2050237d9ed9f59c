"""Files written whole or not at all: temp file, fsync, compare, replace, fsync of the folder."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from vaultkit.errors import VaultkitError, WriteError

RETRIES = 6
"""Attempts to replace a file that another program holds open (Windows), 0.05 s doubling: about 3 s in all."""


TEMPORARY = ".vaultkit-"
"""How the names of temporary files begin; the dot hides them from Obsidian."""


class ChangedSince(VaultkitError):
    """The file is not what was read any more."""

    exit_code = WriteError.exit_code


def replace(target: Path, data: bytes, expected_sha256: str) -> None:
    """Put `data` where a file with the hash `expected_sha256` lies, keeping its mode.

    Raises ChangedSince if it has another content by now, WriteError if it cannot be written.
    """
    real = target.resolve()
    if is_read_only(real):
        raise WriteError("This note is read-only.", where=str(target), hint="Make it writable, then try again.")
    with _temporary(real, data) as temporary:
        _copy_owner_and_mode(real, temporary)
        if sha256(real.read_bytes()) != expected_sha256:
            raise ChangedSince("Another program changed this note just now.", where=str(target))
        _retrying(lambda: temporary.replace(real), target)
    sync_folder(real.parent)


def create(target: Path, data: bytes) -> None:
    """A new file; raises WriteError if there is one already, which is left alone."""
    with _temporary(target, data) as temporary:
        try:
            _link(temporary, target)
        except FileExistsError as error:
            raise WriteError("There is a file of this name already.", where=str(target)) from error
    sync_folder(target.parent)


def is_read_only(file: Path) -> bool:
    """Whether a file is marked read-only, even for someone whom the system would let write anyway."""
    try:
        return not file.stat().st_mode & 0o222 or not os.access(file, os.W_OK)
    except OSError:
        return False


def sweep(folder: Path) -> None:
    """Remove what killed writes left in `folder`; only for one who holds the lock of all writers."""
    with contextlib.suppress(OSError):
        for leftover in folder.glob(f"{TEMPORARY}*.tmp"):
            leftover.unlink()


def sha256(data: bytes) -> str:
    """The hash by which a file's content is known, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _temporary(target: Path, data: bytes) -> Iterator[Path]:
    """A hidden file beside `target` that holds `data`, on disk; removed afterwards if it is still there."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=TEMPORARY, suffix=".tmp", dir=target.parent)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"Nothing can be written in this folder: {reason}.", where=str(target.parent)) from error
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if os.name == "posix":
            temporary.chmod(0o666 & ~umask())
        yield temporary
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"This file could not be written: {reason}.", where=str(target)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _copy_owner_and_mode(source: Path, to: Path) -> None:
    """Owner first, since changing it may drop bits of the mode."""
    with contextlib.suppress(OSError):
        if os.name == "posix":
            status = source.stat()
            os.chown(to, status.st_uid, status.st_gid)
    with contextlib.suppress(OSError):
        shutil.copymode(source, to)


def umask() -> int:
    """The process's umask; reading it means setting it, there is no other call."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _link(temporary: Path, target: Path) -> None:
    """Name the file `target` unless that exists; hard links say so atomically, as rename does on Windows."""
    if os.name == "nt":
        temporary.rename(target)
        return
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(target) from None
        temporary.replace(target)


def _retrying(action: Callable[[], object], target: Path) -> None:
    pause = 0.05
    for attempt in range(RETRIES):
        try:
            action()
            return
        except PermissionError as error:
            if os.name != "nt" or attempt == RETRIES - 1:
                raise WriteError(
                    "Another program holds this note open.", where=str(target), hint="Close it there, then try again."
                ) from error
        time.sleep(pause)
        pause *= 2
