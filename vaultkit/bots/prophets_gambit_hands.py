"""Likely hands of other players in Prophet's Gambit, given the cards that they have discarded.

Nobody keeps bad cards: a hand dealt at random is far worse than the hands that people, and greedy bots, hold.
"""

from itertools import accumulate
from math import exp

from vaultkit.bots.greedy_prophets_gambit import promise
from vaultkit.games.messages import Seat
from vaultkit.games.prophets_gambit.state import GambitState, GambitView
from vaultkit.games.turn import HIDDEN, Pile, Rng

HAND_SAMPLES = 12
"""The number of hands dealt to a seat, of which one is picked."""

KEEP_ERROR_SCALE = 0.1
"""The scale, in categories of hands, for mistakes in keeping cards.

A hand that is worse by this much than the best that the seat could have kept is e times less likely.
"""

CATEGORY_WEIGHTS = (0.0, 0.4, 1.5)
"""The weight of each category in favour of a hand, by the round.

It grows because players also draw cards and discard the worse ones.
"""

_RANDOM_STEPS = 1 << 30


def deal_likely(view: GambitView, state: GambitState, rng: Rng) -> None:
    """Deal the hidden hands of `state` again from the cards that the viewer does not see, weighted by likelihood."""
    for seat in state.rules.clockwise(view.seat):
        if seat != view.seat and state.at.shown[seat] and HIDDEN in view.at.hands[seat]:
            _deal(seat, view, state, rng)


def _deal(seat: Seat, view: GambitView, state: GambitState, rng: Rng) -> None:
    """Deal several hands to a seat and pick one at random, weighted by how likely the seat is to have kept it."""
    at = state.at
    visible_cards = [card for card in view.at.hands[seat] if card != HIDDEN]
    hidden = len(at.hands[seat]) - len(visible_cards)
    pool = [*(card for card in at.hands[seat] if card not in visible_cards), *at.common.unknown]
    hands: list[tuple[str, ...]] = []
    for _ in range(HAND_SAMPLES):
        rng.shuffle(pool)
        hands.append((*visible_cards, *pool[:hidden]))
    chances = [*accumulate(_likelihood(hand, seat, state) for hand in hands)]
    lot = rng.randrange(_RANDOM_STEPS) / _RANDOM_STEPS * chances[-1]
    hand = next((hand for hand, chance in zip(hands, chances, strict=True) if lot < chance), hands[-1])
    at.hands[seat] = tuple(sorted(hand, key=state.rules.cards.place.__getitem__))
    at.common = Pile(tuple(sorted({*pool}.difference(hand))), at.common.bottom)


def _likelihood(hand: tuple[str, ...], seat: Seat, state: GambitState) -> float:
    """Return a weight for how likely the seat is to have kept a hand and shown the cards in front of it."""
    at, ranking = state.at, state.rules.cards.ranking
    worth = promise(hand, at.fates[seat], at.focus, ranking)
    missed = promise((*hand, *at.shown[seat]), at.fates[seat], at.focus, ranking) - worth
    return exp(CATEGORY_WEIGHTS[at.round] * worth - missed / KEEP_ERROR_SCALE)
