"""Upkeep of the history folder: separation of entries that a sync tool merged, and deletion of old entries."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from vaultkit.errors import VaultkitError
from vaultkit.settings import HistorySettings, load
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import entry_files
from vaultkit.vault.writing.history.entry import Entry

MIN_KEPT_ENTRIES = 20
"""The number of newest entries that are never deleted."""

SIZE_CHECK_INTERVAL_ENTRIES = 20
"""The number of new entries between two checks of the total size, which read every folder."""

MIN_DELETED_AGE = timedelta(days=1)
"""The age that an entry must exceed to be deleted."""


def find_copies(folder: Path, names: Iterable[str]) -> list[Path]:
    """Return the files, in the folders of the named entries, in which a sync tool saved another entry.

    The history reads only `entry.json` in each folder, so it does not list the other entries.
    """
    return [copy for name in names for copy in _list_copies(f"{folder}{os.sep}{name}") if _is_other_entry(copy)]


def separate_copy(copy: Path) -> None:
    """Move the entry in the file `copy` into a new folder, such as `000012-log-2`, with the contents that it needs.

    Raises WriteError if the files cannot be read or written.
    """
    with atomic_file.translate_os_errors("The history cannot be read", copy):
        digest = atomic_file.hash_file(copy)
    entry = entry_files.load(copy.parent, copy.name)
    if entry is None:
        return
    new_folder = _free_folder(copy.parent)
    entry_files.make_folder(new_folder)
    for index, write in enumerate(entry.writes):
        displaced = entry_files.load_content(copy.parent / entry_files.displaced_name(index), write.displaced)
        image = entry_files.load_image(copy.parent, index, write)
        images = {entry_files.image_name(index): image, entry_files.displaced_name(index): displaced}
        for name, data in images.items():
            if data is not None:
                entry_files.save(new_folder / name, data)
    entry_files.save(new_folder / entry_files.ENTRY_FILE, entry_files.encode_entry(replace(entry, id=new_folder.name)))
    with contextlib.suppress(VaultkitError):
        atomic_file.remove(copy, digest)


def _list_copies(entry_folder: str) -> list[Path]:
    with contextlib.suppress(OSError):
        # os.listdir instead of Path.iterdir, since there may be thousands of folders.
        file_names = [name for name in os.listdir(entry_folder) if name.startswith("entry") and name.endswith(".json")]  # noqa: PTH208
        return [Path(entry_folder, name) for name in sorted(file_names) if name != entry_files.ENTRY_FILE]
    return []


def _is_other_entry(copy: Path) -> bool:
    """Return whether a copy has other writes than its folder's entry, so that it is not an older state of that one."""
    entry, main_entry = entry_files.load(copy.parent, copy.name), entry_files.load(copy.parent)
    return entry is not None and bool(entry.writes) and (main_entry is None or not _includes_writes(main_entry, entry))


def _includes_writes(entry: Entry, copy: Entry) -> bool:
    entry_writes, copy_writes = (
        [(write.path, write.before, write.after) for write in compared.writes] for compared in (entry, copy)
    )
    return (entry.when, entry.session, entry_writes[: len(copy_writes)]) == (copy.when, copy.session, copy_writes)


def _free_folder(entry_folder: Path) -> Path:
    """Return the first of the paths `<name>-2`, `<name>-3` and so on that has no entry."""
    names = (entry_folder.with_name(f"{entry_folder.name}-{number}") for number in count(2))
    return next(candidate for candidate in names if not (candidate / entry_files.ENTRY_FILE).exists())


def load_limits(root: Path) -> HistorySettings:
    """Return the history's limits from the vault's settings, or the defaults if the settings cannot be read."""
    try:
        return load(root).history
    except (VaultkitError, OSError, ValueError):
        return HistorySettings()


def limits_to_enforce(root: Path, entry_number: int) -> HistorySettings:
    """Return the limits to enforce when a new entry has this number; the size limit only for every 20th entry."""
    settings = load_limits(root)
    return settings if entry_number % SIZE_CHECK_INTERVAL_ENTRIES == 0 else replace(settings, megabytes=0)


def prune(folder: Path, settings: HistorySettings, now: datetime) -> None:
    """Delete the oldest entries beyond the limits; call it under the vault's lock.

    Interrupted and partly undone entries are kept, as are entries that an unfinished undo needs and entries that cannot
    be read or deleted.
    """
    _finish_deletions(folder)
    names = [name for name in entry_files.list_names(folder) if entry_files.entry_number(name) >= 0]
    if len(names) <= MIN_KEPT_ENTRIES or not (settings.days or settings.megabytes):
        return
    limit_bytes = settings.megabytes * 1_000_000
    excess_bytes = sum(folder_size(folder / name) for name in names) - limit_bytes if limit_bytes else 0
    entries = entry_files.load_entries(folder, names[-MIN_KEPT_ENTRIES:])
    ids_in_undo = {entry.undoes for entry in entries if entry.undoing}
    for entry_folder, entry, age in _entries_with_age(folder, names[:-MIN_KEPT_ENTRIES], now):
        is_too_old = bool(settings.days) and age > timedelta(days=settings.days)
        if age <= MIN_DELETED_AGE:
            continue
        if not (is_too_old or excess_bytes > 0):
            return
        if entry.state in {"", "undone"} and entry.id not in ids_in_undo:
            excess_bytes -= folder_size(entry_folder)
            _delete(entry_folder)


def folder_size(folder: Path) -> int:
    """Return the total size in bytes of the files in a folder, without subfolders; 0 if it cannot be read."""
    with contextlib.suppress(OSError), os.scandir(folder) as files:
        return sum(file.stat().st_size for file in files)
    return 0


def _entries_with_age(folder: Path, names: list[str], now: datetime) -> Iterator[tuple[Path, Entry, timedelta]]:
    for name in names:
        entry_folder = folder / name
        entry = entry_files.load(entry_folder)
        if entry is None:
            continue
        with contextlib.suppress(ValueError, OverflowError, OSError):
            yield entry_folder, entry, now.astimezone() - datetime.fromisoformat(entry.when).astimezone()


def _delete(entry_folder: Path) -> None:
    """Rename an entry's folder, so that it no longer counts as an entry, then delete it."""
    with contextlib.suppress(OSError):
        name = f"{entry_folder.name}{entry_files.DELETED_SUFFIX}"
        entry_files.remove(entry_folder.rename(entry_folder.with_name(name)))


def _finish_deletions(folder: Path) -> None:
    for name in os.listdir(folder):  # noqa: PTH208
        if name.endswith(entry_files.DELETED_SUFFIX):
            entry_files.remove(folder / name)
