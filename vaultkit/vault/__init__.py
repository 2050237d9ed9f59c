"""Obsidian vaults: reading of notes, resolution of links, and safe changes of parts of files.

No other package reads or writes files of notes.
"""

from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Heading
from vaultkit.vault.vault import Vault

__all__ = ["Heading", "Link", "Note", "Resolution", "Vault"]
