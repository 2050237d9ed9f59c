"""Upkeep of the history: the state of interrupted entries, entries that a sync tool merged, and old entries."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from vaultkit.errors import VaultkitError
from vaultkit.settings import HistorySettings, load
from vaultkit.vault.encoding import EncodingError, decode
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import entry_files
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.reversal import ReadContent, ReadFormerContent, hash_or_none

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
    """Return whether a copy has other writes than its folder's entry, and so is no older state of this entry."""
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


def resolve_state(entry: Entry, read_content: ReadContent, load_image: ReadFormerContent) -> Entry:
    """Return the entry without its last writes that were not made, and with `done` set as the files show.

    If `undoing` is set and `undoes` is not, an old version of vaultkit was undoing the entry; its last writes that were
    undone are removed.
    """
    is_old_undo = entry.undoing and not entry.undoes
    marked_entry = entry if is_old_undo else _mark_done(entry, read_content, load_image)
    write_count = len(marked_entry.writes)
    while write_count and (is_old_undo or not marked_entry.writes[write_count - 1].done):
        if _was_made(marked_entry, write_count - 1, read_content, load_image) is not False:
            break
        write_count -= 1
    return marked_entry.with_first_writes(write_count)


def drop_unmade(entry: Entry, read_content: ReadContent) -> Entry:
    """Return the entry up to the last write that was made; a write counts as made if its text is in the note."""
    while entry.writes and not entry.writes[-1].done:
        write = entry.writes[-1]
        own_text = write.inserted.strip().encode()
        if own_text and own_text in (read_content(write.path) or b""):
            return entry.with_write(-1, done=True)
        entry = entry.with_first_writes(len(entry.writes) - 1)
    return entry


def _mark_done(entry: Entry, read_content: ReadContent, load_image: ReadFormerContent) -> Entry:
    """Return the entry, if it was interrupted, with `done` of the last write to each file set as the file shows.

    After a power cut, the recorded `done` may be wrong: both the record and the note's replacement may be lost.
    """
    if entry.complete and not entry.undoing and all(write.done for write in entry.writes):
        return entry
    writes, last_index_by_path = [*entry.writes], {write.path: index for index, write in enumerate(entry.writes)}
    for index in last_index_by_path.values():
        was_made = _was_made(entry, index, read_content, load_image)
        if was_made is not None and writes[index].before != writes[index].after:
            writes[index] = replace(writes[index], done=was_made)
    return replace(entry, writes=tuple(writes))


def _was_made(entry: Entry, index: int, read_content: ReadContent, load_image: ReadFormerContent) -> bool | None:
    """Return whether a write was made, as its file shows; None if later changes make that uncertain."""
    write = entry.writes[index]
    data = read_content(write.path)
    if (current := hash_or_none(data)) in (write.before, write.after):
        return current != write.before
    before = b"" if write.before is None else load_image(entry, index)
    if write.done or data is None or before is None or write.after is None:
        return write.done or None
    with contextlib.suppress(EncodingError, AssertionError):
        text = decode(before, write.path).text
        return _is_after(write, text, write.splice.apply(text), decode(data, write.path).text)
    return None


def _is_after(write: Write, before: str, after: str, current: str) -> bool | None:
    """Return whether `current`, which was changed since, has the text after a write (True) or before it (False).

    None means that neither is certain. Parts are counted, so that line ends and other lines may have changed. Only if
    the removed text is still there was the write surely not made, since inserted text may have been edited.
    """
    parts = [part for part in map(_normalize_line_ends, (write.removed, write.inserted)) if part]
    texts = map(_normalize_line_ends, (before, after, current))
    old_counts, new_counts, current_counts = ([text.count(part) for part in parts] for text in texts)
    if current_counts == new_counts != old_counts:
        return True
    return False if current_counts == old_counts != new_counts and write.removed.strip() else None


def _normalize_line_ends(text: str) -> str:
    """Return a text with LF line ends, and without line ends at its start and end."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
