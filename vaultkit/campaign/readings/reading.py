"""Readings and draws as values: the positions of a spread with cards laid from a seed, or drawn cards."""

from dataclasses import dataclass
from datetime import date, datetime

from vaultkit import __version__
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.spreads.spread import Spread, SpreadPosition, check_size, draw_for_positions
from vaultkit.errors import UsageError
from vaultkit.session.seeded_choices import make_generator
from vaultkit.session.session_ids import create_id
from vaultkit.vault.writing.escape import clean_line


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A reading: one card for each position of `spread`. A draw is a reading whose positions have no names.

    Equal day, seed, cards and question give an equal `id`, so that a reading is never logged twice.
    """

    id: str
    kind: str
    date: date
    spread: Spread
    deck: DeckNote
    cards: tuple[CardEntry, ...]
    question: str = ""
    seed: int
    version: str = __version__

    @property
    def laid(self) -> tuple[tuple[SpreadPosition, CardEntry], ...]:
        """The positions, each with its card."""
        return tuple(zip(self.spread.positions, self.cards, strict=True))


def deck_for(workspace: Workspace, spread: Spread, name: str) -> DeckNote:
    """Return the named deck, else the spread's own, else the only one of the vault. Raises UsageError without any."""
    compendium = workspace.compendium
    deck_name = name.strip() or spread.deck
    if deck_name:
        return workspace.deck(deck_name)
    if len(compendium.decks) == 1:
        return compendium.decks[0]
    kinds = ", ".join(deck.deck.kind for deck in compendium.decks) or "this vault has none"
    raise UsageError(
        f"'{spread.title}' does not say with which deck it is laid.",
        where=spread.source,
        hint=f"Name one with --deck: {kinds}.",
    )


def lay_reading(spread: Spread, deck: DeckNote, *, seed: int, question: str = "", now: datetime) -> Reading:
    """Lay a spread with the cards that `seed` gives.

    Raises UsageError if the deck has too few cards, and InvalidError if the part of the deck for a position has too
    few.
    """
    return _deal("reading", spread, deck, seed=seed, question=question, now=now)


def draw_cards(deck: DeckNote, count: int = 1, *, seed: int, question: str = "", now: datetime) -> Reading:
    """Draw `count` cards, at least 1. Raises UsageError if the deck has fewer.

    With the same seed, a larger number of cards begins with the cards of a smaller one.
    """
    check_size(deck, count)
    spread = Spread("draw", f"Draw from {deck.deck.title}", (SpreadPosition(""),) * count)
    return _deal("draw", spread, deck, seed=seed, question=question, now=now)


def _deal(kind: str, spread: Spread, deck: DeckNote, *, seed: int, question: str, now: datetime) -> Reading:
    """Return a reading of the given kind, "reading" or "draw", with the cards that the seed gives."""
    cards = draw_for_positions(spread.positions, deck, make_generator(seed, 0, "lay"))
    clean_question = clean_line(question)
    identity = "|".join((spread.title, deck.note.path, clean_question, *(entry.card.id for entry in cards)))
    return Reading(
        id=create_id(kind, now, make_generator(seed, 0, identity)),
        kind=kind,
        date=now.date(),
        spread=spread,
        deck=deck,
        cards=cards,
        question=clean_question,
        seed=seed,
    )
