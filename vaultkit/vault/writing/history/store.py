"""The history folder of a vault: everything that vaultkit has written, so that it can be listed and undone.

Each command's writes are one entry: a folder `.vaultkit/history/<number>-<command>` with `entry.json` (each write as a
splice with hashes) and before-images (the files' contents before the writes). The entry is saved before a note is
changed, and again afterwards. An undo is an entry as well, so that the hashes record every change of a file.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from vaultkit import files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import entry_files, maintenance, undo_refusals
from vaultkit.vault.writing.history.entry import Entry, Write, make_shell_safe, private_folder
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


@dataclass
class Batch:
    """Several writes that were recorded together at the end of an entry, and how far they were made.

    `first` is the index of the first one in the entry, `count` the number of those made. If not all were made, either
    another program wrote over the next one at once (`displaced`), or the next one failed with the error `refusal`.
    """

    recorded: Entry
    first: int
    count: int = 0
    displaced: bool = False
    refusal: VaultkitError | None = None

    @property
    def end(self) -> int:
        """The index, in the entry, of the first write that was not made."""
        return self.first + self.count

    @property
    def entry(self) -> Entry:
        """The entry with the writes that were made, including one that was displaced."""
        return self.recorded.with_first_done(self.end + self.displaced)

    @property
    def in_doubt(self) -> Entry:
        """The entry with the writes that were made and the one that failed, since that may have been made as well."""
        return replace(self.entry, writes=(*self.entry.writes, self.recorded.writes[self.end]))


class History:
    """The history folder of one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.folder = vault.root / files.VAULTKIT_FOLDER / "history"

    def entries(self, command: str = "") -> Iterator[Entry]:
        """Yield the entries, newest first; with `command`, only its entries, and no others are read.

        Unreadable entries are skipped, since the others can still be undone; so are entries without writes.
        """
        names = entry_files.list_names(self.folder)[::-1]
        wanted = [name for name in names if not command or name.partition("-")[2] == make_shell_safe(command)]
        return entry_files.load_entries(self.folder, wanted)

    def load_begun(self) -> Entry | None:
        """Return the newest entry if it was begun, perhaps only planned, and was not completed, else None."""
        for name in entry_files.list_names(self.folder)[-1:]:
            folder, command = self.folder / name, name.partition("-")[2]
            if (folder / entry_files.ENTRY_FILE).exists():
                entry = entry_files.load(folder)
                return None if entry is None or entry.complete or entry.undone or entry.undoes else entry
            when = datetime.fromtimestamp(folder.stat().st_mtime).isoformat()
            plan = entry_files.load(folder, entry_files.PLAN_FILE) or Entry(name, command, "", when, complete=False)
            return None if command == "undo" else plan
        return None

    @property
    def has_mixed_entries(self) -> bool:
        """Whether a sync tool has put two entries into one folder, so that `separate_copies` must split them."""
        return bool(maintenance.find_copies(self.folder, entry_files.list_names(self.folder)))

    def separate_copies(self, newest: int = 0) -> None:
        """Move entries that a sync tool put into another entry's folder into folders of their own.

        With `newest`, look only into that many of the newest folders. Call it under the vault's lock.
        """
        for copy in maintenance.find_copies(self.folder, entry_files.list_names(self.folder)[-newest:]):
            maintenance.separate_copy(copy)

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

    def plan_ahead(self, entry: Entry, writes: Sequence[tuple[Write, bytes | None]]) -> None:
        """Save the planned writes of a new entry, each with its file's current content, before the first is made."""
        entry_folder = self.folder / entry.id
        entry_files.make_folder(entry_folder)
        for index, (_, before) in enumerate(writes):
            if before is not None:
                entry_files.save(entry_folder / entry_files.planned_image_name(index), before)
        plan = entry_files.encode_entry(replace(entry, writes=tuple(write for write, _ in writes)))
        entry_files.save(entry_folder / entry_files.PLAN_FILE, plan)
        files.sync_folder(entry_folder)

    def planned_writes(self, entry: Entry) -> tuple[Write, ...]:
        """Return all the writes that an entry's command planned; empty if no plan is saved, as for a single write."""
        plan = entry_files.load(self.folder / entry.id, entry_files.PLAN_FILE)
        return plan.writes if plan else ()

    def planned_image(self, entry: Entry, index: int, write: Write) -> bytes | None:
        """Return the content of a planned write's file at the time of the plan, or None if it is not stored."""
        return entry_files.load_content(self.folder / entry.id / entry_files.planned_image_name(index), write.before)

    def complete(self, entry: Entry) -> None:
        """Save the entry as complete and remove its plan."""
        self.save(replace(entry, complete=True))
        entry_files.remove_plan(self.folder / entry.id)

    def record(self, entry: Entry, write: Write, before: bytes | None) -> Entry:
        """Add a write to the entry, save it, and return it; call this before the write is made.

        `before` is the file's content, None for a new file.
        """
        entry_folder = self.folder / entry.id
        if not entry_folder.is_dir():
            entry_files.make_folder(entry_folder)
        if before is not None:
            entry_files.save(entry_folder / entry_files.image_name(len(entry.writes)), before)
        new_entry = replace(entry, writes=(*entry.writes, write))
        self.save(new_entry)
        files.sync_folder(entry_folder)
        return new_entry

    def record_all(self, entry: Entry, writes: Sequence[tuple[Write, bytes]]) -> Entry:
        """Add several writes to existing files to the entry, save it, and return it; call this before they are made.

        Each write comes with its file's current content. Raises BudgetExceeded if the entry becomes too large.
        """
        entry_folder, first = self.folder / entry.id, len(entry.writes)
        if not entry_folder.is_dir():
            entry_files.make_folder(entry_folder)
        pack = entry_folder / entry_files.pack_name(first)
        pack_ranges = entry_files.save_all(pack, (before for _, before in writes))
        pairs = zip(writes, pack_ranges, strict=True)
        packed = (replace(write, packed=(first, *pack_range)) for (write, _), pack_range in pairs)
        new_entry = replace(entry, writes=(*entry.writes, *packed))
        data = entry_files.encode_entry(new_entry)
        entry_files.MAX_ENTRY_BYTES.check(len(data), entry.id)
        entry_files.save(entry_folder / entry_files.ENTRY_FILE, data)
        files.sync_folder(entry_folder)
        return new_entry

    def make_all(
        self,
        entry: Entry,
        writes: Sequence[tuple[Write, bytes]],
        new_contents: Iterable[bytes],
        replace_file: Callable[[int, bytes, Path, Path | None], bool],
        progress: Callable[[int], None],
    ) -> Batch:
        """Record several writes and make them, until one fails or another program writes over one.

        Each write comes with its file's current content; `new_contents` are the contents to write. `replace_file`
        replaces one file: it takes the index in `writes`, the new content, the path to which the old file is moved, and
        a prepared file with the new content or None. It returns whether another program's text was displaced.
        """
        batch = Batch(self.record_all(entry, writes), len(entry.writes))
        targets = (self._vault.file(write.path) for write, _ in writes)
        with contextlib.closing(atomic_file.prepare(zip(targets, new_contents, strict=True))) as prepared:
            try:
                for (write, _), (data, prepared_file) in zip(writes, prepared, strict=True):
                    aside = aside_path(self.folder, entry.id, batch.end, write.mtime_ns)
                    if replace_file(batch.count, data, aside, prepared_file):
                        batch.displaced = True
                        break
                    entry_files.add_progress(self.folder / entry.id, batch.end)
                    batch.count += 1
                    progress(batch.count)
            except VaultkitError as error:
                batch.refusal = error
        for folder in {self._vault.file(write.path).parent for write, _ in writes[: batch.count + 1]}:
            files.sync_folder(folder)
        with contextlib.suppress(*[WriteError] if batch.refusal else []):  # report the refusal instead
            self.save(batch.entry)
        return batch

    def mark_done(self, entry: Entry) -> Entry:
        """Mark the entry's last write as done, save the entry, and return it; call this after the write was made."""
        finished = entry.with_write(-1, done=True)
        self.save(finished)
        return finished

    def keep_displaced(self, entry: Entry, index: int, data: bytes) -> Entry:
        """Save another program's text that the write `index` displaced, and return the entry that refers to it.

        The text is saved as `<index>.displaced` before the entry.
        """
        entry_files.save(self.folder / entry.id / entry_files.displaced_name(index), data)
        new_entry = entry.with_write(index, displaced=atomic_file.sha256(data))
        self.save(new_entry)
        files.sync_folder(self.folder / entry.id)
        return new_entry

    def keep_leftovers(self, entry: Entry, folder: Path) -> Entry:
        """Save the texts that the last write displaced and could not put back, and return the entry with them.

        They are in swap files in `folder`, which are moved into the history.
        """
        for leftover in atomic_file.list_swap_files(folder):
            index, data = len(entry.writes) - 1, files.read(leftover, files.PICTURE_BYTES)
            if entry.writes[index].displaced is None:
                entry = self.keep_displaced(entry, index, data)
            leftover.replace(aside_path(self.folder, entry.id, index, 0))
        return entry

    def save(self, entry: Entry) -> None:
        """Save the entry as given; saving the entry as it was before `record` removes a write that was not made."""
        entry_files.save(self.folder / entry.id / entry_files.ENTRY_FILE, entry_files.encode_entry(entry))

    def load_image(self, entry: Entry, index: int) -> bytes | None:
        """Return a file's content before the write `index`; None if there was no file or the content is lost."""
        return entry_files.load_image(self.folder / entry.id, index, entry.writes[index])

    def load_displaced(self, entry: Entry, index: int) -> bytes | None:
        """Return another program's text that the write `index` displaced; None if there was none or it is lost."""
        file = self.folder / entry.id / entry_files.displaced_name(index)
        return entry_files.load_content(file, entry.writes[index].displaced)

    def size(self, entry: Entry) -> int:
        """Return the size in bytes of an entry's folder."""
        return maintenance.folder_size(self.folder / entry.id)

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
