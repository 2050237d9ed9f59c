"""DC-28, DC-29 and DC-31: bids, sealed answers, and the end of a competitive game."""

from random import Random

import pytest

from tests.games.citadel.position import CROWNS, DECK, A, B, C, D, Play, arrange_rivals, complete, sample
from tests.games.playing import known_cards
from tests.wording import Says
from vaultkit.games.dragon_citadel import ending
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.turn import Prompt

# DC-28, sealed


def test_dc_28_sealed_each_commits_a_fitting_card_or_passes() -> None:
    game = arrange_rivals("6-swords", ("7-swords 2-swords ghost", "seer", ""))
    assert (game.asked, game.moves) == (A, {"bid 7-swords", "bid 2-swords", "bid ghost", "pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (B, {"pass", "joker"})
    game.play("pass")
    assert (game.asked, game.moves) == (C, {"pass"})


@pytest.mark.parametrize(
    ("bids", "winner", "card"),
    [
        (("7-swords", "9-swords", "8-swords"), B, "9-swords"),
        (("9-swords", "7-swords", "master-swords"), C, "master-swords"),
        (("master-swords", "ghost", "9-swords"), B, "ghost"),
        (("9-swords", "raven", "ghost"), B, "raven"),
    ],
)
def test_dc_28_sealed_crown_beats_hero_beats_number_and_the_nearest_crown_wins(
    bids: tuple[str, ...], winner: int, card: str
) -> None:
    game = arrange_rivals("6-swords", bids)
    game.play(*(f"bid {bid}" for bid in bids))
    assert "6-swords" in game.won(winner)
    assert card in game.won(winner) | game.crowns(winner)
    for seat in {A, B, C} - {winner}:
        assert bids[seat] in game.hand(seat) and not game.won(seat)
    assert game.refill() == [(winner, 1)]


def test_dc_28_sealed_the_best_bid_may_be_too_low() -> None:
    game = arrange_rivals("6-swords", ("2-swords", "5-swords", ""))
    game.play("bid 2-swords", "bid 5-swords", "pass")
    assert game.discarded == {"6-swords", "5-swords"} and not game.out
    assert "2-swords" in game.hand(A)


def test_dc_28_sealed_all_pass_open_crowns_first_then_throws() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "", ""), crowns={C: "mists"})
    game.play("pass", "pass", "pass")
    assert (game.asked, game.moves) == (C, {"crown mists", "pass"})
    game.play("pass")
    assert game.moves == {f"throw {card}" for card in game.hand(A)}


def test_dc_28_sealed_bids_are_known_to_all_afterwards() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "9-swords", ""))
    game.play("bid 7-swords", "bid 9-swords", "pass")
    assert known_cards(game.state.view(C), A) == ("7-swords",)


# DC-28, ascending


def auction(*hands: str, **more: object) -> Play:
    return arrange_rivals("6-swords", hands, bidding="ascending", **more)


def test_dc_28_ascending_each_announces_a_higher_rank_or_passes() -> None:
    game = auction("7-swords 2-swords", "master-swords 5-swords", "ghost raven seer")
    assert (game.asked, game.moves) == (A, {"bid 7", "bid 2", "pass"})
    game.play("bid 7")
    assert (game.asked, game.moves) == (B, {"bid hero", "pass"})
    game.play("bid hero")
    assert (game.asked, game.moves) == (C, {"bid crown", "pass", "joker"})
    assert not game.prompt.secret


def test_dc_28_ascending_a_pass_is_final_and_all_but_one_must_pass() -> None:
    game = auction("2-swords 9-swords", "3-swords master-swords", "5-swords 7-swords")
    game.play("bid 2", "bid 3", "pass")
    assert (game.asked, game.moves) == (A, {"bid 9", "pass"})
    game.play("bid 9")
    assert game.asked == B
    game.play("pass")
    assert game.won(A) == {"6-swords", "9-swords"}
    assert game.refill() == [(A, 1)]


