"""A game of Dragon Citadel in progress: where every card is, and the methods with which tasks move the cards.

A seat that passes although it must answer if it can holds no fitting card (DC-40); the state keeps what is inferred.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from vaultkit.games.concession import NO_CONCESSIONS, Concessions
from vaultkit.games.dragon_citadel.rules import FORFEIT, HAND_SIZE, JOKER, SEER, CitadelRules
from vaultkit.games.messages import Seat
from vaultkit.games.task_stack import Position, StackState, TableView, Task
from vaultkit.games.turn import Move, Pile, mask_cards

Laid = tuple[tuple[Seat, str], ...]
"""Cards on the table, each with the seat for which it was laid."""


Ability = Literal["unable", "unsaved", "able", "unknown"]
"""Whether a seat that forfeits could have answered the dealer's card, which its discarded hand shows to everybody.

`unable`: it held no answer. `unsaved`: it held none, and an open Crown that could have saved it was not spent. `able`:
it held an answer, or an open Crown of its own in a Crown round among rivals. `unknown`: nobody has seen its hand.
"""


class Lack(NamedTuple):
    """The knowledge from a pass: at most `drawn` cards in the hand of `seat` are among `cards`.

    `drawn` counts the cards that the seat has drawn since it passed and that may still be in its hand. The `cards` of
    an earlier pass include those of the seat's later ones.
    """

    seat: Seat
    cards: frozenset[str]
    drawn: int = 0


Lacks = tuple[Lack, ...]


def add_pass(lacks: Lacks, seat: Seat, cards: frozenset[str]) -> Lacks:
    """Return the knowledge after `seat` has passed although it had to play one of `cards` if it could."""
    widened_lacks = tuple(lack._replace(cards=lack.cards | cards) if lack.seat == seat else lack for lack in lacks)
    is_implied = any(lack.seat == seat and not lack.drawn for lack in widened_lacks)
    return widened_lacks if is_implied else (*widened_lacks, Lack(seat, cards))


def add_draw(lacks: Lacks, seat: Seat, count: int) -> Lacks:
    """Return the knowledge after `seat` has drawn `count` hidden cards."""
    updated_lacks = (lack._replace(drawn=lack.drawn + count) if lack.seat == seat else lack for lack in lacks)
    return tuple(lack for lack in updated_lacks if lack.drawn < HAND_SIZE)


def remove_card(lacks: Lacks, seat: Seat, card: str) -> Lacks:
    """Return the knowledge after `card` has left the hand of `seat`, which had drawn it if it lacked it before."""
    return tuple(
        lack._replace(drawn=lack.drawn - 1) if lack.seat == seat and card in lack.cards else lack for lack in lacks
    )


def excluded_cards(lacks: Lacks, seat: Seat, known_cards: Sequence[str], hidden_count: int) -> list[frozenset[str]]:
    """Return, for each of the `hidden_count` cards of a hand, the cards that it cannot be, given its `known_cards`."""
    excluded_by_card: list[frozenset[str]] = [frozenset()] * hidden_count
    for lack in lacks:
        if lack.seat == seat:
            unconstrained_count = lack.drawn - sum(card in lack.cards for card in known_cards)
            for index in range(hidden_count - unconstrained_count):
                excluded_by_card[index] |= lack.cards
    return excluded_by_card


def choose_cards(places: Sequence[frozenset[str]], cards: Sequence[str]) -> list[str]:
    """Return a different one of `cards` for each place; earlier cards are preferred.

    `places` holds for each place the cards that it excludes. Raises AssertionError if no choice fits all places,
    because then the view contradicts itself.
    """
    place_by_card: dict[str, int] = {}
    for place in range(len(places)):
        assert _assign_card(place, places, cards, place_by_card, set()), "no cards fit what is known of the hands"
    card_by_place = {place: card for card, place in place_by_card.items()}
    return [card_by_place[place] for place in range(len(places))]


def _assign_card(
    place: int,
    places: Sequence[frozenset[str]],
    cards: Sequence[str],
    place_by_card: dict[str, int],
    tried_cards: set[str],
) -> bool:
    """Assign a card to a place, after giving other places other cards if necessary; return whether that is possible.

    This is a step of a bipartite matching.
    """
    fitting_cards = [card for card in cards if card not in places[place] and card not in tried_cards]
    for card in fitting_cards:
        if card not in place_by_card:
            place_by_card[card] = place
            return True
    for card in fitting_cards:
        tried_cards.add(card)
        if _assign_card(place_by_card[card], places, cards, place_by_card, tried_cards):
            place_by_card[card] = place
            return True
    return False


class Forfeit(NamedTuple):
    """A seat's forfeit: the round's number, the seat, and the cause: `thrown`, `shown`, `hero` or `crown`."""

    round: int
    seat: Seat
    cause: str
    ability: Ability


class End(NamedTuple):
    """The end of the game: its kind, a key of `ending.ENDINGS`, and the seat that played the joker, if one did."""

    kind: str
    seat: Seat | None = None


@dataclass(slots=True)
class CitadelPosition(Position):
    """The places of all cards, and what else tasks change.

    `crowns` are the open Crowns of each seat and `won` the cards that it has won. `active` are the seats that have not
    forfeited. `played` are hand cards put down in this round, `covered` Crowns spent in it.
    """

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
    """The cards that everybody has seen, some of which may lie in hands now."""
    lacks: Lacks = ()
    """The knowledge of hidden hands that everybody has from passes."""
    rounds: tuple[str, ...] = ()
    """The kind of each round so far: `number`, `hero`, `crown`."""
    forfeits: tuple[Forfeit, ...] = ()
    end: End | None = None
    concessions: Concessions = NO_CONCESSIONS

    def cards(self) -> Iterator[str]:
        piles = (*self.hands, *self.crowns, *self.won, self.discard, self.dealer_hand, self.deck.unknown)
        for pile in (*piles, self.deck.bottom):
            yield from pile
        yield from (card for _, card in (*self.played, *self.covered))
        if self.dealer_card is not None:
            yield self.dealer_card


class CitadelState(StackState[CitadelRules, CitadelPosition]):
    """A game of Dragon Citadel whose tasks change the position through the methods of this class."""

    __slots__ = ()

    def mask(self, seat: Seat) -> CitadelPosition:
        """Return the position as `seat` knows it: its own hand, shown cards of other hands, and in co-op all hands."""
        at, rules = self.at.copy(), self.rules
        at.deck, at.dealer_hand = at.deck.hide_cards(), mask_cards(at.dealer_hand, ())
        if not rules.coop:
            at.hands = [
                hand if holder == seat else mask_cards(sorted(hand), at.shown) for holder, hand in enumerate(at.hands)
            ]
        return at

    @property
    def playing(self) -> tuple[Seat, ...]:
        return self.at.active

    def settle_concession(self) -> None:
        """Take the seat that has conceded out of the game like one that forfeits (DC-30, G-14)."""
        super().settle_concession()
        *_, conceded_seat = self.at.concessions.seats
        if not self.at.concessions.is_end:
            self.remove_player(conceded_seat)
        elif not self.rules.coop:
            self.at.active = tuple(seat for seat in self.at.active if seat != conceded_seat)

    # Methods for tasks.

    def remove_player(self, seat: Seat) -> None:
        """DC-30: Discard the hand of a seat that is out of the game; its won cards and open Crowns stay."""
        at = self.at
        cards, was_hidden = at.hands[seat], not self.rules.coop
        if cards:
            words = "The hand of {s0} is discarded: {cards}."
            self.tell("discard", words, FORFEIT, ("DC-30",), seats=(seat,), cards=cards, reveals=was_hidden)
        at.discard += cards
        at.hands[seat] = ()
        at.active = tuple(other for other in at.active if other != seat)
        at.lacks = tuple(lack for lack in at.lacks if lack.seat != seat)

    @property
    def party(self) -> Seat:
        """The seat that answers for the party: the first active human from the dealer's left, else the first active."""
        active = self.at.active
        return next((seat for seat in active if seat in self.rules.people), active[0])

    @property
    def dealt(self) -> str:
        """The dealer's card in the present round."""
        assert self.at.dealer_card is not None
        return self.at.dealer_card

    def holder(self, card: str) -> Seat:
        """Return the seat with `card` in hand."""
        return next(seat for seat in range(self.seats) if card in self.at.hands[seat])

    def has_joker(self, seat: Seat) -> bool:
        return self.rules.cards.joker in self.at.hands[seat]

    def fitting_cards(self, seat: Seat) -> tuple[str, ...]:
        """Return the cards in a hand that answer the dealer's card, the lowest first."""
        answers, strength = self.rules.cards.answers[self.dealt], self.rules.cards.strength
        cards = [card for card in self.at.hands[seat] if card in answers]
        return tuple(sorted(cards, key=strength.__getitem__))

    def take_from_hand(self, seat: Seat, card: str) -> None:
        """Remove a card from a hand, and update what passes have revealed about that hand."""
        at = self.at
        at.hands[seat] = tuple([hand_card for hand_card in at.hands[seat] if hand_card != card])
        at.lacks = remove_card(at.lacks, seat, card) if at.lacks else ()

    def lay(self, seat: Seat, card: str) -> None:
        """Put a hand card on the table."""
        self.take_from_hand(seat, card)
        self.at.played = (*self.at.played, (seat, card))

    def spend_crown(self, card: str, target: Seat) -> Seat:
        """Spend an open Crown for the seat `target`, and return the Crown's owner."""
        crowns = self.at.crowns
        owner = next(seat for seat in range(self.seats) if card in crowns[seat])
        crowns[owner] = tuple(crown for crown in crowns[owner] if crown != card)
        self.at.covered = (*self.at.covered, (target, card))
        return owner

    def clear_table(self) -> tuple[str, ...]:
        """Discard the cards of the round that nobody has collected (DC-24), and return them."""
        at = self.at
        dealt = () if at.dealer_card is None else (at.dealer_card,)
        cards = (*dealt, *[card for _, card in at.played], *[card for _, card in at.covered])
        at.discard += cards
        at.dealer_card, at.played, at.covered = None, (), ()
        return cards

    def finish(self, kind: str, seat: Seat | None = None) -> None:
        """End the game and discard the cards on the table."""
        self.clear_table()
        self.stack.clear()
        self.at.end = End(kind, seat)

    def play_joker(self) -> None:
        """DC-25: End the game with the joker; nobody collects this round."""
        joker = self.rules.cards.joker
        seat, was_hidden = self.holder(joker), not self.rules.coop
        words, rulings = "{s0} plays the {c0}, and the game ends at once.", ("DC-25", "DC-27")
        self.tell("joker", words, SEER, rulings, seats=(seat,), cards=(joker,), reveals=was_hidden, notable=True)
        self.lay(seat, joker)
        self.finish("seer", seat)


CitadelTask: TypeAlias = Task[CitadelState]
CitadelView: TypeAlias = TableView[CitadelRules, CitadelPosition]


class JokerTask(CitadelTask):
    """A task in which the joker may be played instead of another answer."""

    def take(self, state: CitadelState, move: Move) -> None:
        if move == JOKER:
            state.play_joker()
        else:
            self.answer(state, move)

    @abstractmethod
    def answer(self, state: CitadelState, move: Move) -> None:
        """Carry out an answer to the turn that is not the joker."""


def add_joker(state: CitadelState, seat: Seat, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return `moves`, and the joker's move if the seat holds it (DC-25)."""
    return (*moves, JOKER) if state.has_joker(seat) else moves


def throwable_cards(state: CitadelState, seat: Seat, excluded_cards: frozenset[str]) -> tuple[str, ...]:
    """Return the hand cards that may be thrown or shown: all but the joker (DC-13) and `excluded_cards`."""
    joker = state.rules.cards.joker
    return tuple([card for card in state.at.hands[seat] if card != joker and card not in excluded_cards])
