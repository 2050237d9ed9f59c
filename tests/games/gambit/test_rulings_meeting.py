"""Interactions of rulings in Prophet's Gambit: the Innocent with each High card, Donjon and Marionette, empty decks."""

import pytest

from tests.games.gambit.position import A, B, C, D, Play, arrange_game, complete, deal_game, fates, new_game
from tests.games.playing import known_cards
from vaultkit.errors import UsageError
from vaultkit.games.options import Option
from vaultkit.games.prophets_gambit.rounds import BeginRound, Turns
from vaultkit.games.prophets_gambit.rules import HIGH_CARDS, OPTIONS
from vaultkit.games.turn import Chance, Prompt

HANDS = [
    "1-swords 2-swords 3-swords 4-swords 5-swords",
    "1-stars 2-stars 3-stars 4-stars 5-stars",
    "1-coins 2-coins 3-coins 4-coins 5-coins",
    "1-glyphs 2-glyphs 3-glyphs 4-glyphs 5-glyphs",
]
FATES = "6-swords 6-stars 6-coins 6-glyphs"
FOCUS = "9-stars"


def risk_of(high: str, *, by: int, **more: object) -> Play:
    """Return a game in which `by` risks its lowest card; A has the Innocent, and B to D have yet to move.

    All seats have five cards.
    """
    waiting = (by, *(seat for seat in (B, C, D) if seat > by))
    game = arrange_game(HANDS, fates=FATES, focus=FOCUS, kept={A: "innocent"}, waiting=waiting, **more)  # type: ignore[arg-type]
    game.risk(HANDS[by].split()[0], high)
    return game


def carry_out(game: Play) -> Play:
    """Answer chance with the first card and each prompt with the first move.

    The Horseman's discards are the last moves, so that he changes the hand.
    """
    pick = -1 if game.state.at.turned == "horseman" else 0
    while game.state.at.turned is not None:
        if isinstance(game.turn, Chance):
            game.luck()
        else:
            game.apply(game.prompt.moves[pick])
    return game


def is_touched(game: Play, seat: int, risked: bool = False) -> bool:
    """Return whether a High card has changed the seat's Fate or hand, apart from the lowest card if it was risked."""
    hand, fate = HANDS[seat].split(), FATES.split()[seat]
    return game.hand(seat) != set(hand[risked:]) or game.fates[seat] != fate


ON_ONESELF = {"artifact", "beast", "broken-one", "ghost", "horseman", "mists", "raven", "tempter"}
"""High cards that change the hand or the Fate of the seat that turns them up."""
ON_OTHERS = {"beast", "darklord", "mists", "raven", "tempter"}
"""High cards that change a hand or a Fate of another seat, by choice the next one."""
QUIET = [high for high in HIGH_CARDS if high not in {"innocent", "donjon"}]


@pytest.mark.parametrize("value", ["literal", "others-only"])
@pytest.mark.parametrize("high", QUIET)
def test_pg_24_effect_of_each_high_card_turned_by_the_innocent(high: str, value: str) -> None:
    game = carry_out(risk_of(high, by=A, innocent=value))
    assert is_touched(game, A, risked=True) is (high in ON_ONESELF and value == "others-only")
    reached = ON_OTHERS - ({"tempter"} if value == "literal" else set())
    assert is_touched(game, B) is (high in reached)
    kept = ("innocent", high) if high == "executioner" else ("innocent",)
    assert game.state.at.kept[A] == kept
    assert bool(game.told("innocent")) is (value == "literal" and high in ON_ONESELF - ON_OTHERS | {"tempter"})
    assert (game.state.at.focus == FOCUS) is not (high == "artifact" and value == "others-only")
    if high == "seer":
        assert fates(game.view(A)) == tuple(FATES.split())
    if high == "marionette":
        assert game.state.at.forced == (B, "highest")


