"""Entries and contents on disk, each written whole or not at all."""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from vaultkit.errors import WriteError
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history.entry import Entry, Write

SCHEMA = 1
GONE = ".gone"
"""How the name of an entry's folder ends while it is being deleted."""

_RETRIES = 6


def number_of(name: str) -> int:
    """The number that an entry's folder begins with, -1 if it has none."""
    number = re.match(r"[0-9]+", name)
    return int(number[0]) if number else -1


def places(folder: Path) -> list[Path]:
    """The folders of entries, oldest first."""
    with contextlib.suppress(OSError):
        found = [place for place in folder.iterdir() if not place.name.endswith(GONE)]
        return sorted(found, key=lambda place: (number_of(place.name), place.name))
    return []


def loaded(newest_first: list[Path]) -> Iterator[Entry]:
    """The entries in these folders, without those that cannot be read, or hold nothing."""
    for place in newest_first:
        entry = load(place)
        if entry and entry.writes:
            yield entry


def load(place: Path) -> Entry | None:
    """The entry in this folder, None if it cannot be read. What a later version adds to it is passed over."""
    for _ in range(2):  # on Windows a file that is being replaced cannot be opened for a moment
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            try:
                return _entry(json.loads((place / "entry.json").read_bytes()))
            except (FileNotFoundError, NotADirectoryError):
                return None
            except OSError:
                time.sleep(0.02)
                continue
        return None
    return None


def encoded(entry: Entry) -> bytes:
    """What is kept of an entry besides the contents of files."""
    return json.dumps({"schema": SCHEMA, **asdict(entry)}, ensure_ascii=False, indent=1).encode()


def save(file: Path, data: bytes) -> None:
    """Put `data` into a file of the history. Raises WriteError."""
    temporary = file.with_name(f"{file.name}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _replace(temporary, file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"The history cannot be written: {reason}.", where=str(file)) from error
    atomic.sync_folder(file.parent)


def image_name(index: int) -> str:
    """The file in an entry's folder that holds what the file of its write `index` was before."""
    return f"{index}.before"


def displaced_name(index: int) -> str:
    """The file in an entry's folder that holds what its write `index` displaced."""
    return f"{index}.displaced"


def content(file: Path, expected: str | None) -> bytes | None:
    """A file of the history, None if it is lost or is not what has the hash `expected`."""
    with contextlib.suppress(OSError):
        data = file.read_bytes()
        if atomic.sha256(data) == expected:
            return data
    return None


def _replace(temporary: Path, file: Path) -> None:
    for attempt in range(_RETRIES):
        try:
            temporary.replace(file)
            return
        except PermissionError:
            if os.name != "nt" or attempt == _RETRIES - 1:
                raise
        time.sleep(0.02 * 2**attempt)


def _entry(raw: dict[str, Any]) -> Entry:
    # Entries of before there was `done` say nothing of it; taking their writes for done can only make undo refuse.
    writes = tuple(Write(**_known({"done": True, **write}, Write)) for write in raw["writes"])
    return Entry(**{**_known(raw, Entry), "writes": writes})


def _known(raw: dict[str, Any], kind: type[Entry] | type[Write]) -> dict[str, Any]:
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in raw.items() if name in names}
