"""Atomic writes: a file is written whole or not at all, by way of a temporary file and fsync."""

import contextlib
import hashlib
import os
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO

from vaultkit import file_errors, files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.file_errors import hint_for, is_in_use, reason_for, retry_if_in_use
from vaultkit.vault.writing import file_modes
from vaultkit.vault.writing.atomic_swap import SWAP_SUFFIX, exchange

RETRY_SECONDS = 0.05
"""The delay before the second attempt to replace a file that another program holds open; doubled each time, about
1.5 s in all."""

TEMPORARY_PREFIX = ".vaultkit-"
"""The prefix of the names of temporary files; the dot hides them from Obsidian. A leftover `.tmp` file can be deleted.
A leftover `.swap` file may hold another program's text that was not checked before a crash."""
MAX_PARALLEL_FILES = 32
"""The maximum number of files that are synced to disk in parallel, which takes little longer than a single one."""


class FileAlreadyExists(WriteError):
    """An error for a new file whose name exists already."""


class FileChanged(VaultkitError):
    """An error for a file whose content has changed since it was read."""

    exit_code = WriteError.exit_code


def replace(
    target: Path, data: bytes, expected_sha256: str, aside: Path | None = None, prepared_file: Path | None = None
) -> bool:
    """Replace a file whose hash is `expected_sha256` by `data`; return whether another program's text was displaced.

    The file keeps its mode. The old and the new file are exchanged, and the old one is checked afterwards: text that
    another program wrote at the last moment is put back. Returns True if that text could not be put back because the
    file changed once more; the text is then in a `.swap` file, which `list_swap_files` returns. Raises FileChanged if
    the content is no longer the expected one, WriteError if the file cannot be written.

    The old file is moved to `aside`, since a program that holds it open may still write into it; without `aside` it is
    deleted. `prepared_file` is a file from `prepare` that already holds `data`; the caller must then sync the folder,
    so that the replacement survives a power cut.
    """
    real = target.resolve()
    if is_read_only(real):
        raise WriteError("This note is read-only.", where=str(target), hint="Make it writable, then try again.")
    new_file = contextlib.nullcontext(prepared_file) if prepared_file else _temporary_file(real, data)
    with translate_os_errors("This file could not be written", real), new_file as temporary:
        file_modes.copy_owner_and_mode(real, temporary)
        if hash_file(real) != expected_sha256:
            raise _changed_error(target)
        old_file = _exchange(temporary, real, target)
        is_expected = old_file is None or _has_hash(old_file, expected_sha256)
        if is_expected and not prepared_file:
            files.sync_folder(real.parent)
        if old_file is None:
            return False
        # Check again: a program that held it open may have written meanwhile.
        if is_expected and _has_hash(old_file, expected_sha256):
            _discard_old(old_file, aside)
            return False
        _keep_copy(old_file, aside)
        if _put_back(old_file, real, data):
            raise _changed_error(target)
    return True


def remove(target: Path, expected_sha256: str, aside: Path | None = None) -> bool:
    """Remove a file whose hash is `expected_sha256`, and return whether another program's text was displaced.

    The file is renamed first and checked afterwards; if another program changed it at the last moment, it gets its name
    back. Returns True if that was impossible because the name is taken again; the text is then in a `.swap` file, which
    `list_swap_files` returns. Raises FileChanged if the content is not the expected one, WriteError if the file cannot
    be removed.

    The old file is moved to `aside`, since a program that holds it open may still write into it; without `aside` it is
    deleted.
    """
    real = target.resolve()
    with translate_os_errors("This file cannot be removed", target):
        if not real.is_file() or hash_file(real) != expected_sha256:
            raise _changed_error(target)
        old_file = _rename_away(real, target)
        files.sync_folder(real.parent)
        if _has_hash(old_file, expected_sha256):
            _discard_old(old_file, aside)
            return False
        _keep_copy(old_file, aside)
        try:
            give_name(old_file, real)
        except FileExistsError:
            return True
        old_file.unlink(missing_ok=True)
        files.sync_folder(real.parent)
    raise _changed_error(target)


def _rename_away(real: Path, target: Path) -> Path:
    """Rename the file `real` to a hidden name in the same folder, and return its new path."""
    old_file = real.with_name(f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}{SWAP_SUFFIX}")
    try:
        return retry_if_in_use(lambda: real.rename(old_file), RETRY_SECONDS)
    except OSError as error:
        if is_in_use(error):
            raise _held_open_error(target, error) from error
        raise


