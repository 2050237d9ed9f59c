"""Unified diffs of the writes of an entry, and of the texts of other programs that they displaced."""

import contextlib
import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.vault.encoding import EncodingError, decode
from vaultkit.vault.writing.history.entry import Entry, Write

if TYPE_CHECKING:
    from vaultkit.vault.writing.history.store import History


@dataclass(frozen=True)
class WriteDiff:
    """The unified diff of one write; for a file that is binary or empty, a line that says so.

    `missing` is a sentence if the history has lost the note's earlier text, so that the diff lacks the lines around the
    change; else "". `displaced` is the diff of a text that another program wrote at the last moment, "" if none.
    """

    path: str
    diff: str
    missing: str = ""
    displaced: str = ""


def diff_entry(history: "History", entry: Entry) -> tuple[WriteDiff, ...]:
    """Return the diffs of an entry's writes, in the order in which they were made."""
    return tuple(_diff_write(history, entry, index, write) for index, write in enumerate(entry.writes))


def diff_texts(before: str | None, after: str | None, path: str) -> str:
    """Return a unified diff between two texts of a file; None stands for a missing file."""
    # str.splitlines would also break lines at form feeds and Unicode separators.
    old_lines, new_lines = (re.findall(r"[^\n]*\n|[^\n]+", text or "") for text in (before, after))
    source = "/dev/null" if before is None else f"a/{path}"
    target = "/dev/null" if after is None else f"b/{path}"
    lines = difflib.unified_diff(old_lines, new_lines, source, target)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def diff_contents(before: bytes | None, after: bytes | None, path: str) -> str:
    """Return a unified diff between two contents of a file; None stands for a missing file.

    For a binary or an empty file, return a line that says so.
    """
    try:
        texts = [None if data is None else decode(data, path).text for data in (before, after)]
    except EncodingError:
        return f"Binary file {path} ({len(before or after or b'')} bytes{', removed' * (after is None)})\n"
    if not any(texts):
        return f"Empty file {path}{', removed' * (after is None)}\n" if texts[0] != texts[1] else ""
    return diff_texts(texts[0], texts[1], path)


def _diff_write(history: "History", entry: Entry, index: int, write: Write) -> WriteDiff:
    old_content = history.load_image(entry, index)
    missing = ""
    if write.before is not None and old_content is None:
        missing = f"The history has lost what {write.path} was before; only what was written is known."
        diff = diff_texts(write.removed, write.inserted, write.path)
    elif write.before is None:
        diff = f"Binary or empty file {write.path}\n"
        if write.inserted:
            diff = diff_texts(None, write.inserted, write.path)
    else:
        diff = diff_contents(old_content, _content_after(old_content or b"", write), write.path)
    return WriteDiff(write.path, diff, missing, _diff_displaced(history, entry, index, old_content))


def _content_after(old_content: bytes, write: Write) -> bytes | None:
    if write.after is None:
        return None
    encoded = decode(old_content, write.path)
    end = write.offset + len(write.removed)
    return encoded.to_bytes(encoded.text[: write.offset] + write.inserted + encoded.text[end:])


def _diff_displaced(history: "History", entry: Entry, index: int, old_content: bytes | None) -> str:
    write = entry.writes[index]
    if write.displaced is None:
        return ""
    data = history.load_displaced(entry, index)
    if data is None:
        return f"What another program had written into {write.path} is lost.\n"
    with contextlib.suppress(EncodingError):
        return diff_contents(old_content, data, write.path)
    return ""
