"""The files of the history: entries as JSON and contents of notes, each written whole or not at all."""

import contextlib
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from vaultkit import files
from vaultkit.budget import MB, Limit
from vaultkit.errors import BudgetExceeded
from vaultkit.file_errors import retry_if_in_use
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history.entry import Entry, Write

SCHEMA = 1
ENTRY_FILE = "entry.json"
PLAN_FILE = "plan.json"
"""The file with all planned writes of an entry, in the format of an entry, saved before the first one is made."""
PROGRESS_FILE = "progress"
"""The file with the indices of the writes that are done, one a line; the entry marks them once all are done."""
_MAX_ENTRY_BYTES = Limit("This entry of the history has", 64 * MB, "bytes", "Change notes in parts: name a folder.")
"""The limit of an entry's JSON, which may hold a whole note twice: the removed and the inserted text."""
_MAX_WRITES = Limit("This entry of the history has", 100_000, "changes", "Change notes in parts: name a folder.")
"""The limit of the writes of an entry, since short JSON may take a thousand times its size once parsed."""
_MAX_FILE_WRITES = Limit("This entry of the history has", 200, "changes of one file", "Change the note in parts.")
"""The limit of the writes of an entry to one file, each of which is undone over all later ones."""
_MAX_PROGRESS_BYTES = Limit("The progress of this entry has", MB, "bytes", "Delete it: the notes show what is done.")
MAX_NAME_BYTES = 255
"""The maximum length in bytes of a file name on usual systems."""
DELETED_SUFFIX = ".gone"
"""The suffix of an entry's folder while it is being deleted."""

UNWRITABLE = "The history cannot be written"
_PARSE_ERRORS = (ValueError, BudgetExceeded, RecursionError, msgspec.MsgspecError)
_OWN_FILE = re.compile(r"(?:entry|plan).*\.json|progress|[0-9]+.*\.(?:ahead|before|displaced|images)|.*\.tmp")
"""The names of the files in an entry's folder, also with a sync tool's additions, such as `entry (copy).json`."""
_NUMBER = re.compile(r"[0-9]+")


@cache
def entry_number(name: str) -> int:
    """Return the number at the start of an entry's folder name, or -1 if there is none."""
    number = _NUMBER.match(name)
    return int(number[0]) if number else -1


def list_names(folder: Path) -> list[str]:
    """Return the names of the entries' folders, oldest first, without symlinks and folders that are being deleted."""
    with contextlib.suppress(OSError):
        files.refuse_links(folder)
        all_names = (name for name in os.listdir(folder) if not name.endswith(DELETED_SUFFIX))  # noqa: PTH208
        entry_names = [name for name in all_names if not files.is_link(f"{folder}{os.sep}{name}")]
        return sorted(entry_names, key=lambda name: (entry_number(name), name))
    return []


def last_number(folder: Path) -> int:
    """Return the highest number at the start of any name in the folder, or 0 if there is none."""
    with contextlib.suppress(OSError):
        return max([0, *map(entry_number, os.listdir(folder))])  # noqa: PTH208
    return 0


def load_entries(folder: Path, names: Iterable[str]) -> Iterator[Entry]:
    """Return an iterator over the named entries; the ones that are unreadable or have no writes are left out."""
    return (entry for name in names if (entry := load(folder / name)) and entry.writes)


def load(entry_folder: Path, name: str = ENTRY_FILE) -> Entry | None:
    """Return the entry in a folder, from its file `name`, or None if it cannot be read.

    Fields of later versions of vaultkit are ignored. The entry's id is the folder's name, not the id in the file, so
    that a copy of the folder is another entry.
    """
    for _ in range(2):  # on Windows a file that is being replaced cannot be opened for a moment
        try:
            content = files.read_state(entry_folder / name, _MAX_ENTRY_BYTES)
            if (entry := _decode(content, entry_folder.name)) is None:
                return None
            return _with_progress(entry_folder, entry) if entry.undoing or not entry.complete else entry
        except (FileNotFoundError, NotADirectoryError, *_PARSE_ERRORS):
            return None
        except OSError:
            time.sleep(0.02)
    return None


@lru_cache(maxsize=2)  # an undo reads its entry again and again
def _decode(content: bytes, name: str) -> Entry | None:
    """Return an entry, or None if it names files that vaultkit does not write to. Raises one of _PARSE_ERRORS."""
    _MAX_WRITES.check(content.count(b'"path"'))
    entry = replace(msgspec.json.decode(content, type=Entry), id=name)
    _check_writes(entry)
    if not all(map(_may_be_own_path, {write.path for write in entry.writes})):
        return None
    # The first versions made every write that they recorded.
    return entry if b'"done"' in content else entry.with_changes(range(len(entry.writes)), done=True)


def _check_writes(entry: Entry) -> None:
    """Raise BudgetExceeded if an entry has too many writes, in all or to one file."""
    _MAX_WRITES.check(len(entry.writes), entry.id)
    counts = Counter(write.path for write in entry.writes)
    _MAX_FILE_WRITES.check(max(counts.values(), default=0), entry.id)


