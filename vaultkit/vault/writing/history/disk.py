"""Entries and contents on disk, each written whole or not at all."""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from vaultkit import files
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.exchange import retrying
from vaultkit.vault.writing.history.entry import Entry, Write

SCHEMA = 1
ENTRY = "entry.json"
PLAN = "plan.json"
"""The file with all the writes of an entry before the first of them is made, as an entry has them."""
PROGRESS = "progress"
"""The file that names, line by line, which of many writes are done; the entry says so once all are."""
MOST = 64 * files.MB
"""The most bytes of an entry: it may hold a whole note twice, as it was and as it became."""
MOST_WRITES = 100_000
"""The most writes of an entry; a few letters of JSON take up a thousand times as much once they are read."""
LONGEST = 255
"""Bytes of a file's name that systems know."""
GONE = ".gone"
"""How the name of an entry's folder ends while it is being deleted."""

UNWRITABLE = "The history cannot be written"
_UNREADABLE = (ValueError, TypeError, KeyError, RecursionError, msgspec.MsgspecError)
_OWN_FILE = re.compile(r"(?:entry|plan).*\.json|progress|[0-9]+.*\.(?:ahead|before|displaced|images)|.*\.tmp")
"""The names of the files in an entry's folder, also those that a sync tool made longer."""
_NUMBER = re.compile(r"[0-9]+")


@cache
def number_of(name: str) -> int:
    """The number that an entry's folder begins with, -1 if it has none."""
    number = _NUMBER.match(name)
    return int(number[0]) if number else -1


def names(folder: Path) -> list[str]:
    """The names of the folders of entries, oldest first; what is a link is none, wherever it leads."""
    with contextlib.suppress(OSError):
        files.refuse_links(folder)
        found = (name for name in os.listdir(folder) if not name.endswith(GONE))  # noqa: PTH208
        own = [name for name in found if not files.is_link(f"{folder}{os.sep}{name}")]
        return sorted(own, key=lambda name: (number_of(name), name))
    return []


def last_number(folder: Path) -> int:
    """The highest number that any name in the folder begins with, 0 without one; that of a link is taken as well."""
    with contextlib.suppress(OSError):
        return max([0, *map(number_of, os.listdir(folder))])  # noqa: PTH208
    return 0


def loaded(folder: Path, names: Iterable[str]) -> Iterator[Entry]:
    """The entries of these names, without those that cannot be read, or hold nothing."""
    return (entry for name in names if (entry := load(folder / name)) and entry.writes)


def load(place: Path, name: str = ENTRY) -> Entry | None:
    """The entry in this folder, None if it cannot be read. What a later version adds to it is passed over.

    It goes by the folder's name, whatever it says itself, so that a copy of the folder is not taken for the same.
    """
    for _ in range(2):  # on Windows a file that is being replaced cannot be opened for a moment
        try:
            entry = _entry(place.name, msgspec.json.decode(files.read_own(place / name, MOST)))
            return _with_progress(place, entry) if entry.undoing or not entry.complete else entry
        except (FileNotFoundError, NotADirectoryError, *_UNREADABLE):
            return None
        except OSError:
            time.sleep(0.02)
    return None


def encoded(entry: Entry) -> bytes:
    """An entry as JSON, without the contents of files."""
    writes = [{name: getattr(write, name) for name in Write.__slots__} for write in entry.writes]
    return json.dumps({"schema": SCHEMA, **vars(entry), "writes": writes}, ensure_ascii=False, indent=1).encode()


def make(place: Path) -> None:
    """The folder of an entry, that lasts through a power cut. Raises WriteError."""
    with atomic.refusing(UNWRITABLE, place):
        files.refuse_links(place)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.sync_folder(place.parent)


def remove(place: Path) -> None:
    """Remove an entry's folder, as far as what lies in it is the history's own."""
    with contextlib.suppress(OSError):
        for name in os.listdir(place):  # noqa: PTH208
            if _OWN_FILE.match(name):
                with contextlib.suppress(OSError):
                    (place / name).unlink()
        place.rmdir()


def has_plan(place: Path) -> bool:
    """Return whether anything of a plan is in an entry's folder, be it whole or not."""
    return (place / PLAN).exists() or any(place.glob(planned_image_name("*")))


