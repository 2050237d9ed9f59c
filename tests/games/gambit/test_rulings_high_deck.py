"""PG-16 to PG-19 and PG-28 to PG-34: the High cards that are carried out and set aside."""

from random import Random

import pytest

from tests.counts import count
from tests.games.conformance import answer
from tests.games.gambit.position import (
    COINS,
    FATES,
    GLYPHS,
    HANDS,
    SWORDS,
    A,
    B,
    C,
    D,
    Play,
    arrange_game,
    discard_and_draw,
    fates,
    new_game,
    take_risk,
)
from tests.games.playing import known_cards
from vaultkit.games.turn import HIDDEN


def test_pg_16_fate_and_focus_are_swapped() -> None:
    game = take_risk("artifact", focus="9-stars")
    assert game.state.at.focus == "6-swords" and game.fates[A] == "9-stars"
    assert [fates(game.view(seat)) for seat in (B, C)] == [
        ("9-stars", "6-stars", None, None),
        ("9-stars", None, "6-coins", None),
    ]
    assert game.asked == B


def test_pg_17_all_discard_and_then_all_draw_the_active_player_first() -> None:
    game = take_risk("beast", actor=B)
    assert discard_and_draw(game) == ([B, C, D, A], [B, C, D, A])
    assert game.sizes == [5, 4, 5, 5] and game.asked == C


def test_pg_17_the_innocent_is_skipped() -> None:
    game = take_risk("beast", innocent=C)
    assert discard_and_draw(game) == ([A, B, D], [A, B, D])


def test_pg_11_no_draw_players_discard_to_the_beast_only_as_many_as_can_draw() -> None:
    game = take_risk("beast", common="9-coins 9-glyphs", exhaust="no-draw")
    assert discard_and_draw(game) == ([A, B], [A, B])


def test_pg_18_whole_hand_is_replaced_by_as_many_cards() -> None:
    game = take_risk("broken-one")
    assert game.chance.count == 4 and not game.state.at.hands[A]
    assert set(game.discarded) == set(SWORDS.split())
    game.luck()
    assert game.sizes[A] == 4 and not game.hand(A) & set(SWORDS.split())


def test_pg_18_the_new_hand_may_need_a_reshuffle() -> None:
    game = take_risk("broken-one", common="9-coins 9-glyphs")
    assert game.chance.count == 2
    game.luck("9-coins", "9-glyphs")
    assert game.told("reshuffle") and game.chance.count == 2
    game.luck("1-swords", "2-swords")
    assert game.hand(A) == {"9-coins", "9-glyphs", "1-swords", "2-swords"}


def test_pg_11_no_draw_broken_one_replaces_as_many_as_can_be_drawn() -> None:
    game = take_risk("broken-one", common="9-coins 9-glyphs", exhaust="no-draw")
    game.play("discard 2-swords", "discard 3-swords")
    game.luck("9-coins", "9-glyphs")
    assert game.hand(A) == {"4-swords", "5-swords", "9-coins", "9-glyphs"} and game.asked == B


def test_pg_19_the_darklord_sees_a_hand_and_takes_a_card_from_it() -> None:
    game = take_risk("darklord")
    assert game.moves == {"target 1", "target 2", "target 3"}
    game.play("target 2")
    assert set(known_cards(game.view(A), C)) == set(COINS.split()) and not known_cards(game.view(B), C)
    assert game.asked == A and game.moves == {f"demand {card}" for card in COINS.split()}
    look = [event for event in game.told("look") if event.cards]
    assert len(look) == 1 and look[0].seen_by == frozenset({A}) and look[0].reveals
    game.play("demand 4-coins")
    assert game.discarded[-1] == "4-coins" and game.chance.seat == C
    game.luck()
    assert game.sizes[C] == 5 and len(known_cards(game.view(A), C)) == 4


