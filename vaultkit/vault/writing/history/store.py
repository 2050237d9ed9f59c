"""The history folder of a vault: everything that vaultkit has written, so that it can be listed and undone.

Each command's writes are one entry: a folder `.vaultkit/history/<number>-<command>` with `entry.json` (each write as a
splice with hashes) and before-images (the files' contents before the writes). The entry is saved before a note is
changed, and again afterwards. An undo is an entry as well, so that the hashes record every change of a file.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from vaultkit import files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import entry_files, maintenance, undo_refusals
from vaultkit.vault.writing.history.entry import Entry, make_shell_safe, private_folder
from vaultkit.vault.writing.history.entry_store import EntryStore
from vaultkit.vault.writing.history.reversal import (
    PlannedFiles,
    Planner,
    Reversal,
    UndoPlan,
    apply_reversal,
    aside_path,
    complete_write,
    hash_or_none,
    refuse_unwritable,
    remove_folders,
)
from vaultkit.vault.writing.history.splice_rebasing import Timeline

MIN_BATCH_FILES = 10
"""The fewest distinct existing files whose writes are recorded together, to sync them to disk only once."""


class History(EntryStore):
    """The history folder of one vault: its entries, and how they are undone."""

    def begin(self, command: str, session: str, when: str) -> Entry:
        """Return a new entry, numbered after the last, with the ISO time `when`; call it under the vault's lock.

        The new entry is not saved yet. Entries that the vault's settings for age and size exclude are deleted.
        """
        private_folder(self._vault.root, "history")
        self.repair_newest()
        entry = self._new_entry(command, session, when)
        with contextlib.suppress(ValueError, OverflowError, OSError):
            now = datetime.fromisoformat(when).astimezone()
            limits = maintenance.limits_to_enforce(self._vault.root, entry_files.entry_number(entry.id))
            maintenance.prune(self.folder, limits, now)
        return entry

    def resume(self, command: str, session: str, paths: Set[str]) -> Entry | None:
        """Return the newest entry if a run of the same command that planned writes to all `paths` was interrupted.

        Return None otherwise. Call it under the vault's lock.
        """
        newest = next(self.entries(), None)
        if newest is None or newest.complete or (newest.command, newest.session) != (command, session):
            return None
        self.repair_newest()
        entry = next(self.entries(), None)
        if entry is None or entry.id != newest.id or entry.undone or any(write.taken for write in entry.writes):
            return None
        if not paths <= {write.path for write in self.planned_writes(entry)}:
            return None
        entry = maintenance.drop_unmade(entry, self._read_content)
        self.save(entry)
        with contextlib.suppress(OSError):
            (self.folder / entry.id / entry_files.PROGRESS_FILE).unlink()
        return entry

    def plan(self, entry: Entry, *, keep_edits: bool = False) -> UndoPlan:
        """Return the plan for undoing an entry's writes; nothing is changed yet.

        Raises WriteError if a file cannot be written, or if anything but later writes of vaultkit to other parts of it
        changed it. With `keep_edits`, a note that another program changed is accepted if vaultkit's text in it can be
        found for certain. Raises InvalidError if the history has lost a file to be restored.
        """
        timeline = Timeline(entry_files.load_entries(self.folder, entry_files.list_names(self.folder)))
        files_now = PlannedFiles(timeline, self._read_content, self._iter_note_contents)
        plan = Planner(entry, timeline, files_now, self.load_image, keep_edits).plan()
        for reversal in plan.reversals:
            refuse_unwritable(self._vault, reversal.write)
        return plan

    def undo(
        self, entry: Entry, *, keep_edits: bool = False, now: datetime | None = None, progress: Progress | None = None
    ) -> list[str]:
        """Undo an entry's writes as planned, and return the vault paths that were restored or removed.

        Raises the errors of `plan` before anything is changed. If a file fails later, the undo stops there: the error
        names the files that were undone, and undoing the entry again continues.
        """
        self.repair_newest()
        entry = entry_files.load(self.folder / entry.id) or entry
        plan = self.plan(entry, keep_edits=keep_edits)
        if plan.reversals:
            when = (now or datetime.now()).astimezone().isoformat(timespec="seconds")
            undo = replace(self._new_entry("undo", entry.session, when), undoes=entry.id, undoing=True)
            self._carry_out(plan, undo, progress or ignore_progress)
        if plan.gone:
            reloaded_entry = entry_files.load(self.folder / entry.id) or entry
            self.save(replace(reloaded_entry.with_undone(plan.gone, is_undone=True), undoing=False))
        return list(dict.fromkeys(reversal.write.path for reversal in reversed(plan.reversals)))

    def repair_newest(self) -> None:
        """Repair the newest entry after a crash; call it under the vault's lock.

        Writes that were not made, or that an old version of vaultkit undid, are removed from the entry, since they
        would block an undo once the note is changed. If an undo was interrupted, the writes that it undid are marked as
        undone in their entry.
        """
        self.separate_copies(maintenance.MIN_KEPT_ENTRIES)
        newest = next(self.entries(), None)
        if newest is None or newest.undone:
            return
        repaired_entry = maintenance.resolve_state(newest, self._read_content, self.load_image)
        if repaired_entry != newest:
            self.save(repaired_entry)
        if repaired_entry.undoes and repaired_entry.undoing:
            entries = entry_files.load_entries(self.folder, entry_files.list_names(self.folder))
            remove_folders(self._vault, repaired_entry, Timeline(entries))
            self._mark_undone(repaired_entry)

    def _carry_out(self, plan: UndoPlan, undo: Entry, progress: Progress) -> None:
        position, total = 0, len(plan.reversals)
        while position < len(plan.reversals):
            reversal = plan.reversals[position]
            try:
                report_step = _offset_progress(progress, position, total)
                made_count, undo, displaced = self._reverse_many(plan.reversals[position:], undo, report_step)
                if not (made_count or displaced):
                    undo, displaced = self._reverse(reversal, undo)
                    made_count = not displaced
                position += made_count
                progress(position, total)
                if displaced:
                    reversal = plan.reversals[position]
                    message = "Another program changed this note just now."
                    raise atomic_file.FileChanged(message, where=reversal.write.path)
            except VaultkitError as error:
                with contextlib.suppress(WriteError):  # Report what went wrong with the note instead.
                    undo = self._add_made_write(undo)
                    self._mark_undone(undo)
                earlier = [earlier.write for earlier in plan.reversals[:position]]
                raise undo_refusals.failed_undo_error(error, reversal.write, earlier) from error
        self._mark_undone(undo)

    def _add_made_write(self, undo: Entry) -> Entry:
        """Return the undo with its next write if that was made, although it could not be marked as done."""
        recorded = entry_files.load(self.folder / undo.id)
        if recorded and recorded.writes and recorded.writes[:-1] == undo.writes:
            write = recorded.writes[-1]
            if write.before != write.after == hash_or_none(self._read_content(write.path)):
                return recorded.with_write(-1, done=True)
        return undo

    def _reverse_many(
        self, reversals: Sequence[Reversal], undo: Entry, progress: Callable[[int], None]
    ) -> tuple[int, Entry, bool]:
        """Make several reversals together; return how many were made, the undo, and whether the next was displaced.

        Make none if there are too few. Stop at a reversal that fails; its error comes when it is tried alone.
        """
        changes = ((each.before, each.after, each.write.path) for each in reversals)
        paths = (None if None in (before, after) else path for before, after, path in changes)
        batch_reversals = reversals[: count_distinct(paths)]
        if len(batch_reversals) < MIN_BATCH_FILES:
            return 0, undo, False
        writes = [(complete_write(self._vault, reversal), reversal.before or b"") for reversal in batch_reversals]

        def carry_out(index: int, _: bytes, aside: Path, ready: Path | None) -> bool:
            return apply_reversal(self._vault, batch_reversals[index], aside, ready)

        contents = (reversal.after or b"" for reversal in batch_reversals)
        batch = self.make_all(undo, writes, contents, carry_out, progress)
        return batch.count, self._record_displaced(batch.entry) if batch.displaced else batch.entry, batch.displaced

    def _reverse(self, reversal: Reversal, undo: Entry) -> tuple[Entry, bool]:
        """Make one reversal; return the undo with it, and whether another program wrote over it at once."""
        write = complete_write(self._vault, reversal)
        recorded_undo = self.record(undo, write, reversal.before)
        aside = aside_path(self.folder, undo.id, len(undo.writes), write.mtime_ns)
        displaced = apply_reversal(self._vault, reversal, aside)
        finished_undo = self.mark_done(recorded_undo)
        return self._record_displaced(finished_undo) if displaced else finished_undo, displaced

    def _record_displaced(self, undo: Entry) -> Entry:
        """Save the text that the undo's last write displaced and could not put back, and return the undo with it.

        That write is recorded as undoing nothing.
        """
        finished_undo = undo.with_write(-1, of=None)
        self.save(finished_undo)
        return self.keep_leftovers(finished_undo, self._vault.file(finished_undo.writes[-1].path).parent)

    def _mark_undone(self, undo: Entry) -> None:
        """Mark the writes that `undo` reverted as undone in their entry, or delete `undo` if it has no writes.

        If that entry is an undo itself, the writes that it had reverted are restored, and marked so in their own entry.
        """
        indices = [write.of for write in undo.writes if write.done and write.of is not None]
        undone_id, is_undone = undo.undoes, True
        unvisited_ids = {
            *entry_files.list_names(self.folder)
        }  # each entry is visited once: one from another computer may refer to missing entries, or to itself
        while undone_id in unvisited_ids and (entry := entry_files.load(self.folder / undone_id)):
            unvisited_ids.remove(undone_id)
            self.save(replace(entry.with_undone(indices, is_undone=is_undone), undoing=False))
            files.sync_folder(self.folder / undone_id)  # before the undo itself is marked as finished
            reverted_indices = (entry.writes[index].of for index in indices if index < len(entry.writes))
            indices = [index for index in reverted_indices if index is not None]
            undone_id, is_undone = entry.undoes, not is_undone
        if undo.writes:
            self.save(replace(undo, undoing=False))
        else:
            entry_files.remove(self.folder / undo.id)

    def _new_entry(self, command: str, session: str, when: str) -> Entry:
        number = entry_files.last_number(self.folder) + 1
        return Entry(make_shell_safe(f"{number:06d}-{command}"), command, session, when)

    def _read_content(self, path: str) -> bytes | None:
        place = f"{self._vault.root}/{path}"
        if not os.path.lexists(place) and not files.is_evicted(place):  # quick: an entry may have many missing files
            return None
        file = self._vault.file(path)
        with atomic_file.translate_os_errors("This file cannot be read", path):
            return files.read(file, files.PICTURE_BYTES) if files.is_file(file) else None

    def _iter_note_contents(self) -> Iterator[tuple[str, bytes]]:
        for path in self._vault.note_paths:
            with contextlib.suppress(OSError, VaultkitError):
                if (data := self._read_content(path)) is not None:
                    yield path, data


def ignore_progress(done: int, total: int) -> None:
    """Do nothing; the progress callback for callers that report no progress."""


def _offset_progress(progress: Progress, before: int, total: int) -> Callable[[int], None]:
    """Return a progress callback for a part of a task; it adds the number of steps done `before` that part."""
    return lambda count: progress(before + count, total)


def count_distinct(paths: Iterable[str | None]) -> int:
    """Return the number of paths before the first that is None or repeats an earlier one."""
    distinct: set[str] = set()
    for path in paths:
        if path is None or path in distinct:
            break
        distinct.add(path)
    return len(distinct)
