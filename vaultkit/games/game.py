"""The interface of a game: pure rules over an explicit state, shaped like OpenSpiel's Python games."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.facts import Consequence, GameFact, merge_facts
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Table, Zone
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Move, Prompt, Rng, Turn
from vaultkit.text import format_range

CardsT = TypeVar("CardsT")


@dataclass(frozen=True)
class Rules(Generic[CardsT]):
    """All that stays the same during one game.

    `seats` is the number of seats, `people` are the seats of humans, `options` holds a value for every option, and
    `cards` the facts about the cards. Games extend this class with values of the options that they use often.
    """

    seats: int
    options: Options
    people: frozenset[Seat]
    cards: CardsT

    def has_option(self, key: str, value: str) -> bool:
        """Return whether the option `key` is set to `value`."""
        return self.options[key] == value


@dataclass(frozen=True)
class View(ABC):
    """Everything that one seat may know. Bots and front-ends get a View and never a State.

    `prompt` is the seat's own decision, None if it has none now; `to_act` is the seat that decides now, None for chance
    or at the end. Games extend this class with their public and private zones. Two views are equal if the seat cannot
    tell the positions apart.
    """

    seat: Seat
    seats: int
    prompt: Prompt | None
    to_act: Seat | None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves from which the seat chooses now. Use it only if `prompt` is not None."""
        assert self.prompt is not None, "a bot is asked only when it has to decide"
        return self.prompt.moves

    @property
    @abstractmethod
    def seen(self) -> frozenset[str]:
        """Every card of which the seat knows where it lies. An event that adds a card must have `reveals` set."""


ViewT = TypeVar("ViewT", bound=View)