@pytest.mark.parametrize("value", ["literal", "others-only"])
@pytest.mark.parametrize("high", QUIET)
def test_pg_24_high_cards_of_others_do_not_affect_the_innocent(high: str, value: str) -> None:
    game = carry_out(risk_of(high, by=D, innocent=value))
    assert not is_touched(game, A)
    assert fates(game.view(D))[A] is None and not known_cards(game.view(D), A)
    assert is_touched(game, D, risked=True) is (high in ON_ONESELF)


@pytest.mark.parametrize("value", ["literal", "others-only"])
@pytest.mark.parametrize("by", [A, D])
def test_pg_22_pg_24_donjon_turned_by_anyone_applies_to_the_innocent_too(by: int, value: str) -> None:
    game = risk_of("donjon", by=by, innocent=value)
    asked = []
    while isinstance(game.turn, Prompt):
        asked.append(game.asked)
        game.apply(game.prompt.moves[0])
    assert asked == [A, B, C, D] and game.sizes == [3] * 4 and game.outcome.kind == "donjon"


@pytest.mark.parametrize(("value", "fates"), [
    ("literal", "6-swords 6-glyphs 6-stars 6-coins"),
    ("others-only", "6-glyphs 6-swords 6-stars 6-coins"),
])  # fmt: skip
def test_pg_25_the_innocents_own_mists(value: str, fates: str) -> None:
    assert risk_of("mists", by=A, innocent=value).fates == fates.split()


@pytest.mark.parametrize(("value", "asked"), [("literal", [B, C, D]), ("others-only", [A, B, C, D])])
def test_pg_26_the_innocents_own_raven(value: str, asked: list[int]) -> None:
    game, order = risk_of("raven", by=A, innocent=value), []
    while game.verbs == {"pass"}:
        order.append(game.asked)
        game.apply(game.prompt.moves[0])
    assert order == asked
    gets = dict(zip(asked, (asked[-1], *asked[:-1]), strict=True))
    for taker, giver in gets.items():
        assert len(game.hand(taker) & set(HANDS[giver].split())) == 1


@pytest.mark.parametrize("high", ["mists", "raven", "beast"])
def test_pg_24_two_of_three_players_remain_beside_the_innocent(high: str) -> None:
    game = arrange_game(HANDS[:3], fates=FATES[:-9], kept={B: "innocent"}, waiting=(A, B, C))
    game.risk("1-swords", high)
    carry_out(game)
    assert game.hand(B) == set(HANDS[B].split()) and game.fates[B] == "6-stars"
    if high == "mists":
        assert game.fates == ["6-coins", "6-stars", "6-swords"]
    else:
        assert game.hand(A) != set(HANDS[A].split()[1:]) and game.hand(C) != set(HANDS[C].split())


def test_pg_23_pg_24_executioner_and_innocent_may_be_two_players_or_one() -> None:
    for kept, decider in (({A: "innocent", C: "executioner"}, C), ({A: "innocent executioner"}, A)):
        game = arrange_game(HANDS, shown="9-swords 7-stars 8-coins 8-glyphs", kept=kept, waiting=(D,), round=2)
        game.play("play 1-glyphs", "decline")
        assert (game.asked, game.moves) == (decider, {"kill", "save"}) and game.prompt.rulings == ("PG-23",)
        game.play("kill")
        assert game.outcome.kind == "reveal" and game.state.at.judged is not None
        assert game.state.at.judged.seat == decider


@pytest.mark.parametrize("value", ["skip", "hold"])
def test_pg_20_pg_28_a_marionette_still_to_move_is_free_after_the_donjon(value: str) -> None:
    game = arrange_game(HANDS, waiting=(A, B, C, D), donjon_execution=value)
    game.risk("1-swords", "marionette")
    game.play("order 3 lowest", "risk 1-stars")
    game.luck("donjon")
    assert game.state.at.forced is None and not game.state.at.waiting
    while isinstance(game.turn, Prompt):
        assert game.verbs in ({"discard"}, {"kill", "save"})
        game.apply(game.prompt.moves[0])
    assert game.sizes == [3] * 4 and (game.state.at.judged is None) is (value == "skip")
    assert game.state.at.high_discard == ("marionette", "donjon")


