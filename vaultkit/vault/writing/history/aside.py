"""Where replaced files lie for a while, since a program that holds one open still writes into it."""

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history.entry import Entry

if TYPE_CHECKING:
    from vaultkit.vault.writing.history.store import History

ASIDE = "aside"
"""The folder in that of the history where they do."""


def aside_of(history: "History", entry: Entry, mtime_ns: int | None) -> Path:
    """Where the file, last changed at `mtime_ns`, goes that the next write of `entry` replaces.

    In the vault, since then it need not be copied, which would leave behind a program that writes into it.
    """
    return place_of(history, entry.id, len(entry.writes), mtime_ns or 0)


def place_of(history: "History", entry_id: str, index: int, mtime_ns: int) -> Path:
    """A new place for a file that the write `index` of an entry has to do with, last changed at `mtime_ns`."""
    folder = history.folder / ASIDE
    with contextlib.suppress(OSError):
        folder.mkdir(exist_ok=True)
    return folder / f"{entry_id}.{index}.{mtime_ns}.{time.time_ns()}"


def keep_displaced(history: "History", entry: Entry, folder: Path) -> Entry:
    """The entry with what its last write, into a file of `folder`, displaced and could not put back."""
    for leftover in atomic.exchanged_in(folder):
        index, data = len(entry.writes) - 1, leftover.read_bytes()
        if entry.writes[index].displaced is None:
            entry = history.keep_displaced(entry, index, data)
        leftover.replace(place_of(history, entry.id, index, 0))
    return entry
