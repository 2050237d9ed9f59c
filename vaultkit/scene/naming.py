"""Names of real cards: typed text becomes cards of a pile, or a sentence that says why it cannot."""

from collections.abc import Collection, Sequence
from typing import Protocol

from vaultkit.cards import Card
from vaultkit.games.turn import Chance, IllegalMove, Pile, Prompt
from vaultkit.games.words import Seat, Sentence
from vaultkit.scene.knowledge import open_zones, visible_cards
from vaultkit.scene.memory import may_look_up
from vaultkit.scene.scene import title_of
from vaultkit.session import Session
from vaultkit.session.card_names import alike, cards_meant, nearest_card


class Voice(Protocol):
    """A speaker that renders sentences with the names of a game's seats and cards."""

    def words(self, sentence: Sentence, /) -> str: ...


class CardNaming:
    """A parser of card names for the people in `seats`, whose messages reveal only what these people may know."""

    def __init__(self, session: Session, speaker: Voice, seats: Collection[Seat]) -> None:
        self._session = session
        self._speaker = speaker
        self._seats = seats

    def cards(self, typed: str, pile: Pile, named: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the cards named in `text`, with or without commas, after the cards in `earlier_ids`.

        Raises IllegalMove with the reason. A known bottom of the pile is drawn only when nothing else is left, and in
        its order.
        """
        found = list(named)
        for piece in typed.split(","):
            for words in self._apart(piece.split()):
                found.append(self._card(words, pile, found))
        return tuple(found[len(named) :])

    def possible(self, left: Collection[str]) -> set[str]:
        """Return the cards `left` in a pile, and all others that could be in it for what the people know.

        Offers and replies must not reveal which cards a rival holds.
        """
        known = (
            set.intersection(*(visible_cards(self._session, seat) for seat in self._seats)) if self._seats else set()
        )
        return {*left, *self._session.deck.by_id.keys() - known - self._session.seen_by_all}

    def _apart(self, words: list[str]) -> list[str]:
        """Split words without commas into card names, the longest first; keep all in one if some words are no card."""
        whole, names = " ".join(words), []
        while words:
            most = next((n for n in range(len(words), 0, -1) if self._is_card(" ".join(words[:n]))), 0)
            if not most:
                return [whole]
            names.append(" ".join(words[:most]))
            words = words[most:]
        return names

    def _is_card(self, words: str) -> bool:
        return bool(cards_meant(words, self._session.deck, self._session.deck.by_id))

    def _card(self, piece: str, pile: Pile, named: list[str]) -> str:
        left, deck = {*pile.unknown, *pile.bottom}.difference(named), self._session.deck
        found = cards_meant(piece, deck, self.possible(left).difference(named))
        if len(found) == 1 and found[0].id not in left:  # of cards that nobody can tell apart, take one that is there
            found = (
                tuple(card for card in cards_meant(piece, self._session.deck, left) if alike(card, found[0])) or found
            )
        if len(found) > 1:
            raise IllegalMove(f"'{piece}' could be: {'; '.join(card.title for card in found)}.")
        if not found:
            raise IllegalMove(
                f"'{piece}' is no card of {self._session.deck.title}. {nearest_card(piece, deck)}".strip()
            )
        card = found[0]
        if card.id not in left:
            raise IllegalMove(self.why_not(card, named))
        buried = pile.bottom[max(0, len(named) - len(pile.unknown)) :]
        if card.id in buried and (len(named) < len(pile.unknown) or card.id != buried[0]):
            raise IllegalMove(f"The {card.title} lies at the bottom of the pile: other cards come before it.")
        return card.id

    def why(self, card: Card, turn: Chance | Prompt) -> str:
        """Return the only reason why a card cannot be named at this turn, or that nothing speaks against it."""
        reason = self._session.why_not(card.id) if isinstance(turn, Prompt) else None
        if reason:
            return self._speaker.words(reason)
        here = {*turn.pile.unknown, *turn.pile.bottom, *turn.options} if isinstance(turn, Chance) else ()
        if card.id not in self.possible(here):
            return self.why_not(card)
        return f"The {card.title} can be named: nothing that all have seen speaks against it."

    def why_not(self, card: Card, named: Collection[str] = ()) -> str:
        """Return the reason why a card cannot be the one that is asked for: where the people last saw it.

        For a card that they have not seen the reason is general, or they could find out who holds it by asking.
        """
        if card.id in named:
            return f"You have named the {card.title} already."
        seen = [event for _, event in may_look_up(self._session, self._seats) if card.id in event.cards]
        if seen:
            return f"The {card.title} cannot be there. It was seen last: {self._speaker.words(seen[-1].sentence)}"
        for zone in open_zones(self._session):
            if card.id in zone.cards:
                return f"The {card.title} cannot be there. It lies here: {self._speaker.words(title_of(zone, None))}"
        return f"The {card.title} cannot be there. If it is, a card was misnamed before: u takes back the last one."
