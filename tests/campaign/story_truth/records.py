"""The events of a finished game, recomputed from its positions alone, without its events and sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from vaultkit.cards import Deck
from vaultkit.games.messages import Outcome, Seat

Scores = tuple[float, ...]


@dataclass(frozen=True)
class Deed:
    """A deed of a seat, or one that befell it; `cards` are in the order in which a story names them.

    `before` and `after` are the scores around its step; `chapter` is the round, turn, trick or deal. `step` counts the
    positions, and `facts` holds what only one game knows.
    """

    kind: str
    who: Seat | None
    cards: tuple[str, ...]
    chapter: int
    before: Scores
    after: Scores
    step: int
    other: Seat | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def gain(self, seat: Seat | None) -> float:
        return 0 if seat is None else self.after[seat] - self.before[seat]


@dataclass(frozen=True)
class Record:
    """A finished game: its deeds in order, the score of each seat after each step, and its outcome."""

    game: str
    options: Mapping[str, object]
    outcome: Outcome
    deeds: tuple[Deed, ...]
    course: tuple[tuple[int, Scores], ...]
    chapters: int
    chapter: str
    counts: bool
    positions: tuple[Any, ...]
    out: tuple[tuple[int, frozenset[Seat]], ...] = ()
    """The chapter and the seats that had left the game, after each step."""
    deck: Deck | None = None

    @property
    def seats(self) -> int:
        return len(self.outcome.ranks)

    @property
    def together(self) -> bool:
        return self.options.get("mode") == "coop"


def leaders(scores: Scores) -> tuple[Seat, ...]:
    return tuple(seat for seat, points in enumerate(scores) if points == max(scores))


Found = tuple[str, Seat | None, tuple[str, ...], Seat | None, dict[str, Any]]


class Reader:
    """A reader of the positions of one game."""

    chapter_name = ""
    counts = True

    def __init__(self, options: Mapping[str, object], deck: Deck, first: Any) -> None:
        self.options, self.deck, self.seats = options, deck, first.seats
        self.cards = first.rules.cards

    def chapter_of(self, before: Any, after: Any) -> int:
        """Return the number of the round, turn, trick or deal to which a step belongs."""
        return 0

    def scores(self, state: Any) -> Scores:
        return (0.0,) * self.seats

    def deeds(self, before: Any, after: Any) -> Iterator[Found]:
        yield from ()

    def out(self, state: Any) -> frozenset[Seat]:
        return frozenset()
