"""The passages about games: the sections of rule notes, and the cards of decks."""

from collections.abc import Iterator
from contextlib import suppress

from vaultkit.cards import Card
from vaultkit.compendium import Compendium, DeckNote, card_text
from vaultkit.compendium.linking.card_targets import address
from vaultkit.compendium.rule_note import explained_games
from vaultkit.errors import VaultkitError
from vaultkit.games.registry import GAMES, by_title
from vaultkit.search.passages import Passage, PassageEntry, format_wikilink, link_name
from vaultkit.search.sections import section_entries
from vaultkit.vault import Vault

_TRAIT_NAMES = {"deck": "", "value": "", "types": "type"}
"""For the keys of some card traits, the words in which people say them, or "" for traits that are left out."""


def rule_entries(compendium: Compendium) -> Iterator[PassageEntry]:
    """Yield an entry for each section of a rule note of a game, and for each piece of it.

    Notes that cannot be read are skipped.
    """
    titles = by_title()
    for facts in compendium.vault.note_facts:
        games = explained_games(facts, titles) & GAMES.keys()
        if games:
            with suppress(VaultkitError):
                yield from section_entries(compendium.vault, compendium.vault.read(facts.path), games)


def card_entries(compendium: Compendium) -> Iterator[PassageEntry]:
    """Yield an entry for every card of every deck."""
    for deck in compendium.decks:
        games = frozenset(info.id for info in GAMES.values() if info.deck == deck.deck.kind)
        yield from _find_deck_entries(deck, games, compendium.vault)


def _find_deck_entries(deck: DeckNote, games: frozenset[str], vault: Vault) -> Iterator[PassageEntry]:
    deck_names = " ".join(deck.names)
    for entry in deck.entries:
        path, subpath = address(entry)
        wikilink = format_wikilink(link_name(vault, path), subpath)
        card_facts, text = facts_of(entry.card), card_text.plain_words(entry.text)
        spoken_facts = _format_spoken_facts(entry.card)
        passage_text = f"{text} ({spoken_facts})" if text and spoken_facts else text or spoken_facts or entry.card.title
        passage = Passage(entry.card.title, passage_text, wikilink, note=path, heading=subpath, card=entry.card.name)
        body, rank = f"{entry.card.title} {text} {card_facts}", entry.card.rank_text
        yield PassageEntry(passage, entry.card.name, deck_names, body, games, rank="" if rank.isdecimal() else rank)


def facts_of(card: Card) -> str:
    """Return the rank, the suits and the traits of a card as text, such as `rank: 7, suit: Swords`."""
    suits = {"suit" if len(card.suits) == 1 else "suits": " and ".join(card.suits)}
    all_facts = {"rank": card.rank_text} | suits | _find_spoken_traits(card)
    return ", ".join(f"{key}: {value}" for key, value in all_facts.items() if value)


def _format_spoken_facts(card: Card) -> str:
    """Return the rank, suits and traits of a card as people say them, such as `animal of Scorpio, season Autumn`.

    Facts that the title of the card contains are left out.
    """
    rank_and_suits = " of ".join(filter(None, (card.rank_text, " and ".join(card.suits))))
    traits = (f"{key} {value}" for key, value in _find_spoken_traits(card).items() if value not in card.title.split())
    return ", ".join(("" if rank_and_suits in card.title else rank_and_suits, *traits)).removeprefix(", ")


def _find_spoken_traits(card: Card) -> dict[str, str]:
    pairs = ((_TRAIT_NAMES.get(key, key), value) for key, value in card.traits.items() if value != card.rank_text)
    return {key: value for key, value in pairs if key and value}
