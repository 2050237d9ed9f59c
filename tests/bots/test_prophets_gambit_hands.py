"""The hands that a search samples in Prophet's Gambit: they keep what is known, and are as strong as real hands."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import fmean

import pytest

from tests.counts import count
from tests.games.conformance import answer, deck_of
from vaultkit.bots.prophets_gambit import choose, deal_likely
from vaultkit.games.hands import CardGroup
from vaultkit.games.options import resolve
from vaultkit.games.prophets_gambit.game import ProphetsGambit
from vaultkit.games.prophets_gambit.rules import KILL
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.turn import Chance, Prompt

GAME = ProphetsGambit()
DECK = deck_of(GAME)
TWO_PAIRS = 2


def decisions(seed: int) -> Iterator[tuple[GambitState, Prompt]]:
    """Yield each position of a game between greedy bots in which a seat decides, with the prompt."""
    rng, state = Random(seed), GAME.new(3, resolve(GAME.options, {}, GAME.title), DECK)
    while (turn := state.turn) is not None:
        if isinstance(turn, Prompt):
            yield state, turn
        state.apply(answer(state, rng) if isinstance(turn, Chance) else choose(state.view(turn.seat)))


def strong_share(state: GambitState, seat: int) -> float:
    """Return the share of the other seats' hands that are two pairs or better, counting their Fate and the Focus."""
    at, ranking = state.at, state.rules.cards.ranking
    others = [(*at.hands[one], *filter(None, (at.fates[one], at.focus))) for one in range(3) if one != seat]
    values = [ranking.find_best([CardGroup(cards)], len(cards)) for cards in others]
    return fmean(value is not None and value[0].strength >= TWO_PAIRS for value in values)


def test_known_cards_of_a_seat_stay_and_no_card_is_lost() -> None:
    for seed in range(count(1, 30)):
        for state, turn in islice(decisions(seed), 5, None, 4):
            view, rng = state.view(turn.seat), Random(seed)
            deal = GAME.determinize(view, rng)
            before = sorted(deal.cards())
            deal_likely(view, deal, rng)
            assert deal.view(turn.seat) == view and sorted(deal.cards()) == before


def test_every_hand_is_equally_likely_before_any_card_is_shown() -> None:
    state, turn = next(decisions(1))
    view = state.view(turn.seat)
    deal = GAME.determinize(view, Random(1))
    hands = [*deal.at.hands]
    deal_likely(view, deal, Random(1))
    assert deal.at.hands == hands


@pytest.mark.slow
@pytest.mark.parametrize("games", [15, pytest.param(150, marks=pytest.mark.slow)])
def test_pg23_at_the_execution_others_hold_cards_nobody_would_have_played(games: int) -> None:
    found = []
    for seed in range(games):
        for state, turn in decisions(seed):
            if KILL in turn.moves:
                view, rng = state.view(turn.seat), Random(seed)
                deals = [GAME.determinize(view, rng) for _ in range(2)]
                deal_likely(view, deals[1], rng)
                found.append([strong_share(one, turn.seat) for one in (state, *deals)])
    truth, at_random, likely = map(fmean, zip(*found, strict=True))
    assert at_random < 0.35 < likely < truth + 0.15, (truth, at_random, likely)