def test_pg_20_fewer_cards_are_discarded_in_the_second_round() -> None:
    game = arrange_game([*HANDS[:3], "1-glyphs 2-glyphs 3-glyphs"], waiting=(A, B), round=2)
    game.risk("1-swords", "donjon")
    asked = []
    while isinstance(game.turn, Prompt):
        asked.append((game.asked, len(game.prompt.moves[0].operands)))
        game.apply(game.prompt.moves[0])
    assert asked == [(A, 1), (B, 2), (C, 2)], "D holds three already"


def test_pg_28_immediate_a_marionette_draws_as_after_any_play_and_has_no_second_turn() -> None:
    game = arrange_game(HANDS, shown="9-swords 9-coins 8-glyphs 7-glyphs", waiting=(A, B, C, D), marionette="immediate")
    game.risk("1-swords", "marionette")
    game.play("order 2 lowest")
    assert (game.asked, game.moves) == (C, {"play 1-coins"}) and game.prompt.rulings == ("PG-28",)
    game.play("play 1-coins", "draw-one")
    game.luck()
    game.play("discard 2-coins")
    assert game.state.at.turned is None and game.state.at.forced is None
    order = []
    while game.state.at.round == 1:
        if game.verbs == {"play", "risk"}:
            order.append(game.asked)
        game.apply(next(move for move in game.prompt.moves if move.verb in {"play", "decline"}))
    assert order == [B, D]


def test_pg_28_immediate_masters_alone_leave_the_choice() -> None:
    hands = [*HANDS[:2], "master-swords master-coins", HANDS[D]]
    game = arrange_game(hands, waiting=(A, B, C), marionette="immediate")
    game.risk("1-swords", "marionette")
    game.play("order 2 highest")
    assert game.moves == {"play master-swords", "play master-coins"}


def test_pg_28_the_hand_is_judged_when_the_turn_comes_and_not_before() -> None:
    game = arrange_game(HANDS, common="9-coins", waiting=(A, B, C))
    game.risk("1-swords", "marionette")
    game.play("order 2 highest", "risk 1-stars")
    game.luck("darklord")
    game.play("target 2", "demand 5-coins")
    game.luck("9-coins")
    assert (game.asked, game.moves) == (C, {"play 9-coins"})


def test_pg_28_marionette_asks_even_with_one_candidate() -> None:
    """PG-28, G-6: a marionette is asked even with one candidate, since a silent play would reveal that."""
    game = arrange_game(HANDS, waiting=(A, C))
    game.risk("1-swords", "marionette")
    game.play("order 2 highest")
    assert (game.asked, len(game.moves)) == (C, 1) and game.prompt.ask_always


def test_pg_28_marionette_cannot_target_oneself_or_a_player_who_has_moved() -> None:
    game = arrange_game(HANDS, waiting=(C, D))
    game.risk("1-coins", "marionette")
    assert game.moves == {"order 3 highest", "order 3 lowest"}


def test_pg_28_pg_24_if_only_the_innocent_is_left_to_move_nothing_happens() -> None:
    game = arrange_game(HANDS, kept={D: "innocent"}, waiting=(C, D))
    game.risk("1-coins", "marionette")
    assert "G-5" in game.told("marionette")[0].rulings and game.asked == D


