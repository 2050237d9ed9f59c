"""The changes and possible consequences of a move, and their words, compared with the rules."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.games.fate.position import CARDS, DECK, GAME, A, B, Play, arrange_game, complete
from tests.wording import Says
from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, Move, Prompt, draw_move
from vaultkit.games.turn_of_fate.rules import PASS
from vaultkit.games.turn_of_fate.state import FateState


def consequences(game: Play, move: str) -> tuple[Consequence, ...]:
    """Return the consequences of one move for the seat that decides."""
    view = game.state.view(game.prompt.seat)
    return GAME.consequences(view, [Move.parse(move)])[0]


def facts_in_words(game: Play, move: str) -> list[str]:
    """Return the facts of a move in words, with cards by their ids; `?` precedes those that are only possible."""
    found = ((one.is_certain, _words(one.fact)) for one in consequences(game, move))
    return [words if certain else f"? {words}" for certain, words in found if words]


def _words(fact: GameFact) -> str:
    if fact.kind == "score":
        return f"{'AB'[fact.seat or 0]} {fact.amount:+}"
    return fact.sentence.render(lambda seat: "AB"[seat], str) if fact.sentence else ""


# What a Fate does to a Citizen (TF-13 to TF-15).


def test_tf_15_vow_is_permanent_and_its_gain_is_not_the_value_of_the_pile() -> None:
    game = arrange_game(("Am", ""), congregations=("6mw 9ms 8wl 5ml", ""))
    assert facts_in_words(game, "play Am 6mw") == ["A +1", Says("A", "keeps", "6mw", "29")]
    vow = next(one.fact for one in consequences(game, "play Am 6mw") if one.fact.kind == "permanent")
    assert (vow.amount, vow.cards, vow.other) == (29, ("6mw", "9ms", "8wl", "5ml", "Am"), A)


def test_tf_15_two_moves_of_the_same_gain_differ_by_their_permanent_points() -> None:
    game = arrange_game(("4ms", ""), congregations=("6mw, 8ms", ""))
    assert facts_in_words(game, "play 4ms 6mw") == ["A +4", Says("A", "keeps", "6mw", "10")]
    assert facts_in_words(game, "play 4ms 8ms") == ["A +4"]


def test_tf_13_citizen_who_leaves_the_rival_is_not_described_as_strengthened() -> None:
    game = arrange_game(("6lk", ""), congregations=("", "9lk 2wl"))
    assert facts_in_words(game, "play 6lk 9lk")[:2] == ["B -11", Says("9lk", "leaves", "B", "Agora")]


def test_tf_13_a_citizen_of_the_agora_joins() -> None:
    game = arrange_game(("3mw", ""), agora="4wl")
    assert facts_in_words(game, "play 3mw 4wl")[:2] == ["A +7", "The 4wl joins A."]


def test_tf_15_winning_over_changes_both_scores_and_is_not_permanent() -> None:
    game = arrange_game(("", "2sy"), mover=B, congregations=("8ms", ""))
    assert facts_in_words(game, "play 2sy 8ms")[:3] == ["A -8", "B +18", Says("B wins the 8ms", "from A")]


def test_tf_18_wild_crown_costs_an_ace() -> None:
    game = arrange_game(("", "Ak Xy"), mover=B, congregations=("6mw", ""))
    assert Says("B pays", "Ak", "under the Deck of Fates") in facts_in_words(game, "wild Ak Xy 6mw")
    removed = arrange_game(("", "Ak Xy"), mover=B, congregations=("6mw", ""), ace_discard="removed")
    assert Says("B pays", "Ak", "leaves the game") in facts_in_words(removed, "wild Ak Xy 6mw")


def test_tf_28_table_values_change_with_closed_temples_too() -> None:
    game = arrange_game(("Am", ""), congregations=("6mw 9ms", ""), vowed=("3sk", ""), memory="closed")
    assert facts_in_words(game, "play Am 6mw") == ["A +1", Says("A", "keeps", "6mw", "16")]


# What the rival can do with them (TF-12, TF-18).


def test_tf_12_fate_known_to_be_held_by_the_rival_is_a_certain_risk() -> None:
    game = arrange_game(("9ms", "2sy"), agora="8ms", citizens="Xs", deck="5sw", known=("2sy", ""))
    assert Says("B holds the 2sy", "drive them to the Agora") in facts_in_words(game, "play 9ms 8ms")


def test_tf_14_a_moment_of_truth_is_the_greater_risk() -> None:
    game = arrange_game(("8wl", "2wl Aw"), agora="4wl", known=("2wl Aw", ""))
    assert Says("B holds the 2wl", "win them over") in facts_in_words(game, "play 8wl 4wl")


def test_tf_12_fate_possibly_held_by_the_rival_is_a_possible_risk() -> None:
    game = arrange_game(("5sw", "7wy"), agora="8ms")
    assert "? B can win them over." in facts_in_words(game, "play 5sw 8ms")


@pytest.mark.parametrize(
    ("game", "move", "words"),
    [
        (arrange_game(("5sw", "7wy"), agora="8ms"), "play 5sw 8ms", "? B wins them over"),
        (arrange_game(("8wl", "2wl Aw"), agora="4wl", known=("2wl Aw", "")), "play 8wl 4wl", "B can win them over"),
    ],
)
def test_tf_14_few_words_say_who_may_take_the_citizen(game: Play, move: str, words: str) -> None:
    (risk,) = (one for one in consequences(game, move) if one.fact.kind == "risk")
    assert risk.fact.short
    short = risk.fact.short.render("AB".__getitem__, str)
    assert (short if risk.is_certain else f"? {short}") == words


def test_tf_12_citizen_unreachable_for_every_fate_of_the_rival_has_no_risk() -> None:
    """TF-12: no Fate of the Moons reaches a Citizen under the Calamity, which bears the Wyrms alone."""
    game = arrange_game(("", "Ak Xy"), mover=B, congregations=("6mw", ""))
    assert facts_in_words(game, "wild Ak Xy 6mw")[-1] == Says("A", "no", "Fate", "fits")


# What it means to do nothing, and the end (TF-11, TF-19, TF-22 to TF-24).


def test_tf_19_holding_back_draws_two_fates() -> None:
    assert facts_in_words(arrange_game(("9ms", ""), agora="3sk"), "pass") == ["A draws 2 Fates."]


def test_tf_19_holding_back_draws_no_more_than_the_deck_has() -> None:
    one_of_two = arrange_game(("9ms", "2wl"), agora="3sk", deck="9wy", citizens="8ms 9lk")
    assert facts_in_words(one_of_two, "pass") == ["A draws at most 1 Fate."]
    only_one = arrange_game(("9ms", ""), agora="3sk", deck="8wl", citizens="8ms 9lk")
    assert facts_in_words(only_one, "pass") == ["A draws a Fate."]


def test_tf_23_first_idle_turn_is_a_risk_and_the_second_ends_the_game() -> None:
    first = arrange_game(("9ms", "2sy"), agora="8ms", citizens="", deck="")
    assert facts_in_words(first, "pass")[-1] == Says("turn is idle", "B", "nothing", "game ends")
    second = arrange_game(("9ms", "2sy"), agora="8ms", citizens="", deck="", idle=1)
    words = "For two turns nobody has played, drawn or introduced anything: A and B share the win with 0 each."
    assert facts_in_words(second, "pass")[-1] == words


def test_tf_22_play_after_which_nothing_can_be_done_ends_the_game() -> None:
    game = arrange_game(("9ms", "2sy"), agora="8ms", citizens="", deck="")
    words = "Nobody is left to introduce, and A can play no Fate and draw no other: A wins for the Moons by 17 to 0."
    assert facts_in_words(game, "play 9ms 8ms")[-1] == words


def test_tf_22_game_that_ends_if_the_rival_holds_nothing() -> None:
    game = arrange_game(("9ms 3mw", "2wl"), agora="8ms", citizens="", deck="5sw")
    assert Says("game ends", "B", "play no Fate", "draw no other") in facts_in_words(game, "pass")


def test_tf_22_game_that_ends_if_the_fate_drawn_cannot_be_played() -> None:
    game = arrange_game(("9wy", "2wl"), agora="8ms", citizens="", deck="8wl")
    words = "? The game ends: A draws no Fate that can be played, and no other is left."
    assert words in facts_in_words(game, "pass")


def test_tf_24_last_vow_ends_the_game_and_shows_who_wins() -> None:
    game = arrange_game(("Am", ""), congregations=("8ms", ""), citizens="")
    words = "Nobody is in play, and nobody is left to introduce: A wins for the Moons by 9 to 0."
    assert facts_in_words(game, "play Am 8ms") == ["A +1", Says("A", "keeps", "8ms", "9"), words]


def test_tf_28_result_is_not_shown_where_temples_must_be_remembered() -> None:
    game = arrange_game(("Am", ""), congregations=("8ms", ""), citizens="", memory="closed")
    assert facts_in_words(game, "play Am 8ms")[-1] == Says("Nobody", "nobody", "introduce")


def test_tf_20_citizens_who_may_come_and_where_to() -> None:
    game = arrange_game(("", ""), agora="4wl", citizens="8ms 9lk Xs", introduce="optional")
    game.play("pass")
    game.any_luck()
    assert facts_in_words(game, "introduce") == [
        "May join A: 8ms.", Says("go to the Agora", "9lk"), Says("leave the city", "Xs"),
    ]  # fmt: skip


def test_tf_1_temple_of_each_player_and_first_mover_are_shown() -> None:
    game = Play(GAME.new(2, complete(temples="chosen", first=A), DECK))
    told = ["A serves the temple of the Suns.", "B serves the temple of the Leaves and moves first."]
    assert facts_in_words(game, "temple Suns") == told


# Every fact against the rules, in games and in ends of games.


def games(seed: int) -> Iterator[FateState]:
    """Yield positions with a decision: of a random game, and small ones near the end."""
    rng = Random(seed)
    options = complete(
        **rng.choice(({}, {"introduce": "optional"}, {"introduce": "refill-to-4"}, {"memory": "closed"}))
    )
    state = GAME.new(2, options, DECK)
    while state.turn:
        _answer_luck(state, rng)
        if isinstance(state.turn, Prompt):
            if state.at.number and rng.random() < 0.2:
                yield state.clone()
            state.apply(rng.choice(state.turn.moves))
    yield from (state for state in (_near_the_end(rng) for _ in range(6)) if state.turn)


def _near_the_end(rng: Random) -> FateState:
    fates, citizens = rng.sample(CARDS.fates, 25), rng.sample(CARDS.citizens, 11)
    own = {A: [card for card in fates if card not in CARDS.bearing["Wyrms"]],
           B: [card for card in fates if card not in CARDS.bearing["Moons"]]}  # fmt: skip
    hand = own[A][: rng.randrange(4)]
    rivals = [card for card in own[B] if card not in hand][: rng.randrange(3)]
    left = [card for card in fates if card not in (*hand, *rivals)]
    ordinary = [card for card in citizens if card not in CARDS.specials]
    game = arrange_game(
        (" ".join(hand), " ".join(rivals)),
        agora=", ".join(ordinary[: rng.randrange(3)]),
        congregations=(ordinary[3], ordinary[4] if rng.random() < 0.5 else ""),
        deck=" ".join(left[: rng.randrange(3)]),
        citizens=" ".join([*CARDS.specials, *ordinary[5:]][: rng.randrange(3)]),
        idle=rng.randrange(2),
    )
    _answer_luck(game.state, rng)
    return game.state


def _answer_luck(state: FateState, rng: Random) -> None:
    while isinstance(turn := state.turn, Chance):
        state.apply(draw_move(rng.choice(turn.options or turn.pile.unknown or turn.pile.bottom[:1])))


def _until_the_rival(state: FateState, seat: Seat, rng: Random) -> None:
    """Advance to the rival's turn, introducing a Citizen where the seat may."""
    _answer_luck(state, rng)
    while isinstance(state.turn, Prompt) and state.turn.seat == seat:
        state.apply(state.turn.moves[0])
        _answer_luck(state, rng)


