"""An undo carried out: each file as it was planned, recorded before and after, so that it can be taken back itself."""

import contextlib
import os
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from vaultkit import files
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history import refusals
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.moving import Timeline
from vaultkit.vault.writing.history.planning import Reversal


def refuse_unwritable(vault: Vault, write: Write) -> None:
    """Raise WriteError if it is known beforehand that the file, or its folder, cannot be written."""
    file = vault.file(write.path).resolve()
    if write.before is not None and atomic.is_read_only(file):
        raise refusals.unwritable(write, "file")
    folder = next(folder for folder in file.parents if folder.exists())
    if not os.access(folder, os.W_OK):
        raise refusals.unwritable(write, "folder")


def recorded(vault: Vault, reversal: Reversal) -> Write:
    """The write as it is to be kept: with the time of the file that goes, and the folders that have to be made."""
    file = vault.file(reversal.write.path)
    missing = [folder for folder in file.parents if not folder.exists()]
    mtime = atomic.modified(file) if reversal.before is not None else None
    return replace(reversal.write, mtime_ns=mtime, folders_made=len(missing))


def carry_out(vault: Vault, reversal: Reversal, aside: Path, ready: Path | None = None) -> bool:
    """Put the file into place, or take it away, with the folders made for ours that are empty then.

    The file that was there is moved to `aside`. Returns whether another program wrote over it all in that very instant.
    A file that is `ready` to take its place leaves its folder to the caller (`atomic.replace`).
    Raises ChangedSince if it is not what was planned with, WriteError if it cannot be written.
    """
    file = vault.file(reversal.write.path)
    displaced = False
    if reversal.after is None:
        displaced = atomic.remove(file, reversal.write.before or "", aside)
        _remove_empty([] if displaced else [*file.parents][: reversal.folders])
    elif reversal.before is None:
        atomic.create_with_folder(file, reversal.after)
    else:
        displaced = replace_in(vault, reversal.write, reversal.after, aside, ready)
    if reversal.after is not None and reversal.mtime_ns is not None:
        with contextlib.suppress(OSError):
            os.utime(file, ns=(reversal.mtime_ns, reversal.mtime_ns))
    vault.forget(reversal.write.path)
    return displaced


def remove_folders(vault: Vault, undo: Entry, timeline: Timeline) -> None:
    """Remove the empty folders that were made for files which an undo took away before a crash cut it off."""
    for write in undo.writes:
        if write.done and write.after is None:
            _remove_empty([*vault.file(write.path).parents][: timeline.count_made_folders(write.path)])


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove the empty folders among `folders`, which are ordered from the innermost on."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def replace_in(vault: Vault, write: Write, data: bytes, aside: Path, ready: Path | None = None) -> bool:
    """`atomic.replace` for the file of a write; the vault remembers it if other names keep the old text."""
    file = vault.file(write.path)
    parts = atomic.has_other_names(file)
    displaced = atomic.replace(file, data, write.before or "", aside, ready)
    if parts:
        vault.parted[write.path] = None
    vault.forget(write.path)
    return displaced


ASIDE = "aside"
"""The folder, within that of the history, for files that a write has replaced."""


def place_of(folder: Path, entry_id: str, index: int, mtime_ns: int | None) -> Path:
    """A new place, below the `folder` of the history, for a file that the write `index` of an entry replaces.

    `mtime_ns` is when it was last changed. It lies in the vault, so it is moved and not copied: a copy would leave
    behind a program that goes on writing into the file.
    """
    aside = folder / ASIDE
    with atomic.refusing("The history cannot be written", aside):
        files.refuse_links(aside)
    with contextlib.suppress(OSError):
        aside.mkdir(mode=0o700, exist_ok=True)
    return aside / f"{entry_id}.{index}.{mtime_ns or 0}.{time.time_ns()}"
