"""Small vaults for tests."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.check import Checks, inspect
from vaultkit.vault.checking.checks import CHECKS
from vaultkit.vault.checking.repair import Repair
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.runner import Report, run
from vaultkit.vault.walk import Progress
from vaultkit.vault.writing.properties import edit_list
from vaultkit.vault.writing.splice import Splice


def check(
    vault: Vault, paths: Sequence[str] | None = None, progress: Progress | None = None, checks: Checks = CHECKS
) -> Report:
    """The findings of the vault layer's own checks."""
    return run(vault, checks, paths, progress)


def count_certain(report: Report) -> int:
    """The number of problems that can be repaired without a guess."""
    return sum(report.group_of(problem) == "certain" for problem in report.problems)


def repairer(vault: Vault) -> Repairer:
    return Repairer(vault, CHECKS)


def repairs(vault: Vault, note: Note) -> tuple[Repair, ...]:
    return repairer(vault).repairs(note)


def make_files(root: Path, files: dict[str, str | bytes]) -> Vault:
    """A vault with files by path."""
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Vault(root, inspect=partial(inspect, checks=CHECKS))


def note(text: str | bytes, path: str = "Note.md") -> Note:
    return Note(path, text if isinstance(text, bytes) else text.encode())


def add_to_list(note: Note, name: str, item: str) -> Splice | None:
    """`item` at the end of the list property `name`, as `edit_list` adds it; None if it is in there already."""
    return edit_list(note, name, lambda _: True, [item])
