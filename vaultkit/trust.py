"""The vaults that the user trusts.

A vault's own templates, phrases, fonts and designs, and its paths that lead out of it, are ignored unless it is
trusted. The user's own state lists the trusted vaults by their real paths, as git's `safe.directory` does. Nothing in a
vault can grant trust.
"""

import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.user_folders import state_folder

_VAULTS_WITH_IGNORED_FILES: set[str] = set()
"""The real paths of untrusted vaults of which a file or folder was ignored since the user was last told."""


def may_use_file(vault: Path, file: Path, *, data: bool = False) -> bool:
    """Return whether a vault's own file may be used: the vault is trusted, or the file is data inside the vault.

    Every reader of such files asks here, so that the user can be told what was ignored.
    """
    if (data and is_inside_vault(file, vault)) or is_trusted(vault):
        return True
    record_ignored(vault)
    return False


def record_ignored(vault: Path) -> None:
    """Record that something of the vault was ignored."""
    _VAULTS_WITH_IGNORED_FILES.add(os.path.realpath(vault))


def is_inside_vault(file: Path, vault: Path) -> bool:
    """Return whether a path lies in the vault once links are followed; False if they cannot be followed."""
    try:
        return file.resolve().is_relative_to(vault.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def consume_ignored_flag(vault: Path) -> bool:
    """Return whether anything of the vault was ignored since the last call for this vault, and forget it."""
    path = os.path.realpath(vault)
    had_ignored_files = path in _VAULTS_WITH_IGNORED_FILES
    _VAULTS_WITH_IGNORED_FILES.discard(path)
    return had_ignored_files


def is_trusted(vault: Path) -> bool:
    """Return whether the user trusts the vault in this place.

    False if the list of trusted vaults is unreadable or lies in it.
    """
    try:
        list_is_in_vault = trust_file().is_relative_to(os.path.realpath(vault))
        return not list_is_in_vault and any(map(make_path_matcher(vault), trusted_vaults()))
    except (InvalidError, OSError):
        return False


def trusted_vaults() -> tuple[str, ...]:
    """Return the real paths of all trusted vaults. Raises InvalidError if the list cannot be read."""
    file = trust_file()
    try:
        paths = json.loads(files.read_text(file))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable_list_error(file, str(getattr(error, "strerror", "") or error)) from error
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise _unreadable_list_error(file, "it is not a list of folders")
    return tuple(paths)


def trust_file() -> Path:
    """Return the path of the list of trusted vaults, with links followed.

    Raises InvalidError if the user has no folder for state.
    """
    try:
        folder = Path(state_folder())
    except (OSError, RuntimeError) as error:
        raise InvalidError(f"There is no folder for your own state: {error}.") from error
    if not folder.is_absolute():
        raise InvalidError("There is no folder for your own state.", where=str(folder))
    return Path(os.path.realpath(folder)) / "trusted.json"


def make_path_matcher(vault: Path) -> Callable[[str], bool]:
    """Return a function that tells whether a path in the list of trusted vaults is this vault, and no link to it.

    Paths that differ in case or Unicode composition are the same if the file system says so.
    """
    path = os.path.realpath(vault)

    def is_same(candidate: str) -> bool:
        if candidate == path:
            return True
        try:
            return _normalize_path(candidate) == _normalize_path(path) and os.path.samestat(
                os.lstat(candidate), os.lstat(path)
            )
        except (OSError, ValueError):
            return False

    return is_same


def _normalize_path(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _unreadable_list_error(file: Path, reason: str) -> InvalidError:
    hint = "Correct or delete it; until then no vault is trusted."
    return InvalidError(f"The list of trusted vaults cannot be read: {reason}.", where=str(file), hint=hint)
