"""Shipped files: templates, print designs, the example vault and the rulings. No other module knows where they are."""

import re
from collections.abc import Iterator
from pathlib import Path

from vaultkit import files, trust
from vaultkit.errors import InvalidError

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT_FOLDERS = {"rulings": "docs/rulings", "licences": "docs"}
_VAULT_FOLDERS = {"scoresheets": "games"}
"""The names of folders in a vault's `.vaultkit`, by shipped folder, where the two differ."""
_DATA_FOLDERS = frozenset({"scoresheets"})
"""Folders of data: a vault's own files in them are used even if the vault is not trusted."""


def shipped_folder(folder: str) -> Path:
    """Return the shipped folder of this name, such as `templates` or `print`: in the wheel, else in the checkout.

    Raises InvalidError if there is none.
    """
    installed = _PACKAGE / "_shipped" / folder
    if installed.is_dir():
        return installed
    checkout = _PACKAGE.parent / _CHECKOUT_FOLDERS.get(folder, folder)
    if checkout.is_dir():
        return checkout
    raise InvalidError(f"The files that ship with vaultkit under '{folder}' are missing.", hint="Install it again.")


def find(folder: str, name: str, vault: Path | None = None) -> Path | None:
    """Return the file `name` of `folder`, or None.

    The vault's own file comes first if it has one that may be used, then the shipped one.
    """
    own_path = vault_file(folder, name, vault)
    if own_path is not None and vault is not None and trust.may_use_file(vault, own_path, data=folder in _DATA_FOLDERS):
        return own_path
    shipped = shipped_folder(folder)
    return shipped / name if _is_inside(shipped / name, shipped) else None


def vault_file(folder: str, name: str, vault: Path | None) -> Path | None:
    """Return the vault's own file `name` of `folder`, even if the vault is not trusted; None if there is none."""
    if vault is None:
        return None
    folder_path = vault_folder(folder, vault)
    return folder_path / name if _is_inside(folder_path / name, folder_path) else None


def is_ignored_as_untrusted(folder: str, name: str, vault: Path) -> bool:
    """Return whether the vault's own file `name` of `folder` is ignored because the vault is not trusted."""
    own_path = vault_file(folder, name, vault)
    return own_path is not None and find(folder, name, vault) != own_path


def vault_folder(folder: str, vault: Path) -> Path:
    """Return the path at which a vault has its own files of `folder`, whether it exists or not."""
    return vault / files.VAULTKIT_FOLDER / _VAULT_FOLDERS.get(folder, folder)


def list_files(folder: str, pattern: str, vault: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Yield names and paths of the files of `folder` that match a glob, sorted by name.

    The vault's own files that may be used hide shipped ones of the same name.
    """
    file_by_name = dict(_matching_files(shipped_folder(folder), pattern))
    if vault is not None and _may_list(own_path := vault_folder(folder, vault), vault):
        own_files = _matching_files(own_path, pattern)
        file_by_name |= {
            name: file for name, file in own_files if trust.may_use_file(vault, file, data=folder in _DATA_FOLDERS)
        }
    yield from sorted(file_by_name.items())


def _may_list(own_path: Path, vault: Path) -> bool:
    """Return whether `own_path` is a folder that lies in the vault, or anywhere if the vault is trusted.

    A link in an untrusted vault could lead out to any number of files.
    """
    return own_path.is_dir() and (trust.is_inside_vault(own_path, vault) or trust.may_use_file(vault, own_path))


def _matching_files(base_folder: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    for file in files.list_files(base_folder, pattern):
        if _is_inside(file, base_folder):
            yield file.relative_to(base_folder).as_posix(), file


def list_names(folder: Path) -> list[str]:
    """Return the files below a folder, relative to it and sorted, without hidden files and backups of editors."""
    names = (file.relative_to(folder).as_posix() for file in files.list_files(folder, "**/*"))
    return sorted(name for name in names if not re.search(r"(^|/)\.|~$", name))


def read_text(file: Path) -> str:
    """Return the text of a shipped file, or of the vault's own file in its place.

    Links are followed, since packages may be installed as links.

    Raises OSError as in `files.read`, and UnicodeError.
    """
    return files.read_text(file, allow_links=True)


def read_user_text(file: Path, kind: str, where: str) -> str:
    """Return the text of a file that the GM may have written.

    Raises InvalidError, which calls the file a `kind` and its place `where`.
    """
    try:
        return read_text(file)
    except UnicodeDecodeError as error:
        hint = "Open it in an editor, and save it as UTF-8."
        raise InvalidError(f"This {kind} is not UTF-8.", where=where, hint=hint) from error
    except OSError as error:
        raise files.unreadable_error(f"This {kind}", error, where) from error


def name_of(folder: str, file: Path) -> str:
    """Return the name of a file of `folder` for messages.

    It is the path in the vault, or "vaultkit's own ..." for a shipped file.
    """
    shipped = shipped_folder(folder)
    if file.is_relative_to(shipped):
        return f"vaultkit's own {folder}/{file.relative_to(shipped).as_posix()}"
    vaultkit_folder = next((parent for parent in file.parents if parent.name == files.VAULTKIT_FOLDER), None)
    return file.name if vaultkit_folder is None else file.relative_to(vaultkit_folder.parent).as_posix()


def _is_inside(file: Path, folder: Path) -> bool:
    """Return whether `file` exists and neither `..` nor a link takes it out of `folder`.

    False if its name is too long.
    """
    try:
        return files.is_file(file) and file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False
