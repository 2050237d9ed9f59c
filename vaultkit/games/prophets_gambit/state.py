"""A game of Prophet's Gambit in progress: the cards on the table, and the stack of what is still to be done."""

from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games.base import State
from vaultkit.games.prophets_gambit.rules import Rules
from vaultkit.games.prophets_gambit.step import Step
from vaultkit.games.prophets_gambit.view import GambitView
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, Prompt, Turn
from vaultkit.games.words import Event, Outcome, Seat, Sentence

NOTHING: frozenset[str] = frozenset()


class Judged(NamedTuple):
    """Who decided the fate of the Focus, how (`kill` or `save`), and which card it was."""

    seat: Seat
    verdict: str
    focus: str


@dataclass(slots=True)
class Position:
    """Everything that lies on the table; tuples are shared by copies, lists have one entry for each seat.

    `known` are the cards in other hands and Fates that a seat has seen and whose way it could follow since. `turned`
    is a High card while it is carried out. `donjon` is the seat whose Donjon ended the game.
    """

    common: Pile
    high: Pile
    hands: list[tuple[str, ...]]
    fates: list[str | None]
    shown: list[tuple[str, ...]]
    kept: list[tuple[str, ...]]
    known: list[frozenset[str]]
    dealer: Seat | None = None
    round: int = 0
    focus: str | None = None
    discard: tuple[str, ...] = ()
    high_discard: tuple[str, ...] = ()
    turned: str | None = None
    waiting: tuple[Seat, ...] = ()
    forced: tuple[Seat, str] | None = None
    risks: tuple[tuple[Seat, str], ...] = ()
    reshuffles: int = 0
    judged: Judged | None = None
    donjon: Seat | None = None
    over: bool = False


