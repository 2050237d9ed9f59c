"""A small game in which looking ahead pays: hidden hands, sealed bids, and prizes turned up by chance.

Each of 2 to 6 seats is dealt four of the numbers from 1. In each round a prize is turned up, all seats bid a card face
down (G-3), and the highest bid takes the prize. The seat with the most points wins. Spending high cards on small prizes
loses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Game, State, View
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Table, Zone
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, Prompt, Rng, Turn

HAND = 4
MOST = 6
PRIZES = ("p1", "p2", "p4", "p9")
NUMBERS = tuple(f"n{number:02}" for number in range(1, HAND * MOST + 1))
DECK = Deck("auction", "Auction", tuple(Card(one, one, ("Any",), 1) for one in (*NUMBERS, *PRIZES)))


def worth(card: str) -> int:
    return int(card[1:])


@dataclass(frozen=True)
class AuctionView(View):
    hand: tuple[str, ...]
    sizes: tuple[int, ...]
    spent: tuple[str, ...]
    bids: tuple[str | None, ...]
    prize: str
    prizes: Pile
    scores: tuple[int, ...]

    @property
    def seen(self) -> frozenset[str]:
        return frozenset(filter(None, (*self.hand, *self.spent, *self.bids, self.prize)))


@dataclass
class AuctionState(State[AuctionView]):
    seats: int
    pile: Pile
    prizes: Pile = field(default_factory=lambda: Pile(PRIZES))
    hands: list[tuple[str, ...]] = field(default_factory=list)
    spent: tuple[str, ...] = ()
    bids: tuple[str, ...] = ()
    prize: str = ""
    scores: tuple[int, ...] = ()

    def cards(self) -> Iterator[str]:
        gone = set(PRIZES) - {*self.prizes.unknown}
        return chain(self.pile.unknown, *self.hands, self.spent, self.bids, self.prizes.unknown, gone)

    @property
    def turn(self) -> Turn:
        if len(self.hands) < self.seats:
            seat = len(self.hands)
            return Chance("deal", Sentence("Deal."), ("T-1",), self.pile, HAND, (), seat, open=False)
        if not self.prize:
            return Chance("prize", Sentence("A prize."), ("T-2",), self.prizes) if self.prizes.unknown else None
        seat = len(self.bids)
        moves = tuple(Move("bid", (card,)) for card in self.hands[seat])
        return Prompt(seat, Sentence("Which bid?"), "Bidding", ("T-3",), moves, secret=True)

    def apply(self, move: Move) -> tuple[Event, ...]:
        turn = self.turn
        if isinstance(turn, Chance):
            return self._dealt(turn, turn.check(move))
        if turn is None or move not in turn.moves:
            raise IllegalMove(f"'{move.id}' is not legal.")
        card = move.operands[0]
        self.hands[turn.seat] = tuple(one for one in self.hands[turn.seat] if one != card)
        self.bids = (*self.bids, card)
        return self._sold() if len(self.bids) == self.seats else ()

    def _dealt(self, turn: Chance, cards: tuple[str, ...]) -> tuple[Event, ...]:
        if turn.name == "deal":
            self.pile = self.pile.remove_cards(cards)
            self.hands.append(tuple(sorted(cards)))
        else:
            self.prizes, self.prize = self.prizes.remove_cards(cards), cards[0]
        return ()

    def _sold(self) -> tuple[Event, ...]:
        winner = self.bids.index(max(self.bids))
        scores = self.scores or (0,) * self.seats
        self.scores = tuple(score + worth(self.prize) * (seat == winner) for seat, score in enumerate(scores))
        sold = Event("sold", Sentence("{s0} has it.", (winner,)), "", ("T-3",), winner, (self.prize,), notable=True)
        self.spent, self.bids, self.prize = (*self.spent, *self.bids), (), ""
        return (sold,)

    def clone(self) -> "AuctionState":
        return AuctionState(
            self.seats, self.pile, self.prizes, self.hands.copy(), self.spent, self.bids, self.prize, self.scores
        )

    def view(self, seat: Seat) -> AuctionView:
        turn = self.turn
        prompt = turn if isinstance(turn, Prompt) else None
        return AuctionView(
            seat=seat,
            seats=self.seats,
            prompt=prompt if prompt and prompt.seat == seat else None,
            to_act=prompt.seat if prompt else None,
            hand=self.hands[seat] if seat < len(self.hands) else (),
            sizes=tuple(map(len, self.hands)),
            spent=self.spent,
            bids=tuple(bid if at == seat else None for at, bid in enumerate(self.bids)),
            prize=self.prize,
            prizes=self.prizes,
            scores=self.scores,
        )


class Auction(Game[AuctionState, AuctionView]):
    id = "auction"
    title = "Auction"
    seats = (2, MOST)
    deck = "auction"
    options: ClassVar[tuple[Option, ...]] = (Option("first", "G-2", ("random",), "Nothing."),)

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> AuctionState:
        if not 2 <= seats <= MOST:
            raise UsageError(f"Auction is for 2 to {MOST} players, not {seats}.")
        return AuctionState(seats, Pile(NUMBERS))

    def label(self, move: Move) -> Sentence:
        return Sentence("Bid {c0}", (), move.operands)

    def table(self, view: AuctionView) -> tuple[Zone, ...]:
        return ()

    def determinize(self, view: AuctionView, rng: Rng) -> AuctionState:
        seen = view.seen
        unseen = [card for card in NUMBERS if card not in seen]
        rng.shuffle(unseen)
        bids = tuple(bid or unseen.pop() for bid in view.bids)
        hands = [
            view.hand if seat == view.seat else tuple(sorted(unseen.pop() for _ in range(size)))
            for seat, size in enumerate(view.sizes)
        ]
        pile = Pile(tuple(unseen))
        return AuctionState(view.seats, pile, view.prizes, hands, view.spent, bids, view.prize, view.scores)

    def outcome(self, state: AuctionState) -> Outcome | None:
        if state.turn is not None:
            return None
        best = max(state.scores)
        winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
        ranks = tuple(1 + sum(other > score for other in state.scores) for score in state.scores)
        scores = tuple({"score": score} for score in state.scores)
        return Outcome("sold-out", winners, Sentence("{seats} has most.", winners), ("T-4",), scores, ranks)

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        return ()
