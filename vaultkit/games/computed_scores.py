"""The values of all columns of a score sheet, computed from the answers, and their impossible values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from vaultkit.budget import Budget
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.games.definition import PLACEHOLDER, Condition, Definition
from vaultkit.games.formula import Cells, FormulaError, FormulaPlace, formula_text, new_budget, read_formula
from vaultkit.games.messages import Fact, Score, Seat, Sentence, Table
from vaultkit.games.question import Answer, Column, to_number
from vaultkit.schema import Path

_NEGATED = re.compile(r"\s*-\s*(\w+|\w+\([^()]*\))\s*")
"""A formula that is a column or a call with a minus sign, such as `-food`."""


class ScoreError(InvalidError):
    """The error for a formula that has no value for the answers of `seat`, or of all seats if that is None.

    `keys` are the columns that the formula uses, those with the value 0 first; `where` is its file and line.
    """

    def __init__(self, sentence: Sentence, where: str, seat: Seat | None, keys: Sequence[str]) -> None:
        super().__init__(sentence.render(lambda seat: f"player {seat + 1}", str), where=where)
        self.sentence, self.seat, self.keys = sentence, seat, keys


@dataclass
class ComputedScores:
    """The values of all columns of a game, computed from the `answers` of each seat and the `common` answers.

    The constructor and the methods raise ScoreError for a formula that cannot be evaluated with these answers. `where`
    returns the file and line of a part of the definition. Rounds after `last_round` are left out, none if that is None.
    """

    definition: Definition
    answers: Sequence[Mapping[str, Answer]]
    common: Mapping[str, Answer]
    where: Callable[[Path], str]
    last_round: int | None = None
    budget: Budget = field(default_factory=new_budget)

    def __post_init__(self) -> None:
        definition, numbers = self.definition, self.definition.rounds_of(self.common)
        self.seats, self.rounds = range(len(self.answers)), numbers[: self.last_round]
        self.cells = Cells(self.value, self.rounds, self.seats, self._find_team, self.budget)
        self._values: dict[tuple[str, Seat | None, int], Fraction] = {}
        for columns in definition.computed_groups:
            is_per_round = definition.is_per_round(columns[0])
            for round_number, column in product(self.rounds if is_per_round else (0,), columns):
                is_of_table = column.key in definition.table_ids
                for seat in (None,) if is_of_table else self.seats:
                    key = "table" if is_of_table else "columns"
                    path = (key, getattr(definition, key).index(column), "formula")
                    value = self.evaluate(column.formula, seat, round_number, path)
                    self._values[column.key, seat, round_number] = value

    def evaluate(self, formula: str, seat: Seat | None, round_number: int, path: Path) -> Fraction:
        """Return the value of a formula for a seat, None for all together. Raises ScoreError if it has none."""
        try:
            return read_formula(formula).evaluate(FormulaPlace(self.cells, seat, round_number))
        except (FormulaError, BudgetExceeded) as error:
            raise self._no_value_error(formula, seat, round_number, path, error) from error

    def _no_value_error(
        self, formula: str, seat: Seat | None, round_number: int, path: Path, fault: FormulaError | BudgetExceeded
    ) -> ScoreError:
        """Return the error for a formula without a value, which quotes the numbers that the formula uses."""
        titles = {key: column.title for key, column in self.definition.by_id.items() if column.formula == formula}
        title = next(iter(titles.values()), "") or f"'{formula}'"
        value_by_name: dict[str, Fraction] = {}
        for name in read_formula(formula).names - titles.keys():
            with suppress(KeyError):  # not computed yet
                value_by_name[name] = self.value(name, seat, round_number)
        column_names = sorted(value_by_name, key=lambda name: (bool(value_by_name[name]), name))
        values = ", ".join(f"{name} = {to_number(value_by_name[name])}" for name in column_names)
        owner_words = "all players" if seat is None else "{s0}"
        rounds = self.definition.rounds
        round_words = f" in {rounds.name} {round_number}" if rounds and round_number else ""
        words = f"{{v0}} of {owner_words}{round_words} cannot be computed from these scores: {{v1}} ({{v2}})."
        sentence = Sentence(words, () if seat is None else (seat,), (), (title, str(fault).rstrip("."), values))
        return ScoreError(sentence, self.where(path), seat, column_names)

    def value(self, name: str, seat: Seat | None, round_number: int = 0) -> Fraction:
        """Return the value of a column for a seat, or the sum over all seats if `seat` is None.

        For a column with a box in every round, `round_number` is the round, and 0 means the sum over all rounds, or the
        last round of a column that goes on from its own earlier value.
        """
        definition = self.definition
        if (column := definition.by_id.get(name)) is None:
            return Fraction(len(self.seats) if name == "players" else round_number)
        is_per_round = name in definition.round_columns
        key = (name, None, 0) if name in definition.table_ids else (name, seat, round_number if is_per_round else 0)
        if (value := self._values.get(key)) is None:
            value = self._values[key] = self._find_value(column, *key[1:])
        return value

    def _find_value(self, column: Column, seat: Seat | None, round_number: int) -> Fraction:
        """Return the value of a box, or the sum over boxes. Raises KeyError for a formula that is not computed yet."""
        name, definition = column.key, self.definition
        if seat is None and name not in definition.table_ids:
            return sum((self.value(name, each, round_number) for each in self.seats), Fraction(0))
        if name in definition.round_columns and not round_number:
            numbers = self.rounds[-1:] if name in definition.running_columns else self.rounds
            return sum((self.value(name, seat, number) for number in numbers), Fraction(0))
        if column.formula:
            raise KeyError(name)
        if not isinstance(answer := self._answer(column, seat, round_number), str):
            return Fraction(str(answer))
        choice_values = column.worth or (range(2) if column.is_yes_no else range(1, 1 + len(column.choices)))
        return Fraction(str(dict(zip(column.choices, choice_values, strict=False)).get(answer, 0)))

    def _answer(self, column: Column, seat: Seat | None, round_number: int) -> Answer:
        answers = self.common if seat is None else self.answers[seat]
        answer = answers.get(self.definition.key(column, round_number), column.default)
        return "" if answer is None else answer

    def _find_team(self, seat: Seat, round_number: int) -> Sequence[Seat]:
        """Return the seats on the team of a seat; in the whole game the team of the last round."""
        column = self.definition.by_id[self.definition.teams]
        is_per_round = self.definition.is_per_round(column)
        number = (round_number or max(self.rounds, default=0)) if is_per_round else 0
        choice = self._answer(column, seat, number)
        return [other for other in self.seats if self._answer(column, other, number) == choice]

    def standings(self) -> list[tuple[Fraction, ...]]:
        """Return for each seat the deciding value and the values of `ties`; the winners have the greatest tuple.

        Players of a team that lasts the whole game share the best one.
        """
        definition, sign = self.definition, -1 if self.definition.win == "lowest" else 1
        ties = [(text, ("ties", index)) for index, text in enumerate(definition.ties)]
        standings: list[tuple[Fraction, ...]] = []
        for seat in self.seats:
            score = sign * self.value(definition.score, seat)
            standings.append((score, *(self.evaluate(text, seat, 0, path) for text, path in ties)))
        if not self.has_lasting_teams:
            return standings
        return [max(standings[other] for other in self._find_team(seat, 0)) for seat in self.seats]

    @property
    def has_lasting_teams(self) -> bool:
        """Whether the players are on teams that do not change from round to round."""
        return bool(self.definition.teams) and self.definition.teams not in self.definition.round_columns

    def is_team(self, seats: Sequence[Seat]) -> bool:
        """Return whether the seats are all on one lasting team."""
        return self.has_lasting_teams and len(seats) > 1 and set(seats) <= set(self._find_team(seats[0], 0))

    def explain_tie(self, winners: Sequence[Seat]) -> str:
        """Return the tie-breaker that decided between equal scores, such as `Food (4 to 2)`; "" if none were equal."""
        standings = self.standings()
        best = standings[winners[0]]
        losers = [standing for standing in standings if standing != best and standing[0] == best[0]]
        if not losers:
            return ""
        second = max(losers)
        index = next(number for number, values in enumerate(zip(best, second, strict=True)) if len({*values}) > 1)
        titles = {key: column.label for key, column in self.definition.by_id.items()}
        formula, sign = self.definition.ties[index - 1], 1
        if negated := _NEGATED.fullmatch(formula):
            formula, sign = negated[1], -1
        values = f"{to_number(sign * best[index])} to {to_number(sign * second[index])}"
        return f"{formula_text(formula, titles)} ({values})"

    def target_fault(self) -> str:
        """Return why the game cannot have ended with its last round, by the target; "" if it can, or has no target."""
        definition = self.definition
        if definition.target is None:
            return ""
        target = self.evaluate(str(definition.target), None, 0, ("target",))
        start = replace(self, last_round=0).value(definition.score, self.seats[0]) if self.rounds else Fraction(0)
        if not self._is_reached(target, start):
            return f"Nobody has reached {to_number(target)}, and so the game is not over."
        for number in self.rounds[:-1]:
            with suppress(ScoreError):
                earlier = replace(self, last_round=number)
                if earlier._is_reached(target, start) and len({*earlier._best_teams()}) == 1:
                    name = definition.round_name(number, self.common)
                    return f"Somebody reached {to_number(target)} in {name}, which ended the game."
        return ""

    def _is_reached(self, target: Fraction, start: Fraction) -> bool:
        """Return whether a score has reached the target; from a `start` above it, by falling to it."""
        values = [self.value(self.definition.score, seat) for seat in self.seats]
        return min(values) <= target if target < start else max(values) >= target

    def _best_teams(self) -> Iterator[tuple[Seat, ...]]:
        """Yield the seats with the best standing, each as its team, or alone."""
        standings = self.standings()
        for seat in self.seats:
            if standings[seat] == max(standings):
                yield tuple(self._find_team(seat, 0)) if self.has_lasting_teams else (seat,)

    def find_impossible(self, options: Mapping[str, object]) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
        """Yield a sentence, and its rulings, for each impossible condition that is met or cannot be evaluated.

        Conditions are looked at in each round by seat; `options` are the house rules.
        """
        definition = self.definition
        for index, condition in enumerate(definition.impossible):
            is_in_force = condition.under.items() <= options.items()
            names, common_names = read_formula(condition.when).names, definition.table_ids | {"players"}
            # what only the table's columns decide is the same for all players
            own_seats = self.seats[:1] if names and names <= common_names else self.seats
            seats: Sequence[Seat | None] = (None,) if condition.together else own_seats
            round_numbers = self.rounds if definition.is_in_rounds(condition.when) else (0,)
            for round_number, seat in product(round_numbers, seats):
                try:
                    path = ("impossible", index, "when")
                    if is_in_force and self.evaluate(condition.when, seat, round_number, path):
                        yield self._sentence(condition, seat, round_number), condition.rulings
                except ScoreError as error:
                    yield error.sentence, ()
                    if self.budget.is_exceeded:  # no other condition has a value either
                        return

    def _sentence(self, condition: Condition, seat: Seat | None, round_number: int) -> Sentence:
        """Return the words of a condition with its values filled in."""
        values = {place: self.value_text(place, seat, round_number) for place in condition.places}
        name = self.definition.round_name(round_number, self.common)
        values |= {"round": str(round_number), "of": f" of {name}" if name else ""}
        seats = self._seats_with_values(condition, round_number) if seat is None else (seat,)
        subject = "{s0} has" if len(seats) == 1 else "{seats} together have"
        places = {"player": "{s0}", "who": subject, **{name: f"{{v{place}}}" for place, name in enumerate(values)}}
        words = PLACEHOLDER.sub(lambda place: places[place[1]], condition.words)
        return Sentence(words, seats, (), tuple(values.values()))

    def _seats_with_values(self, condition: Condition, round_number: int) -> tuple[Seat, ...]:
        """Return the seats with a value other than 0 in any column of a condition; all seats if none has one."""
        names = read_formula(condition.when).names & {column.key for column in self.definition.columns}
        seats_with_value = (seat for seat in self.seats if any(self.value(name, seat, round_number) for name in names))
        return tuple(seats_with_value) or tuple(self.seats)

    def value_text(self, name: str, seat: Seat | None, round_number: int) -> str:
        """Return the value of a column or formula as text: a choice, words or a number; a dash if there is none.

        For numbers of a column with a box in every round, the round 0 means the sum over all rounds.
        """
        definition, column = self.definition, self.definition.by_id.get(name)
        is_of_table = name in definition.table_ids
        if (seat is None and not is_of_table) or not column or not (column.choices or column.words):
            with suppress(ScoreError):
                return str(to_number(self.evaluate(name, seat, round_number, ("impossible",))))
            return "–"
        first_round = self.rounds[0] if self.rounds else 0
        shown_round = (round_number or first_round) if definition.is_per_round(column) else 0
        answer = str(self._answer(column, None if is_of_table else seat, shown_round))
        return column.choices.get(answer, answer) or "–"

    def numbers(self, seat: Seat, columns: Iterable[Column]) -> dict[str, Score]:
        """Return the values in all boxes of the columns of a seat, by the names of the boxes."""
        boxes = self.definition.boxes(columns, self.common)
        key = self.definition.key
        return {key(column, number): to_number(self.value(column.key, seat, number)) for column, number in boxes}

    def parts(self, seat: Seat) -> dict[str, Score]:
        """Return the seat's score parts: all values by the names of their boxes, then the deciding value as `score`.

        Words are left out, and so are choices without a number (`Column.worth`).
        """
        definition = self.definition
        numeric = [column for column in definition.columns if not column.words and (column.worth or not column.choices)]
        values = self.numbers(seat, numeric)
        if definition.score and definition.win != "chosen":
            values["score"] = to_number(self.value(definition.score, seat))
        return values

    def facts(self) -> Iterator[Fact]:
        """Yield the title and the value of each column of the table, apart from empty ones and the game's name."""
        for column in self.definition.table:
            value = self.value_text(column.key, None, 0)
            if column.key != self.definition.title_from and value != "–":
                yield column.label, Sentence("{v0}", values=(value,))

    def tables(self) -> Iterator[Table]:
        """Yield a table of the whole game by player; with several rounds, also one for each column of the rounds.

        The first table leaves out one of two columns if the score is the sum of the other: with several rounds that
        other one. It has a table of its own, as have columns without numbers.
        """
        definition = self.definition
        per_round_columns = list(filter(definition.is_per_round, definition.boxed_columns))
        has_several_rounds = len(self.rounds) > 1
        left_out = [col for col in per_round_columns if has_several_rounds and (col.choices or col.words)]
        if score := definition.score_column:
            sums = [col for col in per_round_columns if self._is_summed_up(col, score)]
            is_added_up = any(use.over for use in definition.formulas[score.key].uses) if sums else False
            left_out += sums if has_several_rounds or is_added_up else [score] * bool(sums)
        columns = [col for col in definition.boxed_columns if col not in left_out]
        rows = [[self.value_text(column.key, seat, 0) for column in columns] for seat in self.seats]
        yield Table.of_seats("Score Sheet", [column.title for column in columns], rows)
        round_name = definition.rounds.name.capitalize() if definition.rounds else ""
        for column in per_round_columns if has_several_rounds else ():
            rows = [[self.value_text(column.key, seat, number) for number in self.rounds] for seat in self.seats]
            yield Table.of_seats(f"{column.title} {round_name} by {round_name}", map(str, self.rounds), rows)

    def _is_summed_up(self, column: Column, score: Column) -> bool:
        """Return whether the score of all players is the sum of this column, of which alone it is computed."""
        formula = self.definition.formulas.get(score.key)
        if not formula or formula.names - {score.key} != {column.key}:
            return False
        return all(self.value(column.key, seat) == self.value(score.key, seat) for seat in self.seats)
