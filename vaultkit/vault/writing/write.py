"""Writing into a vault: plan, show, then commit under a lock, with every byte recorded so that it can be undone."""

import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from vaultkit import files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.facts import Facts
from vaultkit.vault.note import Note, is_generated
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history import Entry, History, Write
from vaultkit.vault.writing.history.showing import unified
from vaultkit.vault.writing.history.store import MANY, Batch, tell_nobody
from vaultkit.vault.writing.history.undoing import place_of, replace_in
from vaultkit.vault.writing.settling import complete, settle
from vaultkit.vault.writing.splice import Splice

Plan = Callable[[Note], Splice | None]
"""Makes the splice for a note as it is now; None if the note needs no change."""

LOCK_SECONDS = 10.0
ATTEMPTS = 8
PAUSE = 0.005
"""Seconds before a note is read again that another program is just changing, doubled each time: it may need a moment
for the whole of its text. About 0.6 s in all."""


@dataclass(frozen=True)
class _Creation:
    path: str
    content: str | bytes
    otherwise: Plan | None = None

    @property
    def text(self) -> str:
        """The text for the diff and the history; "" for a file that is not text."""
        return self.content if isinstance(self.content, str) else ""

    @property
    def data(self) -> bytes:
        return self.content.encode("utf-8") if isinstance(self.content, str) else self.content


@dataclass(frozen=True)
class _Change:
    path: str
    plan: Plan


