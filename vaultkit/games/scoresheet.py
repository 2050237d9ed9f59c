"""A score sheet: what a game's paper asks, what of the answers cannot be true, and how the game ended by them.

A definition says all of that as data. The five games add code where a ruling needs it. A tally is what people wrote.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any, Self, TypeVar

from vaultkit.errors import InvalidError
from vaultkit.games.base import AnyGame
from vaultkit.games.definition import MOST_ROUNDS, PLACE, Condition, Definition, raw_definition
from vaultkit.games.definition_text import definition_id
from vaultkit.games.formula import FormulaError, Place, read_formula
from vaultkit.games.info import GameInfo
from vaultkit.games.options import Option, Options
from vaultkit.games.question import Answer, Column, Question, plain
from vaultkit.games.words import Outcome, Score, Seat, SeatName, Sentence, Table, first_of, ranks_of
from vaultkit.grouping import group
from vaultkit.shapes import Path
from vaultkit.wording import counted


@dataclass(frozen=True)
class SeatTally:
    """The answers that one seat has written down, by the questions' keys.

    `summands` are the numbers that a total was given as, where somebody wrote `8+9` instead of 17.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    summands: Mapping[str, tuple[Score, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, tuple[Answer, tuple[Score, ...]]]]) -> Self:
        """Of answers by their keys, each with its summands if it is a sum."""
        found = dict(pairs)
        summands = {key: terms for key, (_, terms) in found.items() if terms}
        return cls({key: one for key, (one, _) in found.items()}, summands)

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


Answering = Callable[[Seat | None, Sequence[Question]], SeatTally]
"""Answers questions for a seat, or those that hold for all."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in a tally that cannot be true, why, and by which rulings."""

    sentence: Sentence
    rulings: tuple[str, ...] = ()

    def speak(self, seat_name: SeatName) -> str:
        """The sentence with names in its places, and with the numbers of its rulings."""
        rulings = f" ({', '.join(self.rulings)})" if self.rulings else ""
        return f"{self.sentence.speak(seat_name, str).rstrip('.')}{rulings}."


Doubts = Iterator[Doubt]


def doubt(rulings: str, words: str, *seats: Seat) -> Doubt:
    """The doubt in these words about these seats, by rulings such as `DC-1 DC-33`."""
    return Doubt(Sentence(words, seats), tuple(rulings.split()))


class ScoreError(InvalidError):
    """A formula without a value for what `seat` has written down, None for all seats.

    `keys` are the columns that it uses, those of the value 0 first; `where` is the file and line of the formula.
    """

    def __init__(self, sentence: Sentence, where: str, seat: Seat | None, keys: Sequence[str]) -> None:
        super().__init__(sentence.speak(lambda seat: f"player {seat + 1}", str), where=where)
        self.sentence, self.seat, self.keys = sentence, seat, keys


SCORE = Column("score", "Score", least=-999_999, asked=False)
"""The one number of a seat, which follows from the others and may be written beside them."""


