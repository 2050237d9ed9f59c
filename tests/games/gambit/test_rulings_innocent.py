"""PG-20 to PG-27: the Donjon, which ends the rounds, the Executioner, and what the Innocent is safe from."""

from collections import Counter
from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.gambit.position import (
    COINS,
    FATES,
    HANDS,
    TOPS,
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
from vaultkit.games.turn import Prompt


def nothing_happened(game: Play, seat: int) -> bool:
    """Return whether the High card only cost the seat a card, and the next seat is to move."""
    told = [event for event in game.told("innocent") if event.seat == seat]
    return game.asked == seat + 1 and game.sizes[seat] == 4 and len(told) == 1


@pytest.mark.parametrize(("value", "asked"), [("skip", False), ("hold", True)])
def test_pg_20_donjon_skips_the_turns_and_by_option_the_execution(value: str, asked: bool) -> None:
    game = take_risk("donjon", actor=B, shown=TOPS, donjon_execution=value)
    while isinstance(game.turn, Prompt) and game.verbs == {"discard"}:
        game.apply(game.prompt.moves[0])
    assert (isinstance(game.turn, Prompt) and game.verbs == {"kill", "save"}) is asked
    if asked:
        assert game.asked == A
        game.play("kill")
    assert game.sizes == [3] * 4 and game.outcome.kind == "donjon"
    assert {parts["cards"] for parts in game.outcome.scores} == {4 if asked else 5}


def test_pg_20_each_chooses_in_secret_which_cards_to_keep() -> None:
    game = take_risk("donjon")
    assert game.asked == A and game.prompt.secret and len(game.prompt.moves) == 4
    game.play("discard 5-swords")
    assert game.asked == B and len(game.prompt.moves) == 10 and "5-swords" not in game.discarded
    game.play("discard 1-stars 5-stars", "discard 1-coins 2-coins", "discard 4-glyphs 5-glyphs")
    assert {"5-swords", "1-stars", "5-stars"} <= set(game.discarded) and game.outcome


@pytest.mark.slow
def test_pg_20_nobody_holds_fewer_than_three_and_a_marionette_expires() -> None:
    game = take_risk("donjon", forced=(C, "highest"))
    assert game.state.at.forced is None
    for seed in range(200):
        rng, other = Random(seed), new_game(3 + seed % 3)
        while other.turn is not None:
            other.apply(answer(other.state, rng))
        assert other.sizes == [3] * other.state.seats


@pytest.mark.parametrize(("value", "asked"), [("skip", None), ("hold", D)])
def test_pg_21_donjon_and_executioner(value: str, asked: int | None) -> None:
    game = take_risk("donjon", shown=TOPS, kept={D: "executioner"}, donjon_execution=value)
    while isinstance(game.turn, Prompt) and game.verbs == {"discard"}:
        game.apply(game.prompt.moves[0])
    assert (game.asked if isinstance(game.turn, Prompt) else None) == asked


def test_pg_22_donjon_applies_to_the_innocent_too() -> None:
    game = take_risk("donjon", innocent=C)
    asked = []
    while isinstance(game.turn, Prompt):
        asked.append(game.asked)
        game.apply(game.prompt.moves[0])
    assert asked == [A, B, C, D] and game.sizes == [3] * 4


def test_pg_23_the_executioner_decides_even_over_an_innocent_winner() -> None:
    game = arrange_game(HANDS, shown="9-swords 7-stars 7-coins 7-glyphs", kept={A: "innocent"}, waiting=(B,), round=2)
    game.risk("1-stars", "executioner")
    assert game.asked == B and game.moves == {"kill", "save"} and "PG-23" in game.prompt.rulings


@pytest.mark.parametrize("high", ["artifact", "broken-one", "ghost", "horseman", "tempter"])
def test_pg_24_literal_the_innocents_own_card_does_nothing(high: str) -> None:
    game = take_risk(high, innocent=A)
    assert nothing_happened(game, A) and game.fates[A] == "6-swords"


@pytest.mark.parametrize("high", ["artifact", "broken-one", "ghost", "horseman", "tempter"])
def test_pg_24_others_only_the_innocents_own_card_works(high: str) -> None:
    game = arrange_game(HANDS, fates=FATES, kept={A: "innocent"}, waiting=(A, B), innocent="others-only")
    game.risk("1-swords", high)
    assert not game.told("innocent")
    works = {
        "artifact": lambda: game.fates[A] != "6-swords",
        "broken-one": lambda: not game.hand(A),
        "ghost": lambda: game.verbs == {"take"},
        "horseman": lambda: game.chance.count == 2,
        "tempter": lambda: game.verbs == {"offer"},
    }
    assert works[high]()


@pytest.mark.parametrize(("value", "who"), [("literal", [B, C, D]), ("others-only", [A, B, C, D])])
def test_pg_24_the_innocents_own_beast(value: str, who: list[int]) -> None:
    game = arrange_game(HANDS, kept={A: "innocent"}, waiting=(A, B), innocent=value)
    game.risk("1-swords", "beast")
    assert discard_and_draw(game) == (who, who)


@pytest.mark.parametrize("high", ["darklord", "marionette", "seer", "executioner", "donjon"])
def test_pg_24_literal_the_innocents_own_card_works_on_others(high: str) -> None:
    game = take_risk(high, innocent=A)
    works = {
        "darklord": lambda: game.verbs == {"target"},
        "marionette": lambda: game.verbs == {"order"},
        "seer": lambda: fates(game.view(A)) == tuple(FATES.split()),
        "executioner": lambda: game.state.at.kept[A] == ("innocent", "executioner"),
        "donjon": lambda: game.verbs == {"discard"} and game.state.at.donjon == A,
    }
    assert works[high]()


def test_pg_24_the_innocent_cannot_be_chosen_or_looked_at() -> None:
    for high in ("darklord", "tempter"):
        game = take_risk(high, innocent=C)
        if high == "tempter":
            game.play("offer 2-swords")
        assert game.moves == {"target 1", "target 3"}
    assert take_risk("marionette", innocent=C).moves == {
        f"order {seat} {way}" for seat in (1, 3) for way in ("highest", "lowest")
    }
    assert fates(take_risk("seer", innocent=C).view(A)) == ("6-swords", "6-stars", None, "6-glyphs")


@pytest.mark.slow
def test_pg_24_at_most_one_seat_is_the_innocent() -> None:
    for seed in range(100):
        rng, game = Random(seed), new_game(4)
        while game.turn is not None:
            game.apply(answer(game.state, rng))
            held = Counter(card for kept in game.state.at.kept for card in kept)
            assert held["innocent"] <= 1 and held["executioner"] <= 1


@pytest.mark.parametrize(("innocent", "after"), [
    (None, "6-glyphs 6-swords 6-stars 6-coins"),
    (C, "6-glyphs 6-swords 6-coins 6-stars"),
    (A, "6-swords 6-glyphs 6-stars 6-coins"),
])  # fmt: skip
def test_pg_25_mists_move_the_fates_past_the_innocent(innocent: int | None, after: str) -> None:
    game = take_risk("mists", innocent=innocent, actor=B)
    assert game.fates == after.split()


def test_pg_26_raven_passes_cards_past_the_innocent() -> None:
    game = take_risk("raven", innocent=C)
    game.play("pass 2-swords", "pass 1-stars", "pass 1-glyphs")
    assert "2-swords" in game.hand(B) and "1-stars" in game.hand(D) and "1-glyphs" in game.hand(A)
    assert game.hand(C) == set(COINS.split())


def test_pg_27_focus_belongs_to_nobody_and_an_earlier_marionette_stays() -> None:
    game = take_risk("artifact", innocent=C, focus="9-stars")
    assert game.state.at.focus == "6-swords"
    game = arrange_game(HANDS, kept={B: "innocent"}, forced=(B, "lowest"), waiting=(B,))
    assert game.moves == {"play 1-stars"}
