"""The search for the root folder of a vault, by an option, the environment or the current folder."""

from collections.abc import Mapping
from pathlib import Path

from vaultkit.errors import InvalidError, NothingFound
from vaultkit.user_folders import find_vault_root


def find_root(folder: Path | None, environment: Mapping[str, str], start_folder: Path) -> Path:
    """Return the vault's folder: `folder`, else `VAULTKIT_VAULT`, else the nearest vault at or above `start_folder`.

    Raises NothingFound if the named folder does not exist, and InvalidError if no vault is found.
    """
    named_folder = folder or (Path(environment["VAULTKIT_VAULT"]) if environment.get("VAULTKIT_VAULT") else None)
    if named_folder is not None:
        if not named_folder.is_dir():
            hint = "This is a file: leave out --vault" if named_folder.is_file() else "Leave out --vault in the vault"
            hint = f"{hint}, or name the vault's folder as it is seen from the current one."
            raise NothingFound("There is no folder with this name.", where=str(named_folder), hint=hint)
        return named_folder.resolve()
    root = surrounding_root(start_folder.resolve())
    if root is not None:
        return root
    raise InvalidError(
        "There is no Obsidian vault here.",
        where=str(start_folder),
        hint="Go into your vault's folder, or name it with --vault PATH. To look around first: vaultkit demo",
    )


def surrounding_root(start_folder: Path) -> Path | None:
    """Return the nearest vault at or above `start_folder`, an absolute path, or None if there is none."""
    root = find_vault_root(str(start_folder))
    return None if root is None else Path(root)