@dataclass
class Reckoning:
    """The values of all columns of a game by what people wrote.

    Raises ScoreError for a formula that cannot be reckoned with these answers; `where` tells its file and line.
    """

    definition: Definition
    tally: Tally
    where: Callable[[Path], str]

    def __post_init__(self) -> None:
        definition = self.definition
        self.seats, self.rounds = range(len(self.tally.seats)), definition.rounds_of(self.tally.common)
        self._values: dict[tuple[str, Seat, int], Fraction] = {}
        for column in definition.reckoned:
            path = ("columns", definition.columns.index(column), "formula")
            for (_, number), seat in product(definition.boxes([column], self.tally.common), self.seats):
                self._values[column.key, seat, number] = self._reckon(column.formula, seat, number, path)

    def _reckon(self, formula: str, seat: Seat | None, number: int, path: Path) -> Fraction:
        try:
            return read_formula(formula).reckon(Place(lambda name, n: self.value(name, seat, n), number, self.rounds))
        except FormulaError as error:
            raise self._without_value(formula, seat, number, path, error) from error

    def _without_value(
        self, formula: str, seat: Seat | None, number: int, path: Path, fault: FormulaError
    ) -> ScoreError:
        """Return the error for a formula without a value, with the numbers that it has none for."""
        column = self.definition.columns[path[1]].title if path[0] == "columns" and isinstance(path[1], int) else ""
        title = column or f"'{formula}'"
        names = sorted(read_formula(formula).names, key=lambda name: (bool(self.value(name, seat, number)), name))
        values = ", ".join(f"{name} = {plain(self.value(name, seat, number))}" for name in names)
        whose = "all players" if seat is None else "{s0}"
        played = f" in {self.definition.rounds.name} {number}" if self.definition.rounds and number else ""
        words = f"{{v0}} of {whose}{played} cannot be computed from these scores: {{v1}} ({{v2}})."
        sentence = Sentence(words, () if seat is None else (seat,), (), (title, str(fault).rstrip("."), values))
        return ScoreError(sentence, self.where(path), seat, names)

    def value(self, name: str, seat: Seat | None, number: int = 0) -> Fraction:
        """The value of a column for a seat or, without one, for all; of the rounds with 0 the sum of them."""
        if name == "players":
            return Fraction(len(self.seats))
        column = self.definition.by_id[name]
        numbers = [number] if number else self.rounds
        places = product(self.seats if seat is None else [seat], numbers if self.definition.is_each(column) else [0])
        return sum((self._single(column, one, of) for one, of in places), Fraction(0))

    def _single(self, column: Column, seat: Seat, number: int) -> Fraction:
        if column.formula:
            return self._values[column.key, seat, number]
        if not isinstance(answer := self._answer(column, seat, number), str):
            return Fraction(str(answer))
        worth = column.worth or (range(2) if column.is_yes_no else range(1, 1 + len(column.choices)))
        return Fraction(str(dict(zip(column.choices, worth, strict=False)).get(answer, 0)))

    def _answer(self, column: Column, seat: Seat, number: int) -> Answer:
        answer = self.tally.seats[seat].answers.get(self.definition.key(column, number), column.default)
        return "" if answer is None else answer

    def impossible(self) -> Iterator[Doubt]:
        """Yield a doubt for each condition that holds and should not, or cannot be evaluated, by seat and round."""
        for place, condition in enumerate(self.definition.impossible):
            is_looked_at = condition.under.items() <= self.tally.options.items()
            seats: Sequence[Seat | None] = (None,) if condition.together else self.seats
            rounds = self.rounds if read_formula(condition.when).bare & self.definition.in_rounds else (0,)
            for number, seat in product(rounds, seats):
                try:
                    if is_looked_at and self._reckon(condition.when, seat, number, ("impossible", place, "when")):
                        yield Doubt(self._sentence(condition, seat, number), condition.rulings)
                except ScoreError as error:
                    yield Doubt(error.sentence)

    def _sentence(self, condition: Condition, seat: Seat | None, number: int) -> Sentence:
        """The words with values in their places."""
        values = {place: self._spoken(place, seat, number) for place in condition.places}
        name = self.definition.round_name(number, self.tally.common)
        values |= {"round": str(number), "of": f" of {name}" if name else ""}
        seats = self._having(condition, number) if seat is None else (seat,)
        who = "{s0} has" if len(seats) == 1 else "{seats} together have"
        places = {"player": "{s0}", "who": who, **{name: f"{{v{place}}}" for place, name in enumerate(values)}}
        return Sentence(PLACE.sub(lambda place: places[place[1]], condition.words), seats, (), tuple(values.values()))

    def _having(self, condition: Condition, number: int) -> tuple[Seat, ...]:
        """The seats that have any of what a condition is about; all if it holds because none has."""
        names = read_formula(condition.when).names - {"players"}
        having = (seat for seat in self.seats if any(self.value(name, seat, number) for name in names))
        return tuple(having) or tuple(self.seats)

    def _spoken(self, name: str, seat: Seat | None, number: int) -> str:
        """A value in words: a choice, or a number; of a column of the rounds with 0 the sum."""
        if seat is None or not (column := self.definition.by_id.get(name)) or not (column.choices or column.words):
            with suppress(ScoreError):
                return str(plain(self._reckon(name, seat, number, ("impossible",))))
            return "–"
        first = self.rounds[0] if self.definition.is_each(column) and not number else number
        answer = str(self._answer(column, seat, first))
        return column.choices.get(answer, answer) or "–"

    def numbers(self, seat: Seat, columns: Iterable[Column]) -> dict[str, Score]:
        """The seat's values of these columns by the names of their boxes."""
        boxes = self.definition.boxes(columns, self.tally.common)
        return {self.definition.key(column, of): plain(self.value(column.key, seat, of)) for column, of in boxes}

    def parts(self, seat: Seat) -> dict[str, Score]:
        """Return the seat's values by the names of their boxes, followed by the deciding value as `score`.

        Words are left out, and so are choices that no number was given to.
        """
        definition = self.definition
        numeric = [one for one in definition.columns if not one.words and (one.worth or not one.choices)]
        found = self.numbers(seat, numeric)
        if definition.score and definition.win != "chosen":
            found["score"] = plain(self.value(definition.score, seat))
        return found

    def tables(self) -> Iterator[Table]:
        """Everything once for each player, and each number of the rounds by itself."""
        definition = self.definition
        each, several = list(filter(definition.is_each, definition.columns)), len(self.rounds) > 1
        score = definition.by_id[definition.score].formula if definition.score else ""
        left_out = [one for one in each if (several and (one.choices or one.words)) or score == f"sum({one.key})"]
        whole = [one for one in definition.columns if one not in left_out]
        rows = [[self._spoken(column.key, seat, 0) for column in whole] for seat in self.seats]
        yield Table.of_seats("Score Sheet", [column.title for column in whole], rows)
        name = definition.rounds.name.capitalize() if definition.rounds else ""
        for column in each if several else ():
            rows = [[self._spoken(column.key, seat, number) for number in self.rounds] for seat in self.seats]
            yield Table.of_seats(f"{column.title} {name} by {name}", map(str, self.rounds), rows)


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet of the game `info`, by its `definition` alone; a game with rulings overrides parts of it.

    `where` tells the file and line of a part of the definition, if it came from a file. `source` is the definition in
    plain tables, empty for a game that can be played here.
    """

    info: GameInfo
    definition: Definition = field(hash=False)
    where: Callable[[Path], str] = field(default=lambda _: "", compare=False)
    source: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def game(self) -> AnyGame | None:
        """The rules, where the game can be played here, too."""
        return self.info.rules() if self.info.game else None

    @property
    def id(self) -> str:
        return self.info.id

    @cached_property
    def definition_id(self) -> str:
        """The id of the definition, "" for a game that can be played here, whose rules are code."""
        return definition_id(raw_definition(self.source)) if self.source else ""

    @property
    def title(self) -> str:
        return self.info.title

    @property
    def seats(self) -> tuple[int, int]:
        return self.game.seats if self.game else self.info.seats

    @property
    def options(self) -> tuple[Option, ...]:
        return self.game.options if self.game else ()

    def deck_for(self, options: Options) -> str:
        """The kind of deck that these options call for, "" for a game of which we know none."""
        return self.game.deck_for(options) if self.game else self.info.deck

    def mode(self, options: Options) -> str:
        """Whether all play together, `coop`, or how else the game is played; "" where nobody asks."""
        return "coop" if self.definition.win == "co-op" else str(options.get("mode", ""))

    def rules_asked(self, options: Options) -> tuple[Question, ...]:
        """The house rules that the sheet asks, too: a question for each, with the option's key and its value now."""
        return _by_options(self.definition.house_rules, options)

    def first(self, options: Options) -> tuple[Question, ...]:
        """The questions asked once, before the seats: how many deals, for example."""
        rounds = self.definition.rounds
        return (*([rounds.question] if rounds else []), *_by_options(self.definition.before, options))

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        """The questions for every seat, round by round, then those of the whole game; `common` answers `first`."""
        return self._questions(common, asked=True)

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        """Boxes of the sheet that nobody is asked for: sums of others, and what only `doubts` looks at.

        A seat's answers may hold them by their keys, where a filled sheet has them.
        """
        return self._questions(common, asked=False)

    def reckoned(self, tally: Tally) -> Mapping[str, Question]:
        """The boxes that follow from others, by their keys: those of `sums`, and the score if it is not asked."""
        asked = {question.key for question in self.each(tally.options, tally.common)}
        return {box.key: box for box in (SCORE, *self.sums(tally.options, tally.common)) if box.key not in asked}

    def last(self, tally: Tally) -> tuple[Question, ...]:  # noqa: ARG002
        """Return the questions that are asked once, after the seats, such as how the game ended.

        An end has a default only where another end would leave the same winners: no scores say whether people who
        play together have won.
        """
        return (WON_OR_LOST,) if self.definition.win == "co-op" else self.definition.after

    def tally(self, options: Options, seats: int, answer: Answering) -> Tally:
        """All questions answered in their order: for all, seat by seat, and for all once more."""
        common = answer(None, self.first(options)).answers
        each = self.each(options, common)
        tally = Tally(options, tuple(answer(seat, each) for seat in range(seats)), common)
        return replace(tally, common={**common, **answer(None, self.last(tally)).answers})

    def carried(self, key: str, options: Options, common: Mapping[str, Answer], boxes: Mapping[str, str]) -> int | None:  # noqa: ARG002
        """The number that answers `key` of `first` by the other lines of a sheet, None if these say nothing of it.

        `boxes` are the words in all boxes of the first seat, by their keys.
        """
        return None

    def seat_doubts(self, seats: int, options: Options) -> Doubts:
        """The doubt that so many have played under these options; none if they can."""
        fewest, most = self.game.seats_under(options) if self.game else self.info.seats
        if not fewest <= seats <= most:
            who = f"{fewest} to {most} players" if fewest < most else counted(most, "player")
            words = Sentence("{v0} is for {v1}, and {v2} took part.", values=(self.title, who, seats))
            yield Doubt(words, self.definition.rulings)

    def doubts(self, tally: Tally) -> Doubts:
        """Everything that cannot be true, the number of seats included. All questions are answered."""
        yield from self.seat_doubts(len(tally.seats), tally.options)
        yield from self.reckoning(tally).impossible()
        yield from self.impossible(tally)
        yield from self.miscounts(tally)
        if self.definition.win == "chosen" and not self.outcome(tally).winners:
            yield doubt("", "Nobody is said to have won.")

    def impossible(self, tally: Tally) -> Doubts:  # noqa: ARG002
        """Return the doubts that the rulings of a game want and no definition can express; none by default."""
        return iter(())

    def miscounts(self, tally: Tally) -> Doubts:
        """The doubts that somebody has written down another sum or score than the other boxes make."""
        reckoning, outcome, boxes = self.reckoning(tally), self.outcome(tally), self.reckoned(tally).values()
        for seat, parts in enumerate(outcome.scores):
            score = {SCORE.key: outcome.score(seat)} if self.game or "score" in parts else {}
            made = {**score, **parts, **reckoning.numbers(seat, self.definition.reckoned)}
            for box in boxes:
                written, other = tally.seats[seat].answers.get(box.key), made.get(box.key)
                if isinstance(written, int | float) and other is not None and written != other:
                    found = (box.title, str(written), f"make {other}" if other else "are empty, or make 0")
                    yield Doubt(Sentence(_MISCOUNTED, (seat,), (), found), box.rulings)

    def outcome(self, tally: Tally) -> Outcome:
        """How the game ended, as the rules themselves would tell it: the same kinds, parts, ranks and facts.

        Holds for a tally with doubts, too, so that it can be recorded anyway.
        """
        win, reckoning, seats = self.definition.win, self.reckoning(tally), tuple(range(len(tally.seats)))
        parts = tuple(map(reckoning.parts, seats))
        if win == "co-op":
            kind = "won" if tally.common.get(WON_OR_LOST.key) == "won" else "lost"
            reason = Sentence(f"{{seats}} {have(seats)} {kind}.", seats)
            return Outcome(kind, seats if kind == "won" else (), reason, (), parts, (1,) * len(seats))
        standings = [reckoning.value(self.definition.score, seat) for seat in seats]
        ranks = ranks_of([-one for one in standings] if win == "lowest" else standings)
        best = plain(standings[first_of(ranks)[0]])
        if win == "chosen":
            winners = first_of(ranks) if best else ()
            return Outcome("winner" if winners else "nobody", winners, _reason(winners, best, win), (), parts, ranks)
        if len(seats) == 1:  # there is nobody to win against
            return Outcome(
                "solo", (), Sentence("{s0} played alone and scored {v0}.", seats, (), (str(best),)), (), parts, ranks
            )
        winners = first_of(ranks)
        if len(winners) == len(seats):
            reason = Sentence(f"{{seats}} are level with {best}, and nobody has won.", seats)
            return Outcome("drawn", (), reason, (), parts, ranks)
        return Outcome("score", winners, _reason(winners, best, win), (), parts, ranks)

    def tables(self, tally: Tally, outcome: Outcome) -> tuple[Table, ...]:
        """The finished game's scores, for the terminal and for notes."""
        return self.game.score_tables(outcome) if self.game else tuple(self.reckoning(tally).tables())

    def ending(self, kind: str) -> str:
        """A kind of outcome in a few words."""
        return self.game.ending(kind) if self.game else ENDINGS.get(kind, kind.capitalize())

    def cards(self, tally: Tally) -> Sequence[str]:  # noqa: ARG002
        """Ids of cards that the tally names and that mattered."""
        return ()

    def reckoning(self, tally: Tally) -> Reckoning:
        """Return the values of all columns of a tally. Raises ScoreError if a formula cannot be evaluated."""
        return Reckoning(self.definition, tally, self.where)

    def _questions(self, common: Mapping[str, Answer], *, asked: bool) -> tuple[Question, ...]:
        definition = self.definition
        columns = [column for column in definition.columns if column.is_asked == asked]
        boxes = sorted(definition.boxes(columns, common), key=lambda box: box[1] or MOST_ROUNDS + 1)
        return tuple(definition.question(column, number, common) for column, number in boxes)


