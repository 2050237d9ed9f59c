"""The choice of a deck if a vault has several of one kind.

Decks without errors come first, among them the one whose note says `vaultkit-default: true`, else the first by path. If
only its path decides, the others get a warning.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vaultkit.cards.standard_decks import known_deck
from vaultkit.compendium.decks.deck_note import DeckNote
from vaultkit.errors import Problem
from vaultkit.text import group, name_key
from vaultkit.vault.note import texts

MIN_SAME_CARDS = 3
"""The minimum number of cards for which two decks with the same cards are taken for one deck that is there twice."""
DEFAULT_PROPERTY = "vaultkit-default"


def preferred_deck(decks: Sequence[DeckNote]) -> DeckNote:
    """Return the deck to play with; `decks` has at least one."""
    return min(decks, key=lambda deck: (not deck.sound, not _is_default(deck)))


def add_warnings(decks: Iterable[DeckNote]) -> tuple[DeckNote, ...]:
    """Return the decks, with a warning in each deck that is passed over though the GM has chosen none.

    Only decks that games ask for by kind count; a vault may have any number of other decks of one name. Of these, a
    deck with the same name and the same cards as another one gets a warning, too.
    """
    deck_notes = tuple(decks)
    by_kind = group((deck.deck.kind, deck) for deck in deck_notes)
    rivals = {kind: _equal_choices(decks_of_kind) for kind, decks_of_kind in by_kind.items() if known_deck(kind)}
    other_decks = (deck for deck in deck_notes if deck.deck.kind not in rivals and len(deck.deck) >= MIN_SAME_CARDS)
    twins = group((_names_of(deck), deck) for deck in other_decks)
    return tuple(
        _add_warning(deck, rivals.get(deck.deck.kind) or twins.get(_names_of(deck), [])) for deck in deck_notes
    )


def _names_of(deck: DeckNote) -> tuple[str, ...]:
    """Return the keys of the names of a deck and of its cards."""
    return name_key(deck.deck.title), *sorted(name_key(card.title) for card in deck.deck)


def _equal_choices(decks: Sequence[DeckNote]) -> Sequence[DeckNote]:
    """Return the best decks of one kind, among which only the order of paths decides."""
    sound = [deck for deck in decks if deck.sound]
    defaults = [deck for deck in sound if _is_default(deck)]
    return defaults or sound


def _add_warning(deck: DeckNote, rivals: Sequence[DeckNote]) -> DeckNote:
    preferred = next(iter(rivals), deck)
    if preferred is deck or not any(rival is deck for rival in rivals):
        return deck
    message = f"This deck has the same name and cards as the one of '{preferred.note.path}'."
    hint = "Delete one of the two, or give it another name."
    if known_deck(deck.deck.kind):
        message = f"This {deck.deck.kind} deck is passed over: games take the one of '{preferred.note.path}'."
        hint = (
            f"Write '{DEFAULT_PROPERTY}: true' into the note of the deck to play with, "
            f"'{preferred.note.path}' or '{deck.note.path}'."
        )
    problem = Problem(deck.note.path, 0, 0, "deck-several", message, hint, "warning")
    return replace(deck, problems=(*deck.problems, problem))


def _is_default(deck: DeckNote) -> bool:
    return "true" in map(str.lower, texts(deck.note.property(DEFAULT_PROPERTY)))
