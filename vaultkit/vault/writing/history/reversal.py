"""The reversal of an entry's writes, planned in full before anything is changed, then executed.

Files are replaced and removed as planned; replaced files go to a folder of their own.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.text import group
from vaultkit.vault.encoding import EncodingError, decode
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import undo_refusals
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.history.splice_rebasing import (
    FoundPlace,
    Timeline,
    WriteStep,
    drop_undone,
    find_inserted,
    move_after,
)
from vaultkit.vault.writing.splice import Splice

ReadContent = Callable[[str], bytes | None]
"""A function that returns the current content of the file at a vault path, or None if there is no file."""

ReadNotes = Callable[[], Iterable[tuple[str, bytes]]]
"""A function that yields the vault path and content of every note; called only if a file is missing."""


class PlannedFiles:
    """The files of a vault as they are, and as they will be after the planned changes.

    A note that was moved or renamed is followed if exactly one note of the vault has the bytes that vaultkit left.
    """

    def __init__(self, timeline: Timeline, contents: ReadContent, notes: ReadNotes) -> None:
        self._timeline = timeline
        self._contents = contents
        self._notes = notes
        self._moved_to: dict[str, str] = {}
        self._states: dict[str, bytes | None] = {}

    def locate(self, step: WriteStep) -> tuple[str, bytes | None]:
        """Return the vault path and the content of a write's file, also if it was moved unchanged."""
        path = self._moved_to.get(step.write.path, step.write.path)
        data = self._state(path)
        is_moved = path in self._moved_to.values()
        if data is not None or is_moved or not step.write.done or self._timeline.find_chains(step, None):
            return path, data
        digests = self._timeline.hashes_after(step) & self._paths_by_hash.keys()
        chained = (digest for digest in digests if digest and self._timeline.find_chains(step, digest))
        paths = [note_path for digest in chained for note_path in self._paths_by_hash[digest]]
        if len(paths) != 1 or paths[0] in self._states:
            return path, data
        self._moved_to[path] = paths[0]
        return paths[0], self._state(paths[0])

    def set_planned(self, path: str, data: bytes | None) -> None:
        """Record that the file at a vault path will have the content `data`, or with None that it will be removed."""
        self._states[path] = data

    def _state(self, path: str) -> bytes | None:
        if path not in self._states:
            self._states[path] = self._contents(path)
        return self._states[path]

    @cached_property
    def _paths_by_hash(self) -> dict[str | None, list[str]]:
        """The vault paths of the notes by their hashes, except empty ones, which all look alike."""
        return group((atomic_file.sha256(data), path) for path, data in self._notes() if data.strip())


ReadFormerContent = Callable[[Entry, int], bytes | None]
"""A function that returns the content of a file before a write of an entry, or None if the history has lost it."""


@dataclass(frozen=True)
class Reversal:
    """A write that undoes another: the file's content before and after it, None for a missing file."""

    write: Write
    before: bytes | None
    after: bytes | None
    mtime_ns: int | None
    folders: int = 0
    """The number of folders around a removed file that vaultkit has made, from the innermost on."""


@dataclass(frozen=True)
class UndoPlan:
    """The reversals in the order in which they are to be made; `gone` has the indices of writes already undone."""

    reversals: tuple[Reversal, ...]
    gone: tuple[int, ...]