@pytest.mark.short(1)
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 40))])
def test_facts_agree_with_the_rules(seed: int) -> None:
    for state in games(seed):
        assert isinstance(state.turn, Prompt)
        view = state.view(state.turn.seat)
        positions = [state, *(GAME.determinize(view, Random(seed)) for _ in range(4))]
        for move, found in zip(view.moves, GAME.consequences(view, view.moves), strict=True):
            for position in positions:
                _check_move(position.clone(), move, found, Random(seed))


def _check_move(state: FateState, move: Move, found: tuple[Consequence, ...], rng: Random) -> None:
    assert isinstance(state.turn, Prompt)
    seat, before = state.turn.seat, state.clone()
    events = [event for event in state.apply(move) if event.is_visible_to(seat)]
    changes = tuple(GAME.facts(before.view(seat), state.view(seat), events))
    assert {one.fact for one in found if one.is_certain}.issuperset(changes), move
    _check_changes(before, state, changes)
    held, task = len(state.at.hands[seat]), state.turn
    _until_the_rival(state, seat, rng)
    if isinstance(task, Chance) and task.name == "fate":
        _check_draw(found, len(state.at.hands[seat]) - held)
    _check_later(found, state)


def _check_changes(before: FateState, after: FateState, changes: tuple[GameFact, ...]) -> None:
    """Check facts about scores and Temples against the standing and the piles."""
    for old, new in zip(GAME.standing(before.view(0)), GAME.standing(after.view(0)), strict=True):
        gain = (new.weight or 0) - (old.weight or 0)
        assert sum(fact.amount or 0 for fact in changes if fact.kind == "score" and fact.seat == new.seat) == gain
        vows = {fact.cards for fact in changes if fact.kind == "permanent" and fact.seat == new.seat}
        assert vows == set(after.at.vowed[new.seat]) - set(before.at.vowed[new.seat])