class Writer:
    """Collects what one command wants to write; nothing happens before `commit`."""

    def __init__(self, vault: Vault, command: str, now: datetime, session: str = "") -> None:
        self._vault = vault
        self._command = command
        self._session = session
        self._now = now
        self._steps: list[_Creation | _Change] = []
        self._withdrawn: Entry | None = None

    def create(self, path: str, content: str | bytes, otherwise: Plan | None = None) -> None:
        """A new file at a vault path: a note's text, or the bytes of anything else.

        `otherwise` is what the note needs if another program has made it by the time it is written.
        """
        self._vault.file(path)
        self._steps.append(_Creation(path, content, otherwise))

    def change(self, path: str, plan: Plan, generated: bool = False) -> None:
        """A splice into an existing note, planned anew if the note changes before it is written.

        Raises WriteError for a note of a generated compendium, unless `generated` allows it.
        """
        if not generated:
            refuse_generated(self._vault.read(path))
        self._steps.append(_Change(path, plan))

    def check(self, path: str) -> None:
        """Raise what `commit` would raise, as far as it is known beforehand, for what is to be written to `path`."""
        for step in self._steps:
            if step.path == path:
                self._is_needed(step)

    def diff(self) -> str:
        """The changes that `commit` would make, as a unified diff."""
        return "".join(self._diff_of(step) for step in self._steps)

    def commit(self, progress: Progress | None = None) -> tuple[str, ...]:
        """Write everything; returns the vault paths written. All are checked before the first is touched.

        Raises WriteError if one cannot be written; what was written before it stays, and can be undone.
        """
        with vault_lock(self._vault.root):
            needed = [step for step in self._steps if self._is_needed(step)]
            settle(self._vault, (self._vault.file(step.path).parent for step in needed))
            if not needed:
                complete(self._vault, self._command, self._session)
                return ()
            history = History(self._vault)
            entry = history.begin(self._command, self._session, self._now.isoformat(timespec="seconds"))
            entry = replace(entry, complete=False)
            entry = self._write_all(needed, history, entry, progress or tell_nobody)
            if entry.writes:
                history.keep(replace(entry, complete=True))
            complete(self._vault, self._command, self._session)
        return tuple(dict.fromkeys(write.path for write in entry.writes))

    def _diff_of(self, step: _Creation | _Change) -> str:
        if isinstance(step, _Creation):
            binary = f"Binary file {step.path} ({len(step.data)} bytes)\n"
            return binary if isinstance(step.content, bytes) else unified(None, step.text, step.path)
        note = self._vault.read(step.path)
        splice = step.plan(note)
        return unified(note.text, splice.apply(note.text), step.path) if splice else ""

    def _is_needed(self, step: _Creation | _Change) -> bool:
        """Whether there is something to write; raises WriteError where it is known beforehand to fail."""
        target = self._vault.file(step.path)
        _refuse_folder(target)
        if isinstance(step, _Creation):
            if not target.exists():
                return True
            if step.otherwise is None:
                raise WriteError("There is a file of this name already.", where=step.path)
            self._vault.forget(step.path)
            refuse_generated(self._vault.read(step.path))
            return self._is_needed(_Change(step.path, step.otherwise))
        self._vault.forget(step.path)
        if atomic.is_read_only(target):
            raise WriteError("This note is read-only.", where=step.path, hint="Make it writable, then try again.")
        return step.plan(self._vault.read(step.path)) is not None

    def _write_all(
        self, steps: Sequence[_Creation | _Change], history: History, entry: Entry, progress: Progress
    ) -> Entry:
        at = 0
        while at < len(steps):
            count, entry = self._write_many(steps, at, history, entry, progress)
            at += count
            if at < len(steps):
                entry = self._write(steps[at], history, entry)
                at += 1
                progress(at, len(steps))
        return entry

    def _write_many(
        self, steps: Sequence[_Creation | _Change], at: int, history: History, entry: Entry, progress: Progress
    ) -> tuple[int, Entry]:
        """How many steps from one on were made at once, and the entry with them; none where that does not pay.

        It stops at one that another program comes near: that is to be planned anew, by itself.
        """
        planned = list(self._planned(steps[at:])) if len(steps) - at >= MANY else []
        if len(planned) < MANY:
            return 0, entry
        texts = (self._changed(write) for write in planned)
        writes = [(write, self._vault.read(write.path).data) for write in planned]

        def put(index: int, data: bytes, aside: Path, ready: Path | None) -> bool:
            return replace_in(self._vault, planned[index], data, aside, ready)

        made = history.make_all(entry, writes, texts, put, lambda count: progress(at + count, len(steps)))
        if made.refusal:
            self._refused(made, history)
        if not made.displaced:
            return made.count, made.entry
        kept = history.keep_leftovers(made.entry, self._vault.file(planned[made.count].path).parent)
        return made.count + (not kept.writes[-1].displaced), kept

    def _planned(self, steps: Iterable[_Creation | _Change]) -> Iterator[Write]:
        """The writes of the first steps, as long as each changes another note, and has not been made by others."""
        seen: set[str] = set()
        for step in steps:
            note = None if isinstance(step, _Creation) or step.path in seen else self._vault.read(step.path)
            splice = step.plan(note) if note and isinstance(step, _Change) else None
            if note is None or splice is None:
                return
            seen.add(step.path)
            yield self._write_of(note, splice)

    def _write_of(self, note: Note, splice: Splice) -> Write:
        after = atomic.sha256(_changed_bytes(note, splice))
        mtime = atomic.modified(self._vault.file(note.path))
        return Write(note.path, splice.offset, splice.removed, splice.inserted, note.sha256, after, mtime)

    def _changed(self, write: Write) -> bytes:
        return _changed_bytes(self._vault.read(write.path), write.splice)

    def _refused(self, made: Batch, history: History) -> None:
        """Raise why the next of many writes was not made; it is in the entry if its text is there all the same.

        Where another program has come between, which may have read ours for a moment and kept it, all goes on.
        """
        if isinstance(made.refusal, atomic.ChangedSince):
            self._withdrawn = made.in_doubt
        elif made.refusal:
            with contextlib.suppress(WriteError, OSError):  # What went wrong with the note is what is to be told.
                write = made.in_doubt.writes[-1]
                if atomic.hash_of(self._vault.file(write.path)) == write.after:
                    history.keep(made.in_doubt)
            raise made.refusal

    def _write(self, step: _Creation | _Change, history: History, entry: Entry) -> Entry:
        if isinstance(step, _Creation):
            try:
                return self._create(step, history, entry)
            except atomic.AlreadyThere:
                if step.otherwise is None:
                    raise
            step = _Change(step.path, step.otherwise)
        for attempt in range(ATTEMPTS):
            with contextlib.suppress(atomic.ChangedSince):
                before, entry = entry, self._splice(step, history, entry)
                if entry == before or not entry.writes[-1].displaced:
                    self._withdrawn = None
                    return entry
                # It has been written over just now: whether what was planned stands in it is to be seen.
            if attempt < ATTEMPTS - 1:
                time.sleep(PAUSE * 2**attempt)
        raise WriteError("Another program keeps changing this note.", where=step.path, hint="Try again in a moment.")

    def _create(self, step: _Creation, history: History, entry: Entry) -> Entry:
        target = self._vault.file(step.path)
        missing = [folder for folder in target.parents if not folder.exists()]
        after = atomic.sha256(step.data)
        write = Write(step.path, 0, "", step.text, None, after, folders_made=len(missing))
        grown = history.record(entry, write, None)
        with _taken_out_if_refused(history, entry, lambda: False):
            atomic.create_with_folder(target, step.data)
        self._vault.forget(step.path)
        return history.done(grown)

    def _splice(self, step: _Change, history: History, entry: Entry) -> Entry:
        self._vault.forget(step.path)
        note = self._vault.read(step.path)
        splice = step.plan(note)
        if splice is None:
            # Another program may have read what was there for a moment, and kept it: then it is to be undone as ours.
            kept = self._withdrawn
            return history.done(kept) if kept and kept.writes[-1].inserted.strip() in note.text else entry
        target, data, write = self._vault.file(step.path), _changed_bytes(note, splice), self._write_of(note, splice)
        grown = history.record(entry, write, note.data)
        aside = place_of(history.folder, entry.id, len(entry.writes), write.mtime_ns)
        self._withdrawn = grown
        with _taken_out_if_refused(history, entry, lambda: atomic.hash_of(target) == write.after):
            displaced = replace_in(self._vault, write, data, aside)
        self._withdrawn = None
        finished = history.done(grown)
        return history.keep_leftovers(finished, target.parent) if displaced else finished


