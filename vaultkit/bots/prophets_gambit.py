"""Prophet's Gambit for bots: rules of thumb, and sampling of likely hands of other players.

The rules of thumb keep the three cards that go best with Fate and Focus, and draw if allowed. Nobody keeps bad cards: a
hand dealt at random is far worse than the hands that people and bots hold, so hands are sampled by the cards played.
"""

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp

from vaultkit.games.hands import HandRanking, HandValue
from vaultkit.games.messages import Seat
from vaultkit.games.prophets_gambit.card_play import earns_draw
from vaultkit.games.prophets_gambit.ending import final_value, remaining_hands
from vaultkit.games.prophets_gambit.rules import ABOVE_NINE
from vaultkit.games.prophets_gambit.state import GambitState, GambitView
from vaultkit.games.turn import HIDDEN, Move, Pile, Rng

FOCUS_ALIVE_WEIGHT = 0.75
"""The weight of a hand with the Focus; the rest, up to 1, is that of the hand without it, if the Focus is killed."""

DRAW_BONUS = 0.25
"""The worth of drawing a card, where a hand of the next category is worth 1 more."""

RISK_BONUS, POOR_HAND_SCORE = 0.15, 2.5
"""The worth of a risk, and the worth of a hand from which on a risk counts negatively."""


HAND_SAMPLES = 12
"""The number of random hands for a seat, of which one is picked by its likelihood."""

KEEP_ERROR_SCALE = 0.1
"""The difference in worth from the best hand that a seat could have kept which makes a hand e times less likely.

A hand of the next category is worth 1 more.
"""

CATEGORY_WEIGHTS = (0.0, 0.4, 1.5)
"""The weight of the worth of a hand in its likelihood, by the round.

It grows because players draw cards and discard the worse ones.
"""

_RANDOM_STEPS = 1 << 30


def choose(view: GambitView) -> Move:
    """Return the move that the rules of thumb like best; the first of equals."""
    return max(view.moves, key=lambda move: _rate_move(move, view))


def _rate_move(move: Move, view: GambitView) -> float:
    """Return the worth of a move, which can be compared with other moves of the same prompt."""
    match move.verb:
        case "play" | "risk" | "show":
            worth = _rate_turn(move, view)
        case "discard" | "pass" | "offer":
            worth = _rate_own_cards(_remove_cards(_hand(view), move.operands), view)
        case "take":
            worth = _rate_own_cards((*_hand(view), move.operands[0]), view)
        case "demand":
            worth = -_rate_others_loss(move.operands[0], view)
        case "keep":
            worth = _rate_own_cards(_hand(view), view)
        case "replace":
            worth = _rate_new_fate(view)
        case "save":
            worth = _rate_saving_focus(view)
        case "target" | "order":
            worth = _rate_target(move, view)
        case _:
            worth = 1.0 if move.verb == "draw-one" else 0.0
    return worth


def _hand(view: GambitView) -> tuple[str, ...]:
    return view.at.hands[view.seat]


def _fate(view: GambitView) -> str | None:
    return view.at.fates[view.seat]


def _hand_score(value: HandValue) -> float:
    """Return the score of a hand: 1 for each step of its category, and ever smaller parts for its ranks."""
    return value.strength + sum(rank / (ABOVE_NINE + 1.0) ** position for position, rank in enumerate(value.ranks, 1))


def rate_best_three(hand: Sequence[str], fate: str | None, focus: str | None, ranking: HandRanking) -> float:
    """Return the worth of the best three cards of a hand with the Fate, averaged over a living and a killed Focus."""
    return max([_rate_three(three, fate, focus, ranking) for three in remaining_hands(hand)])


def _rate_cards(hand: Sequence[str], fate: str | None, view: GambitView) -> float:
    return rate_best_three(hand, fate, view.at.focus, view.rules.cards.ranking)


@lru_cache(maxsize=1 << 16)
def _rate_three(three: tuple[str, ...], fate: str | None, focus: str | None, ranking: HandRanking) -> float:
    """Return the worth of three cards with the Fate, averaged over a living and a killed Focus."""
    score_without_focus = _hand_score(final_value(three, fate, None, ranking))
    score_with_focus = score_without_focus if focus is None else _hand_score(final_value(three, fate, focus, ranking))
    return FOCUS_ALIVE_WEIGHT * score_with_focus + (1 - FOCUS_ALIVE_WEIGHT) * score_without_focus


