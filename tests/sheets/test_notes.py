"""Notes on their sheets."""

from vaultkit.resources import shipped_folder
from vaultkit.sheets.cards import deck_cards
from vaultkit.vault import Vault


def test_cards_have_the_facts_of_their_deck_except_those_already_shown() -> None:
    from vaultkit.compendium import Compendium

    vault = Vault(shipped_folder("vault-example"))
    deck = Compendium(vault).deck("Astromancy Deck")
    facts = {entry.card.name: deck_cards.printable(entry, vault).facts for entry in deck.entries}
    assert facts["Aries Ribbon"] == (
        ("Season", "Spring"), ("Modality", "Cardinal"), ("Element", "Fire"), ("Ribbon", "inscribed"),
    )  # fmt: skip
    assert facts["Gemini 0"][-1] == ("Number", "0")
