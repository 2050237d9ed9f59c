"""Orders of clients to a way of playing, and its replies."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Move
from vaultkit.scene.knowledge import StepEvent


@dataclass(frozen=True, slots=True)
class Viewer:
    """A client with an `id` of its own. `seats` are those whose hands it may show: one for a phone, all for a screen.

    `is_operator` marks the screen or terminal of the person who runs the game.
    """

    id: str
    seats: frozenset[Seat] = frozenset()
    is_operator: bool = False


class Command(Enum):
    """An order that needs no more words."""

    BACK = auto()
    """Remove the last part of a draft."""
    SUBMIT = auto()
    """Enter a whole draft."""
    UNCOVER = auto()
    COVER = auto()
    NEXT = auto()
    """Go on to the next page or game."""
    SAVE = auto()
    """Write again what could not be written."""
    REWARDS = auto()
    """Roll the rewards of the finished game, and write them into its note."""
    FINISH = auto()


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Make a move, None for one that is not offered."""

    move: Move | None


@dataclass(frozen=True, slots=True)
class Name:
    """Name cards or other answers. `is_whole` marks a whole entry, not a part that is added to the draft."""

    words: str
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class TurnCard:
    """Turn the card at a place of a spread, counted from 1; without a `place` the next one."""

    place: int | None = None


@dataclass(frozen=True, slots=True)
class UndoMove:
    """Undo the last decision of `seat`, or of anybody if it is None.

    A real card that was misnamed is corrected instead, unless the seat `is_named` by the player.
    """

    seat: Seat | None = None
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Concede:
    """Give up (G-14): for the seat, or if it is None for whoever is asked; from a phone only for its own seat.

    With `agrees` False, a party plays on that was asked to give up.
    """

    seat: Seat | None = None
    agrees: bool = True


@dataclass(frozen=True, slots=True)
class PauseGame:
    """Stop the game and cover all hands, or go on. Only the operator orders this, whatever the question is."""

    is_paused: bool


@dataclass(frozen=True, slots=True)
class LendSeat:
    """Let a bot with this strategy decide for a person, or with None the person again, as the operator orders."""

    seat: Seat
    strategy: str | None


OperatorAction = PauseGame | LendSeat
Action = Command | PlayMove | Name | TurnCard | UndoMove | Concede | OperatorAction


@dataclass(frozen=True, slots=True)
class Order:
    """A request to change the game, as an answer to the `question` of a view.

    `story` is the player's own text about a move, None if the player has not been asked for one yet.
    """

    question: str | None
    action: Action
    is_confirmed: bool = False
    story: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of an order: it was carried out, unless there are sentences to `confirm`, or a story is wanted.

    `story_about` is the move that the player may tell a story about before it is made. `private` are events that only
    the player of the `seat` has seen.
    """

    confirm: tuple[Sentence, ...] = ()
    story_about: Move | None = None
    seat: Seat | None = None
    private: Sequence[StepEvent] = ()


class OrderRefused(Exception):
    """The error for an order that cannot be carried out: the sentence says why. Nothing has changed.

    `hint` says what would be accepted, "" if that is clear.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class StaleQuestion(Exception):
    """The error for an order that answers an old question. Nothing has changed."""


def new_question() -> str:
    """Return a new id for a question, which is asked once."""
    return secrets.token_urlsafe(9)