def test_pg_31_deck_that_ends_between_the_two_cards_of_the_horseman_is_reshuffled() -> None:
    game = arrange_game(HANDS, common="9-coins", discard="9-glyphs", waiting=(A, B))
    gone = {*game.discarded, "1-swords"}
    game.risk("1-swords", "horseman")
    assert game.chance.count == 1 and not game.told("reshuffle")
    game.luck("9-coins")
    assert game.chance.count == 1 and set(game.common) == gone and not game.discarded
    game.luck("1-swords")
    assert game.hand(A) == {*HANDS[A].split(), "9-coins"} and game.state.at.reshuffles == 1
    game.play("discard 9-coins")
    assert game.asked == A and "discard 1-swords" in game.moves
    game.play("discard 1-swords")
    assert game.discarded == ("9-coins", "1-swords") and game.asked == B


def test_pg_11_discards_of_the_beast_make_the_deck_from_which_all_draw() -> None:
    game = arrange_game(HANDS, common="", waiting=(A, B))
    game.state.at.discard = ()
    game.risk("1-swords", "beast")
    game.play("discard 2-swords", "discard 1-stars", "discard 1-coins", "discard 1-glyphs")
    assert set(game.common) == {"1-swords", "2-swords", "1-stars", "1-coins", "1-glyphs"}
    for card in ("1-glyphs", "2-swords", "1-stars", "1-coins"):
        game.luck(card)
    assert game.common == ("1-swords",) and game.sizes == [4, 5, 5, 5]


def test_pg_11_no_draw_the_ghost_needs_no_deck() -> None:
    game = arrange_game(HANDS, common="", waiting=(A, B), exhaust="no-draw")
    game.risk("1-swords", "ghost")
    game.play("take 1-swords", "discard 5-swords")
    assert game.hand(A) == {"1-swords", "2-swords", "3-swords", "4-swords"} and game.asked == B


@pytest.mark.parametrize("exhaust", ["reshuffle", "no-draw"])
def test_pg_11_shown_cards_and_high_cards_are_never_shuffled_back(exhaust: str) -> None:
    game = arrange_game(HANDS, common="9-coins", shown="9-swords", high=HIGH_CARDS, waiting=(A, B), exhaust=exhaust)
    game.play("play 1-swords", "draw-one")
    game.luck()
    game.play("discard 9-coins", "risk 1-stars")
    game.luck("beast")
    carry_out(game)
    pool = {*game.common, *game.discarded}
    assert not pool & {"9-swords", "1-swords", "beast"}


def test_pg_16_pg_29_fate_seen_by_all_is_followed_through_the_mists() -> None:
    game = arrange_game(HANDS, fates=FATES, focus=FOCUS, waiting=(A, B))
    game.risk("1-swords", "artifact")
    game.play("risk 1-stars")
    game.luck("mists")
    assert game.fates == ["6-glyphs", FOCUS, "6-stars", "6-coins"]
    assert all(fates(game.view(seat))[B] == FOCUS for seat in (A, B, C, D))
    assert fates(game.view(D)) == ("6-glyphs", FOCUS, None, "6-coins")


def test_pg_33_pg_29_the_seer_follows_the_fates_through_the_mists() -> None:
    game = arrange_game(HANDS, fates=FATES, waiting=(A, B))
    game.risk("1-swords", "seer")
    game.play("risk 1-stars")
    game.luck("mists")
    assert fates(game.view(A)) == ("6-glyphs", "6-swords", "6-stars", "6-coins")
    assert fates(game.view(C)) == (None, None, "6-stars", "6-coins")


def test_pg_1_pg_10_each_round_deal_7_the_second_opening_counts_for_the_second_privilege() -> None:
    game, led = deal_game(3, opening="each-round-deal-7"), []
    while isinstance(game.turn, Prompt) and game.verbs != {"kill", "save"}:
        if "keep" in game.verbs:
            tops = [pile[-1] for pile in game.state.at.shown]
            led.append((game.state.at.round, game.asked, len(game.state.at.shown[A]), tops))
        last = {"show", "keep", "play", "decline"}
        moves = [move for move in game.prompt.moves if move.verb in last]
        game.apply(moves[-1 if game.asked == B and game.state.at.round == 2 else 0])
    assert [(number, piled) for number, _, piled, _ in led] == [(1, 1), (2, 3)]
    for _, seat, _, tops in led:
        numbers = [int(card[0]) if card[0].isdigit() else -1 for card in tops]
        assert numbers[seat] == max(numbers)


