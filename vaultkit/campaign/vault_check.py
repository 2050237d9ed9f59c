"""Checks of notes; the last report on a whole vault is reused if nothing that it depends on has changed."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from vaultkit import files
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError
from vaultkit.user_folders import config_folder
from vaultkit.vault.checking.check import Checks
from vaultkit.vault.checking.report import Report, decode_report
from vaultkit.vault.obsidian import CORE_TEMPLATES, TEMPLATER
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress, Stamp
from vaultkit.vault.walk import is_settled as settled_at

_SETTINGS_FILES = (
    ".obsidian/app.json",
    ".obsidian/types.json",
    f".obsidian/{CORE_TEMPLATES}",
    f".obsidian/{TEMPLATER}",
    ".vaultkit/config.toml",
    ".vaultkit/templates/words.toml",
)
"""The hidden files of a vault that the checks read."""
_OWN_FOLDERS = (".vaultkit/games", ".vaultkit/print")
"""Folders with a vault's own files, which are used only if the user trusts the vault.

The report on a vault with such files is not reused.
"""
_LOGGED_DEFINITIONS = Path(".vaultkit/games/kept")
"""The folder of the definitions with which games were logged; its files never change."""


def report_on(workspace: Workspace, paths: Sequence[str] | None, progress: Progress | None = None) -> Report:
    """Return the result of every check of the notes at or below `paths`, or of the whole vault if `paths` is None."""
    index = workspace.index() if workspace.cached and paths is None else None
    state = _hash_state(workspace.vault) if index else b""
    cached_report = index.report(state) if index and state else None
    if cached_report is not None and (report := decode_report(cached_report)) is not None:
        return report
    report = _run_checks(workspace, paths, progress)
    if index and state and report.can_be_stored:
        index.save_report(state, report.encode())
    return report


def active_checks(workspace: Workspace) -> Checks:
    """Return all checks except the ones that the settings turn off."""
    from vaultkit.campaign.correction.game_check import every_check

    levels = _read_levels(workspace)
    return tuple(check for check in every_check() if levels.get(check.code) != "off")


def _read_levels(workspace: Workspace) -> Mapping[str, str]:
    """Return the settings in the section `check`; none if they cannot be read, which is a problem of its own."""
    try:
        return workspace.settings.check
    except InvalidError:
        return {}


def _run_checks(workspace: Workspace, paths: Sequence[str] | None, progress: Progress | None) -> Report:
    # Imported here: importing all checks takes longer than finding that a small vault has not changed.
    from vaultkit.campaign.correction.game_check import every_check
    from vaultkit.vault.checking.runner import run

    return run(workspace.vault, every_check(), paths, progress, _read_levels(workspace))


def _hash_state(vault: Vault) -> bytes:
    """Return a hash of everything that a report depends on except our own code; b"" if something may go unnoticed."""
    listing = vault.listing
    definitions = sorted((vault.root / _LOGGED_DEFINITIONS).glob("*.toml"))
    settings_files = (vault.root / name for name in _SETTINGS_FILES)
    user_file = Path(config_folder()) / "config.toml"
    hidden_stamps = [_read_stamp(file) for file in (*settings_files, user_file, *definitions)]
    stamps = [*listing.stamps.values(), *(stamp for stamp in hidden_stamps if stamp)]
    is_uncertain = None in hidden_stamps or any(_brings_files(vault.root / name) for name in _OWN_FOLDERS)
    if is_uncertain or not all(settled_at(stamp, listing.began_ns) for stamp in stamps):
        return b""
    problems = [str(problem) for problem in listing.problems]
    return hashlib.sha256(msgspec.msgpack.encode((listing.stamps, problems, hidden_stamps))).digest()


def _brings_files(folder: Path) -> bool:
    """Return whether one of the vault's own folders holds anything but the definitions of logged games."""
    if files.is_link(folder) or files.is_link(folder / _LOGGED_DEFINITIONS.name):
        return True
    try:
        return any(file.relative_to(folder.parents[1]) != _LOGGED_DEFINITIONS for file in folder.iterdir())
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _read_stamp(file: Path) -> Stamp | tuple[()] | None:
    """Return the stamp of a file, `()` if it does not exist.

    None for a link, for a file that is in the cloud only, and for a file that cannot be read.
    """
    if files.is_link(file) or files.is_link(file.parent):
        return None
    try:
        return Stamp.from_stat(os.lstat(file))
    except FileNotFoundError:
        return None if files.is_evicted(file) else ()
    except OSError:
        return None
