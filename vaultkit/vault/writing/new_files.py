"""Checks of the names of new files in a vault, which are the same on every operating system."""

import os
from collections.abc import Iterator
from pathlib import Path

from vaultkit import files
from vaultkit.errors import WriteError
from vaultkit.vault.file_names import escape_control_characters, name_fault
from vaultkit.vault.resolve import key


def check_new_file(root: Path, path: str) -> None:
    """Raise WriteError if no new file can be created at a vault path on some operating system.

    It is raised if some system forbids a new part of the path, if the file is in iCloud only, and if the folder has a
    file whose name differs only in case or in the normalization of accents.
    """
    part_path = root
    for name in path.split("/"):
        part_path /= name
        if not part_path.exists() and (fault := name_fault(name)):
            message = f"{fault.systems} cannot hold the name '{escape_control_characters(name)}': {fault.reason}."
            raise WriteError(message, where=path, hint="Choose another name.")
    for name, is_evicted in _list_names(part_path.parent):
        if is_evicted and key(name) == key(part_path.name):
            message = f"'{name}' is in iCloud; download it first."
            raise WriteError(message, where=path, hint=files.DOWNLOAD_HINT)
        if key(name) == key(part_path.name) and name != part_path.name:
            message = f"There is '{name}' in this folder, which is the same name on Windows and macOS, and in links."
            raise WriteError(message, where=path, hint="Choose another name, or rename that file.")


def _list_names(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the name of each file in a folder, which may not exist, and whether the file is in iCloud only."""
    names = set(os.listdir(folder)) if folder.is_dir() else set()  # noqa: PTH208
    for name in names:
        real_name = files.evicted_name(name)
        yield (real_name, True) if real_name and real_name not in names else (name, False)
