"""The steps of a game, and the state to which they lead."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from vaultkit.cards import Deck
from vaultkit.errors import InvalidError
from vaultkit.games.game import AnyGame, State
from vaultkit.games.messages import Event, Outcome, Seat
from vaultkit.games.options import Value
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, draw_move
from vaultkit.session.journal_records import AnyRecord, DealRecord, Line, MoveRecord, StepRecord
from vaultkit.session.options import select_game_options
from vaultkit.session.seats import SeatSpec


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a game: a move of `seat`, or the answer to the chance turn with the name `chance`.

    `n` is the number of the step, from 1 on. `seat` is None for an answer to a chance turn, `chance` is "" for a move.
    `auto` marks a move that vaultkit made because it was the only one (G-6). `tale` is the player's own text about the
    move.
    """

    n: int
    move: Move
    events: tuple[Event, ...]
    seat: Seat | None = None
    chance: str = ""
    auto: bool = False
    tale: str = ""

    @property
    def record(self) -> StepRecord:
        """The step as a record of the journal."""
        if self.chance:
            return DealRecord(n=self.n, chance=self.chance, cards=self.move.operands)
        assert self.seat is not None, "a move is a seat's"
        return MoveRecord(n=self.n, seat=self.seat, move=self.move.id, auto=self.auto, tale=self.tale)


def _find_public_events(step: Step) -> list[Event]:
    """Return the events of a step that everybody has seen."""
    return [event for event in step.events if event.seen_by is None]


class GameHistory:
    """The current state of a game and the steps that led to it; it changes only by whole steps."""

    def __init__(
        self,
        game: AnyGame,
        deck: Deck,
        seats: tuple[SeatSpec, ...],
        options: Mapping[str, Value],
        start: State[Any] | None = None,
    ) -> None:
        """Create a game without steps, in the state `start` or, if that is None, in the game's initial state."""
        self._game = game
        people = frozenset(seat for seat, spec in enumerate(seats) if spec.is_person)
        self._start_state = start or game.new(len(seats), select_game_options(game, options), deck, people)
        self.state: State[Any] = self._start_state.clone()
        self.steps: list[Step] = []

    def start_state(self) -> State[Any]:
        """Return a copy of the state before the first step."""
        state: State[Any] = self._start_state.clone()
        return state

    def outcome(self, state: State[Any] | None = None) -> Outcome | None:
        """Return the outcome of `state`, or None while the game goes on.

        Without a `state`, return the outcome of the current one.
        """
        result: Outcome | None = self._game.outcome(self.state if state is None else state)
        return result

    def play(self, move: Move, store_step: Callable[[Step], None], auto: bool = False, tale: str = "") -> Step:
        """Answer the turn with a move, and return the step.

        `store_step` is called with the step before the game changes: if it raises, the game is unchanged. Raises
        IllegalMove unless the turn lists the move.
        """
        state, step = self._try_step(move, auto, tale)
        store_step(step)
        self.state = state
        self.steps.append(step)
        return step

    def rewind_to(self, n: int) -> None:
        """Restore the state after step `n`, by repeating the first `n` steps."""
        steps = self.steps[:n]
        state = self._start_state.clone()
        for step in steps:
            state.apply(step.move)
        self.state, self.steps = state, steps

    def replay(self, lines: Iterable[Line], where: str) -> None:
        """Play the steps that are recorded in the lines of a journal.

        `where` is the path for the message. Raises InvalidError with the number of the first line that does not fit the
        game.
        """
        for line in lines:
            try:
                self._replay_record(line.record)
            except (IllegalMove, ValueError) as error:
                raise InvalidError(
                    f"Line {line.number} of the journal does not fit the game: {error}",
                    where=where,
                    hint="It was changed by hand, or written by a vaultkit with other rules.",
                ) from error

    def exchange(self, card: str, other_card: str) -> "GameHistory | None":
        """Return a copy of the game with two cards exchanged in all steps, or None if that is not possible.

        It is not possible if a step would be illegal, or if an event that everybody has seen would change.
        """
        new_history = copy(self)
        new_history.state, new_history.steps = self._start_state.clone(), []
        try:
            for step in self.steps:
                new_history._replay_record(step.record.exchange({card: other_card, other_card: card}))
        except IllegalMove:
            return None
        is_unchanged = all(
            _find_public_events(step_before) == _find_public_events(step_after)
            for step_before, step_after in zip(self.steps, new_history.steps, strict=True)
        )
        return new_history if is_unchanged else None

    def try_move(self, move: Move) -> tuple[State[Any], tuple[Event, ...]]:
        """Return the state after a move and the events of the move, without changing the game.

        Raises IllegalMove unless the turn lists the move.
        """
        state, step = self._try_step(move, auto=False)
        return state, step.events

    def _replay_record(self, record: AnyRecord) -> None:
        match record, self.state.turn:
            case DealRecord(chance=name, cards=cards), Chance(name=expected) if name == expected:
                self.play(draw_move(*cards), lambda _: None)
            case MoveRecord(seat=seat), Prompt(seat=expected_seat) if seat == expected_seat:
                self.play(Move.parse(record.move), lambda _: None, record.auto, record.tale)
            case _:
                raise IllegalMove("it is not what was to be decided there.")

    def _try_step(self, move: Move, auto: bool, tale: str = "") -> tuple[State[Any], Step]:
        turn = self.state.turn
        if turn is None:
            raise IllegalMove("The game is over.")
        state = self.state.clone()
        events = state.apply(move)
        n = len(self.steps) + 1
        if isinstance(turn, Chance):
            return state, Step(n, move, events, chance=turn.name)
        return state, Step(n, move, events, turn.seat, auto=auto, tale=tale)
