"""Obsidian vaults: the only package that touches note files.

It reads notes, resolves links, and changes parts of files without damaging the rest.
"""

from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Heading
from vaultkit.vault.vault import Vault

__all__ = ["Heading", "Link", "Note", "Resolution", "Vault"]
