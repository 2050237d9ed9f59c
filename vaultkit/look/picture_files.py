"""Facts that earlier runs have read in the files of pictures, for as long as these stay as they are."""

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from vaultkit import files
from vaultkit.vault.writing.atomic import put

Answer = TypeVar("Answer", str, tuple[int, int])
_DOUBT_NS = 2_000_000_000
"""A file changed so shortly ago may change again under the same time, and nothing is kept of it."""


def recall(folder: Path, source: Path, question: str, read: Callable[[], Answer], kind: type[Answer]) -> Answer:
    """The answer to `question` on the file `source`: that of an earlier run in `folder`, else what `read` answers."""
    place = _place(folder, source, question)
    if place is None:
        return read()
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(files.read(place), type=kind)
    answer = read()
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        put(place, msgspec.json.encode(answer), lasting=False)
    return answer


def _place(folder: Path, source: Path, question: str) -> Path | None:
    """Where the answer is kept, named after the file as it is now; None for one that may yet change unseen."""
    try:
        stat = os.lstat(source)
    except OSError:
        return None
    if max(stat.st_mtime_ns, stat.st_ctime_ns) + _DOUBT_NS > time.time_ns():
        return None
    stamp = (stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    key = repr((question, os.fspath(source), *stamp)).encode("utf-8", "surrogateescape")
    return folder / "files" / f"{hashlib.sha256(key).hexdigest()[:40]}.json"
