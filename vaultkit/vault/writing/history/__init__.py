"""The history of all that vaultkit has written into a vault: it can be listed, diffs_of and taken back."""

from vaultkit.vault.writing.history.entry import Entry, Write, private_folder
from vaultkit.vault.writing.history.showing import WriteDiff, changes, diffs_of
from vaultkit.vault.writing.history.store import History

__all__ = ["Entry", "History", "Write", "WriteDiff", "changes", "diffs_of", "private_folder"]
