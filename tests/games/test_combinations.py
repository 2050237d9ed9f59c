"""Random combinations of options, seats and people, and their secrets.

A failure names the game, its options, the seed and the step: `play(game, seed, share)` plays the same game again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.games.conformance import Case, answer, deck_of, finish, inspector, random_options, start
from vaultkit.games.game import AnyGame, State
from vaultkit.games.messages import Event, Sentence
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Chance, Move, Prompt, Turn

PLAYABLE = [info for info in GAMES.values() if info.game]
GAMES_EACH = count(40, 1_500)


@dataclass
class Step:
    """A position, the move made in it, its events and the next position."""

    game: AnyGame
    before: State[Any]
    move: Move
    events: tuple[Event, ...]
    after: State[Any]
    ids: frozenset[str]
    """All cards of the deck."""

    @property
    def seats(self) -> range:
        return range(self.before.seats)

    def known(self, state: State[Any], seat: int) -> frozenset[str]:
        return state.view(seat).seen

    def told_to(self, seat: int) -> list[Event]:
        return [event for event in self.events if event.is_visible_to(seat)]


def play(game: AnyGame, seed: int, share: float) -> Iterator[tuple[str, Step]]:
    """Yield a share of the steps of a random game with random options, each with a text that identifies it."""
    rng = Random(f"{game.id} {seed}")
    options = random_options(game, rng)
    state = start(Case(game, options), rng)
    ids = frozenset(deck_of(game, options).by_id)
    where, number = f"{game.id}, seed {seed}, {state.seats} seats, {options}", 0
    while state.turn is not None:
        looked_at = rng.random() < share
        before = state.clone() if looked_at else state
        move = answer(state, rng, shy=seed % 2 == 0)
        events = state.apply(move)
        number += 1
        if looked_at:
            yield f"{where}, step {number}: {move.id}", Step(game, before, move, events, state.clone(), ids)


@pytest.fixture(scope="module", params=PLAYABLE, ids=lambda info: info.id)
def steps(request: pytest.FixtureRequest) -> list[tuple[str, Step]]:
    """Return many steps of many games, shared by all tests of the module; a test must not change a state."""
    game = request.param.rules()
    return [told for seed in range(GAMES_EACH) for told in play(game, seed, 0.12)]


def named_cards(sentence: Sentence, cards: tuple[str, ...]) -> set[str]:
    return {*sentence.cards, *cards}


@pytest.mark.slow
def test_event_names_a_card_only_to_those_who_know_its_place(steps: list[tuple[str, Step]]) -> None:
    """An event names a card only to seats that know its place before or after, or saw it discarded and reshuffled."""
    for where, step in steps:
        shuffled = any(event.kind == "reshuffle" for event in step.events)
        discarded = {card for event in step.events if shuffled and event.kind == "discard" for card in event.cards}
        for seat in step.seats:
            may_know = step.known(step.before, seat) | step.known(step.after, seat) | discarded
            for event in step.told_to(seat):
                cards = named_cards(event.sentence, event.cards)
                assert cards <= may_know, f"seat {seat} hears of {cards - may_know} ({where})"
                assert step.ids.isdisjoint(event.sentence.values), f"a card as a mere value ({where})"


@pytest.mark.short(1)
def test_prompt_names_no_card_unknown_to_its_seat(steps: list[tuple[str, Step]]) -> None:
    for where, step in steps:
        turn = step.before.turn
        if isinstance(turn, Prompt):
            operands = {card for move in turn.moves for card in move.operands if card in step.ids}
            unknown = named_cards(turn.text, ()) | operands
            assert unknown <= step.known(step.before, turn.seat), where


def is_secret(step: Step) -> bool:
    return isinstance(step.before.turn, Prompt) and step.before.turn.secret


@pytest.mark.slow
def test_sealed_choice_reveals_nothing_to_others_before_the_reveal(steps: list[tuple[str, Step]]) -> None:
    """G-3: the others hear and see the same, whatever a seat chooses in secret."""
    looked_at = 0
    for where, step in steps:
        turn = step.before.turn
        if not isinstance(turn, Prompt) or not is_secret(step) or any(event.reveals for event in step.events):
            continue
        for other in turn.moves:
            twin = step.before.clone()
            events = twin.apply(other)
            for seat in set(step.seats) - {turn.seat}:
                assert [event for event in events if event.is_visible_to(seat)] == step.told_to(seat), where
                assert twin.view(seat) == step.after.view(seat), f"seat {seat} sees {other.id} ({where})"
        looked_at += 1
    assert looked_at > 20 or not any(is_secret(step) for _, step in steps)


def question_of(turn: Turn) -> object:
    """Return what a turn asks, without the cards that only chance or its seat may know."""
    if isinstance(turn, Prompt):
        return turn.seat, turn.secret, turn.rule, turn.rulings
    if isinstance(turn, Chance):
        pile = len(turn.pile), len(turn.pile.bottom), len(turn.options)
        return turn.name, turn.text, turn.rulings, turn.count, turn.seat, turn.open, pile
    return None


@pytest.mark.slow
def test_state_sampled_from_a_view_asks_the_same_and_can_be_played_to_its_end(steps: list[tuple[str, Step]]) -> None:
    """A state guessed from the view of any seat has the same view and turn, and can be played to its end."""
    rng = Random(0)
    for where, step in steps[::6]:
        assert inspector(step.game.id).is_sound(step.before), where
        for seat in step.seats:
            view = step.before.view(seat)
            for _ in range(2):
                guess = step.game.determinize(view, rng)
                assert inspector(step.game.id).is_sound(guess), f"seat {seat} ({where})"
                assert guess.view(seat) == view, f"seat {seat} ({where})"
                assert question_of(guess.turn) == question_of(step.before.turn), f"seat {seat} ({where})"
            try:
                finish(guess, rng)
            except Exception as error:
                error.add_note(f"made from the view of seat {seat} ({where})")
                raise


@pytest.mark.slow
def test_events_that_reveal_something_hidden_are_marked(steps: list[tuple[str, Step]]) -> None:
    """G-8: if a seat learns a card, an event that it is told is marked as revealing, so that undo stops there."""
    for where, step in steps:
        for seat in step.seats:
            new = step.known(step.after, seat) - step.known(step.before, seat)
            revealed = any(event.reveals for event in step.told_to(seat))
            assert not new or revealed, f"seat {seat} knows {new} ({where})"


@pytest.mark.short(1)
def test_all_numbers_of_seats_are_tested(steps: list[tuple[str, Step]]) -> None:
    low, high = steps[0][1].game.seats
    assert {step.before.seats for _, step in steps} == set(range(low, high + 1))


def test_all_values_of_all_options_are_tested() -> None:
    for info in PLAYABLE:
        game = info.rules()
        drawn = [random_options(game, Random(f"{info.id} {seed}")) for seed in range(count(80, 1_500))]
        for option in game.options:
            assert {values[option.key] for values in drawn} == set(option.values), option.key
