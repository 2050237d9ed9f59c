"""The contract of a game: pure rules over an explicit state, shaped like OpenSpiel's Python games."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.facts import Consequence, GameFact, merge_facts
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Move, Prompt, Rng, Turn
from vaultkit.games.words import Event, Outcome, Seat, Sentence, Standing, Table, Zone

CardsT = TypeVar("CardsT")


@dataclass(frozen=True)
class Rules(Generic[CardsT]):
    """All that stays the same during one game: its seats, its people, its house rules, and the facts of its cards.

    `options` is complete; games extend this with plain words for those that they ask often.
    """

    seats: int
    options: Options
    people: frozenset[Seat]
    cards: CardsT

    def says(self, key: str, value: str) -> bool:
        """Whether the option `key` is set to `value`."""
        return self.options[key] == value


@dataclass(frozen=True)
class View(ABC):
    """Everything that one seat may know; bots and front-ends get this and never a State.

    `prompt` is the seat's own decision, if it has one now; `to_act` is whoever decides now, None for chance or at
    the end. Games extend it with their own public and private zones. Views are equal where a seat cannot tell the
    positions apart.
    """

    seat: Seat
    seats: int
    prompt: Prompt | None
    to_act: Seat | None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves among which the seat decides now."""
        assert self.prompt is not None, "a bot is asked only when it has to decide"
        return self.prompt.moves

    @property
    @abstractmethod
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows. An event that adds to it must be marked as one that `reveals`."""


ViewT = TypeVar("ViewT", bound=View)


class ShortMemory(NamedTuple):
    """A house rule by which only the latest parts of a game may be looked up: the option `memory` has this `value`.

    A part begins with an event of a kind in `begins` and is over with one of a kind in `over`. The present part and
    the last one that is over may be looked up; `notice` tells the players so.
    """

    value: str
    begins: tuple[str, ...]
    over: tuple[str, ...]
    notice: str


class State(ABC, Generic[ViewT]):
    """A game in progress. Only `apply` changes it; equal moves from equal starts give equal states."""

    seats: int

    @property
    @abstractmethod
    def turn(self) -> Turn:
        """A seat's Prompt, a Chance, or None when the game is over."""

    @abstractmethod
    def apply(self, move: Move) -> tuple[Event, ...]:
        """Answer the turn. Raises IllegalMove, changing nothing, unless the turn lists the move."""

    @abstractmethod
    def clone(self) -> "State[ViewT]":
        """An independent copy. Search makes thousands, so it copies no more than what can change."""

    @abstractmethod
    def view(self, seat: Seat) -> ViewT:
        """The table as `seat` may know it."""

    @abstractmethod
    def cards(self) -> Iterable[str]:
        """Every card of the deck once, wherever it lies: cards are never lost or doubled."""


StateT = TypeVar("StateT", bound=State[Any])


SAMPLED_POSITIONS = 20
"""Positions dealt at random, consistent with a view, on which each move is tried."""

SEATS = "Say who plays: --seat NAME for each. Without any the players of the settings sit down."
"""The hint where too many or too few would play."""


