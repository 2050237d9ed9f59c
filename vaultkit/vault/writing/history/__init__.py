"""The history of vaultkit's writes to a vault, which can be listed, shown and undone."""

from vaultkit.vault.writing.history.entry import Entry, Write, private_folder
from vaultkit.vault.writing.history.entry_diff import WriteDiff, diff_contents, diff_entry
from vaultkit.vault.writing.history.store import History

__all__ = ["Entry", "History", "Write", "WriteDiff", "diff_contents", "diff_entry", "private_folder"]
