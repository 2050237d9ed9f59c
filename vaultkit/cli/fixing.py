"""What `vaultkit check --fix` does: the repairs that need no guess, shown first, written when asked for."""

from collections.abc import Iterator, Sequence
from typing import Any

from vaultkit.cli.common import Workspace, now
from vaultkit.cli.output import count, document, talk
from vaultkit.cli.output import diff as show
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.check import selected
from vaultkit.vault.checking.repairs import Repair, Repairer
from vaultkit.vault.writing.atomic import is_read_only
from vaultkit.vault.writing.write import Writer, refuse_generated

Places = frozenset[tuple[str, int, int, str]]
"""Note, line, column and code of what is repaired."""

MOST = 8
"""Notes named one by one."""


def fix(workspace: Workspace, paths: Sequence[str] | None, *, write: bool, generated: bool, as_json: bool) -> Places:
    """Shows the repairs of the notes at or below `paths`, else of all, and with `write` writes them; returns where.

    Notes of a generated compendium are left alone unless `generated`. Raises MissingNote for a path without notes and
    WriteError where something cannot be written.
    """
    repairer = Repairer(workspace.vault)
    writer = Writer(workspace.vault, "check --fix", now())
    found: dict[str, tuple[Repair, ...]] = {}
    converted: list[str] = []
    skipped: list[str] = []
    locked: list[str] = []
    for note, repairs in _repairable(workspace.vault, repairer, paths):
        if is_read_only(workspace.vault.file(note.path)):
            locked.append(note.path)
        elif _is_generated(note) and not generated:
            skipped.append(note.path)
        else:
            converted.extend([note.path] if _is_generated(note) else [])
            writer.change(note.path, repairer.plan, generated=generated)
            found[note.path] = repairs
    diff = writer.diff()
    written = writer.commit() if write else ()
    if write:  # another process may have been quicker
        found = {path: repairs for path, repairs in found.items() if path in written}
    if as_json:
        told = {"repairs": _rows(found), "skipped": [*skipped, *locked]}
        document(told | {"diff": diff, "written": list(written)})
    elif diff:
        show(diff)
    _tell(found, write)
    _list(skipped, "left alone: generated, and overwritten by the next run of the converter; --generated repairs it.")
    _list(locked, "left alone: it is read-only.")
    _list(converted, "generated: the next run of the converter overwrites this.")
    if found and not write:
        talk("Nothing was written; add --write to write it.")
    return frozenset((path, made.line, made.column, made.code) for path, repairs in found.items() for made in repairs)


def _repairable(
    vault: Vault, repairer: Repairer, paths: Sequence[str] | None
) -> Iterator[tuple[Note, tuple[Repair, ...]]]:
    """Each readable note with repairs, and these."""
    for path in sorted(selected(vault, paths)):
        facts = vault.facts[path]
        if facts.unreadable is not None or not path.lower().endswith(".md"):
            continue
        try:
            repairs = repairer.repairs(vault.read(path)) if repairer.concerns(facts) else ()
        except VaultkitError:  # gone or changed since it was listed, which `check` tells
            continue
        if repairs:
            yield vault.read(path), repairs


def _is_generated(note: Note) -> bool:
    try:
        refuse_generated(note)
    except WriteError:
        return True
    return False


def _rows(found: dict[str, tuple[Repair, ...]]) -> list[dict[str, Any]]:
    return [
        {"note": path, "line": made.line, "column": made.column, "code": made.code, "message": made.message}
        for path, repairs in found.items()
        for made in repairs
    ]


def _tell(found: dict[str, tuple[Repair, ...]], write: bool) -> None:
    total = sum(map(len, found.values()))
    if total:
        done = "Made" if write else "Would make"
        talk(f"{done} {count(total, 'repair')} in {count(len(found), 'note')}.")
    else:
        talk("There is nothing to repair that needs no guess.")


def _list(paths: list[str], remark: str) -> None:
    for path in paths[:MOST]:
        talk(f"{path}: {remark}")
    if len(paths) > MOST:
        talk(f"So are {count(len(paths) - MOST, 'more note')}.")
