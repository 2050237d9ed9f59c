"""Notes whose properties cannot be read, and whether one of them may be a note that is searched for."""

import posixpath
import re
from collections.abc import Iterator

from vaultkit import files
from vaultkit.errors import InvalidError, Problem
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.walk import EVICTED_CODE

_HEAD_BYTES = 200_000
"""The number of bytes at the beginning of a note that are searched for its properties."""
_CONFLICT = b"<<<<<<<"
"""The mark that a merge or a sync tool leaves; above the properties it makes Obsidian read them as a heading."""
_DAY = re.compile(r"(\d{4})(\d{2})(\d{2})-")


def refuse_unread(vault: Vault, key: str, value: str) -> None:
    """Raise InvalidError if an unreadable note may be the note that seems missing; else it would be written twice.

    `key` is the property that identifies the note; its `value` is an id, the end of an id, or `true`. For "" as `value`
    nothing is searched. The error names the note and the line.
    """
    pattern = _property_pattern(key, rf"[\"']?[\w-]*{re.escape(value.casefold())}\b")
    day = "-".join(match.groups()) if (match := _DAY.match(value)) else ""
    for facts in _unread_notes(vault, day) if value else ():
        head = _read_head(vault, facts.path)
        if head is None and day and posixpath.basename(facts.path).startswith(day):
            raise _unreadable_error(facts, f"This note may be that of {value}")
        if property_match := pattern.search(head or b""):
            raise _unreadable_error(facts, f"This note has {value}", property_match)


def refuse_unread_line(vault: Vault, block: str) -> None:
    """Raise InvalidError if an unreadable note has a line with the block id already."""
    pattern = re.compile(rb"\^" + re.escape(block.encode()) + rb"\b")
    for facts in vault.facts.values():
        head = (_read_head(vault, facts.path) or b"") if facts.unreadable and is_note(facts.path) else b""
        if block_match := pattern.search(head):
            raise _unreadable_error(facts, "This note has the line of the log", block_match)


def has_property_text(vault: Vault, path: str, key: str) -> bool:
    """Return whether a line of a note begins with the property `key`, even if its properties cannot be read."""
    return _property_pattern(key, "").search(_read_head(vault, path) or b"") is not None


def _property_pattern(key: str, value: str) -> re.Pattern[bytes]:
    return re.compile(rf"^\W*{re.escape(key)}\W*:[ \t]*{value}".encode(), re.MULTILINE | re.IGNORECASE)


def _unread_notes(vault: Vault, day: str) -> Iterator[Facts]:
    """Yield the notes whose properties cannot be read, or are ignored because of text above them.

    Also yielded are notes with a conflict mark, and notes without properties whose name begins with `day`.
    """
    for facts in vault.facts.values():
        is_broken = facts.unreadable is not None or any(problem.severity == "error" for problem in facts.problems)
        is_bare = not facts.properties and bool(day) and posixpath.basename(facts.path).startswith(day)
        if is_note(facts.path) and (is_broken or is_bare or _CONFLICT in bytes(facts.encoded_anchors)):
            yield facts


def _read_head(vault: Vault, path: str) -> bytes | None:
    """Return the beginning of a note, without the zeros of UTF-16; None if it cannot be read."""
    try:
        with files.open_plain(vault.file(path)) as stream:
            return stream.read(_HEAD_BYTES).replace(b"\0", b"")
    except (OSError, InvalidError):
        return None


def _unreadable_error(facts: Facts, message: str, match: re.Match[bytes] | None = None) -> InvalidError:
    """Return the error for an unreadable note, with the reason why it cannot be read; `match` was found there."""
    problem: Problem | None = facts.unreadable or next(iter(facts.problems), None)
    if problem and problem.code == EVICTED_CODE:
        message = f"{message}. It is in the cloud; download it first. Nothing was written."
        return InvalidError(message, where=facts.path, hint=files.DOWNLOAD_HINT)
    reason = problem.message.rstrip(".") if problem else "something is above its properties, such as a conflict"
    found_line = match.string.count(b"\n", 0, match.start()) + 1 if match else 0
    error_line = (problem.line if problem else 0) or found_line
    where = f"{facts.path}:{error_line}" if error_line else facts.path
    hint = "Correct it, or delete it if it is another one. See what is wrong: vaultkit check"
    return InvalidError(f"{message}, but it cannot be read: {reason}. Nothing was written.", where=where, hint=hint)