class ShortMemory(NamedTuple):
    """A house rule under which only the latest parts of a game may be looked up.

    It is in force if the option `memory` has this `value`. A part, such as a trick, begins with an event of a kind in
    `begins` and ends with one of a kind in `over`. Only the present part and the last one that has ended may be looked
    up; `notice` tells the players so.
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

    @property
    def deciding_seats(self) -> tuple[Seat, ...]:
        """The seats whose own turn it is: one, or in a secret choice all that take part in it (G-3, G-14)."""
        return (self.turn.seat,) if isinstance(self.turn, Prompt) else ()

    @abstractmethod
    def apply(self, move: Move) -> tuple[Event, ...]:
        """Answer the turn and return the events, or carry out a concession, which no turn lists (G-14).

        Raises IllegalMove, changing nothing, unless the turn lists the move, or a deciding seat concedes.
        """

    @abstractmethod
    def clone(self) -> "State[ViewT]":
        """Return an independent copy. Search makes thousands of copies, so only what can change is copied."""

    @abstractmethod
    def view(self, seat: Seat) -> ViewT:
        """Return the game as `seat` may know it."""

    @abstractmethod
    def cards(self) -> Iterable[str]:
        """Yield every card of the deck once, wherever it lies: cards are never lost or doubled."""


StateT = TypeVar("StateT", bound=State[Any])


POSITION_SAMPLES = 20
"""The number of random positions consistent with a view on which each move is tried."""

SEATS_HINT = "Say who plays: --seat NAME for each. Without any the players of the settings sit down."
"""The hint in the error for a wrong number of players."""


def fixed_rng() -> Random:
    """Return a generator of the same random numbers in every call, so that equal views give equal samples."""
    return Random(0)


class Game(ABC, Generic[StateT, ViewT]):
    """The rules of one game. `deck` is the kind of deck it needs; `seats` holds the fewest and the most players.

    `option_headings` maps a heading of the rule note to the keys of the options that change what is written there.
    `endings` has words for each kind of outcome; in the kinds in `shared_endings`, all players win or lose together.
    `short_memory` is the house rule by which players may look up only the latest part of the game, None for no such
    rule. `story` has the verbs of the moves with which players tell a story. `sampled_positions` is the number of
    positions on which `consequences` tries a move; 1 is enough if nothing hidden changes the facts of a move.
    `deciding_facts` has the labels of the facts of an outcome whose cards decided the game, such as final hands; it is
    empty if the cards of the turning points decided.
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
    sampled_positions: ClassVar[int] = POSITION_SAMPLES
    deciding_facts: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> StateT:
        """Return a state before the first deal.

        `options` are complete (`options.resolve`); `people` are the human seats. Raises UsageError for a number of
        seats that the game or its options do not allow (`check_seats`).
        """

    def seats_under(self, options: Options) -> tuple[int, int]:  # noqa: ARG002
        """Return the fewest and most players that complete options allow: `seats`, unless an option says otherwise."""
        return self.seats

    def check_seats(self, seats: int, hint: str = SEATS_HINT) -> None:
        """Raise UsageError unless the game is for this number of seats."""
        fewest, most = self.seats
        if not fewest <= seats <= most:
            players = format_range(fewest, most, "player") if most > 1 else "one player"
            raise UsageError(f"{self.title} is for {players}, not {seats}.", hint=hint)

    def check_gm(self, options: Options) -> None:  # noqa: ARG002
        """Raise UsageError unless a GM without a seat has something to choose under complete options."""
        raise UsageError(f"A GM without a seat has nothing to choose in {self.title}.", hint="Sit down: --seat NAME")

    def check_match(self, options: Options) -> None:
        """Raise UsageError with the reason if nobody can win a match of games under complete options."""

    def deck_for(self, options: Options) -> str:  # noqa: ARG002
        """Return the kind or name of the deck under complete options: `deck`, unless an option says otherwise."""
        return self.deck

    @abstractmethod
    def label(self, move: Move) -> Sentence:
        """Return the text with which a move is offered: `Play the Berserker (6 of Swords)`."""

    def heading(self, view: ViewT) -> tuple[Sentence, ...]:  # noqa: ARG002
        """Return the heading of the table in parts: the stage, such as `round 8`, then the mode, such as `rivals`."""
        return ()

    @abstractmethod
    def table(self, view: ViewT) -> tuple[Zone, ...]:
        """Return the zones of the table that matter to the viewer, most important first."""

    def aim(self, view: ViewT) -> Sentence | None:  # noqa: ARG002
        """Return in one sentence what players collect and how they win, by the options in force; None if unknown."""
        return None

    def key_facts(self, view: ViewT) -> Iterator[Sentence]:  # noqa: ARG002
        """Yield what a player must always see, as far as the viewer knows it; the most important sentence first.

        A sentence that depends on hidden cards that the viewer knows has the viewer's seat among its seats, so that
        sentences common to all views reveal nothing.
        """
        yield from ()

    def touches(self, move: Move) -> tuple[str | Seat, ...]:
        """Return the cards and seats to touch, in order, for a move; empty if the move has a button of its own."""
        label = self.label(move)
        return (*label.cards, *label.seats)

    def consequences(self, view: ViewT, moves: Sequence[Move]) -> tuple[tuple[Consequence, ...], ...]:
        """Return, for each of the moves, the facts that follow from it at once, as far as the viewer can know them.

        A secret choice (G-3) has only the facts of `secret_facts`: everything else depends on the others' choices.
        """
        if view.prompt is not None and view.prompt.secret:
            return tuple(tuple(map(Consequence, self.secret_facts(view, move))) for move in moves)
        positions = self.sample_positions(view, self.sampled_positions)
        return tuple(merge_facts(list(self._sample_facts(view, move, positions))) for move in moves)

    def sample_positions(self, view: ViewT, count: int) -> list[StateT]:
        """Return positions consistent with the view. Equal views give equal positions, in every call."""
        rng = fixed_rng()
        return [self.determinize(view, rng) for _ in range(count)]

    def _sample_facts(self, view: ViewT, move: Move, positions: Sequence[StateT]) -> Iterator[tuple[GameFact, ...]]:
        """Yield the facts of a move in each position, computed once for results that look equal to the viewer."""
        known_results: list[tuple[tuple[Event, ...], ViewT, tuple[GameFact, ...]]] = []
        for position in positions:
            state = position.clone()
            events = tuple(event for event in state.apply(move) if event.is_visible_to(view.seat))
            after = state.view(view.seat)
            facts = next((facts for *result, facts in known_results if result == [events, after]), None)
            if facts is None:
                facts = tuple(self.offer_facts(view, after, events, move))
                known_results.append((events, after, facts))
            yield facts

    def facts(self, before: ViewT, after: ViewT, events: Sequence[Event]) -> Iterator[GameFact]:  # noqa: ARG002
        """Yield what one step changed, from a seat's views before and after it and the events that the seat saw.

        Games extend this method with more facts.
        """
        yield from self.score_facts(before, after)

    def offer_facts(self, before: ViewT, after: ViewT, events: Sequence[Event], move: Move) -> Iterator[GameFact]:  # noqa: ARG002
        """Yield what a move would change, with which it is offered: by default what it changed once it is made."""
        yield from self.facts(before, after, events)

    def score_facts(self, before: ViewT, after: ViewT) -> Iterator[GameFact]:
        """Yield who gained or lost points and who is out since `before`, as far as the viewer knows."""
        earlier_standings = {standing.seat: standing for standing in self.standing(before)}
        for standing in self.standing(after):
            earlier = earlier_standings.get(standing.seat)
            if point_change := (standing.points or 0) - ((earlier and earlier.points) or 0):
                yield GameFact("score", standing.seat, amount=point_change)
            if standing.out and not (earlier and earlier.out):
                yield GameFact("out", standing.seat)

    def secret_facts(self, view: ViewT, move: Move) -> Iterator[GameFact]:  # noqa: ARG002
        """Yield the facts of a secret choice that do not depend on the others' choices, such as a prophecy's goal."""
        yield from ()

    def gm_facts(self, view: ViewT, card: str) -> Iterator[GameFact]:  # noqa: ARG002
        """Yield what follows if the GM plays a card in place of luck, as far as all players know."""
        yield from ()

    def why_not(self, view: ViewT, card: str) -> Sentence | None:  # noqa: ARG002
        """Return the reason why a card that the seat sees cannot be played now; None if there is nothing to say."""
        return None

    def standing(self, view: ViewT) -> tuple[Standing, ...]:  # noqa: ARG002
        """Return the standing of each seat as the viewer knows it, by seat; empty in a game without standings."""
        return ()

    @abstractmethod
    def determinize(self, view: ViewT, rng: Rng) -> StateT:
        """Return a random state that is consistent with the view: in it, the viewer's seat has an equal view."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result, or None while the game goes on."""

    def balance_key(self, event: Event) -> tuple[str, str] | None:
        """Return the kind and card under which balance reports count an event, or None if they skip it.

        The card is "" if the event has none or several. A game overrides this if its balance depends on other events
        than the notable ones.
        """
        if not event.notable or event.seat is None:
            return None
        return event.kind, event.cards[0] if len(event.cards) == 1 else ""

    def carry(self, outcome: Outcome) -> tuple[int, Mapping[str, tuple[str, ...]]] | None:  # noqa: ARG002
        """Return the cards that a character takes into its next game; None in a game without characters.

        The result is their number, and the cards by the name of the Chance that deals them in the next game.
        """
        return None

    def roles(self, state: StateT) -> Mapping[str, Seat]:  # noqa: ARG002
        """Return the seats of a finished game by the roles that they had in it, such as the dealer."""
        return {}

    def ending(self, kind: str) -> str:
        """Return a kind of outcome in a few words for people."""
        return self.endings.get(kind) or kind.replace("-", " ").capitalize()

    @abstractmethod
    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """Return the score sheet of a finished game, for the terminal and for notes."""


AnyGame = Game[Any, Any]
"""A game of which only the interface is known."""
