"""A game of Dragon Citadel in progress: where every card is, and the methods with which tasks move the cards."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from vaultkit.games.dragon_citadel.pass_inference import Lacks, remove_card
from vaultkit.games.dragon_citadel.rules import JOKER, SEER, CitadelRules
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
                hand if owner == seat else mask_cards(sorted(hand), at.shown) for owner, hand in enumerate(at.hands)
            ]
        return at

    # Methods for tasks.

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
