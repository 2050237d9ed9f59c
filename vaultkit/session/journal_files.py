"""The files of saved games: their paths, the kind of each, and the file operations for journals.

For the kind of a file, only its first line is read. When a function that writes returns, the data is on the disk,
unless it was called with `waits=False`.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from vaultkit import files
from vaultkit.errors import WriteError
from vaultkit.file_errors import hint_for, reason_for
from vaultkit.session.session_ids import is_id
from vaultkit.vault.writing.atomic_file import translate_os_errors
from vaultkit.vault.writing.lock import translate_lock_errors

if TYPE_CHECKING:
    from filelock import BaseFileLock

SUFFIX = ".journal"
GAME_SUFFIX, MATCH_SUFFIX, PAPER_SUFFIX = OLD_SUFFIXES = (".jsonl", ".match", ".json")
"""The suffixes of journals of version 0.3, each of which is for one kind of journal."""


def find_journals(folder: Path) -> dict[str, Path]:
    """Return the journals in a folder by the ids of their sessions; the folder need not exist.

    A journal of version 0.3 is returned only if there is no newer one of the session.
    """
    paths: dict[str, Path] = {}
    for suffix in (SUFFIX, *OLD_SUFFIXES):
        for path in files.list_files(folder, f"*{suffix}"):
            if is_id(path.stem):
                paths.setdefault(path.stem, path)
    return paths


def find_journal(folder: Path, session: str) -> Path | None:
    """Return the journal of a session, or None if there is none."""
    paths = (folder / f"{session}{suffix}" for suffix in (SUFFIX, *OLD_SUFFIXES))
    return next(filter(files.is_file, paths), None)


def delete_journal(folder: Path, session: str) -> None:
    """Delete all journals of a session.

    Those of version 0.3 are deleted first: if a later deletion fails, no older file takes the place of the newer one.
    Raises WriteError while another process plays the game, or if a file cannot be deleted.
    """
    for suffix in (*reversed(OLD_SUFFIXES), SUFFIX):
        path = folder / f"{session}{suffix}"
        if files.is_file(path):
            delete(path)


KINDS = ("game", "match", "paper")
_KIND_PATTERN = re.compile(rb'\{\s*"kind"\s*:\s*"(\w+)"')


def kind_of(path: Path) -> str:
    """Return the kind of a journal: `game`, `match` or `paper`. A file that cannot be read is a `game`."""
    if path.suffix in OLD_SUFFIXES:
        return {MATCH_SUFFIX: "match", PAPER_SUFFIX: "paper"}.get(path.suffix, "game")
    try:
        return kind_of_line(next(iter(files.read_lines(path)), b""))
    except OSError:
        return "game"


def kind_of_line(line: bytes) -> str:
    """Return the kind of a journal by its first line, which may be damaged after the kind.

    An unknown kind is returned as `game`, so that a file of a later version is listed and its schema is refused.
    """
    match = _KIND_PATTERN.match(line)
    kind = match[1].decode() if match else "game"
    return kind if kind in KINDS else "game"


class JournalChanged(WriteError):
    """The error for an open journal that another program has changed."""


@contextmanager
def _convert_errors(path: Path) -> Iterator[None]:
    """Convert errors of the file system to WriteError in the `with` block."""
    try:
        yield
    except FileExistsError as error:
        raise WriteError("A game with that name exists already.", where=str(path)) from error
    except (OSError, NotImplementedError) as error:  # older filelocks raise the latter where locks are missing
        message = f"The journal could not be written: {reason_for(error)}."
        raise WriteError(message, where=str(path), hint=hint_for(error)) from error


def create(path: Path, content: bytes) -> None:
    """Write a new file, and create missing folders; on failure the file is deleted.

    Raises WriteError if the file exists already or cannot be written.
    """
    with _convert_errors(path):
        files.make_folder(path.parent, 0o700)
        with files.open_state(path, "xb") as file:
            try:
                file.write(content)
                _sync(file)
            except BaseException:
                with suppress(OSError):
                    file.close()  # Windows does not delete an open file
                with suppress(OSError):
                    path.unlink()
                raise
        files.sync_folder(path.parent)


def create_whole(path: Path, content: bytes) -> None:
    """Write a file that has its name only when it is complete, replacing a file with that name.

    Raises WriteError if it cannot be written.
    """
    unfinished = unfinished_file(path)
    with _convert_errors(path):
        unfinished.unlink(missing_ok=True)
        with files.open_state(unfinished, "xb") as file:
            file.write(content)
            _sync(file)
        unfinished.replace(path)
        files.sync_folder(path.parent)


def append(
    path: Path, content: bytes, length: int, failed_contents: Sequence[bytes] = (), *, waits: bool = True
) -> None:
    """Append `content` to a file of `length` bytes; on failure truncate the file to that length again, if possible.

    With `waits=False` the content may reach the disk only after the function returns.

    Raises JournalChanged if the file has another length, because data of another program must not be removed. An excess
    that is the beginning of one of `failed_contents`, the contents of earlier calls, is removed. Raises WriteError if
    the file cannot be written.
    """
    with _convert_errors(path), files.open_state(path, "r+b", 0) as file:
        actual_length = file.seek(0, os.SEEK_END)
        if actual_length != length:
            file.seek(min(actual_length, length))
            excess = file.read()
            if actual_length < length or not any(content.startswith(excess) for content in failed_contents):
                raise _change_error(path, shorter=actual_length < length)
            file.truncate(length)
        file.seek(length)
        try:
            written_count = 0
            while written_count < len(content):
                written_count += file.write(content[written_count:])
            if waits:
                _sync(file)
        except BaseException:
            with suppress(OSError):
                file.truncate(length)
            raise


def truncate(path: Path, length: int) -> None:
    """Truncate a file to `length` bytes. Raises WriteError if that fails."""
    with _convert_errors(path), files.open_state(path, "r+b") as file:
        file.truncate(length)
        _sync(file)


def _change_error(path: Path, shorter: bool) -> JournalChanged:
    if shorter:
        return JournalChanged(
            "The journal was made shorter by another program while the game was on.",
            where=str(path),
            hint="Look for a backup or a sync conflict of this file before going on.",
        )
    return JournalChanged(
        "Another program has added to the journal while the game was on.",
        where=str(path),
        hint="Is the game open on another computer? Quit it on both, then continue with: vaultkit resume",
    )


class OpenElsewhere(WriteError):
    """A game that another process plays."""


def is_open_elsewhere(path: Path) -> bool:
    """Return whether another process holds the lock of a journal."""
    if not lock_file(path).exists():
        return False
    try:
        lock(path).release()
    except WriteError as error:
        return isinstance(error, OpenElsewhere)
    return False


def lock(path: Path) -> "BaseFileLock":
    """Lock a journal against other processes, and return the lock, which the caller releases.

    The lock is a separate file, so that locking never opens the journal itself; releasing does not delete it. Raises
    OpenElsewhere at once if another process holds the lock, and WriteError if the lock file cannot be written.
    """
    import filelock  # takes 20 ms, which listing games should not spend

    file_lock = filelock.FileLock(lock_file(path), timeout=0, thread_local=False, fallback_to_soft=False)
    with translate_lock_errors(lock_file(path), "", path):
        try:
            files.refuse_links(file_lock.lock_file)
            files.make_folder(path.parent)
            file_lock.acquire()
        except filelock.Timeout as error:
            raise OpenElsewhere(
                f"The game {path.stem} is being played in another window.",
                where=str(path),
                hint="Continue there, or quit it there first (q).",
            ) from error
    return file_lock


def delete(path: Path) -> None:
    """Delete a journal and its lock.

    Raises WriteError while another process plays the game, or if the file cannot be deleted.
    """
    file_lock = lock(path)
    try:
        with translate_os_errors("The journal could not be deleted", path):
            files.refuse_evicted(path)
            path.unlink()
    finally:
        file_lock.release()
    for leftover_file in (unfinished_file(path), lock_file(path)):
        with suppress(OSError):
            leftover_file.unlink()


def lock_file(path: Path) -> Path:
    """Return the path of the lock file of a journal, in the same folder."""
    return path.with_name(f".{path.stem}.lock")


def unfinished_file(path: Path) -> Path:
    """Return the path at which `create_whole` writes a journal before it is complete.

    A process that is killed leaves the file behind.
    """
    return path.with_name(f".{path.stem}.new")


def _sync(file: IO[bytes]) -> None:
    file.flush()
    files.sync(file.fileno())
