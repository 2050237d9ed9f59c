"""A game of Dragon Citadel in progress: the cards on the table, and the stack of what is still to be done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games import stack
from vaultkit.games.base import View
from vaultkit.games.dragon_citadel.rules import JOKER, SEER, Rules
from vaultkit.games.stack import StackState
from vaultkit.games.turn import Move, Pile
from vaultkit.games.words import Seat


class Step(stack.Step["CitadelState"]):
    """One small thing that is still to be done in a round."""

    __slots__ = ()


@dataclass(frozen=True)
class CitadelView(View):
    """The table as `seat` knows it.

    `hands` holds the known cards of each hand: all of them in co-op, else one's own and what was shown of others'.
    `pending` is the stack of what is still to be done, others' sealed cards left out. `rounds` names the kind of
    every round so far, the present one last.
    """

    rules: Rules
    hands: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    crowns: tuple[tuple[str, ...], ...]
    won: tuple[tuple[str, ...], ...]
    active: tuple[Seat, ...]
    deck_size: int
    bottom: tuple[str, ...]
    discard: tuple[str, ...]
    dealer_hand_size: int
    dealer_card: str | None
    played: tuple[tuple[Seat, str], ...]
    covered: tuple[tuple[Seat, str], ...]
    shown: frozenset[str]
    rounds: tuple[str, ...]
    forfeits: "tuple[Forfeit, ...]"
    end: "End | None"
    pending: tuple[Step, ...]

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self.hands[self.seat]

    @property
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows."""
        piles = (*self.hands, *self.crowns, *self.won, self.discard, self.bottom)
        cards = {card for pile in piles for card in pile}
        cards.update(card for _, card in (*self.played, *self.covered))
        if self.dealer_card is not None:
            cards.add(self.dealer_card)
        return frozenset(cards)


Laid = tuple[tuple[Seat, str], ...]
"""Cards on the table, each with the seat that it was laid for."""


class Forfeit(NamedTuple):
    """Who went out, in which round, and why: `thrown`, `shown`, `hero` or `crown`."""

    round: int
    seat: Seat
    cause: str


class End(NamedTuple):
    """How the game ended: `party`, `dealer`, `seer`, `last-survivor` or `score`, and who played the Seer."""

    kind: str
    seat: Seat | None = None


@dataclass(slots=True)
class Position:
    """Everything that lies on the table; tuples are shared by copies, lists have one entry for each seat."""

    deck: Pile
    hands: list[tuple[str, ...]]
    crowns: list[tuple[str, ...]]
    won: list[tuple[str, ...]]
    active: tuple[Seat, ...]
    discard: tuple[str, ...] = ()
    dealer_hand: tuple[str, ...] = ()
    dealer_card: str | None = None
    played: Laid = ()
    covered: Laid = ()
    shown: frozenset[str] = frozenset()
    """Cards that everybody has seen, wherever they lie now: what is known of hidden hands."""
    rounds: tuple[str, ...] = ()
    """The kind of each round so far: `number`, `hero`, `crown`."""
    forfeits: tuple[Forfeit, ...] = ()
    end: End | None = None

    def copy(self) -> "Position":
        """An independent copy, written by hand because search copies states by the thousand."""
        return Position(
            self.deck,
            self.hands.copy(),
            self.crowns.copy(),
            self.won.copy(),
            self.active,
            self.discard,
            self.dealer_hand,
            self.dealer_card,
            self.played,
            self.covered,
            self.shown,
            self.rounds,
            self.forfeits,
            self.end,
        )


