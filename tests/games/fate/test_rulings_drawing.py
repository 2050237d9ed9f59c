"""Drawing Fates, and cards that go under the deck (TF-9, TF-10, TF-19)."""

from random import Random

from tests.games.fate.position import CARDS, GAME, A, B, arrange_game
from tests.games.playing import known_cards
from vaultkit.games.turn import HIDDEN

LAST = "2mk"
"""A Citizen left to introduce, so that the game does not end."""


def test_tf_9_only_the_drawer_sees_the_cards_put_under_the_deck() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="7wy 8wl 3mw", citizens=LAST)
    game.play("pass")
    told = game.luck("7wy")
    assert [event.kind for event in told] == ["cycle"]
    assert told[0].seen_by == frozenset({A}) and told[0].cards == ("7wy",) and told[0].reveals
    assert game.state.view(A).at.fates.bottom == ("7wy",)
    assert game.state.view(B).at.fates.bottom == (HIDDEN,)


def test_tf_9_rival_learns_the_count_when_the_draw_is_done() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="7wy 4yk 8wl 3mw", citizens=LAST)
    game.play("pass")
    told = game.luck("7wy 4yk 8wl")
    to_rival = [event for event in told if event.is_visible_to(B)]
    assert [event.sentence.values for event in to_rival] == [(2,)]
    assert not to_rival[0].cards and not to_rival[0].reveals


def test_tf_9_player_who_put_a_card_under_the_deck_knows_who_draws_it() -> None:
    game = arrange_game(("", ""), mover=B, agora="3sk", deck="", bottom="7wy 4yk", known=("7wy 4yk", ""), citizens=LAST)
    game.play("pass")
    game.luck("7wy 4yk")
    assert game.hand(B) == {"7wy", "4yk"}
    assert set(known_cards(game.state.view(A), B)) == {"7wy", "4yk"}
    assert game.state.view(B).at.known[A] == {"7wy", "4yk"}, "and the rival knows that they are known"


def test_tf_9_samples_leave_cards_of_the_rivals_suit_in_place() -> None:
    game = arrange_game(
        ("9ms", "7wy 4yk"), agora="3sk", deck="8wl 3mw 8yk Xy", bottom="4ms 9wy", known=("9wy", "4ms"), citizens=LAST
    )
    for seed in range(30):
        guess = GAME.determinize(game.state.view(B), Random(seed)).at
        assert guess.fates.bottom[0] == "4ms", "one's own card stays"
        assert guess.fates.bottom[1] in {"9wy", "8yk", "Xy"}, "the rival could only have put Wyrms there"
        assert CARDS.bearing["Wyrms"].isdisjoint(guess.hands[A])


def test_tf_10_one_full_pass_through_the_deck_and_no_more() -> None:
    game = arrange_game(("9ms 5ml", ""), agora="3sk", deck="7wy 9wy 4yk", citizens=LAST)
    game.play("play 9ms 3sk")
    game.luck("9wy 4yk 7wy")
    assert game.hand(A) == {"5ml"} and game.deck == (set(), ("9wy", "4yk", "7wy"))
    assert [event.sentence.values for event in game.told("no-draw")] == [(3,)]
    assert game.chance.name == "citizen"


def test_tf_10_player_who_knows_the_deck_leaves_it_alone() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="", bottom="9wy 4yk", known=("9wy 4yk", ""), citizens=LAST)
    game.play("pass")
    assert game.chance.name == "citizen", "nothing to leaf through"
    assert game.told("no-draw") and game.deck[1] == ("9wy", "4yk")


def test_tf_10_unseen_card_of_the_rivals_suit_is_looked_at() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="", bottom="9wy 4yk", known=("9wy", ""), citizens=LAST)
    game.play("pass")
    assert game.chance.name == "fate"


def test_tf_19_two_draws_count_as_two() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="5ml 7wy", citizens=LAST)
    game.play("pass")
    game.luck("5ml 7wy")
    assert game.hand(A) == {"9ms", "5ml"} and len(game.told("no-draw")) == 1


def test_tf_19_nothing_happens_if_no_card_can_be_drawn() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="", citizens=LAST)
    game.play("pass")
    assert game.hand(A) == {"9ms"} and len(game.told("no-draw")) == 1
    assert game.chance.name == "citizen"
