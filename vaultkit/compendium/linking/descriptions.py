"""Descriptions of cards by rank and suit, such as `Seven of Swords`, `Master of Stars` or `Drei der Glyphen`."""

from collections import Counter
from collections.abc import Iterator

from vaultkit.cards import Card, Rank
from vaultkit.compendium.decks import card_line, rank_words
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.text import NUMBER_WORDS
from vaultkit.vault.text_positions import LINE_END


def describe_cards(deck: DeckNote) -> Iterator[tuple[str, CardEntry]]:
    """Yield each way to describe a card of a deck by rank and suit, in English and as the deck's note writes it.

    Descriptions that fit two cards of a deck are left out.
    """
    counts = Counter(_rank_and_suits(entry.card) for entry in deck.entries)
    entries = {_rank_and_suits(entry.card): entry for entry in deck.entries if counts[_rank_and_suits(entry.card)] == 1}
    for (rank, suits), entry in entries.items():
        if suits and rank is not None:
            yield from ((f"{variant} of {' and '.join(suits)}", entry) for variant in _rank_variants(rank))
    translations, _ = rank_words.read_translations(deck.note)
    if translations.has_translations:
        for line in LINE_END.split(deck.note.body):
            facts = card_line.parse_card_line(line.strip(), translations)
            card_entry = entries.get((facts.rank, facts.suits)) if facts else None
            phrase = (card_line.emphasised_text(line.strip()) or "").partition("·")[0].strip()
            if card_entry is not None and " " in phrase:
                yield from ((variant, card_entry) for variant in _figure_variants(phrase, card_entry.card.rank))


def _rank_and_suits(card: Card) -> tuple[Rank, tuple[str, ...]]:
    return card.rank, card.suits


def _rank_variants(rank: Rank) -> tuple[str, ...]:
    """Return the ways to write a rank in English: 7 is also `Seven`, and 1 also `One` and `Ace`."""
    if not isinstance(rank, int):
        return (str(rank),)
    spelled = (NUMBER_WORDS[rank].capitalize(),) if 0 < rank <= 10 else ()
    return (str(rank), *spelled, *(("Ace",) if rank == 1 else ()))


def _figure_variants(phrase: str, rank: Rank) -> tuple[str, ...]:
    """Return a description in the deck's language, and a variant with the rank's digits for its first word."""
    _, _, rest = phrase.partition(" ")
    return (phrase, f"{rank} {rest}") if isinstance(rank, int) else (phrase,)
