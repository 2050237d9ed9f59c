"""Collection of the facts of all notes: from the index if the file is unchanged, else by reading the file.

Several processes read the files if there are enough of them.
"""

import gc
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from vaultkit import files
from vaultkit.errors import Problem
from vaultkit.vault.file_facts import Inspect, facts_of, is_canvas, is_note
from vaultkit.vault.index.index_file import Index, IndexRow
from vaultkit.vault.index.worker_pool import map_in_processes
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.walk import Listing, Progress, Stamp, is_settled

SaveIndex = Callable[[], None]

MIN_PARALLEL_FILES = 300
"""The minimum number of files for which more processes save time."""
_CHUNK_FILES = 15
"""The number of files that a worker process reads at a time; few, so that all workers finish at about the same time."""


@contextmanager
def pause_garbage_collector() -> Iterator[None]:
    """Pause the garbage collector while many objects are built that form few or no reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class FileToRead(NamedTuple):
    """A file to read, with the hash of its content in the index, empty if it has none there."""

    path: str
    known_sha256: bytes = b""


class FileContent(NamedTuple):
    """The result of reading a file: the hash of its content, empty if it could not be read, and its encoded Facts.

    The facts are empty if the content has the hash that is in the index.
    """

    path: str
    sha256: bytes
    facts: bytes


@pause_garbage_collector()
def collect_facts(
    root: Path, listing: Listing, index: Index | None, progress: Progress | None, inspect: Inspect | None
) -> tuple[dict[str, Facts], SaveIndex]:
    """Return the facts of all notes and canvases by path, and a function that updates the index.

    Never raises: the facts of an unreadable file have the reason.
    """
    stamps = {path: stamp for path, stamp in listing.stamps.items() if is_note(path) or is_canvas(path)}
    rows = index.rows() if index else {}
    indexed_facts = _decode_facts((path, row.facts) for path, row in rows.items() if path in stamps)
    missing = [path for path in stamps if path not in indexed_facts or not _is_current(rows[path], stamps[path])]
    files_to_read = [FileToRead(path, rows[path].sha256 if path in indexed_facts else b"") for path in missing]
    contents: list[FileContent] = []
    all_facts = indexed_facts | _decode_facts(_collect(read_all(root, files_to_read, progress, inspect), contents))
    facts_by_path = {path: all_facts[path] for path in stamps}

    def save() -> None:
        if index is None:
            return
        deleted_paths = rows.keys() - stamps.keys()
        changed_rows = [
            IndexRow(item.path, stamps[item.path], listing.began_ns, item.sha256, item.facts or rows[item.path].facts)
            for item in contents
            if item.sha256
        ]
        if changed_rows or deleted_paths:
            index.save(changed_rows, deleted_paths)
        notes = {path: facts for path, facts in facts_by_path.items() if is_note(path)}
        index.save_names(root, notes, notes_unchanged=not (changed_rows or deleted_paths))

    return facts_by_path, save


def _collect(arriving: Iterable[FileContent], contents: list[FileContent]) -> Iterator[tuple[str, bytes]]:
    """Append each of `arriving` to `contents`, and yield its path and its facts, if it has any."""
    for item in arriving:
        contents.append(item)
        if item.facts:
            yield item.path, item.facts


def _is_current(row: IndexRow, stamp: Stamp) -> bool:
    """Return whether a file is surely unchanged since it was read."""
    return row.stamp == stamp and is_settled(stamp, row.read_ns)


def _decode_facts(encoded: Iterable[tuple[str, bytes]]) -> dict[str, Facts]:
    """Return the decoded facts by path; facts that cannot be decoded are left out."""
    decoder = msgspec.msgpack.Decoder(Facts)
    facts_by_path: dict[str, Facts] = {}
    for path, facts in encoded:
        try:
            facts_by_path[path] = decoder.decode(facts)
        except msgspec.MsgspecError:
            continue
    return facts_by_path


def read_all(
    root: Path, files_to_read: Sequence[FileToRead], progress: Progress | None, inspect: Inspect | None
) -> Iterator[FileContent]:
    """Read files and yield the results in the same order. Never raises: the Facts of an unreadable file say why."""
    chunks = [files_to_read[start : start + _CHUNK_FILES] for start in range(0, len(files_to_read), _CHUNK_FILES)]
    read_chunk = partial(_read_chunk, root, inspect)

    def tell(number: int) -> None:
        if progress is not None:
            progress(min(number * _CHUNK_FILES, len(files_to_read)), len(files_to_read))

    chunk_results = (
        map_in_processes(read_chunk, chunks, tell)
        if len(files_to_read) >= MIN_PARALLEL_FILES
        else map(read_chunk, chunks)
    )
    for chunk in chunk_results:
        yield from chunk
    tell(len(chunks))


def _read_chunk(root: Path, inspect: Inspect | None, files_to_read: Sequence[FileToRead]) -> list[FileContent]:
    return [_read_file(root, inspect, file) for file in files_to_read]


def _read_file(root: Path, inspect: Inspect | None, file: FileToRead) -> FileContent:
    try:
        data = files.read(os.path.join(root, file.path), files.NOTE_BYTES)  # noqa: PTH118 - 20,000 times
    except OSError as error:
        files.raise_if_exhausted(error)
        return FileContent(file.path, b"", encode(Facts(file.path, unreadable=_unreadable_problem(file.path, error))))
    digest = hashlib.sha256(data).digest()
    return FileContent(
        file.path, digest, b"" if digest == file.known_sha256 else encode(facts_of(file.path, data, inspect))
    )


def encode(facts: Facts) -> bytes:
    """Encode facts as MessagePack; properties that it cannot hold, such as integers over 64 bits, are left out."""
    try:
        return _encoder.encode(facts)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        properties = {name: value for name, value in facts.properties.items() if _is_encodable(value)}
        return _encoder.encode(msgspec.structs.replace(facts, properties=properties))


_encoder = msgspec.msgpack.Encoder()


def _is_encodable(value: object) -> bool:
    try:
        _encoder.encode(value)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError):
        return False
    return True


def _unreadable_problem(path: str, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError):
        message, hint = "This note was gone before it could be read.", "Run the command again."
    else:
        refusal = files.unreadable_error("This note", error, path)
        message, hint = refusal.message, refusal.hint or "Change its permissions so that you can read it."
    return Problem(path, 0, 0, "unreadable", message, hint)
