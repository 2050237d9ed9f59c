"""Errors of undos that are refused or fail, with hints what the user can do."""

from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.splice_rebasing import FoundPlace

BY_HAND_HINT = "Delete what vaultkit wrote by hand, or restore the note and undo again."


class WriteUndoRefused(WriteError):
    """An error for an undo that was refused before anything was changed.

    `can_go_first` says that a later write prevents the undo and can itself be undone first.
    """

    can_go_first = False


def overlap_refusal(write: Write, later: Entry) -> WriteUndoRefused:
    """Return the refusal for a write whose text a later write of vaultkit, in the entry `later`, has changed."""
    refusal = WriteUndoRefused(
        f"A later write of vaultkit builds on it: number {later.number}, {later.short}. So nothing was undone.",
        where=write.path,
        hint=BY_HAND_HINT if later.undone else f"Undo that one first: vaultkit undo {later.number}",
    )
    refusal.can_go_first = not later.undone
    return refusal


def missing_file_refusal(entry: Entry, write: Write) -> WriteUndoRefused:
    """Return the refusal for a file that was moved or deleted."""
    hint = "Move it back and undo again."
    if write.before is None:
        hint = f"{hint[:-1]}, or leave it and undo the rest: vaultkit undo {entry.number} --keep-edits"
    return _make_refusal("It has been moved or deleted since vaultkit wrote it", write.path, hint)


def name_in_use_refusal(write: Write) -> WriteUndoRefused:
    """Return the refusal for a removed file whose name is in use again."""
    return _make_refusal("A file with this name exists again", write.path, "Move it, then undo again.")


def changed_file_refusal(entry: Entry, write: Write, found_place: FoundPlace | None) -> WriteUndoRefused:
    """Return the refusal for a file that another program has changed; `found_place` is where vaultkit's text is now."""
    hint = "Add by hand what the undo deleted." if entry.undoes else _by_hand_hint(entry, write)
    if found_place and found_place.offset is not None:
        hint = (
            "The place that vaultkit wrote to is untouched. To undo only that, and keep everything else: "
            f"vaultkit undo {entry.number} --keep-edits"
        )
    return _make_refusal("It has been changed since vaultkit wrote it", write.path, hint)


def unclear_text_refusal(entry: Entry, write: Write, found_place: FoundPlace | None, text: str) -> WriteUndoRefused:
    """Return the refusal for a changed file with the `text` in which vaultkit's text cannot be identified.

    `found_place` is None for a file that vaultkit created.
    """
    line = "" if found_place is None or found_place.near is None else f":{text.count(chr(10), 0, found_place.near) + 1}"
    if found_place is None:
        reason = "vaultkit made this file, and it has been changed since: to undo that would delete the changes too"
        hint = _by_hand_hint(entry, write) if len(entry.writes) > 1 else "Delete it yourself if you don't need it."
        return WriteUndoRefused(f"{reason}. Nothing was undone.", where=write.path, hint=hint)
    reason = "is there more than once" if found_place.times > 1 else "has itself been changed or moved"
    return _make_refusal(f"What vaultkit wrote into this note {reason}", f"{write.path}{line}", "Delete it by hand.")


def _by_hand_hint(entry: Entry, write: Write) -> str:
    """Return the hint for a file that must be restored by hand.

    If the entry's writes created it along with other files, the hint says how to keep it and undo the rest.
    """
    if write.before is not None or len(entry.writes) == 1:
        return BY_HAND_HINT
    steps = f"move it out of the vault, undo the rest with vaultkit undo {entry.number} --keep-edits"
    return f"Restore it and undo again. Or keep it: {steps}, and move it back."


def unwritable_refusal(write: Write, read_only_kind: str) -> WriteUndoRefused:
    """Return the refusal for a file that cannot be written; `read_only_kind` is "file" or "folder"."""
    if read_only_kind == "file":
        message, hint = "This file is read-only", "Make it writable, then undo again."
    else:
        message, hint = "Nothing can be written in this file's folder", "Make the folder writable, then undo again."
    return _make_refusal(message, write.path, hint)


def _make_refusal(reason: str, where: str, hint: str) -> WriteUndoRefused:
    return WriteUndoRefused(f"{reason}, so nothing was undone.", where=where, hint=hint)


def failed_undo_error(error: VaultkitError, write: Write, undone_writes: list[Write]) -> WriteError:
    """Return the error of an undo that failed at `write`, after the writes in `undone_writes` were undone."""
    paths = ", ".join(dict.fromkeys(earlier.path for earlier in undone_writes))
    summary = f"Only these were undone before it: {paths}." if undone_writes else "Nothing was undone."
    return WriteError(f"{error.message} {summary}", where=write.path, hint=error.hint or "Undo again to go on.")
