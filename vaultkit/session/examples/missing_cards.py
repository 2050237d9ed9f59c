"""A search for cards that rule notes name but no deck of the vault contains."""

from collections.abc import Iterable, Iterator, Sequence

from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import known_deck
from vaultkit.compendium.decks import deck_note
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.linking import mentions
from vaultkit.compendium.linking.mentions import CardNameIndex, Mention
from vaultkit.spelling import did_you_mean
from vaultkit.text import name_key
from vaultkit.vault import Note


def find_missing_cards(
    kind: str, decks: Sequence[DeckNote], notes: Iterable[Note]
) -> Iterator[tuple[Note, int, str, str]]:
    """Yield the first mention, in each note, of each card of the standard deck that is missing from all `decks`.

    A row contains the note, the offset of the mention, a message and a hint. `kind` is the kind of the decks. Nothing
    is yielded if there are no decks.
    """
    missing_cards = _find_missing(kind, decks)
    if missing_cards:
        deck = deck_note.preferred_deck(decks)
        names = CardNameIndex([*decks, _make_deck_note(missing_cards)])
        for note in notes:
            for mention in _find_first_mentions(note, names, missing_cards):
                message = f"'{mention.text}' is a card that the {deck.deck.kind} deck of this vault lacks."
                yield note, mention.start, message, _suggest_name(mention.text, deck)


def _find_missing(kind: str, decks: Sequence[DeckNote]) -> tuple[Card, ...]:
    """Return the cards of the standard deck of a kind that none of `decks` contains.

    A card that a deck note contains with mistakes is not missing.
    """
    standard_cards = known_deck(kind) if decks else None
    known_ids = {card_id for deck in decks for card_id in deck.by_id}
    faulty_names = {name_key(name) for deck in decks for name in deck.faulty}
    return tuple(
        card for card in standard_cards or () if card.id not in known_ids and name_key(card.name) not in faulty_names
    )


def _make_deck_note(cards: Sequence[Card]) -> DeckNote:
    """Return a deck note with cards without texts, for searching their names together with real decks."""
    entries = tuple(CardEntry(card, "", 0) for card in cards)
    return DeckNote(Note("", b""), Deck("lacking", "", tuple(cards)), entries, ())


def _find_first_mentions(note: Note, names: CardNameIndex, missing_cards: Sequence[Card]) -> Iterator[Mention]:
    """Yield the first mention of each of `missing_cards` in a note.

    A mention must contain a capital letter and must not name a card of a real deck.
    """
    ids = {card.id for card in missing_cards}
    mentioned_ids: set[str] = set()
    for mention in mentions.find(note, names):
        entry = mention.entry
        if entry and not entry.link and entry.card.id in ids - mentioned_ids and mention.text != mention.text.lower():
            mentioned_ids.add(entry.card.id)
            yield mention


def _suggest_name(name: str, deck: DeckNote) -> str:
    """Return a hint for a missing card with the given name.

    It suggests the most similar name that the GM has given to a card of the deck, or else adding the card to the deck.
    """
    standard_deck = known_deck(deck.deck.kind)
    standard_names = {card.name for card in standard_deck or ()}
    own_names = [card.name for card in deck.deck if card.name not in standard_names]
    suggestion = did_you_mean(name, own_names, min_score=70, numbers_distinguish=True)
    return suggestion or f"Add it to the deck of '{deck.note.path}', or name another card."
