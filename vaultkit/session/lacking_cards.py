"""Cards that a rule note names and that no deck of the vault has."""

from collections.abc import Iterable, Iterator, Sequence

from vaultkit.cards import Card, Deck
from vaultkit.cards.known import known_deck
from vaultkit.compendium.decks import choice
from vaultkit.compendium.decks.decknote import CardEntry, DeckNote
from vaultkit.compendium.decks.words import folded
from vaultkit.compendium.linking import mentions
from vaultkit.compendium.linking.mentions import Mention, Names
from vaultkit.spelling import did_you_mean
from vaultkit.vault import Note


def lacking_cards(kind: str, decks: Sequence[DeckNote], notes: Iterable[Note]) -> Iterator[tuple[Note, int, str, str]]:
    """Each first mention of a card that all `decks` of a known kind lack: its note and offset, what is wrong, a hint.

    Without any deck, none is asked for its cards.
    """
    lacking = _lacking(kind, decks)
    if lacking:
        deck = choice.preferred(decks)
        names = Names([*decks, _only(lacking)])
        for note in notes:
            for mention in _firsts(note, names, lacking):
                message = f"'{mention.text}' is a card that the {deck.deck.kind} deck of this vault lacks."
                yield note, mention.start, message, _hint(mention.text, deck)


def _lacking(kind: str, decks: Sequence[DeckNote]) -> tuple[Card, ...]:
    """The cards of a known kind that none of the vault's decks of that kind has, not even with mistakes."""
    known = known_deck(kind) if decks else None
    there = {card_id for deck in decks for card_id in deck.by_id}
    faulty = {folded(name) for deck in decks for name in deck.faulty}
    return tuple(card for card in known or () if card.id not in there and folded(card.name) not in faulty)


def _only(cards: Sequence[Card]) -> DeckNote:
    """A deck of cards that stand nowhere, so that their names are found beside those of the vault's decks."""
    entries = tuple(CardEntry(card, "", 0) for card in cards)
    return DeckNote(Note("", b""), Deck("lacking", "", tuple(cards)), entries, ())


def _firsts(note: Note, names: Names, lacking: Sequence[Card]) -> Iterator[Mention]:
    """The first mention of each card that is lacking, if it has a capital and is no name of another card."""
    ids = {card.id for card in lacking}
    seen: set[str] = set()
    for mention in mentions.find(note, names):
        entry = mention.entry
        if entry and not entry.link and entry.card.id in ids - seen and mention.text != mention.text.lower():
            seen.add(entry.card.id)
            yield mention


def _hint(name: str, deck: DeckNote) -> str:
    """The card of the deck with nearly that name, if it has its name from the GM; else where the card belongs."""
    known = known_deck(deck.deck.kind)
    usual = {card.name for card in known or ()}
    own = [card.name for card in deck.deck if card.name not in usual]
    near = did_you_mean(name, own, like=70, numbered=True)
    return near or f"Add it to the deck of '{deck.note.path}', or name another card."
