"""The execution of an undo: replacement and removal of files as planned, and the folder for replaced files."""

import contextlib
import os
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from vaultkit import files
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import undo_refusals
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.splice_rebasing import Timeline
from vaultkit.vault.writing.history.undo_plan import Reversal


def refuse_unwritable(vault: Vault, write: Write) -> None:
    """Raise WriteError if the file of a write, or its folder, is read-only."""
    file = vault.file(write.path).resolve()
    if write.before is not None and atomic_file.is_read_only(file):
        raise undo_refusals.unwritable_refusal(write, "file")
    folder = next(folder for folder in file.parents if folder.exists())
    if not os.access(folder, os.W_OK):
        raise undo_refusals.unwritable_refusal(write, "folder")


def complete_write(vault: Vault, reversal: Reversal) -> Write:
    """Return the write of a reversal with the file's modification time and the number of folders to create."""
    file = vault.file(reversal.write.path)
    missing_folders = [folder for folder in file.parents if not folder.exists()]
    mtime = atomic_file.read_mtime_ns(file) if reversal.before is not None else None
    return replace(reversal.write, mtime_ns=mtime, folders_made=len(missing_folders))


def apply_reversal(vault: Vault, reversal: Reversal, aside: Path, prepared_file: Path | None = None) -> bool:
    """Write or remove the file of a reversal, and return whether another program's text was displaced.

    After a removal, empty folders that vaultkit created for its files are removed as well. The old file is moved to
    `aside`. With a `prepared_file` the caller must sync the folder, as with `atomic_file.replace`. Raises FileChanged
    if the file has changed since the undo was planned, WriteError if it cannot be written.
    """
    file = vault.file(reversal.write.path)
    displaced = False
    if reversal.after is None:
        displaced = atomic_file.remove(file, reversal.write.before or "", aside)
        _remove_empty_folders([] if displaced else [*file.parents][: reversal.folders])
    elif reversal.before is None:
        atomic_file.create_with_folder(file, reversal.after)
    else:
        displaced = replace_written_file(vault, reversal.write, reversal.after, aside, prepared_file)
    if reversal.after is not None and reversal.mtime_ns is not None:
        with contextlib.suppress(OSError):
            os.utime(file, ns=(reversal.mtime_ns, reversal.mtime_ns))
    vault.forget(reversal.write.path)
    return displaced


def remove_folders(vault: Vault, undo: Entry, timeline: Timeline) -> None:
    """Remove the empty folders that vaultkit created for files which an interrupted undo removed."""
    for write in undo.writes:
        if write.done and write.after is None:
            _remove_empty_folders([*vault.file(write.path).parents][: timeline.count_made_folders(write.path)])


def _remove_empty_folders(folders: Iterable[Path]) -> None:
    """Remove the ones of `folders`, ordered from the innermost out, that are empty."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def replace_written_file(
    vault: Vault, write: Write, data: bytes, aside: Path, prepared_file: Path | None = None
) -> bool:
    """Replace the file of a write with `atomic_file.replace`, and return whether another program's text was displaced.

    The path is added to `vault.hard_linked_paths` if the file has other hard links, which keep the old text.
    """
    file = vault.file(write.path)
    has_hard_links = atomic_file.has_other_names(file)
    displaced = atomic_file.replace(file, data, write.before or "", aside, prepared_file)
    if has_hard_links:
        vault.hard_linked_paths[write.path] = None
    vault.forget(write.path)
    return displaced


ASIDE_FOLDER = "aside"
"""The name of the folder, within the history folder, for files that writes have replaced."""


def aside_path(history_folder: Path, entry_id: str, index: int, mtime_ns: int | None) -> Path:
    """Return a new path in the aside folder for the file that the write `index` of an entry replaces.

    `mtime_ns` is the file's modification time. The aside folder is in the vault, so that the file can be moved there
    without being copied: a program that has it open then still writes into it.
    """
    aside_folder = history_folder / ASIDE_FOLDER
    with atomic_file.translate_os_errors("The history cannot be written", aside_folder):
        files.refuse_links(aside_folder)
    with contextlib.suppress(OSError):
        aside_folder.mkdir(mode=0o700, exist_ok=True)
    return aside_folder / f"{entry_id}.{index}.{mtime_ns or 0}.{time.time_ns()}"
