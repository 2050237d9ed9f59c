"""Rules of thumb for the Deck of Destiny: play one card fewer than the opponent, and more only to make a hand.

Played cards are lost, and a character without cards is out. Therefore no card is added to a hand that is good enough.
"""

from collections import Counter

from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, DONE, PROCEED, RETREAT
from vaultkit.games.deck_of_destiny.state import DestinyView
from vaultkit.games.hands import Category
from vaultkit.games.turn import Move

HOPELESS_HANDS = (Category.HIGH_CARD, Category.PAIR)
"""The hands with which to retreat from a strong opponent, if a retreat saves the played cards."""

STRONG_OPPONENT_CARDS = 4
"""The minimum number of cards of a strong opponent."""

GOOD_ENOUGH_HANDS = {
    1: Category.PAIR,
    2: Category.TWO_PAIRS,
    3: Category.TRIPLE,
    4: Category.STRAIGHT,
    5: Category.STRAIGHT,
    6: Category.FLUSH,
    7: Category.FULL_HOUSE,
}
"""The weakest hand that usually beats the opponent, by the opponent's number of cards."""

FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH)
STRAIGHTS = (Category.STRAIGHT, Category.STRAIGHT_FLUSH)


def choose(view: DestinyView) -> Move:
    """Return the move that the rules of thumb like best; the first of equals."""
    moves = view.moves
    if PROCEED in moves:
        return _choose_retreat(view)
    if DONE in moves:
        return _choose_addition(view, tuple(move for move in moves if move != DONE))
    if moves[0].verb == "play":
        return max(moves, key=lambda move: _rate_affinity(move.operands[0], view))
    return moves[0]


def _choose_retreat(view: DestinyView) -> Move:
    """Return RETREAT for a hopeless hand against a strong opponent if that saves the played cards, else PROCEED."""
    if not view.rules.has_option("keep_on_retreat", "yes") or view.rules.strength < STRONG_OPPONENT_CARDS:
        return PROCEED
    return RETREAT if _kind_of_hand(view.at.own, view) in HOPELESS_HANDS else PROCEED


def _rate_affinity(card: str, view: DestinyView) -> tuple[int, int, int, int]:
    """Return a sort key for how well a card goes with the other cards in the inventory.

    It consists of the cards that fit the hand that the encounter demands, the cards of equal rank, the card's rank, and
    the number of cards of its suits.
    """
    ranking = view.rules.cards.ranking
    rank_faces, suits = ranking.faces, set(ranking.suits(card))
    rank = rank_faces[card][0]
    equal_ranks = sum(rank_faces[held][0] == rank for held in view.at.inventory)
    suited_cards = tuple(held for held in view.at.inventory if suits.intersection(ranking.suits(held)))
    near_cards = tuple(held for held in view.at.inventory if abs(rank_faces[held][0] - rank) < BOARD_SIZE)
    demand_progress = _count_progress(suited_cards if view.rules.category in FLUSHES else near_cards, view)
    return demand_progress, equal_ranks, rank, len(suited_cards)


def _choose_addition(view: DestinyView, moves: tuple[Move, ...]) -> Move:
    """Return the move that adds the best card to the hand, or DONE if the hand needs no more cards."""
    if not moves or _is_good_enough(view):
        return DONE
    best = max(moves, key=lambda move: _rate_hand((*view.at.own, move.operands[0]), view))
    order = view.rules.cards.ranking.order
    hand_before, hand_after = _kind_of_hand(view.at.own, view), _kind_of_hand((*view.at.own, best.operands[0]), view)
    is_improved = order.strength(hand_after) > order.strength(hand_before)
    return best if is_improved or len(view.at.own) < _needed_card_count(view) else DONE


def _is_good_enough(view: DestinyView) -> bool:
    """Return whether the hand is what a passive encounter demands, or usually beats an opponent."""
    category = view.rules.category
    if len(view.at.own) + len(view.at.face_up) < BOARD_SIZE:
        return False
    if category is None:
        order = view.rules.cards.ranking.order
        wanted_hand = GOOD_ENOUGH_HANDS[view.rules.strength]
        return order.strength(_kind_of_hand(view.at.own, view)) >= order.strength(wanted_hand)
    return view.rules.can_make(category, view.at.own, view.at.face_up)


def _needed_card_count(view: DestinyView) -> int:
    """Return the number of cards to play at least: one fewer than the opponent, or more for a better demanded hand."""
    category = view.rules.category
    if category is None:
        return view.rules.strength - 1
    return 2 * view.rules.cards.ranking.order.strength(category)


def _rate_hand(own: tuple[str, ...], view: DestinyView) -> tuple[int, int, int, int]:
    """Return a sort key for the prospects of a hand.

    It consists of the cards that fit the hand that the encounter demands, the strength of its category, the number of
    cards of one suit if a flush is near, and the sum of its ranks.
    """
    faces = view.rules.cards.ranking.faces
    cards = (*own, *view.at.face_up)
    suited_count = _count_largest_suit(cards, view)
    kind = view.rules.cards.ranking.order.strength(_kind_of_hand(own, view))
    return (
        _count_progress(cards, view),
        kind,
        suited_count if suited_count >= BOARD_SIZE - 1 else 0,
        sum(faces[card][0] for card in own),
    )


def _count_progress(cards: tuple[str, ...], view: DestinyView) -> int:
    """Return how many of the cards fit the flush or straight that a passive encounter demands, 0 for other demands."""
    category, faces = view.rules.category, view.rules.cards.ranking.faces
    if category in FLUSHES:
        return _count_largest_suit(cards, view)
    if category not in STRAIGHTS:
        return 0
    ranks = {faces[card][0] for card in cards}
    runs = [range(low, low + BOARD_SIZE) for low in ranks]
    return max(len(ranks.intersection(run)) for run in (*runs, view.rules.cards.ranking.order.wheel))


def _kind_of_hand(own: tuple[str, ...], view: DestinyView) -> Category:
    """Return the category of the best hand from `own` and the open cards, or of all of them if they are too few."""
    if len(own) + len(view.at.face_up) < BOARD_SIZE:
        return view.rules.cards.ranking.value((*own, *view.at.face_up)).category
    return view.rules.find_best(own, view.at.face_up)[0].category


def _count_largest_suit(cards: tuple[str, ...], view: DestinyView) -> int:
    """Return the largest number of cards with one suit in common."""
    return max(Counter(suit for card in cards for suit in view.rules.cards.ranking.suits(card)).values())
