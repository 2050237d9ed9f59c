"""The files of saved games: their paths, and the kind of each, for which only the first line is read."""

import re
from pathlib import Path

from vaultkit import files
from vaultkit.session import journal_disk
from vaultkit.session.session_ids import is_id

SUFFIX = ".journal"
GAME_SUFFIX, MATCH_SUFFIX, PAPER_SUFFIX = OLD_SUFFIXES = (".jsonl", ".match", ".json")
"""The suffixes of journals of version 0.3, each of which is for one kind of journal."""


def find_journals(folder: Path) -> dict[str, Path]:
    """Return the journals in a folder by the ids of their sessions; the folder need not exist.

    A journal of version 0.3 is returned only if there is no newer one of the session.
    """
    paths: dict[str, Path] = {}
    for suffix in (SUFFIX, *OLD_SUFFIXES):
        for path in files.list_files(folder, f"*{suffix}"):
            if is_id(path.stem):
                paths.setdefault(path.stem, path)
    return paths


def find_journal(folder: Path, session: str) -> Path | None:
    """Return the journal of a session, or None if there is none."""
    paths = (folder / f"{session}{suffix}" for suffix in (SUFFIX, *OLD_SUFFIXES))
    return next(filter(files.is_file, paths), None)


def delete_journal(folder: Path, session: str) -> None:
    """Delete all journals of a session.

    Those of version 0.3 are deleted first: if a later deletion fails, no older file takes the place of the newer one.
    Raises WriteError while another process plays the game, or if a file cannot be deleted.
    """
    for suffix in (*reversed(OLD_SUFFIXES), SUFFIX):
        path = folder / f"{session}{suffix}"
        if files.is_file(path):
            journal_disk.delete(path)


KINDS = ("game", "match", "paper")
_KIND_PATTERN = re.compile(rb'\{\s*"kind"\s*:\s*"(\w+)"')


def kind_of(path: Path) -> str:
    """Return the kind of a journal: `game`, `match` or `paper`. A file that cannot be read is a `game`."""
    if path.suffix in OLD_SUFFIXES:
        return {MATCH_SUFFIX: "match", PAPER_SUFFIX: "paper"}.get(path.suffix, "game")
    try:
        return kind_of_line(next(iter(files.read_lines(path)), b""))
    except OSError:
        return "game"


def kind_of_line(line: bytes) -> str:
    """Return the kind of a journal by its first line, which may be damaged after the kind.

    An unknown kind is returned as `game`, so that a file of a later version is listed and its schema is refused.
    """
    match = _KIND_PATTERN.match(line)
    kind = match[1].decode() if match else "game"
    return kind if kind in KINDS else "game"
