"""A tiny card game with everything that a session must handle, so that its tests depend on no real game.

Chance picks who begins (`who`), deals three cards to each seat (`deal`) and turns up a prize each round (`prize`). Each
round every seat first cheers or not (open, shows nothing), then plays a card face down (G-3); the highest takes the
prize. With `ask=always` the player is also asked for the last card.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from vaultkit.cards import Card, Deck
from vaultkit.errors import UsageError
from vaultkit.games.game import Game, State, View
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Table, Zone
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, Prompt, Rng, Turn

ROUNDS = 3
NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Holly", "Oak", "Pine")
TOY_DECK = Deck(
    "toy",
    "Toy Deck",
    tuple(
        Card(f"{rank}-{suit.lower()}", f"{name} of {suit}", (suit,), rank)
        for suit in ("Leaves", "Roots")
        for rank, name in enumerate(NAMES, 1)
    ),
)


@dataclass(frozen=True)
class ToyView(View):
    hands: tuple[tuple[str, ...] | None, ...] = ()
    prize: str = ""
    left: int = 0
    state: "ToyState | None" = field(default=None, compare=False, repr=False)

    @property
    def seen(self) -> frozenset[str]:
        return frozenset(card for hand in self.hands for card in hand or ()) | ({self.prize} - {""})


@dataclass
class ToyState(State[ToyView]):
    seats: int
    hidden: bool
    ask: bool
    pile: Pile
    first: Seat | None = None
    hands: list[list[str]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    prize: str = ""
    todo: list[tuple[str, Seat]] = field(default_factory=list)
    committed: dict[Seat, str] = field(default_factory=dict)
    spent: list[str] = field(default_factory=list)

    @property
    def turn(self) -> Turn:
        if self.first is None:
            seats = tuple(str(seat) for seat in range(self.seats))
            return Chance("who", Sentence("Who begins?"), ("G-2",), options=seats)
        if len(self.hands) < self.seats:
            seat = len(self.hands)
            return Chance("deal", Sentence("Cards for {s0}.", (seat,)), ("G-7",), self.pile, 3, (), seat, False)
        if not self.prize:
            return Chance("prize", Sentence("Turn up a prize."), ("G-7",), self.pile) if self.hands[0] else None
        kind, seat = self.todo[0]
        if kind == "cheer":
            moves = (Move("cheer"), Move("wait"))
            return Prompt(seat, Sentence("Does {s0} cheer?", (seat,)), "Cheering", ("T-1",), moves)
        moves = tuple(Move("play", (card,)) for card in self.hands[seat])
        text = Sentence("Which card for the {c0}?", (), (self.prize,))
        return Prompt(seat, text, "Playing", ("T-2", "G-3"), moves, secret=self.hidden, ask_always=self.ask)

    def apply(self, move: Move) -> tuple[Event, ...]:
        turn = self.turn
        if isinstance(turn, Chance):
            return self.chance(turn, turn.check(move))
        if turn is None or move not in turn.moves:
            raise IllegalMove(f"'{move.id}' is not legal.")
        kind, seat = self.todo.pop(0)
        if kind == "cheer":
            return (event("cheer", "{s0} cheers." if move.verb == "cheer" else "{s0} waits.", (seat,)),)
        self.hands[seat].remove(move.operands[0])
        self.committed[seat] = move.operands[0]
        placed = event("commit", "{s0} has chosen.", (seat,))
        return (placed,) if self.todo else (placed, *self.reveal())

    def chance(self, turn: Chance, cards: tuple[str, ...]) -> tuple[Event, ...]:
        if turn.name == "who":
            self.first = int(cards[0])
            return (event("who", "{s0} begins.", (self.first,)),)
        self.pile = self.pile.remove_cards(cards)
        if turn.name == "deal":
            assert turn.seat is not None
            self.hands.append(sorted(cards))
            seen = frozenset({turn.seat}) if self.hidden else None
            return (event("deal", "{s0} is dealt {cards}.", (turn.seat,), cards, seen_by=seen, reveals=True),)
        self.prize = cards[0]
        order = [((self.first or 0) + i) % self.seats for i in range(self.seats)]
        self.todo = [("cheer", seat) for seat in order] + [("play", seat) for seat in order]
        return (event("prize", "The prize is the {c0}.", (), cards, reveals=True),)

    def reveal(self) -> tuple[Event, ...]:
        winner = max(self.committed, key=lambda seat: (rank(self.committed[seat]), -seat))
        self.scores[winner] += rank(self.prize)
        shown = event("reveal", "{cards} are shown.", (), tuple(self.committed.values()), reveals=self.hidden)
        won = event("win", "{s0} takes the {c0}.", (winner,), (self.prize,), notable=True)
        self.spent += [*self.committed.values(), self.prize]
        self.prize, self.committed = "", {}
        return shown, won

    def cards(self) -> Iterator[str]:
        prize = (self.prize,) if self.prize else ()
        return chain(self.pile.unknown, *self.hands, self.committed.values(), prize, self.spent)

    def clone(self) -> "ToyState":
        return ToyState(
            self.seats, self.hidden, self.ask, self.pile, self.first, [list(hand) for hand in self.hands],
            list(self.scores), self.prize, list(self.todo), dict(self.committed), list(self.spent),
        )  # fmt: skip

    def view(self, seat: Seat) -> ToyView:
        turn = self.turn
        prompt = turn if isinstance(turn, Prompt) else None
        hands = tuple(tuple(hand) if not self.hidden or i == seat else None for i, hand in enumerate(self.hands))
        own = prompt if prompt and prompt.seat == seat else None
        to_act = prompt.seat if prompt else None
        return ToyView(seat, self.seats, own, to_act, hands, self.prize, len(self.pile), self)


def rank(card: str) -> int:
    return int(card.partition("-")[0])


def event(
    kind: str,
    words: str,
    seats: tuple[Seat, ...],
    cards: tuple[str, ...] = (),
    *,
    seen_by: frozenset[Seat] | None = None,
    reveals: bool = False,
    notable: bool = False,
) -> Event:
    sentence = Sentence(words, seats, cards)
    return Event(kind, sentence, "Toy", ("T-1",), None, cards, seen_by, reveals, notable=notable)


class Toy(Game[ToyState, ToyView]):
    id = "toy"
    title = "Toy Game"
    seats = (1, 4)
    deck = "toy"
    options = (
        Option("hands", "T-4", ("open", "hidden"), "Whether hands lie open."),
        Option("ask", "T-5", ("lone", "always"), "Whether the last card is asked for."),
    )

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> ToyState:
        if not 1 <= seats <= 4:
            raise UsageError("Toy Game needs 1 to 4 seats.")
        assert set(options) == {"hands", "ask"}, "a game is given its own options only"
        pile = Pile(tuple(card.id for card in deck))
        return ToyState(seats, options["hands"] == "hidden", options["ask"] == "always", pile, scores=[0] * seats)

    def label(self, move: Move) -> Sentence:
        if move.verb == "play":
            return Sentence("Play the {c0}", (), move.operands)
        return Sentence({"cheer": "Cheer", "wait": "Wait in silence"}[move.verb])

    def table(self, view: ToyView) -> tuple[Zone, ...]:
        prize = Zone(Sentence("The prize"), (view.prize,) if view.prize else (), hidden=view.left, kind="trick")
        hands = (
            Zone(
                Sentence("hand"),
                hand or (),
                0 if hand else ROUNDS,
                seat,
                "hand",
            )
            for seat, hand in enumerate(view.hands)
        )
        return (prize, *hands)

    def determinize(self, view: ToyView, rng: Rng) -> ToyState:
        """Return a state in which the cards in other hands are exchanged for cards that the viewer cannot see."""
        assert view.state
        state = view.state.clone()
        unseen = sorted({*state.pile.unknown, *chain(*state.hands), *state.committed.values()} - view.seen)
        unseen = [card for card in unseen if card not in state.committed.values()]
        rng.shuffle(unseen)
        for seat, hand in enumerate(view.hands):
            if hand is None and seat < len(state.hands):
                state.hands[seat] = sorted(unseen.pop() for _ in state.hands[seat])
        state.pile = Pile(tuple(sorted(unseen)))
        return state

    def outcome(self, state: ToyState) -> Outcome | None:
        if state.turn is not None:
            return None
        best = max(state.scores)
        winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
        ranks = tuple(1 + sum(other > score for other in state.scores) for score in state.scores)
        scores = tuple({"prizes": score} for score in state.scores)
        return Outcome("score", winners, Sentence("{seats} has the richest hoard.", winners), ("T-3",), scores, ranks)

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        rows = tuple((f"{{s{seat}}}", str(score["prizes"])) for seat, score in enumerate(outcome.scores))
        return (Table("Hoards", ("Player", "Prizes"), rows, tuple(range(len(rows)))),)


class FirstMove:
    """A bot that takes the first move."""

    def choose(self, view: View, game: Game[ToyState, ToyView], rng: Rng) -> Move:
        assert view.prompt
        return view.prompt.moves[0]


class Roller:
    def choose(self, view: View, game: Game[ToyState, ToyView], rng: Rng) -> Move:
        assert view.prompt
        return view.prompt.moves[rng.randrange(len(view.prompt.moves))]


def bots(strategy: str) -> FirstMove | Roller:
    if strategy not in {"first", "random"}:
        raise UsageError(f"There is no strategy '{strategy}'.")
    return FirstMove() if strategy == "first" else Roller()