def test_dc_28_ascending_winner_with_a_crown_names_it() -> None:
    game = auction("", "ghost raven", "mists")
    game.play("pass", "bid crown")
    assert (game.asked, game.moves) == (C, {"pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (B, {"play ghost", "play raven"})
    game.play("play raven")
    assert game.crowns(B) == {"raven"} and game.won(B) == {"6-swords"}
    assert "mists" in game.hand(C)


def test_dc_28_ascending_the_last_bid_may_be_too_low() -> None:
    game = auction("2-swords", "3-swords", "")
    game.play("bid 2", "pass", "pass")
    assert game.discarded == {"6-swords", "2-swords"} and not game.out


def test_dc_28_ascending_last_player_may_bid_alone_or_pass_too() -> None:
    game = auction("", "", "7-swords")
    game.play("pass", "pass")
    assert (game.asked, game.moves) == (C, {"bid 7", "pass"})
    won = game.branch("bid 7")
    assert won.won(C) == {"6-swords", "7-swords"}
    game.play("pass")
    assert game.moves == {f"throw {card}" for card in game.hand(A)}


def test_dc_28_ascending_bid_number_or_hero_is_known_to_all_but_not_a_crown() -> None:
    game = auction("7-swords", "master-swords", "ghost")
    game.play("bid 7", "bid hero", "bid crown")
    view = game.state.view(A)
    assert (known_cards(view, B), known_cards(view, C)) == (("master-swords",), ())
    assert known_cards(game.state.view(C), A) == ("7-swords",)


def test_dc_28_ascending_starts_with_the_first_player_still_in() -> None:
    assert auction("", "7-swords", "", out=(A,)).asked == B


def test_dc_28_ascending_is_for_number_rounds_only() -> None:
    game = arrange_rivals("ghost", ("raven", "", ""), bidding="ascending")
    assert game.prompt.secret and game.moves == {"play raven"}


# DC-29


@pytest.mark.parametrize(("dealt", "fits"), [("master-stars", "1-stars"), ("ghost", "master-coins")])
def test_dc_29_all_commit_in_secret_and_are_revealed_together(dealt: str, fits: str) -> None:
    game = arrange_rivals(dealt, (fits, "raven", ""))
    for seat, move in ((A, f"play {fits}"), (B, "play raven"), (C, "pass")):
        assert (game.asked, game.prompt.secret) == (seat, True)
        assert not game.told("reveal")
        assert move in game.moves
        game.play(move)
    assert [set(event.cards) for event in game.told("reveal")] == [{fits, "raven"}]


def test_dc_29_failed_player_is_asked_for_an_own_open_crown_then_the_others_in_order() -> None:
    game = arrange_rivals("ghost", ("raven", "", "", ""), crowns={A: "mists", B: "beast", D: "donjon"})
    game.play("play raven", "pass", "pass", "pass")
    assert (game.asked, game.moves) == (B, {"crown beast", "pass"})
    game.play("crown beast")
    assert (game.asked, game.moves) == (A, {"crown mists", "pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (D, {"crown donjon", "pass"})
    game.play("crown donjon")
    assert (game.asked, game.moves) == (A, {"crown mists", "pass"})
    game.play("pass")
    assert game.out == [D]
    assert game.discarded >= {"ghost", "raven", "beast", "donjon"} and game.crowns(A) == {"mists"}


def test_dc_29_each_is_asked_once_for_each_failed_player() -> None:
    game = arrange_rivals("ghost", ("raven", "", ""), crowns={A: "mists", B: "beast"})
    game.play("play raven", "pass", "pass", "pass")
    assert (game.asked, game.moves) == (A, {"crown mists", "pass"})
    game.play("pass")
    asked = []
    while isinstance(game.turn, Prompt) and "pass" in game.moves:
        asked.append(game.asked)
        game.play("pass")
    assert asked == [A, B]
    assert all(move.startswith("show") for move in game.moves)


def test_dc_29_in_hero_rounds_nobody_gives_a_crown() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "2-stars", ""), crowns={A: "mists"})
    game.play("play 1-stars", "play 2-stars", "pass")
    assert game.out == [C] and game.crowns(A) == {"mists"}


# DC-31


def test_dc_31_last_player_left_wins_with_any_score() -> None:
    game = arrange_rivals("6-swords", ("1-coins", "9-coins", ""), out=(C,), won={A: "8-coins", C: "7-coins"})
    game.play("pass", "pass", "throw 1-coins", "throw 9-coins")
    assert game.turn is None
    assert game.outcome.kind == "last-survivor" and game.outcome.winners == (B,)
    assert game.outcome.ranks == (2, 1, 3)


def test_dc_31_highest_score_of_those_still_in_wins_when_the_deck_is_empty() -> None:
    won = {A: "9-coins 8-coins", B: "3-coins", C: "5-coins"}
    game = arrange_rivals("6-swords", ("", "7-swords", ""), out=(A,), won=won, deck="")
    game.play("bid 7-swords", "pass")
    assert game.outcome.kind == "score" and game.outcome.winners == (B,)
    assert game.outcome.ranks == (3, 1, 2)


@pytest.mark.parametrize("low_tie", ["default", "replay-card", "random"])
def test_dc_31_never_all_are_eliminated_together(low_tie: str) -> None:
    luck = Random(31)
    for seats in (2, 3, 4):
        options = complete(mode="competitive", low_tie=low_tie, min_players=2)
        state: CitadelState = DragonCitadel().new(seats, options, DECK)
        while state.turn is not None:
            before = state.at.active
            state.apply(sample(state, luck))
            assert len(state.at.active) >= max(1, len(before) - 1)
        assert ending.outcome(state) is not None and len(state.at.active) >= 1


def test_g_3_the_reveal_names_those_who_passed() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "8-swords", "9-swords"))
    game.play("pass", "bid 8-swords", "pass")
    (told,) = game.told("reveal")
    assert told.sentence.render("ABC".__getitem__, str) == Says(
        "revealed", "B bids the 8-swords", "A passes", "C passes"
    )
    assert (told.seat, told.cards) == (B, ("8-swords",))


def test_dc_28_state_sampled_from_a_view_gives_a_crown_to_a_player_who_bid_one() -> None:
    game = auction("", "ghost", "")
    game.play("pass", "bid crown")
    for seed in range(40):
        guess = DragonCitadel().determinize(game.state.view(A), Random(seed))
        assert any(guess.rules.cards.is_crown(card) for card in guess.at.hands[B])


def test_dc_2_dc_28_a_view_gives_the_dealer_no_crown_that_was_bid() -> None:
    others = " ".join(card for card in CROWNS if card != "ghost")
    game = auction(others, "ghost", "", dealer="hand-of-5", dealer_hand="6-swords 9-stars 8-stars 7-stars 6-stars")
    game.play("pass", "bid crown")
    for seed in range(40):
        guess = DragonCitadel().determinize(game.state.view(A), Random(seed))
        assert "ghost" in guess.at.hands[B] and len(guess.at.dealer_hand) == 4
