"""Files written whole or not at all: temp file, fsync, compare, replace, fsync of the folder."""

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path

from vaultkit import files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.writing.exchange import SUFFIX, exchange, retrying

PAUSE = 0.05
"""Seconds before a file that another program holds open is tried to be replaced again, doubled: about 1.5 s in all."""

TEMPORARY = ".vaultkit-"
"""How the names of temporary files begin; the dot hides them from Obsidian. Those that end in `.tmp` hold nothing of
value. Those that end in `.swap` may be another program's, which a crash kept us from looking at."""
TOGETHER = 32
"""So many files are put onto the disk at the same time, which takes little longer than one of them alone."""
_ONE_AT_A_TIME = threading.Lock()


class AlreadyThere(WriteError):
    """There is a file of this name already."""


class ChangedSince(VaultkitError):
    """The file is not what was read any more."""

    exit_code = WriteError.exit_code


def replace(
    target: Path, data: bytes, expected_sha256: str, aside: Path | None = None, ready: Path | None = None
) -> bool:
    """Put `data` where a file with the hash `expected_sha256` lies, keeping its mode.

    The two files are exchanged, and the old one is looked at afterwards: what another program wrote in the last instant
    is put back. Raises ChangedSince if the file has another content by now, WriteError if it cannot be written.
    Returns whether it could not be put back, since the file has changed yet again; then it is one of `exchanged_in`.

    The old file is moved to `aside`, since a program that holds it open may go on writing into it; else it is deleted.
    Where a file of `prepare` is `ready`, the caller sees to it that the new name outlasts a power cut; its text does.
    """
    sync = _leave if ready else files.sync_folder
    real = target.resolve()
    if is_read_only(real):
        raise WriteError("This note is read-only.", where=str(target), hint="Make it writable, then try again.")
    with _using(ready, real) if ready else _temporary(real, data) as temporary:
        _copy_owner_and_mode(real, temporary)
        if hash_of(real) != expected_sha256:
            raise _changed(target)
        old = _exchange(temporary, real, target)
        if old is None:
            sync(real.parent)
            return False
        if _holds(old, expected_sha256):
            sync(real.parent)
            if _holds(old, expected_sha256):  # once more: a program that held it open had the time to go on
                _dismiss(old, aside)
                return False
        _keep_copy(old, aside)
        if _put_back(old, real, data):
            raise _changed(target)
    return True


def remove(target: Path, expected_sha256: str, aside: Path | None = None) -> bool:
    """Remove the file at `target` if its hash is `expected_sha256`, with the care that `replace` takes.

    It is renamed first and looked at afterwards: what another program wrote in the last instant gets its name back.
    Raises ChangedSince if the file has another content, WriteError if it cannot be removed. Returns whether it could
    not get its name back, since there is a file of that name again; then it is one of `exchanged_in`.

    The old file is moved to `aside`, since a program that holds it open may go on writing into it; else it is deleted.
    """
    real = target.resolve()
    with refusing("This file cannot be removed", target):
        if not real.is_file() or hash_of(real) != expected_sha256:
            raise _changed(target)
        old = _take_name(real, target)
        files.sync_folder(real.parent)
        if _holds(old, expected_sha256):
            _dismiss(old, aside)
            return False
        _keep_copy(old, aside)
        try:
            give_name(old, real)
        except FileExistsError:
            return True
        old.unlink(missing_ok=True)
        files.sync_folder(real.parent)
    raise _changed(target)


def _take_name(real: Path, target: Path) -> Path:
    """Rename the file at `real`, so that no program finds it any more; return its new name, beside the old one."""
    old = real.with_name(f"{TEMPORARY}{os.urandom(8).hex()}{SUFFIX}")
    try:
        return retrying(lambda: real.rename(old), PAUSE)
    except PermissionError as error:
        raise _held_open(target) from error


def _leave(folder: Path) -> None:
    """Leave the folder to the caller."""


