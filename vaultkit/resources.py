"""Where shipped files are: templates, print designs, the example vault and the rulings. No other module knows."""

from collections.abc import Iterator
from pathlib import Path

from vaultkit import files, trust
from vaultkit.errors import InvalidError

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = {"rulings": "docs/rulings", "licences": "docs"}
_OWN = {"scoresheets": "games"}
"""The names of our folders in a vault, where they differ."""
_DATA = frozenset({"scoresheets"})
"""Folders of which a vault's own files need no trust."""


def shipped(folder: str) -> Path:
    """The shipped folder of this name, such as `templates` or `print`: in the wheel, else in the checkout."""
    installed = _PACKAGE / "_shipped" / folder
    if installed.is_dir():
        return installed
    checkout = _PACKAGE.parent / _CHECKOUT.get(folder, folder)
    if checkout.is_dir():
        return checkout
    raise InvalidError(f"The files that ship with vaultkit under '{folder}' are missing.", hint="Install it again.")


def find(folder: str, name: str, vault: Path | None = None) -> Path | None:
    """The file `name` of `folder`, the vault's own before ours if it counts; None if there is neither."""
    own = own_file(folder, name, vault)
    if own is not None and vault is not None and trust.admits(vault, own, data=folder in _DATA):
        return own
    place = shipped(folder)
    return place / name if _is_inside(place / name, place) else None


def own_file(folder: str, name: str, vault: Path | None) -> Path | None:
    """The vault's own file `name` of `folder`, whether it counts or not; None if there is none."""
    if vault is None:
        return None
    place = own_folder(folder, vault)
    return place / name if _is_inside(place / name, place) else None


def is_kept_out(folder: str, name: str, vault: Path) -> bool:
    """Whether the vault has such a file of its own that does not count."""
    own = own_file(folder, name, vault)
    return own is not None and find(folder, name, vault) != own


def own_folder(folder: str, vault: Path) -> Path:
    """Where a vault has its own files of `folder`, if it has any."""
    return vault / files.OWN / _OWN.get(folder, folder)


def listing(folder: str, pattern: str, vault: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Names and files of `folder` that match the glob `pattern`, sorted; the vault's own hide ours of the same name."""
    found = dict(_matching(shipped(folder), pattern))
    if vault is not None and _may_be_listed(place := own_folder(folder, vault), vault):
        own = _matching(place, pattern)
        found |= {name: file for name, file in own if trust.admits(vault, file, data=folder in _DATA)}
    yield from sorted(found.items())


def _may_be_listed(place: Path, vault: Path) -> bool:
    """Whether there is such a folder, and no untrusted vault leads out by it, to who knows how many files."""
    return place.is_dir() and (trust.lies_in(place, vault) or trust.admits(vault, place))


def _matching(place: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    for file in files.matching(place, pattern):
        if _is_inside(file, place):
            yield file.relative_to(place).as_posix(), file


def read_text(file: Path) -> str:
    """The text of such a file, whose folders may have been installed as links. Raises what `files.read` does."""
    return files.read_text(file, links=True)


def text_for_people(file: Path, kind: str, where: str) -> str:
    """The same for a file that the GM may have made, of some `kind`, which errors call `where`. Raises InvalidError."""
    try:
        return read_text(file)
    except UnicodeDecodeError as error:
        hint = "Open it in an editor, and save it as UTF-8."
        raise InvalidError(f"This {kind} is not UTF-8.", where=where, hint=hint) from error
    except OSError as error:
        hint = files.download_hint(error)
        raise InvalidError(f"This {kind} cannot be read: {error.strerror}.", where=where, hint=hint) from error


def name_of(folder: str, file: Path) -> str:
    """The name of a file of `folder` in messages: its path in the vault, or "vaultkit's own ..." for a shipped one."""
    ours = shipped(folder)
    if file.is_relative_to(ours):
        return f"vaultkit's own {folder}/{file.relative_to(ours).as_posix()}"
    own = next((place for place in file.parents if place.name == files.OWN), None)
    return file.name if own is None else file.relative_to(own.parent).as_posix()


def _is_inside(file: Path, folder: Path) -> bool:
    """Whether `file` is a file that no `..` and no link takes out of `folder`. No file has too long a name."""
    try:
        return files.is_file(file) and file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False
