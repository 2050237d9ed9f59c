"""DC-25 to DC-27: the joker, played by a player or turned by the dealer, and other jokers."""

import pytest

from tests.games.citadel.position import CROWNS, DECK, A, B, C, Play, arrange_game, arrange_rivals, complete
from tests.games.playing import known_cards
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.rules import CROWN_NAMES, make_cards


def ending_of(game: Play) -> tuple[str, tuple[int, ...]]:
    assert game.turn is None
    return game.outcome.kind, game.outcome.winners


def test_dc_25_in_a_number_round_the_party_may_play_the_seer_from_any_hand() -> None:
    game = arrange_game("6-swords", ("7-swords", "", "seer"), won={B: "9-coins"})
    game.play("joker")
    assert ending_of(game) == ("seer", ())
    assert [(event.seat, event.cards) for event in game.told("joker")] == [(C, ("seer",))]
    assert game.discarded == {"6-swords", "seer"}
    assert not any(game.won(seat) for seat in (A, C)) and game.won(B) == {"9-coins"}


def test_dc_25_if_nobody_is_able_the_seer_may_be_played_instead_of_an_open_crown() -> None:
    game = arrange_game("6-swords", ("", "", "seer"), crowns={A: "mists"})
    game.play("joker")
    assert ending_of(game) == ("seer", ())
    assert game.crowns(A) == {"mists"}


def test_dc_25_the_seer_may_be_played_instead_of_a_throw() -> None:
    game = arrange_game("6-swords", ("9-coins", "seer", ""))
    game.play("throw 9-coins")
    assert "joker" in game.moves
    game.play("joker")
    assert ending_of(game) == ("seer", ())
    assert game.discarded == {"6-swords", "9-coins", "seer"} and not game.out


@pytest.mark.parametrize(("dealt", "hand"), [("master-stars", "1-stars seer"), ("ghost", "raven seer")])
def test_dc_25_in_co_op_a_player_who_is_able_may_play_the_seer_and_need_not(dealt: str, hand: str) -> None:
    game = arrange_game(dealt, (hand, "", ""))
    assert game.moves == {f"play {hand.split(maxsplit=1)[0]}", "joker"}


@pytest.mark.parametrize("allowed", ["yes", "no"])
def test_dc_25_in_co_op_a_player_who_is_not_able_may_play_it(allowed: str) -> None:
    game = arrange_game("master-stars", ("1-stars", "2-stars", "seer"), hero_open_crown=allowed)
    game.play("play 1-stars", "play 2-stars")
    assert game.moves == {"pass", "joker"}
    refused = game.branch("pass")
    assert refused.out == [C]
    game.play("joker")
    assert ending_of(game) == ("seer", ())
    assert game.discarded == {"master-stars", "1-stars", "2-stars", "seer"}


def test_dc_25_the_seer_never_counts_as_a_crown() -> None:
    game = arrange_game("ghost", ("seer", "raven", ""))
    assert (game.asked, game.moves) == (B, {"play raven"})


@pytest.mark.parametrize("dealt", ["6-swords", "master-stars", "ghost"])
def test_dc_25_in_sealed_play_the_seer_takes_effect_first_at_the_reveal(dealt: str) -> None:
    verb = "bid" if dealt == "6-swords" else "play"
    game = arrange_rivals(dealt, ("seer", "raven", ""), won={C: "9-coins"})
    told = game.play("joker")
    assert not any(event.cards for event in told)
    assert (game.asked, game.turn is None) == (B, False)
    game.play(f"{verb} raven", "pass")
    assert ending_of(game) == ("seer", (C,))
    assert game.discarded == {dealt, "seer", "raven"}
    assert not game.won(B) and not game.crowns(B) and not game.out


def test_dc_25_in_sealed_throws_the_seer_saves_everybody() -> None:
    game = arrange_rivals("6-swords", ("1-coins", "", "seer"))
    game.play("pass", "pass", "pass", "throw 1-coins", f"throw {min(game.hand(B))}", "joker")
    assert game.outcome.kind == "seer" and not game.out and game.active == (A, B, C)


def test_dc_25_the_seer_may_be_played_instead_of_showing_a_card() -> None:
    game = arrange_rivals("ghost", ("raven", "seer", ""), won={B: "9-coins"})
    game.play("play raven", "pass", "pass", "joker", f"show {min(game.hand(C))}")
    assert ending_of(game) == ("seer", (B,))
    assert not game.out


def test_dc_25_at_auction_the_seer_ends_the_game_at_once() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "seer", ""), won={C: "9-coins"}, bidding="ascending")
    game.play("bid 7")
    assert game.moves == {"pass", "joker"}
    game.play("joker")
    assert ending_of(game) == ("seer", (C,))
    assert "7-swords" in game.hand(A) and game.discarded == {"6-swords", "seer"}


def test_dc_25_winner_of_the_auction_with_a_crown_may_still_play_it() -> None:
    game = arrange_rivals("6-swords", ("ghost seer", "", ""), bidding="ascending")
    game.play("bid crown", "pass", "pass")
    assert game.moves == {"play ghost", "joker"}
    game.play("joker")
    assert game.outcome.kind == "seer" and not game.won(A)