def prepare(contents: Iterable[tuple[Path, bytes]]) -> Generator[tuple[bytes, Path | None], None, None]:
    """Each target's content as it came, and a file for `replace` that holds it, on the disk; None where that failed.

    Close it: what was not used is removed.
    """
    from concurrent.futures import ThreadPoolExecutor

    left = iter(contents)
    with ThreadPoolExecutor(TOGETHER) as pool:
        while some := list(islice(left, TOGETHER)):
            with contextlib.ExitStack() as stack:
                made = [_attempt(stack, target, data) for target, data in some]
                on_disk = list(pool.map(_sync, made))
                for (_, data), file, lasts in zip(some, made, on_disk, strict=True):
                    yield data, file if lasts else None


def _attempt(stack: contextlib.ExitStack, target: Path, data: bytes) -> Path | None:
    with contextlib.suppress(WriteError):  # One that is then written by itself says why.
        return stack.enter_context(_temporary(target, data, lasting=False))
    return None


def _sync(file: Path | None) -> bool:
    """Whether a file is on the disk now."""
    with contextlib.suppress(OSError), files.open_plain(file or "", "rb+") as stream:
        os.fsync(stream.fileno())
        return True
    return False


@contextlib.contextmanager
def _using(ready: Path, target: Path) -> Iterator[Path]:
    with refusing("This file could not be written", target):
        yield ready


def put(target: Path, data: bytes | bytearray, *, lasting: bool = True) -> None:
    """Put `data` at `target` in one step, whatever is there; again and again where another program holds that open.

    What need not outlast a power cut is written faster. Raises OSError, also for one that is in iCloud alone.
    """
    files.refuse_evicted(target)
    with _filled(tempfile.mkstemp(prefix=TEMPORARY, suffix=".tmp", dir=target.parent), data, lasting) as temporary:
        _open_to_others(temporary)
        retrying(lambda: temporary.replace(target), PAUSE)


def create(target: Path, data: bytes) -> None:
    """A new file; raises AlreadyThere if there is one, which is left alone, and WriteError if it cannot be made."""
    with _temporary(target, data) as temporary:
        _open_to_others(temporary)
        try:
            give_name(temporary, target)
        except FileExistsError as error:
            raise AlreadyThere("There is a file of this name already.", where=str(target)) from error
    files.sync_folder(target.parent)


