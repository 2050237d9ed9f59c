"""Reference cards on sheets to be cut; tagged, so that they can be listened to as well."""

from dataclasses import replace
from pathlib import Path

from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.frame import load_frame
from vaultkit.sheets.cards.layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.sheet import card_sheet
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.reference import cards, design
from vaultkit.sheets.sources import image_cache
from vaultkit.sheets.theme import Theme
from vaultkit.vault import Vault


def reference_cards(
    game: str, deck: DeckNote, rules: RuleNote | None, vault: Vault, *, everything: bool = False
) -> list[PrintableCard]:
    """Player aids, house rules, and the cards of the deck with what the game says of them.

    Those of the deck are the ones with a rule of their own; `everything` gives all of them.
    """
    return [*player_cards(game, rules, vault), *ruled_cards(game, deck, rules, vault, everything=everything)]


def player_cards(game: str, rules: RuleNote | None, vault: Vault) -> list[PrintableCard]:
    """Player aids and house rules."""
    frame = load_frame("aid", vault.root)
    made = [*cards.aid_cards(design.load(game, vault.root)), *cards.house_rules(rules)]
    return [replace(card, frame=frame) for card in made]


def ruled_cards(
    game: str, deck: DeckNote, rules: RuleNote | None, vault: Vault, *, everything: bool = False
) -> list[PrintableCard]:
    """The cards of the deck that have a rule of their own, or `everything`, with what the game says of them."""
    frame = load_frame("reference", vault.root)
    made = cards.rule_cards(deck, vault, design.load(game, vault.root), rules, everything=everything)
    return [replace(card, frame=frame) for card in made]


def print_reference(
    game: str,
    title: str,
    deck: DeckNote,
    rules: RuleNote | None,
    vault: Vault,
    *,
    paper: str,
    out: Path,
    everything: bool = False,
    layout: DeckLayout = PLAIN,
    theme: Theme | None = None,
) -> PrintedFile:
    """The reference cards of the game with that id and title. Raises InvalidError for an aid that cannot be used."""
    return card_sheet(
        reference_cards(game, deck, rules, vault, everything=everything),
        deck_title=title,
        paper=paper,
        out=out,
        cache=image_cache(),
        layout=layout,
        tagged=True,
        theme=theme or Theme(vault.root),
    )
