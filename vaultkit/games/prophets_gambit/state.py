"""A game of Prophet's Gambit in progress: where every card is, and the methods with which tasks move the cards."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from vaultkit.games.concession import NO_CONCESSIONS, Concessions
from vaultkit.games.messages import Seat
from vaultkit.games.prophets_gambit.rules import GambitRules
from vaultkit.games.task_stack import Position, SecretChoices, StackState, TableView, Task
from vaultkit.games.turn import HIDDEN, Move, Pile, mask_cards

NO_CARDS: frozenset[str] = frozenset()


class Verdict(NamedTuple):
    """The verdict on the Focus: the seat that decided, `kill` or `save`, and the card."""

    seat: Seat
    verdict: str
    focus: str


@dataclass(slots=True)
class GambitPosition(Position):
    """The places of all cards, and the state of the round.

    `fates` has None for a Fate that is not dealt. `shown` are the piles in front of the players, the top card last, and
    `kept` the High cards there. `known` holds for each seat the cards in other hands and Fates that it has seen and has
    been able to follow since. `turned` is a High card while it takes effect. `waiting` are the seats whose turn is
    still to come in this round. `forced` is a marionette, with `highest` or `lowest` for the number that it must play.
    `donjon` is the seat whose Donjon ended the game.
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
    judged: Verdict | None = None
    donjon: Seat | None = None
    over: bool = False
    concessions: Concessions = NO_CONCESSIONS

    def cards(self) -> Iterator[str]:
        piles = (*self.hands, *self.shown, *self.kept, self.discard, self.high_discard)
        yield from chain(*piles, self.common.unknown, self.high.unknown)
        yield from (card for card in (*self.fates, self.focus, self.turned) if card is not None)


class GambitState(StackState[GambitRules, GambitPosition]):
    """A game of Prophet's Gambit whose tasks change the position through the methods of this class."""

    __slots__ = ()

    def mask(self, seat: Seat) -> GambitPosition:
        """Return the position as `seat` knows it: its own hand and Fate, and of others the cards that it has seen."""
        at, known_cards = self.at.copy(), self.at.known[seat]
        at.common, at.high = at.common.hide_cards(), at.high.hide_cards()
        at.hands = [hand if owner == seat else mask_cards(hand, known_cards) for owner, hand in enumerate(at.hands)]
        open_fates = {fate for fate in at.fates if fate is None or fate in known_cards}
        at.fates = [fate if owner == seat or fate in open_fates else HIDDEN for owner, fate in enumerate(at.fates)]
        at.known = [NO_CARDS] * self.seats
        at.known[seat] = self._remembered_cards(seat)
        return at

    def _remembered_cards(self, seat: Seat) -> frozenset[str]:
        at, known_cards = self.at, self.at.known[seat]
        if not known_cards:
            return NO_CARDS
        others_cards = {card for owner, hand in enumerate(at.hands) if owner != seat for card in hand}
        others_cards.update(fate for owner, fate in enumerate(at.fates) if owner != seat and fate is not None)
        return known_cards & others_cards

    # Methods for tasks.

    def top_card(self, seat: Seat) -> str:
        """Return the card that the seat shows (PG-5)."""
        return self.at.shown[seat][-1]

    def holder(self, high_card: str) -> Seat | None:
        """Return the seat that keeps the Innocent or the Executioner, or None."""
        return next((seat for seat in self.playing if high_card in self.at.kept[seat]), None)

    def reachable_seats(self, actor: Seat) -> tuple[Seat, ...]:
        """Return the seats that a High card of `actor` can touch: all but the Innocent (PG-24).

        They are in clockwise order, the actor first.
        """
        innocent = self.holder("innocent")
        if innocent == actor and self.rules.has_option("innocent", "others-only"):
            innocent = None
        return tuple(seat for seat in seats_clockwise(self, actor) if seat != innocent)

    def right_neighbour(self, seat: Seat) -> Seat:
        """Return the next seat counterclockwise that still plays (PG-8, G-14)."""
        return seats_clockwise(self, seat)[-1]

    def settle_concession(self) -> None:
        super().settle_concession()
        at, conceded_seat = self.at, self.at.concessions.seats[-1]
        at.waiting = tuple(seat for seat in at.waiting if seat != conceded_seat)
        if at.forced and at.forced[0] == conceded_seat:
            at.forced = None

    def add_to_hand(self, seat: Seat, *cards: str) -> None:
        """Put cards into a hand and sort it."""
        hands, place = self.at.hands, self.rules.cards.place
        hands[seat] = tuple(sorted((*hands[seat], *cards), key=place.__getitem__))

    def remove_from_hand(self, seat: Seat, card: str) -> None:
        self.at.hands[seat] = tuple([held for held in self.at.hands[seat] if held != card])

    def discard_card(self, seat: Seat, card: str) -> None:
        """Put a hand card face up on the discard pile."""
        self.remove_from_hand(seat, card)
        self.at.discard += (card,)

    def learn(self, seat: Seat, *cards: str) -> None:
        """Record that the seat has seen the cards and knows where they lie."""
        self.at.known[seat] |= set(cards)

    def lose_track(self, seats: tuple[Seat, ...], owner: Seat) -> None:
        """Make the seats forget the cards in the owner's hand, because one of them leaves it unseen."""
        hand = self.at.hands[owner]
        for seat in seats:
            if self.at.known[seat]:
                self.at.known[seat] = self.at.known[seat].difference(hand)


