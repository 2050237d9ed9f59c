"""The whole of High Card: what lies on the table, what is to be done, and how it ends.

It leaves nothing open, and cites those rulings alone that hold for all games.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from vaultkit.cards import Deck
from vaultkit.games.game import Game, Rules
from vaultkit.games.messages import Outcome, Seat, Sentence, Table, Zone, first_ranked, rank_standings
from vaultkit.games.options import Options
from vaultkit.games.task_stack import Position, SecretChoices, StackState, TableView, Task
from vaultkit.games.turn import HIDDEN, Chance, Move, Pile, Prompt, Rng, Turn, card_moves

DEALING, PLAYING = "Dealing", "Playing"
HAND = 2


@dataclass(frozen=True, eq=False)
class HighCards:
    """The rank of each card."""

    rank: Mapping[str, int]


HighRules = Rules[HighCards]


@dataclass(slots=True)
class HighPosition(Position):
    """`played` is empty until all is turned over."""

    deck: Pile
    hands: list[tuple[str, ...]]
    played: tuple[str, ...] = ()

    def cards(self) -> Iterator[str]:
        return chain(self.deck.unknown, *self.hands, self.played)


class HighState(StackState[HighRules, HighPosition]):
    __slots__ = ()

    def mask(self, seat: Seat) -> HighPosition:
        at = self.at.copy()
        at.deck = at.deck.hide_cards()
        at.hands = [hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(at.hands)]
        return at


HighView: TypeAlias = TableView[HighRules, HighPosition]


class Deal(Task[HighState]):
    seat: Seat

    def begin(self, state: HighState) -> Turn:
        text = Sentence("Cards for {s0}.", (self.seat,))
        return Chance("deal", text, ("G-7",), state.at.deck, HAND, seat=self.seat, open=False)

    def take(self, state: HighState, move: Move) -> None:
        at, seat = state.at, self.seat
        at.deck = at.deck.remove_cards(move.operands)
        at.hands[seat] = tuple(sorted(move.operands))
        words = "{s0} is dealt {cards}.", "{s0} is dealt cards."
        state.tell_in_two_versions("deal", words, DEALING, ("G-7",), seats=(seat,), cards=at.hands[seat])


class PutDown(SecretChoices[HighState]):
    def moves(self, state: HighState, seat: Seat) -> tuple[Move, ...]:
        return card_moves("play", state.at.hands[seat])

    def ask(self, state: HighState, seat: Seat) -> Prompt:
        text = Sentence("{s0}, which card do you put down?", (seat,))
        return Prompt(seat, text, PLAYING, ("G-3",), self.moves(state, seat), secret=True)

    def take(self, state: HighState, move: Move) -> None:
        state.tell("commit", "{s0} has put down a card.", PLAYING, ("G-3",), seats=self.waiting[:1])
        state.push_tasks(self.record_choice(move))

    def finish(self, state: HighState) -> None:
        at = state.at
        at.played = tuple(move.operands[0] for _, move in self.chosen)
        at.hands = [
            tuple(held for held in hand if held != card) for hand, card in zip(at.hands, at.played, strict=True)
        ]
        words, rulings = "All is turned over: {cards}.", ("G-3",)
        state.tell("reveal", words, PLAYING, rulings, cards=at.played, reveals=True, notable=True)


class HighCard(Game[HighState, HighView]):
    id = "high-card"
    title = "High Card"
    seats = (2, 4)
    deck = "french52"
    endings = MappingProxyType({"highest": "All cards are turned over"})

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> HighState:
        self.check_seats(seats)
        ids = tuple(card.id for card in deck)
        cards = HighCards({card.id: int(card.traits["value"]) for card in deck})
        everybody = tuple(range(seats))
        tasks = [PutDown(everybody), *(Deal(seat) for seat in reversed(everybody))]
        return HighState(HighRules(seats, options, people, cards), HighPosition(Pile(ids), [()] * seats), tasks)

    def determinize(self, view: HighView, rng: Rng) -> HighState:
        at, seen = view.at.copy(), view.seen
        unseen = [card for card in view.rules.cards.rank if card not in seen]
        rng.shuffle(unseen)
        for seat, hand in enumerate(at.hands):
            if HIDDEN in hand:
                at.hands[seat] = tuple(sorted(unseen.pop() for _ in hand))
        at.deck = Pile(tuple(unseen))
        return HighState.from_view(view, at, rng)

    def outcome(self, state: HighState) -> Outcome | None:
        if state.turn is not None:
            return None
        ranks = [state.rules.cards.rank[card] for card in state.at.played]
        places = rank_standings(ranks)
        words = "{seats} has the highest card, the {c0}."
        winners = first_ranked(places)
        highest = state.at.played[winners[0]]
        scores = tuple({"rank": rank} for rank in ranks)
        return Outcome("highest", winners, Sentence(words, winners, (highest,)), ("G-9",), scores, places)

    def label(self, move: Move) -> Sentence:
        return Sentence("{cards}" if move.verb == "draw" else "Put down the {c0}", (), move.operands)

    def table(self, view: HighView) -> tuple[Zone, ...]:
        at = view.at
        hidden = tuple(Zone(Sentence("hand"), hidden=len(hand), owner=seat)
                       for seat, hand in enumerate(at.hands) if seat != view.seat)  # fmt: skip
        own = Zone(Sentence("hand"), at.hands[view.seat], owner=view.seat)
        return (own, *hidden, Zone(Sentence("Played"), at.played), Zone(Sentence("Deck"), hidden=len(at.deck)))

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        rows = tuple(("", str(parts["rank"])) for parts in outcome.scores)
        return (Table("Cards", ("Player", "Rank"), rows, tuple(range(len(rows)))),)