def _changed_bytes(note: Note, splice: Splice) -> bytes:
    return note.encoded.to_bytes(splice.apply(note.text))


@contextlib.contextmanager
def _taken_out_if_refused(history: History, entry: Entry, is_there: Callable[[], bool]) -> Iterator[None]:
    """Put `entry` back as it was before the write was recorded, if the write fails; else it would block every undo.

    Not where it failed only once the text was in place, as `is_there` tells: else nobody could take that back.
    """
    try:
        yield
    except VaultkitError:
        with contextlib.suppress(WriteError, OSError):  # What went wrong with the note is what is to be told.
            if not is_there():
                history.keep(entry)
        raise


def refuse_generated(note: Note | Facts) -> None:
    """Raise WriteError for a note that is generated."""
    if is_generated(note):
        raise WriteError(
            "This note belongs to a generated compendium, where the next run of the converter overwrites it.",
            where=note.path,
            hint="Choose a note of your own.",
        )


def _refuse_folder(target: Path) -> None:
    """Raise WriteError if nothing can be written beside `target`, or where its folder would have to be made."""
    nearest = next(folder for folder in target.parents if folder.exists())
    if not nearest.is_dir():
        raise WriteError("There is a file where a folder is needed.", where=str(nearest))
    if not os.access(nearest, os.W_OK):
        raise WriteError("Nothing can be written in this folder.", where=str(nearest), hint="Make it writable.")


@contextlib.contextmanager
def vault_lock(root: Path) -> Iterator[None]:
    """One vaultkit process at a time writes into a vault. The lock lies outside it, where no sync tool sees it.

    Whoever holds it may take it again, so that a command can look, decide and commit without another coming between.
    """
    with file_lock(lock_name(root), "Another vaultkit is writing into this vault.", root):
        yield


@contextlib.contextmanager
def file_lock(name: str, busy: str, where: Path) -> Iterator[None]:
    """Hold the lock of that name. Raises WriteError, which says `busy` and `where`, if another does for too long."""
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_folder() / f"{name}.lock", timeout=LOCK_SECONDS, is_singleton=True)
    try:
        held = lock.acquire()
    except Timeout as error:
        raise WriteError(busy, where=str(where), hint="Wait for it, then try again.") from error
    except OSError as error:
        hint = files.drive_hint(error)
        raise WriteError(f"Nothing can be locked: {error.strerror}.", where=str(lock.lock_file), hint=hint) from error
    with held:
        yield


def lock_name(root: Path) -> str:
    """The same for all names of one folder: where case says nothing, as on macOS, it may have many."""
    identity = str(root)
    with contextlib.suppress(OSError):
        if (status := root.stat()).st_ino:
            identity = f"{status.st_dev}:{status.st_ino}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def _lock_folder() -> Path:
    from platformdirs import user_cache_path

    for folder in (user_cache_path("vaultkit") / "locks", Path(tempfile.gettempdir()) / "vaultkit-locks"):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    raise WriteError("There is no place for a lock file.", where=tempfile.gettempdir())


Planned = TypeVar("Planned")


def carry_out(
    vault: Vault, plan: Callable[[Vault], tuple[Planned, Writer | None]], *, dry_run: bool = False
) -> tuple[Planned, tuple[str, ...]]:
    """Make a plan under the vault's lock and write it. Returns the plan's result and the vault paths written.

    So of two commands at once the second sees what the first wrote. A plan without a writer leaves all as it is, and
    with `dry_run` nothing is written.
    Raises what `plan` and `Writer.commit` do.
    """
    if dry_run:
        return plan(vault)[0], ()
    with vault_lock(vault.root):
        settle(vault, ())  # A note that was left without its name is to be found.
        planned, writer = plan(vault.afresh())
        written = writer.commit() if writer else ()
    for path in written:
        vault.forget(path)
    return planned, written