def test_pg_5_a_covered_card_neither_leads_nor_earns_a_draw() -> None:
    game = arrange_game(HANDS, shown="8-swords 7-stars 6-coins 6-glyphs", waiting=(A, B))
    game.play("play 2-swords", "decline", "play 3-stars")
    assert game.state.at.shown[A] == ("8-swords", "2-swords") and game.state.at.shown[B] == ("7-stars", "3-stars")
    assert game.asked == C, "3 is not lower than the 2 that A shows now; round 2 begins with the 6 of Coins"


def test_g_3_drawn_and_dealt_cards_are_shown_to_their_owner_only() -> None:
    game = deal_game(4)
    for kind, cards in (("deal", 6), ("fate", 1)):
        told = [event for event in game.told(kind) if event.cards]
        assert [(event.seen_by, len(event.cards)) for event in told] == [(frozenset({s}), cards) for s in (B, C, D, A)]
    game = arrange_game(HANDS, common="9-coins 9-glyphs", shown="9-swords", waiting=(A, B))
    game.risk("1-swords", "horseman")
    assert not game.chance.open
    for event in game.luck("9-coins", "9-glyphs"):
        assert event.seen_by == frozenset({A} if event.cards else {B, C, D})
    raven = arrange_game(HANDS, waiting=(A, B))
    raven.risk("1-swords", "raven")
    raven.play("pass 2-swords", "pass 1-stars", "pass 1-coins", "pass 1-glyphs")
    named = {event.sentence.seats: event.seen_by for event in raven.told("pass") if event.cards}
    assert named == {pair: frozenset(pair) for pair in ((A, B), (B, C), (C, D), (D, A))}
    privilege = deal_game(3)
    while privilege.verbs != {"keep", "replace"}:
        privilege.apply(privilege.prompt.moves[0])
    privilege.play("replace")
    assert not privilege.chance.open
    assert {event.seen_by for event in privilege.luck() if event.cards} == {frozenset({privilege.asked})}


@pytest.mark.parametrize(("shown", "order"), [
    ("1-swords 9-stars 3-coins 4-glyphs", [B, C, D, A]),
    ("1-swords 2-stars 3-coins 9-glyphs", [D, A, B, C]),
    ("9-swords 9-stars 9-coins 9-glyphs", [B, C, D, A]),
])  # fmt: skip
def test_pg_10_round_is_clockwise_from_the_player_with_the_privilege(shown: str, order: list[int]) -> None:
    hands = ["7-swords 8-swords", "7-stars 8-stars", "7-coins 8-coins", "7-glyphs 8-glyphs"]
    game, asked = arrange_game(hands, shown=shown, steps=[Turns(), BeginRound()], waiting=()), []
    assert game.asked == order[0] and game.moves == {"keep", "replace"}
    game.play("keep")
    while isinstance(game.turn, Prompt):
        if game.verbs == {"play", "risk"}:
            asked.append(game.asked)
        game.apply(next(move for move in game.prompt.moves if move.verb in {"play", "decline"}))
    assert asked == order


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_pg_an_option_refuses_any_other_value_and_names_its_ruling(option: Option) -> None:
    with pytest.raises(UsageError) as caught:
        complete(**{option.key: "sometimes"})
    assert option.key in caught.value.message and option.ruling in caught.value.hint


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pg_38_every_seat_can_deal_and_no_other(seats: int) -> None:
    for dealer in range(5):
        if dealer < seats:
            assert new_game(seats, dealer=dealer).state.at.dealer == dealer
        else:
            with pytest.raises(UsageError, match="PG-38"):
                new_game(seats, dealer=dealer)
