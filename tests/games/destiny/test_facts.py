"""The best hand still possible, compared with all boards, and the cost of a card (DD-3)."""

from itertools import combinations
from random import Random

import pytest

from tests.games.destiny.position import DECK, rules
from vaultkit.games.deck_of_destiny.facts import best_possible_category
from vaultkit.games.deck_of_destiny.state import DestinyPosition
from vaultkit.games.turn import HIDDEN, Pile

IDS = [card.id for card in DECK]


@pytest.mark.parametrize(("own", "open_cards"), [(1, 4), (2, 4), (3, 4), (5, 4), (1, 3), (3, 3)])
def test_best_possible_kind_of_hand_is_the_best_over_all_boards(own: int, open_cards: int) -> None:
    rng, encounter = Random(own * 10 + open_cards), rules()
    for _ in range(4 if open_cards == 4 else 2):
        drawn = rng.sample(IDS, own + open_cards + (25 if open_cards == 3 else 0))
        held, board, gone = drawn[:own], drawn[own : own + open_cards], drawn[own + open_cards :]
        unseen = [card for card in IDS if card not in drawn]
        at = DestinyPosition(Pile((HIDDEN,) * len(unseen)), inventory=tuple(gone))
        at.laid[0], at.board = tuple(held), [*board, *[HIDDEN] * (5 - open_cards)]
        boards = combinations(unseen, 5 - open_cards)
        best = max(encounter.find_best(tuple(held), (*board, *more))[0].strength for more in boards)
        assert encounter.cards.ranking.order.strength(best_possible_category(at, encounter)) == best
