"""Sampling of likely hands of other players in Prophet's Gambit, by the cards that they have played.

Nobody keeps bad cards: a hand dealt at random is far worse than the hands that people and bots hold.
"""

from itertools import accumulate
from math import exp

from vaultkit.bots.greedy_prophets_gambit import rate_best_three
from vaultkit.games.messages import Seat
from vaultkit.games.prophets_gambit.state import GambitState, GambitView
from vaultkit.games.turn import HIDDEN, Pile, Rng

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
    hand = next(
        (
            hand
            for hand, cumulative_weight in zip(hands, cumulative_weights, strict=True)
            if random_weight < cumulative_weight
        ),
        hands[-1],
    )
    at.hands[seat] = tuple(sorted(hand, key=state.rules.cards.place.__getitem__))
    at.common = Pile(tuple(sorted({*pool}.difference(hand))), at.common.bottom)


def _likelihood(hand: tuple[str, ...], seat: Seat, state: GambitState) -> float:
    """Return a weight for how likely the seat is to have kept a hand and played the cards that it has shown."""
    at, ranking = state.at, state.rules.cards.ranking
    worth = rate_best_three(hand, at.fates[seat], at.focus, ranking)
    missed_worth = rate_best_three((*hand, *at.shown[seat]), at.fates[seat], at.focus, ranking) - worth
    return exp(CATEGORY_WEIGHTS[at.round] * worth - missed_worth / KEEP_ERROR_SCALE)
