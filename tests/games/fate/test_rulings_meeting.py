"""Interactions of rulings in Turn of Fate: the wild Crown, passes through the deck, special Citizens and ends."""

import pytest

from tests.games.fate.position import A, B, arrange_game, begin, complete
from tests.games.playing import known_cards
from vaultkit.errors import UsageError
from vaultkit.games.options import Option
from vaultkit.games.turn import Chance, Prompt
from vaultkit.games.turn_of_fate.rules import OPTIONS

LAST = "2mk"
"""A Citizen left to introduce, so that the game does not end."""


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_tf_an_option_refuses_any_other_value_and_names_its_ruling(option: Option) -> None:
    for value in ("sometimes", "2"):
        with pytest.raises(UsageError) as caught:
            complete(**{option.key: value})
        assert option.key in caught.value.message and option.ruling in caught.value.hint


@pytest.mark.parametrize(
    ("where", "goes"),
    [
        ({"congregations": ("3sk 9ms", "")}, "own"),
        ({"congregations": ("", "3sk 9ms")}, "temple"),
        ({"agora": "3sk 9ms"}, "temple"),
    ],
    ids=["the rival's", "one's own", "in the Agora"],
)
def test_tf_18_tf_15_wild_crown_is_used_where_no_fate_fits_and_is_a_moment(where: dict[str, object], goes: str) -> None:
    game = arrange_game(("", "Xy Ak As"), mover=B, deck="8yk", **where)  # type: ignore[arg-type]
    assert {move for move in game.moves if "Xy" in move} == {"wild Ak Xy 3sk", "wild As Xy 3sk"}, "any Ace will do"
    game.play("wild As Xy 3sk")
    lies = {"own": game.congregation(B), "temple": game.temple(B)}
    assert lies.pop(goes) == {"3sk 9ms Xy"} and not any(lies.values())
    assert game.state.at.deeds[B] == (1, 1, 1)


@pytest.mark.parametrize(("option", "drawn"), [("bottom", {"Ak"}), ("removed", set())])
def test_tf_18_tf_19_the_ace_under_an_empty_deck_may_be_drawn_again_at_once(option: str, drawn: set[str]) -> None:
    game = arrange_game(("", "Xy Ak"), mover=B, agora="6mw", deck="", citizens=LAST, ace_discard=option)
    game.play("wild Ak Xy 6mw")
    if drawn:
        game.luck("Ak")
    assert game.hand(B) == drawn and game.chance.name == "citizen"


def test_tf_18_tf_22_ace_in_hand_is_not_a_play_without_a_citizen_in_play() -> None:
    game = arrange_game(("4ms", "Xy Ak"), mover=B, deck="5ml", citizens=LAST)
    assert game.moves == {"pass"}, "a Citizen is still to come"


def test_tf_9_drawn_cards_are_shown_to_nobody_else() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="7wy 8wl 3mw", citizens=LAST)
    game.play("pass")
    assert not game.chance.open and game.chance.seat == A
    for event in game.luck("8wl"):
        assert event.seen_by == (frozenset({A}) if event.cards else frozenset({B}))
    assert known_cards(game.state.view(B), A) == () and len(game.state.view(B).at.hands[A]) == 2


def test_tf_10_tf_19_deck_is_searched_once_and_stays_in_order() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="7wy 9wy", bottom="4yk 8yk", citizens=LAST)
    game.play("pass")
    game.luck("9wy 7wy 4yk 8yk")
    assert game.deck == (set(), ("9wy", "7wy", "4yk", "8yk")), "what lay under the deck lies there again"
    assert [event.sentence.values for event in game.told("no-draw")] == [(4,)], "the second draw can find no more"
    assert game.chance.name == "citizen"


def test_tf_10_card_under_the_deck_can_be_drawn_by_the_player_it_suits() -> None:
    game = arrange_game(("", "4yk"), mover=B, agora="3sk", deck="4ms", bottom="9wy 5sw", citizens=LAST)
    game.play("pass")
    game.luck("4ms 9wy 5sw")
    assert game.hand(B) == {"4yk", "9wy", "5sw"} and game.deck == (set(), ("4ms",))


@pytest.mark.parametrize(
    ("temple", "card", "vows", "gone"),
    [("Moons", "Xs", set(), ("Xs",)), ("Leaves", "Xm", set(), ("Xm",)), ("Wyrms", "Xm", {"Xm"}, ())],
)
def test_tf_1_tf_4_tf_5_a_chosen_temple_and_a_special_first_citizen(
    temple: str, card: str, vows: set[str], gone: tuple[str, ...]
) -> None:
    game = begin("0", temples="chosen")
    game.play(f"temple {temple}")
    game.luck(card)
    assert game.temple(B) == vows and game.state.at.removed == gone and not game.state.at.in_play
    assert game.chance.name == "citizen" and game.chance.text.seats == (B,), "Player 2 turns up the next"


def test_tf_1_returned_sailor_comes_up_last_and_follows_the_general_rule() -> None:
    game = begin("0 4wl 5yk", sailor="redraw")
    game.luck("9lk 3sk 2mk")
    assert len(game.state.at.in_play) == 4 and game.state.at.citizens.bottom == ("4wl",)
    last = arrange_game(("4ms", ""), agora="3sk", deck="5ml 8wl", citizens="4wl")
    last.play("pass")
    last.luck("5ml 8wl 4wl")
    assert last.agora == {"3sk", "4wl"}


