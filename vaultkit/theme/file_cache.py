"""A cache of facts about files, each kept until its file changes."""

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from vaultkit import files
from vaultkit.vault.writing.atomic_file import put

FileFact = TypeVar("FileFact", str, tuple[int, int])
_MIN_AGE_NS = 2_000_000_000
"""The minimum age of a file's last change for caching; a younger file may change again without a new timestamp."""


def get_cached(
    folder: Path, source: Path, fact_name: str, compute: Callable[[], FileFact], fact_type: type[FileFact]
) -> FileFact:
    """Return a fact about the file `source`: from the cache in `folder`, else from `compute`, which is then cached.

    `fact_name` tells apart the facts about one file; `fact_type` is the type of this fact.
    """
    path = _cache_path(folder, source, fact_name)
    if path is None:
        return compute()
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(files.read(path), type=fact_type)
    fact = compute()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, msgspec.json.encode(fact), durable=False)
    return fact


def _cache_path(folder: Path, source: Path, fact_name: str) -> Path | None:
    """Return the path of a cached fact, named by the file's current state; None if the fact must not be cached.

    A file that changed just now could change again without a new timestamp.
    """
    try:
        stat = os.lstat(source)
    except OSError:
        return None
    if max(stat.st_mtime_ns, stat.st_ctime_ns) + _MIN_AGE_NS > time.time_ns():
        return None
    stamp = (stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    key = repr((fact_name, os.fspath(source), *stamp)).encode("utf-8", "surrogateescape")
    return folder / "files" / f"{hashlib.sha256(key).hexdigest()[:40]}.json"
