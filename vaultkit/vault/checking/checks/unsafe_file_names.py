"""The check for file names that links or other operating systems cannot hold, or that differ only in case."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from unicodedata import normalize

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.conflict_copies import find_conflict_copies
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.file_names import (
    DEVICE_NAMES,
    FORBIDDEN_CHARACTERS,
    MAX_NAME_BYTES,
    escape_control_characters,
    is_device,
    name_fault,
    quote_signs,
    unescape_unzipped,
)
from vaultkit.vault.resolve import key

_SUSPECT_CHARACTERS = FORBIDDEN_CHARACTERS | frozenset("#^[]%")
"""The characters that some systems forbid in names, and those that end or change a link (F4)."""
_DEVICE_STARTS = frozenset(device[:3] for device in DEVICE_NAMES)
_MAX_SHORT_NAME_CHARS = MAX_NAME_BYTES // 4
"""The maximum number of characters of a name that surely has no more than MAX_NAME_BYTES bytes."""


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    return find_name_problems(scope.vault.files.paths, scope.includes)


def find_name_problems(paths: Sequence[str], includes: Callable[[str], bool] = lambda _: True) -> Iterator[Problem]:
    """Yield the problems of the names of files and folders; each is a problem of a whole file.

    `paths` are the vault paths of all files, since names are compared; `includes` says which files are checked. A
    folder's problem is reported once, at the first checked file in it.
    """
    seen_folders: set[str] = {""}
    paths_by_key: dict[str, str] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        is_checked = includes(path)
        if folder not in seen_folders:
            yield from _folder_problems(path, folder, seen_folders, paths_by_key, is_checked)
        if is_checked and _is_suspect(name):
            yield from _link_problems(path, name, "#^[]|" if is_note(name) else "")
            yield from _portability_problems(path, name)
        first_path = paths_by_key.setdefault(key(path), path)
        if first_path is not path and (is_checked or includes(first_path)):
            yield _duplicate_problem(path if is_checked else first_path, first_path, path)


def _folder_problems(
    path: str, folder: str, seen_folders: set[str], paths_by_key: dict[str, str], is_checked: bool
) -> Iterator[Problem]:
    """Yield the problems of the folders above `path` that are not in `seen_folders`, and add them if checked.

    `folder` is the folder of `path`. `paths_by_key` has the first path of each key.
    """
    parts = folder.split("/")
    for depth, name in enumerate(parts, 1):
        parent_path = "/".join(parts[:depth])
        if parent_path in seen_folders:
            continue
        first_path = paths_by_key.setdefault(key(f"{parent_path}/"), parent_path)
        if not is_checked:
            continue
        seen_folders.add(parent_path)
        if _is_suspect(name):
            yield from _link_problems(path, name, "#^|")
            yield from _portability_problems(path, name)
        if first_path != parent_path:
            yield _duplicate_problem(path, first_path, parent_path)


def _is_suspect(name: str) -> bool:
    """Return whether a name may have a fault; a quick test before the exact ones."""
    return (
        not _SUSPECT_CHARACTERS.isdisjoint(name)
        or name[-1:] in {".", " "}
        or len(name) > _MAX_SHORT_NAME_CHARS
        or (name[:3].lower() in _DEVICE_STARTS and is_device(name))
    )


def _link_problems(path: str, name: str, signs: str) -> Iterator[Problem]:
    """Yield a problem at `path` if a name has any of `signs`, which a link cannot hold.

    `%%`, which begins a comment, counts as well unless `signs` is empty.
    """
    if signs and (unzipped_name := unescape_unzipped(name)) != name:
        message = f"'{escape_control_characters(name)}' is '{unzipped_name}', as some unzip programs write it."
        hint = "Rename it, or unpack the archive again with another program, such as 7-Zip."
        yield replace(NAME.file_problem(path, message, hint), cause="unzip")
        return
    bad_signs = [sign for sign in signs if sign in name] + ["%%"] * bool(signs and "%%" in name)
    if bad_signs:
        message = f"A link cannot hold the name '{escape_control_characters(name)}': it has {quote_signs(bad_signs)}."
        yield NAME.file_problem(path, message, "Rename it in Obsidian, which offers to update links.")


def _portability_problems(path: str, name: str) -> Iterator[Problem]:
    """Yield the problem of a name that Windows, Android or Linux cannot hold."""
    if fault := name_fault(name):
        yield NAME.file_problem(path, fault.sentence, "Rename it, or it will be missing there after a sync.")


def _find_conflict_copies(scope: CheckScope) -> Iterator[Problem]:
    for path, original in find_conflict_copies(scope.vault).items():
        if scope.includes(path):
            of_original = f" of '{original}'" if original else ""
            message = f"This is a conflict copy{of_original}, which a sync program wrote."
            hint = "Copy what you need into the original, then delete this file."
            yield COPY.file_problem(path, message, hint)


def _duplicate_problem(path: str, first: str, second: str) -> Problem:
    """Return the problem, at `path`, of two paths that differ only in case or in the normalization of accents."""
    both_names = f"'{escape_control_characters(second)}' and '{escape_control_characters(first)}'"
    if normalize("NFC", first) == normalize("NFC", second):
        message = f"{both_names} differ only in how their accents are stored. On macOS and in links they are the same."
    else:
        message = f"{both_names} differ only in case. On Windows and macOS they are the same, as in links."
    hint = "Rename one of them, or one will replace the other after a sync."
    return CASE.file_problem(path, message, hint)


NAME = Check("file-name", "warning", in_vault=_find_problems)
CASE = Check("file-case", "warning", in_vault=_find_problems)

COPY = Check("conflict-copy", "warning", in_vault=_find_conflict_copies, cause="conflict-copy")
CHECKS = (NAME, CASE, COPY)
