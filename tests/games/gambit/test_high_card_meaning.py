"""The sentences about a High card that asks players something, with every house rule and beside an Innocent."""

import pytest

from tests.games.gambit.position import HANDS, A, B, C, Play, arrange_game
from tests.wording import Says
from vaultkit.games.prophets_gambit.card_effects import target_seats
from vaultkit.games.prophets_gambit.rules import HIGH_CARDS
from vaultkit.games.turn import Chance, Prompt

FATES = "6-swords 6-stars 6-coins 6-glyphs"
ASKING = {"beast", "darklord", "donjon", "ghost", "horseman", "marionette", "raven", "tempter"}


def tell_meaning(high: str, *, innocent: int | None = None, **options: object) -> tuple[Play, list[str]]:
    """Let B risk and turn up `high`; return the game and the sentences about its meaning and the seats left out."""
    kept = {} if innocent is None else {innocent: "innocent"}
    game = arrange_game(HANDS, fates=FATES, focus="9-stars", kept=kept, waiting=(B, C, 3), **options)  # type: ignore[arg-type]
    events = game.risk("1-stars", high)
    said = [event.sentence for event in events if event.kind in {"meaning", "left-out"}]
    return game, [text.render(lambda seat: "ABCD"[seat], str) for text in said]


@pytest.mark.parametrize("high", HIGH_CARDS)
def test_pg_15_high_card_with_a_choice_shows_its_effect_and_every_question_names_it(high: str) -> None:
    game, said = tell_meaning(high)
    assert bool(said) == (high in ASKING)
    while game.state.at.turned == high:
        turn = game.turn
        if isinstance(turn, Chance):
            game.luck()
            continue
        assert isinstance(turn, Prompt)
        assert high in turn.text.cards
        game.apply(turn.moves[0])


@pytest.mark.parametrize(
    ("high", "option", "value", "word"),
    [
        ("donjon", "donjon_execution", "skip", "no Execution"),
        ("donjon", "donjon_execution", "hold", "Execution follows"),
        ("ghost", "ghost", "any", "any card"),
        ("ghost", "ghost", "top", "top card"),
        ("marionette", "marionette", "at-turn", "on that turn"),
        ("marionette", "marionette", "immediate", "at once"),
    ],
)
def test_pg_20_28_30_the_meaning_is_that_of_the_option_in_force(high: str, option: str, value: str, word: str) -> None:
    assert word in tell_meaning(high, **{option: value})[1][0]  # type: ignore[arg-type]


@pytest.mark.parametrize("high", sorted(set(HIGH_CARDS) - {"innocent"}))
def test_pg_24_meaning_states_whom_the_innocent_excludes(high: str) -> None:
    game, said = tell_meaning(high, innocent=A)
    reaches_others = high in {"beast", "darklord", "marionette", "mists", "raven", "seer", "tempter"}
    assert (Says("A has the Innocent", "left out") in said) == reaches_others
    assert A not in target_seats(game.state, B)


@pytest.mark.parametrize("high", ["ghost", "horseman", "tempter"])
def test_pg_24_innocent_whose_own_card_does_nothing_is_promised_nothing(high: str) -> None:
    assert tell_meaning(high, innocent=B)[1] == []
