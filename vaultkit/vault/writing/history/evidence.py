"""Detection, from the files of the vault, of which writes of an interrupted entry were made."""

import contextlib
from dataclasses import replace

from vaultkit.vault.encoding import EncodingError, decode
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.reversal import ReadContent, ReadFormerContent, hash_or_none


def resolve_state(entry: Entry, read_content: ReadContent, load_image: ReadFormerContent) -> Entry:
    """Return the entry without its last writes that were not made, and with `done` set as the files show.

    If `undoing` is set and `undoes` is not, an old version of vaultkit was undoing the entry; its last writes that were
    undone are removed.
    """
    is_old_undo = entry.undoing and not entry.undoes
    marked_entry = entry if is_old_undo else _mark_done(entry, read_content, load_image)
    write_count = len(marked_entry.writes)
    while write_count and (is_old_undo or not marked_entry.writes[write_count - 1].done):
        if _was_made(marked_entry, write_count - 1, read_content, load_image) is not False:
            break
        write_count -= 1
    return marked_entry.with_first_writes(write_count)


def drop_unmade(entry: Entry, read_content: ReadContent) -> Entry:
    """Return the entry up to the last write that was made; a write counts as made if its text is in the note."""
    while entry.writes and not entry.writes[-1].done:
        write = entry.writes[-1]
        own_text = write.inserted.strip().encode()
        if own_text and own_text in (read_content(write.path) or b""):
            return entry.with_write(-1, done=True)
        entry = entry.with_first_writes(len(entry.writes) - 1)
    return entry


def _mark_done(entry: Entry, read_content: ReadContent, load_image: ReadFormerContent) -> Entry:
    """Return the entry, if it was interrupted, with `done` of the last write to each file set as the file shows.

    After a power cut, the recorded `done` may be wrong: both the record and the note's replacement may be lost.
    """
    if entry.complete and not entry.undoing and all(write.done for write in entry.writes):
        return entry
    writes, last_index_by_path = [*entry.writes], {write.path: index for index, write in enumerate(entry.writes)}
    for index in last_index_by_path.values():
        was_made = _was_made(entry, index, read_content, load_image)
        if was_made is not None and writes[index].before != writes[index].after:
            writes[index] = replace(writes[index], done=was_made)
    return replace(entry, writes=tuple(writes))


def _was_made(entry: Entry, index: int, read_content: ReadContent, load_image: ReadFormerContent) -> bool | None:
    """Return whether a write was made, as its file shows; None if later changes make that uncertain."""
    write = entry.writes[index]
    data = read_content(write.path)
    if (current := hash_or_none(data)) in (write.before, write.after):
        return current != write.before
    before = b"" if write.before is None else load_image(entry, index)
    if write.done or data is None or before is None or write.after is None:
        return write.done or None
    with contextlib.suppress(EncodingError, AssertionError):
        text = decode(before, write.path).text
        return _is_after(write, text, write.splice.apply(text), decode(data, write.path).text)
    return None


def _is_after(write: Write, before: str, after: str, current: str) -> bool | None:
    """Return whether `current`, which was changed since, has the text after a write (True) or before it (False).

    None means that neither is certain. Parts are counted, so that line ends and other lines may have changed. Only if
    the removed text is still there was the write surely not made, since inserted text may have been edited.
    """
    parts = [part for part in map(_normalize_line_ends, (write.removed, write.inserted)) if part]
    old_counts, new_counts, current_counts = (
        [_normalize_line_ends(text).count(part) for part in parts] for text in (before, after, current)
    )
    if current_counts == new_counts != old_counts:
        return True
    return False if current_counts == old_counts != new_counts and write.removed.strip() else None


def _normalize_line_ends(text: str) -> str:
    """Return a text with LF line ends, and without line ends at its start and end."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