class Game(ABC, Generic[StateT, ViewT]):
    """The rules of one game. `deck` is the kind of deck it needs; `seats` the fewest and most that can play.

    `option_headings` has, by a heading of the rule note, the keys of the options that change what stands there;
    `endings` has words for each kind of outcome, and those in `shared_endings` are won or lost by all together.
    `short_memory` is a house rule that leaves the rest to memory; `story` are the verbs of the moves beside which
    players tell a story. `sampled_positions` is 1 where the facts of a move follow from what the view knows, whatever
    is hidden.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[tuple[int, int]]
    deck: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    option_headings: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    endings: ClassVar[Mapping[str, str]] = {}
    shared_endings: ClassVar[frozenset[str]] = frozenset()
    short_memory: ClassVar[ShortMemory | None] = None
    story: ClassVar[tuple[str, ...]] = ()
    sampled_positions: ClassVar[int] = SAMPLED_POSITIONS

    @abstractmethod
    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> StateT:
        """A state before the first deal. `options` are complete (`options.resolve`); `people` are the human seats.

        Raises UsageError for a number of seats that the game or its options do not allow (`check_seats`).
        """

    def seats_under(self, options: Options) -> tuple[int, int]:  # noqa: ARG002
        """The fewest and most players that these complete options allow: `seats`, unless an option says otherwise."""
        return self.seats

    def check_seats(self, seats: int, hint: str = SEATS) -> None:
        """Raises UsageError unless so many can play."""
        fewest, most = self.seats
        if not fewest <= seats <= most:
            several = f"{fewest} to {most} players" if fewest < most else f"{most} players"
            who = several if most > 1 else "one player"
            raise UsageError(f"{self.title} is for {who}, not {seats}.", hint=hint)

    def check_gm(self, options: Options) -> None:  # noqa: ARG002
        """Raises UsageError with the reason where a GM has nothing to choose under these complete options."""
        raise UsageError(f"A GM without a seat has nothing to choose in {self.title}.", hint="Sit down: --seat NAME")

    def check_match(self, options: Options) -> None:
        """Raises UsageError with the reason where, under these complete options, nobody can win a match of games."""

    def deck_for(self, options: Options) -> str:  # noqa: ARG002
        """The kind or name of the deck that these complete options call for: `deck`, unless an option says so."""
        return self.deck

    @abstractmethod
    def label(self, move: Move) -> Sentence:
        """The move as an offer: `Play the Berserker (6 of Swords)`."""

    def heading(self, view: ViewT) -> tuple[Sentence, ...]:  # noqa: ARG002
        """Where the game stands in what it counts, such as `round 8`, and then how it is played, such as `rivals`."""
        return ()

    @abstractmethod
    def table(self, view: ViewT) -> tuple[Zone, ...]:
        """The zones of the table that matter to the seat, most important first."""

    def touches(self, move: Move) -> tuple[str | Seat, ...]:
        """The cards and seats that one touches for a move, in order; none for one that has a button of its own."""
        label = self.label(move)
        return (*label.cards, *label.seats)

    def consequences(self, view: ViewT, moves: Sequence[Move]) -> tuple[tuple[Consequence, ...], ...]:
        """Return the facts that follow from each of the moves at once, by what the view may know.

        A secret choice (G-3) has only the facts of `secret_facts`: what else follows depends on the others' choices.
        """
        if view.prompt is not None and view.prompt.secret:
            return tuple(tuple(map(Consequence, self.secret_facts(view, move))) for move in moves)
        positions = self.sample_positions(view, self.sampled_positions)
        return tuple(merge_facts(list(self._sample_facts(view, move, positions))) for move in moves)

    def sample_positions(self, view: ViewT, count: int) -> list[StateT]:
        """Return positions consistent with the view, the same for equal views, whoever asks and how often."""
        rng = Random(0)
        return [self.determinize(view, rng) for _ in range(count)]

    def _sample_facts(self, view: ViewT, move: Move, positions: Sequence[StateT]) -> Iterator[tuple[GameFact, ...]]:
        """Yield the facts of a move in each position, worked out once for results that look equal to the viewer."""
        results: list[tuple[tuple[Event, ...], ViewT, tuple[GameFact, ...]]] = []
        for position in positions:
            state = position.clone()
            events = tuple(event for event in state.apply(move) if event.visible_to(view.seat))
            after = state.view(view.seat)
            facts = next((facts for told, seen, facts in results if told == events and seen == after), None)
            if facts is None:
                facts = tuple(self.facts(view, after, events))
                results.append((events, after, facts))
            yield facts

    def facts(self, before: ViewT, after: ViewT, events: Sequence[Event]) -> Iterator[GameFact]:  # noqa: ARG002
        """Yield what one step changed, from one seat's view before and after it and the events that the seat saw.

        Games extend this with facts of their own.
        """
        yield from self.score_facts(before, after)

    def score_facts(self, before: ViewT, after: ViewT) -> Iterator[GameFact]:
        """Yield who gained or lost points and who is out since `before`, as far as the viewer knows."""
        old = {standing.seat: standing for standing in self.standing(before)}
        for standing in self.standing(after):
            earlier = old.get(standing.seat)
            if change := (standing.points or 0) - ((earlier and earlier.points) or 0):
                yield GameFact("score", standing.seat, amount=change)
            if standing.out and not (earlier and earlier.out):
                yield GameFact("out", standing.seat)

    def secret_facts(self, view: ViewT, move: Move) -> Iterator[GameFact]:  # noqa: ARG002
        """Yield what a secret choice means whatever the others choose, such as what a prophecy asks for."""
        yield from ()

    def why_not(self, view: ViewT, card: str) -> Sentence | None:  # noqa: ARG002
        """The one reason why a card that the seat sees cannot be played now, None where there is nothing to say."""
        return None

    def standing(self, view: ViewT) -> tuple[Standing, ...]:  # noqa: ARG002
        """How each seat stands as the viewer knows it, in the order of the seats; nothing in a game without any."""
        return ()

    @abstractmethod
    def determinize(self, view: ViewT, rng: Rng) -> StateT:
        """A state consistent with all that the view knows, in which that seat has an equal view.

        Whatever is hidden is dealt at random.
        """

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """The result, or None while the game goes on."""

    def moment(self, event: Event) -> tuple[str, str] | None:
        """The kind and card under which balance reports count an event, "" for no card; None if they leave it out.

        A game says otherwise here if its notable events are not what its balance hangs on.
        """
        if not event.notable or event.seat is None:
            return None
        return event.kind, event.cards[0] if len(event.cards) == 1 else ""

    def carry(self, outcome: Outcome) -> tuple[int, Mapping[str, tuple[str, ...]]] | None:  # noqa: ARG002
        """The cards that a character takes from a game into its next one: how many, and as answers to chance turns.

        None in a game without characters.
        """
        return None

    def roles(self, state: StateT) -> Mapping[str, Seat]:  # noqa: ARG002
        """The seats of a game that is over by what they were in it besides their places, such as the dealer."""
        return {}

    def ending(self, kind: str) -> str:
        """A kind of outcome in a few words."""
        return self.endings.get(kind) or kind.replace("-", " ").capitalize()

    @abstractmethod
    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """The finished game's score sheet, for the terminal and for notes."""


AnyGame = Game[Any, Any]
"""A game of which only the contract is known."""