def prepare(contents: Iterable[tuple[Path, bytes]]) -> Generator[tuple[bytes, Path | None], None, None]:
    """Yield each content with a temporary file for `replace` that holds it, or with None if that could not be made.

    `contents` are pairs of a target and its content. The files are synced to disk. Close the generator, so that it
    removes the files that were not used.
    """
    from concurrent.futures import ThreadPoolExecutor

    remaining = iter(contents)
    with ThreadPoolExecutor(MAX_PARALLEL_FILES) as pool:
        while chunk := list(islice(remaining, MAX_PARALLEL_FILES)):
            with contextlib.ExitStack() as stack:
                temporary_files = [_try_temporary_file(stack, target, data) for target, data in chunk]
                sync_results = list(pool.map(_sync, temporary_files))
                for (_, data), file, is_synced in zip(chunk, temporary_files, sync_results, strict=True):
                    yield data, file if is_synced else None


def _try_temporary_file(stack: contextlib.ExitStack, target: Path, data: bytes) -> Path | None:
    with contextlib.suppress(WriteError):  # The target is then written alone, and that attempt reports the reason.
        return stack.enter_context(_temporary_file(target, data, durable=False))
    return None


def _sync(file: Path | None) -> bool:
    """Sync a file to disk and return whether that succeeded."""
    with contextlib.suppress(OSError), files.open_plain(file or "", "rb+") as stream:
        files.sync(stream.fileno())
        return True
    return False


def put(target: Path, data: bytes | bytearray, *, durable: bool = True) -> None:
    """Write `data` to `target` atomically, over any file there; retry while another program holds it open.

    With `durable` False the fsync is left out, which is faster, but a power cut may lose the data. Raises OSError, also
    for a file that is in the cloud only.
    """
    files.refuse_evicted(target)
    with _fill_file(_open_temporary(target.parent), data, durable) as temporary:
        file_modes.set_default_mode(temporary)
        retry_if_in_use(lambda: temporary.replace(target), RETRY_SECONDS)


def create(target: Path, data: bytes) -> None:
    """Create a file atomically.

    Raises FileAlreadyExists if it exists, which leaves it unchanged, and WriteError if it cannot be created.
    """
    with _temporary_file(target, data) as temporary:
        file_modes.set_default_mode(temporary)
        try:
            give_name(temporary, target)
        except FileExistsError as error:
            raise FileAlreadyExists("A file with this name exists already.", where=str(target)) from error
    files.sync_folder(target.parent)


def create_with_folder(target: Path, data: bytes) -> None:
    """Create a file and its missing parent folders.

    Raises FileAlreadyExists if the file exists, which leaves it unchanged, and WriteError if it cannot be created.
    """
    with translate_os_errors("This folder cannot be made", target.parent):
        files.make_folder(target.parent)
    create(target, data)


@contextlib.contextmanager
def translate_os_errors(message: str, where: Path | str) -> Iterator[None]:
    """Turn an OSError of the block into a WriteError with `message` and the reason."""
    try:
        yield
    except OSError as error:
        raise WriteError(f"{message}: {reason_for(error)}.", where=str(where), hint=hint_for(error)) from error


def read_mtime_ns(file: Path) -> int | None:
    """Return a file's modification time in ns, or None if it is missing, as it may be while a program saves it."""
    with contextlib.suppress(OSError):
        return file.stat().st_mtime_ns
    return None


def is_read_only(file: Path) -> bool:
    """Return whether a file is marked read-only, even if the system would let the user write anyway."""
    try:
        return not file.stat().st_mode & 0o222 or not os.access(file, os.W_OK)
    except OSError:
        return False


def has_other_names(file: Path) -> bool:
    """Return whether the file has several hard links; the others keep the old text when the file is replaced."""
    with contextlib.suppress(OSError):
        return file.stat().st_nlink > 1
    return False


def sweep(folder: Path) -> None:
    """Remove the `.tmp` files that killed writes left in `folder`; call it under the vault's lock."""
    with contextlib.suppress(OSError):
        for leftover in folder.glob(f"{TEMPORARY_PREFIX}*.tmp"):
            leftover.unlink()


def list_swap_files(folder: Path) -> list[Path]:
    """Return the `.swap` files that killed writes left in `folder`, sorted.

    Each holds vaultkit's own text, the old text or another program's.
    """
    try:
        return sorted(folder.glob(f"{TEMPORARY_PREFIX}*{SWAP_SUFFIX}"))
    except OSError:
        return []


