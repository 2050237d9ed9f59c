"""Reckons from answers by a definition: sums and other columns, scores, conditions that hold, tables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from vaultkit.games.definition import Answer, Column, Condition, Definition, DefinitionError
from vaultkit.games.formula import Formula, FormulaError
from vaultkit.games.words import Score, Seat, Table


def plain(value: Fraction) -> Score:
    """A value as a whole number, or else with two decimals."""
    return int(value) if value.denominator == 1 else round(float(value), 2)


class Reckoning:
    """The values of all columns of a game: `answers` by seat and `common` as in a tally.

    Raises DefinitionError for a formula that cannot be reckoned with these answers.
    """

    def __init__(
        self, definition: Definition, answers: Sequence[Mapping[str, Answer]], common: Mapping[str, Answer]
    ) -> None:
        self.definition, self.answers, self.common = definition, answers, common
        self.rounds = definition.rounds_of(common)
        self._values: dict[tuple[str, Seat, int], Fraction] = {}
        for column in definition.reckoned:
            for number in definition.numbers(column, common):
                for seat in range(len(answers)):
                    place = _Place(self, seat, number)
                    self._values[column.key, seat, number] = self._reckon(column.read, place, column)

    def value(self, name: str, seat: Seat | None, number: int = 0) -> Fraction:
        """The value of a column for a seat or, without one, for all; of the rounds with 0 the sum of them."""
        if name == "players":
            return Fraction(len(self.answers))
        if seat is None:
            return sum((self.value(name, one, number) for one in range(len(self.answers))), Fraction(0))
        column = self.definition.by_id[name]
        if not self.definition.is_each(column):
            return self._single(column, seat, 0)
        numbers = [number] if number else self.rounds
        return sum((self._single(column, seat, one) for one in numbers), Fraction(0))

    def _single(self, column: Column, seat: Seat, number: int) -> Fraction:
        if column.formula:
            return self._values[column.key, seat, number]
        answer = self.answers[seat].get(self.definition.key(column, number), column.default)
        if isinstance(answer, int):
            return Fraction(answer)
        if answer not in column.choices:
            return Fraction(0)
        place = list(column.choices).index(str(answer))
        if column.is_yes_no:
            return Fraction(int(answer == "yes"))
        return Fraction(str(column.worth[place])) if column.worth else Fraction(place + 1)

    def _reckon(self, formula: Formula, place: "_Place", column: Column | Condition) -> Fraction:
        try:
            return formula.reckon(place)
        except FormulaError as error:
            every: Sequence[Column | Condition] = self.definition.columns
            path = ("columns", every.index(column), "formula")
            if isinstance(column, Condition):
                path = ("impossible", self.definition.impossible.index(column), "when")
            raise DefinitionError(path, f"This cannot be reckoned with the scores as they are: {error}") from error

    def impossible(self) -> Iterator[tuple[Condition, Seat | None, int]]:
        """The conditions that hold and should not, each with the seat, None for all, and the round, 0 for all."""
        for condition in self.definition.impossible:
            seats: Sequence[Seat | None] = [None] if condition.together else range(len(self.answers))
            for number in self.rounds if self.definition.in_rounds(condition.read) else (0,):
                for seat in seats:
                    if self._reckon(condition.read, _Place(self, seat, number), condition):
                        yield condition, seat, number

    def sentence(self, condition: Condition, seat: Seat | None, number: int) -> tuple[str, tuple[str | int, ...]]:
        """The words of a condition with numbered places, and what belongs into these."""
        values: list[str | int] = []

        def place(found: re.Match[str]) -> str:
            if found[1] == "player":
                return "{s0}"
            values.append(number if found[1] == "round" else self._spoken(found[1], seat, number))
            return f"{{v{len(values) - 1}}}"

        return re.sub(r"\{(\w+)\}", place, condition.words), tuple(values)

    def _spoken(self, name: str, seat: Seat | None, number: int) -> str:
        column = self.definition.by_id.get(name)
        if seat is None or column is None or not column.choices:
            return str(plain(self.value(name, seat, number)))
        return self._cell(column, seat, number)

    def parts(self, seat: Seat) -> dict[str, Score]:
        """The seat's values by the names of their boxes, then what decides as the `score`; words are left out."""
        definition, found = self.definition, dict[str, Score]()
        for column in definition.columns:
            if not column.words and not column.is_yes_no:
                numbers = definition.numbers(column, self.common)
                found |= {definition.key(column, one): plain(self.value(column.key, seat, one)) for one in numbers}
        if definition.decides and definition.win != "chosen":
            found["score"] = plain(self.value(definition.decides, seat))
        return found

    def tables(self) -> tuple[Table, ...]:
        """Everything once for each player, and each number of the rounds by itself."""
        seats, definition = tuple(range(len(self.answers))), self.definition
        whole = [column for column in definition.columns if not definition.is_each(column) or self._adds_up(column)]
        rows = tuple(("", *(self._cell(column, seat, 0) for column in whole)) for seat in seats)
        sheet = Table("Score Sheet", ("Player", *(column.title for column in whole)), rows, seats)
        each = [column for column in definition.columns if definition.is_each(column)] if len(self.rounds) > 1 else []
        return sheet, *(self._by_round(column, seats) for column in each)

    def _adds_up(self, column: Column) -> bool:
        """Whether a column of the rounds is worth a place among the whole, where it is not the score anyway."""
        decides = self.definition.by_id.get(self.definition.decides)
        is_score = decides is not None and decides.formula == f"sum({column.key})"
        return not is_score and (len(self.rounds) == 1 or not (column.choices or column.words))

    def _by_round(self, column: Column, seats: tuple[Seat, ...]) -> Table:
        rounds = self.definition.rounds
        name = rounds.name.capitalize() if rounds else ""
        rows = tuple(("", *(self._cell(column, seat, number) for number in self.rounds)) for seat in seats)
        return Table(f"{column.title} {name} by {name}", ("Player", *map(str, self.rounds)), rows, seats)

    def _cell(self, column: Column, seat: Seat, number: int) -> str:
        """A value in words: a choice, or a number; of a column of the rounds with 0 the sum."""
        if not (column.choices or column.words):
            return str(plain(self.value(column.key, seat, number)))
        numbers = self.rounds if self.definition.is_each(column) and not number else [number]
        answer = str(self.answers[seat].get(self.definition.key(column, numbers[0]), column.default or ""))
        return column.choices.get(answer, answer) or "–"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a formula looks up its columns: of a seat or all, in a round or in the whole game."""

    reckoning: Reckoning
    seat: Seat | None
    number: int

    def of(self, name: str) -> Fraction:
        return self.reckoning.value(name, self.seat, self.number)

    def rounds(self) -> "Sequence[_Place]":
        return [replace(self, number=one) for one in self.reckoning.rounds] or [self]
