"""Obsidian vaults: reading notes, resolving links, and changing files without damaging other text."""

from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Heading
from vaultkit.vault.vault import Vault

__all__ = ["Heading", "Link", "Note", "Resolution", "Vault"]
