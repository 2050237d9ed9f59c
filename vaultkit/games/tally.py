"""A game that was played with real cards, as its score sheet tells it: what the sheet asks, and what follows from it.

A tally is what people wrote down. The game says what to ask for, what of the answers cannot be true, and how it ended.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vaultkit.games.options import Options
from vaultkit.games.words import Outcome, Sentence

Answer = int | str
"""A number, or one of a question's choices, or any words where there are none."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that a score sheet asks.

    `key` is the name of its box on the printed sheet, `swords.total`: what stands before the dot is the row. With
    `choices` the answer is one of them, the words for people beside it; else it is a number from `least`, or with
    `words` a text. `most` is the highest number that can be true. `default` is the answer of an empty box, None where
    there must be one.
    """

    key: str
    title: str
    choices: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    most: int | None = None
    words: bool = False
    default: Answer | None = None
    rulings: tuple[str, ...] = ()

    @property
    def row(self) -> str:
        """The row of the sheet: `swords` of `swords.total`, `deal.1` of `deal.1.tricks`, else the key itself."""
        return self.key.rpartition(".")[0] or self.key


@dataclass(frozen=True)
class SeatTally:
    """What one seat has written down, by the questions' keys.

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
    """What all seats have written down under these options, which are complete; `common` is what holds for all."""

    options: Options
    seats: tuple[SeatTally, ...]
    common: Mapping[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in a tally that cannot be true, why, and by which rulings."""

    sentence: Sentence
    rulings: tuple[str, ...] = ()


class ScoreKeeping(ABC):
    """What one game's score sheet asks, and what follows from the answers."""

    @abstractmethod
    def first(self, options: Options) -> tuple[Question, ...]:
        """What is asked once, before the seats: how many deals, for example."""

    @abstractmethod
    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:
        """What is asked of every seat, in the order of the sheet; `common` has the answers to `first`."""

    @abstractmethod
    def last(self, tally: Tally) -> tuple[Question, ...]:
        """What is asked once, after the seats, such as how it ended. The first choice is the likeliest."""

    @abstractmethod
    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        """Everything that cannot be true, the number of seats included. All questions are answered."""

    @abstractmethod
    def outcome(self, tally: Tally) -> Outcome:
        """How the game ended, as the rules themselves would tell it: the same kinds, parts, ranks and facts.

        Holds for a tally with doubts, too, so that it can be recorded anyway.
        """

    def cards(self, tally: Tally) -> Sequence[str]:  # noqa: ARG002
        """Ids of cards that the tally names and that mattered."""
        return ()


def by_key(questions: Iterable[Question]) -> dict[str, Question]:
    """Questions by their keys."""
    return {question.key: question for question in questions}
