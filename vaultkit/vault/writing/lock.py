"""Locks that keep two vaultkit processes from writing at once: one in each vault, others in the user's cache folder.

The operating system holds a lock for a process and frees it when the process ends, however it ends. The lock file alone
locks nothing, so a copy made by a sync tool, or a file left by a crash, blocks nobody.
"""

import contextlib
import errno
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit import files
from vaultkit.errors import WriteError
from vaultkit.file_errors import hint_for, reason_for, windows_code
from vaultkit.vault.vault import UNLOCKABLE_ROOTS
from vaultkit.vault.writing.history.entry import LOCK_FILE, own_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_TIMEOUT_SECONDS = 10.0
"""How long to wait for a lock that another process holds."""
CONFIG = "config.toml"
_UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)
"""The errno values of drives that cannot lock files, such as some network drives."""
_UNSUPPORTED_IN_WINDOWS = (1, 50, 120)
"""The Windows error codes of such drives."""
UNLOCKABLE_MESSAGE = (
    "This vault's disk cannot lock files, so vaultkit commands on two computers do not wait for each other."
)
UNLOCKABLE_HINT = "Run one command at a time, or keep the vault on a disk of this computer."
_BUSY_MESSAGE = "Another vaultkit is writing into this vault."


class LocksUnsupported(WriteError):
    """An error of a drive that cannot lock files."""


@contextlib.contextmanager
def vault_lock(root: Path, timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold the write lock of the vault at `root`, the file `.vaultkit/lock`, for one process at a time.

    The holder may take the lock again, so that a command can read, decide and commit without another command coming in
    between. On a drive that cannot lock files, only processes of this computer and account wait for each other, and
    `root` is added to UNLOCKABLE_ROOTS. Raises WriteError if another process holds the lock for more than
    `timeout_seconds`.
    """
    with contextlib.ExitStack() as stack:
        try:
            lock = own_folder(root) / LOCK_FILE
            stack.enter_context(_hold(lock, _BUSY_MESSAGE, root, _lock_mode(root), timeout_seconds))
        except LocksUnsupported:
            UNLOCKABLE_ROOTS.add(root)
            with contextlib.suppress(LocksUnsupported):
                stack.enter_context(file_lock(lock_name(root), _BUSY_MESSAGE, root, timeout_seconds))
        yield


@contextlib.contextmanager
def file_lock(name: str, busy: str, where: Path, timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold the lock `name` in the user's cache folder, for one process at a time.

    Raises WriteError if another process holds it for more than `timeout_seconds`; the error has the message `busy` and
    says that it is about `where`.
    """
    with _hold(_lock_folder() / f"{name}.lock", busy, where, 0o600, timeout_seconds):
        yield


def is_unwritten(root: Path) -> bool:
    """Return whether no command has written into the vault yet, so that it has neither a lock nor a history."""
    own = root / files.VAULTKIT_FOLDER
    return not ((own / LOCK_FILE).exists() or (own / "history").exists())


def can_lock(root: Path) -> bool:
    """Return whether the vault's drive can lock files, tried with one of vaultkit's own files.

    True if there is no such file to try.
    """
    from filelock import FileLock, Timeout

    own = root / files.VAULTKIT_FOLDER
    sample_file = next((file for file in (own / LOCK_FILE, own / CONFIG) if file.is_file()), None)
    if sample_file is None:
        return True
    try:
        with FileLock(sample_file, blocking=False, preserve_lock_file=True, fallback_to_soft=False):
            return True
    except Timeout:
        return True
    except (OSError, NotImplementedError) as error:
        return not _is_unsupported(error)


@contextlib.contextmanager
def _hold(lock_path: Path, busy: str, where: Path, mode: int, timeout_seconds: float) -> Iterator[None]:
    """Hold the lock file at `lock_path`; `busy` and `where` are the message and the path of a timeout's error."""
    from filelock import FileLock

    with translate_lock_errors(lock_path, busy, where):
        files.refuse_links(lock_path)
        lock: BaseFileLock = FileLock(
            lock_path, LOCK_TIMEOUT_SECONDS, mode, is_singleton=True, preserve_lock_file=True, fallback_to_soft=False
        )
        lock.acquire(timeout_seconds)
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def translate_lock_errors(lock_path: Path, busy: str, where: Path) -> Iterator[None]:
    """Raise any error that keeps the lock file at `lock_path` from being taken, as a WriteError."""
    from filelock import Timeout

    try:
        yield
    except Timeout as error:
        raise WriteError(busy, where=str(where), hint="Wait for it, then try again.") from error
    except (OSError, NotImplementedError) as error:
        kind = LocksUnsupported if _is_unsupported(error) else WriteError
        reason, hint = reason_for(error), hint_for(error)
        if isinstance(error, PermissionError) and not windows_code(error):
            hint = "The file is empty: delete it, or get write access to it and to its folder."
        raise kind(f"This lock cannot be taken: {reason}.", where=str(lock_path), hint=hint) from error


def _is_unsupported(error: Exception) -> bool:
    if isinstance(error, files.FileRefused):
        return False
    if code := windows_code(error):
        return code in _UNSUPPORTED_IN_WINDOWS
    return isinstance(error, NotImplementedError) or getattr(error, "errno", None) in _UNSUPPORTED


def _lock_mode(root: Path) -> int:
    """Return the mode of a new lock file, which lets everyone who may write into the vault's folder take the lock."""
    with contextlib.suppress(OSError):
        return root.stat().st_mode & 0o666 | 0o600
    return 0o600


def lock_name(root: Path) -> str:
    """Return a lock name for a folder, which does not depend on how the folder's path is spelled.

    Where case is ignored, one folder has many spellings.
    """
    identity = str(root)
    with contextlib.suppress(OSError):
        if (status := root.stat()).st_ino:
            identity = f"{status.st_dev}:{status.st_ino}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def _lock_folder() -> Path:
    from platformdirs import user_cache_path

    for folder in (user_cache_path("vaultkit") / "locks", Path(tempfile.gettempdir()) / "vaultkit-locks"):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    raise WriteError("There is no place for a lock file.", where=tempfile.gettempdir())
