"""Entries of two computers that took the same number, and met in one folder through a sync tool: parted again.

Of two files of one name such a tool keeps the one and gives the other a longer name: `entry (conflicted copy).json`,
`entry.sync-conflict-20261103.json`, `entry-LAPTOP.json`. Contents are told apart by their hashes (`disk.content`).
"""

import contextlib
import os
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

from vaultkit.vault.writing.history import disk
from vaultkit.vault.writing.history.entry import Entry


def copies(folder: Path, names: Iterable[str]) -> list[Path]:
    """The files in these entries' folders that hold an entry of their own, of which nobody would know."""
    return [copy for name in names for copy in _beside(f"{folder}{os.sep}{name}") if _is_another(copy)]


def part(copy: Path) -> None:
    """Give a copy a folder of its own, `000012-log-2`, with the contents that it needs. Raises WriteError."""
    entry = disk.load(copy.parent, copy.name)
    if entry is None:
        return
    place = _free(copy.parent)
    disk.make(place)
    for index, write in enumerate(entry.writes):
        for name, digest in ((disk.image_name(index), write.before), (disk.displaced_name(index), write.displaced)):
            data = disk.content(copy.parent / name, digest)
            if data is not None:
                disk.save(place / name, data)
    disk.save(place / disk.ENTRY, disk.encoded(replace(entry, id=place.name)))
    with contextlib.suppress(OSError):
        copy.unlink()


def _beside(place: str) -> list[Path]:
    with contextlib.suppress(OSError):
        # Plain names, since this looks into every folder of what may be thousands.
        found = [name for name in os.listdir(place) if name.startswith("entry") and name.endswith(".json")]  # noqa: PTH208
        return [Path(place, name) for name in sorted(found) if name != disk.ENTRY]
    return []


def _is_another(copy: Path) -> bool:
    """Whether it tells of other writes than the entry beside it, and not only of another state of the same."""
    entry, beside = disk.load(copy.parent, copy.name), disk.load(copy.parent)
    return entry is not None and bool(entry.writes) and (beside is None or not _tells_all_of(beside, entry))


def _tells_all_of(entry: Entry, copy: Entry) -> bool:
    known, told = ([(write.path, write.before, write.after) for write in one.writes] for one in (entry, copy))
    return (entry.when, entry.session, known[: len(told)]) == (copy.when, copy.session, told)


def _free(place: Path) -> Path:
    """A folder for an entry that has none yet; one that a crash left without an entry is."""
    names = (place.with_name(f"{place.name}-{number}") for number in count(2))
    return next(other for other in names if not (other / disk.ENTRY).exists())