@dataclass
class Planner:
    """A planner of the undo of one entry.

    With `keep_edits`, changes by other programs in a note are no obstacle if vaultkit's own text can be located. A note
    that was moved or renamed is followed.
    """

    entry: Entry
    timeline: Timeline
    files: PlannedFiles
    images: ReadFormerContent
    keep_edits: bool = False
    _reversals: list[Reversal] = field(default_factory=list, init=False)

    @cached_property
    def _undo_entry(self) -> Entry:
        """The history entry that the undo itself will have."""
        return Entry("", "undo", self.entry.session, "", undoes=self.entry.id)

    def plan(self) -> UndoPlan:
        """Return the whole plan.

        Raises WriteError if a write cannot be undone, InvalidError if the history has lost a file.
        """
        undone_indices: list[int] = []
        for index, write in reversed(list(enumerate(self.entry.writes))):
            if not write.taken and not self._plan_write(WriteStep(self.entry, index, write)):
                undone_indices.append(index)
        return UndoPlan(tuple(self._reversals), tuple(undone_indices))

    def _plan_write(self, step: WriteStep) -> bool:
        """Plan the reversal of one write; return False if there is nothing to undo any more.

        A chain has vaultkit's later writes to the file, on the way to its current content. If the first chain does not
        allow the undo, the second may be tried.
        """
        write = step.write
        path, data = self.files.locate(step)
        current = hash_or_none(data)
        chains = self.timeline.find_chains(step, current)
        if not chains:
            is_made_file_missing = data is None and write.before is None and write.done and not self.entry.undoing
            if (self.keep_edits or not is_made_file_missing) and self.timeline.is_possible_without(step, current):
                return False
            return self._plan_amid_edits(step, data)
        step = replace(step, write=replace(write, path=path))
        try:
            self._plan_with_chain(step, chains[0], data)
        except undo_refusals.WriteUndoRefused as refused:
            if refused.can_go_first or chains[0] == chains[1]:
                raise
            self._plan_with_chain(step, chains[1], data)
        return True

    def _plan_with_chain(self, step: WriteStep, chain: list[WriteStep], data: bytes | None) -> None:
        """Plan the reversal of a write after which `chain` followed: of a whole file, or of a splice in one."""
        if step.write.before is None or step.write.after is None:
            self._plan_file(step, chain, data)
        else:
            self._plan_splice(step, chain, data or b"")

    def _plan_file(self, step: WriteStep, chain: list[WriteStep], data: bytes | None) -> None:
        """Plan to remove a file that was made, or to restore one that was removed.

        Raises WriteError if the file has been changed since, InvalidError if the history has lost the file.
        """
        write = step.write
        chain_writes = drop_undone(chain, self.timeline.origin)
        if chain_writes:
            raise undo_refusals.overlap_refusal(write, chain_writes[-1].step.entry)
        if hash_or_none(data) != write.after:
            raise undo_refusals.changed_file_refusal(self.entry, write, None)
        former_content = None if write.before is None else self.images(self.entry, step.index)
        if former_content is None and write.before is not None:
            message = f"The history has lost what {write.path} was before, so nothing was undone."
            raise InvalidError(message, where=write.path)
        self._add_reversal(step, Splice(0, write.inserted, write.removed), data, former_content)

    def _plan_splice(self, step: WriteStep, chain: list[WriteStep], data: bytes) -> None:
        """Plan the inverse splice, moved over what vaultkit has written into the file since."""
        splice, in_the_way = self._move_to_end(step, chain, [])
        if splice is None:
            splice, _ = self._move_to_end(step, chain, self.timeline.find_undone_before(step, chain))
        if splice is None:
            raise undo_refusals.overlap_refusal(step.write, in_the_way)
        encoded = decode(data, step.write.path)
        inverse = splice.inverse()
        if encoded.text[inverse.offset : inverse.end] != inverse.removed:
            raise undo_refusals.changed_file_refusal(self.entry, step.write, None)
        self._add_reversal(step, inverse, data, encoded.to_bytes(inverse.apply(encoded.text)))

    def _move_to_end(
        self, step: WriteStep, chain: list[WriteStep], earlier: list[WriteStep]
    ) -> tuple[Splice | None, Entry]:
        """Return the splice of `step` as if it had been made last, or None, and an entry.

        None means that a later write overlaps it, and the entry is the one with that write; otherwise it is the step's
        own.
        """
        chain_writes = drop_undone([*earlier, step, *chain], self.timeline.origin, step)
        own_position = next(position for position, link in enumerate(chain_writes) if link.step is step)
        splice = chain_writes[own_position].splice
        for link in chain_writes[own_position + 1 :]:
            moved_splice = move_after(splice, link.splice)
            if moved_splice is None:
                return None, link.step.entry
            splice = moved_splice
        return splice, step.entry

    def _plan_amid_edits(self, step: WriteStep, data: bytes | None) -> bool:
        """Plan a reversal in a file that another program has changed, if the place of vaultkit's text is certain.

        False if a crash prevented the write, so that there is nothing to undo. Raises WriteError if the write cannot be
        undone.
        """
        write = step.write
        if data is None:
            raise undo_refusals.missing_file_refusal(self.entry, write)
        if write.after is None:
            raise undo_refusals.name_in_use_refusal(write)
        place, text = self._find_ours(step, data)
        ours = write.inserted.strip()
        if write.before is not None and not write.done and ours and ours not in text:
            return False  # A crash prevented the write, and another program changed the file afterwards.
        if not self.keep_edits:
            raise undo_refusals.changed_file_refusal(self.entry, write, place)
        if place is None or place.offset is None:
            raise undo_refusals.unclear_text_refusal(self.entry, write, place, text)
        inverse = Splice(place.offset, write.inserted, write.removed)
        self._add_reversal(step, inverse, data, decode(data, write.path).to_bytes(inverse.apply(text)))
        return True

    def _find_ours(self, step: WriteStep, data: bytes) -> tuple[FoundPlace | None, str]:
        """Return the place of the written text in the current file, and the whole text.

        The place is None for a file that vaultkit made as a whole. For other writes, it has no offset if the
        history has lost the file or a text cannot be decoded. The whole text is "" if it, or the text before the write,
        cannot be decoded or does not fit the write.
        """
        with contextlib.suppress(EncodingError, AssertionError):
            text = decode(data, step.write.path).text
            former_content = self.images(self.entry, step.index)
            if step.write.before is None or former_content is None:
                return None if step.write.before is None else FoundPlace(None, None, 0), text
            former_text = decode(former_content, step.write.path).text
            return find_inserted(step.write.splice, step.write.splice.apply(former_text), text), text
        return None if step.write.before is None else FoundPlace(None, None, 0), ""

    def _add_reversal(self, step: WriteStep, splice: Splice, before: bytes | None, after: bytes | None) -> None:
        """Add a reversal to the plan; the reversals planned later find it in the files and the timeline."""
        path = step.write.path
        write = Write(
            path, splice.offset, splice.removed, splice.inserted, hash_or_none(before), hash_or_none(after),
            of=step.index,
        )  # fmt: skip
        self.files.set_planned(path, after)
        self.timeline.add(WriteStep(self._undo_entry, len(self._reversals), write))
        mtime = self.timeline.find_mtime_ns(path, write.after) if write.after else None
        folders = self.timeline.count_made_folders(path) if after is None else 0
        self._reversals.append(Reversal(write, before, after, mtime, folders))


