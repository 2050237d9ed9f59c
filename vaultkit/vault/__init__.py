"""The only code that touches note files: reading, resolving links, and splicing without harm."""

from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Heading
from vaultkit.vault.vault import Vault

__all__ = ["Heading", "Link", "Note", "Resolution", "Vault"]