def remove_plan(place: Path) -> None:
    """Remove what an entry's command had planned, and keep what it did."""
    with contextlib.suppress(OSError):
        for file in (*place.glob(planned_image_name("*")), place / PLAN):
            file.unlink(missing_ok=True)


def save(file: Path, data: bytes) -> None:
    """Put `data` into a file of the history, whole; it outlasts a power cut once the folder is synced.

    Raises WriteError.
    """
    save_all(file, [data])


def save_all(file: Path, contents: Iterable[bytes]) -> list[tuple[int, int]]:
    """Put many contents into one file of the history, as `save` does; returns where each begins and its length."""
    temporary = file.with_name(f"{file.name}.tmp")
    with atomic.refusing(UNWRITABLE, file):
        files.refuse_evicted(file)
        with files.open_own(temporary, "wb") as stream:
            places = [(stream.tell(), stream.write(data)) for data in contents]
            stream.flush()
            os.fsync(stream.fileno())
        retrying(lambda: temporary.replace(file), 0.02)
    return places


def add_progress(place: Path, index: int) -> None:
    """Note that the write `index` is done. If that is lost in a crash, the file's hash tells."""
    with contextlib.suppress(OSError), files.open_own(place / PROGRESS, "ab") as stream:
        stream.write(b"%d\n" % index)


def _with_progress(place: Path, entry: Entry) -> Entry:
    with contextlib.suppress(OSError, ValueError):
        lines = [int(line) for line in files.read_lines(place / PROGRESS) if line.endswith(b"\n")]
        return entry.with_done(lines)
    return entry


def image(place: Path, index: int, write: Write) -> bytes | None:
    """The file of a write as it was before; None if there was none, or if the history has lost it."""
    found = content(place / image_name(index), write.before)
    return found if found is not None or write.packed is None else _packed(place, write)


def _packed(place: Path, write: Write) -> bytes | None:
    number, start, length = write.packed or (0, 0, 0)
    with contextlib.suppress(OSError, ValueError), files.open_own(place / pack_name(number), "rb") as stream:
        stream.seek(start)
        data = stream.read(min(max(length, 0), files.PICTURE))
        return data if atomic.sha256(data) == write.before else None
    return None


def pack_name(number: int) -> str:
    """The file in an entry's folder that holds what the files of many writes, from `number` on, were before."""
    return f"{number}.images"


def image_name(index: int) -> str:
    """The file in an entry's folder that holds what the file of its write `index` was before."""
    return f"{index}.before"


def planned_image_name(index: int | str) -> str:
    """Return the name of the file that holds a note's content before the planned write `index`."""
    return f"{index}.ahead"


def displaced_name(index: int) -> str:
    """The file in an entry's folder that holds what its write `index` displaced."""
    return f"{index}.displaced"


def content(file: Path, expected: str | None) -> bytes | None:
    """A file of the history, None if it is lost or is not what has the hash `expected`.

    Where a sync tool has given it a longer name, since another computer's had the same, it is found by the hash.
    """
    if expected is None:
        return None
    for place in (file, *sorted(file.parent.glob(f"{file.stem}?*{file.suffix}"))):
        with contextlib.suppress(OSError):
            data = files.read_own(place, files.PICTURE)
            if atomic.sha256(data) == expected:
                return data
    return None


def _entry(name: str, raw: dict[str, Any]) -> Entry:
    """An entry of plain values. Raises one of `_UNREADABLE` for what vaultkit has never written."""
    if len(raw["writes"]) > MOST_WRITES:
        raise ValueError(name)
    # Entries of before there was `done` say nothing of it; taking their writes for done can only make undo refuse.
    writes = [{"done": True, **write} for write in raw["writes"]]
    entry = msgspec.convert({**raw, "writes": writes, "id": name}, Entry)
    if not all(_is_ours(write.path) for write in entry.writes):
        raise ValueError(name)
    return entry


def _is_ours(path: str) -> bool:
    """Whether a path may be that of a file which vaultkit has written: in the vault, and hidden nowhere but in OWN."""
    first, *parts = path.split("/")
    parts = parts if first == files.OWN and parts else [first, *parts]
    return all(part.strip() and not part.startswith(".") and len(part.encode()) <= LONGEST for part in parts)
