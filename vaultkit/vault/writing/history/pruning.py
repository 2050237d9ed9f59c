"""What is too old, or too much, goes from the history."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from vaultkit.errors import VaultkitError
from vaultkit.settings import HistorySettings, load
from vaultkit.vault.writing.history import disk
from vaultkit.vault.writing.history.entry import Entry

KEPT = 20
"""So many of the newest entries always stay."""

ROUND = 20
"""Of so many entries one looks at the size of all, which means going through every folder."""

YOUNG = timedelta(days=1)
"""What is not older than this always stays."""


def limits(root: Path) -> HistorySettings:
    """What the settings of a vault say; the defaults if they cannot be read, since a write is not to fail of that."""
    try:
        return load(root).history
    except (VaultkitError, OSError, ValueError):
        return HistorySettings()


def due(root: Path, number: int) -> HistorySettings:
    """The limits that are to be looked at when the entry of this number is begun."""
    settings = limits(root)
    return settings if number % ROUND == 0 else replace(settings, megabytes=0)


def prune(folder: Path, settings: HistorySettings, now: datetime) -> None:
    """Delete the oldest entries beyond the limits, whole; only for one who holds the lock of all writers.

    Never one that an undo has not finished with. One that cannot be deleted, or cannot be read, stays.
    """
    _sweep(folder)
    names = [name for name in disk.names(folder) if disk.number_of(name) >= 0]
    if len(names) <= KEPT or not (settings.days or settings.megabytes):
        return
    limit = settings.megabytes * 1_000_000
    excess = sum(size(folder / name) for name in names) - limit if limit else 0
    busy = {entry.undoes for entry in disk.loaded(folder, names[-KEPT:]) if entry.undoing}
    for place, entry, age in _aged(folder, names[:-KEPT], now):
        too_old = bool(settings.days) and age > timedelta(days=settings.days)
        if age <= YOUNG:
            continue
        if not (too_old or excess > 0):
            return
        if entry.state in {"", "undone"} and entry.id not in busy:
            excess -= size(place)
            _delete(place)


def size(place: Path) -> int:
    """The bytes of the files in one folder."""
    with contextlib.suppress(OSError), os.scandir(place) as files:
        return sum(file.stat().st_size for file in files)
    return 0


def _aged(folder: Path, names: list[str], now: datetime) -> Iterator[tuple[Path, Entry, timedelta]]:
    for name in names:
        place = folder / name
        entry = disk.load(place)
        if entry is None:
            continue
        with contextlib.suppress(ValueError, OverflowError, OSError):
            yield place, entry, now.astimezone() - datetime.fromisoformat(entry.when).astimezone()


def _delete(place: Path) -> None:
    """Renamed first, so that one cut off halfway is not taken for an entry."""
    with contextlib.suppress(OSError):
        shutil.rmtree(place.rename(place.with_name(f"{place.name}{disk.GONE}")), ignore_errors=True)


def _sweep(folder: Path) -> None:
    for name in os.listdir(folder):  # noqa: PTH208
        if name.endswith(disk.GONE):
            shutil.rmtree(folder / name, ignore_errors=True)