class CitadelState(StackState[CitadelView, Rules, Position, Step]):
    """A game whose steps change the position through the few methods here."""

    __slots__ = ()

    def view(self, seat: Seat) -> CitadelView:
        at = self.at
        return CitadelView(
            seat=seat,
            seats=self.seats,
            prompt=self.prompt_for(seat),
            to_act=self.to_act,
            rules=self.rules,
            hands=tuple(self._known_hand(owner, seat) for owner in range(self.seats)),
            hand_sizes=tuple(len(hand) for hand in at.hands),
            crowns=tuple(at.crowns),
            won=tuple(at.won),
            active=at.active,
            deck_size=len(at.deck),
            bottom=at.deck.bottom,
            discard=at.discard,
            dealer_hand_size=len(at.dealer_hand),
            dealer_card=at.dealer_card,
            played=at.played,
            covered=at.covered,
            shown=at.shown,
            rounds=at.rounds,
            forfeits=at.forfeits,
            end=at.end,
            pending=tuple(self.stack if self.rules.coop else (step.masked(seat) for step in self.stack)),
        )

    def _known_hand(self, owner: Seat, seat: Seat) -> tuple[str, ...]:
        hand = self.at.hands[owner]
        if self.rules.coop or owner == seat:
            return hand
        return tuple(sorted(self.at.shown.intersection(hand)))

    # What steps ask and do.

    @property
    def party(self) -> Seat:
        """Who answers for the party: the first active human seat from the dealer's left, else the first active."""
        active = self.at.active
        return next((seat for seat in active if seat in self.rules.people), active[0])

    @property
    def dealt(self) -> str:
        """The dealer's card, in a round."""
        assert self.at.dealer_card is not None
        return self.at.dealer_card

    def holder(self, card: str) -> Seat:
        """The seat with `card` in hand."""
        return next(seat for seat in range(self.seats) if card in self.at.hands[seat])

    def has_joker(self, seat: Seat) -> bool:
        return self.rules.cards.joker in self.at.hands[seat]

    def fitting(self, seat: Seat) -> tuple[str, ...]:
        """The hand cards that answer the dealer's card, the cheapest first; a seat with one is able."""
        answers, strength = self.rules.cards.answers[self.dealt], self.rules.cards.strength
        fits = [card for card in self.at.hands[seat] if card in answers]
        return tuple(sorted(fits, key=strength.__getitem__))

    def from_hand(self, seat: Seat, card: str) -> None:
        self.at.hands[seat] = tuple([held for held in self.at.hands[seat] if held != card])

    def lay(self, seat: Seat, card: str) -> None:
        """Put a hand card on the table."""
        self.from_hand(seat, card)
        self.at.played = (*self.at.played, (seat, card))

    def spend_crown(self, card: str, target: Seat) -> Seat:
        """Put an open Crown on the table for `target`, and return its owner."""
        crowns = self.at.crowns
        owner = next(seat for seat in range(self.seats) if card in crowns[seat])
        crowns[owner] = tuple(held for held in crowns[owner] if held != card)
        self.at.covered = (*self.at.covered, (target, card))
        return owner

    def clear_table(self) -> tuple[str, ...]:
        """Discard whatever of the round nobody has collected (DC-24), and return it."""
        at = self.at
        dealt = () if at.dealer_card is None else (at.dealer_card,)
        cards = (*dealt, *[card for _, card in at.played], *[card for _, card in at.covered])
        at.discard += cards
        at.dealer_card, at.played, at.covered = None, (), ()
        return cards

    def finish(self, kind: str, seat: Seat | None = None) -> None:
        """End the game; what lies on the table is discarded."""
        self.clear_table()
        self.stack.clear()
        self.at.end = End(kind, seat)

    def play_joker(self, seat: Seat) -> None:
        """DC-25: the game ends, and nobody collects this round."""
        joker = self.rules.cards.joker
        self.tell(
            "joker",
            "{s0} plays the {c0}, and the game ends at once.",
            SEER,
            ("DC-25", "DC-27"),
            seats=(seat,),
            cards=(joker,),
            reveals=not self.rules.coop,
            notable=True,
        )
        self.lay(seat, joker)
        self.finish("seer", seat)


def with_joker(state: CitadelState, seat: Seat, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """`moves`, and the joker where the seat holds it (DC-25)."""
    return (*moves, JOKER) if state.has_joker(seat) else moves


def throwable(state: CitadelState, seat: Seat, but: Callable[[str], bool] = lambda _: False) -> tuple[str, ...]:
    """The hand cards that may be thrown or shown: all but the joker (DC-13), and but those named."""
    joker = state.rules.cards.joker
    return tuple([card for card in state.at.hands[seat] if card != joker and not but(card)])
