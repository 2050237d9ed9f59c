"""Which back a deck gets: the one that was asked for, else its own kind's, else the classic one."""

from pathlib import PurePosixPath

from vaultkit import resources
from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets import design, images
from vaultkit.sheets.cards.back import Back
from vaultkit.sheets.cards.back_design import back_names, load_back
from vaultkit.sheets.sources import file_inside
from vaultkit.vault import Vault

_CLASSIC = "classic"


def choose_back(asked: str, kind: str, vault: Vault) -> Back:
    """The back `asked` for: a design's name, a picture of the vault, or a note for the first picture in it.

    Raises UsageError where there is neither, InvalidError for a note without a picture or a name of several notes.
    """
    if not asked:
        known = resources.find("print", f"backs/{kind}.toml", vault.root) is not None
        return load_back(kind if known else _CLASSIC, vault.root)
    names = back_names(vault.root)
    if asked.lower() in names:
        return load_back(asked.lower(), vault.root)
    path = _picture(asked, vault)
    file = file_inside(vault, path) if path else None
    if file is None:
        hint = f"Backs: {', '.join(names)}; or name a picture or a note of the vault."
        near = design.near(asked, [*names, *_pictures(vault)])
        raise UsageError(f"There is no back '{asked}'.", hint=f"{near} {hint}".strip())
    return file


def _pictures(vault: Vault) -> list[str]:
    """The file names of the vault's pictures."""
    return [PurePosixPath(path).name for path in vault.listing.stamps if path.lower().endswith(images.ENDINGS)]


def _picture(asked: str, vault: Vault) -> str | None:
    found = vault.files.resolve(asked, "").path
    if found is not None and not found.lower().endswith(".md"):
        return found
    note = vault.lookup(asked)
    if note is None:
        return None
    for link in note.links:
        path = vault.files.resolve(link.path, note.path).path if link.embed else None
        if path is not None and not path.lower().endswith(".md"):
            return path
    raise InvalidError("There is no picture in this note.", where=note.path, hint="Name another with --back.")