def test_pg_11_no_draw_the_darklord_only_looks_where_nothing_can_be_drawn() -> None:
    game = take_risk("darklord", common="", exhaust="no-draw")
    game.play("target 2")
    assert game.asked == B and game.sizes[C] == 5 and len(known_cards(game.view(A), C)) == 5


@pytest.mark.parametrize(("way", "card"), [("highest", "4-stars"), ("lowest", "1-stars")])
def test_pg_28_at_turn_marionette_plays_at_its_own_turn(way: str, card: str) -> None:
    hands = [SWORDS, "1-stars 3-stars 4-stars master-stars", COINS, GLYPHS]
    game = arrange_game(hands, waiting=(A, C, B), shown="9-coins")
    game.risk("1-swords", "marionette")
    assert game.moves == {f"order {seat} {way}" for seat in (B, C) for way in ("highest", "lowest")}
    game.play(f"order 1 {way}")
    assert game.asked == C and game.verbs == {"play", "risk"}
    game.play("risk 1-coins")
    game.luck("executioner")
    assert (game.asked, game.moves) == (B, {f"play {card}"})
    game.play(f"play {card}")
    assert game.state.at.forced is None and game.moves == {"draw-one", "decline"}


def test_pg_28_immediate_marionette_plays_at_once() -> None:
    game = take_risk("marionette", shown="9-coins", marionette="immediate")
    game.play("order 2 highest")
    assert (game.asked, game.moves) == (C, {"play 5-coins"})
    game.play("play 5-coins")
    if game.moves == {"draw-one", "decline"}:
        game.play("decline")
    assert game.asked == B and game.state.at.waiting == (D,)


def test_pg_28_marionette_with_masters_only_at_that_moment_plays_freely() -> None:
    hands = [SWORDS, "master-swords master-stars", COINS, GLYPHS]
    game = arrange_game(hands, waiting=(B,), forced=(B, "highest"))
    assert game.moves == {"play master-swords", "play master-stars"}


def test_pg_28_nothing_happens_if_nobody_is_left_to_act() -> None:
    game = arrange_game(HANDS, waiting=(A,), round=2)
    game.risk("1-swords", "marionette")
    assert game.verbs == {"kill", "save"} and "G-5" in game.told("marionette")[0].rulings


def test_pg_29_former_owner_remembers_the_moved_fate() -> None:
    game = take_risk("mists")
    assert game.fates == ["6-glyphs", "6-swords", "6-stars", "6-coins"]
    assert fates(game.view(A)) == ("6-glyphs", "6-swords", None, None)
    assert fates(game.view(B)) == (None, "6-swords", "6-stars", None)


@pytest.mark.parametrize(("value", "moves"), [("any", {"9-coins", "9-glyphs", "1-swords"}), ("top", {"1-swords"})])
def test_pg_30_ghost_returns_a_discarded_card(value: str, moves: set[str]) -> None:
    game = arrange_game(HANDS, discard="9-coins 9-glyphs", waiting=(A, B), ghost=value)
    game.risk("1-swords", "ghost")
    assert game.moves == {f"take {card}" for card in moves}
    game.play("take 1-swords")
    assert all("1-swords" in known_cards(game.view(seat), A) for seat in range(4)), "all have seen it"
    assert "discard 1-swords" in game.moves
    game.play("discard 1-swords")
    assert game.sizes[A] == 4 and game.asked == B


def test_pg_31_the_horseman_draws_two_and_then_discards_two() -> None:
    game = take_risk("horseman", common="9-coins")
    assert game.chance.count == 1
    game.luck("9-coins")
    assert game.told("reshuffle")
    game.luck("9-stars")
    assert game.sizes[A] == 6
    game.play("discard 9-coins", "discard 9-stars")
    assert game.sizes[A] == 4 and game.asked == B


def test_pg_11_no_draw_the_horseman_discards_as_many_as_he_drew() -> None:
    game = take_risk("horseman", common="9-coins", exhaust="no-draw")
    game.luck("9-coins")
    game.play("discard 9-coins")
    assert game.sizes[A] == 4 and game.asked == B


