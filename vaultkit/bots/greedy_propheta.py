"""Rules of thumb for Propheta: predict likely and valuable tricks, then play each card for its immediate gain."""

from collections.abc import Sequence
from functools import lru_cache

from vaultkit.bots.propheta_bitsets import NOT_LEADING_MASK, TrickRow, index_of
from vaultkit.games.propheta.deal import ProphetaView
from vaultkit.games.propheta.rules import ELEMENTS, ProphetaCards
from vaultkit.games.turn import Move

FULFILMENT_RATES = {
    2: {"Fire": 0.24, "Earth": 0.32, "Air": 0.24, "Water": 0.26},
    3: {"Fire": 0.05, "Earth": 0.10, "Air": 0.05, "Water": 0.13},
    4: {"Fire": 0.01, "Earth": 0.03, "Air": 0.01, "Water": 0.07},
}
"""The share of tricks that fulfil a prophecy of each element, by the number of players (VA-23)."""

STEERING_FACTOR = 2.0
"""The factor by which a trick that fulfils a prophecy gets likelier if its seat plays for it."""

RANK_STEP_POINTS = 0.05
"""The worth, in points, of each step on the ladder of ranks for a card in hand."""


CARDINAL, FIXED, MUTABLE = range(3)

ClaimNumbers = tuple[int, int, int]
"""A prophecy as numbers: its points, the index of its element, and its role (CARDINAL, FIXED or MUTABLE)."""


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
    return float(facts.points[card] * chance - RANK_STEP_POINTS * _height_on_ladder(card, facts))


@lru_cache(maxsize=1 << 14)
def _count_of_sign(prophecies: tuple[str, ...], card: str, facts: ProphetaCards) -> int:
    """Return how many of the prophecies have the same element and modality as the card."""
    sign = facts.element[card], facts.modality[card]
    return sum((facts.element[prophecy], facts.modality[prophecy]) == sign for prophecy in prophecies)


def _role_chance(card: str, win_chance: float, facts: ProphetaCards) -> float:
    """Return the chance of winning or losing a trick as the prophecy demands; `win_chance` is that of winning."""
    return {"Cardinal": win_chance, "Fixed": 1 - win_chance, "Mutable": 1.0}[facts.modality[card]]


def _height_on_ladder(card: str, facts: ProphetaCards) -> float:
    """Return the height of a card on the ladder of its own element: 0 for the 0, 1 for a scrap, and more for others."""
    return float(facts.ladder[facts.element[card]][card] // 4)


def _choose_card_index(view: ProphetaView, hand: Sequence[str]) -> int:
    """Return the index in `hand` of the card to play."""
    at, index = view.at, index_of(view.rules.cards, view.rules.literal, view.seats)
    unseen = index.all - index.mask(view.seen)
    claims = claims_of(at.predictions[view.seat], view.rules.cards)
    return best_card_index(hand, index[at.trick], claims, unseen, view.seats - len(at.trick) - 1)


def best_card_index(
    hand: Sequence[str], row: TrickRow, claims: Sequence[ClaimNumbers], unseen: int, remaining_cards: int
) -> int:
    """Return the index in `hand` of the best card for the trick of `row`, which gets `remaining_cards` more after it.

    The worth of a card is the chance to win the trick, plus the points of the best prophecy times the chance that the
    trick fulfils it, less the worth of the card in hand. `claims` are the seat's prophecies, the most valuable first.
    `unseen` is the mask of the cards that the seat has not seen, any of which may come next.
    """
    best_worth, best_index, all_unseen, value_in_hand = -1.0, 0, unseen.bit_count(), _hand_values(row.facts)
    for card_index, card in enumerate(hand):
        beaten_by, masks_by_element = row[card]
        win_chance = float(beaten_by != NOT_LEADING_MASK)
        if remaining_cards and win_chance:
            win_chance = (1 - (unseen & beaten_by).bit_count() / all_unseen) ** remaining_cards
        fulfilment_points = 0.0
        for points, element, role in claims:
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
def claims_of(prophecies: tuple[str, ...], facts: ProphetaCards) -> tuple[ClaimNumbers, ...]:
    """Return the prophecies of a seat as numbers, the most valuable first."""
    claims = [
        (facts.points[card], ELEMENTS.index(facts.element[card]), _ROLES[facts.modality[card]]) for card in prophecies
    ]
    return tuple(sorted(claims, reverse=True))


_ROLES = {"Cardinal": CARDINAL, "Fixed": FIXED, "Mutable": MUTABLE}


@lru_cache(maxsize=8)
def _hand_values(facts: ProphetaCards) -> dict[str, float]:
    """Return the worth of keeping each card of the deck in hand."""
    return {card: RANK_STEP_POINTS * _height_on_ladder(card, facts) for card in facts.ids}
