"""The facts about moves in every game: they come true, tell moves apart and reveal nothing hidden."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.games.conformance import Case, answer, cases, inspector, render_sentence, start
from tests.scene.screens import NAMES, board_of, offers_of, plain_words, words_of_rows
from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.game import POSITION_SAMPLES, AnyGame, State
from vaultkit.games.messages import Sentence, Standing
from vaultkit.games.turn import Move, Prompt
from vaultkit.scene.consequence_text import gains
from vaultkit.scene.scene import Offer

EACH = [pytest.param(case, id=str(case), marks=[] if len(case.given) == 1 else pytest.mark.slow) for case in cases()]
"""Each game with its default options in each mode; the slow run adds every other option."""
GAMES_EACH = partial(count, 1, 30)
MAX_DECISIONS = count(4, 1_000)
"""The number of decisions checked in one game."""
DECISIONS_SEEN = 0.15
"""The share of decisions that are checked."""


def decisions(case: Case, name: str) -> Iterator[tuple[State[Any], Prompt, Random]]:
    """Yield decisions of games played at random, some of them by players who avoid the last move."""
    for number in range(GAMES_EACH()):
        rng = Random(f"{name} {case} {number}")
        state, shy, seen = start(case, rng), rng.random() < 0.6, 0
        while state.turn is not None and seen < MAX_DECISIONS:
            if isinstance(state.turn, Prompt) and rng.random() < DECISIONS_SEEN:
                seen += 1
                yield state, state.turn, rng
            state.apply(answer(state, rng, shy))


@pytest.mark.short(3)
@pytest.mark.parametrize("case", EACH)
def test_facts_match_what_happens_in_the_true_position(case: Case) -> None:
    for state, prompt, rng in decisions(case, "true facts"):
        if prompt.secret:
            continue
        view = state.view(prompt.seat)
        for move, consequences in zip(prompt.moves, case.game.consequences(view, prompt.moves), strict=True):
            after = state.clone()
            events = tuple(event for event in after.apply(move) if event.is_visible_to(prompt.seat))
            true = {*map(key, case.game.facts(view, after.view(prompt.seat), events))}
            known = [(key(one.fact), one.is_certain) for one in consequences]
            certain = {fact for fact, is_certain in known if is_certain and fact[0] in AT_ONCE}
            assert certain <= true, (move.id, certain - true)
            missing = {fact for fact in true if fact[0] in {*AT_ONCE, "ends"}} - {fact for fact, _ in known}
            assert not missing, (move.id, missing)
            check_points(case.game, state, after, prompt, consequences)
            check_ends(after, prompt, consequences, rng)


AT_ONCE = ("score", "out", "permanent", "fulfilled", "moved", "revealed")
"""The kinds of facts about the move itself; others, such as risks, may be about later moves."""


def key(fact: GameFact) -> tuple[object, ...]:
    """Return what a fact says, apart from its words."""
    return fact.kind, fact.seat, fact.other, fact.cards, fact.amount


def check_points(
    game: AnyGame, before: State[Any], after: State[Any], prompt: Prompt, consequences: tuple[Consequence, ...]
) -> None:
    """Check the facts about points and forfeits against the standings before and after a move."""
    old, new = ({one.seat: one for one in game.standing(state.view(prompt.seat))} for state in (before, after))
    for seat, standing in new.items():
        former = old.get(seat, Standing(seat))  # before the temples are settled nobody stands anywhere
        change = points_of(game, standing) - points_of(game, former)
        scores = [one for one in consequences if one.fact.kind == "score" and one.fact.seat == seat]
        certain = sum(one.fact.amount or 0 for one in scores if one.is_certain)
        possible = {one.fact.amount for one in scores if not one.is_certain}
        assert change == certain or change - certain in possible, (seat, change, scores)
        outs = [one for one in consequences if one.fact.kind == "out" and one.fact.seat == seat]
        is_new = standing.out and not former.out
        assert bool(outs) if is_new else not any(one.is_certain for one in outs), (seat, outs)


def points_of(game: AnyGame, standing: Standing) -> float:
    """Return the points of a seat; in Turn of Fate including those that have to be remembered (TF-28)."""
    return standing.measure if game.id == "turn-of-fate" else float(standing.points or 0)


def check_ends(after: State[Any], prompt: Prompt, consequences: tuple[Consequence, ...], rng: Random) -> None:
    """Check that a finished game was announced, and that one announced as certain ends before the seat's next move."""
    ends = [one for one in consequences if one.fact.kind == "ends"]
    if after.turn is None:
        assert ends
    elif any(one.is_certain for one in ends):
        while (turn := after.turn) is not None:
            assert not isinstance(turn, Prompt) or turn.seat != prompt.seat, ends
            after.apply(answer(after, rng))