ENDINGS = {
    "score": "The scores decide", "winner": "There is a winner", "drawn": "All are level", "won": "All have won",
    "lost": "All have lost", "nobody": "Nobody has won", "solo": "Played alone",
}  # fmt: skip
"""How a game ends that we know by its score sheet alone."""
WON_OR_LOST = Question("outcome", "Won or lost?", choices={kind: ENDINGS[kind] for kind in ("won", "lost")})
"""The question of games in which all win or lose together."""


def _reason(winners: tuple[Seat, ...], best: Score, win: str) -> Sentence:
    if not winners:
        return Sentence("Nobody has won.")
    if win == "chosen":
        return Sentence(f"{{seats}} {have(winners)} won.", winners)
    if len(winners) > 1:
        return Sentence(f"{{seats}} share the win with {best}.", winners)
    return Sentence(f"{{seats}} has the {win} score, {best}.", winners)


def _by_options(questions: Iterable[Question], options: Options) -> tuple[Question, ...]:
    """The questions, those that are named as an option with its value as the default."""
    return tuple(one.changed(default=options.get(one.key, one.default)) for one in questions)


def have(seats: Sequence[Seat]) -> str:
    """The verb for so many."""
    return "have" if len(seats) > 1 else "has"


_MISCOUNTED = "{v0}: {s0} has written down {v1}, and the other boxes {v2}."


