"""The history of everything that vaultkit has written into a vault, to list, show and undo it."""

from vaultkit.vault.writing.history.entry import Entry, Write, private_folder
from vaultkit.vault.writing.history.showing import WriteDiff, changes, diffs_of
from vaultkit.vault.writing.history.store import History

__all__ = ["Entry", "History", "Write", "WriteDiff", "changes", "diffs_of", "private_folder"]