DRAWS = {
    "": {1},
    "can draw no Fate.": {0},
    "draws a Fate.": {1},
    "draws 2 Fates.": {2},
    "draws 1 or 2 Fates.": {1, 2},
    "draws at most 1 Fate.": {0, 1},
    "draws at most 2 Fates.": {0, 1, 2},
}


def _check_draw(found: tuple[Consequence, ...], count: int) -> None:
    words = next(_words(one.fact) for one in found if one.fact.kind == "next" and "introduces" not in _words(one.fact))
    assert count in DRAWS[words[2:]], words


def _check_later(found: tuple[Consequence, ...], after: FateState) -> None:
    """Check the rival's turn: an announced certain end occurs, and no unannounced one does."""
    ends = {one.is_certain for one in found if one.fact.kind == "ends"}
    if after.turn is None:
        assert ends, after.at.end
        return
    assert True not in ends
    assert isinstance(after.turn, Prompt)
    moves = [move for move in after.turn.moves if move != PASS]
    for consequence in found:
        fact = consequence.fact
        if fact.kind == "risk" and consequence.is_certain and fact.cards:
            citizen, fate = fact.cards
            assert any(move.operands[-2:] == (fate, citizen) for move in moves), fact
        if "can get no Fate" in _words(fact):
            assert not any(move.operands[-1] == fact.cards[0] for move in moves), fact


def test_tf_9_cards_of_the_rival_known_from_under_the_deck_lie_apart_from_the_hidden_hand() -> None:
    game = arrange_game(("8wl", "2wl Aw"), agora="4wl", known=("2wl", ""))
    zones = [zone for zone in GAME.table(game.state.view(0)) if zone.owner == 1 and "hand" in zone.title.words]
    assert [(zone.title.words, zone.cards, zone.hidden) for zone in zones] == [
        ("hand", (), 1),
        ("hand, known from under the deck", ("2wl",), 0),
    ]
