"""The facts of every note: from the index where the file is as it was, else by reading it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from vaultkit.vault.facts import Facts
from vaultkit.vault.index.bulk import Progress, Wanted, read_all
from vaultkit.vault.index.store import Index, Row
from vaultkit.vault.reading import Inspect, is_canvas, is_note
from vaultkit.vault.walk import Listing, Stamp

DOUBT_NS = 2_000_000_000
"""A file changed this shortly before it was read may have changed again under the same time; FAT counts by 2 s."""


def survey(
    root: Path,
    listing: Listing,
    index: Index | None = None,
    progress: Progress | None = None,
    inspect: Inspect | None = None,
) -> dict[str, Facts]:
    """Facts of all notes and canvases by path. Nothing raises: an unreadable one says so in its Facts."""
    stamps = {path: stamp for path, stamp in listing.stamps.items() if is_note(path) or is_canvas(path)}
    rows = index.rows() if index else {}
    known = _decoded((path, row.facts) for path, row in rows.items() if path in stamps)
    missing = [path for path in stamps if path not in known or not _is_current(rows[path], stamps[path])]
    wanted = [Wanted(path, stamps[path].size, rows[path].sha256 if path in known else b"") for path in missing]
    read = list(read_all(root, wanted, progress, inspect))
    if index is not None:
        gone = rows.keys() - stamps.keys()
        changed = [
            Row(item.path, stamps[item.path], listing.began_ns, item.sha256, item.facts or rows[item.path].facts)
            for item in read
            if item.sha256
        ]
        if changed or gone:
            index.save(changed, gone)
    found = known | _decoded((item.path, item.facts) for item in read if item.facts)
    return {path: found[path] for path in stamps}


def _is_current(row: Row, stamp: Stamp) -> bool:
    """Whether a file surely is what it was when it was read; if its times lie in the future, nobody knows."""
    return row.stamp == stamp and max(row.stamp.mtime_ns, row.stamp.ctime_ns) + DOUBT_NS < row.read_ns


def _decoded(encoded: Iterable[tuple[str, bytes]]) -> dict[str, Facts]:
    """Without those that cannot be decoded, which are to be read again."""
    decoder = msgspec.msgpack.Decoder(Facts)
    found: dict[str, Facts] = {}
    for path, facts in encoded:
        try:
            found[path] = decoder.decode(facts)
        except msgspec.MsgspecError:
            continue
    return found
