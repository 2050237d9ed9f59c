"""Taking back what vaultkit wrote into a vault."""

from dataclasses import dataclass

from vaultkit.errors import NothingFound
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import Entry, History
from vaultkit.vault.writing.write import vault_lock

_LIST = "See: vaultkit undo --list"


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
    nothing to take back, no such entry, or one that is undone already; WriteError, touching nothing, if a note has
    changed, moved or become read-only since; if one fails only when its turn comes, the WriteError says what was taken
    back before it.
    """
    with vault_lock(vault.root):
        history = History(vault)
        for entry in _wanted(history, entry_id):
            restored = history.undo(entry)
            if restored or entry.happened:
                return Undone(entry, tuple(restored))
    raise NothingFound("There is nothing to undo.", where=str(vault.root), hint=_LIST)


def _wanted(history: History, entry_id: str) -> list[Entry]:
    """The entries that may be meant, newest first. Raises NothingFound if none goes by `entry_id`, or is undone."""
    wanted = entry_id.strip()
    named = [entry for entry in history.entries() if not wanted or entry.goes_by(wanted)]
    standing = [entry for entry in named if not entry.undone]
    if wanted and not standing:
        raise _nothing(wanted, named)
    return standing


def _nothing(wanted: str, undone: list[Entry]) -> NothingFound:
    if undone:
        return NothingFound(f"{undone[0].id} ({undone[0].title}) is undone already.", hint=_LIST)
    if wanted.isdecimal():
        return NothingFound(f"There is no write {wanted}.", hint=_LIST)
    return NothingFound(f"There is no write that goes by '{wanted}'.", hint=f"{_LIST}; the number is enough.")
