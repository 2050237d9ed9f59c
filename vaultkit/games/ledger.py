"""The ledger of a game with real cards: a record, entry by entry, of only what decides the game.

A ledger moves the cards that it knows of with the game's own rules, so that standings, story and score sheet are made
as for a game played here. Rules about cards that it does not know are not checked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, NoReturn

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.facts import GameFact
from vaultkit.games.game_info import load
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Zone
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, Tally

LedgerLine = tuple[str, ...]
"""One line of a ledger: ids of cards, seats as `@0`, and words of the game."""
StandingMeasures = tuple[float, ...]


class EntryRefused(UsageError):
    """The error for an entry that is not possible, with the reason as a sentence."""

    def __init__(self, sentence: Sentence, rulings: str) -> None:
        ruling_words = f" ({rulings})" if rulings else ""
        self.sentence = replace(sentence, words=f"{sentence.words}{ruling_words}")
        super().__init__(self.sentence.words)


def refuse(words: str, *seats: Seat, cards: Sequence[str] = (), rulings: str = "") -> NoReturn:
    """Raise EntryRefused with the sentence of the words, seats and cards, followed by the rulings in brackets."""
    raise EntryRefused(Sentence(words, seats, tuple(cards)), rulings)


class EntryQuestion(NamedTuple):
    """The question for the next entry, the heading of the rule note that explains it, and the rulings."""

    text: Sentence
    rule: str
    rulings: tuple[str, ...]


class Page(NamedTuple):
    """The record of an entry or of a part of one: its events, the standings after it, and its facts.

    `measures` are the standings in numbers, `hands` the hands of the seats in words, empty in a game without hands.
    """

    events: tuple[Event, ...]
    measures: StandingMeasures
    facts: tuple[GameFact, ...] = ()
    hands: tuple[str, ...] = ()


class Ledger(ABC):
    """The record of one game with real cards.

    `words` are the words that may be typed besides cards and players, each with its meaning. `unnoted` says in words
    what no entry records. `pages` holds a record of each entry so far. `parts` has the same events in smaller steps, as
    the game's rules take them, so that the change by each is known. `start` holds the standings in numbers before the
    first entry.
    """

    words: ClassVar[Mapping[str, str]] = {}
    unnoted: ClassVar[str]
    knows_positions: ClassVar[bool] = True
    """Whether the entries say where all open cards lie, so that facts can be derived from them."""

    def __init__(self, sheet: ScoreSheet, seats: int, options: Options, deck: Deck) -> None:
        """Begin an empty ledger. Raises UsageError if the game cannot be played with these seats, options and deck."""
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
    def over(self) -> bool:
        """Whether the game is over, so that no entry can follow."""
        return self.game.outcome(self.state) is not None

    @property
    @abstractmethod
    def question(self) -> EntryQuestion:
        """The question for the next entry."""

    @property
    @abstractmethod
    def forms(self) -> tuple[tuple[str, str], ...]:
        """The forms in which the next entry may be typed, each with its meaning; {s0} and {s1} are players."""

    @abstractmethod
    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        """Carry out an entry and return its events. After an EntryRefused, the ledger must not be used any more."""

    @abstractmethod
    def tally(self) -> Tally:
        """Return the finished game as a tally of its score sheet."""

    def carry_out(self, action: Callable[[Any], object]) -> tuple[Event, ...]:
        """Call a function of the rules with the state, and return the events that it reports."""
        events: tuple[Event, ...] = self.state.carry_out(action)
        return events

    def outcome(self) -> Outcome:
        """Return the outcome by the rules of the game, which must be over."""
        game_outcome = self.game.outcome(self.state)
        assert game_outcome is not None, "the game is over"
        return game_outcome

    def result(self) -> Outcome:
        """Return the outcome, with an additional fact that says what no entry records."""
        outcome = self.outcome()
        return replace(outcome, facts=(*outcome.facts, ("Not noted", Sentence(self.unnoted))))

    def possible_cards(self, entry: LedgerLine) -> Collection[str]:  # noqa: ARG002
        """Return the cards that may be typed next; `entry` is what has been typed of the entry so far."""
        return tuple(self.cards.ids)

    def zones(self) -> tuple[Zone, ...]:
        """Return the zones of cards that lie open."""
        view = self.state.view(0)
        return tuple(zone for zone in self.game.table(view) if zone.kind not in ("hand", "pile", "legend"))

    def standings(self) -> tuple[Standing, ...]:
        """Return the standing of each seat; empty if nothing is counted before the end."""
        return self.game.standing(self.state.view(0))

    def measures(self) -> StandingMeasures:
        """Return the measure of each seat's standing, by seat."""
        return tuple(standing.measure for standing in self.standings()) or (0.0,) * self.seats

    def add_entry(self, entry: LedgerLine) -> None:
        """Check an entry and write it on a page of its own. Raises EntryRefused."""
        if self.over:
            refuse("The game is over.")
        tokens = {*self.deck.by_id, *self.words, *(f"@{seat}" for seat in range(self.seats))}
        if not entry or not tokens.issuperset(entry):
            refuse("This entry has a word that is not a card, a player or a word of the game.")
        self._first_part = len(self.parts)
        events = self.write(entry)
        self.end_part(events)
        self.pages.append(Page(events, self.measures()))

    def end_part(self, events: Sequence[Event]) -> None:
        """Record the events of the current entry that are in no part yet as a new part.

        `events` are all events of the entry so far.
        """
        recorded_ids = {id(event) for part in self.parts[self._first_part :] for event in part.events}
        view_before, self._view = self._view, self.state.view(0)
        new_events = tuple(event for event in events if id(event) not in recorded_ids)
        facts = tuple(self.game.facts(view_before, self._view, new_events)) if self.knows_positions else ()
        self.parts.append(Page(new_events, self.measures(), facts))


def parse_seat(token: str) -> Seat | None:
    """Return the seat of a token such as `@0`; None for a card or a word."""
    return int(token[1:]) if token.startswith("@") else None


def list_seats(entry: Sequence[str]) -> list[Seat]:
    """Return the seats that an entry names."""
    return [seat for seat in map(parse_seat, entry) if seat is not None]


def seats_without_value(entry: Sequence[str]) -> list[Seat]:
    """Return the seats that an entry names without a card or word after them."""
    pairs = zip(entry, (*entry[1:], "@"), strict=False)
    last_tokens = (token for token, next_token in pairs if next_token.startswith("@"))
    return list_seats(tuple(last_tokens))


def group_by_seat(entry: Sequence[str]) -> list[tuple[Seat | None, str]]:
    """Return the cards and words of an entry, each with the last seat named before it, or None."""
    pairs: list[tuple[Seat | None, str]] = []
    seat: Seat | None = None
    for token in entry:
        if (token_seat := parse_seat(token)) is not None:
            seat = token_seat
        else:
            pairs.append((seat, token))
    return pairs


def open_ledger(
    sheet: ScoreSheet, seats: int, options: Options, deck: Deck, entries: Sequence[LedgerLine] = ()
) -> Ledger:
    """Return a ledger with the entries. Raises UsageError for a wrong entry, or a game that has no ledgers."""
    if not sheet.info.ledger:
        raise UsageError(f"{sheet.title} has no short entry.", hint="Enter every card: add --referee.")
    ledger_class: type[Ledger] = load(sheet.info.ledger)
    ledger = ledger_class(sheet, seats, options, deck)
    for entry in entries:
        ledger.add_entry(entry)
    return ledger
