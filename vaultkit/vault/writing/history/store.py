"""The history folder of a vault: all that vaultkit has written, so that it can be listed and taken back.

Each command's writes are one entry, a folder `.vaultkit/history/<number>-<command>` that holds `entry.json` (each write
as a splice with hashes) and before-images. The entry is on disk before the note is touched, and again after it. An undo
is such an entry itself, so that the hashes tell without a gap how each file became what it is.
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
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history import disk, evidence, refusals, undoing, upkeep
from vaultkit.vault.writing.history.entry import Entry, Write, plain, private_folder
from vaultkit.vault.writing.history.moving import Timeline
from vaultkit.vault.writing.history.planning import Files, Plan, Planner, Reversal
from vaultkit.vault.writing.history.undoing import place_of

MANY = 10
"""From so many files on, that are all there and all different, writes are recorded at once: the disk takes its time."""


@dataclass
class Batch:
    """Many writes, recorded as the last ones of an entry, from its `first` on: so many of them, the `count`, were made.

    The next was `displaced` by another program at once, or there was a `refusal`.
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
        """The entry with the writes that were made, among them one that was displaced."""
        return self.recorded.first_done(self.end + self.displaced)

    @property
    def in_doubt(self) -> Entry:
        """The same with the next write, which alone may not be done."""
        return replace(self.entry, writes=(*self.entry.writes, self.recorded.writes[self.end]))


