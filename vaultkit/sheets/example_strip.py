"""Strips that show an example of a rule note in print: its cards in the order of play, and the result in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from vaultkit.compendium import CardEntry, Compendium
from vaultkit.errors import VaultkitError
from vaultkit.session.examples.example_setup import ExampleSetup
from vaultkit.session.examples.expectations import find_errors
from vaultkit.session.examples.parser import example_in
from vaultkit.session.examples.playback import ExampleSession
from vaultkit.sheets.cards.card_pictures import PictureRow, picture_rows
from vaultkit.sheets.cards.deck_cards import printable
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme.glyphs import Glyphs
from vaultkit.vault import Note, Vault


@dataclass(frozen=True)
class ExampleStrip:
    """The cards of an example, each with a caption, and the `words` below them.

    The first card of each move has the player in its caption.
    """

    cards: tuple[tuple[str, PrintableCard], ...]
    words: str

    def rows(self, width: float, glyphs: Glyphs, tag: Tag) -> Iterator[PictureRow]:
        """Yield the cards as rows of small pictures with captions, each row at most `width` points wide.

        A list is added to the children of `tag`, with each card as an item.
        """
        if self.cards:
            captions, cards = zip(*self.cards, strict=True)
            yield from picture_rows(cards, captions, width, glyphs, tag)


class StripMaker:
    """A maker of strips for the examples in one note."""

    def __init__(self, note: Note, vault: Vault) -> None:
        self._note = note
        self._vault = vault
        self._compendium = Compendium(vault)
        self._setup = ExampleSetup(vault, self._compendium)

    def make(self, source: str) -> ExampleStrip | None:
        """Return the strip of the example block with the text `source`, or None if the block cannot be read.

        The example is played for this. If it cannot be played, or does not come out as it says, the strip has no cards,
        only the block's own sentence or its moves.
        """
        try:
            example = example_in(self._note, 0, "", source)
        except VaultkitError:
            return None
        example_sentence = example.content.say
        try:
            session = self._setup.create_rehearsal(self._note, example)
            if find_errors(session):
                return ExampleStrip((), example_sentence or "; ".join(example.content.moves))
        except VaultkitError:
            return ExampleStrip((), example_sentence)
        words = f"{example_sentence} {_describe_ending(session)}".strip()
        return ExampleStrip(tuple(self._captioned_cards(session)), words)

    def _captioned_cards(self, session: ExampleSession) -> Iterator[tuple[str, PrintableCard]]:
        """Yield the cards of all moves that were played, each with its caption."""
        deck = next((candidate for candidate in self._compendium.decks if candidate.deck is session.deck), None)
        for step in session.played:
            caption_start = f"{session.name(step.seat)}: " if step.seat is not None else ""
            for card in (card for card in step.move.operands if card in session.deck.by_id):
                entry = deck.by_id[card] if deck else CardEntry(session.deck[card], "", 0)
                printable_card = printable(entry, self._vault)
                yield f"{caption_start}{printable_card.title}", printable_card
                caption_start = ""


def _describe_ending(session: ExampleSession) -> str:
    """Return how the game ended, or else the last event of the last move that everybody sees; "" if there is none."""
    if session.outcome:
        return session.words(session.outcome.reason)
    events = [event for step in session.played[-1:] for event in step.events if event.seen_by is None]
    return session.words(events[-1].sentence) if events else ""