def sha256(data: bytes) -> str:
    """Return the hexadecimal SHA-256 of a file's content."""
    return hashlib.sha256(data).hexdigest()


def hash_file(file: Path) -> str:
    """Return the hexadecimal SHA-256 of a file. Raises OSError."""
    return sha256(files.read(file, files.PICTURE_BYTES))


@contextlib.contextmanager
def _temporary_file(target: Path, data: bytes, durable: bool = True) -> Iterator[Path]:
    """Write `data` into a hidden file beside `target` and yield it; afterwards remove it if it still exists."""
    with translate_os_errors("Nothing can be written in this folder", target.parent):
        opened = _open_temporary(target.parent)
    with (
        translate_os_errors("This file could not be written", target),
        _fill_file(opened, data, durable) as temporary,
    ):
        yield temporary


def _open_temporary(folder: Path) -> tuple[IO[bytes], Path]:
    """Open a new hidden file that only its owner may read, and return its path as well. Raises OSError.

    Before Python 3.13 `tempfile.mkstemp` never ends on Windows in a folder in which it must not write.
    """
    path = folder / f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}.tmp"
    return files.open_plain(path, "xb"), path


@contextlib.contextmanager
def _fill_file(opened: tuple[IO[bytes], Path], data: bytes | bytearray, durable: bool = True) -> Iterator[Path]:
    """Write `data` into a file from `_open_temporary` and yield its path; afterwards remove it. Raises OSError."""
    stream, temporary = opened
    try:
        with stream:
            stream.write(data)
            stream.flush()
            if durable:
                files.sync(stream.fileno())
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _exchange(temporary: Path, real: Path, target: Path) -> Path | None:
    """Exchange two files and return the new path of the old one, or None if the system cannot keep it."""
    # After the exchange this file may hold another program's text, so its suffix must not be `.tmp`.
    new_file = temporary.replace(temporary.with_suffix(SWAP_SUFFIX))
    try:
        return retry_if_in_use(lambda: exchange(new_file, real), RETRY_SECONDS)
    except OSError as error:
        with contextlib.suppress(OSError):  # whoever holds the note may hold this file, too
            new_file.unlink(missing_ok=True)
        if is_in_use(error):
            raise _held_open_error(target, error) from error
        raise


def _put_back(old_file: Path, real: Path, data: bytes) -> bool:
    """Undo the exchange, since `old_file` holds another program's text, and return whether it was undone.

    If the file has changed again, return False: the newer text stays in it, and the older one in the `.swap` file.
    """
    if not real.is_file() or hash_file(real) != sha256(data):
        return False
    own_file = exchange(old_file, real)
    files.sync_folder(real.parent)
    if own_file is None:
        return True
    if hash_file(own_file) == sha256(data):
        own_file.unlink()
        return True
    exchange(own_file, real)
    files.sync_folder(real.parent)
    return False


def _has_hash(file: Path, digest: str) -> bool:
    try:
        return hash_file(file) == digest
    except files.FileRefused:  # another program has put something other than a plain file there
        return False


def _keep_copy(old: Path, aside: Path | None) -> None:
    """Copy another program's text to `aside`, since that program may have read the note while its text was missing."""
    if aside is not None:
        with contextlib.suppress(OSError), files.open_state(aside, "wb") as copy:
            copy.write(files.read(old, files.PICTURE_BYTES))


def _discard_old(old: Path, aside: Path | None) -> None:
    """Move a file with the expected content to `aside`, where a program may still write into it, or delete it."""
    if aside is not None:
        with contextlib.suppress(OSError):
            old.replace(aside)
            return
    with contextlib.suppress(OSError):
        old.unlink()


def _held_open_error(target: Path, error: OSError) -> WriteError:
    hint = hint_for(error) or "Close it there, then try again."
    return WriteError("Another program has this note open.", where=str(target), hint=hint)


def _changed_error(target: Path) -> FileChanged:
    return FileChanged("Another program changed this note just now.", where=str(target))


def give_name(file: Path, target: Path) -> None:
    """Give a file the name `target` atomically; it may keep its old name as well.

    Uses a hard link, or a rename on Windows. Raises FileExistsError if the name is taken, NotDownloaded if the target
    is in the cloud only.
    """
    files.refuse_evicted(target)
    if file_errors.ON_WINDOWS:
        retry_if_in_use(lambda: file.rename(target), RETRY_SECONDS)
        return
    try:
        os.link(file, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(target) from None
        file.replace(target)
