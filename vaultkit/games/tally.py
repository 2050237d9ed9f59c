"""A game that was played with real cards, as its score sheet tells it: what the sheet asks, and what follows from it.

A tally is what people wrote down. The game says what to ask for, what of the answers cannot be true, and how it ended.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vaultkit.games.options import Options
from vaultkit.games.words import Outcome, Seat, Sentence

Answer = int | str
"""A number, or one of a question's choices, or any words where there are none."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that a score sheet asks.

    `key` is the name of its box on the printed sheet, `swords.total`: what stands before the dot is the row. With
    `choices` the answer is one of them, the words for people beside it; else it is a number from `least`, or with
    `words` a text. `most` is the highest number that can be true. `default` is the answer of an empty box, None where
    there must be one. `how` says in a sentence what counts, and `summed` that people add it up, from `8+9` for example.
    """

    key: str
    title: str
    choices: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    most: int | None = None
    words: bool = False
    default: Answer | None = None
    rulings: tuple[str, ...] = ()
    how: str = ""
    summed: bool = False

    @property
    def row(self) -> str:
        """The row of the sheet: `swords` of `swords.total`, `deal.1` of `deal.1.tricks`, else the key itself."""
        return self.key.rpartition(".")[0] or self.key


@dataclass(frozen=True)
class SeatTally:
    """The answers that one seat has written down, by the questions' keys.

    `summands` are the numbers that a total was given as, where somebody wrote `8+9` instead of 17.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    summands: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def number(self, key: str) -> int:
        """The answer as a number, 0 where there is none."""
        value = self.answers.get(key, 0)
        return value if isinstance(value, int) else 0


@dataclass(frozen=True)
class Tally:
    """The answers of all seats under these complete options; `common` are the answers that hold for all."""

    options: Options
    seats: tuple[SeatTally, ...]
    common: Mapping[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in a tally that cannot be true, why, and by which rulings."""

    sentence: Sentence
    rulings: tuple[str, ...] = ()


class ScoreKeeping(ABC):
    """The questions of one game's score sheet, and what follows from the answers."""

    @abstractmethod
    def first(self, options: Options) -> tuple[Question, ...]:
        """The questions asked once, before the seats: how many deals, for example."""

    @abstractmethod
    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        """The questions for every seat, in the order of the sheet; `common` has the answers to `first`."""

    @abstractmethod
    def last(self, tally: Tally) -> tuple[Question, ...]:
        """The questions asked once, after the seats, such as how it ended. The first choice is the likeliest."""

    @abstractmethod
    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        """Everything that cannot be true, the number of seats included. All questions are answered."""

    @abstractmethod
    def outcome(self, tally: Tally) -> Outcome:
        """How the game ended, as the rules themselves would tell it: the same kinds, parts, ranks and facts.

        Holds for a tally with doubts, too, so that it can be recorded anyway.
        """

    def rules_asked(self, options: Options) -> tuple[Question, ...]:  # noqa: ARG002
        """The house rules that the sheet asks, too: a question for each, with the option's key and its value now."""
        return ()

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        """Boxes of the sheet that nobody is asked for: sums of others, and what only `doubts` looks at.

        A seat's answers may hold them by their keys, where a filled sheet has them.
        """
        return ()

    def carried(self, key: str, options: Options, common: Mapping[str, Answer], boxes: Mapping[str, str]) -> int | None:  # noqa: ARG002
        """The number that answers `key` of `first` by the other lines of a sheet, None if these say nothing of it.

        `boxes` are the words in all boxes of the first seat, by their keys.
        """
        return None

    def cards(self, tally: Tally) -> Sequence[str]:  # noqa: ARG002
        """Ids of cards that the tally names and that mattered."""
        return ()


def seats_of(tally: Tally) -> range:
    """The numbers of the seats."""
    return range(len(tally.seats))


def crowd(tally: Tally, title: str, fewest: int, most: int, rulings: tuple[str, ...] = ()) -> Iterator[Doubt]:
    """The doubt that a game named `title` was played by so many."""
    seats = len(tally.seats)
    if not fewest <= seats <= most:
        who = f"{fewest} to {most} players" if fewest < most else f"{most} player{'s' * (most > 1)}"
        yield Doubt(Sentence("{v0} is for {v1}, and {v2} took part.", values=(title, who, seats)), rulings)


def miscounted(tally: Tally, seat: Seat, key: str, box: str, made: int, *, rulings: tuple[str, ...]) -> Iterator[Doubt]:
    """The doubt that a seat has written down another number in the box `key`, called `box`, than the others made."""
    written = tally.seats[seat].answers.get(key)
    if isinstance(written, int) and written != made:
        words = "{s0} has written down {v0} for {v1}, and the other boxes make {v2}."
        yield Doubt(Sentence(words, (seat,), (), (written, box, made)), rulings)


def by_key(questions: Iterable[Question]) -> dict[str, Question]:
    """Questions by their keys."""
    return {question.key: question for question in questions}
