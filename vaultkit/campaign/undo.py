"""Taking back what vaultkit wrote into a vault."""

from dataclasses import dataclass

from vaultkit.errors import NothingFound
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import Entry, History
from vaultkit.vault.writing.write import vault_lock


@dataclass(frozen=True)
class Undone:
    """The entry that was taken back, and the vault paths that were restored, or removed where we had made them.

    There are none if all was back already, by hand or by an undo that was cut off.
    """

    entry: Entry
    restored: tuple[str, ...]

    @property
    def title(self) -> str:
        """What was taken back, for people: `log of 20261103-dragon-citadel-k3f9, 3 November 2026 20:15`."""
        return self.entry.title


def entries(vault: Vault) -> tuple[Entry, ...]:
    """All that vaultkit wrote into the vault, newest first, with what was undone since (`undone`)."""
    return tuple(History(vault).entries())


def undo(vault: Vault, entry_id: str = "") -> Undone:
    """Take back the entry with this id, or its number; without one the newest that stands.

    Only an entry of which nothing was ever written is passed over for an older one. Raises NothingFound if there is
    nothing to take back, WriteError, touching nothing, if a note has changed, moved or become read-only since; if one
    fails only when its turn comes, the WriteError says what was taken back before it.
    """
    with vault_lock(vault.root):
        history = History(vault)
        for entry in _wanted(history, entry_id):
            restored = history.undo(entry)
            if restored or entry.happened:
                return Undone(entry, tuple(restored))
    raise NothingFound("There is nothing to undo.", where=str(vault.root), hint="See: vaultkit undo --list")


def _wanted(history: History, entry_id: str) -> list[Entry]:
    standing = [entry for entry in history.entries() if not entry.undone]
    if not entry_id:
        return standing
    wanted = entry_id.strip()
    return [entry for entry in standing if wanted in {entry.id, entry.id[:6], str(int(entry.id[:6]))}]