def _rate_own_cards(hand: Sequence[str], view: GambitView) -> float:
    return _rate_cards(hand, _fate(view), view)


def _remove_cards(hand: Sequence[str], cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(card for card in hand if card not in cards)


def _rate_turn(move: Move, view: GambitView) -> float:
    """Return the worth of the hand after a card is played, and of the draw or the risk that the move brings."""
    card = move.operands[0]
    remaining_worth = _rate_own_cards(_remove_cards(_hand(view), (card,)), view)
    if move.verb == "risk":
        return remaining_worth + (RISK_BONUS if remaining_worth < POOR_HAND_SCORE else -RISK_BONUS)
    number = view.rules.cards.number[card] or 0
    if move.verb == "play" and earns_draw(view, view.seat, card):
        return remaining_worth + DRAW_BONUS - number / 1000
    return remaining_worth + number / 1000


def _rate_others_loss(card: str, view: GambitView) -> float:
    """Return the worth of the hand of another player, who holds `card`, without that card."""
    owner = next(seat for seat, hand in enumerate(view.at.hands) if seat != view.seat and card in hand)
    return _rate_cards(_remove_cards(view.at.hands[owner], (card,)), view.at.fates[owner] or None, view)


def _rate_new_fate(view: GambitView) -> float:
    """Return the average worth of the hand with a new Fate, drawn from all unseen cards."""
    visible_cards = view.seen
    unseen = [card for card in view.rules.cards.common if card not in visible_cards]
    return sum(_rate_cards(_hand(view), card, view) for card in unseen) / max(1, len(unseen))


def _rate_saving_focus(view: GambitView) -> float:
    """Return a number above 0 if the Focus lifts the seat's hand into a higher category, else one below 0."""
    ranking = view.rules.cards.ranking
    hand, fate = _hand(view), _fate(view)
    strengths = [final_value(hand, fate, focus, ranking).strength for focus in (view.at.focus, None)]
    return strengths[0] - strengths[1] - 0.5


def _rate_target(move: Move, view: GambitView) -> float:
    """Return the worth of a target: the number that it shows, and a bonus for an order to play the lowest card."""
    target: Seat = int(move.operands[0])
    shown_number = view.rules.cards.number[view.at.shown[target][-1]] or 0
    return shown_number + (0.5 if move.operands[1:] == ("lowest",) else 0.0)


def deal_likely(view: GambitView, state: GambitState, rng: Rng) -> None:
    """Deal the hidden hands in `state` anew, by likelihood, from the cards that the seat of `view` does not see."""
    for seat in state.rules.clockwise(view.seat):
        if seat != view.seat and state.at.shown[seat] and HIDDEN in view.at.hands[seat]:
            _deal_likely_hand(seat, view, state, rng)


def _deal_likely_hand(seat: Seat, view: GambitView, state: GambitState, rng: Rng) -> None:
    """Deal a hand to a seat: one of several random hands, weighted by how likely the seat is to have kept it."""
    at = state.at
    visible_cards = [card for card in view.at.hands[seat] if card != HIDDEN]
    hidden_count = len(at.hands[seat]) - len(visible_cards)
    pool = [*(card for card in at.hands[seat] if card not in visible_cards), *at.common.unknown]
    hands: list[tuple[str, ...]] = []
    for _ in range(HAND_SAMPLES):
        rng.shuffle(pool)
        hands.append((*visible_cards, *pool[:hidden_count]))
    cumulative_weights = [*accumulate(_likelihood(hand, seat, state) for hand in hands)]
    random_weight = rng.randrange(_RANDOM_STEPS) / _RANDOM_STEPS * cumulative_weights[-1]
    hand = hands[bisect(cumulative_weights, random_weight, hi=HAND_SAMPLES - 1)]
    at.hands[seat] = tuple(sorted(hand, key=state.rules.cards.place.__getitem__))
    at.common = Pile(tuple(sorted({*pool}.difference(hand))), at.common.bottom)


def _likelihood(hand: tuple[str, ...], seat: Seat, state: GambitState) -> float:
    """Return a weight for how likely the seat is to have kept a hand and played the cards that it has shown."""
    at, ranking = state.at, state.rules.cards.ranking
    worth = rate_best_three(hand, at.fates[seat], at.focus, ranking)
    missed_worth = rate_best_three((*hand, *at.shown[seat]), at.fates[seat], at.focus, ranking) - worth
    return exp(CATEGORY_WEIGHTS[at.round] * worth - missed_worth / KEEP_ERROR_SCALE)
