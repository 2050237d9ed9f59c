"""The reasons why a card cannot be played now, with their rulings, and the parts of a question that all may read."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.games.citadel import position as citadel
from tests.games.conformance import render_sentence
from tests.games.fate import position as fate
from tests.games.gambit import position as gambit
from tests.games.propheta import position as propheta
from tests.wording import Says
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.messages import Sentence, Zone
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.scene.scene import _open_question

CITADEL = DragonCitadel()
HANDS = ("Leo Lion, Aries Scrap", "Taurus Bull, Leo Ribbon", "Libra Scrap, Aries Ram")


def reason(game: Any, state: Any, seat: int, card: str) -> str:
    found = game.why_not(state.view(seat), card)
    return render_sentence(found) if found else ""


def test_va_4_where_suit_must_be_followed_the_reason_names_both_elements() -> None:
    game = propheta.arrange_game(HANDS, follow="element")
    game.play("Leo Lion")
    assert reason(propheta.GAME, game.state, 1, "taurus-animal") == Says(
        "taurus-animal", "Earth", "Fire was led", "hold"
    )


def test_va_11_prophecy_needs_a_trick_that_fulfils_its_element() -> None:
    game = propheta.arrange_game(HANDS, {0: "Cancer Ribbon"})
    game.play("Leo Lion, Taurus Bull, Libra Scrap")
    said = reason(propheta.GAME, game.state, 0, "cancer-ribbon")
    assert said.startswith("The cancer-ribbon is Water; this trick fulfils ")


def test_dc_7_a_card_of_another_suit_does_not_answer_the_dealer() -> None:
    game = citadel.arrange_game("4-coins", ("5-swords 6-coins", "7-stars", "8-glyphs"))
    assert reason(CITADEL, game.state, 0, "5-swords") == (
        Says("5-swords", "Swords", "4-coins", "asks", "Coins", "Crown")
    )
    assert reason(CITADEL, game.state, 0, "6-coins") == ""


def test_dc_22_number_does_not_pay_for_a_crown() -> None:
    game = citadel.arrange_game("raven", ("5-swords master-coins", "7-stars", "8-glyphs"))
    assert "is a number" in reason(CITADEL, game.state, 0, "5-swords")
    assert reason(CITADEL, game.state, 0, "master-coins") == ""


def test_tf_12_a_fate_needs_a_suit_in_common() -> None:
    cards = fate.CARDS
    citizen = cards.citizens[0]
    near = next(one for one in cards.fates if one in cards.matching[citizen])
    far = next(one for one in cards.fates if one not in cards.matching[citizen])
    game = fate.arrange_game((f"{near} {far}", ""), agora=citizen)
    assert "shares no suit" in reason(fate.GAME, game.state, 0, far)
    assert reason(fate.GAME, game.state, 0, near) == ""


def test_pg_28_marionette_sees_which_number_it_must_play() -> None:
    game = gambit.arrange_game(
        ("1-swords 2-swords 3-swords", "4-coins 5-coins 6-coins", "7-stars 8-stars 9-stars"), waiting=(0, 2)
    )
    game.risk("1-swords", "marionette")
    game.play("order 2 highest")
    assert "highest numbered card" in reason(gambit.GAME, game.state, 2, "7-stars")


def test_pg_34_question_that_names_a_hidden_card_is_not_shown_to_all() -> None:
    text = Sentence("{s0}, for the {c1}: with whom do you trade the {c0}?", (0,), ("4-coins", "tempter"))
    turn = Prompt(0, text, "High Deck Rules", ("PG-34",), (Move("target", ("1",)),))
    session = cast(Any, SimpleNamespace(turn=turn))
    open_to_all = _open_question(session, [Zone(Sentence("High card"), ("tempter",))])
    assert open_to_all and open_to_all.text == Sentence("{s0} decides.", (0,)) and open_to_all.rulings == ("PG-34",)
    named = _open_question(session, [Zone(Sentence("All"), ("tempter", "4-coins"))])
    assert named and named.text == text


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (
            Chance("deal", Sentence("Cards for {s0}: {c0}.", (1,), ("4-coins",)), (), count=5, seat=1),
            "Cards are drawn for B.",
        ),
        (Chance("fate", Sentence("{s0} draws the {c0}.", (1,), ("4-coins",)), (), seat=1), "A card is drawn for B."),
        (Chance("citizen", Sentence("The {c0} comes.", (), ("4-coins",)), ()), "A card is drawn."),
        (
            Chance("first", Sentence("Who begins, for the {c0}?", (), ("4-coins",)), (), options=("0", "1")),
            "Chance decides.",
        ),
    ],
)
def test_no_seat_decides_a_chance_event(chance: Chance, words: str) -> None:
    session = cast(Any, SimpleNamespace(turn=chance))
    asked = _open_question(session, [])
    assert asked and asked.luck and asked.luck.render("AB".__getitem__, str) == words
    assert asked.text == asked.luck, "nor is the hidden card named"


def test_a_party_decides_together_where_a_card_is_hidden() -> None:
    turn = Prompt(0, Sentence("What of the {c0}?", (), ("4-coins",)), "", (), (Move("pass"),), party=True)
    asked = _open_question(cast(Any, SimpleNamespace(turn=turn)), [])
    assert asked and asked.text.words == "The party decides."
