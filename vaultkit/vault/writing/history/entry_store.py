"""The entries of a history folder: loading them, and recording writes before and after they are made."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from vaultkit import files
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import entry_files, maintenance
from vaultkit.vault.writing.history.entry import Entry, Write, make_shell_safe
from vaultkit.vault.writing.history.reversal import aside_path


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
        count = self.end + self.displaced
        return self.recorded.with_first_writes(count).with_changes(range(count), done=True)

    @property
    def in_doubt(self) -> Entry:
        """The entry with the writes that were made and the one that failed, since that may have been made as well."""
        return replace(self.entry, writes=(*self.entry.writes, self.recorded.writes[self.end]))


class EntryStore:
    """The entries in the history folder of one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.folder = vault.root / files.VAULTKIT_FOLDER / "history"

    def entries(self, command: str = "") -> Iterator[Entry]:
        """Yield the entries, newest first; with `command`, only its entries, and no others are read.

        Unreadable entries are skipped, since the others can still be undone; so are entries without writes.
        """
        names = entry_files.list_names(self.folder)[::-1]
        chosen_names = [name for name in names if not command or name.partition("-")[2] == make_shell_safe(command)]
        return entry_files.load_entries(self.folder, chosen_names)

    def load_begun(self) -> Entry | None:
        """Return the newest entry if it was begun, perhaps only planned, and was not completed, else None."""
        name = next(iter(entry_files.list_names(self.folder)[::-1]), "")
        if entry_files.entry_number(name) < 0:  # the folder of replaced files, or another program's file
            return None
        folder, command = self.folder / name, name.partition("-")[2]
        if (folder / entry_files.ENTRY_FILE).exists():
            entry = entry_files.load(folder)
            return None if entry is None or entry.complete or entry.undone or entry.undoes else entry
        when = datetime.fromtimestamp(folder.stat().st_mtime).isoformat()
        plan = entry_files.load(folder, entry_files.PLAN_FILE) or Entry(name, command, "", when, complete=False)
        return None if command == "undo" else plan

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

    def plan_ahead(self, entry: Entry, writes: Sequence[tuple[Write, bytes | None]]) -> None:
        """Save the planned writes of a new entry, each with its file's current content, before the first is made.

        Raises BudgetExceeded, having saved nothing, if they are too many.
        """
        entry_folder = self.folder / entry.id
        plan = entry_files.encode_entry(replace(entry, writes=tuple(write for write, _ in writes)))
        entry_files.make_folder(entry_folder)
        for index, (_, before) in enumerate(writes):
            if before is not None:
                entry_files.save(entry_folder / entry_files.planned_image_name(index), before)
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
        self.save(new_entry)
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
