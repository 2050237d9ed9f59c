"""Inference about hidden hands: a seat that passes although it must answer if it can holds no fitting card (DC-40)."""

from collections.abc import Sequence
from typing import NamedTuple

from vaultkit.games.dragon_citadel.rules import HAND_SIZE
from vaultkit.games.messages import Seat


class Lack(NamedTuple):
    """The knowledge from a pass: at most `drawn` cards in the hand of `seat` are among `cards`.

    `drawn` counts the cards that the seat has drawn since it passed and that may still be in its hand. The `cards` of
    an earlier pass include those of the seat's later ones.
    """

    seat: Seat
    cards: frozenset[str]
    drawn: int = 0


Lacks = tuple[Lack, ...]


def add_pass(lacks: Lacks, seat: Seat, cards: frozenset[str]) -> Lacks:
    """Return the knowledge after `seat` has passed although it had to play one of `cards` if it could."""
    widened_lacks = tuple(lack._replace(cards=lack.cards | cards) if lack.seat == seat else lack for lack in lacks)
    is_implied = any(lack.seat == seat and not lack.drawn for lack in widened_lacks)
    return widened_lacks if is_implied else (*widened_lacks, Lack(seat, cards))


def add_draw(lacks: Lacks, seat: Seat, count: int) -> Lacks:
    """Return the knowledge after `seat` has drawn `count` hidden cards."""
    updated_lacks = (lack._replace(drawn=lack.drawn + count) if lack.seat == seat else lack for lack in lacks)
    return tuple(lack for lack in updated_lacks if lack.drawn < HAND_SIZE)


def remove_card(lacks: Lacks, seat: Seat, card: str) -> Lacks:
    """Return the knowledge after `card` has left the hand of `seat`, which had drawn it if it lacked it before."""
    return tuple(
        lack._replace(drawn=lack.drawn - 1) if lack.seat == seat and card in lack.cards else lack for lack in lacks
    )


def remove_seat(lacks: Lacks, seat: Seat) -> Lacks:
    """Return the knowledge after the hand of `seat` was discarded."""
    return tuple(lack for lack in lacks if lack.seat != seat)


def excluded_cards(lacks: Lacks, seat: Seat, known_cards: Sequence[str], hidden_count: int) -> list[frozenset[str]]:
    """Return, for each of the `hidden_count` cards of a hand, the cards that it cannot be, given its `known_cards`."""
    excluded_by_card: list[frozenset[str]] = [frozenset()] * hidden_count
    for lack in lacks:
        if lack.seat == seat:
            unconstrained_count = lack.drawn - sum(card in lack.cards for card in known_cards)
            for index in range(hidden_count - unconstrained_count):
                excluded_by_card[index] |= lack.cards
    return excluded_by_card


def choose_cards(places: Sequence[frozenset[str]], cards: Sequence[str]) -> list[str]:
    """Return a different one of `cards` for each place; earlier cards are preferred.

    `places` holds for each place the cards that it excludes. Raises AssertionError if no choice fits all places,
    because then the view contradicts itself.
    """
    place_by_card: dict[str, int] = {}
    for place in range(len(places)):
        assert _assign_card(place, places, cards, place_by_card, set()), "no cards fit what is known of the hands"
    card_by_place = {place: card for card, place in place_by_card.items()}
    return [card_by_place[place] for place in range(len(places))]


def _assign_card(
    place: int,
    places: Sequence[frozenset[str]],
    cards: Sequence[str],
    place_by_card: dict[str, int],
    tried_cards: set[str],
) -> bool:
    """Assign a card to a place, after giving other places other cards if necessary; return whether that is possible.

    This is a step of a bipartite matching.
    """
    fitting_cards = [card for card in cards if card not in places[place] and card not in tried_cards]
    for card in fitting_cards:
        if card not in place_by_card:
            place_by_card[card] = place
            return True
    for card in fitting_cards:
        tried_cards.add(card)
        if _assign_card(place_by_card[card], places, cards, place_by_card, tried_cards):
            place_by_card[card] = place
            return True
    return False
