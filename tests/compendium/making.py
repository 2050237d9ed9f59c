"""Decks for tests."""

from collections.abc import Sequence
from functools import partial

from tests.vault.making import check, note
from vaultkit.cards import Card, Deck
from vaultkit.compendium import CardEntry, DeckNote
from vaultkit.errors import Problem
from vaultkit.session import checks
from vaultkit.session.checks import RULE_NOTE_CHECKS
from vaultkit.session.examples import check_examples
from vaultkit.vault import Vault
from vaultkit.vault.checking.check import inspect

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
    asked = (*checks.COMPENDIUM_CHECKS, *RULE_NOTE_CHECKS, *check_examples.CHECKS)
    codes = {one.code for one in asked}
    read = Vault(vault.root, inspect=partial(inspect, checks=asked))
    return tuple(one for one in check(read, paths, checks=asked).problems if one.code in codes)
