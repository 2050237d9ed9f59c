"""A game of Prophet's Gambit in progress: the cards on the table, and the stack of what is still to be done."""

from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games import stack
from vaultkit.games.base import View
from vaultkit.games.prophets_gambit.rules import Rules
from vaultkit.games.stack import StackState
from vaultkit.games.turn import Pile
from vaultkit.games.words import Seat


class Step(stack.Step["GambitState"]):
    """One small thing that is still to be done."""

    __slots__ = ()


@dataclass(frozen=True)
class GambitView(View):
    """The table as `seat` knows it.

    `hands` holds the known cards of each hand, all of one's own; `fates` each seat's Fate, None where it is unknown
    or not dealt yet, which `dealt` tells apart. `remembered` are the cards in other hands and Fates that the seat has
    seen. `shown` are the piles in front of the players, the top card last. `waiting` are the seats whose turn is
    still to come in this round, `forced` a marionette and which card it was told to play.
    """

    rules: Rules
    dealer: Seat | None
    round: int
    hands: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    fates: tuple[str | None, ...]
    dealt: tuple[bool, ...]
    remembered: frozenset[str]
    shown: tuple[tuple[str, ...], ...]
    kept: tuple[tuple[str, ...], ...]
    focus: str | None
    common_size: int
    discard: tuple[str, ...]
    high_size: int
    high_discard: tuple[str, ...]
    turned: str | None
    waiting: tuple[Seat, ...]
    forced: tuple[Seat, str] | None
    risks: tuple[tuple[Seat, str], ...]
    reshuffles: int
    judged: "Judged | None"
    donjon: Seat | None
    over: bool
    pending: tuple[Step, ...]

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self.hands[self.seat]

    @property
    def fate(self) -> str | None:
        """The seat's own Fate."""
        return self.fates[self.seat]

    @property
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows."""
        piles = (*self.hands, *self.shown, *self.kept, self.discard, self.high_discard)
        cards = {card for pile in piles for card in pile}
        cards.update(card for card in (*self.fates, self.focus, self.turned) if card is not None)
        return frozenset(cards)


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

    def copy(self) -> "Position":
        """An independent copy, written by hand because search copies states by the thousand."""
        return Position(
            self.common,
            self.high,
            self.hands.copy(),
            self.fates.copy(),
            self.shown.copy(),
            self.kept.copy(),
            self.known.copy(),
            self.dealer,
            self.round,
            self.focus,
            self.discard,
            self.high_discard,
            self.turned,
            self.waiting,
            self.forced,
            self.risks,
            self.reshuffles,
            self.judged,
            self.donjon,
            self.over,
        )


class GambitState(StackState[GambitView, Rules, Position, Step]):
    """A game whose steps change the position through the few methods here."""

    __slots__ = ()

    def view(self, seat: Seat) -> GambitView:
        at = self.at
        known = at.known[seat]
        return GambitView(
            seat=seat,
            seats=self.seats,
            prompt=self.prompt_for(seat),
            to_act=self.to_act,
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

    def settle(self) -> None:
        """Ask the top step anew, after a position or a stack was put together by hand."""
        self._settle()

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
        self.at.hands[seat] = tuple([held for held in self.at.hands[seat] if held != card])

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


def tie_order(state: GambitState) -> tuple[Seat, ...]:
    """The seats in the order that settles every tie, the best first (PG-6)."""
    assert state.at.dealer is not None
    rules, dealer = state.rules, state.at.dealer
    return rules.clockwise(dealer) if rules.says("tie_from", "dealer") else rules.from_left_of(dealer)


def leader(state: GambitState) -> Seat:
    """Who shows the highest number (PG-2, PG-5); with no number on the table all are tied (PG-4)."""
    return max(tie_order(state), key=lambda seat: _shown(state, seat))


def _shown(state: GambitState, seat: Seat) -> int:
    """The number that the seat shows, -1 for none."""
    number = state.rules.cards.number[state.top(seat)]
    return -1 if number is None else number


def coming_first(state: GambitState) -> str:
    """What settles a tie (PG-6), as words that follow a name."""
    place = "dealer" if state.rules.says("tie_from", "dealer") else "dealer's left"
    return f"comes first from the {place}"


def why_leading(state: GambitState, seat: Seat) -> str:
    """What makes the leader one, as words that follow `{s0}`."""
    first = coming_first(state)
    if _shown(state, seat) < 0:
        return f"{first}, since nobody shows a number,"
    if is_tied(state, seat):
        return f"ties for the highest number, {first}"
    return "shows the highest number"


def is_tied(state: GambitState, seat: Seat) -> bool:
    """Whether somebody else shows the same number, or none either (PG-4)."""
    return sum(_shown(state, other) == _shown(state, seat) for other in range(state.seats)) > 1
