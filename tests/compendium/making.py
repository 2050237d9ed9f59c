"""Decks for tests."""

from tests.vault.making import note
from vaultkit.cards import Card, Deck
from vaultkit.compendium import CardEntry, DeckNote

DECK = "---\nvaultkit-deck: birds\n---\n# Birds\n\n## Notes\n#### Owl\n\n## Cards\n"
BIRDS = DECK + "### Raven\nBlack.\n### Hooded One\n### Sea: Gull\n### Owl\n### Raven\n"
ROWS = "| Name | Suit |\n|---|---|\n| Carp | A |\n| Pike | B |\n"
TABLE = f"---\nvaultkit-deck: fish\n---\n# Fish\n\n## All of Them\n\n{ROWS}"


def deck_of(path: str, *entries: tuple[str, str, int]) -> DeckNote:
    """A deck of cards with name, link and line."""
    made = tuple(CardEntry(Card(name.lower(), name), link, line) for name, link, line in entries)
    return DeckNote(note("", path), Deck("own", "Own", tuple(entry.card for entry in made)), made, ())
