"""Reckons from answers by a definition: sums and other columns, scores, doubts by its conditions, tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from vaultkit.errors import InvalidError
from vaultkit.games.definition import PLACE, Answer, Column, Condition, Definition
from vaultkit.games.formula import FormulaError, Place, read_formula
from vaultkit.games.words import Score, Seat, Sentence, Table
from vaultkit.shapes import Path


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in a tally that cannot be true, why, and by which rulings."""

    sentence: Sentence
    rulings: tuple[str, ...] = ()


def plain(value: Fraction) -> Score:
    """A value as a whole number, or else with two decimals."""
    return int(value) if value.denominator == 1 else round(float(value), 2)


@dataclass
class Reckoning:
    """The values of all columns of a game: `answers` by seat and `common` as in a tally.

    Raises InvalidError for a formula that cannot be reckoned with these answers; `where` tells its file and line.
    """

    definition: Definition
    answers: Sequence[Mapping[str, Answer]]
    common: Mapping[str, Answer]
    where: Callable[[Path], str]

    def __post_init__(self) -> None:
        definition = self.definition
        self.seats, self.rounds = range(len(self.answers)), definition.rounds_of(self.common)
        self._values: dict[tuple[str, Seat, int], Fraction] = {}
        for column in definition.reckoned:
            path = ("columns", definition.columns.index(column), "formula")
            for (_, number), seat in product(definition.boxes([column], self.common), self.seats):
                self._values[column.key, seat, number] = self._reckon(column.formula, seat, number, path)

    def _reckon(self, formula: str, seat: Seat | None, number: int, path: Path) -> Fraction:
        try:
            place = Place(lambda name, one: self.value(name, seat, one), number, self.rounds)
            return read_formula(formula).reckon(place)
        except FormulaError as error:
            message = f"This cannot be reckoned with the scores as they are: {error}"
            raise InvalidError(message, where=self.where(path)) from error

    def value(self, name: str, seat: Seat | None, number: int = 0) -> Fraction:
        """The value of a column for a seat or, without one, for all; of the rounds with 0 the sum of them."""
        if name == "players":
            return Fraction(len(self.answers))
        column = self.definition.by_id[name]
        numbers = [number] if number else self.rounds
        places = product(self.seats if seat is None else [seat], numbers if self.definition.is_each(column) else [0])
        return sum((self._single(column, one, of) for one, of in places), Fraction(0))

    def _single(self, column: Column, seat: Seat, number: int) -> Fraction:
        if column.formula:
            return self._values[column.key, seat, number]
        answer = self._answer(column, seat, number)
        if not isinstance(answer, str):
            return Fraction(str(answer))
        worth = column.worth or (range(2) if column.is_yes_no else range(1, 1 + len(column.choices)))
        by_choice = dict(zip(column.choices, worth, strict=False))
        return Fraction(str(by_choice.get(answer, 0)))

    def _answer(self, column: Column, seat: Seat, number: int) -> Answer:
        answer = self.answers[seat].get(self.definition.key(column, number), column.default)
        return "" if answer is None else answer

    def impossible(self) -> Iterator[Doubt]:
        """A doubt for each condition that holds and should not, by seat and by round."""
        for place, condition in enumerate(self.definition.impossible):
            seats: Sequence[Seat | None] = (None,) if condition.together else self.seats
            rounds = self.rounds if self.definition.in_rounds(condition.when) else (0,)
            for number, seat in product(rounds, seats):
                if self._reckon(condition.when, seat, number, ("impossible", place, "when")):
                    yield Doubt(self._sentence(condition, seat, number), condition.rulings)

    def _sentence(self, condition: Condition, seat: Seat | None, number: int) -> Sentence:
        """The words with values in their places."""
        values = {place: self._spoken(place, seat, number) for place in condition.places}
        name = self.definition.round_name(number, self.common)
        values |= {"round": str(number), "of": f" of {name}" if name else ""}
        places = {"player": "{s0}", **{name: f"{{v{place}}}" for place, name in enumerate(values)}}
        words = PLACE.sub(lambda place: places[place[1]], condition.words)
        return Sentence(words, () if seat is None else (seat,), (), tuple(values.values()))

    def _spoken(self, name: str, seat: Seat | None, number: int) -> str:
        """A value in words: a choice, or a number; of a column of the rounds with 0 the sum."""
        column = self.definition.by_id.get(name)
        if seat is None or column is None or not (column.choices or column.words):
            return str(plain(self._reckon(name, seat, number, ("impossible",))))
        first = self.rounds[0] if self.definition.is_each(column) and not number else number
        answer = str(self._answer(column, seat, first))
        return column.choices.get(answer, answer) or "–"

    def numbers(self, seat: Seat, columns: Iterable[Column]) -> dict[str, Score]:
        """The seat's values of these columns by the names of their boxes."""
        boxes = self.definition.boxes(columns, self.common)
        return {self.definition.key(column, of): plain(self.value(column.key, seat, of)) for column, of in boxes}

    def parts(self, seat: Seat) -> dict[str, Score]:
        """The seat's values by the names of their boxes, then what decides as the `score`; words are left out."""
        definition = self.definition
        found = self.numbers(seat, [one for one in definition.columns if not one.words and not one.is_yes_no])
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