def test_dc_25_competitive_the_highest_score_of_those_still_in_wins() -> None:
    won = {A: "9-coins 8-coins", B: "3-coins", C: "5-coins"}
    game = arrange_rivals("6-swords", ("", "seer", ""), won=won, out=(A,))
    game.play("joker", "pass")
    assert ending_of(game) == ("seer", (C,))


@pytest.mark.parametrize(("seer", "winners"), [("truce", ()), ("party-wins", (A, B, C)), ("dealer-wins", ())])
def test_dc_25_option_seer_decides_who_wins_a_co_op_game(seer: str, winners: tuple[int, ...]) -> None:
    game = arrange_game("6-swords", ("7-swords", "", "seer"), seer=seer, won={A: "9-coins"})
    game.play("joker")
    assert ending_of(game) == ("seer", winners)
    assert game.outcome.scores[A]["coins.total"] == 9
    word = {"truce": "nobody", "party-wins": "party", "dealer-wins": "dealer"}[seer]
    assert word in game.outcome.reason.words


@pytest.mark.parametrize("seer", ["truce", "party-wins", "dealer-wins"])
def test_dc_25_option_seer_changes_nothing_in_competitive_play(seer: str) -> None:
    game = arrange_rivals("6-swords", ("seer", "", ""), won={C: "9-coins"}, seer=seer)
    game.play("joker", "pass", "pass")
    assert ending_of(game) == ("seer", (C,))


def test_dc_26_dealers_seer_is_put_under_the_deck_visibly() -> None:
    game = arrange_game(None, ("", "", ""))
    deck = len(game.state.at.deck)
    told = game.luck("seer")
    assert len(game.state.at.deck) == deck
    assert [event.cards for event in told] == [("seer",)] and told[0].seen_by is None
    assert game.state.view(A).at.deck.bottom == ("seer",)
    assert game.state.at.rounds == ()


@pytest.mark.parametrize(("mode", "kind"), [("coop", "party"), ("competitive", "score")])
def test_dc_26_a_seer_alone_counts_as_an_empty_deck(mode: str, kind: str) -> None:
    turned = arrange_game(None, ("", "", ""), deck="seer", won={B: "9-coins"}, mode=mode)
    turned.luck("seer")
    lying = arrange_game(None, ("", "", ""), deck="", bottom="seer", won={B: "9-coins"}, mode=mode)
    winners = (A, B, C) if mode == "coop" else (B,)
    assert ending_of(turned) == ending_of(lying) == (kind, winners)


def test_dc_26_with_a_hand_of_5_a_seer_alone_counts_as_an_empty_deck() -> None:
    game = arrange_game(None, ("", "", ""), deck="", bottom="seer", dealer="hand-of-5")
    assert ending_of(game) == ("party", (A, B, C))


def test_dc_26_a_player_may_draw_it_from_the_bottom_and_all_know_who() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "", ""), deck="", bottom="seer")
    game.play("bid 7-swords", "pass", "pass")
    game.luck("seer")
    assert "seer" in game.hand(A)
    assert known_cards(game.state.view(B), A) == ("seer",)
    assert ending_of(game) == ("score", (A,))


def test_dc_27_the_joker_is_the_seer_or_any_crown_by_its_name() -> None:
    high = {card.name: card.id for card in DECK if not card.suits}
    assert set(CROWN_NAMES) == set(high) and CROWN_NAMES[0] == "Seer"
    for name, card in high.items():
        joker = make_cards(DECK, str(complete(joker=name)["joker"]))
        assert joker.joker == card
        assert {crown for crown in high.values() if joker.is_crown(crown)} == {*CROWNS, "seer"} - {card}


def test_dc_27_new_game_is_played_with_the_configured_joker() -> None:
    state = DragonCitadel().new(3, complete(joker="Broken One"), DECK)
    assert state.rules.cards.joker == "broken-one"


def test_dc_27_the_seer_is_then_an_ordinary_crown() -> None:
    game = arrange_game("6-swords", ("seer", "raven", ""), joker="Raven")
    assert game.moves == {"play seer", "joker"}
    game.play("play seer")
    assert game.crowns(A) == {"seer"} and game.won(A) == {"6-swords"}


def test_dc_27_other_joker_has_all_effects_of_the_seer() -> None:
    game = arrange_game("6-swords", ("", "raven", ""), joker="Raven")
    game.play(f"throw {min(game.hand(A))}")
    assert "throw raven" not in game.moves
    game.play("joker")
    assert ending_of(game) == ("seer", ())
    assert "raven" in game.discarded


def test_dc_27_dealer_puts_another_joker_under_the_deck_and_turns_the_seer_as_a_crown() -> None:
    game = arrange_game(None, ("", "mists", ""), joker="Broken One")
    game.luck("broken-one")
    assert game.state.at.deck.bottom == ("broken-one",)
    game.luck("seer")
    assert game.state.at.rounds == ("crown",)
    assert (game.asked, game.moves) == (B, {"play mists"})


def test_dc_27_end_names_the_played_joker() -> None:
    game = arrange_game("6-swords", ("", "raven", "1-swords"), joker="Raven")
    game.play("joker")
    reason = game.outcome.reason.render(str, lambda card: DECK.by_id[card].name)
    assert "Raven" in reason and "Seer" not in reason