def encode_entry(entry: Entry) -> bytes:
    """Return an entry as JSON, without the contents of files. Raises BudgetExceeded if `load` would refuse it."""
    _check_writes(entry)
    writes = [{name: getattr(write, name) for name in Write.__slots__} for write in entry.writes]
    data = msgspec.json.format(msgspec.json.encode({"schema": SCHEMA, **vars(entry), "writes": writes}), indent=1)
    _MAX_ENTRY_BYTES.check(len(data), entry.id)
    return data


def make_folder(entry_folder: Path) -> None:
    """Make the folder of an entry, synced so that it survives a power cut. Raises WriteError."""
    with atomic_file.translate_os_errors(UNWRITABLE, entry_folder):
        files.refuse_links(entry_folder)
        files.make_folder(entry_folder, 0o700)


def remove(entry_folder: Path) -> None:
    """Remove the history's own files from an entry's folder, and the folder if it is empty then."""
    with contextlib.suppress(OSError):
        for name in os.listdir(entry_folder):  # noqa: PTH208
            if _OWN_FILE.match(name):
                with contextlib.suppress(OSError):
                    (entry_folder / name).unlink()
        entry_folder.rmdir()


def has_plan(entry_folder: Path) -> bool:
    """Return whether an entry's folder has any part of a plan, complete or not."""
    return (entry_folder / PLAN_FILE).exists() or any(entry_folder.glob(planned_image_name("*")))


def remove_plan(entry_folder: Path) -> None:
    """Remove the plan in an entry's folder; the entry itself stays."""
    with contextlib.suppress(OSError):
        for file in (*entry_folder.glob(planned_image_name("*")), entry_folder / PLAN_FILE):
            file.unlink(missing_ok=True)


def save(file: Path, data: bytes) -> None:
    """Write `data` to a file of the history atomically; sync the folder, so that it survives a power cut.

    Raises WriteError if the file cannot be written.
    """
    save_all(file, [data])


def save_all(file: Path, contents: Iterable[bytes]) -> list[tuple[int, int]]:
    """Write many contents to one file of the history atomically, and return the offset and length of each.

    Raises WriteError if the file cannot be written.
    """
    temporary = file.with_name(f"{file.name}.tmp")
    with atomic_file.translate_os_errors(UNWRITABLE, file):
        files.refuse_evicted(file)
        with files.open_state(temporary, "wb") as stream:
            ranges = [(stream.tell(), stream.write(data)) for data in contents]
            stream.flush()
            files.sync(stream.fileno())
        retry_if_in_use(lambda: temporary.replace(file), 0.02)
    return ranges


def add_progress(entry_folder: Path, index: int) -> None:
    """Record that the write `index` is done; failures are ignored, since the note's hash shows it as well."""
    with contextlib.suppress(OSError), files.open_state(entry_folder / PROGRESS_FILE, "ab") as stream:
        stream.write(b"%d\n" % index)


def _with_progress(entry_folder: Path, entry: Entry) -> Entry:
    with contextlib.suppress(OSError, ValueError):
        lines = files.read_state(entry_folder / PROGRESS_FILE, _MAX_PROGRESS_BYTES).splitlines(keepends=True)
        return entry.with_changes((int(line) for line in lines if line.endswith(b"\n")), done=True)
    return entry


def load_image(entry_folder: Path, index: int, write: Write) -> bytes | None:
    """Return a file's content before the write `index`; None if there was no file or the content is lost."""
    data = load_content(entry_folder / image_name(index), write.before)
    return data if data is not None or write.packed is None else _read_packed_image(entry_folder, write)


def _read_packed_image(entry_folder: Path, write: Write) -> bytes | None:
    first_index, start, length = write.packed or (0, 0, 0)
    with (
        contextlib.suppress(OSError, ValueError),
        files.open_state(entry_folder / pack_name(first_index), "rb") as stream,
    ):
        stream.seek(start)
        data = stream.read(min(max(length, 0), files.PICTURE_BYTES.maximum))
        return data if atomic_file.sha256(data) == write.before else None
    return None


def pack_name(first_index: int) -> str:
    """Return the name of the file that packs the contents before many writes, from the write `first_index` on."""
    return f"{first_index}.images"


def image_name(index: int) -> str:
    """Return the name of the file that holds a note's content before the write `index`."""
    return f"{index}.before"


def planned_image_name(index: int | str) -> str:
    """Return the name of the file that holds a note's content before the planned write `index`."""
    return f"{index}.ahead"


def displaced_name(index: int) -> str:
    """Return the name of the file that holds another program's text that the write `index` displaced."""
    return f"{index}.displaced"


def load_content(file: Path, expected: str | None) -> bytes | None:
    """Return the content of a file of the history if its hash is `expected`, else None.

    If a sync tool gave the file a longer name, since another computer's file had its name, the hash identifies it.
    """
    if expected is None:
        return None
    for candidate in (file, *sorted(file.parent.glob(f"{file.stem}?*{file.suffix}"))):
        with contextlib.suppress(OSError):
            data = files.read_state(candidate, files.PICTURE_BYTES)
            if atomic_file.sha256(data) == expected:
                return data
    return None


def _may_be_own_path(path: str) -> bool:
    """Return whether vaultkit may have written to a path: no hidden part except `.vaultkit`, and no part too long."""
    first, *parts = path.split("/")
    parts = parts if first == files.VAULTKIT_FOLDER and parts else [first, *parts]
    return all(part.strip() and not part.startswith(".") and len(part.encode()) <= MAX_NAME_BYTES for part in parts)
