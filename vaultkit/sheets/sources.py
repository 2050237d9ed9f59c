"""Answers what a sheet asks about the vault: pictures, embedded notes, where links lead. Nothing outside is opened."""

import posixpath
from pathlib import Path

from vaultkit.errors import VaultkitError
from vaultkit.sheets.qr import note_address
from vaultkit.sheets.text.inline import LinkTarget
from vaultkit.sheets.text.note_block import block
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import split_destination


class VaultSource:
    """Answers what a sheet asks about the note that it is made from."""

    def __init__(self, note: Note, vault: Vault, vault_name: str) -> None:
        self._note = note
        self._vault = vault
        self._vault_name = vault_name

    def image(self, target: str) -> Path | None:
        """The file of a picture that the note names; None if there is none inside the vault."""
        path, _ = split_destination(target)
        found = self._vault.files.resolve(path, self._note.path).path if path else None
        return file_inside(self._vault, found) if found else None

    def embed(self, target: str) -> str | None:
        """The Markdown of an embedded note, or of one section or block of it."""
        path, heading = split_destination(target)
        found = self._vault.files.resolve(path, self._note.path).path if path else None
        if found is None or not found.lower().endswith(".md"):
            return None
        try:
            note = self._vault.read(found)
            if heading.startswith("^"):
                return block(note.body, heading[1:])
            return note.section(heading) if heading else note.body
        except VaultkitError:
            return None

    def link(self, target: str) -> LinkTarget | None:
        """What an internal link leads to."""
        path, heading = split_destination(target)
        found = self._vault.files.resolve(path, self._note.path).path
        if found is None:
            return LinkTarget("missing", title=target)
        if found == self._note.path:
            return LinkTarget("here", heading=heading)
        title = posixpath.basename(found).removesuffix(".md")
        address = note_address(self._vault_name, found, heading)
        return LinkTarget("note", title=title, path=found, heading=heading, href=address)


def file_inside(vault: Vault, path: str) -> Path | None:
    """The file at a vault path; None if it is missing or leads out of the vault."""
    try:
        return vault.file(path)
    except VaultkitError:
        return None


def image_cache() -> Path:
    """Where pictures are kept in the form in which they are printed; safe to delete."""
    from platformdirs import user_cache_path

    return user_cache_path("vaultkit") / "images"
