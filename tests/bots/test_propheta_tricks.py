"""The fast way to finish a deal of Propheta: it plays the same cards as the moves one by one, under all options."""

from random import Random

import pytest

from tests.counts import count
from tests.games.conformance import answer
from tests.games.propheta.position import DECK, GAME, complete
from vaultkit.bots.propheta import NOT_LEADING_MASK, choose, index_of, play_on
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.rules import CONDITIONS, ELEMENTS, common_traits, make_cards, winner_index
from vaultkit.games.propheta.state import PLAY
from vaultkit.games.turn import Chance, Prompt

FACTS = make_cards(DECK)
HOUSES: tuple[dict[str, object], ...] = (
    {},
    {"follow": "element", "leak_guard": "false"},
    {"zero_tiebreak": "literal", "target": 20},
    {"reveal": "simultaneous", "memory": "last-trick"},
)


def walk_to_the_end(state: ProphetaState) -> ProphetaState:
    """Play the deal to its end with the guide's choice at every prompt."""
    deals = len(state.at.deals)
    while len(state.at.deals) == deals:
        assert isinstance(state.turn, Prompt)
        state.apply(choose(state.view(state.turn.seat)))
    return state


def tricks_begun(seed: int, seats: int, house: dict[str, object]) -> ProphetaState:
    """Return a position in the tricks of a deal, reached by random moves."""
    rng, state = Random(seed), GAME.new(seats, complete(**house), DECK)
    moves = rng.randrange(5, 60)
    while state.at.phase != PLAY or len(state.at.tricks) < moves // 8 or len(state.at.trick) < moves % seats:
        turn = state.turn
        state.apply(answer(state, rng) if isinstance(turn, Chance) else rng.choice(turn.moves))  # type: ignore[union-attr]
    return state


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_va4_to_va16_deal_played_at_once_equals_the_deal_played_move_by_move(house: dict[str, object]) -> None:
    for seed in range(count(2, 200)):
        for seats in (2, 3, 4):
            state = tricks_begun(seed, seats, house)
            at_once = play_on(state.clone())
            assert at_once is not None
            assert at_once.at == walk_to_the_end(state).at


def test_shortcut_is_not_used_outside_tricks() -> None:
    assert play_on(GAME.new(2, complete(), DECK)) is None


@pytest.mark.parametrize("literal", [False, True])
def test_va5_to_va11_index_agrees_with_the_rules(literal: bool) -> None:
    index, rng = index_of(FACTS, literal, 4), Random(1)
    for _ in range(count(40, 5000)):
        cards = tuple(rng.sample(FACTS.ids, rng.randrange(1, 5)))
        beaten_by, met_after = index[cards[:-1]][cards[-1]]
        wins, common = winner_index(cards, FACTS, literal) == len(cards) - 1, common_traits(cards, FACTS)
        assert (beaten_by == NOT_LEADING_MASK) is not wins
        following = rng.choice(FACTS.ids)
        beaten = winner_index((*cards, following), FACTS, literal) != len(cards) - 1
        if wins and following not in cards and len(cards) < 4:
            assert bool(beaten_by & index.card_bits[following]) is beaten, (
                "by this card, or by a 0 that it lifts (VA-7)"
            )
        met = [bool(common & FACTS.traits[following] & CONDITIONS[element]) for element in ELEMENTS]
        assert [bool(kept & index.card_bits[following]) for kept in met_after] == met
