"""The steps of a game, the state to which they lead, their replay from a journal, and how they are undone.

An undo is safe if nothing new was shown and nothing was dealt after a decision (G-8).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.games.concession import CONCEDE, concession
from vaultkit.games.game import AnyGame, State
from vaultkit.games.messages import Event, Outcome, Seat
from vaultkit.games.options import Value
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, draw_move
from vaultkit.session.journal import Contents, read
from vaultkit.session.journal_records import (
    AnyRecord,
    ConcedeRecord,
    DealRecord,
    Header,
    Line,
    MoveRecord,
    StepRecord,
)
from vaultkit.session.options import select_game_options, settle_recorded
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
        if self.move.verb == CONCEDE:
            return ConcedeRecord(n=self.n, seat=self.seat)
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
        self._start_state: State[Any] = start or game.new(len(seats), select_game_options(game, options), deck, people)
        self.state = self._start_state.clone()
        self.steps: list[Step] = []

    def start_state(self) -> State[Any]:
        """Return a copy of the state before the first step."""
        return self._start_state.clone()

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
                    hint="It was changed by hand, or written by another version of vaultkit.",
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
            case ConcedeRecord(seat=seat), Prompt():
                self.play(concession(seat), lambda _: None)
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
        seat = int(move.operands[0]) if move.verb == CONCEDE else turn.seat
        return state, Step(n, move, events, seat, auto=auto, tale=tale)


def replay(path: Path, game: AnyGame, deck: Deck) -> tuple[Contents, tuple[Step, ...]]:
    """Return the contents of a journal, and the steps of the game that it records, without locking the journal.

    Raises InvalidError for a journal that cannot be read, or does not fit the game or the deck.
    """
    contents, history = restore(read(path), game, deck, str(path))
    return contents, tuple(history.steps)


def restore(contents: Contents, game: AnyGame, deck: Deck, where: str) -> tuple[Contents, GameHistory]:
    """Return the contents of a journal with two corrections, and the game that it records.

    The returned header has every option, and the outcome in the end record is computed from the steps. `where` is the
    path for messages. Raises InvalidError for a journal that does not fit the game or the deck.
    """
    header = contents.header
    if header.game != game.id:
        raise InvalidError(f"The journal is of {header.game}, not of {game.id}.", where=where)
    if header.fingerprint != deck.fingerprint:
        raise InvalidError(
            f"The game was played with another deck: the cards of '{deck.title}' have changed since.",
            where=where,
            hint="Restore the deck note, or discard the game.",
        )
    header = complete_header(header, game, where)
    try:
        history = GameHistory(game, deck, header.seats, header.options)
    except UsageError as error:
        raise _misfit_error(error, where) from error
    history.replay(contents.steps, where)
    return replace(contents, header=header, lines=_replace_outcome(contents, history, where)), history


def complete_header(header: Header, game: AnyGame, where: str) -> Header:
    """Return the header with a value for every option of the game.

    An option that the header does not contain did not exist when the game was recorded, and gets the value that it then
    had in effect. Raises InvalidError for options that do not fit the game.
    """
    try:
        return msgspec.structs.replace(header, options=settle_recorded(game, header.options))
    except UsageError as error:
        raise _misfit_error(error, where) from error


def _misfit_error(error: UsageError, where: str) -> InvalidError:
    return InvalidError(f"Line 1 of the journal does not fit the game: {error}", where=where)


def _replace_outcome(contents: Contents, history: GameHistory, where: str) -> tuple[Line, ...]:
    """Return the lines, with the outcome in the end record, if there is one, replaced by that of the replayed game.

    The recorded outcome is not trusted, because people can edit the file. Raises InvalidError if the replayed game is
    not over.
    """
    if contents.end is None:
        return contents.lines
    *lines, end_line = contents.lines
    outcome = history.outcome()
    if outcome is None:
        message = f"Line {end_line.number} of the journal does not fit the game: it is not over."
        raise InvalidError(message, where=where, hint="It was changed by hand.")
    return (*lines, Line(end_line.number, msgspec.structs.replace(contents.end, outcome=outcome)))


class UndoRefused(WriteError):
    """The error for an undo that is not allowed, with the reason."""


@dataclass(frozen=True, slots=True)
class Undo:
    """A plan to return to the position after step `to`.

    `free` marks an undo that the rule "safe" would have refused. `renames` marks the correction of the name of a real
    card, which undoes no decision.
    """

    to: int
    free: bool = False
    renames: bool = False


def plan(steps: Sequence[Step], seat: Seat, rule: Value, people: Collection[Seat] = ()) -> Undo:
    """Return a plan to undo the last decision of `seat`.

    `rule` is `safe`, `off` or `free`. Later decisions of `people` are undone with it, so that the undo must be safe for
    each of them, too. Raises UndoRefused if there is no decision to undo, or if the rule does not allow it.
    """
    if rule == "off":
        raise UndoRefused("This game is played without undo.", hint="It was begun with undo=off.")
    own_step = next((step for step in reversed(steps) if step.seat == seat and not step.auto), None)
    if own_step is None:
        raise UndoRefused("There is nothing to take back: no decision has been made yet.")
    has_news = _has_news_since(steps[own_step.n - 1 :], {seat, *people})
    if has_news and rule == "safe":  # whether cards were dealt or seen may be secret (G-8)
        message = "That cannot be taken back: cards have been dealt or seen since."
        raise UndoRefused(message, hint="Begin a game with --set undo=free to take back anything.")
    return Undo(own_step.n - 1, free=has_news)


def is_typed(step: Step, people: Collection[Seat], automatic_names: Collection[str]) -> bool:
    """Return whether people typed a step, which is a decision or a card.

    `automatic_names` are the names of chance turns and the verbs of moves that vaultkit answers itself.
    """
    if step.chance:
        return step.chance not in automatic_names
    return step.seat in people and not step.auto and step.move.verb not in automatic_names


def _has_news_since(steps: Sequence[Step], deciders: Collection[Seat]) -> bool:
    """Return whether cards were dealt, or one of `deciders` saw something new, since its first decision in `steps`."""
    first_steps = {step.seat: step.n for step in reversed(steps) if step.seat in deciders and not step.auto}
    return any(
        step.chance or any(_is_news(step, event, seat) for event in step.events)
        for seat, first in first_steps.items()
        if seat is not None
        for step in steps
        if step.n >= first
    )


def _is_news(step: Step, event: Event, seat: Seat) -> bool:
    """Return whether an event showed the seat something new besides its own choice."""
    if not event.reveals or not event.is_visible_to(seat):
        return False
    is_of_others = step.seat != seat or event.seat != seat or not set(step.move.operands).issuperset(event.cards)
    # One event shows everything that several seats have put down face down, even to seats that put down nothing.
    return is_of_others or (len(event.sentence.seats) > 1 and event.kind != step.move.verb)
