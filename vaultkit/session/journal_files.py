"""The files of saved games: where they are, and which kind each is, reading no more than the first line."""

import re
from pathlib import Path

from vaultkit import files
from vaultkit.session import journal_disk
from vaultkit.session.session_ids import is_id

SUFFIX = ".journal"
GAME, MATCH, PAPER = OLD_SUFFIXES = (".jsonl", ".match", ".json")
"""The suffixes of version 0.3. The suffix alone says what kind of game a file contains."""


def find_journals(folder: Path) -> dict[str, Path]:
    """Return the file of each session in a folder, by the id of the session.

    The folder need not exist. A file of version 0.3 is returned only if no newer file has its id.
    """
    paths: dict[str, Path] = {}
    for suffix in (SUFFIX, *OLD_SUFFIXES):
        for path in files.list_files(folder, f"*{suffix}"):
            if is_id(path.stem):
                paths.setdefault(path.stem, path)
    return paths


def find_journal(folder: Path, session: str) -> Path | None:
    """Return the file of a session, or None if there is none."""
    paths = (folder / f"{session}{suffix}" for suffix in (SUFFIX, *OLD_SUFFIXES))
    return next(filter(files.is_file, paths), None)


def delete_journal(folder: Path, session: str) -> None:
    """Delete the files of a session.

    The oldest format is deleted first: if a later deletion fails, no older file takes the place of the newer one.

    Raises WriteError while another process plays the game, or if a file cannot be deleted.
    """
    for suffix in (*reversed(OLD_SUFFIXES), SUFFIX):
        path = folder / f"{session}{suffix}"
        if files.is_file(path):
            journal_disk.delete(path)


KINDS = ("game", "match", "paper")
_KIND = re.compile(rb'\{\s*"kind"\s*:\s*"(\w+)"')


def kind_of(path: Path) -> str:
    """Return `game`, `match` or `paper`. A file whose first line cannot be read is a `game`."""
    if path.suffix in OLD_SUFFIXES:
        return {MATCH: "match", PAPER: "paper"}.get(path.suffix, "game")
    try:
        return kind_of_line(next(iter(files.read_lines(path)), b""))
    except OSError:
        return "game"


def kind_of_line(line: bytes) -> str:
    """Return the kind of journal that a first line names, even if the rest of the line is damaged.

    A kind of a later version is returned as `game`, so that the file is listed and its schema is refused.
    """
    match = _KIND.match(line)
    kind = match[1].decode() if match else "game"
    return kind if kind in KINDS else "game"
