"""PG-1 to PG-15 and PG-35 to PG-40: the deal, the rounds, Play and Risk, the Execution."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tests.games.conformance import answer
from tests.games.gambit.position import (
    GAME,
    A,
    B,
    C,
    D,
    Play,
    arrange_game,
    begin_execution,
    complete,
    deal_game,
    fates,
    new_game,
)
from tests.games.playing import known_cards
from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import known_deck
from vaultkit.errors import UsageError
from vaultkit.games.prophets_gambit.card_play import DrawCards
from vaultkit.games.prophets_gambit.rounds import BeginRound, FatePrivilege, Turns, find_leader
from vaultkit.games.prophets_gambit.rules import HIGH_CARDS
from vaultkit.games.turn import Chance, Prompt

LOW = ["1-swords 2-swords 3-swords 4-swords 6-swords", "", "", ""]


def offers_a_draw(card: str, shown: str, **options: Any) -> bool:
    """Return whether B may draw after playing `card`, while A, on the right, shows `shown`."""
    hands = ["", f"{card} 5-coins 6-coins 7-coins", "1-coins 2-coins 3-coins 4-coins", ""]
    game = arrange_game(hands, shown=shown, waiting=(B, C), **options)
    game.play(f"play {card}")
    return game.verbs == {"draw-one", "decline"}


def begin_privilege(**more: Any) -> Play:
    """Return a game in which B may replace its Fate, the 5 of Coins."""
    hands = ["", "1-swords 2-swords 3-swords", "", ""]
    return arrange_game(hands, fates="4-coins 5-coins", steps=[Turns(), FatePrivilege(B)], waiting=(B,), **more)


def sizes_at_the_end(seats: int, **options: Any) -> tuple[list[int], int, int]:
    """Return the hand sizes at the Execution of a game without Risks, and the numbers of openings and rounds."""
    game = deal_game(seats, **options)
    while isinstance(game.turn, Prompt) and game.verbs != {"kill", "save"}:
        game.apply(next(move for move in game.prompt.moves if move.verb in {"show", "keep", "play", "decline"}))
    return game.sizes, len(game.told("opening")), len(game.told("round"))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pg_1_once_the_opening_comes_before_the_first_round_only(seats: int) -> None:
    assert sizes_at_the_end(seats) == ([3] * seats, 1, 2)


@pytest.mark.parametrize("seats", [3, 4])
def test_pg_1_each_round_deal_7_has_an_opening_in_each_round(seats: int) -> None:
    assert sizes_at_the_end(seats, opening="each-round-deal-7") == ([3] * seats, 2, 2)
    assert deal_game(seats, opening="each-round-deal-7").sizes == [7] * seats


def test_pg_1_each_round_deal_7_is_refused_for_five() -> None:
    with pytest.raises(UsageError, match="PG-1"):
        new_game(5, opening="each-round-deal-7")


@pytest.mark.parametrize("seats", [2, 6])
def test_pg_three_to_five_can_play(seats: int) -> None:
    with pytest.raises(UsageError, match="3 to 5"):
        new_game(seats)


@pytest.mark.parametrize(("seats", "left"), [(3, 18), (4, 11), (5, 4)])
def test_pg_size_of_the_common_deck_after_the_deal(seats: int, left: int) -> None:
    assert len(deal_game(seats).common) == left


@pytest.mark.parametrize(("value", "first"), [("none", B), (10, C), (0, B)])
def test_pg_2_number_of_a_master_when_the_highest_is_sought(value: object, first: int) -> None:
    game = begin_execution(LOW, shown="1-coins 9-coins master-coins 8-stars", master_number=value)
    assert find_leader(game.state) == first


@pytest.mark.parametrize(("value", "offered"), [("none", False), (10, True), (0, False)])
def test_pg_2_a_number_beside_a_master(value: object, offered: bool) -> None:
    assert offers_a_draw("9-swords", "master-swords", master_number=value) is offered


@pytest.mark.parametrize("value", ["none", 10, 0])
def test_pg_2_master_always_allows_a_draw(value: object) -> None:
    for shown in ("1-swords", "9-swords", "master-stars"):
        assert offers_a_draw("master-swords", shown, master_number=value)


@pytest.mark.parametrize(("value", "card"), [("none", "6-coins"), (10, "master-coins"), (0, "6-coins")])
def test_pg_2_marionette_counts_masters_by_the_option(value: object, card: str) -> None:
    hands = ["", "", "2-coins 6-coins master-coins", ""]
    game = arrange_game(hands, waiting=(C,), forced=(C, "highest"), master_number=value)
    assert game.moves == {f"play {card}"}


def test_pg_4_hands_of_masters_only_are_tied() -> None:
    shown = "master-swords master-stars master-coins master-glyphs"
    assert find_leader(begin_execution(LOW, shown=shown).state) == B
    assert find_leader(begin_execution(LOW, shown=shown, tie_from="dealer").state) == A
    game = arrange_game(LOW, shown=shown, steps=[Turns(), BeginRound()], waiting=())
    assert game.asked == B and game.verbs == {"keep", "replace"}


def test_pg_5_the_top_card_counts_and_a_risk_leaves_it() -> None:
    hands = [*LOW[:1], "9-coins 8-coins 7-coins 1-coins", "", ""]
    game = arrange_game(hands, shown="9-swords 8-stars 2-coins 1-glyphs", waiting=(A, B))
    game.play("play 1-swords")
    assert game.state.at.shown[A] == ("9-swords", "1-swords") and "9-swords" not in game.discarded
    game.risk("9-coins", "executioner")
    assert game.state.at.shown[B] == ("8-stars",)


@pytest.mark.parametrize(("dealer", "shown", "first", "from_dealer"), [
    (A, "7-swords 7-stars 7-coins 1-swords", B, A),
    (B, "7-swords 7-stars 7-coins 1-swords", C, B),
    (C, "7-swords 7-stars 7-coins 1-swords", A, C),
    (D, "7-swords 7-stars 7-coins 1-swords", A, A),
    (D, "7-swords 7-stars 7-coins 7-glyphs", A, D),
])  # fmt: skip
def test_pg_6_ties_are_counted_from_the_left_of_the_dealer_who_is_last(
    dealer: int, shown: str, first: int, from_dealer: int
) -> None:
    hands = ["", "", "", ""]
    assert find_leader(begin_execution(hands, shown=shown, dealer=dealer).state) == first
    assert find_leader(begin_execution(hands, shown=shown, dealer=dealer, tie_from="dealer").state) == from_dealer


@pytest.mark.parametrize(("card", "shown", "offered"), [
    ("4-swords", "7-stars", True),
    ("7-swords", "7-stars", False),
    ("8-swords", "7-stars", False),
    ("2-swords", "master-stars", False),
    ("master-swords", "master-stars", True),
])  # fmt: skip
def test_pg_8_number_must_be_lower_than_the_right_neighbours_current_card(card: str, shown: str, offered: bool) -> None:
    assert offers_a_draw(card, shown) is offered


def test_pg_8_new_card_of_the_neighbour_counts_once_played() -> None:
    hands = ["1-coins 2-coins 3-coins", "4-swords 5-swords 6-swords", "", ""]
    game = arrange_game(hands, shown="9-swords 1-glyphs master-coins 9-glyphs", waiting=(A, B))
    game.play("play 1-coins", "decline", "play 4-swords")
    assert "draw-one" not in game.moves


def test_pg_9_the_draw_is_free_and_the_discard_may_be_the_drawn_card() -> None:
    hands = ["", "4-swords 5-coins 6-coins", "1-coins 2-coins 3-coins 4-coins", ""]
    game = arrange_game(hands, shown="7-stars", waiting=(B, C))
    game.play("play 4-swords", "decline")
    assert game.asked == C and game.sizes[B] == 2
    game = arrange_game(hands, shown="7-stars", common="9-glyphs", waiting=(B, C))
    game.play("play 4-swords", "draw-one")
    game.luck("9-glyphs")
    assert game.moves == {"discard 5-coins", "discard 6-coins", "discard 9-glyphs"}
    game.play("discard 9-glyphs")
    assert game.hand(B) == {"5-coins", "6-coins"} and game.discarded[-1] == "9-glyphs"


def test_pg_10_the_old_fate_is_discarded_before_the_new_one_is_drawn() -> None:
    game = begin_privilege()
    assert game.moves == {"keep", "replace"}
    game.play("replace")
    assert game.discarded[-1] == "5-coins" and game.fates[B] is None
    game.luck(game.common[0])
    assert game.fates[B] == game.view(B).at.fates[B] and fates(game.view(A))[B] is None
    assert game.asked == B and game.verbs == {"play", "risk"}


def test_pg_10_player_who_keeps_the_fate_still_starts() -> None:
    game = begin_privilege()
    game.play("keep")
    assert game.fates[B] == "5-coins" and game.asked == B


def test_pg_10_reshuffle_may_return_the_old_fate() -> None:
    game = begin_privilege(common="")
    game.play("replace")
    assert game.told("reshuffle") and "5-coins" in game.common
    game.luck("5-coins")
    assert game.fates[B] == "5-coins"


def test_pg_10_privilege_applies_in_both_rounds() -> None:
    game, asked = deal_game(3), []
    while isinstance(game.turn, Prompt):
        if "replace" in game.verbs:
            asked.append((game.state.at.round, game.asked == find_leader(game.state)))
        game.apply(game.prompt.moves[0])
        while isinstance(game.turn, Chance):
            game.luck()
    assert asked == [(1, True), (2, True)]


def test_pg_11_the_discard_pile_becomes_the_common_deck() -> None:
    hands = ["", "4-swords 5-coins 6-coins", "", ""]
    game = arrange_game(hands, shown="7-stars", common="", kept={C: "innocent"}, waiting=(B,))
    gone = set(game.discarded)
    game.play("play 4-swords", "draw-one")
    assert set(game.common) == gone and not game.discarded
    assert game.state.at.shown[A] == ("7-stars",) and game.state.at.reshuffles == 1


def test_pg_11_no_draw_a_play_earns_nothing_and_the_fate_stays() -> None:
    hands = ["", "4-swords 5-coins 6-coins", "1-coins 2-coins 3-coins 4-coins", ""]
    game = arrange_game(hands, shown="7-stars", common="", waiting=(B, C), exhaust="no-draw")
    game.play("play 4-swords")
    assert game.asked == C and not game.told("reshuffle")
    assert begin_privilege(common="", exhaust="no-draw").moves == {"keep"}


def test_pg_11_knowledge_of_a_card_is_forgotten_when_it_is_shuffled_in() -> None:
    hands = ["1-swords 2-swords 3-swords 4-swords 6-swords", "1-coins 2-coins 3-coins 4-coins", "", ""]
    game = arrange_game(hands, common="", discard="9-coins", waiting=(A, B))
    game.risk("1-swords", "darklord")
    game.play("target 1", "demand 1-coins")
    assert game.told("reshuffle") and "1-coins" in game.common
    game.luck("1-coins")
    assert set(known_cards(game.view(A), B)) == {"2-coins", "3-coins", "4-coins"}, "the drawn card is anybody's guess"


@pytest.mark.slow
def test_pg_12_a_card_can_always_be_drawn() -> None:
    for seed in range(150):
        rng, game = Random(seed), new_game(3 + seed % 3, dealer="random")
        while game.turn is not None:
            game.apply(answer(game.state, rng))
        assert not game.told("no-card")


def test_pg_12_without_any_card_the_draw_is_skipped() -> None:
    game = arrange_game(["1-swords 2-swords 3-swords", "", "", ""], waiting=(A,))
    game.state.at.common, game.state.at.discard = type(game.state.at.common)(()), ()
    game.state.stack.append(DrawCards(A))
    game.state.run_until_turn()
    assert game.sizes[A] == 3 and game.asked == A


def test_pg_13_a_risk_needs_a_high_deck() -> None:
    assert arrange_game(LOW, waiting=(A,)).verbs == {"play", "risk"}
    assert arrange_game(LOW, waiting=(A,), high=()).verbs == {"play"}


def test_pg_14_the_risked_card_is_discarded_before_the_high_card_is_turned() -> None:
    game = arrange_game(LOW, waiting=(A,))
    game.play("risk 1-swords")
    assert game.discarded[-1] == "1-swords" and game.chance.name == "high-card"
    game.luck("ghost")
    assert "take 1-swords" in game.moves


def test_pg_15_high_card_is_resolved_before_the_next_turn_and_set_aside() -> None:
    hands = [*LOW[:1], "1-coins 2-coins 3-coins", "", ""]
    game = arrange_game(hands, waiting=(A, B))
    game.risk("1-swords", "horseman")
    assert game.view(B).at.turned == "horseman" and game.chance.seat == A
    game.luck()
    game.play(*(move.id for move in game.prompt.moves[:1]))
    assert game.asked == A
    game.apply(game.prompt.moves[0])
    assert game.asked == B and game.state.at.high_discard == ("horseman",) and game.state.at.turned is None


@pytest.mark.parametrize("card", ["innocent", "executioner"])
def test_pg_15_innocent_and_executioner_stay_with_the_player(card: str) -> None:
    game = arrange_game([*LOW[:1], "1-coins 2-coins 3-coins", "", ""], waiting=(A, B))
    game.risk("1-swords", card)
    assert game.state.at.kept[A] == (card,) and not game.state.at.high_discard and game.asked == B


def test_pg_35_without_numbers_the_order_from_the_dealer_decides_without_a_default() -> None:
    game = begin_execution(LOW, shown="master-swords master-stars master-coins master-glyphs")
    assert (game.asked, game.moves) == (B, {"kill", "save"})


def test_pg_35_the_decider_saves_or_kills() -> None:
    hands = ["1-swords 2-swords 4-swords", "1-stars 2-stars 4-stars", "1-coins 2-coins 4-coins"]
    game = begin_execution(hands, focus="9-swords")
    game.play("kill")
    assert game.state.at.focus is None and game.discarded[-1] == "9-swords"
    assert {parts["cards"] for parts in game.outcome.scores} == {4}
    game = begin_execution(hands, focus="9-swords")
    game.play("save")
    assert game.state.at.focus == "9-swords" and {parts["cards"] for parts in game.outcome.scores} == {5}


def test_pg_38_dealer_is_chosen_by_lot_or_named() -> None:
    for value in ("random", "winner-of-last"):
        game = new_game(3, dealer=value)
        assert game.chance.options == ("0", "1", "2")
        game.luck("2")
        assert game.state.at.dealer == 2
    assert new_game(3, dealer=1).state.at.dealer == 1


def test_pg_38_dealer_must_have_a_seat() -> None:
    with pytest.raises(UsageError, match="PG-38") as caught:
        new_game(3, dealer=3)
    assert "0 to 2" in caught.value.hint


def test_pg_39_the_left_neighbour_turns_a_common_card_as_focus() -> None:
    game = new_game(4, dealer=1)
    assert game.chance.name == "focus" and not set(game.chance.pile.unknown) & set(HIGH_CARDS)
    game.luck("5-coins")
    assert game.told("focus")[0].seat == C and game.state.at.focus == "5-coins"


def test_pg_fates_and_hands_are_dealt_from_the_left_of_the_dealer() -> None:
    game, order = new_game(4, dealer=1), []
    while isinstance(game.turn, Chance):
        order.append((game.turn.name, game.turn.seat, game.turn.count))
        game.luck()
    assert order == [
        ("focus", None, 1), *(("fate", s, 1) for s in (C, D, A, B)), *(("deal", s, 6) for s in (C, D, A, B))
    ]  # fmt: skip


def test_pg_40_marionette_is_forgotten_at_the_end_of_its_round() -> None:
    for seed in range(300):
        rng, game = Random(seed), new_game(4)
        while game.turn is not None:
            game.apply(answer(game.state, rng))
            if isinstance(game.turn, Prompt) and game.verbs == {"keep", "replace"}:
                assert game.state.at.forced is None


def test_g_3_the_opening_is_chosen_in_seat_order_and_shown_at_once() -> None:
    game = deal_game(3, dealer=1)
    asked = []
    while game.verbs == {"show"}:
        asked.append(game.asked)
        assert game.prompt.secret and not any(game.state.at.shown)
        game.apply(game.prompt.moves[0])
    assert asked == [A, B, C] and all(game.state.at.shown) and game.sizes == [5] * 3


def test_a_deck_without_the_high_cards_is_refused() -> None:
    deck = known_deck("tarokka")
    assert deck is not None
    less = Deck(deck.kind, deck.title, tuple(card for card in deck if card.id != "raven"))
    fewer = Deck(deck.kind, deck.title, tuple(card for card in deck if card.id != "5-coins"))
    other = Deck(deck.kind, deck.title, (*less.cards, Card("crow", "Crow")))
    for wrong, what in ((less, "raven"), (other, "crow"), (fewer, "Four suits")):
        with pytest.raises(UsageError) as caught:
            GAME.new(4, complete(), wrong)
        assert what in caught.value.hint


def test_all_seats_have_a_turn_in_each_round_clockwise() -> None:
    for seed in range(40):
        rng, game, turns = Random(seed), new_game(4), []
        while game.turn is not None:
            if isinstance(game.turn, Prompt) and "play" in game.verbs:
                turns.append((game.state.at.round, game.asked))
            game.apply(answer(game.state, rng))
        if game.outcome.kind == "reveal":
            assert [number for number, _ in turns] == [1] * 4 + [2] * 4
            for (first, seat), (second, after) in pairwise(turns):
                assert first != second or after == (seat + 1) % 4
