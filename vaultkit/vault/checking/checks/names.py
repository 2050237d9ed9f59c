"""File names that no link can hold, that other systems cannot hold, or that they mistake for another file's."""

from collections.abc import Callable, Iterator, Sequence
from unicodedata import normalize

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.chosen import Chosen
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.file_names import (
    DEVICES,
    FORBIDDEN,
    MAX_NAME_BYTES,
    is_device,
    name_fault,
    printable,
    quote_signs,
)
from vaultkit.vault.resolve import key

_SUSPECT = FORBIDDEN | frozenset("#^[]%")
"""The characters that some systems do not allow in names, and those that end or change a link (F4)."""
_DEVICE_STARTS = frozenset(device[:3] for device in DEVICES)
_SHORT = MAX_NAME_BYTES // 4
"""The number of characters up to which a name cannot be longer than the allowed bytes."""


def _look(chosen: Chosen) -> Iterator[Problem]:
    return problems(chosen.vault.files.paths, chosen.has)


def problems(paths: Sequence[str], has: Callable[[str], bool] = lambda _: True) -> Iterator[Problem]:
    """Yield the problems of names of files and folders; each concerns the whole file.

    `paths` are the vault paths of all files, since two may be alike; `has` says which files are checked. A folder is
    reported once, at the first checked file in it.
    """
    folders: set[str] = {""}
    known: dict[str, str] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        is_meant = has(path)
        if folder not in folders:
            yield from _above(path, folder, folders, known, is_meant)
        if is_meant and _is_suspect(name):
            yield from _unlinkable(path, name, "#^[]|" if is_note(name) else "")
            yield from _unportable(path, name)
        first = known.setdefault(key(path), path)
        if first is not path and (is_meant or has(first)):
            yield _same(path if is_meant else first, first, path)


def _above(path: str, folder: str, folders: set[str], known: dict[str, str], is_meant: bool) -> Iterator[Problem]:
    """Yield the problems of the folders above `path` that are not in `folders` yet, and add checked ones to it.

    `paths_by_key` has the first path of each key.
    """
    parts = folder.split("/")
    for count, name in enumerate(parts, 1):
        above = "/".join(parts[:count])
        if above in folders:
            continue
        first = known.setdefault(key(f"{above}/"), above)
        if not is_meant:
            continue
        folders.add(above)
        if _is_suspect(name):
            yield from _unlinkable(path, name, "#^|")
            yield from _unportable(path, name)
        if first != above:
            yield _same(path, first, above)


def _is_suspect(name: str) -> bool:
    """Return whether a name may have a fault; a quick test that most names pass."""
    return (
        not _SUSPECT.isdisjoint(name)
        or name[-1:] in {".", " "}
        or len(name) > _SHORT
        or (name[:3].lower() in _DEVICE_STARTS and is_device(name))
    )


def _unlinkable(path: str, name: str, signs: str) -> Iterator[Problem]:
    """Yield the problem of a name with characters that a link cannot hold, which are given by `signs`.

    Unless `signs` is empty, two percent signs, which begin a comment, count as well.
    """
    found = [sign for sign in signs if sign in name] + ["%%"] * bool(signs and "%%" in name)
    if found:
        message = f"A link cannot hold the name '{printable(name)}': it has {quote_signs(found)}."
        yield NAME.of(path, message, "Rename it in Obsidian, which offers to update links.")


def _unportable(path: str, name: str) -> Iterator[Problem]:
    """Yield the problem of a name that Windows, Android or Linux cannot hold."""
    if fault := name_fault(name):
        message = f"{fault.systems} cannot hold the name '{printable(name)}': {fault.reason}."
        hint = "Rename it, or it will be missing there after a sync."
        yield NAME.of(path, message, hint)


def _same(path: str, first: str, second: str) -> Problem:
    """Return the problem, at `path`, of two paths that differ only in case or in how accents are stored."""
    shown = f"'{printable(second)}' and '{printable(first)}'"
    if normalize("NFC", first) == normalize("NFC", second):
        message = f"{shown} differ only in how their accents are stored. On macOS and in links they are one."
    else:
        message = f"{shown} differ only in case. On Windows and macOS they are one, as in links."
    hint = "Rename one of them, or one will replace the other after a sync."
    return CASE.of(path, message, hint)


NAME = Check("file-name", "warning", in_vault=_look)
CASE = Check("file-case", "warning", in_vault=_look)

CHECKS = (NAME, CASE)