def hash_or_none(data: bytes | None) -> str | None:
    """Return the hash of a file's content, None for a missing file."""
    return None if data is None else atomic_file.sha256(data)


def refuse_unwritable(vault: Vault, write: Write) -> None:
    """Raise WriteError if the file of a write, or its folder, is read-only."""
    file = vault.file(write.path).resolve()
    if write.before is not None and atomic_file.is_read_only(file):
        raise undo_refusals.unwritable_refusal(write, "file")
    folder = next(folder for folder in file.parents if folder.exists())
    if not os.access(folder, os.W_OK):
        raise undo_refusals.unwritable_refusal(write, "folder")


def complete_write(vault: Vault, reversal: Reversal) -> Write:
    """Return the write of a reversal with the file's modification time and the number of folders to create."""
    file = vault.file(reversal.write.path)
    missing_folders = [folder for folder in file.parents if not folder.exists()]
    mtime = atomic_file.read_mtime_ns(file) if reversal.before is not None else None
    return replace(reversal.write, mtime_ns=mtime, folders_made=len(missing_folders))


def apply_reversal(vault: Vault, reversal: Reversal, aside: Path, prepared_file: Path | None = None) -> bool:
    """Write or remove the file of a reversal, and return whether another program's text was displaced.

    After a removal, empty folders that vaultkit created for its files are removed as well. The old file is moved to
    `aside`. With a `prepared_file` the caller must sync the folder, as with `atomic_file.replace`. Raises FileChanged
    if the file has changed since the undo was planned, WriteError if it cannot be written.
    """
    file = vault.file(reversal.write.path)
    displaced = False
    if reversal.after is None:
        displaced = atomic_file.remove(file, reversal.write.before or "", aside)
        _remove_empty_folders([] if displaced else [*file.parents][: reversal.folders])
    elif reversal.before is None:
        atomic_file.create_with_folder(file, reversal.after)
    else:
        displaced = replace_written_file(vault, reversal.write, reversal.after, aside, prepared_file)
    if reversal.after is not None and reversal.mtime_ns is not None:
        with contextlib.suppress(OSError):
            os.utime(file, ns=(reversal.mtime_ns, reversal.mtime_ns))
    vault.forget(reversal.write.path)
    return displaced


def remove_folders(vault: Vault, undo: Entry, timeline: Timeline) -> None:
    """Remove the empty folders that vaultkit created for files which an interrupted undo removed."""
    for write in undo.writes:
        if write.done and write.after is None:
            _remove_empty_folders([*vault.file(write.path).parents][: timeline.count_made_folders(write.path)])


def _remove_empty_folders(folders: Iterable[Path]) -> None:
    """Remove the ones of `folders`, ordered from the innermost out, that are empty."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


def replace_written_file(
    vault: Vault, write: Write, data: bytes, aside: Path, prepared_file: Path | None = None
) -> bool:
    """Replace the file of a write with `atomic_file.replace`, and return whether another program's text was displaced.

    The path is added to `vault.hard_linked_paths` if the file has other hard links, which keep the old text.
    """
    file = vault.file(write.path)
    has_hard_links = atomic_file.has_other_names(file)
    displaced = atomic_file.replace(file, data, write.before or "", aside, prepared_file)
    if has_hard_links:
        vault.hard_linked_paths[write.path] = None
    vault.forget(write.path)
    return displaced


ASIDE_FOLDER = "aside"
"""The name of the folder, within the history folder, for files that writes have replaced."""


def aside_path(history_folder: Path, entry_id: str, index: int, mtime_ns: int | None) -> Path:
    """Return a new path in the aside folder for the file that the write `index` of an entry replaces.

    `mtime_ns` is the file's modification time. The aside folder is in the vault, so that the file can be moved there
    without being copied: a program that has it open then still writes into it.
    """
    aside_folder = history_folder / ASIDE_FOLDER
    with atomic_file.translate_os_errors("The history cannot be written", aside_folder):
        files.refuse_links(aside_folder)
    with contextlib.suppress(OSError):
        aside_folder.mkdir(mode=0o700, exist_ok=True)
    return aside_folder / f"{entry_id}.{index}.{mtime_ns or 0}.{time.time_ns()}"
