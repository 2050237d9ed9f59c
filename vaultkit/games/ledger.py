"""The ledger of a game with real cards: what decides is written down, entry by entry, and nothing else.

A ledger moves the cards that it knows of by the deeds of the game's own rules, so that standing, story and score sheet
come out as ever. It asks nobody to prove what it does not see.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, NoReturn

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.facts import GameFact
from vaultkit.games.info import load
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.games.words import Event, Outcome, Seat, Sentence, Standing, Zone

LedgerLine = tuple[str, ...]
"""One line of a ledger: ids of cards, seats as `@0`, and words of the game."""
Measures = tuple[float, ...]


class EntryRefused(UsageError):
    """An entry that cannot be, and the one reason."""

    def __init__(self, sentence: Sentence, rulings: str) -> None:
        cited = f" ({rulings})" if rulings else ""
        self.sentence = replace(sentence, words=f"{sentence.words}{cited}")
        super().__init__(self.sentence.words)


def refuse(words: str, *seats: Seat, cards: Sequence[str] = (), rulings: str = "") -> NoReturn:
    """Raise EntryRefused in these words."""
    raise EntryRefused(Sentence(words, seats, tuple(cards)), rulings)


class Asked(NamedTuple):
    """The words in which an entry is asked for, the heading of the rule note that tells of it, and the rulings."""

    text: Sentence
    rule: str
    rulings: tuple[str, ...]


class Page(NamedTuple):
    """The events of an entry or of a part of it, how the seats stood after it, and the facts of what it changed."""

    events: tuple[Event, ...]
    measures: Measures
    facts: tuple[GameFact, ...] = ()


class Ledger(ABC):
    """One game. `words` may be typed beside cards and players, each with its meaning; `unnoted` is what nobody types.

    `pages` are the entries so far, `parts` the same in the steps in which the game's rules take them, so that what
    each event changed is known; `start` is how the seats stood before.
    """

    words: ClassVar[Mapping[str, str]] = {}
    unnoted: ClassVar[str]
    knows_positions: ClassVar[bool] = True
    """Whether its entries tell where all open cards lie, so that facts can be read from there."""

    def __init__(self, sheet: ScoreSheet, seats: int, options: Options, deck: Deck) -> None:
        """Raises UsageError where the game cannot be played so."""
        assert sheet.game is not None, "a ledger is of a game whose rules are known"
        self.sheet, self.game, self.seats, self.options, self.deck = sheet, sheet.game, seats, options, deck
        self.state: Any = self.game.new(seats, options, deck)
        self.cards: Any = self.state.rules.cards
        self.pages: list[Page] = []
        self.parts: list[Page] = []
        self._first_part = 0
        self.begin()
        self.start = self.measures()
        self._view = self.state.view(0)

    def begin(self) -> None:  # noqa: B027
        """Get ready for the first entry."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether nothing more can be written."""

    @property
    @abstractmethod
    def question(self) -> Asked:
        """The next entry as it is asked for."""

    @property
    @abstractmethod
    def forms(self) -> tuple[tuple[str, str], ...]:
        """The ways in which it may be typed, each with its meaning; {s0} and {s1} are players."""

    @abstractmethod
    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        """The events of an entry. Raises EntryRefused; the ledger is of no use any more then."""

    @abstractmethod
    def tally(self) -> Tally:
        """The finished game as a score sheet has it."""

    def do(self, deed: Callable[[Any], object]) -> tuple[Event, ...]:
        """The events of a deed, which is done to the state."""
        events: tuple[Event, ...] = self.state.carry_out(deed)
        return events

    def outcome(self) -> Outcome:
        """The result, as the rules tell it."""
        found = self.game.outcome(self.state)
        assert found is not None, "the game is over"
        return found

    def result(self) -> Outcome:
        """The outcome, with what nobody noted said so."""
        found = self.outcome()
        return replace(found, facts=(*found.facts, ("Not noted", Sentence(self.unnoted))))

    def expected(self, entry: LedgerLine) -> Collection[str]:  # noqa: ARG002
        """The cards that may come next, after the beginning of an entry."""
        return tuple(self.cards.ids)

    def zones(self) -> tuple[Zone, ...]:
        """The cards that lie open."""
        view = self.state.view(0)
        return tuple(zone for zone in self.game.table(view) if zone.kind not in ("hand", "pile", "legend"))

    def standings(self) -> tuple[Standing, ...]:
        """How each seat stands; nothing where nothing is counted before the end."""
        return self.game.standing(self.state.view(0))

    def measures(self) -> Measures:
        """The standings in numbers."""
        return tuple(one.measure for one in self.standings()) or (0.0,) * self.seats

    def take(self, entry: LedgerLine) -> None:
        """Write an entry on a page of its own. Raises EntryRefused."""
        if self.over:
            refuse("The game is over.")
        known = {*self.deck.by_id, *self.words, *(f"@{seat}" for seat in range(self.seats))}
        if not entry or not known.issuperset(entry):
            refuse("This entry names what is no card, no player and no word of the game.")
        self._first_part = len(self.parts)
        events = self.write(entry)
        self.end_part(events)
        self.pages.append(Page(events, self.measures()))

    def end_part(self, events: Sequence[Event]) -> None:
        """Record a part of an entry as a step of its own: of its `events` so far those of no earlier part."""
        ended = {id(event) for part in self.parts[self._first_part :] for event in part.events}
        before, self._view = self._view, self.state.view(0)
        fresh = tuple(event for event in events if id(event) not in ended)
        facts = tuple(self.game.facts(before, self._view, fresh)) if self.knows_positions else ()
        self.parts.append(Page(fresh, self.measures(), facts))


def seat_of(token: str) -> Seat | None:
    """The seat that `@0` stands for; None for a card or a word."""
    return int(token[1:]) if token.startswith("@") else None


def seats_in(entry: Sequence[str]) -> list[Seat]:
    """The seats that an entry names."""
    return [seat for seat in map(seat_of, entry) if seat is not None]


def unsaid(entry: Sequence[str]) -> list[Seat]:
    """The seats that an entry names with nothing behind the name."""
    ends = (now for now, after in zip(entry, (*entry[1:], "@"), strict=False) if after.startswith("@"))
    return seats_in(tuple(ends))


def by_seat(entry: Sequence[str]) -> list[tuple[Seat | None, str]]:
    """Cards and words, each with the seat that was named last before it."""
    found: list[tuple[Seat | None, str]] = []
    seat: Seat | None = None
    for token in entry:
        if (named := seat_of(token)) is not None:
            seat = named
        else:
            found.append((seat, token))
    return found


def open_ledger(
    sheet: ScoreSheet, seats: int, options: Options, deck: Deck, entries: Sequence[LedgerLine] = ()
) -> Ledger:
    """The ledger of a game with these entries. Raises UsageError for a game without one, or a wrong entry."""
    if not sheet.info.ledger:
        raise UsageError(f"{sheet.title} cannot be written down entry by entry.", hint="Play without --light.")
    kind: type[Ledger] = load(sheet.info.ledger)
    ledger = kind(sheet, seats, options, deck)
    for entry in entries:
        ledger.take(entry)
    return ledger