@pytest.mark.parametrize("case", EACH)
def test_facts_of_a_secret_choice_state_only_its_own_meaning(case: Case) -> None:
    """G-3: the consequences of a secret choice say only what the choice means by itself."""
    for state, prompt, rng in decisions(case, "secrets"):
        if prompt.secret:
            view = state.view(prompt.seat)
            said = case.game.consequences(view, prompt.moves)
            assert said == tuple(tuple(map(Consequence, case.game.secret_facts(view, move))) for move in prompt.moves)
            other = inspector(case.game.id).permute(state, prompt.seat, rng)
            assert case.game.consequences(other.view(prompt.seat), prompt.moves) == said


@pytest.mark.short(1)
@pytest.mark.parametrize("case", EACH)
def test_hidden_information_changes_no_fact(case: Case) -> None:
    for state, prompt, rng in decisions(case, "unseen"):
        other = inspector(case.game.id).permute(state, prompt.seat, rng)
        views = (state.view(prompt.seat), other.view(prompt.seat))
        facts = [case.game.consequences(view, prompt.moves) for view in views]
        assert facts[0] == facts[1]


@pytest.mark.short(1)
@pytest.mark.parametrize("case", EACH)
def test_moves_with_different_facts_have_different_words(case: Case) -> None:
    for state, prompt, _ in decisions(case, "words"):
        view = state.view(prompt.seat)
        by_words: dict[object, set[object]] = {}
        for offer in offers_of(case.game, view, prompt):
            said = ((offer.ends or offer.label).words, plain_words(offer, prompt.seat, card_namer(offer.move)))
            by_words.setdefault(said, set()).add(meaning(offer))
        assert all(len(facts) == 1 for facts in by_words.values()), by_words


def card_namer(move: Move) -> Callable[[str], str]:
    """Return a function that names cards: those of the move by their position in it, others by their id."""
    return lambda card: f"it {move.operands.index(card)}" if card in move.operands else card


def meaning(offer: Offer) -> object:
    """Return an offer's facts about seats and cards, without naming the cards of the move itself."""
    name = card_namer(offer.move)

    def remove_names(fact: GameFact) -> GameFact:
        sentence = fact.sentence and replace(fact.sentence, cards=tuple(map(name, fact.sentence.cards)))
        cards = () if fact.kind == "permanent" else tuple(map(name, fact.cards))  # what lies under a card is its own
        return replace(fact, cards=cards, sentence=sentence)

    told = (one for one in offer.consequences if one.fact.sentence or one.fact.kind not in {"next", "other"})
    return frozenset((remove_names(one.fact), one.is_certain) for one in told)


@pytest.mark.short(1)
@pytest.mark.parametrize("case", EACH)
def test_moves_after_which_points_or_questions_differ_have_different_words(case: Case) -> None:
    """Moves have different words if they lead to different points or questions in the same sampled positions."""
    for state, prompt, rng in decisions(case, "differ"):
        if prompt.secret:
            continue
        view = state.view(prompt.seat)
        positions = [case.game.determinize(view, rng) for _ in range(POSITION_SAMPLES)]
        words: dict[object, tuple[object, Move]] = {}
        for offer in offers_of(case.game, view, prompt):
            label = offer.ends or offer.label
            said = (label.words, label.values, plain_words(offer, prompt.seat, card_namer(offer.move)))
            after = tuple(result(case.game, position, offer.move) for position in positions)
            known = words.setdefault(said, (after, offer.move))
            assert known[0] == after, (known[1].id, offer.move.id, said)