class GambitState(State[GambitView]):
    """The position and the stack of pending steps; the top of the stack says whose turn it is.

    Steps change the position through the few methods here, which also tell what happened.
    """

    __slots__ = ("_told", "_turn", "at", "rules", "seats", "stack")

    def __init__(self, rules: Rules, position: Position, stack: list[Step]) -> None:
        """A game standing at `position` with `stack` still to be done, the last step first."""
        self.rules = rules
        self.seats = rules.seats
        self.at = position
        self.stack = stack
        self._turn: Turn = None
        self._told: list[Event] = []
        self.settle()

    @property
    def turn(self) -> Turn:
        return self._turn

    def apply(self, move: Move) -> tuple[Event, ...]:
        self._check(move)
        self._told = []
        self.stack.pop().take(self, move)
        self.settle()
        told, self._told = self._told, []
        return tuple(told)

    def _check(self, move: Move) -> None:
        turn = self._turn
        if isinstance(turn, Chance):
            turn.check(move)
        elif turn is None:
            raise IllegalMove(f"The game is over; '{move.id}' comes too late.")
        elif move not in turn.moves:
            raise IllegalMove(
                f"'{move.id}' cannot be played now.", hint=f"Possible: {', '.join(m.id for m in turn.moves)}."
            )

    def settle(self) -> None:
        """Do all that needs no decision, until somebody must decide or the game is over."""
        stack = self.stack
        while stack:
            step = stack.pop()
            turn = step.begin(self)
            if turn is not None:
                stack.append(step)
                self._turn = turn
                return
        self._turn = None

    def clone(self) -> "GambitState":
        at = self.at
        copy = object.__new__(GambitState)
        copy.rules = self.rules
        copy.seats = self.seats
        copy.at = Position(
            at.common,
            at.high,
            at.hands.copy(),
            at.fates.copy(),
            at.shown.copy(),
            at.kept.copy(),
            at.known.copy(),
            at.dealer,
            at.round,
            at.focus,
            at.discard,
            at.high_discard,
            at.turned,
            at.waiting,
            at.forced,
            at.risks,
            at.reshuffles,
            at.judged,
            at.donjon,
            at.over,
        )
        copy.stack = self.stack.copy()
        copy._turn = self._turn
        copy._told = []
        return copy

    def view(self, seat: Seat) -> GambitView:
        at, turn = self.at, self._turn
        to_act = turn.seat if isinstance(turn, Prompt) else None
        known = at.known[seat]
        return GambitView(
            seat=seat,
            seats=self.seats,
            prompt=turn if isinstance(turn, Prompt) and to_act == seat else None,
            to_act=to_act,
            rules=self.rules,
            dealer=at.dealer,
            round=at.round,
            hands=tuple(
                hand if owner == seat else tuple(card for card in hand if card in known)
                for owner, hand in enumerate(at.hands)
            ),
            hand_sizes=tuple(map(len, at.hands)),
            fates=tuple(fate if owner == seat or fate in known else None for owner, fate in enumerate(at.fates)),
            dealt=tuple(fate is not None for fate in at.fates),
            remembered=self._remembered(seat),
            shown=tuple(at.shown),
            kept=tuple(at.kept),
            focus=at.focus,
            common_size=len(at.common),
            discard=at.discard,
            high_size=len(at.high),
            high_discard=at.high_discard,
            turned=at.turned,
            waiting=at.waiting,
            forced=at.forced,
            risks=at.risks,
            reshuffles=at.reshuffles,
            judged=at.judged,
            donjon=at.donjon,
            over=at.over,
            pending=tuple(step.masked(seat) for step in self.stack),
        )

    def _remembered(self, seat: Seat) -> frozenset[str]:
        at, known = self.at, self.at.known[seat]
        if not known:
            return NOTHING
        elsewhere = {card for owner, hand in enumerate(at.hands) if owner != seat for card in hand}
        elsewhere.update(fate for owner, fate in enumerate(at.fates) if owner != seat and fate is not None)
        return known & elsewhere

    def outcome(self) -> Outcome | None:
        from vaultkit.games.prophets_gambit.ending import outcome

        return outcome(self) if self.at.over else None

    # What steps ask and do.

    def top(self, seat: Seat) -> str:
        """The card that the seat shows (PG-5)."""
        return self.at.shown[seat][-1]

    def holder(self, high: str) -> Seat | None:
        """Who keeps the Innocent or the Executioner."""
        return next((seat for seat, kept in enumerate(self.at.kept) if high in kept), None)

    def affected(self, actor: Seat) -> tuple[Seat, ...]:
        """Whom a High card of `actor` can touch, clockwise and the actor first: all but the Innocent (PG-24)."""
        innocent = self.holder("innocent")
        if innocent == actor and self.rules.says("innocent", "others-only"):
            innocent = None
        return tuple(seat for seat in self.rules.clockwise(actor) if seat != innocent)

    def to_hand(self, seat: Seat, *cards: str) -> None:
        """Put cards into a hand, which is held in order."""
        hands, place = self.at.hands, self.rules.cards.place
        hands[seat] = tuple(sorted((*hands[seat], *cards), key=place.__getitem__))

    def from_hand(self, seat: Seat, card: str) -> None:
        self.at.hands[seat] = tuple(held for held in self.at.hands[seat] if held != card)

    def throw(self, seat: Seat, card: str) -> None:
        """Put a hand card face up on the discard pile."""
        self.from_hand(seat, card)
        self.at.discard += (card,)

    def learn(self, seat: Seat, *cards: str) -> None:
        """The seat has seen these cards, and knows where they go."""
        self.at.known[seat] |= set(cards)

    def lose_track(self, seats: tuple[Seat, ...], owner: Seat) -> None:
        """These seats know no longer what the owner holds, because a card has left the hand unseen."""
        hand = self.at.hands[owner]
        for seat in seats:
            if self.at.known[seat]:
                self.at.known[seat] = self.at.known[seat].difference(hand)

    def then(self, *steps: Step) -> None:
        """Do these steps next, in this order."""
        self.stack.extend(reversed(steps))

    def tell(
        self,
        kind: str,
        words: str,
        rule: str,
        rulings: tuple[str, ...],
        *,
        seats: tuple[Seat, ...] = (),
        cards: tuple[str, ...] = (),
        values: tuple[str | int, ...] = (),
        seen_by: frozenset[Seat] | None = None,
        reveals: bool = False,
        notable: bool = False,
    ) -> None:
        """Report an event; its seat is the first of `seats`."""
        sentence = Sentence(words, seats, cards, values)
        seat = seats[0] if seats else None
        self._told.append(
            Event(kind, sentence, rule, rulings, seat, cards, seen_by, reveals, auto=False, notable=notable)
        )
