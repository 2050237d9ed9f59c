"""Facts about hands and moves, compared with the rules at every kind of decision and with all options."""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.games.gambit import hand_referee
from tests.games.gambit.position import DECK, GAME, A, B, C, D, Play, arrange_game, begin_execution, complete, deal_game
from tests.wording import Says
from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Seat
from vaultkit.games.prophets_gambit.card_effects import (
    ChooseMarionette,
    ChooseTradePartner,
    CutDown,
    DemandDiscard,
    PassCards,
)
from vaultkit.games.prophets_gambit.facts import TAKING_HIGH_CARDS
from vaultkit.games.prophets_gambit.rounds import FatePrivilege, Turns
from vaultkit.games.prophets_gambit.rules import OPTIONS
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.turn import Chance, Move, Prompt, draw_move

VERBS = {"show", "keep", "replace", "play", "risk", "draw-one", "decline", "discard", "demand", "take", "pass", "offer"}
VERBS |= {"target", "order", "kill", "save"}


def answer_luck(turn: Chance, rng: Random) -> Move:
    """Return a random answer to a chance event."""
    if turn.options:
        return draw_move(rng.choice(turn.options))
    return draw_move(*rng.sample(turn.pile.unknown, turn.count))


def decisions(games: int, seed: int) -> Iterator[tuple[GambitState, Prompt]]:
    """Yield every decision of random games with many Risks, each with random options."""
    for number in range(games):
        rng = Random(seed * 10_000 + number)
        seats = 3 + number % 3
        chosen = {one.key: rng.choice([value for value in one.values if _is_possible(value, seats)]) for one in OPTIONS}
        state = GAME.new(seats, complete(**chosen), DECK)
        while (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                state.apply(answer_luck(turn, rng))
                continue
            yield state.clone(), turn
            risks = [move for move in turn.moves if move.verb == "risk"]
            state.apply(rng.choice(risks if risks and rng.random() < 0.6 else turn.moves))


def _is_possible(value: object, seats: int) -> bool:
    return value not in {"winner-of-last", "each-round-deal-7" if seats == 5 else "", *range(seats, 5)}


def words_of_best(state: GambitState, seat: Seat, *, hand: tuple[str, ...] | None = None) -> str:
    """Return the best hand of a seat in the referee's words."""
    at = state.at
    way = at.forced[1] if at.forced and at.forced[0] == seat else ""
    held = at.hands[seat] if hand is None else hand
    return hand_referee.best_hand(held, at.fates[seat], at.focus, state.rules.options, way)[2]


def facts(state: GambitState, move: Move) -> list[GameFact]:
    """Return the certain facts of a move for the seat that decides."""
    assert isinstance(state.turn, Prompt)
    found = GAME.consequences(state.view(state.turn.seat), [move])[0]
    return [one.fact for one in found if one.is_certain]


def hands_said(found: list[GameFact], seat: Seat) -> list[str]:
    return [str(value) for one in found if one.kind == "best-result" and one.seat == seat and one.sentence
            for value in one.sentence.values]  # fmt: skip


def facts_in_words(game: Play, move: str) -> list[str]:
    """Return the certain facts of a move in words, with cards by their ids."""
    said = [fact.sentence for fact in facts(game.state, Move.parse(move))]
    return [sentence.render(lambda seat: "ABCDE"[seat], str) for sentence in said if sentence]


@pytest.mark.slow
@pytest.mark.parametrize("games", [2, pytest.param(count(25, 2000), marks=pytest.mark.slow)])
def test_pg_36_the_standing_is_the_best_hand_of_three_cards_with_fate_and_focus(games: int) -> None:
    """PG-36: the standing is the hand that a second judge finds, for every seat at every kind of decision."""
    verbs, total, differ = set[str](), 0, 0
    for state, prompt in decisions(games, 1):
        verbs |= {move.verb for move in prompt.moves}
        for seat in range(state.seats):
            own = GAME.standing(state.view(seat))[seat]
            assert own.words is not None
            assert own.words.values == (words_of_best(state, seat),), (state.at.hands[seat], state.rules.options)
            strength, ranks, _ = hand_referee.best_hand(
                state.at.hands[seat], state.at.fates[seat], state.at.focus, state.rules.options
            )
            if not state.at.forced:
                assert own.measure == pytest.approx(strength - 1 + ranks[0] / 11), "the weight is of the same hand"
            if total < 300:
                total, differ = total + 1, differ + (own.words.values != (_best_of_all(state, seat),))
    assert games < 25 or verbs == VERBS
    assert differ > total / 10, "five of all cards are another hand so often that this test sees the difference"


def _best_of_all(state: GambitState, seat: Seat) -> str:
    """Return the best five of all cards of a seat, which may be better than it can reveal."""
    cards = [card for card in (*state.at.hands[seat], state.at.fates[seat], state.at.focus) if card]
    return max(hand_referee.judge(five, state.rules.options) for five in combinations(cards, min(5, len(cards))))[2]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_facts_of_every_move_match_what_happens(seed: int) -> None:
    kinds = set[str]()
    for number, (state, prompt) in enumerate(decisions(count(10, 500), 7 + seed)):
        for move in prompt.moves[:: 1 + len(prompt.moves) // 6]:
            found = facts(state, move)
            kinds |= {one.kind for one in found}
            _check(state, prompt, move, found, Random(number))
    assert kinds == {"best-result", "moved", "next", "revealed", "risk", "ends", "other"}


def _check(state: GambitState, prompt: Prompt, move: Move, found: list[GameFact], rng: Random) -> None:
    """Check that the rules do what the facts of a move say."""
    seat, after = prompt.seat, state.clone()
    events = after.apply(move)
    hands = hands_said(found, seat)
    own = tuple(card for card in state.at.hands[seat] if card not in move.operands)
    if move.verb in {"show", "play", "risk", "discard", "pass", "offer"}:
        before = state.clone()
        if move.verb == "play" and before.at.forced and before.at.forced[0] == seat:
            before.at.forced = None
        assert hands == [words_of_best(before, seat, hand=own)]
    elif move.verb in {"kill", "save"}:
        revealed = next(event for event in events if event.kind == "reveal" and event.seat == seat)
        assert hands == [revealed.sentence.values[0]]
        assert any(one.kind == "ends" for one in found) and after.turn is None
    elif move.verb in {"keep", "decline", "draw-one"}:
        assert hands == [words_of_best(state, seat)]
    elif move.verb == "replace":
        assert isinstance(after.turn, Chance)
        after.apply(answer_luck(after.turn, rng))
        least, most = (_place(words, state) for words in hands)
        assert least <= _place(words_of_best(after, seat), state) <= most
    if move.verb == "play":
        said = next(one for one in found if one.kind == "next" and one.sentence and not one.sentence.seats)
        offered = isinstance(after.turn, Prompt) and after.turn.moves[0].verb == "draw-one"
        assert said.sentence is not None and said.sentence.words.startswith("Then you may draw") == offered
    if move.verb == "risk":
        risk = next(one for one in found if one.kind == "risk")
        is_safe = "innocent" in state.at.kept[seat] and state.rules.options["innocent"] == "literal"
        assert set(risk.cards) == (set() if is_safe else set(TAKING_HIGH_CARDS) & set(state.at.high.unknown))


def _place(words: str, state: GambitState) -> tuple[int, list[int]]:
    """Return the position of a hand, given in words, among all hands."""
    name, ranks = words.split(", ")
    order = hand_referee.RARE_FIRST if state.rules.options["order"] == "rarity" else hand_referee.WRITTEN
    master = 0 if state.rules.options["master_rank"] == "low" else 10
    return -order.index(name), [master if one == "Master" else int(one) for one in ranks.split("-")]


def test_player_who_plays_only_unneeded_cards_reveals_the_predicted_hand() -> None:
    """A player who never risks, draws or replaces reveals the hand that was announced after the opening."""
    for seed in range(12):
        rng, state = Random(seed), GAME.new(3, complete(), DECK)
        said: list[str] = []
        while (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                state.apply(answer_luck(turn, rng))
                continue
            if not said and turn.moves[0].verb != "show":
                said = [words_of_best(state, seat) for seat in range(3)]
            quiet = [move for move in turn.moves if move.verb in {"show", "keep", "decline", "save", "play"}]
            state.apply(_keep_hand(state, quiet, said) if quiet[0].verb == "play" else quiet[0])
        shown = GAME.outcome(state)
        assert shown is not None
        assert [words_of_best(state, seat) for seat in range(3)] == said


def _keep_hand(state: GambitState, moves: list[Move], said: list[str]) -> Move:
    seat = state.turn.seat  # type: ignore[union-attr]
    left = {move: tuple(card for card in state.at.hands[seat] if card not in move.operands) for move in moves}
    return next(move for move in moves if words_of_best(state, seat, hand=left[move]) == said[seat])


# Examples of the facts in words.


def test_pg_36_eight_cards_are_not_a_fortune_if_three_of_the_hand_cannot_make_it() -> None:
    hands = ["2-coins 2-swords 2-glyphs 3-stars 3-coins 9-stars", "", "", ""]
    game = arrange_game(hands, fates="8-glyphs", focus="7-swords", waiting=(A, B, C, D))
    assert GAME.standing(game.view(A))[A].words.values == ("Triple, 2-2-2-8-7",)  # type: ignore[union-attr]


def test_pg_28_marionette_loses_the_card_that_it_must_play() -> None:
    hands = ["9-coins 9-swords 9-stars 4-coins 2-glyphs", "", "", ""]
    free = arrange_game(hands, fates="8-glyphs", focus="7-swords", waiting=(A, B, C, D))
    forced = arrange_game(hands, fates="8-glyphs", focus="7-swords", waiting=(A, B, C, D), forced=(A, "highest"))
    said = [GAME.standing(game.view(A))[A].words for game in (free, forced)]
    assert [one.values[0] for one in said if one] == ["Triple, 9-9-9-8-7", "Pair, 9-9-8-7-4"]


def test_pg_36_the_focus_is_killed_or_saved() -> None:
    hands = ["9-stars 4-glyphs 2-swords", "", "", ""]
    game = begin_execution(hands, fates="2-stars", focus="2-glyphs", kept={A: "executioner"})
    short = "Every hand is one card short, and none can be a Family, Fortune, Village or Guild."
    assert facts_in_words(game, "kill") == ["You reveal: Pair, 2-2-9-4.", short]
    assert facts_in_words(game, "save") == ["You reveal: Triple, 2-2-2-9-4.", Says("Every hand", "keeps", "2-glyphs")]


def test_pg_36_scaled_hands_of_four_can_be_all_but_a_fortune() -> None:
    hands = ["9-stars 4-glyphs 2-swords", "", "", ""]
    game = begin_execution(hands, fates="2-stars", focus="2-glyphs", kept={A: "executioner"}, four_card="scaled")
    assert facts_in_words(game, "kill")[1] == Says("Every hand", "one card short", "none", "Fortune")


def test_pg_10_opening_shows_what_the_highest_number_is_for_and_turns_do_not() -> None:
    words = "The highest number shown begins"
    game = deal_game()
    assert words in next(iter(GAME.key_facts(game.view(A)))).words
    later = arrange_game(["8-coins 4-swords 2-glyphs 1-coins", "", "", ""], fates="9-coins", focus="9-glyphs")
    assert not any(words in fact.words for fact in GAME.key_facts(later.view(A)))


def test_pg_8_play_shows_whether_a_draw_follows_and_who_leads() -> None:
    hands = ["8-coins 4-swords 2-glyphs 1-coins", "", "", ""]
    shown = "5-coins 3-stars 4-stars 6-stars"
    game = arrange_game(hands, shown=shown, fates="9-coins", focus="9-glyphs", waiting=(A,), round=2)
    assert facts_in_words(game, "play 8-coins")[1:] == [
        "No draw follows.",
        Says("you decide", "end", "whether", "Focus"),
    ]
    low = facts_in_words(game, "play 4-swords")
    assert low[1:] == [
        Says("draw a card", "discard one"),
        Says("D decides", "end", "whether", "Focus"),
    ]
    held = arrange_game(hands, shown=shown, fates="9-coins", waiting=(A,), round=2, kept={C: "executioner"})
    assert facts_in_words(held, "play 8-coins")[1:] == ["No draw follows."], "the Executioner decides (PG-23)"


@pytest.mark.parametrize(
    ("kept", "innocent", "count", "helping"),
    [({}, "literal", 5, 8), ({A: "innocent"}, "literal", "none", 4), ({A: "innocent"}, "others-only", 5, 7)],
)
def test_pg_24_a_risk_costs_the_innocent_nothing(
    kept: dict[Seat, str], innocent: str, count: int | str, helping: int
) -> None:
    hands = ["8-coins 4-swords 2-glyphs 1-coins", "", "", ""]
    game = arrange_game(hands, fates="9-coins", focus="9-glyphs", waiting=(A,), round=2, kept=kept, innocent=innocent)
    total = 13 if kept else 14
    words = f"Of {total} High cards, {helping} can help you, {count} can take cards or the Fate from you,"
    words += " and the Donjon ends the game."
    assert facts_in_words(game, "risk 8-coins")[-1] == words


def test_pg_10_new_fate_is_estimated_between_two_hands_and_the_old_one_is_shown() -> None:
    game = dealt_to_privilege()
    said = facts_in_words(game, "replace")
    assert said[0].startswith("With the new Fate: between Pair, 5-5-")
    assert said[1] == "Everybody sees the 9-coins."
    assert facts_in_words(game, "keep") == [Says("best hand", "Pair", "5-5-9-8-4")]


def dealt_to_privilege() -> Play:
    hands = ["5-coins 5-swords 8-glyphs 2-coins", "", "", ""]
    return arrange_game(hands, fates="9-coins", focus="4-glyphs", steps=[Turns(), FatePrivilege(A)])


@pytest.mark.parametrize(("innocent", "taker"), [(None, "B"), (B, "C")])
def test_pg_26_passed_card_is_given_to_the_next_seat_that_is_not_innocent(innocent: Seat | None, taker: str) -> None:
    passing = tuple(seat for seat in range(4) if seat != innocent)
    hands = ["5-coins 5-swords 8-glyphs 2-coins", "", "", ""]
    game = arrange_game(hands, fates="9-coins", focus="4-glyphs", steps=[PassCards(passing)])
    said = facts_in_words(game, "pass 8-glyphs")
    assert said == [Says("Left", "another card", "Pair", "5-5-9-4-2"), f"{taker} gets it."]


def test_pg_20_cut_to_three_shows_the_remaining_hand() -> None:
    hands = ["5-coins 5-swords 8-glyphs 2-coins 1-swords", "", "", ""]
    game = arrange_game(hands, fates="9-coins", focus="4-glyphs", steps=[CutDown((A,))])
    assert facts_in_words(game, "discard 1-swords 2-coins") == [Says("best hand", "Pair", "5-5-9-8-4")]
    assert facts_in_words(game, "discard 1-swords 8-glyphs") == [Says("best hand", "Pair", "5-5-9-4-2")]


def test_pg_34_trade_shows_who_gets_which_card() -> None:
    hands = ["5-coins 5-swords 8-glyphs", "", "", ""]
    game = arrange_game(hands, fates="9-coins", focus="4-glyphs", steps=[ChooseTradePartner(A, "8-glyphs")])
    assert facts_in_words(game, "target 2") == [
        Says("Left", "another card", "Pair", "5-5-9-4."),
        Says("C gets the 8-glyphs", "you get a card of C", "random"),
    ]


def test_pg_19_darklord_leaves_a_hand_with_an_unknown_fate() -> None:
    hands = ["5-coins 5-swords 8-glyphs", "7-coins 7-swords 7-glyphs 3-coins", "", ""]
    game = arrange_game(hands, fates="9-coins", focus="4-glyphs", steps=[DemandDiscard(A, B)])
    game.state.learn(A, *game.state.at.hands[B])
    assert facts_in_words(game, "demand 3-coins") == [Says("B", "Triple", "7-7-7-4", "without", "Fate", "draws")]
    assert facts_in_words(game, "demand 7-coins") == [Says("B", "Pair", "7-7-4-3", "without", "Fate", "draws")]


def test_pg_28_a_marionette_cannot_risk() -> None:
    game: Any = arrange_game([""] * 4, waiting=(C, D), steps=[ChooseMarionette(A)])
    assert facts_in_words(game, "order 2 lowest") == [Says("C cannot Risk", "round")]


def test_hand_of_another_says_how_many_of_its_cards_are_known() -> None:
    hands = ["9-coins 9-swords 9-stars 4-coins 2-glyphs", "3-coins 3-swords 3-stars 5-coins 6-glyphs", "", ""]
    game = arrange_game(hands, fates="8-glyphs", focus="7-swords", waiting=(A, B, C, D))
    game.state.at.known[A] = frozenset({"3-coins", "6-glyphs"})
    zones = [zone for zone in GAME.table(game.view(A)) if zone.kind == "hand"]
    assert [(zone.owner, zone.short and zone.short.values) for zone in zones][:2] == [(A, None), (B, (2, 5))]
    assert not any(zone.short for zone in GAME.table(game.view(C)) if zone.kind == "hand")
