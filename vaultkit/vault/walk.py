"""The listing of all files in a vault, each with a stamp that shows whether it has changed."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from vaultkit import files
from vaultkit.errors import Problem
from vaultkit.file_errors import hint_for, reason_for
from vaultkit.files import DOWNLOAD_HINT, evicted_name, is_link, raise_if_exhausted

Progress = Callable[[int, int], None]
"""The type of progress callbacks, called with the number of finished files and the number of all files."""
FOLDER_LINK_CODE = "folder-link"
"""The problem code of a folder that is a link to another one (F3)."""
EVICTED_CODE = "not-downloaded"
"""The problem code of a file that iCloud Drive has evicted, so that it is not on this computer."""
_INODE_MASK = 2**63 - 1
"""A mask that makes inode numbers fit into SQLite's integers; some file systems have larger ones."""


class Stamp(NamedTuple):
    """The size, times and inode of a file. Times are in nanoseconds; `inode` is 0 if the file system has none."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def from_stat(cls, status: os.stat_result) -> "Stamp":
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & _INODE_MASK)


DOUBT_NS = 2_000_000_000
"""The time after a change in which a file may change again with the same modification time: 2 s on FAT."""


def is_settled(stamp: Stamp, read_ns: int) -> bool:
    """Return whether a file was read so long after its last change that its stamp proves what its content was.

    `read_ns` is the time of the reading. False for a file with times in the future.
    """
    return max(stamp.mtime_ns, stamp.ctime_ns) + DOUBT_NS < read_ns


class Listing(NamedTuple):
    """The stamps of all files of a vault by vault path, the problems with files and folders, and the walk's start time.

    `evicted` maps the vault paths of files that are only in the cloud to their problems, which `problems` also has.
    """

    stamps: dict[str, Stamp]
    problems: tuple[Problem, ...]
    began_ns: int
    evicted: dict[str, Problem]

    @property
    def paths(self) -> list[str]:
        """All vault paths, including files in the cloud."""
        return [*self.stamps, *self.evicted]


def walk(root: Path) -> Listing:
    """List the files below `root`, without hidden files (F1), symlinks and junctions (F3).

    Files that are only in the cloud are listed as evicted files; some have a hidden placeholder.
    """
    began_ns = time.time_ns()
    stamps: dict[str, Stamp] = {}
    problems: list[Problem] = []
    evicted_paths: list[str] = []
    pending = [(os.fspath(root), "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            for entry in _list_entries(root, folder, prefix, problems, evicted_paths):
                if entry.is_dir(follow_symlinks=False):
                    pending.append((entry.path, f"{prefix}{entry.name}/"))
                elif entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    if files.is_cloud_only(status):
                        evicted_paths.append(f"{prefix}{entry.name}")
                    else:
                        stamps[f"{prefix}{entry.name}"] = Stamp.from_stat(status)
        except OSError as error:
            raise_if_exhausted(error)
            if prefix:
                problems.append(_unlisted_folder_problem(prefix, error))
    evicted = {path: _evicted_problem(path) for path in evicted_paths if path not in stamps}
    return Listing(stamps, (*problems, *evicted.values()), began_ns, evicted)


def _list_entries(
    root: Path, folder: str, prefix: str, problems: list[Problem], evicted_paths: list[str]
) -> "Iterator[os.DirEntry[str]]":
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                name = evicted_name(entry.name)
                if name and not name.startswith(".") and entry.is_file(follow_symlinks=False):
                    evicted_paths.append(f"{prefix}{name}")
                continue
            if entry.is_symlink() or _is_junction(entry):
                if _leads_out(entry, root):
                    problems.append(_folder_link_problem(f"{prefix}{entry.name}"))
                continue
            if not entry.name.isascii() and any("\ud800" <= char <= "\udfff" for char in entry.name):
                problems.append(_file_name_problem(prefix, entry.name))
                continue
            yield entry


def _leads_out(entry: "os.DirEntry[str]", root: Path) -> bool:
    """Return whether a symlink leads to a folder that is outside the vault and does not contain it."""
    try:
        target = Path(entry.path).resolve()
        return target.is_dir() and not target.is_relative_to(root) and not root.is_relative_to(target)
    except (OSError, RuntimeError):
        return False


def _folder_link_problem(path: str) -> Problem:
    message = "This folder is a link to another one, in which vaultkit does not look; links into it are not checked."
    hint = "Move the folder itself here, if its notes belong to this vault."
    return Problem(path, 0, 0, FOLDER_LINK_CODE, message, hint, "warning")


def _evicted_problem(path: str) -> Problem:
    message = "This file is in the cloud and not on this computer, so it was not read."
    return Problem(path, 0, 0, EVICTED_CODE, message, DOWNLOAD_HINT, "warning")


def _unlisted_folder_problem(prefix: str, error: OSError) -> Problem:
    message = f"This folder cannot be read: {reason_for(error)}."
    hint = hint_for(error) or "Change its permissions so that you can read it; until then its notes count as missing."
    return Problem(prefix.rstrip("/"), 0, 0, "unreadable", message, hint)


def _file_name_problem(prefix: str, name: str) -> Problem:
    path = f"{prefix}{name.encode('utf-8', 'replace').decode()}"
    return Problem(path, 0, 0, "unreadable", "This file's name is not UTF-8, so no link can lead to it.", "Rename it.")


def _is_junction(entry: "os.DirEntry[str]") -> bool:
    return os.name == "nt" and entry.is_dir(follow_symlinks=False) and is_link(entry.path)
