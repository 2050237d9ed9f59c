"""Reference cards on sheets to be cut; tagged, so that they can be listened to as well."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.errors import NothingFound
from vaultkit.games.options import Options
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.decks import without_picture
from vaultkit.sheets.cards.frame import load_frame
from vaultkit.sheets.cards.layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.sheet import card_sheet
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.reference import cards, design
from vaultkit.sheets.reference.options import house_rules, of_note
from vaultkit.sheets.sources import image_cache
from vaultkit.vault import Vault


def reference_cards(
    game: str,
    deck: DeckNote,
    rules: RuleNote | None,
    vault: Vault,
    *,
    everything: bool = False,
    options: Options | None = None,
) -> list[PrintableCard]:
    """Player aids, house rules, and the cards of the deck with what the game says of them.

    Those of the deck are the ones with a rule of their own; `everything` gives all of them. `options` are those in
    force, else what the rule note sets.
    """
    made = ruled_cards(game, deck, rules, vault, everything=everything, options=options)
    return [*player_cards(game, rules, vault, options), *made]


def player_cards(
    game: str, rules: RuleNote | None, vault: Vault, options: Options | None = None
) -> list[PrintableCard]:
    """Player aids and house rules."""
    frame = load_frame("aid", vault.root)
    options = of_note(game, rules) if options is None else options
    told = partial(house_rules, game, options)
    made = [*cards.aid_cards(design.load(game, vault.root, options), told), *cards.house_rules(told)]
    return [replace(card, frame=frame) for card in made]


def ruled_cards(
    game: str,
    deck: DeckNote,
    rules: RuleNote | None,
    vault: Vault,
    *,
    everything: bool = False,
    options: Options | None = None,
) -> list[PrintableCard]:
    """The cards of the deck that have a rule of their own, or `everything`, with what the game says of them."""
    frame = load_frame("reference", vault.root)
    options = of_note(game, rules) if options is None else options
    aids, told = design.load(game, vault.root, options), partial(house_rules, game, options)
    made = cards.rule_cards(deck, vault, aids, rules, told, everything=everything)
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
    options: Options | None = None,
) -> PrintedFile:
    """The reference cards of the game with that id and title.

    Raises NothingFound where there are none, InvalidError for an aid that cannot be used.
    """
    made = reference_cards(game, deck, rules, vault, everything=everything, options=options)
    if not made:
        raise NothingFound(
            f"There are no reference cards for {title}.", hint=f"They are described in aids/{game}.toml."
        )
    printed = card_sheet(
        made,
        deck_title=title,
        paper=paper,
        out=out,
        cache=image_cache(),
        layout=layout,
        tagged=True,
        theme=theme or Theme(vault.root),
    )
    of_deck = [card for card in made if card.frame and card.frame.layout != "none"]
    return replace(printed, remarks=(*printed.remarks, *without_picture(deck, vault, of_deck)))
