"""Decks for tests."""

from collections.abc import Sequence

from tests.vault.making import check, note
from vaultkit.cards import Card, Deck
from vaultkit.compendium import CardEntry, DeckNote, checks
from vaultkit.errors import Problem
from vaultkit.session import rulenotes
from vaultkit.vault import Vault

DECK = "---\nvaultkit-deck: birds\n---\n# Birds\n\n## Notes\n#### Owl\n\n## Cards\n"
BIRDS = DECK + "### Raven\nBlack.\n### Hooded One\n### Sea: Gull\n### Owl\n### Raven\n"
ROWS = "| Name | Suit |\n|---|---|\n| Carp | A |\n| Pike | B |\n"
TABLE = f"---\nvaultkit-deck: fish\n---\n# Fish\n\n## All of Them\n\n{ROWS}"


def deck_of(path: str, *entries: tuple[str, str, int]) -> DeckNote:
    """A deck of cards with name, link and line."""
    made = tuple(CardEntry(Card(name.lower(), name), link, line) for name, link, line in entries)
    return DeckNote(note("", path), Deck("own", "Own", tuple(entry.card for entry in made)), made, ())


def problems(vault: Vault, paths: Sequence[str] | None = None) -> tuple[Problem, ...]:
    """What is wrong with decks, spreads, inventories, tables and rule notes, and not with notes as such."""
    asked = (*checks.CHECKS, *rulenotes.CHECKS)
    codes = {one.code for one in asked}
    return tuple(one for one in check(Vault(vault.root), paths, checks=asked).problems if one.code in codes)