def test_pg_32_the_raven_passes_a_card_to_the_left() -> None:
    game = take_risk("raven", actor=B)
    asked = []
    for card in ("1-swords", "2-stars", "1-coins", "1-glyphs"):
        asked.append(game.asked)
        assert game.prompt.secret
        game.play(f"pass {card}")
    assert asked == [A, B, C, D]
    assert [
        card in game.hand(seat) for card, seat in (("1-swords", B), ("2-stars", C), ("1-coins", D), ("1-glyphs", A))
    ]
    assert game.sizes == [5, 4, 5, 5]
    assert known_cards(game.view(A), B) == ("1-swords",) and known_cards(game.view(A), C) == ()


def test_pg_32_knowledge_of_a_hand_is_uncertain_after_an_unseen_pass() -> None:
    game = take_risk("darklord")
    game.play("target 2", "demand 1-coins")
    game.luck()
    assert len(known_cards(game.view(A), C)) == 4
    game.play("risk 1-stars")
    game.luck("raven")
    game.play("pass 2-swords", "pass 2-stars", "pass 2-coins", "pass 1-glyphs")
    assert known_cards(game.view(A), C) == () and known_cards(game.view(A), B) == ("2-swords",)
    assert known_cards(game.view(B), C) == ("2-stars",) and known_cards(game.view(D), A) == ("1-glyphs",)


def test_pg_33_seer_alone_sees_all_other_fates() -> None:
    game = take_risk("seer")
    assert fates(game.view(A)) == tuple(FATES.split())
    assert fates(game.view(B)) == (None, "6-stars", None, None) and game.asked == B
    assert [event.seen_by for event in game.told("look") if event.cards] == [frozenset({A})]


def test_pg_34_the_tempter_trades_a_card_that_only_the_two_see() -> None:
    game = take_risk("tempter")
    assert game.moves == {f"offer {card}" for card in SWORDS.split()[1:]} and game.prompt.secret
    game.play("offer 2-swords")
    assert game.asked == A and game.moves == {"target 1", "target 2", "target 3"}
    game.play("target 3")
    assert set(game.chance.options) == set(GLYPHS.split()) and not game.chance.open
    game.luck("5-glyphs")
    assert "5-glyphs" in game.hand(A) and "2-swords" in game.hand(D)
    assert known_cards(game.view(A), D) == ("2-swords",) and known_cards(game.view(D), A) == ("5-glyphs",)
    assert known_cards(game.view(B), A) == known_cards(game.view(B), D) == ()
    assert [event.seen_by for event in game.told("trade")] == [frozenset({A, D}), frozenset({B, C})]


@pytest.mark.slow
def test_g_4_a_new_game_turns_each_high_card_at_most_once() -> None:
    for seed in range(60):
        rng, game = Random(seed), new_game(5)
        while game.turn is not None:
            game.apply(answer(game.state, rng))
        turned = [card for _, card in game.state.at.risks]
        assert len(set(turned)) == len(turned) <= 10


def known_places(game: Play, seat: int) -> dict[str, int]:
    """Return the cards whose owner the seat knows, with the owner."""
    return {card: owner for owner, hand in enumerate(game.view(seat).at.hands) for card in hand if card != HIDDEN}


@pytest.mark.short(1)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pg_32_pg_34_card_changing_hands_is_hidden_from_the_others(seats: int) -> None:
    followed = 0
    for seed in range(count(20, 600)):
        rng, game = Random(f"{seats} {seed}"), new_game(seats)
        while game.turn is not None:
            before = [known_places(game, seat) for seat in range(seats)]
            told = game.apply(answer(game.state, rng))
            for seat in range(seats):
                after = known_places(game, seat)
                named = {card for event in told if event.is_visible_to(seat) for card in event.cards}
                moved = {card for card in before[seat].keys() & after.keys() if before[seat][card] != after[card]}
                assert moved <= named
                followed += len(moved)
    assert followed
