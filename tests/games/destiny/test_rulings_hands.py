"""Rulings DD-5, DD-9, DD-10, DD-16, DD-18 and DD-20: the values of hands, and who wins."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.conformance import answer
from tests.games.destiny.position import DECK, GAME, cards, complete, play_combat, play_passive, rules
from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.hands import Category
from vaultkit.games.turn import Chance


def test_dd_5_opponent_follows_the_same_limit() -> None:
    game = play_combat("2S", "AS KS QS JS TS", "3D 4H 5C 7C 9D", reward="none")
    assert game.state.at.end is not None and game.state.at.end.opponent_best is not None
    best = game.state.at.end.opponent_best
    assert best.value.category is Category.HIGH_CARD or not set(best.cards) <= set(cards("AS KS QS JS TS"))
    free = play_combat("2S", "AS KS QS JS TS", "3D 4H 5C 7C 9D", board_min=0)
    assert free.state.at.end is not None and free.state.at.end.opponent_best is not None
    assert free.state.at.end.opponent_best.value.category is Category.STRAIGHT_FLUSH


def test_dd_5_five_board_cards_are_allowed_unless_an_own_card_is_required() -> None:
    board = cards("AS KS QS JS TS")
    assert rules().find_best(cards("2C"), board)[0].category is Category.STRAIGHT_FLUSH
    assert rules(own_min=1).find_best(cards("2C"), board)[0].category is Category.HIGH_CARD


WHOLE_DECK = [card.id for card in DECK]


@pytest.mark.slow
@given(st.lists(st.sampled_from(WHOLE_DECK), min_size=6, max_size=9, unique=True), st.integers(0, 1), st.integers(0, 1))
def test_dd_5_best_hand_uses_the_required_cards(drawn: list[str], board_min: int, own_min: int) -> None:
    board, own = tuple(drawn[:5]), tuple(drawn[5:])
    table = rules(board_min=board_min, own_min=own_min)
    value, hand = table.find_best(own, board)
    assert len(set(hand)) == 5 and set(hand) <= set(drawn)
    assert len(set(hand) & set(board)) >= board_min and len(set(hand) & set(own)) >= own_min
    assert value == table.cards.ranking.value(hand)
    assert value >= max(table.find_best((card,), board)[0] for card in own)


@pytest.mark.parametrize(
    ("requires", "passive", "kind"),
    [
        ("pair", "at-least", "win"),
        ("two pairs", "at-least", "win"),
        ("three_of_a_kind", "at-least", "loss"),
        ("pair", "exact", "win"),
        ("high-card", "exact", "win"),
        ("three-of-a-kind", "exact", "loss"),
    ],
)
def test_dd_9_hand_requested_by_a_passive_encounter(requires: str, passive: str, kind: str) -> None:
    game = play_passive("AS JD", "AC JH 4H 9S 2D", requires, passive=passive, reward="none")
    assert game.outcome.kind == kind and game.outcome.rulings == ("DD-9",)
    assert ("exactly" in str(game.outcome.reason.values)) is (passive == "exact")
    assert not any(event.kind == "opponent" for event in game.events)


@pytest.mark.parametrize("requires", ["royal", "two", ""])
def test_dd_9_an_unknown_hand_is_refused_with_a_list(requires: str) -> None:
    with pytest.raises(UsageError) as caught:
        complete(requires=requires)
    assert "full-house" in caught.value.hint


def test_dd_10_a_tie_may_be_a_win() -> None:
    game = play_combat("2C", "3D", "AC AD KH KS QD", tie="won").rest()
    assert game.outcome.kind == "win" and game.outcome.rulings == ("DD-10",) and len(game.inventory) == 2


def test_dd_10_replay_deals_all_but_the_own_cards_again() -> None:
    game = play_combat("2C", "3D", "AC AD KH KS QD", tie="replay")
    assert game.state.at.own == cards("2C") and game.state.at.face_up == ()
    assert (game.chance.name, len(game.chance.pile)) == ("opponent", 51)
    game.luck("3D", "opponent").luck("AC AD KH KS QD", "board")
    assert len(game.state.at.ties) == 2
    game.luck("3H", "opponent").luck("2D 4H 9S JC KD", "board").rest()
    assert game.outcome.kind == "win" and dict(game.outcome.facts)["Equal hands before"].values == (2,)


def test_dd_10_deck_that_only_ties_does_not_replay_forever() -> None:
    flat = Deck("flat", "Flat Deck", tuple(Card(f"c{n}", f"Card {n}", (f"s{n}",), 7) for n in range(20)))
    state = GAME.new(1, complete(deck="flat deck", tie="replay", inventory=1), flat)
    rng = Random(0)
    while state.turn is not None:
        state.apply(answer(state, rng) if isinstance(state.turn, Chance) else state.turn.moves[0])
    assert state.at.end is not None and state.at.end.kind == "tie" and len(state.at.ties) == 100


def test_dd_16_equal_kinds_are_compared_by_ranks_then_kickers_and_never_by_suit() -> None:
    table = rules()
    board = cards("KH KS 9D 4C 2D")
    high, low = table.find_best(cards("AH"), board)[0], table.find_best(cards("QH"), board)[0]
    assert high > low and high == table.find_best(cards("AC"), board)[0]
    royal = table.cards.ranking.value(cards("AS KS QS JS TS"))
    steel = table.cards.ranking.value(cards("5S 4S 3S 2S AS"))
    assert royal.category is steel.category is Category.STRAIGHT_FLUSH and royal > steel
    around = table.cards.ranking.value(cards("KS AS 2D 3S 4S"))
    assert around.category is Category.HIGH_CARD


@pytest.mark.parametrize(("own", "opponent", "kind"), [("AH", "QH", "win"), ("QH", "AC", "loss"), ("AH", "AC", "tie")])
def test_dd_16_kicker_decides_an_encounter(own: str, opponent: str, kind: str) -> None:
    game = play_combat(own, opponent, "KH KS 9D 4C 2D", reward="none")
    assert game.outcome.kind == kind
    assert game.outcome.rulings == (("DD-10",) if kind == "tie" else ("DD-16", "DD-18"))
    assert kind == "tie" or "both make" in game.outcome.reason.words


def test_dd_18_opponent_has_no_choice_and_uses_its_best_hand() -> None:
    game = play_combat("2S", "9C 9D 3D", "9H 9S KC 7D 5C", reward="none")
    assert game.state.at.end is not None and game.state.at.end.opponent_best is not None
    assert game.state.at.end.opponent_best.value.category is Category.FOUR
    assert {event.seat for event in game.events} == {0, None}, "the opponent has no seat"


def chance_to_win(own: int, strength: int, deals: int) -> float:
    """Return the share of wins with `own` random cards against `strength` random cards."""
    table, rng, won = rules(strength=strength), Random(f"{own} {strength}"), 0
    for _ in range(deals):
        dealt = tuple(rng.sample(WHOLE_DECK, 5 + own + strength))
        board, mine, theirs = dealt[:5], dealt[5 : 5 + own], dealt[5 + own :]
        won += table.find_best(mine, board)[0] > table.find_best(theirs, board)[0]
    return won / deals


@pytest.mark.short(2)
@pytest.mark.parametrize(("own", "strength", "anchor"), [(1, 1, 0.44), (2, 1, 0.69), (3, 3, 0.50), (1, 3, 0.15)])
def test_dd_20_chances_match_the_page(own: int, strength: int, anchor: float) -> None:
    assert abs(chance_to_win(own, strength, 400) - anchor) < 0.08


@pytest.mark.slow
@pytest.mark.parametrize(
    ("own", "anchors"),
    [
        (1, (0.44, 0.26, 0.15, 0.10, 0.05, 0.03, 0.02)),
        (2, (0.69, 0.48, 0.31, 0.20, 0.11, 0.08, 0.05)),
        (3, (0.82, 0.65, 0.50, 0.34, 0.23, 0.16, 0.11)),
        (4, (0.89, 0.77, 0.62, 0.49, 0.36, 0.24, 0.19)),
        (6, (0.96, 0.91, 0.83, 0.70, 0.59, 0.50, 0.39)),
    ],
)
def test_dd_20_all_chances_match_the_page(own: int, anchors: tuple[float, ...]) -> None:
    for strength, anchor in enumerate(anchors, 1):
        # Both figures are samples, and a thousand deals are off by .03 now and then.
        assert abs(chance_to_win(own, strength, 1000) - anchor) < 0.06, strength


@pytest.mark.parametrize(
    ("own", "category", "anchor"),
    [
        (1, Category.PAIR, 0.68),
        (1, Category.TWO_PAIRS, 0.20),
        (3, Category.TWO_PAIRS, 0.61),
        (3, Category.STRAIGHT, 0.22),
    ],
)
def test_dd_20_the_chances_of_a_passive_encounter(own: int, category: Category, anchor: float) -> None:
    table, rng = rules(requires="pair"), Random(f"{own} {category}")
    made = 0
    for _ in range(500):
        dealt = tuple(rng.sample(WHOLE_DECK, 5 + own))
        made += table.can_make(category, dealt[5:], dealt[:5])
    assert abs(made / 500 - anchor) < 0.08
