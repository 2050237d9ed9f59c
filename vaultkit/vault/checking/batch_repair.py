"""Repairs of many notes, planned and written by one call."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from vaultkit.errors import VaultkitError
from vaultkit.vault.checking.check import Checks
from vaultkit.vault.checking.repair import Repair
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.selection import Place, select_notes
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note import Note, is_generated
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing.atomic_file import is_read_only
from vaultkit.vault.writing.write import Writer


@dataclass(frozen=True)
class FixResult:
    """The result of repairs: the planned or made `repairs` by vault path, and their `diff`.

    The other fields are vault paths: `written` notes, `skipped` notes, which are generated and were left alone,
    `locked` notes, which are read-only and were left alone, and `converted` notes, which are generated and repaired.
    """

    repairs: Mapping[str, tuple[Repair, ...]]
    diff: str
    written: tuple[str, ...]
    skipped: tuple[str, ...]
    locked: tuple[str, ...]
    converted: tuple[str, ...]

    @property
    def places(self) -> frozenset[Place]:
        return frozenset(
            (path, repair.line, repair.column, repair.code)
            for path, note_repairs in self.repairs.items()
            for repair in note_repairs
        )


def fix(
    vault: Vault,
    checks: Checks,
    paths: Sequence[str] | None,
    *,
    write: bool,
    generated: bool,
    now: datetime,
    cause: str = "",
    progress: Progress | None = None,
) -> FixResult:
    """Plan the repairs of the notes at or below `paths`, None for all notes; with `write`, write them.

    Without a `cause`, only certain repairs are made; with one, all repairs of that cause, guesses included. A code
    stands for the certain repairs of that code. Generated
    notes are left alone unless `generated` is set. Raises MissingNote for a path without notes, and WriteError if a
    note cannot be written.
    """
    command = f"check --fix --cause {cause}" if cause else "check --fix"
    repairer, writer = Repairer(vault, checks, cause), Writer(vault, command, now)
    repairs: dict[str, tuple[Repair, ...]] = {}
    converted: list[str] = []
    skipped: list[str] = []
    locked: list[str] = []
    for note, note_repairs in _find_repairs(vault, repairer, paths):
        if is_read_only(vault.file(note.path)):
            locked.append(note.path)
        elif is_generated(note) and not generated:
            skipped.append(note.path)
        else:
            converted += [note.path] if is_generated(note) else []
            writer.change(note.path, repairer.plan, generated=generated)
            repairs[note.path] = note_repairs
    diff = writer.diff()
    written_paths = writer.commit(progress) if write else ()
    if write:  # another process may have changed some notes first
        repairs = {path: note_repairs for path, note_repairs in repairs.items() if path in written_paths}
    return FixResult(repairs, diff, written_paths, tuple(skipped), tuple(locked), tuple(converted))


def _find_repairs(
    vault: Vault, repairer: Repairer, paths: Sequence[str] | None
) -> Iterator[tuple[Note, tuple[Repair, ...]]]:
    """Yield each readable note that needs repairs, with its repairs."""
    for path in sorted(select_notes(vault, paths)):
        facts = vault.facts[path]
        if facts.unreadable is not None or not is_note(path):
            continue
        try:
            repairs = repairer.repairs(vault.read(path)) if repairer.may_need_repair(facts) else ()
        except VaultkitError:  # gone or changed since it was listed; `check` reports it
            continue
        if repairs:
            yield vault.read(path), repairs
