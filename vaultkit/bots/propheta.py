"""Propheta for bots: rules of thumb, and a fast player that finishes a deal by those rules.

The rules of thumb predict likely and valuable tricks, then play each card for its immediate gain. A search needs the
same facts about tricks again and again, so they are kept, with sets of cards as bit masks.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from vaultkit.games.messages import Seat
from vaultkit.games.propheta import rules
from vaultkit.games.propheta.deal import ProphetaState, ProphetaView, close_deal, turn_up
from vaultkit.games.propheta.rules import (
    CONDITIONS,
    ELEMENTS,
    ProphetaCards,
    common_traits,
    fulfillable_prophecies,
    playable_cards,
    winner_index,
)
from vaultkit.games.propheta.state import PLAY, ProphetaPosition, Trick
from vaultkit.games.turn import Move

NOT_LEADING_MASK = -1
"""The value of `Prospect.beaten_by` for a card that does not win the trick so far."""


FULFILMENT_RATES = {
    2: {"Fire": 0.24, "Earth": 0.32, "Air": 0.24, "Water": 0.26},
    3: {"Fire": 0.05, "Earth": 0.10, "Air": 0.05, "Water": 0.13},
    4: {"Fire": 0.01, "Earth": 0.03, "Air": 0.01, "Water": 0.07},
}
"""The share of tricks that fulfil a prophecy of each element, by the number of players (VA-23)."""

STEERING_FACTOR = 2.0
"""The factor by which a seat that plays for a prophecy raises the chance that a trick fulfils it."""

RANK_STEP_POINTS = 0.05
"""The worth, in points, of each step on the ladder of ranks for a card in hand."""


CARDINAL, FIXED, MUTABLE = range(3)

ProphecyNumbers = tuple[int, int, int]
"""A prophecy as numbers: its points, the index of its element, and its role (CARDINAL, FIXED or MUTABLE)."""


class Prospect(NamedTuple):
    """The things that can still happen to a card that is put down next in a trick, as masks of cards.

    `beaten_by` is the mask of the cards after which the card would no longer win the trick: 0 for the last card of a
    trick, `NOT_LEADING_MASK` for a card that does not win it so far. `met_after` contains, for each of `ELEMENTS`, the
    mask of the cards after which the condition of the element would still be met; 0 if it cannot be met.
    """

    beaten_by: int
    met_after: tuple[int, ...]


class TrickRow(dict[str, Prospect]):
    """A mapping from each card to its prospect as the next card of one trick, computed on first use."""

    def __init__(self, trick: tuple[str, ...], index: "TrickIndex") -> None:
        self._trick, self._index, self.facts = trick, index, index.facts

    def __missing__(self, card: str) -> Prospect:
        self[card] = prospect = self._index.prospect((*self._trick, card))
        return prospect


class TrickIndex(dict[tuple[str, ...], TrickRow]):
    """A mapping from the cards of a trick so far to the row of the trick, created on first use.

    `card_bits` contains the bit of each card, `all_cards` is the mask of all cards.
    """

    def __init__(self, facts: ProphetaCards, literal: bool, seats: int) -> None:
        self.facts, self._literal, self._seats = facts, literal, seats
        self.card_bits = {card: 1 << card_index for card_index, card in enumerate(facts.ids)}
        self.all_cards = (1 << len(facts.ids)) - 1
        self._mask_of_traits: dict[int, int] = {}

    def __missing__(self, trick: tuple[str, ...]) -> TrickRow:
        self[trick] = row = TrickRow(trick, self)
        return row

    def mask(self, cards: Iterable[str]) -> int:
        """Return the mask of a set of cards."""
        return sum([self.card_bits[card] for card in cards])

    def prospect(self, cards: tuple[str, ...]) -> Prospect:
        """Return the prospect of the last card in a trick of `cards`."""
        common_traits = rules.common_traits(cards, self.facts)
        met_after = tuple([self._find_sharing_cards(common_traits & CONDITIONS[element]) for element in ELEMENTS])
        return Prospect(self._find_beating_cards(cards) if self._leads(cards) else NOT_LEADING_MASK, met_after)

    def _leads(self, cards: tuple[str, ...]) -> bool:
        return rules.winner_index(cards, self.facts, self._literal) == len(cards) - 1

    def _find_beating_cards(self, cards: tuple[str, ...]) -> int:
        facts, last_index = self.facts, len(cards) - 1
        if len(cards) == self._seats:
            return 0
        literal = self._literal
        return self.mask(card for card in facts.ids if rules.winner_index((*cards, card), facts, literal) != last_index)

    def _find_sharing_cards(self, traits: int) -> int:
        """Return the mask of all cards with at least one of the traits, which are given as a mask of traits."""
        mask = self._mask_of_traits.get(traits)
        if mask is None:
            cards = [card for card in self.facts.ids if self.facts.traits[card] & traits]
            mask = self._mask_of_traits[traits] = self.mask(cards)
        return mask


@lru_cache(maxsize=8)
def index_of(facts: ProphetaCards, literal: bool, seats: int) -> TrickIndex:
    """Return the cached index of a deck and a number of seats.

    `literal` says whether the option `zero_tiebreak` has the value `literal`.
    """
    return TrickIndex(facts, literal, seats)


def choose(view: ProphetaView) -> Move:
    """Return the move that the rules of thumb like best; the first of equals."""
    moves = view.moves
    match moves[0].verb:
        case "predict":
            return max(moves, key=lambda move: _rate_prediction(move.operands[0], view))
        case "play":
            return moves[_choose_card_index(view, [move.operands[0] for move in moves])]
    points = view.rules.cards.points
    return max(moves, key=lambda move: points[move.operands[0]] if move.operands else 0)


def _rate_prediction(card: str, view: ProphetaView) -> float:
    """Return the worth of a card as prophecy: its points times the chance to fulfil it, less its worth in the hand."""
    facts, prophecies = view.rules.cards, view.at.predictions[view.seat]
    same_sign_count = _count_of_sign(prophecies, card, facts) if prophecies else 0
    return _rate_prophecy(card, same_sign_count, view.rules.hand_size - view.rules.predictions, view.seats, facts)


@lru_cache(maxsize=1 << 10)
def _rate_prophecy(card: str, same_sign_count: int, trick_count: int, seats: int, facts: ProphetaCards) -> float:
    """Return the worth of a prophecy beside `same_sign_count` others of its sign, which need the same tricks."""
    element_rate = min(1.0, STEERING_FACTOR * FULFILMENT_RATES[seats][facts.element[card]])
    chance = 1 - (1 - element_rate * _role_chance(card, 1 / seats, facts)) ** (trick_count / (1 + same_sign_count))
    return float(facts.points[card] * chance - RANK_STEP_POINTS * _rank_on_ladder(card, facts))


@lru_cache(maxsize=1 << 14)
def _count_of_sign(prophecies: tuple[str, ...], card: str, facts: ProphetaCards) -> int:
    """Return how many of the prophecies have the same element and modality as the card."""
    sign = facts.element[card], facts.modality[card]
    return sum((facts.element[prophecy], facts.modality[prophecy]) == sign for prophecy in prophecies)


def _role_chance(card: str, win_chance: float, facts: ProphetaCards) -> float:
    """Return the chance of winning or losing a trick as the prophecy demands; `win_chance` is that of winning."""
    return {"Cardinal": win_chance, "Fixed": 1 - win_chance, "Mutable": 1.0}[facts.modality[card]]


def _rank_on_ladder(card: str, facts: ProphetaCards) -> float:
    """Return the rank of a card on the ladder of its element: 0 for a 0, 1 for a scrap, and so on."""
    return float(facts.ladder[facts.element[card]][card] // 4)


def _choose_card_index(view: ProphetaView, hand: Sequence[str]) -> int:
    """Return the index in `hand` of the card to play."""
    position, index = view.at, index_of(view.rules.cards, view.rules.literal, view.seats)
    unseen = index.all_cards - index.mask(view.seen)
    prophecy_numbers = prophecy_numbers_of(position.predictions[view.seat], view.rules.cards)
    return best_card_index(hand, index[position.trick], prophecy_numbers, unseen, view.seats - len(position.trick) - 1)


def best_card_index(
    hand: Sequence[str], row: TrickRow, prophecy_numbers: Sequence[ProphecyNumbers], unseen: int, remaining_cards: int
) -> int:
    """Return the index in `hand` of the best card for the trick of `row`, which gets `remaining_cards` more after it.

    The worth of a card is the chance to win the trick, plus the points of the best prophecy times the chance that the
    trick fulfils it, less the worth of the card in hand. `prophecy_numbers` are the seat's prophecies, the most
    valuable first. `unseen` is the mask of the cards that the seat has not seen, any of which may come next.
    """
    best_worth, best_index, all_unseen, value_in_hand = -1.0, 0, unseen.bit_count(), _hand_values(row.facts)
    for card_index, card in enumerate(hand):
        beaten_by, masks_by_element = row[card]
        win_chance = float(beaten_by != NOT_LEADING_MASK)
        if remaining_cards and win_chance:
            win_chance = (1 - (unseen & beaten_by).bit_count() / all_unseen) ** remaining_cards
        fulfilment_points = 0.0
        for points, element, role in prophecy_numbers:
            if points <= fulfilment_points:
                break
            if fulfilling_mask := masks_by_element[element]:
                worth = points if role == MUTABLE else points * (win_chance if role == CARDINAL else 1 - win_chance)
                if worth > fulfilment_points and remaining_cards:
                    worth *= ((unseen & fulfilling_mask).bit_count() / all_unseen) ** remaining_cards
                if worth > fulfilment_points:  # noqa: PLR1730 - max() takes three times as long
                    fulfilment_points = worth
        worth = win_chance + fulfilment_points - value_in_hand[card]
        if worth > best_worth:
            best_worth, best_index = worth, card_index
    return best_index


@lru_cache(maxsize=1 << 12)
def prophecy_numbers_of(cards: tuple[str, ...], facts: ProphetaCards) -> tuple[ProphecyNumbers, ...]:
    """Return the prophecies of a seat as numbers, the most valuable first."""
    prophecy_numbers = [
        (facts.points[card], ELEMENTS.index(facts.element[card]), _ROLES[facts.modality[card]]) for card in cards
    ]
    return tuple(sorted(prophecy_numbers, reverse=True))


_ROLES = {"Cardinal": CARDINAL, "Fixed": FIXED, "Mutable": MUTABLE}


@lru_cache(maxsize=8)
def _hand_values(facts: ProphetaCards) -> dict[str, float]:
    """Return the worth of keeping each card of the deck in hand."""
    return {card: RANK_STEP_POINTS * _rank_on_ladder(card, facts) for card in facts.ids}


def play_on(state: ProphetaState) -> ProphetaState | None:
    """Return the state after the last trick of the deal, or None if no trick is being played or a seat has conceded.

    `state` must not be used afterwards, because its position is changed.
    """
    if state.at.phase != PLAY or state.at.concessions.seats:
        return None
    TrickPlayer(state).play()
    return ProphetaState(state.rules, state.at)


class TrickPlayer:
    """A player of the remaining tricks of a deal, for all seats.

    `own` contains the mask of each seat's hand and prophecies, `shown` is the mask of the cards that all players have
    seen and remember.
    """

    def __init__(self, state: ProphetaState) -> None:
        self.position, self.rules, self.cards = state.at, state.rules, state.rules.cards
        self.index = index_of(self.cards, self.rules.literal, self.rules.seats)
        pairs = zip(self.position.hands, self.position.predictions, strict=True)
        self.own = [self.index.mask((*hand, *prophecies)) for hand, prophecies in pairs]
        self.shown = self.index.mask(_find_cards_seen_by_all(self.position, self.rules.remembers_all))

    def play(self) -> None:
        """Play to the end of the deal, and add up its points."""
        while self.position.hands[self.position.actor]:
            while len(self.position.trick) < self.rules.seats:
                self._put_down()
            self._finish_trick()
        close_deal(self.rules, self.position)

    def _put_down(self) -> None:
        """Put down the best allowed card of the seat that must play next, by the rules of thumb."""
        position, index, seat, trick = self.position, self.index, self.position.actor, self.position.trick
        hand = position.hands[seat]
        allowed_cards = playable_cards(hand, trick[0], self.cards) if trick and self.rules.must_follow else hand
        card = allowed_cards[0]
        if len(allowed_cards) > 1:
            unseen = index.all_cards & ~(self.shown | self.own[seat])
            prophecy_numbers = prophecy_numbers_of(position.predictions[seat], self.cards)
            others = len(position.hands) - len(trick) - 1
            card = allowed_cards[best_card_index(allowed_cards, index[trick], prophecy_numbers, unseen, others)]
        position.remove_from_hand(seat, card)
        position.trick = (*trick, card)
        position.actor = (seat + 1) % self.rules.seats
        self.shown |= index.card_bits[card]
        self.own[seat] &= ~index.card_bits[card]

    def _finish_trick(self) -> None:
        """Give the full trick to its winner, and turn up the fulfilled prophecies."""
        position, rules, cards = self.position, self.rules, self.position.trick
        seat: Seat = (position.leader + winner_index(cards, self.cards, rules.literal)) % rules.seats
        if not rules.remembers_all and position.tricks:
            self.shown &= ~self.index.mask(position.tricks[-1].cards)
        position.tricks, position.trick = (*position.tricks, Trick(position.leader, cards, seat)), ()
        position.leader = position.actor = seat
        position.shared = common_traits(cards, self.cards)
        if position.shared:
            self._turn_up_prophecies()

    def _turn_up_prophecies(self) -> None:
        """Turn up the most valuable prophecy of each seat that the trick fulfils."""
        position, points = self.position, self.cards.points
        for seat in range(self.rules.seats):
            if cards := fulfillable_prophecies(
                position.predictions[seat], position.shared, seat == position.leader, self.cards
            ):
                card = max(cards, key=points.__getitem__)
                turn_up(position, seat, card)
                self.shown |= self.index.card_bits[card]


def _find_cards_seen_by_all(position: ProphetaPosition, all_tricks: bool) -> Iterator[str]:
    yield from position.trick
    for trick in position.tricks if all_tricks else position.tricks[-1:]:
        yield from trick.cards
    for seat in position.fulfilled:
        yield from (prophecy.card for prophecy in seat)
