"""An encounter in progress: where every card is, and the step that comes next."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games.base import State, View
from vaultkit.games.deck_of_destiny.rules import BOARD, Rules
from vaultkit.games.hands import HandValue
from vaultkit.games.turn import Move, Pile, Prompt, Turn, check
from vaultkit.games.words import Event, Seat, Sentence


class Step(ABC):
    """Immutable, so that copies of a state share their steps."""

    __slots__ = ()

    @abstractmethod
    def turn(self, state: "DestinyState") -> Turn:
        """Whose turn it is, changing nothing; None only when the encounter is over."""

    @abstractmethod
    def take(self, state: "DestinyState", move: Move) -> "Step":
        """Carry out the answer to the turn; the step that follows."""


@dataclass(frozen=True, slots=True)
class Over(Step):
    """The encounter is over."""

    def turn(self, state: "DestinyState") -> Turn:  # noqa: ARG002
        return None

    def take(self, state: "DestinyState", move: Move) -> Step:
        raise NotImplementedError(f"Nobody is asked any more, so '{move.id}' answers nothing.")


@dataclass(frozen=True)
class DestinyView(View):
    """The table. Cards are dealt when they are turned up, so that there is nothing on it that could be hidden."""

    rules: Rules
    at: "Position"
    step: Step

    @property
    def inventory(self) -> tuple[str, ...]:
        """The cards that the character still owns."""
        return self.at.inventory

    @property
    def own(self) -> tuple[str, ...]:
        """The cards laid before the player so far."""
        return self.at.own

    @property
    def board(self) -> tuple[str, ...]:
        """The cards of the board that are turned up."""
        return self.at.shown

    @property
    def seen(self) -> frozenset[str]:
        """Every card that has been seen; those of the table go back to the veiled deck at the end."""
        at = self.at
        ends = () if at.end is None else (*at.end.own, *at.end.board, *at.end.opponent)
        tied = (card for tie in at.ties for card in (*tie.board, *tie.opponent))
        return frozenset((*at.inventory, *at.elsewhere, *at.own, *at.shown, *at.opponent, *ends, *tied))


PLAYER: Seat = 0
Laid = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The cards laid in each of the three phases."""


class Tie(NamedTuple):
    """A board and an opponent's cards that were dealt anew because the hands were equal (DD-10)."""

    board: tuple[str, ...]
    opponent: tuple[str, ...]


class Best(NamedTuple):
    """The best hand of one side, and its worth."""

    value: HandValue
    cards: tuple[str, ...]


class End(NamedTuple):
    """How it ended: `win`, `tie`, `loss` or `retreat`, in which phase, and what lay on the table.

    `kept` tells whether the played cards came back to the inventory. There are no best hands after a retreat, and
    none of an opponent in a passive encounter.
    """

    kind: str
    phase: int
    laid: Laid
    board: tuple[str, ...]
    opponent: tuple[str, ...]
    kept: bool
    best: Best | None = None
    opponent_best: Best | None = None

    @property
    def own(self) -> tuple[str, ...]:
        first, second, third = self.laid
        return (*first, *second, *third)


class Position(NamedTuple):
    """Where the cards are. `board` has five places, "" for a card face down; `before` is how many cards were owned.

    A card that lies face down is no card yet: it is drawn from the veiled deck when it is turned up. That deals the
    same chances, and what nobody knows need not be hidden.
    """

    veiled: Pile
    inventory: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    laid: Laid = ((), (), ())
    board: tuple[str, ...] = ("",) * BOARD
    opponent: tuple[str, ...] = ()
    before: int = 0
    ties: tuple[Tie, ...] = ()
    reward: tuple[str, ...] = ()
    end: End | None = None

    @property
    def own(self) -> tuple[str, ...]:
        first, second, third = self.laid
        return (*first, *second, *third)

    @property
    def shown(self) -> tuple[str, ...]:
        """The cards of the board that are turned up."""
        return tuple(card for card in self.board if card)

    @property
    def face_down(self) -> tuple[int, ...]:
        """The places of the board that are not turned up yet, from 0."""
        return tuple(place for place, card in enumerate(self.board) if not card)


class DestinyState(State[DestinyView]):
    """The position and the step. Both are immutable, so that a copy costs nothing."""

    __slots__ = ("_told", "_turn", "at", "rules", "seats", "step")

    def __init__(self, rules: Rules, position: Position, step: Step) -> None:
        """An encounter standing at `position`, with `step` next."""
        self.rules = rules
        self.seats = 1
        self.at = position
        self.step = step
        self._told: list[Event] = []
        self._turn = step.turn(self)

    @property
    def turn(self) -> Turn:
        return self._turn

    def apply(self, move: Move) -> tuple[Event, ...]:
        check(self._turn, move)
        self._told = []
        self.step = self.step.take(self, move)
        self._turn = self.step.turn(self)
        told, self._told = self._told, []
        return tuple(told)

    def clone(self) -> "DestinyState":
        copy = object.__new__(DestinyState)
        copy.rules = self.rules
        copy.seats = 1
        copy.at = self.at
        copy.step = self.step
        copy._turn = self._turn
        copy._told = []
        return copy

    def view(self, seat: Seat) -> DestinyView:
        turn = self._turn
        prompt = turn if isinstance(turn, Prompt) else None
        return DestinyView(
            seat=seat,
            seats=1,
            prompt=prompt,
            to_act=prompt.seat if prompt else None,
            rules=self.rules,
            at=self.at,
            step=self.step,
        )

    # What steps do.

    def lay(self, card: str, phase: int) -> None:
        """A card from the inventory face up on the table, in phase 1, 2 or 3."""
        at = self.at
        laid = list(at.laid)
        laid[phase - 1] = (*laid[phase - 1], card)
        first, second, third = laid
        left = tuple(held for held in at.inventory if held != card)
        self.at = at._replace(inventory=left, laid=(first, second, third))

    def draw(self, cards: tuple[str, ...]) -> None:
        """Cards from the veiled deck into the inventory."""
        at = self.at
        inventory = self.rules.cards.in_order((*at.inventory, *cards))
        self.at = at._replace(veiled=at.veiled.without(cards), inventory=inventory)

    def turn_up(self, places: tuple[int, ...], cards: tuple[str, ...]) -> None:
        """Cards of the board, at these places from 0."""
        board = list(self.at.board)
        for place, card in zip(places, cards, strict=True):
            board[place] = card
        self.at = self.at._replace(veiled=self.at.veiled.without(cards), board=tuple(board))

    def tell(
        self,
        kind: str,
        words: str,
        rule: str,
        rulings: tuple[str, ...],
        *,
        cards: tuple[str, ...] = (),
        values: tuple[str | int, ...] = (),
        reveals: bool = False,
        notable: bool = False,
    ) -> None:
        """Report an event; `{s0}` in its words is the player."""
        sentence = Sentence(words, (PLAYER,), cards, values)
        self._told.append(
            Event(kind, sentence, rule, rulings, PLAYER, cards, None, reveals, auto=False, notable=notable)
        )
