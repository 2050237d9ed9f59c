"""The words of a game: sentences that are put together only when someone reads them, events, outcomes, tables."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from vaultkit.text import listing

Seat = int
"""A seat's number, from 0 clockwise (G-1)."""

SEAT_ALONE = tuple(frozenset({seat}) for seat in range(10))
"""Each seat alone, for events that only it may know of."""


@lru_cache(maxsize=256)
def other_seats(knowing: frozenset[Seat], seats: int) -> frozenset[Seat]:
    """Those of so many seats that are not among the `knowing`."""
    return frozenset(range(seats)) - knowing


def describe_draw(count: int) -> tuple[str, str]:
    """Words for `{s0}` drawing so many cards: for whoever sees the cards, and for all others."""
    own = {1: "{s0} draws the {c0}.", 2: "{s0} draws the {c0} and the {c1}."}.get(count, "{s0} draws {cards}.")
    return own, "{s0} draws a card." if count == 1 else "{s0} draws {v0} cards."


Score = int | float
"""A number on a score sheet; halves are there in a few games only."""
SeatName = Callable[[Seat], str]
CardName = Callable[[str], str]


_FIELD = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """Text with named fields in braces, such as `{who} draws {count} cards`. It is filled, never run.

    `pieces` are the text before the first field, the name of that field, the text after it, and so on.
    """

    pieces: tuple[str, ...]

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> "TextTemplate":
        return cls(tuple(_FIELD.split(text)))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields in their order; a name that occurs twice is listed twice."""
        return self.pieces[1::2]

    def fill(self, values: Mapping[str, object]) -> str:
        """Return the text with the value of each field, which is not searched for fields again.

        Raises KeyError for a field without a value.
        """
        return "".join(str(values[piece]) if number % 2 else piece for number, piece in enumerate(self.pieces))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template's text with the seats, cards and values for it, since a game knows neither people's nor cards' names.

    Fields: `{s0}`, `{s1}`... one seat; `{c0}`... one card; `{v0}`... one value; `{seats}` and `{cards}` all of them.
    """

    words: str
    seats: tuple[Seat, ...] = ()
    cards: tuple[str, ...] = ()
    values: tuple[str | int, ...] = ()

    def render(self, seat_name: SeatName, card_name: CardName) -> str:
        """Return the sentence with the names of seats and cards."""
        seats = tuple(seat_name(seat) for seat in self.seats)
        cards = tuple(card_name(card) for card in self.cards)
        values: dict[str, object] = {"seats": listing(seats), "cards": listing(cards)}
        for letter, things in (("s", seats), ("c", cards), ("v", self.values)):
            values.update((f"{letter}{number}", thing) for number, thing in enumerate(things))
        return TextTemplate.parse(self.words).fill(values)


Fact = tuple[str, Sentence]
"""Something worth writing down of a finished game: what it is about, and what is to be said."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `rule` is a heading of the rule note, `rulings` the numbers in force (G-10).

    `seen_by` None means everybody; otherwise the seats that may know of it. `reveals` marks that it showed something
    that was hidden before, which closes the way back for undo (G-8). `notable` marks what a story of the game tells.
    `detail` is a word that tells events of one kind apart, such as a verdict or a cause, or the name of a hand.
    """

    kind: str
    sentence: Sentence
    rule: str
    rulings: tuple[str, ...]
    seat: Seat | None = None
    cards: tuple[str, ...] = ()
    seen_by: frozenset[Seat] | None = None
    reveals: bool = False
    notable: bool = False
    detail: str = ""

    def is_visible_to(self, seat: Seat) -> bool:
        return self.seen_by is None or seat in self.seen_by


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `scores` holds each seat's named parts in the order of a score sheet; `ranks` start at 1."""

    kind: str
    winners: tuple[Seat, ...]
    reason: Sentence
    rulings: tuple[str, ...]
    scores: tuple[Mapping[str, Score], ...]
    ranks: tuple[int, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def whole_scores(self) -> tuple[Mapping[str, int], ...]:
        """The scores of a game that has whole numbers only."""
        return tuple({part: int(value) for part, value in parts.items()} for parts in self.scores)

    def score(self, seat: Seat) -> Score | None:
        """The seat's one number: the part called score or total, or the only part there is; None without one."""
        parts = self.scores[seat]
        named = next((parts[name] for name in ("score", "total") if name in parts), None)
        return next(iter(parts.values())) if named is None and len(parts) == 1 else named


def rank_standings(standings: Sequence[Any]) -> tuple[int, ...]:
    """The rank of each seat by what it has to show for itself: 1 is the best, and equals share a rank."""
    return tuple(1 + sum(other > own for other in standings) for own in standings)


def first_ranked(ranks: Sequence[int]) -> tuple[Seat, ...]:
    """The seats of the first rank."""
    return tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


@dataclass(frozen=True, slots=True)
class Table:
    """A small table of text; the first column holds seats' names where `seats` is given, a seat for each row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    seats: tuple[Seat, ...] = ()

    @classmethod
    def of_seats(cls, title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> "Table":
        """A row for each seat, before which its name comes."""
        named = tuple(("", *row) for row in rows)
        return cls(title, ("Player", *columns), named, tuple(range(len(named))))

    def with_names(self, name: SeatName) -> "Table":
        """The same with names in the places of seats."""
        rows = tuple((name(seat), *row[1:]) for seat, row in zip(self.seats, self.rows, strict=False))
        return replace(self, rows=rows, seats=()) if self.seats else self


ZoneKind = Literal["hand", "laid", "trick", "row", "pile", "stack", "won", "legend"]
"""The kind of a zone: cards held, laid face down, played together, laid out, to draw from, one on another, won, or a
note."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A place on the table as one seat sees it: open cards by id, and how many more lie there face down.

    `title` does not name the owner: `hand`, `Crowns`, `won`. `by` says that the owner made it so: `won` by somebody,
    where a hand is that of somebody. `short` says what it comes to, such as `Swords 13, Stars 9 (4 cards)`.
    """

    title: Sentence
    cards: tuple[str, ...] = ()
    hidden: int = 0
    owner: Seat | None = None
    kind: ZoneKind = "row"
    short: Sentence | None = None
    by: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat stands, as far as somebody may know: its `points` so far, more are better, and a few words beside.

    `out` says that it does not play on.
    `points` is None in a game that counts none. `weight` is a finer measure of the same, by which turning points are
    found: how likely the seat is to win, in any unit of the game's own; None where the points are that.
    """

    seat: Seat
    points: Score | None = None
    words: Sentence | None = None
    weight: float | None = None
    out: bool = False

    @property
    def measure(self) -> float:
        """The number by which two standings are compared."""
        return float(self.points or 0) if self.weight is None else self.weight
