"""Real cards by name: what was typed becomes cards of a pile, or a sentence that says why it cannot be."""

from collections.abc import Collection, Sequence

from vaultkit.cards import Card
from vaultkit.games.turn import IllegalMove, Pile
from vaultkit.games.words import Seat
from vaultkit.play.card_names import meant
from vaultkit.play.memory import may_look_up
from vaultkit.play.speaking import Speaker
from vaultkit.session import Session


class Naming:
    """Reads names of cards for the people `seats`, who are told no more than they may know."""

    def __init__(self, session: Session, speaker: Speaker, seats: Collection[Seat]) -> None:
        self._session = session
        self._speaker = speaker
        self._seats = seats

    def cards(self, typed: str, pile: Pile, named: Sequence[str] = ()) -> tuple[str, ...]:
        """The cards of `typed`, commas between them, after those `named` before. Raises IllegalMove that says why not.

        A known bottom of the pile is drawn from only when nothing else is left, and in its order.
        """
        found = list(named)
        for piece in typed.split(","):
            if piece.strip():
                found.append(self._card(piece.strip(), pile, found))
        return tuple(found[len(named) :])

    def _card(self, piece: str, pile: Pile, named: list[str]) -> str:
        left = {*pile.unknown, *pile.bottom}.difference(named)
        found = meant(piece, self._session.deck, left)
        if len(found) > 1:
            raise IllegalMove(f"'{piece}' could be: {'; '.join(card.title for card in found)}.")
        if not found:
            raise IllegalMove(f"'{piece}' is no card of {self._session.deck.title}.")
        card = found[0]
        if card.id not in left:
            raise IllegalMove(self.why_not(card, named))
        buried = pile.bottom[max(0, len(named) - len(pile.unknown)) :]
        if card.id in buried and (len(named) < len(pile.unknown) or card.id != buried[0]):
            raise IllegalMove(f"The {card.title} lies at the bottom of the pile: other cards come before it.")
        return card.id

    def why_not(self, card: Card, named: Collection[str] = ()) -> str:
        """Why a card of the deck cannot be the one that is asked for: where these people saw it last."""
        if card.id in named:
            return f"You have named the {card.title} already."
        seen = [event for _, event in may_look_up(self._session, self._seats) if card.id in event.cards]
        if seen:
            return f"The {card.title} cannot be there. It was seen last: {self._speaker.words(seen[-1].sentence)}"
        if any(card.id in step.move.operands for step in self._session.steps):
            return f"The {card.title} cannot be there: it was dealt before."
        return f"The {card.title} is not in that pile."
