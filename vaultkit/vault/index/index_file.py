"""The index file: a cache of the facts of a vault's notes, in the user's cache folder.

If it is damaged or deleted, the notes are read again.
"""

import contextlib
import os
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultkit import files, user_folders
from vaultkit.completion import name_of, strip_brackets, texts
from vaultkit.vault.index import reader_version
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.walk import Stamp

if TYPE_CHECKING:
    import sqlite3

_NOTES_TABLE_SQL = """
CREATE TABLE IF NOT EXISTS notes (
    path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER,
    read_ns INTEGER, sha256 BLOB, facts BLOB, crc32 INTEGER
)
"""
_REPORTS_TABLE_SQL = "CREATE TABLE IF NOT EXISTS reports (state BLOB PRIMARY KEY, report BLOB, crc32 INTEGER)"
_LOCK_TIMEOUT_SECONDS = 1.0
_TEMPORARY_ERRORS = {"SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN", "SQLITE_READONLY"}
"""The names of SQLite errors that do not mean that the index is damaged."""


class IndexRow(NamedTuple):
    """The index's data of one note: its file's stamp when it was read at `read_ns`, its hash, and its encoded Facts."""

    path: str
    stamp: Stamp
    read_ns: int
    sha256: bytes
    facts: bytes


class Index:
    """The index of one vault, an SQLite file. Its methods never raise: an index that cannot be used counts as empty."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def rows(self) -> dict[str, IndexRow]:
        """Return all rows by path; empty if there is no usable index. A damaged index is removed."""
        if not os.path.exists(self.file):  # noqa: PTH110 - raises nothing
            return {}
        import sqlite3

        try:
            with self._open() as database:
                records = database.execute("SELECT * FROM notes").fetchall()
                return {
                    row[0]: IndexRow(row[0], Stamp(*row[1:5]), *row[5:8])
                    for row in records
                    if zlib.crc32(row[7]) == row[8]
                }
        except OSError:
            return {}
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            if getattr(error, "sqlite_errorname", "") not in _TEMPORARY_ERRORS:
                self.remove()
            return {}

    def save(self, changed_rows: Iterable[IndexRow], deleted_paths: Iterable[str]) -> None:
        """Save rows and delete the rows of paths in one transaction; do nothing if another process is writing."""
        import sqlite3

        with contextlib.suppress(sqlite3.Error, OSError), self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany("DELETE FROM notes WHERE path = ?", ((path,) for path in deleted_paths))
            values = (
                (row.path, *row.stamp, row.read_ns, row.sha256, row.facts, zlib.crc32(row.facts))
                for row in changed_rows
            )
            database.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            database.execute("COMMIT")

    def report(self, state: bytes) -> bytes | None:
        """Return the report saved for this state of the vault, or None if there is none or it is damaged."""
        if not os.path.exists(self.file):  # noqa: PTH110 - raises nothing
            return None
        import sqlite3

        with contextlib.suppress(sqlite3.Error, OSError, TypeError), self._open() as database:
            row = database.execute("SELECT report, crc32 FROM reports WHERE state = ?", (state,)).fetchone()
            if row is not None and zlib.crc32(row[0]) == row[1]:
                return bytes(row[0])
        return None

    def save_report(self, state: bytes, report: bytes) -> None:
        """Save the report for a state of the vault, in place of the last report."""
        import sqlite3

        with contextlib.suppress(sqlite3.Error, OSError), self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM reports")
            database.execute("INSERT INTO reports VALUES (?, ?, ?)", (state, report, zlib.crc32(report)))
            database.execute("COMMIT")

    def save_names(self, root: Path, notes: Mapping[str, Facts], *, notes_unchanged: bool) -> None:
        """Save the names in the vault at `root` for shell completion.

        Do nothing if names are saved and, as `notes_unchanged` says, the notes are the same.
        """
        name, file = str(root), self.file.with_name(user_folders.names_file_name(str(root)))
        with contextlib.suppress(OSError):
            if notes_unchanged and file.is_file() and _first_line(file) == _format_names_header(name, len(notes)):
                return
            data = _encode_names(name, {path: facts.properties for path, facts in notes.items()})
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = file.with_name(f"{file.name}.{os.getpid()}")
            with files.open_plain(temporary, "wb") as stream:
                stream.write(data)
            temporary.replace(file)

    def remove(self) -> None:
        """Delete the index file; errors are ignored."""
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                self.file.with_name(f"{self.file.name}{suffix}").unlink()

    @contextlib.contextmanager
    def _open(self) -> "Iterator[sqlite3.Connection]":
        import sqlite3

        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(self.file, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None)
        try:
            database.execute("PRAGMA page_size = 32768")  # for new files: keeps a note in few pages
            database.execute("PRAGMA synchronous = OFF")  # what a power cut destroys is read again
            database.execute("PRAGMA journal_mode = WAL")
            if database.execute("PRAGMA user_version").fetchone()[0] != reader_version.stat_checksum():
                _recreate_tables(database)
            yield database
        finally:
            database.close()


def index_of(root: Path) -> Index | None:
    """Return the index of the vault at `root`, an absolute path; None if the user has no cache folder."""
    file = user_folders.index_file(str(root))
    return None if file is None else Index(Path(file))


def _first_line(file: Path) -> str:
    return next(files.read_lines(file), b"").decode("utf-8", "replace").rstrip("\n")


def _recreate_tables(database: "sqlite3.Connection") -> None:
    """Mark the index as made by the current code, and empty it if the code that read the notes was different.

    Code files that were only moved, or have new modification times, count as unchanged.
    """
    if database.execute("PRAGMA application_id").fetchone()[0] != reader_version.content_checksum():
        for name, table in (("notes", _NOTES_TABLE_SQL), ("reports", _REPORTS_TABLE_SQL)):
            database.execute(f"DROP TABLE IF EXISTS {name}")
            database.execute(table)
        database.execute(f"PRAGMA application_id = {reader_version.content_checksum()}")
    database.execute(f"PRAGMA user_version = {reader_version.stat_checksum()}")


_NotesWithProperties = Sequence[tuple[str, Mapping[str, Any]]]
"""Pairs of a note's path and its properties; the names of properties are in lower case."""