Thing = TypeVar("Thing", bound=Hashable)
Owner = TypeVar("Owner", bound=Hashable)
Share = Sequence[frozenset[Thing]]
"""All that may be somebody's of things of which there is one each: every set that makes a total, for example."""


def sets_by(things: Collection[Thing], total: Callable[[frozenset[Thing]], Hashable]) -> Mapping[Any, Share[Thing]]:
    """All sets of some of the things by their total."""
    sets = (frozenset(some) for size in range(len(things) + 1) for some in combinations(things, size))
    return group((total(some), some) for some in sets)


def is_divisible(shares: Collection[Share[Thing]], taken: frozenset[Thing] = frozenset()) -> bool:
    """Whether each share can be one of its sets, with nothing `taken` in it, and no thing in two: an exact search."""
    if not shares:
        return True
    share, *others = sorted(shares, key=len)
    return any(taken.isdisjoint(things) and is_divisible(others, taken | things) for things in share)


def conflict(shares: Mapping[Owner, Share[Thing]]) -> tuple[Owner, ...]:
    """The smallest group whose shares cannot all be true, the first of its size; none if all can be."""
    groups = (some for size in range(1, len(shares) + 1) for some in combinations(shares, size))
    return next((some for some in groups if not is_divisible([shares[owner] for owner in some])), ())
