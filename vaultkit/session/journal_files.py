"""The files of saved games: where they lie, and of which kind they are, without looking at more than a first line."""

import re
from pathlib import Path

from vaultkit import files
from vaultkit.session import disk
from vaultkit.session.ids import is_id

SUFFIX = ".journal"
GAME, MATCH, PAPER = OLD_SUFFIXES = (".jsonl", ".match", ".json")
"""The endings of version 0.3, which alone say what kind of game a file holds."""


def find_journals(folder: Path) -> dict[str, Path]:
    """Return the file of each session in a folder, which need not exist, by the session's id.

    A file of version 0.3 counts only where no newer file has its id.
    """
    paths: dict[str, Path] = {}
    for suffix in (SUFFIX, *OLD_SUFFIXES):
        for path in files.matching(folder, f"*{suffix}"):
            if is_id(path.stem):
                paths.setdefault(path.stem, path)
    return paths


def find_journal(folder: Path, session: str) -> Path | None:
    """Return the file of a session, None if there is none."""
    paths = (folder / f"{session}{suffix}" for suffix in (SUFFIX, *OLD_SUFFIXES))
    return next(filter(files.is_file, paths), None)


def delete_journal(folder: Path, session: str) -> None:
    """Delete the files of a session, the oldest first, so that none of them comes to count again.

    Raises WriteError while another process plays the game, or where a file cannot be deleted.
    """
    for suffix in (*reversed(OLD_SUFFIXES), SUFFIX):
        path = folder / f"{session}{suffix}"
        if files.is_file(path):
            disk.delete(path)


KINDS = ("game", "match", "paper")
_KIND = re.compile(rb'\{\s*"kind"\s*:\s*"(\w+)"')


def kind_of(path: Path) -> str:
    """Return `game`, `match` or `paper`; `game` also for a file whose first line cannot be read."""
    if path.suffix in OLD_SUFFIXES:
        return {MATCH: "match", PAPER: "paper"}.get(path.suffix, "game")
    try:
        return kind_of_line(next(iter(files.read_lines(path)), b""))
    except OSError:
        return "game"


def kind_of_line(line: bytes) -> str:
    """Return the kind of journal that a first line names, even if the rest of the line is damaged.

    A kind of a later version counts as `game`, so that its file is listed and its schema refused.
    """
    found = _KIND.match(line)
    kind = found[1].decode() if found else "game"
    return kind if kind in KINDS else "game"
