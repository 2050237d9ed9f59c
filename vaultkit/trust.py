"""Whether the user trusts a vault. Else its own templates, phrases, fonts, designs and paths out of it do not count.

The user's own state names the vaults by their real paths, as git's `safe.directory` does. Nothing in a vault says so.
"""

import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.whereabouts import state_folder

_KEPT_OUT: set[str] = set()
"""The real paths of vaults that wanted something of their own to count, and were not trusted."""


def admits(vault: Path, file: Path, *, data: bool = False) -> bool:
    """Whether a vault's own file or folder counts: if it is trusted, or if it brings `data` that lies in the vault.

    Every reader of such files asks here, so that the user can be told what was kept out.
    """
    if (data and lies_in(file, vault)) or is_trusted(vault):
        return True
    keep_out(vault)
    return False


def keep_out(vault: Path) -> None:
    """Note that something of the vault did not count."""
    _KEPT_OUT.add(os.path.realpath(vault))


def lies_in(file: Path, vault: Path) -> bool:
    """Whether a path lies in the vault, links followed; not so where it cannot be followed."""
    try:
        return file.resolve().is_relative_to(vault.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def was_kept_out(vault: Path) -> bool:
    """Whether anything of the vault was kept out since this was last asked."""
    path = os.path.realpath(vault)
    kept_out = path in _KEPT_OUT
    _KEPT_OUT.discard(path)
    return kept_out


def is_trusted(vault: Path) -> bool:
    """Whether the user trusts the vault that lies here now; not so where that cannot be read."""
    try:
        is_inside = trust_file().is_relative_to(os.path.realpath(vault))
        return not is_inside and any(map(same_as(vault), trusted_vaults()))
    except (InvalidError, OSError):
        return False


def trusted_vaults() -> tuple[str, ...]:
    """The real paths of all trusted vaults. Raises InvalidError if they cannot be read."""
    file = trust_file()
    try:
        paths = json.loads(files.read_text(file))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, str(getattr(error, "strerror", "") or error)) from error
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise _unreadable(file, "it is no list of folders")
    return tuple(paths)


def trust_file() -> Path:
    """The file that names them, with its folder's links followed. Raises InvalidError where the user has no folder."""
    try:
        folder = Path(state_folder())
    except (OSError, RuntimeError) as error:
        raise InvalidError(f"There is no folder for your own state: {error}.") from error
    if not folder.is_absolute():
        raise InvalidError("There is no folder for your own state.", where=str(folder))
    return Path(os.path.realpath(folder)) / "trusted.json"


def same_as(vault: Path) -> Callable[[str], bool]:
    """Whether a path of the list is that vault's, and no link to it: in another case, too, where case says nothing."""
    path = os.path.realpath(vault)

    def is_same(known: str) -> bool:
        if known == path:
            return True
        try:
            return _plain(known) == _plain(path) and os.path.samestat(os.lstat(known), os.lstat(path))
        except (OSError, ValueError):
            return False

    return is_same


def _plain(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _unreadable(file: Path, reason: str) -> InvalidError:
    hint = "Mend or delete it; without it no vault is trusted."
    return InvalidError(f"The list of trusted vaults cannot be read: {reason}.", where=str(file), hint=hint)
