"""The history of everything that vaultkit has written into a vault, to list, show and undo it."""

from vaultkit.vault.writing.history.entry import Entry, Write, private_folder
from vaultkit.vault.writing.history.entry_diff import WriteDiff, diff_contents, diff_entry
from vaultkit.vault.writing.history.store import History

__all__ = ["Entry", "History", "Write", "WriteDiff", "diff_contents", "diff_entry", "private_folder"]