def create_with_folder(target: Path, data: bytes) -> None:
    """The same, with the folders that it needs."""
    with refusing("This folder cannot be made", target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
    create(target, data)


@contextlib.contextmanager
def refusing(message: str, where: Path | str) -> Iterator[None]:
    """Raise a WriteError with `message` and the reason, in place of the system's own error."""
    try:
        yield
    except OSError as error:
        reason, hint = error.strerror or error, files.download_hint(error)
        raise WriteError(f"{message}: {reason}.", where=str(where), hint=hint) from error


def modified(file: Path) -> int | None:
    """When the file was last changed, in ns; None if it is gone for a moment, as while some programs save it."""
    with contextlib.suppress(OSError):
        return file.stat().st_mtime_ns
    return None


def is_read_only(file: Path) -> bool:
    """Whether a file is marked read-only, even for someone whom the system would let write anyway."""
    try:
        return not file.stat().st_mode & 0o222 or not os.access(file, os.W_OK)
    except OSError:
        return False


def has_other_names(file: Path) -> bool:
    """Whether hard links lead to the file as well: under those it keeps its old text when it is replaced."""
    with contextlib.suppress(OSError):
        return file.stat().st_nlink > 1
    return False


def sweep(folder: Path) -> None:
    """Remove the `.tmp` that killed writes left in `folder`; only for one who holds the lock of all writers."""
    with contextlib.suppress(OSError):
        for leftover in folder.glob(f"{TEMPORARY}*.tmp"):
            leftover.unlink()


def exchanged_in(folder: Path) -> list[Path]:
    """The `.swap` that killed writes left in `folder`: one's own text, the old one, or another program's."""
    try:
        return sorted(folder.glob(f"{TEMPORARY}*{SUFFIX}"))
    except OSError:
        return []


def sha256(data: bytes) -> str:
    """The hash by which a file's content is known, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def hash_of(file: Path) -> str:
    """The hash of what a file holds now. Raises OSError."""
    return sha256(files.read(file, files.PICTURE))


@contextlib.contextmanager
def _temporary(target: Path, data: bytes, lasting: bool = True) -> Iterator[Path]:
    """A hidden file beside `target` that holds `data`, on disk; removed afterwards if it is still there."""
    with refusing("Nothing can be written in this folder", target.parent):
        opened = tempfile.mkstemp(prefix=TEMPORARY, suffix=".tmp", dir=target.parent)
    with refusing("This file could not be written", target), _filled(opened, data, lasting) as temporary:
        yield temporary


@contextlib.contextmanager
def _filled(opened: tuple[int, str], data: bytes | bytearray, lasting: bool = True) -> Iterator[Path]:
    """The new file, once it holds `data`, for its owner alone; removed afterwards if it is there. Raises OSError."""
    descriptor, temporary = opened[0], Path(opened[1])
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if lasting:
                os.fsync(stream.fileno())
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _open_to_others(file: Path) -> None:
    """Give a new file the mode that any program would; one that replaces another has that one's from the start."""
    if os.name == "posix":
        file.chmod(0o666 & ~umask())


def _exchange(temporary: Path, real: Path, target: Path) -> Path | None:
    """Where the file is now that lay at `real`; None if the system does not let it be kept."""
    # A name that the next write does not take for rubbish: from now on it may be another program's text.
    fresh = temporary.replace(temporary.with_suffix(SUFFIX))
    try:
        return retrying(lambda: exchange(fresh, real), PAUSE)
    except PermissionError as error:
        fresh.unlink(missing_ok=True)
        raise _held_open(target) from error
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _put_back(old: Path, real: Path, data: bytes) -> bool:
    """Undo the exchange, since `old` is another program's, which comes first.

    False if the file has been changed yet again: the newer content stays in it, and the older one lies beside.
    """
    if not real.is_file() or hash_of(real) != sha256(data):
        return False
    ours = exchange(old, real)
    files.sync_folder(real.parent)
    if ours is None:
        return True
    if hash_of(ours) == sha256(data):
        ours.unlink()
        return True
    exchange(ours, real)
    files.sync_folder(real.parent)
    return False


def _holds(file: Path, digest: str) -> bool:
    try:
        return hash_of(file) == digest
    except files.Refused:  # another program has put something there that is no plain file
        return False


def _keep_copy(old: Path, aside: Path | None) -> None:
    """Keep a copy of another program's text, since that program may have read the note while it was gone."""
    if aside is not None:
        with contextlib.suppress(OSError), files.open_own(aside, "wb") as copy:
            copy.write(files.read(old, files.PICTURE))


def _dismiss(old: Path, aside: Path | None) -> None:
    """Move a file that is as expected to `aside`, where a program may still write into it; else delete it."""
    if aside is not None:
        with contextlib.suppress(OSError):
            old.replace(aside)
            return
    with contextlib.suppress(OSError):
        old.unlink()


def _held_open(target: Path) -> WriteError:
    return WriteError(
        "Another program holds this note open.", where=str(target), hint="Close it there, then try again."
    )


def _changed(target: Path) -> ChangedSince:
    return ChangedSince("Another program changed this note just now.", where=str(target))


def _copy_owner_and_mode(source: Path, to: Path) -> None:
    """Owner first, since changing it may drop bits of the mode."""
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            status = source.stat()
            os.chown(to, status.st_uid, status.st_gid)
    with contextlib.suppress(OSError):
        shutil.copymode(source, to)
    _copy_attributes(source, to)


def _copy_attributes(source: Path, to: Path) -> None:
    """Extended attributes, such as tags of a file manager and access lists; where Python knows none, there are none."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):  # some belong to the system
                os.setxattr(to, name, os.getxattr(source, name))


def umask() -> int:
    """The process's umask; reading it means setting it, there is no other call."""
    with _ONE_AT_A_TIME:
        mask = os.umask(0o022)
        os.umask(mask)
    return mask


def give_name(file: Path, target: Path) -> None:
    """Name the file `target`; raises FileExistsError if there is one, and may leave the old name as well.

    Hard links say so atomically, as rename does on Windows. Raises NotDownloaded for one that is in iCloud alone.
    """
    files.refuse_evicted(target)
    if os.name == "nt":
        file.rename(target)
        return
    try:
        os.link(file, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(target) from None
        file.replace(target)