@pytest.mark.parametrize(("card", "temple", "removed"), [("Xs", {"Xs"}, ()), ("Xm", set(), ("Xm",))])
def test_tf_5_bard_joins_between_suns_and_leaves(card: str, temple: set[str], removed: tuple[str, ...]) -> None:
    game = arrange_game(("", ""), temples="Leaves Suns", agora="5yk", deck="", citizens=f"{card} {LAST}")
    out = game.state.at.removed
    game.play("pass")
    game.luck(card)
    assert game.temple(B) == temple and not game.temple(A) and game.state.at.removed == (*out, *removed)


@pytest.mark.parametrize("special", ["no", "yes"])
def test_tf_20_tf_21_one_citizen_is_introduced_with_any_number_in_play(special: str) -> None:
    game = arrange_game(("", ""), agora="3sk, 9lk, 4wl, 6sy, 5yk", deck="", citizens="2mk 3ly", special_replace=special)
    game.play("pass")
    game.luck("3ly")
    assert game.asked == B and game.state.at.citizens.unknown == ("2mk",)


def test_tf_20_tf_21_refilling_ignores_bard_and_huntress_with_either_option() -> None:
    for special in ("no", "yes"):
        settings = {"introduce": "refill-to-4", "special_replace": special}
        game = arrange_game(("", ""), agora="3sk, 9lk, 4wl", deck="", citizens="Xs Xm 2mk 3ly", **settings)  # type: ignore[arg-type]
        game.play("pass")
        game.luck("Xs Xm 2mk")
        assert game.asked == B and len(game.state.at.in_play) == 4


def test_tf_22_optional_introduction_with_a_citizen_deck_continues_the_game() -> None:
    game = arrange_game(("9ms", "4yk"), agora="9lk", deck="7wy", citizens=LAST, introduce="optional")
    game.play("pass")
    game.luck("7wy")
    game.play("pass")
    assert isinstance(game.turn, Prompt) and game.asked == B


def test_tf_22_rival_is_not_tested_while_the_mover_can_still_act() -> None:
    game = arrange_game(("4ms", ""), agora="8ms", deck="", citizens="")
    assert isinstance(game.turn, Prompt) and game.asked == A, "the Wyrms could do nothing, but it is not their turn"


def test_tf_22_end_of_game_is_tested_before_the_introduction() -> None:
    game = arrange_game(("4ms 6lk", ""), agora="8ms, 9lk", deck="5ml", citizens=LAST)
    game.play("play 4ms 8ms")
    game.luck("5ml")
    assert isinstance(game.turn, Chance), "a Citizen is left, so the game goes on"


def test_tf_23_idle_turn_is_forgotten_after_an_active_turn() -> None:
    game = arrange_game(("6lk", "Ak 4yk"), agora="9lk, 3sk", deck="", citizens="")
    game.play("pass", "play Ak 3sk", "pass")
    assert game.turn is not None and game.asked == B
    game.play("pass")
    assert game.turn is None and game.outcome.kind == "stalled"


def test_tf_23_tf_18_wild_crown_counts_as_an_active_turn() -> None:
    game = arrange_game(
        ("4ms", "Xy Ak"), mover=B, agora="8ms, 3sk", deck="", citizens="", idle=1, ace_discard="removed"
    )
    game.play("wild Ak Xy 3sk")
    assert game.outcome.kind == "no-fate" and game.state.at.end is not None and game.state.at.end.seat == B


def test_tf_24_game_continues_with_nobody_in_play_but_citizens_in_the_deck() -> None:
    game = arrange_game(("Xw", "4yk"), congregations=("6mw", ""), deck="5ml", citizens="Xs 3ly")
    game.play("play Xw 6mw")
    game.luck("5ml Xs")
    assert game.asked == B and game.moves == {"pass"} and not game.state.at.in_play
    game.play("pass")
    game.luck("3ly")
    assert game.congregation(B) == {"3ly"}


def test_tf_24_last_citizen_may_leave_instead_of_taking_vows() -> None:
    game = arrange_game(("", "Xy 4yk"), mover=B, congregations=("", "6sy"), deck="7wy", citizens="Xs")
    game.play("play Xy 6sy")
    game.luck("7wy Xs")
    assert game.outcome.kind == "nobody-left" and "TF-24" in game.outcome.rulings


def test_tf_30_moment_on_a_stolen_believer_returns_them_but_not_into_the_temple() -> None:
    game = arrange_game(("9ms As", ""), congregations=("", "8ms 2sy"), deck="5ml", citizens=LAST)
    game.play("play As 8ms")
    assert game.agora == {"8ms 2sy As"}, "an Ace is special on one's own Citizen alone"
    again = arrange_game(("9ms", ""), congregations=("", "8ms As"), deck="5ml", citizens=LAST)
    again.play("play 9ms 8ms")
    assert again.congregation(A) == {"8ms As 9ms"} and not again.temple(A)
