"""Parsing of the names of real cards that people type, with messages that say why a card is not possible."""

from collections.abc import Collection, Sequence

from vaultkit.cards import Card
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, IllegalMove, Pile, Prompt
from vaultkit.scene.knowledge import open_zones, recallable_events, visible_cards
from vaultkit.scene.scene import title_of
from vaultkit.session import Session
from vaultkit.session.card_names import are_indistinguishable, find_cards, suggest_card


class CardNaming:
    """A parser of typed card names, whose messages reveal only what the people in `seats` may know."""

    def __init__(self, session: Session, seats: Collection[Seat]) -> None:
        self._session = session
        self._seats = seats

    def cards(self, text: str, pile: Pile, earlier_ids: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the ids of the cards that `text` names, with or without commas, as the next cards of a pile.

        `earlier_ids` are the cards that were drawn before them. Raises IllegalMove with the reason for a name that does
        not mean exactly one card, and for a card that cannot come next: the known bottom of the pile comes last, in its
        order.
        """
        card_ids = list(earlier_ids)
        for piece in text.split(","):
            for words in self._split_names(piece.split()):
                card_ids.append(self._find_card(words, pile, card_ids))
        return tuple(card_ids[len(earlier_ids) :])

    def possible_cards(self, pile_cards: Collection[str]) -> set[str]:
        """Return `pile_cards`, and all other cards that could be in the pile as far as the people know.

        Suggestions and messages are limited to these cards, so that they do not reveal which cards a rival holds.
        """
        known_cards = [visible_cards(self._session, seat) for seat in self._seats]
        visible_to_all = set.intersection(*known_cards) if known_cards else set()
        return {*pile_cards, *self._session.deck.by_id.keys() - visible_to_all - self._session.seen_by_all}

    def _split_names(self, words: list[str]) -> list[str]:
        """Return the card names that the words consist of, each as long as possible.

        If some words are no card name, all words are returned as one name.
        """
        whole_text, names, deck = " ".join(words), [], self._session.deck
        while words:
            counts = range(len(words), 0, -1)
            word_count = next((n for n in counts if find_cards(" ".join(words[:n]), deck, deck.by_id)), 0)
            if not word_count:
                return [whole_text]
            names.append(" ".join(words[:word_count]))
            words = words[word_count:]
        return names

    def _find_card(self, piece: str, pile: Pile, earlier_ids: list[str]) -> str:
        remaining_cards, deck = {*pile.unknown, *pile.bottom}.difference(earlier_ids), self._session.deck
        matches = find_cards(piece, deck, self.possible_cards(remaining_cards).difference(earlier_ids))
        if len(matches) == 1 and matches[0].id not in remaining_cards:
            there = find_cards(piece, deck, remaining_cards)
            matches = tuple(card for card in there if are_indistinguishable(card, matches[0])) or matches
        if len(matches) > 1:
            raise IllegalMove(f"'{piece}' could be: {'; '.join(card.title for card in matches)}.")
        if not matches:
            title = self._session.deck.title
            raise IllegalMove(f"'{piece}' is not a card of {title}. {suggest_card(piece, deck)}".strip())
        card = matches[0]
        if card.id not in remaining_cards:
            raise IllegalMove(self.why_not(card, earlier_ids))
        remaining_bottom = pile.bottom[max(0, len(earlier_ids) - len(pile.unknown)) :]
        if card.id in remaining_bottom and (len(earlier_ids) < len(pile.unknown) or card.id != remaining_bottom[0]):
            raise IllegalMove(f"The {card.title} is at the bottom of the pile: other cards come before it.")
        return card.id

    def explain_card(self, card: Card, turn: Chance | Prompt) -> str:
        """Return a sentence on why a card cannot be named at this turn, or one that says that it can be."""
        reason = self._session.why_not(card.id) if isinstance(turn, Prompt) else None
        if reason:
            return self._session.words(reason)
        turn_cards = {*turn.pile.unknown, *turn.pile.bottom, *turn.options} if isinstance(turn, Chance) else ()
        if card.id not in self.possible_cards(turn_cards):
            return self.why_not(card)
        return f"The {card.title} can be named: nothing that all have seen contradicts it."

    def why_not(self, card: Card, earlier_ids: Collection[str] = ()) -> str:
        """Return a sentence on why a card cannot be named: where the people last saw it.

        For a card that they have not seen the sentence is general, because asking must not reveal who holds it.
        """
        if card.id in earlier_ids:
            return f"You have named the {card.title} already."
        events = [event for _, event in recallable_events(self._session, self._seats) if card.id in event.cards]
        if events:
            return f"The {card.title} cannot be there. It was seen last: {self._session.words(events[-1].sentence)}"
        for zone in open_zones(self._session):
            if card.id in zone.cards:
                return f"The {card.title} cannot be there. It lies here: {self._session.words(title_of(zone, None))}"
        return f"The {card.title} cannot be there. If it is, a card was misnamed before: u takes back the last one."
