"""Writes into a vault: planned, shown, then committed under a lock, and recorded so that they can be undone."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.file_names import check_new_file
from vaultkit.vault.note import Note
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.crash_recovery import mark_complete, recover_leftovers
from vaultkit.vault.writing.history import Entry, History, Write
from vaultkit.vault.writing.history.entry_diff import diff_texts
from vaultkit.vault.writing.history.entry_store import Batch
from vaultkit.vault.writing.history.reversal import aside_path, replace_written_file
from vaultkit.vault.writing.history.store import MIN_BATCH_FILES, ignore_progress
from vaultkit.vault.writing.lock import is_unwritten, vault_lock
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write_steps import (
    FileCreation,
    NoteChange,
    NoteRemoval,
    PlanSplice,
    WriteStep,
    refuse_generated,
    refuse_unwritable_folder,
)

MAX_WRITE_ATTEMPTS = 8
RETRY_SECONDS = 0.005
"""The delay before a note that another program is changing is read again; doubled each time, about 0.6 s in all."""


class Writer:
    """A collector of the changes that one command makes; nothing is written before `commit`."""

    def __init__(self, vault: Vault, command: str, now: datetime, session: str = "") -> None:
        self._vault = vault
        self._command = command
        self._session = session
        self._now = now
        self._steps: list[WriteStep] = []
        self._withdrawn: Entry | None = None
        """The entry with a write that may have failed, since another program changed the note at the same time."""

    def create(self, path: str, content: str | bytes, plan_if_exists: PlanSplice | None = None) -> None:
        """Plan a new file at a vault path, with a note's text or the bytes of any other file.

        `plan_if_exists` is the plan for the note if another program has created it by the time of the commit; without
        one, that is an error.
        """
        self._vault.file(path)
        self._steps.append(FileCreation(path, content, plan_if_exists))

    def change(self, path: str, plan: PlanSplice, generated: bool = False) -> None:
        """Plan a splice into a note; `plan` is called again if the note changes before it is written.

        Raises WriteError for a note of a generated compendium, unless `generated` allows it.
        """
        if not generated:
            refuse_generated(self._vault.read(path))
        self._steps.append(NoteChange(path, plan))

    def remove(self, path: str) -> None:
        """Plan to remove a note; nothing happens if it is gone by the time of the commit.

        Raises WriteError for a note of a generated compendium.
        """
        refuse_generated(self._vault.read(path))
        self._steps.append(NoteRemoval(path))

    def include(self, other: "Writer") -> None:
        """Plan the changes of another writer, too."""
        self._steps += other._steps

    def check(self, path: str) -> None:
        """Raise the errors that `commit` would raise for the writes to `path`, if they can be detected now."""
        for step in self._steps:
            if step.path == path:
                self._is_needed(step)

    def diff(self) -> str:
        """Return the changes that `commit` would make, as a unified diff."""
        return "".join(self._diff_step(step) for step in self._steps)

    def commit(self, progress: Progress | None = None) -> tuple[str, ...]:
        """Write everything and return the vault paths written; all files are checked before the first is written.

        Raises WriteError if a file cannot be written; the files written before it keep their new text and can be
        undone.
        """
        if is_unwritten(self._vault.root) and not self._needed_steps():
            return ()
        with vault_lock(self._vault.root), self._report_unwritten_paths():
            steps = self._needed_steps()
            recover_leftovers(self._vault, (self._vault.file(step.path).parent for step in steps))
            if not steps:
                mark_complete(self._vault, self._command, self._session)
                return ()
            history = History(self._vault)
            initial_entry = self._begin_entry(history, steps)
            entry = self._write_all(steps, history, initial_entry, progress or ignore_progress)
            if entry.writes:
                history.complete(entry)
            mark_complete(self._vault, self._command, self._session)
        return tuple(dict.fromkeys(write.path for write in entry.writes[len(initial_entry.writes) :]))

    def _begin_entry(self, history: History, steps: Sequence[WriteStep]) -> Entry:
        """Return the entry of an interrupted run with the same steps, or a new entry, with a plan for several steps."""
        entry = history.resume(self._command, self._session, {step.path for step in steps})
        if entry is None:
            entry = history.begin(self._command, self._session, self._now.isoformat(timespec="seconds"))
            entry = replace(entry, complete=False)
            if len(steps) > 1:
                history.plan_ahead(entry, [*self._planned_writes(steps)])
        return entry

    def _planned_writes(self, steps: Iterable[WriteStep]) -> Iterator[tuple[Write, bytes | None]]:
        """Yield the write that each step will make, with the current content of its file or None.

        Without a session only the paths are recorded: a repeated command finds the remaining steps itself.
        """
        if not self._session:
            yield from ((Write(step.path, 0, "", "", None, None), None) for step in steps)
            return
        notes: dict[str, Note] = {}
        for step in steps:
            if isinstance(step, FileCreation) and not self._vault.file(step.path).exists():
                yield Write(step.path, 0, "", step.text, None, atomic_file.sha256(step.data)), None
                continue
            note = notes.get(step.path) or self._vault.read(step.path)
            if isinstance(step, NoteRemoval):
                yield self._make_removal(note), note.data
                continue
            plan = step.plan_if_exists if isinstance(step, FileCreation) else step.plan
            if splice := plan(note) if plan else None:
                after = _changed_bytes(note, splice)
                yield self._make_write(note, splice), note.data
                notes[step.path] = Note(step.path, after)

    @contextlib.contextmanager
    def _report_unwritten_paths(self) -> Iterator[None]:
        """Add the written and the unwritten paths to an error of the block, and turn OSError into WriteError."""
        try:
            with atomic_file.translate_os_errors("Not all could be written", self._vault.root):
                yield
        except VaultkitError as error:
            unwritten_paths = dict.fromkeys(step.path for step in self._steps if not self._is_made(step))
            error.unwritten = tuple(unwritten_paths)
            error.written = tuple(dict.fromkeys(step.path for step in self._steps if step.path not in unwritten_paths))
            raise

    def _is_made(self, step: WriteStep) -> bool:
        """Return whether the files already have the result of a step; False if they cannot be read."""
        try:
            target = self._vault.file(step.path)
            if isinstance(step, FileCreation):
                return target.exists() and atomic_file.hash_file(target) == atomic_file.sha256(step.data)
            if isinstance(step, NoteRemoval):
                return not target.exists()
            self._vault.forget(step.path)
            return step.plan(self._vault.read(step.path)) is None
        except (VaultkitError, OSError):
            return False

    def _diff_step(self, step: WriteStep) -> str:
        if isinstance(step, FileCreation):
            binary = f"Binary file {step.path} ({len(step.data)} bytes)\n"
            return binary if isinstance(step.content, bytes) else diff_texts(None, step.text, step.path)
        note = self._vault.read(step.path)
        if isinstance(step, NoteRemoval):
            return diff_texts(note.text, None, step.path)
        splice = step.plan(note)
        return diff_texts(note.text, splice.apply(note.text), step.path) if splice else ""

    def _needed_steps(self) -> list[WriteStep]:
        return [step for step in self._steps if self._is_needed(step)]

    def _is_needed(self, step: WriteStep) -> bool:
        """Return whether a step has something to write. Raises WriteError if it would surely fail."""
        target = self._vault.file(step.path)
        refuse_unwritable_folder(target)
        if isinstance(step, FileCreation):
            if not target.exists():
                check_new_file(self._vault.root, target.relative_to(self._vault.root).as_posix())
                return True
            if step.plan_if_exists is None:
                raise WriteError("A file with this name exists already.", where=step.path)
            self._vault.forget(step.path)
            refuse_generated(self._vault.read(step.path))
            return self._is_needed(NoteChange(step.path, step.plan_if_exists))
        self._vault.forget(step.path)
        if atomic_file.is_read_only(target):
            raise WriteError("This note is read-only.", where=step.path, hint="Make it writable, then try again.")
        if isinstance(step, NoteRemoval):
            return target.exists()
        return step.plan(self._vault.read(step.path)) is not None

    def _write_all(self, steps: Sequence[WriteStep], history: History, entry: Entry, progress: Progress) -> Entry:
        index = 0
        while index < len(steps):
            written_count, entry = self._write_many(steps, index, history, entry, progress)
            index += written_count
            if index < len(steps):
                entry = self._write_step(steps[index], history, entry)
                index += 1
                progress(index, len(steps))
        return entry

    def _write_many(
        self, steps: Sequence[WriteStep], start: int, history: History, entry: Entry, progress: Progress
    ) -> tuple[int, Entry]:
        """Write several steps together, from index `start` on; return how many were written, and the entry with them.

        Write none if there are too few. Stop at a step whose file another program changes, since it must be planned
        again.
        """
        writes_to_make = list(self._plan_batch(steps[start:])) if len(steps) - start >= MIN_BATCH_FILES else []
        if len(writes_to_make) < MIN_BATCH_FILES:
            return 0, entry
        new_contents = (_changed_bytes(self._vault.read(write.path), write.splice) for write in writes_to_make)
        writes = [(write, self._vault.read(write.path).data) for write in writes_to_make]

        def put(index: int, data: bytes, aside: Path, ready: Path | None) -> bool:
            return replace_written_file(self._vault, writes_to_make[index], data, aside, ready)

        batch = history.make_all(entry, writes, new_contents, put, lambda count: progress(start + count, len(steps)))
        if batch.refusal:
            self._raise_refusal(batch, history)
        if not batch.displaced:
            return batch.count, batch.entry
        new_entry = history.keep_leftovers(batch.entry, self._vault.file(writes_to_make[batch.count].path).parent)
        return batch.count + (not new_entry.writes[-1].displaced), new_entry

    def _plan_batch(self, steps: Iterable[WriteStep]) -> Iterator[Write]:
        """Yield the writes of the leading steps that change an existing note which no earlier one changes.

        Stop before a step for a new file, for a note with an earlier step, or for a note that needs no change.
        """
        paths: set[str] = set()
        for step in steps:
            note = self._vault.read(step.path) if isinstance(step, NoteChange) and step.path not in paths else None
            splice = step.plan(note) if note and isinstance(step, NoteChange) else None
            if note is None or splice is None:
                return
            paths.add(step.path)
            yield self._make_write(note, splice)

    def _make_write(self, note: Note, splice: Splice) -> Write:
        after = atomic_file.sha256(_changed_bytes(note, splice))
        mtime = atomic_file.read_mtime_ns(self._vault.file(note.path))
        return Write(note.path, splice.offset, splice.removed, splice.inserted, note.sha256, after, mtime)

    def _raise_refusal(self, batch: Batch, history: History) -> None:
        """Raise the error that stopped a batch of writes, unless the cause is that another program changed the file.

        If the file has the new text in spite of the error, the write is kept in the entry. If another program changed
        the file, the write is kept in `_withdrawn`, since that program may have read the new text and saved it again.
        """
        if isinstance(batch.refusal, atomic_file.FileChanged):
            self._withdrawn = batch.in_doubt
        elif batch.refusal:
            with contextlib.suppress(WriteError, OSError):  # Report what went wrong with the note instead.
                write = batch.in_doubt.writes[-1]
                if atomic_file.hash_file(self._vault.file(write.path)) == write.after:
                    history.save(batch.in_doubt)
            raise batch.refusal

    def _make_removal(self, note: Note) -> Write:
        mtime = atomic_file.read_mtime_ns(self._vault.file(note.path))
        return Write(note.path, 0, note.text, "", note.sha256, None, mtime)

    def _write_step(self, step: WriteStep, history: History, entry: Entry) -> Entry:
        if isinstance(step, NoteRemoval):
            return self._remove(step, history, entry)
        if isinstance(step, FileCreation):
            try:
                return self._create(step, history, entry)
            except atomic_file.FileAlreadyExists:
                if step.plan_if_exists is None:
                    raise
            step = NoteChange(step.path, step.plan_if_exists)
        for attempt in range(MAX_WRITE_ATTEMPTS):
            with contextlib.suppress(atomic_file.FileChanged):
                before, entry = entry, self._write_splice(step, history, entry)
                if entry == before or not entry.writes[-1].displaced:
                    self._withdrawn = None
                    return entry
                # Another program has just written over the file: check whether it has the planned text.
            if attempt < MAX_WRITE_ATTEMPTS - 1:
                time.sleep(RETRY_SECONDS * 2**attempt)
        raise WriteError("Another program keeps changing this note.", where=step.path, hint="Try again in a moment.")

    def _create(self, step: FileCreation, history: History, entry: Entry) -> Entry:
        target = self._vault.file(step.path)
        missing = [folder for folder in target.parents if not folder.exists()]
        after = atomic_file.sha256(step.data)
        write = Write(step.path, 0, "", step.text, None, after, folders_made=len(missing))
        recorded_entry = history.record(entry, write, None)
        with _withdraw_if_failed(history, entry, lambda: False):
            atomic_file.create_with_folder(target, step.data)
        self._vault.forget(step.path)
        return history.mark_done(recorded_entry)

    def _remove(self, step: NoteRemoval, history: History, entry: Entry) -> Entry:
        self._vault.forget(step.path)
        note, target = self._vault.read(step.path), self._vault.file(step.path)
        write = self._make_removal(note)
        recorded_entry = history.record(entry, write, note.data)
        aside = aside_path(history.folder, entry.id, len(entry.writes), write.mtime_ns)
        with _withdraw_if_failed(history, entry, lambda: not target.exists()):
            displaced = atomic_file.remove(target, note.sha256, aside)
        self._vault.forget(step.path)
        done_entry = history.mark_done(recorded_entry)
        return history.keep_leftovers(done_entry, target.parent) if displaced else done_entry

    def _write_splice(self, step: NoteChange, history: History, entry: Entry) -> Entry:
        self._vault.forget(step.path)
        note = self._vault.read(step.path)
        splice = step.plan(note)
        if splice is None:
            # Another program may have read our text and saved it again; then undo must treat it as ours.
            withdrawn = self._withdrawn
            if withdrawn and withdrawn.writes[-1].inserted.strip() in note.text:
                return history.mark_done(withdrawn)
            return entry
        target, data, write = self._vault.file(step.path), _changed_bytes(note, splice), self._make_write(note, splice)
        recorded_entry = history.record(entry, write, note.data)
        aside = aside_path(history.folder, entry.id, len(entry.writes), write.mtime_ns)
        self._withdrawn = recorded_entry
        with _withdraw_if_failed(history, entry, lambda: atomic_file.hash_file(target) == write.after):
            displaced = replace_written_file(self._vault, write, data, aside)
        self._withdrawn = None
        done_entry = history.mark_done(recorded_entry)
        return history.keep_leftovers(done_entry, target.parent) if displaced else done_entry


def _changed_bytes(note: Note, splice: Splice) -> bytes:
    return note.encoded.to_bytes(splice.apply(note.text))


@contextlib.contextmanager
def _withdraw_if_failed(history: History, entry: Entry, has_new_text: Callable[[], bool]) -> Iterator[None]:
    """Save `entry`, the entry before the write was recorded, if the block fails with a VaultkitError.

    A recorded write that was not made would block every undo. If `has_new_text` returns True, the write was made in
    spite of the error, so that it stays recorded and can be undone.
    """
    try:
        yield
    except VaultkitError:
        with contextlib.suppress(WriteError, OSError):  # Report what went wrong with the note instead.
            if not has_new_text():
                history.save(entry)
        raise


Planned = TypeVar("Planned")


def plan_and_commit(
    vault: Vault, plan: Callable[[Vault], tuple[Planned, Writer | None]], *, dry_run: bool = False
) -> tuple[Planned, tuple[str, ...]]:
    """Call `plan` and commit its writer under one vault lock; return the plan's result and the vault paths written.

    If two commands run at the same time, the second one plans with what the first wrote. A plan without a writer
    changes nothing, and with `dry_run` nothing is written. Raises the errors of `plan` and `Writer.commit`.
    """
    if dry_run:
        return plan(vault)[0], ()
    if is_unwritten(vault.root):  # create nothing in a vault before there is something to write
        result, writer = plan(vault.reopen())
        if writer is None:
            return result, ()
    with vault_lock(vault.root), atomic_file.translate_os_errors("Nothing could be written", vault.root):
        recover_leftovers(vault, ())  # Put back notes that a crash left under a temporary name, before planning.
        History(vault).repair_newest()
        result, writer = plan(vault.reopen())
        written_paths = writer.commit() if writer else ()
    for path in written_paths:
        vault.forget(path)
    return result, written_paths
