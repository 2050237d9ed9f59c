"""Rules of thumb for the Deck of Destiny: play one card fewer than the opponent, and more only to make a hand.

Cards played are lost, and a character without cards is lost, too. So a hand that is good enough gets no more cards.
"""

from collections import Counter

from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, DONE, PROCEED, RETREAT
from vaultkit.games.deck_of_destiny.state import DestinyView
from vaultkit.games.hands import Category
from vaultkit.games.turn import Move

HOPELESS_HANDS = (Category.HIGH_CARD, Category.PAIR)
"""The hands to retreat with from an opponent of `STRONG_OPPONENT_CARDS` cards, if a retreat saves the played cards."""

STRONG_OPPONENT_CARDS = 4

GOOD_ENOUGH_HANDS = {
    1: Category.PAIR,
    2: Category.TWO_PAIRS,
    3: Category.TRIPLE,
    4: Category.STRAIGHT,
    5: Category.STRAIGHT,
    6: Category.FLUSH,
    7: Category.FULL_HOUSE,
}
"""The hands that mostly beat the opponent's, by the opponent's number of cards."""

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
        return max(moves, key=lambda move: _affinity(move.operands[0], view))
    return moves[0]


def _choose_retreat(view: DestinyView) -> Move:
    """Return whether to retreat, as a move: only if it saves the played cards, since staying costs nothing more."""
    if not view.rules.has_option("keep_on_retreat", "yes") or view.rules.strength < STRONG_OPPONENT_CARDS:
        return PROCEED
    return RETREAT if _kind_of_hand(view.at.own, view) in HOPELESS_HANDS else PROCEED


def _affinity(card: str, view: DestinyView) -> tuple[int, int, int, int]:
    """Return how well a card goes with the rest of the inventory, as a key to compare cards.

    The parts are the progress to the hand the encounter demands, equal ranks, the card's rank, and cards of its suit.
    """
    ranking = view.rules.cards.ranking
    faces, suits = ranking.faces, set(ranking.suits(card))
    rank = faces[card][0]
    equal = sum(faces[held][0] == rank for held in view.at.inventory)
    suited = tuple(held for held in view.at.inventory if suits.intersection(ranking.suits(held)))
    near = tuple(held for held in view.at.inventory if abs(faces[held][0] - rank) < BOARD_SIZE)
    demand_progress = _progress(suited if view.rules.category in FLUSHES else near, view)
    return demand_progress, equal, rank, len(suited)


def _choose_addition(view: DestinyView, moves: tuple[Move, ...]) -> Move:
    """Return the move that adds the most promising card, or DONE if the hand needs none and gets no better."""
    if not moves or _is_good_enough(view):
        return DONE
    best = max(moves, key=lambda move: _promise((*view.at.own, move.operands[0]), view))
    order = view.rules.cards.ranking.order
    now, then = _kind_of_hand(view.at.own, view), _kind_of_hand((*view.at.own, best.operands[0]), view)
    improves = order.strength(then) > order.strength(now)
    return best if improves or len(view.at.own) < _needed_card_count(view) else DONE


def _is_good_enough(view: DestinyView) -> bool:
    """Return whether the hand is good enough: for a passive encounter what it demands, else one that mostly wins."""
    category = view.rules.category
    if len(view.at.own) + len(view.at.face_up) < BOARD_SIZE:
        return False
    if category is None:
        order = view.rules.cards.ranking.order
        return order.strength(_kind_of_hand(view.at.own, view)) >= order.strength(
            GOOD_ENOUGH_HANDS[view.rules.strength]
        )
    return view.rules.can_make(category, view.at.own, view.at.face_up)


def _needed_card_count(view: DestinyView) -> int:
    """Return how many cards are enough: one fewer than the opponent has, or two for each step of the demanded hand."""
    category = view.rules.category
    if category is None:
        return view.rules.strength - 1
    return 2 * view.rules.cards.ranking.order.strength(category)


def _promise(own: tuple[str, ...], view: DestinyView) -> tuple[int, int, int, int]:
    """Return the prospects of a hand as a key to compare hands.

    The parts are the progress to the hand the encounter demands, its kind, its cards of one suit, and its ranks.
    """
    faces = view.rules.cards.ranking.faces
    cards = (*own, *view.at.face_up)
    suited = _most_of_a_suit(cards, view)
    kind = view.rules.cards.ranking.order.strength(_kind_of_hand(own, view))
    return _progress(cards, view), kind, suited if suited >= BOARD_SIZE - 1 else 0, sum(faces[card][0] for card in own)


def _progress(cards: tuple[str, ...], view: DestinyView) -> int:
    """Return how many of the cards fit the flush or the straight that a passive encounter demands, else 0."""
    category, faces = view.rules.category, view.rules.cards.ranking.faces
    if category in FLUSHES:
        return _most_of_a_suit(cards, view)
    if category not in STRAIGHTS:
        return 0
    ranks = {faces[card][0] for card in cards}
    runs = [range(low, low + BOARD_SIZE) for low in ranks]
    return max(len(ranks.intersection(run)) for run in (*runs, view.rules.cards.ranking.order.wheel))


def _kind_of_hand(own: tuple[str, ...], view: DestinyView) -> Category:
    """Return the category of the best hand so far; with fewer than five cards, of the cards there are."""
    if len(own) + len(view.at.face_up) < BOARD_SIZE:
        return view.rules.cards.ranking.value((*own, *view.at.face_up)).category
    return view.rules.find_best(own, view.at.face_up)[0].category


def _most_of_a_suit(cards: tuple[str, ...], view: DestinyView) -> int:
    """Return the largest number of cards with one suit in common."""
    return max(Counter(suit for card in cards for suit in view.rules.cards.ranking.suits(card)).values())
