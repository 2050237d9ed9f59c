"""An encounter in progress: where every card is, and the methods with which tasks move the cards."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from vaultkit.games.concession import NO_CONCESSIONS, Concessions
from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, HOW_IT_ENDS, PHASE_RULES, DestinyRules
from vaultkit.games.hands import HandValue
from vaultkit.games.messages import Seat
from vaultkit.games.task_stack import Position, StackState, TableView, Task
from vaultkit.games.turn import HIDDEN, Pile

PLAYER_SEAT_INDEX: Seat = 0
Laid = tuple[tuple[str, ...], ...]
"""The cards laid in each of the three phases."""


class Tie(NamedTuple):
    """The board and the opponent's cards that were replaced after equal hands (DD-10)."""

    board: tuple[str, ...]
    opponent: tuple[str, ...]


class BestHand(NamedTuple):
    """The best hand of one side, and its value."""

    value: HandValue
    cards: tuple[str, ...]


class EncounterEnd(NamedTuple):
    """The end of an encounter: its `kind` (`win`, `tie`, `loss` or `retreat`), its phase, and the cards on the table.

    `kept` says whether the played cards came back to the inventory. `best` and `opponent_best` are None after a
    retreat; `opponent_best` is also None in a passive encounter.
    """

    kind: str
    phase: int
    laid: Laid
    board: tuple[str, ...]
    opponent: tuple[str, ...]
    kept: bool
    best: BestHand | None = None
    opponent_best: BestHand | None = None

    @property
    def own(self) -> tuple[str, ...]:
        return tuple(chain(*self.laid))


@dataclass(slots=True)
class DestinyPosition(Position):
    """The places of all cards. `laid` has the cards of each phase, and `before` is how many cards were owned at first.

    A face-down card of the `board` is HIDDEN: it is drawn from the veiled deck only when it is turned up. The chances
    are the same as if it had been dealt, and no secret has to be kept.
    """

    veiled: Pile
    inventory: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    laid: list[tuple[str, ...]] = field(default_factory=lambda: [()] * 3)
    board: list[str] = field(default_factory=lambda: [HIDDEN] * BOARD_SIZE)
    opponent: tuple[str, ...] = ()
    before: int = 0
    ties: tuple[Tie, ...] = ()
    reward: tuple[str, ...] = ()
    end: EncounterEnd | None = None
    concessions: Concessions = NO_CONCESSIONS

    @property
    def own(self) -> tuple[str, ...]:
        """The cards laid before the player so far."""
        return tuple(chain(*self.laid))

    @property
    def face_up(self) -> tuple[str, ...]:
        """The cards of the board that are turned up."""
        return tuple(card for card in self.board if card != HIDDEN)

    @property
    def face_down(self) -> tuple[int, ...]:
        """The indexes of the cards of the board that are not turned up yet."""
        return tuple(place for place, card in enumerate(self.board) if card == HIDDEN)

    @property
    def seen(self) -> frozenset[str]:
        """Every visible card, and the cards that went back to the veiled deck after a tie or at the end."""
        ends = (self.end.own, self.end.board, self.end.opponent) if self.end else ()
        return frozenset(self.cards()).union(*ends, *chain(*self.ties)) - {HIDDEN}

    def cards(self) -> Iterator[str]:
        return chain(self.inventory, self.elsewhere, self.own, self.face_up, self.opponent, self.veiled.unknown)


class DestinyState(StackState[DestinyRules, DestinyPosition]):
    """The state of an encounter, whose tasks change the position through the methods of this class."""

    __slots__ = ()

    def cards(self) -> Iterator[str]:
        return chain(self.at.cards(), self.rules.cards.aside)

    def mask(self, seat: Seat) -> DestinyPosition:  # noqa: ARG002
        """Return the position with the order of the veiled deck hidden.

        Nothing else is hidden, since cards are drawn only when they are turned up.
        """
        at = self.at.copy()
        at.veiled = at.veiled.hide_cards()
        return at

    def settle_concession(self) -> None:
        """End the encounter after a concession: as a retreat in phases 1 and 2, which know one, else as lost (G-14)."""
        super().settle_concession()
        phase = next((number for number, rule in PHASE_RULES.items() if rule == self.prompt.rule), 0)
        self.finish("loss" if phase == 3 else "retreat", phase)

    # Methods for tasks.

    def lay(self, card: str, phase: int) -> None:
        """Move a card from the inventory to the table, in phase 1, 2 or 3."""
        self.at.laid[phase - 1] += (card,)
        self.at.inventory = tuple(held for held in self.at.inventory if held != card)

    def draw(self, cards: tuple[str, ...]) -> None:
        """Move cards from the veiled deck to the inventory."""
        self.at.veiled = self.at.veiled.remove_cards(cards)
        self.at.inventory = self.rules.cards.sort_cards((*self.at.inventory, *cards))

    def turn_up(self, places: tuple[int, ...], cards: tuple[str, ...]) -> None:
        """Turn up the cards of the board at the indexes `places`: they are now `cards`, from the veiled deck."""
        self.at.veiled = self.at.veiled.remove_cards(cards)
        for place, card in zip(places, cards, strict=True):
            self.at.board[place] = card

    def clear(self, *cards: str) -> None:
        """Remove the board and the opponent's cards from the table, and put `cards` back into the veiled deck."""
        at = self.at
        at.veiled = Pile((*at.veiled.unknown, *cards))
        at.board, at.opponent = [HIDDEN] * BOARD_SIZE, ()

    def finish(
        self, kind: str, phase: int, best: BestHand | None = None, opponent_best: BestHand | None = None
    ) -> None:
        """DD-3: End the encounter and put the cards on the table back where they belong.

        The played cards go to the inventory if the options say so; all other cards go to the veiled deck.
        """
        at, rules = self.at, self.rules
        is_kept = rules.has_option(f"keep_on_{kind}", "yes") if kind in {"win", "retreat"} else False
        at.end = end = EncounterEnd(kind, phase, tuple(at.laid), at.face_up, at.opponent, is_kept, best, opponent_best)
        if end.own:
            words = "{s0} takes {cards} back."
            if not is_kept:
                cards = "{cards}, which go" if len(end.own) > 1 else "the {c0}, which goes"
                words = f"{{s0}} has used up {cards} back to the veiled deck."
            self.tell("fate", words, HOW_IT_ENDS, ("DD-3",), cards=end.own, detail="kept" if is_kept else "lost")
        if is_kept:
            at.inventory = rules.cards.sort_cards((*at.inventory, *end.own))
        at.laid = [()] * 3
        self.clear(*(() if is_kept else end.own), *end.board, *end.opponent)

    def tell(self, *what: Any, seats: tuple[Seat, ...] = (PLAYER_SEAT_INDEX,), **more: Any) -> None:
        """Report an event as `StackState.tell` does, but with the player as the default of `seats`."""
        StackState.tell(self, *what, seats=seats, **more)


DestinyTask: TypeAlias = Task[DestinyState]
DestinyView: TypeAlias = TableView[DestinyRules, DestinyPosition]
