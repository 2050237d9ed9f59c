"""The history of all that vaultkit has written into a vault: it can be listed, shown and taken back."""

from vaultkit.vault.writing.history.entry import Entry, Write, private_folder
from vaultkit.vault.writing.history.showing import Shown, changes, shown
from vaultkit.vault.writing.history.store import History

__all__ = ["Entry", "History", "Shown", "Write", "changes", "private_folder", "shown"]