GambitTask: TypeAlias = Task[GambitState]
GambitView: TypeAlias = TableView[GambitRules, GambitPosition]


class FaceDown(SecretChoices[GambitState]):
    """A decision in which several seats choose face down, one after the other, and reveal together (G-3).

    The cards stay in hand until then.
    """

    def take(self, state: GambitState, move: Move) -> None:
        seat, rule = self.waiting[0], state.prompt.rule
        state.tell("commit", "{s0} has chosen, face down.", rule, ("G-3",), seats=(seat,))
        state.push_tasks(self.record_choice(move))


def seats_clockwise(table: GambitState | GambitView, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that still play (G-14) clockwise, from `seat` on."""
    return tuple(other for other in table.rules.clockwise(seat) if other not in table.at.concessions.seats)


def tie_order(table: GambitState | GambitView) -> tuple[Seat, ...]:
    """Return the playing seats in the order that settles every tie; the first of the tied seats wins it (PG-6)."""
    assert table.at.dealer is not None
    dealer = table.at.dealer
    first_seat = dealer if table.rules.has_option("tie_from", "dealer") else (dealer + 1) % table.rules.seats
    return seats_clockwise(table, first_seat)


def find_leader(table: GambitState | GambitView) -> Seat:
    """Return the seat that shows the highest number (PG-2, PG-5), or if nobody shows one, that wins the tie (PG-4)."""
    return max(tie_order(table), key=lambda seat: _shown_number(table, seat))


def _shown_number(table: GambitState | GambitView, seat: Seat) -> int:
    """Return the number that the seat shows, or -1 if it shows none."""
    number = table.rules.cards.number[table.at.shown[seat][-1]]
    return -1 if number is None else number


def tie_reason(state: GambitState) -> str:
    """Return the reason why a seat wins a tie, as words that follow its name (PG-6)."""
    place_words = "dealer" if state.rules.has_option("tie_from", "dealer") else "dealer's left"
    return f"comes first from the {place_words}"


def leading_reason(state: GambitState, seat: Seat) -> str:
    """Return the reason why a seat leads, as words that follow `{s0}`."""
    tie_words = tie_reason(state)
    if _shown_number(state, seat) < 0:
        return f"{tie_words}, since nobody shows a number,"
    if is_tied(state, seat):
        return f"ties for the highest number, {tie_words}"
    return "shows the highest number"


def is_tied(state: GambitState, seat: Seat) -> bool:
    """Return whether another seat shows the same number as the seat, or none if the seat shows none (PG-4)."""
    return sum(_shown_number(state, other) == _shown_number(state, seat) for other in state.playing) > 1