def result(game: AnyGame, position: State[Any], move: Move) -> object:
    """Return the standings after a move, and which seat is asked for what, without the cards of the move."""
    state = position.clone()
    state.apply(move)
    standings = tuple(tuple(map(visible_standing, game.standing(state.view(seat)))) for seat in range(state.seats))
    turn, name = state.turn, card_namer(move)
    asked = {next_move.verb for next_move in turn.moves} if isinstance(turn, Prompt) else turn and turn.name
    return standings, turn and (turn.seat, asked, turn.rulings, tuple(map(name, turn.text.cards)))


def visible_standing(one: Standing) -> tuple[object, ...]:
    return one.seat, one.points, one.words and one.words.words, one.words and one.words.values, one.out


@pytest.mark.short(1)
@pytest.mark.parametrize("case", EACH)
def test_every_consequence_stands_beside_its_letters(case: Case) -> None:
    """Nothing that comes of a move is left out, unless the board says that Enter shows more."""
    for state, prompt, _ in decisions(case, "screens"):
        moves, board = board_of(case, state, prompt)
        lines = board.lines(23)
        assert not any("…" in line.plain for line in lines) and all(line.cell_len < 80 for line in lines)
        words = words_of_rows(moves, 0)
        for offer, code in zip(moves.offers, moves.codes, strict=True):
            said = [text.plain for text in moves._own_sentences(offer)]
            if "its owner" not in words[code].casefold():
                assert all(text in words[code] for text in said), (said, words[code])
                assert moves._points(offer).plain in words[code]


@pytest.mark.short(2)
@pytest.mark.parametrize("case", EACH)
def test_moves_in_one_row_have_the_same_consequences(case: Case) -> None:
    for state, prompt, _ in decisions(case, "rows"):
        moves, _ = board_of(case, state, prompt)
        by_code = dict(zip(moves.codes, moves.offers, strict=True))
        for row in moves.rows():
            offers = [by_code[code] for code in row.codes if code in by_code]
            results = {(tuple(map(str, moves._own_sentences(one))), moves._points(one).plain) for one in offers}
            assert len(results) <= 1 or "its owner" in row.text.plain.casefold(), row


@pytest.mark.short(10)
@pytest.mark.parametrize("case", EACH)
def test_key_facts_reveal_nothing_hidden(case: Case) -> None:
    """A seat's key facts depend only on its view, and those that all views have in common only on open cards."""
    for state, prompt, rng in decisions(case, "key facts"):
        game, seat = case.game, rng.randrange(state.seats)
        other = inspector(game.id).permute(state, seat, rng)
        assert [*game.key_facts(state.view(seat))] == [*game.key_facts(other.view(seat))]
        assert common_facts(game, state) == common_facts(game, other)
        assert all(render_sentence(fact)[-1] == "." for fact in game.key_facts(state.view(prompt.seat)))
        assert game.aim(state.view(seat)) == game.aim(state.view(prompt.seat)) is not None


def common_facts(game: AnyGame, state: State[Any]) -> list[Sentence]:
    first, *others = [[*game.key_facts(state.view(seat))] for seat in range(state.seats)]
    return [fact for fact in first if all(fact in facts for facts in others)] if others else []


@pytest.mark.short(4)
@pytest.mark.parametrize("case", EACH)
def test_the_asked_player_is_called_you_in_every_consequence(case: Case) -> None:
    for state, prompt, _ in decisions(case, "you"):
        if prompt.party:
            continue
        for one in offers_of(case.game, state.view(prompt.seat), prompt):
            said = " ".join(plain_words(one, prompt.seat, str)[len(gains(one, prompt.seat)) :])
            assert NAMES[prompt.seat] not in said, said
            assert not re.search(r"\byou \w*[^s]s\b|\bYou \w*[^s]s\b", said), said