_SESSION_PROPERTY = "vaultkit-session"


def _format_names_header(root: str, count: int) -> str:
    """Return the first line of the list of names: the vault's path and the number of its notes, with a tab between."""
    return f"{root!a}\t{count}"


def _encode_names(root: str, notes: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Return the list of names in the vault at `root` as it is stored for shell completion.

    `notes` maps the paths of all notes to their properties. The first line is followed by a line for each kind of name,
    with tabs between the names.
    """
    notes_with_properties = [
        (path, {key.lower(): value for key, value in properties.items()})
        for path, properties in notes.items()
        if properties
    ]
    kinds = {
        "note": _note_names(notes),
        "deck": _deck_names(notes_with_properties),
        "session": _session_ids(notes_with_properties),
        "player": _people_in_games(notes_with_properties),
    }
    rows = ["\t".join([kind, *sorted({*filter(_can_be_typed, names)})]) for kind, names in kinds.items()]
    return "\n".join([_format_names_header(root, len(notes)), *rows]).encode("utf-8", "surrogateescape")


def _can_be_typed(name: str) -> bool:
    return "\n" not in name and "\t" not in name


def _note_names(paths: Collection[str]) -> Iterator[str]:
    """Return the name of each note, or its path if another note has the same name."""
    name_counts = Counter(name_of(path).casefold() for path in paths)
    return (path.removesuffix(".md") if name_counts[name_of(path).casefold()] > 1 else name_of(path) for path in paths)


def _deck_names(notes: _NotesWithProperties) -> Iterator[str]:
    """Yield the kind of each deck, or the name of its note if only the converter marks it as a deck."""
    for path, properties in notes:
        kind = properties.get("vaultkit-deck")
        if kind or "json5e-deck" in str(properties.get("cssclasses")):
            yield str(kind).strip().lower() if isinstance(kind, str) and kind.strip() else name_of(path)


def _session_ids(notes: _NotesWithProperties) -> Iterator[str]:
    """Return the ids of games that have a note."""
    return (str(properties[_SESSION_PROPERTY]) for _, properties in notes if properties.get(_SESSION_PROPERTY))


def _people_in_games(notes: _NotesWithProperties) -> Iterator[str]:
    """Yield the names of people, without bots, in the notes of games."""
    for _, properties in notes:
        if properties.get(_SESSION_PROPERTY):
            people, bots = (
                [strip_brackets(name) for name in texts(properties.get(key))] for key in ("players", "bots")
            )
            yield from (name for name in people if name not in bots and not name.endswith(")"))
