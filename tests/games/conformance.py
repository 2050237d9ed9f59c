"""The contract of all games, checked in random games."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from random import Random
from types import MappingProxyType
from typing import Any, Protocol, cast

import pytest

from vaultkit.cards import Deck
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import Compendium
from vaultkit.errors import UsageError
from vaultkit.games.concession import concession
from vaultkit.games.game import AnyGame, State
from vaultkit.games.messages import Event, Outcome, Seat, Sentence
from vaultkit.games.options import Option, resolve
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, draw_move
from vaultkit.resources import shipped_folder
from vaultkit.session.rulings import rulings
from vaultkit.vault import Vault

LONGEST = 3000
"""The maximum number of steps of any game."""

NONSENSE = (Move("dance"), Move("play", ("no-such-card",)), Move("draw", ()), Move("pass", ("7",)))


class Inspector(Protocol):
    """The knowledge of a game that the conformance suite needs beyond the contract.

    The module `tests/games/inspect_GAME.py` has these two functions.
    """

    def permute(self, state: Any, seat: Seat, rng: Any) -> State[Any]:
        """Return a copy of `state` with all that `seat` cannot know dealt anew; its view and its turn stay equal.

        This includes the sealed choices of others. `rng` is a `random.Random`.
        """

    def is_sound(self, state: Any) -> bool:
        """Return whether a position, played or guessed from a view, keeps the invariants of the rules."""


@cache
def inspector(game: str) -> Inspector:
    """Return the module `inspect_GAME` of the tests."""
    found: Any = import_module(f"tests.games.inspect_{game.replace('-', '_')}")
    return cast(Inspector, found)


@dataclass(frozen=True)
class Case:
    """A game with one set of options."""

    game: AnyGame
    given: dict[str, object]

    def __str__(self) -> str:
        return f"{self.game.id}-{'-'.join(f'{key}={value}' for key, value in self.given.items()) or 'default'}"


@cache
def cases() -> tuple[Case, ...]:
    """Return every value of every option of every playable game, in each mode of play (the game's first option)."""
    return tuple(case for info in GAMES.values() for case in cases_of(info.rules()))


def cases_of(game: AnyGame) -> Iterator[Case]:
    """Return the cases of one game, which may have no options at all."""
    return filter(is_possible, _cases(game)) if game.options else iter((Case(game, {}),))


def _cases(game: AnyGame) -> Iterator[Case]:
    first: Option = game.options[0]
    for mode in first.values:
        yield Case(game, {first.key: mode})
        for option in game.options[1:]:
            for value in option.values[1:]:
                yield Case(game, {first.key: mode, option.key: value})


def is_possible(case: Case) -> bool:
    """Return whether the options allow any number of seats; a dealer at seat 4 needs five, for example."""
    return any(_begins(case, seats) for seats in range(case.game.seats[0], case.game.seats[1] + 1))


def _begins(case: Case, seats: int) -> bool:
    try:
        case.game.new(seats, resolve(case.game.options, case.given, case.game.title), deck_of(case.game, case.given))
    except UsageError:
        return False
    return True


def random_options(game: AnyGame, rng: Random) -> dict[str, object]:
    """Return random options with which the game can be played."""
    while True:
        options: dict[str, object] = {option.key: rng.choice(option.values) for option in game.options}
        if is_possible(Case(game, options)):
            return options


def deck_of(game: AnyGame, given: Mapping[str, object] = MappingProxyType({})) -> Deck:
    """Return the deck that the game needs with the given options."""
    deck = known_deck(game.deck_for(resolve(game.options, given, game.title)))
    assert deck is not None
    return deck


def start(case: Case, rng: Random, people_share: float = 0.3) -> State[Any]:
    """Begin a game with a number of seats that the options allow, a share of them people."""
    options = resolve(case.game.options, case.given, case.game.title)
    low, high = case.game.seats
    while True:
        seats = rng.randint(low, high)
        people = frozenset(seat for seat in range(seats) if rng.random() < people_share)
        try:
            return case.game.new(seats, options, deck_of(case.game, case.given), people)
        except UsageError:
            continue


def answer(state: State[Any], rng: Random, shy: bool = False) -> Move:
    """Return a random answer to the turn; a shy player leaves out the last move, which is often the drastic one."""
    turn = state.turn
    if isinstance(turn, Chance):
        if turn.options:
            return draw_move(rng.choice(turn.options))
        unknown = min(turn.count, len(turn.pile.unknown))
        return draw_move(*rng.sample(turn.pile.unknown, unknown), *turn.pile.bottom[: turn.count - unknown])
    assert turn is not None
    return turn.moves[int(rng.random() * (len(turn.moves) - (shy and len(turn.moves) > 1)))]


def finish(state: State[Any], rng: Random) -> State[Any]:
    """Play on at random; fail if the game does not end."""
    for _ in range(LONGEST):
        if state.turn is None:
            return state
        state.apply(answer(state, rng))
    raise AssertionError("the game does not end")


@cache
def headings_of(game: AnyGame) -> frozenset[str]:
    """Return the headings of a game's shipped rule note, or none if it has no note."""
    note = Compendium(Vault(shipped_folder("vault-example"))).rule_note(game.id, (game.title,))
    return frozenset(heading.text for heading in note.note.headings) if note else frozenset()


@dataclass
class Run:
    """A random game under observation; `often` is the share of steps that are checked closely.

    `concedes` is the share of decisions at which a seat that may do so concedes (G-14).
    """

    case: Case
    rng: Random
    often: float
    concedes: float = 0.0
    inspector: Inspector = field(init=False)
    headings: frozenset[str] = field(init=False)
    """The headings of the game's shipped rule note; empty if it has none."""
    known: frozenset[str] = field(init=False)
    """The rulings on the game's page and on the page for all games."""
    moves: list[Move] = field(default_factory=list)
    events: list[tuple[Event, ...]] = field(default_factory=list)
    offered: set[Move] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.inspector = inspector(self.case.game.id)
        self.headings = headings_of(self.case.game)
        self.known = frozenset((*rulings(self.case.game.id), *rulings("general")))

    def play(self) -> State[Any]:
        state = start(self.case, self.rng, 0.85 if self.concedes else 0.3)
        first, shy = state.clone(), self.rng.random() < 0.6
        all_cards = sorted(card.id for card in deck_of(self.case.game, self.case.given))
        while state.turn is not None:
            assert sorted(state.cards()) == all_cards, "cards are conserved"
            assert self.case.game.outcome(state) is None
            self._look(state)
            move = answer(state, self.rng, shy)
            if self.concedes and state.deciding_seats and self.rng.random() < self.concedes:
                move = concession(self.rng.choice(state.deciding_seats))
            self.moves.append(move)
            self.events.append(state.apply(move))
            assert len(self.moves) < LONGEST, "the game does not end"
        assert sorted(state.cards()) == all_cards
        check_events(self)
        check_over(state, self)
        check_replay(first, state, self)
        return state

    def _look(self, state: State[Any]) -> None:
        if isinstance(state.turn, Prompt):
            check_prompt(state.turn, self)
            self.offered.update(state.turn.moves)
        elif isinstance(state.turn, Chance):
            check_written(state.turn.rulings, self)
        if self.rng.random() >= self.often:
            return
        check_views(state)
        check_illegal(state, self)
        check_hidden(state, self)
        check_determinize(state, self)
        check_clone(state, self)


def views(state: State[Any]) -> list[Any]:
    return [state.view(seat) for seat in range(state.seats)]


def render_sentence(sentence: Sentence) -> str:
    text = sentence.render(lambda seat: f"Seat {seat}", str)
    assert text and "{" not in text and "  " not in text
    return text


def check_prompt(prompt: Prompt, run: Run) -> None:
    """Check that moves are listed once, agree with their ids, and cite a rule and rulings (G-10)."""
    assert prompt.moves and len(set(prompt.moves)) == len(prompt.moves)
    for move in set(prompt.moves) - run.offered:
        assert Move.parse(move.id) == move
        render_sentence(run.case.game.label(move))
    check_cited(prompt.rule, prompt.rulings, run)
    assert render_sentence(prompt.text)[-1] in ".?"


def check_cited(rule: str, cited: tuple[str, ...], run: Run) -> None:
    assert rule and (rule in run.headings or not run.headings), rule
    check_written(cited, run)


def check_written(cited: tuple[str, ...], run: Run) -> None:
    """Check that every cited ruling is in the documentation."""
    unwritten = set(cited) - run.known
    assert cited and not unwritten, f"cited, and not in docs/rulings/{run.case.game.id}.md: {sorted(unwritten)}"


def check_events(run: Run) -> None:
    """Check that every event has a sentence, cites its rule, and is addressed to seats that exist."""
    for event in (event for events in run.events for event in events):
        assert render_sentence(event.sentence)[-1] in ".!"
        check_cited(event.rule, event.rulings, run)
        assert event.seen_by is None or event.seen_by <= set(range(7))


def check_views(state: State[Any]) -> None:
    """Check that each seat sees only its own prompt, and which seat decides."""
    turn = state.turn
    decider = turn.seat if isinstance(turn, Prompt) else None
    for seat, view in enumerate(views(state)):
        assert (view.seat, view.seats, view.to_act) == (seat, state.seats, decider)
        assert view.prompt == (turn if seat == decider else None)


def check_illegal(state: State[Any], run: Run) -> None:
    """Check that moves that the turn does not list raise IllegalMove and change nothing."""
    before, turn = views(state), state.turn
    listed = set(turn.moves) if isinstance(turn, Prompt) else set()
    others = run.rng.sample(sorted(run.offered, key=str), min(8, len(run.offered)))
    for move in (*others, *NONSENSE):
        if move not in listed:
            with pytest.raises(IllegalMove):
                state.apply(move)
    assert state.turn is turn and views(state) == before


def check_hidden(state: State[Any], run: Run) -> None:
    """Check that permuting what a seat cannot see changes neither its view nor its prompt."""
    for seat in range(state.seats):
        other = run.inspector.permute(state, seat, run.rng)
        assert other.view(seat) == state.view(seat)


def check_determinize(state: State[Any], run: Run) -> None:
    """Check that a state guessed from a view looks the same to the seat, has all cards, and can be finished."""
    seat = run.rng.randrange(state.seats)
    view = state.view(seat)
    before = views(state)
    guess = run.case.game.determinize(view, run.rng)
    assert guess.view(seat) == view
    assert sorted(guess.cards()) == sorted(state.cards())
    finish(guess, run.rng)
    assert views(state) == before


def check_clone(state: State[Any], run: Run) -> None:
    """Check that playing a copy on does not change the original."""
    before, turn = views(state), state.turn
    copy = state.clone()
    assert views(copy) == before and copy.turn == turn
    finish(copy, run.rng)
    assert views(state) == before and state.turn is turn


def check_over(state: State[Any], run: Run) -> None:
    """Check that a finished game refuses moves and has a complete outcome."""
    for move in (*NONSENSE, *run.moves[-1:]):
        with pytest.raises(IllegalMove):
            state.apply(move)
    outcome = run.case.game.outcome(state)
    assert outcome is not None and state.turn is None
    check_outcome(outcome, state.seats)
    check_written(outcome.rulings, run)
    for table in run.case.game.score_tables(outcome):
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert not table.seats or len(table.seats) == len(table.rows)
    for seat in range(state.seats):
        view = state.view(seat)
        assert view.prompt is None and view.to_act is None
        assert run.case.game.determinize(view, run.rng).view(seat) == view


def check_outcome(outcome: Outcome, seats: int) -> None:
    assert len(outcome.scores) == len(outcome.ranks) == seats
    assert set(outcome.winners) <= set(range(seats)) and list(outcome.winners) == sorted(set(outcome.winners))
    assert min(outcome.ranks) == 1
    assert len({tuple(parts) for parts in outcome.scores}) == 1, "the same parts in the same order"
    for sentence in (outcome.reason, *(fact for _, fact in outcome.facts)):
        render_sentence(sentence)


def check_replay(first: State[Any], last: State[Any], run: Run) -> None:
    """Check that the same moves, parsed from their ids, give the same events, views and outcome."""
    told, outcome = [first.apply(Move.parse(move.id)) for move in run.moves], run.case.game.outcome
    assert told == run.events and views(first) == views(last) and outcome(first) == outcome(last)