class History:
    """The history folder of one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.folder = vault.root / files.OWN / "history"

    def entries(self) -> Iterator[Entry]:
        """Newest first. One that cannot be read is skipped, since the rest can still be undone; so is an empty one."""
        return disk.loaded(self.folder, disk.names(self.folder)[::-1])

    @property
    def mixed_up(self) -> bool:
        """Whether a sync tool has put two entries into one folder, so that `part` is needed to see both."""
        return bool(upkeep.copies(self.folder, disk.names(self.folder)))

    def part(self, newest: int = 0) -> None:
        """Give all such entries folders of their own, or those among the `newest`; call it under the vault's lock."""
        for copy in upkeep.copies(self.folder, disk.names(self.folder)[-newest:]):
            upkeep.part(copy)

    def begin(self, command: str, session: str, when: str) -> Entry:
        """A new entry, numbered after the last, at the ISO time `when`; call it under the vault's lock.

        What is too old by then, or too much for the vault's settings, is deleted.
        """
        private_folder(self._vault.root, "history")
        self.settle()
        entry = self._next(command, session, when)
        with contextlib.suppress(ValueError, OverflowError, OSError):
            now = datetime.fromisoformat(when).astimezone()
            upkeep.prune(self.folder, upkeep.due(self._vault.root, disk.number_of(entry.id)), now)
        return entry

    def resume(self, command: str, session: str, paths: Set[str]) -> Entry | None:
        """Return the newest entry if the same command was interrupted in it and had planned all `paths`.

        None if there is no such entry. Call it under the vault's lock.
        """
        newest = next(self.entries(), None)
        if newest is None or newest.complete or (newest.command, newest.session) != (command, session):
            return None
        self.settle()
        entry = next(self.entries(), None)
        if entry is None or entry.id != newest.id or entry.undone or any(write.taken for write in entry.writes):
            return None
        if not paths <= {write.path for write in self.planned_writes(entry)}:
            return None
        entry = evidence.drop_unmade(entry, self._content)
        self.keep(entry)
        with contextlib.suppress(OSError):
            (self.folder / entry.id / disk.PROGRESS).unlink()
        return entry

    def plan_ahead(self, entry: Entry, writes: Sequence[tuple[Write, bytes | None]]) -> None:
        """Put all the writes of a new entry on disk before the first of them, each with what its file was before."""
        place = self.folder / entry.id
        disk.make(place)
        for index, (_, before) in enumerate(writes):
            if before is not None:
                disk.save(place / disk.planned_image_name(index), before)
        disk.save(place / disk.PLAN, disk.encoded(replace(entry, writes=tuple(write for write, _ in writes))))
        files.sync_folder(place)

    def planned_writes(self, entry: Entry) -> tuple[Write, ...]:
        """Return all the writes that an entry's command had planned; none where it had a single one."""
        plan = disk.load(self.folder / entry.id, disk.PLAN)
        return plan.writes if plan else ()

    def planned_image(self, entry: Entry, index: int, write: Write) -> bytes | None:
        """Return what the file of a planned write was when it was planned; None if the history does not have it."""
        return disk.content(self.folder / entry.id / disk.planned_image_name(index), write.before)

    def complete(self, entry: Entry) -> None:
        """Save the entry as complete and remove its plan."""
        self.keep(replace(entry, complete=True))
        disk.remove_plan(self.folder / entry.id)

    def record(self, entry: Entry, write: Write, before: bytes | None) -> Entry:
        """The entry with one more write, on disk before that write happens."""
        place = self.folder / entry.id
        if not place.is_dir():
            disk.make(place)
        if before is not None:
            disk.save(place / disk.image_name(len(entry.writes)), before)
        grown = replace(entry, writes=(*entry.writes, write))
        self.keep(grown)
        files.sync_folder(place)
        return grown

    def record_all(self, entry: Entry, writes: Sequence[tuple[Write, bytes]]) -> Entry:
        """The entry with many more writes into files that are there, on disk before the first of them happens.

        Each comes with what its file was before. Raises WriteError if they are too much for one entry.
        """
        place, first = self.folder / entry.id, len(entry.writes)
        if not place.is_dir():
            disk.make(place)
        places = disk.save_all(place / disk.pack_name(first), (before for _, before in writes))
        packed = (replace(one, packed=(first, *at)) for (one, _), at in zip(writes, places, strict=True))
        grown = replace(entry, writes=(*entry.writes, *packed))
        if len(data := disk.encoded(grown)) > disk.MOST:
            much = "These are too many changes to be kept, and taken back, as one."
            raise WriteError(much, where=entry.id, hint="Change them in parts: name a folder.")
        disk.save(place / disk.ENTRY, data)
        files.sync_folder(place)
        return grown

    def make_all(
        self,
        entry: Entry,
        writes: Sequence[tuple[Write, bytes]],
        contents: Iterable[bytes],
        replace: Callable[[int, bytes, Path, Path | None], bool],
        progress: Callable[[int], None],
    ) -> Batch:
        """Record many writes, each with what its file was before, and make them, until one is refused or written over.

        `contents` are those afterwards; `replace` puts the one of this index into place, as `atomic.replace` does.
        """
        batch = Batch(self.record_all(entry, writes), len(entry.writes))
        targets = (self._vault.file(write.path) for write, _ in writes)
        with contextlib.closing(atomic.prepare(zip(targets, contents, strict=True))) as prepared:
            try:
                for (write, _), (data, ready) in zip(writes, prepared, strict=True):
                    aside = place_of(self.folder, entry.id, batch.end, write.mtime_ns)
                    if replace(batch.count, data, aside, ready):
                        batch.displaced = True
                        break
                    disk.add_progress(self.folder / entry.id, batch.end)
                    batch.count += 1
                    progress(batch.count)
            except VaultkitError as error:
                batch.refusal = error
        for folder in {self._vault.file(write.path).parent for write, _ in writes[: batch.count + 1]}:
            files.sync_folder(folder)
        with contextlib.suppress(*[WriteError] if batch.refusal else []):  # that is what is to be told
            self.keep(batch.entry)
        return batch

    def done(self, entry: Entry) -> Entry:
        """The entry with its last write done, on disk once that write has happened."""
        finished = entry.with_write(-1, done=True)
        self.keep(finished)
        return finished

    def keep_displaced(self, entry: Entry, index: int, data: bytes) -> Entry:
        """The entry with what another program had put, in the last instant, where its write `index` then came.

        The content is on disk, as `<index>.displaced`, before the entry names it.
        """
        disk.save(self.folder / entry.id / disk.displaced_name(index), data)
        kept = entry.with_write(index, displaced=atomic.sha256(data))
        self.keep(kept)
        files.sync_folder(self.folder / entry.id)
        return kept

    def keep_leftovers(self, entry: Entry, folder: Path) -> Entry:
        """The entry with what its last write, into a file of `folder`, displaced and could not put back."""
        for leftover in atomic.exchanged_in(folder):
            index, data = len(entry.writes) - 1, files.read(leftover, files.PICTURE)
            if entry.writes[index].displaced is None:
                entry = self.keep_displaced(entry, index, data)
            leftover.replace(place_of(self.folder, entry.id, index, 0))
        return entry

    def keep(self, entry: Entry) -> None:
        """Put the entry on disk as it is; so a write that was recorded and then not made is taken out again."""
        disk.save(self.folder / entry.id / disk.ENTRY, disk.encoded(entry))

    def image(self, entry: Entry, index: int) -> bytes | None:
        """The file of an entry's write as it was before; None if there was none, or if the history has lost it."""
        return disk.image(self.folder / entry.id, index, entry.writes[index])

    def displaced(self, entry: Entry, index: int) -> bytes | None:
        """The text of another program that an entry's write displaced; None if there was none, or if it is lost."""
        return disk.content(self.folder / entry.id / disk.displaced_name(index), entry.writes[index].displaced)

    def size(self, entry: Entry) -> int:
        """The bytes that the history keeps of one entry."""
        return upkeep.size(self.folder / entry.id)

    def plan(self, entry: Entry, *, keep_edits: bool = False) -> Plan:
        """The plan that takes an entry's writes back; nothing is touched yet.

        Raises WriteError if a file is not as vaultkit left it, apart from later writes of its own beside these, or if
        it cannot be written; with `keep_edits` a note that another program changed will do, if what vaultkit wrote
        there can be told for certain. InvalidError if a file is to come back that the history has lost.
        """
        timeline = Timeline(disk.loaded(self.folder, disk.names(self.folder)))
        files_now = Files(timeline, self._content, self._notes)
        plan = Planner(entry, timeline, files_now, self.image, keep_edits).plan()
        for reversal in plan.reversals:
            undoing.refuse_unwritable(self._vault, reversal.write)
        return plan

    def undo(
        self,
        entry: Entry,
        *,
        keep_edits: bool = False,
        now: datetime | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        """Take an entry's writes back, as `plan` says. Returns the vault paths that were restored or removed.

        Raises what `plan` does, touching nothing. One that fails only when its turn comes stops the undo there: the
        error says what was taken back, and undoing again goes on.
        """
        self.settle()
        entry = disk.load(self.folder / entry.id) or entry
        plan = self.plan(entry, keep_edits=keep_edits)
        if plan.reversals:
            when = (now or datetime.now()).astimezone().isoformat(timespec="seconds")
            undo = replace(self._next("undo", entry.session, when), undoes=entry.id, undoing=True)
            self._carry_out(plan, undo, progress or tell_nobody)
        if plan.gone:
            left = disk.load(self.folder / entry.id) or entry
            self.keep(replace(left.with_taken(plan.gone, taken=True), undoing=False))
        return list(dict.fromkeys(reversal.write.path for reversal in reversed(plan.reversals)))

    def settle(self) -> None:
        """Make good what a crash left of the newest entry; call it under the vault's lock.

        A write that was not made, or was taken back by an undo of before undos were entries, is taken out: else it
        would stand in the way once the note has gone on without it. What an undo did is marked in what it undid.
        """
        self.part(upkeep.KEPT)
        newest = next(self.entries(), None)
        if newest is None or newest.undone:
            return
        settled = evidence.settle(newest, self._content, self.image)
        if settled != newest:
            self.keep(settled)
        if settled.undoes and settled.undoing:
            undoing.remove_folders(self._vault, settled, Timeline(disk.loaded(self.folder, disk.names(self.folder))))
            self._mark(settled)

    def _carry_out(self, plan: Plan, undo: Entry, progress: Progress) -> None:
        position, total = 0, len(plan.reversals)
        while position < len(plan.reversals):
            reversal = plan.reversals[position]
            try:
                step = _beyond(progress, position, total)
                count, undo, displaced = self._reverse_many(plan.reversals[position:], undo, step)
                if not (count or displaced):
                    undo, displaced = self._reverse(reversal, undo)
                    count = not displaced
                position += count
                progress(position, total)
                if displaced:
                    reversal = plan.reversals[position]
                    raise atomic.ChangedSince("Another program changed this note just now.", where=reversal.write.path)
            except VaultkitError as error:
                with contextlib.suppress(WriteError):  # What went wrong with the note is what is to be told.
                    self._mark(undo)
                earlier = [earlier.write for earlier in plan.reversals[:position]]
                raise refusals.stopped(error, reversal.write, earlier) from error
        self._mark(undo)

    def _reverse_many(
        self, reversals: Sequence[Reversal], undo: Entry, progress: Callable[[int], None]
    ) -> tuple[int, Entry, bool]:
        """How many were made at once, and the undo with them; and whether the next was written over at once.

        None where that does not pay. It stops at one that is refused, which, tried by itself, says why.
        """
        many = reversals[: different(None if None in (one.before, one.after) else one.write.path for one in reversals)]
        if len(many) < MANY:
            return 0, undo, False
        writes = [(undoing.recorded(self._vault, one), one.before or b"") for one in many]

        def carry_out(index: int, _: bytes, aside: Path, ready: Path | None) -> bool:
            return undoing.carry_out(self._vault, many[index], aside, ready)

        made = self.make_all(undo, writes, (one.after or b"" for one in many), carry_out, progress)
        return made.count, self._displaced(made.entry) if made.displaced else made.entry, made.displaced

    def _reverse(self, reversal: Reversal, undo: Entry) -> tuple[Entry, bool]:
        """The undo with this reversal made; and whether another program wrote over it at once, so that it is none."""
        write = undoing.recorded(self._vault, reversal)
        grown = self.record(undo, write, reversal.before)
        aside = place_of(self.folder, undo.id, len(undo.writes), write.mtime_ns)
        displaced = undoing.carry_out(self._vault, reversal, aside)
        finished = self.done(grown)
        return self._displaced(finished) if displaced else finished, displaced

    def _displaced(self, undo: Entry) -> Entry:
        """The undo, with what its last write displaced and could not put back: that one took nothing back."""
        finished = undo.with_write(-1, of=None)
        self.keep(finished)
        return self.keep_leftovers(finished, self._vault.file(finished.writes[-1].path).parent)

    def _mark(self, undo: Entry) -> None:
        """Mark in the entry that it undoes what it took back, and what therewith stands again in one before that."""
        indices = [write.of for write in undo.writes if write.done and write.of is not None]
        undone, taken = undo.undoes, True
        left = {*disk.names(self.folder)}  # an entry from elsewhere may name what lies elsewhere, or itself
        while undone in left and (entry := disk.load(self.folder / undone)):
            left.remove(undone)
            self.keep(replace(entry.with_taken(indices, taken=taken), undoing=False))
            of = (entry.writes[index].of for index in indices if index < len(entry.writes))
            indices = [index for index in of if index is not None]
            undone, taken = entry.undoes, not taken
        if undo.writes:
            self.keep(replace(undo, undoing=False))
        else:
            disk.remove(self.folder / undo.id)

    def _next(self, command: str, session: str, when: str) -> Entry:
        number = disk.last_number(self.folder) + 1
        return Entry(plain(f"{number:06d}-{command}"), command, session, when)

    def _content(self, path: str) -> bytes | None:
        file = self._vault.file(path)
        with atomic.refusing("This file cannot be read", path):
            return files.read(file, files.PICTURE) if files.is_file(file) else None

    def _notes(self) -> Iterator[tuple[str, bytes]]:
        for path in self._vault.note_paths:
            with contextlib.suppress(OSError, VaultkitError):
                if (data := self._content(path)) is not None:
                    yield path, data


def tell_nobody(done: int, total: int) -> None:
    """The progress of a few writes is not worth a word."""


def _beyond(progress: Progress, before: int, total: int) -> Callable[[int], None]:
    """The progress of a part: told how many of it are done, it counts those `before` as well."""
    return lambda count: progress(before + count, total)


def different(paths: Iterable[str | None]) -> int:
    """How many of these come before one that is None, or that was there before."""
    seen: set[str] = set()
    for path in paths:
        if path is None or path in seen:
            break
        seen.add(path)
    return len(seen)
