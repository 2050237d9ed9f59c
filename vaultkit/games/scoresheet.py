"""The score sheet of a game: its questions, checks of the answers, and the outcome that follows from them.

A `Definition` describes a sheet as data; the five built-in games add code where a ruling needs it. A `Tally` holds
what people wrote on the sheet.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any, Self, TypeVar

from vaultkit.errors import InvalidError
from vaultkit.games.definition import MAX_ROUNDS, PLACEHOLDER, Condition, Definition, raw_definition
from vaultkit.games.definition_text import definition_id
from vaultkit.games.formula import CellReference, FormulaError, read_formula
from vaultkit.games.game import AnyGame
from vaultkit.games.game_info import GameInfo
from vaultkit.games.messages import Outcome, Score, Seat, SeatName, Sentence, Table, first_ranked, rank_standings
from vaultkit.games.options import Option, Options
from vaultkit.games.question import Answer, Column, Question, to_number
from vaultkit.schema import Path
from vaultkit.text import format_count, group


@dataclass(frozen=True)
class SeatTally:
    """The answers of one seat, by the questions' keys.

    `summands` are the numbers of a total that was written as a sum, such as `8+9` instead of 17.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    summands: Mapping[str, tuple[Score, ...]] = field(default_factory=dict)

    @classmethod
    def from_answers(cls, answer_pairs: Iterable[tuple[str, tuple[Answer, tuple[Score, ...]]]]) -> Self:
        """Return a tally of pairs `(key, (answer, summands))`; `summands` is empty unless a sum was written."""
        answers = dict(answer_pairs)
        summands = {key: terms for key, (_, terms) in answers.items() if terms}
        return cls({key: answer for key, (answer, _) in answers.items()}, summands)

    def number(self, key: str) -> int:
        """Return the answer to the question `key` if it is a whole number, else 0."""
        value = self.answers.get(key, 0)
        return value if isinstance(value, int) else 0


@dataclass(frozen=True)
class Tally:
    """The answers of all seats under complete options.

    `common` holds the answers to questions that are asked once for the whole game, by the questions' keys.
    """

    options: Options
    seats: tuple[SeatTally, ...]
    common: Mapping[str, Answer] = field(default_factory=dict)


AnswerFunction = Callable[[Seat | None, Sequence[Question]], SeatTally]
"""A function that answers questions for a seat, or for the whole game if the seat is None."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason why a tally cannot be true: a sentence, and the numbers of the rulings behind it."""

    sentence: Sentence
    rulings: tuple[str, ...] = ()

    def speak(self, seat_name: SeatName) -> str:
        """Return the sentence with the names of the players and the numbers of the rulings."""
        rulings = f" ({', '.join(self.rulings)})" if self.rulings else ""
        return f"{self.sentence.render(seat_name, str).rstrip('.')}{rulings}."


Doubts = Iterator[Doubt]


def doubt(rulings: str, words: str, *seats: Seat) -> Doubt:
    """Return a doubt about `seats`, to which `{s0}` and so on in `words` refer; `rulings` is such as `DC-1 DC-33`."""
    return Doubt(Sentence(words, seats), tuple(rulings.split()))


class ScoreError(InvalidError):
    """The error for a formula that has no value for the answers of `seat`, or of all seats if that is None.

    `keys` are the columns that the formula uses, those with the value 0 first; `where` is its file and line.
    """

    def __init__(self, sentence: Sentence, where: str, seat: Seat | None, keys: Sequence[str]) -> None:
        super().__init__(sentence.render(lambda seat: f"player {seat + 1}", str), where=where)
        self.sentence, self.seat, self.keys = sentence, seat, keys


SCORE = Column("score", "Score", least=-999_999, asked=False)
"""The box for a seat's final score, which follows from the other boxes but may be filled in as well."""


@dataclass
class ComputedScores:
    """The values of all columns of a game, computed from a tally.

    The constructor and the methods raise ScoreError for a formula that cannot be evaluated with these answers. `where`
    returns the file and line of a part of the definition.
    """

    definition: Definition
    tally: Tally
    where: Callable[[Path], str]

    def __post_init__(self) -> None:
        definition = self.definition
        self.seats, self.rounds = range(len(self.tally.seats)), definition.rounds_of(self.tally.common)
        self._values: dict[tuple[str, Seat, int], Fraction] = {}
        for column in definition.computed_columns:
            path = ("columns", definition.columns.index(column), "formula")
            for (_, round_number), seat in product(definition.boxes([column], self.tally.common), self.seats):
                self._values[column.key, seat, round_number] = self._evaluate(column.formula, seat, round_number, path)

    def _evaluate(self, formula: str, seat: Seat | None, round_number: int, path: Path) -> Fraction:
        try:
            cells = CellReference(lambda name, n: self.value(name, seat, n), round_number, self.rounds)
            return read_formula(formula).evaluate(cells)
        except FormulaError as error:
            raise self._no_value_error(formula, seat, round_number, path, error) from error

    def _no_value_error(
        self, formula: str, seat: Seat | None, round_number: int, path: Path, fault: FormulaError
    ) -> ScoreError:
        """Return the error for a formula without a value, which quotes the numbers that the formula uses."""
        column = self.definition.columns[path[1]].title if path[0] == "columns" and isinstance(path[1], int) else ""
        title = column or f"'{formula}'"
        names = read_formula(formula).names
        column_names = sorted(names, key=lambda name: (bool(self.value(name, seat, round_number)), name))
        values = ", ".join(f"{name} = {to_number(self.value(name, seat, round_number))}" for name in column_names)
        owner_words = "all players" if seat is None else "{s0}"
        rounds = self.definition.rounds
        round_words = f" in {rounds.name} {round_number}" if rounds and round_number else ""
        words = f"{{v0}} of {owner_words}{round_words} cannot be computed from these scores: {{v1}} ({{v2}})."
        sentence = Sentence(words, () if seat is None else (seat,), (), (title, str(fault).rstrip("."), values))
        return ScoreError(sentence, self.where(path), seat, column_names)

    def value(self, name: str, seat: Seat | None, round_number: int = 0) -> Fraction:
        """Return the value of a column for a seat, or the sum over all seats if `seat` is None.

        For a column with a box in every round, `round_number` is the round, and 0 means the sum over all rounds.
        """
        if name == "players":
            return Fraction(len(self.seats))
        column = self.definition.by_id[name]
        round_numbers = [round_number] if round_number else self.rounds
        seats = self.seats if seat is None else [seat]
        cells = product(seats, round_numbers if self.definition.is_per_round(column) else [0])
        return sum((self._cell_value(column, one_seat, cell_round) for one_seat, cell_round in cells), Fraction(0))

    def _cell_value(self, column: Column, seat: Seat, round_number: int) -> Fraction:
        if column.formula:
            return self._values[column.key, seat, round_number]
        if not isinstance(answer := self._answer(column, seat, round_number), str):
            return Fraction(str(answer))
        choice_values = column.worth or (range(2) if column.is_yes_no else range(1, 1 + len(column.choices)))
        return Fraction(str(dict(zip(column.choices, choice_values, strict=False)).get(answer, 0)))

    def _answer(self, column: Column, seat: Seat, round_number: int) -> Answer:
        answer = self.tally.seats[seat].answers.get(self.definition.key(column, round_number), column.default)
        return "" if answer is None else answer

    def find_doubts(self) -> Iterator[Doubt]:
        """Yield a doubt for each impossible condition that is met, or cannot be evaluated, in each round by seat."""
        for index, condition in enumerate(self.definition.impossible):
            is_in_force = condition.under.items() <= self.tally.options.items()
            seats: Sequence[Seat | None] = (None,) if condition.together else self.seats
            round_numbers = self.rounds if read_formula(condition.when).bare & self.definition.round_columns else (0,)
            for round_number, seat in product(round_numbers, seats):
                try:
                    path = ("impossible", index, "when")
                    if is_in_force and self._evaluate(condition.when, seat, round_number, path):
                        yield Doubt(self._sentence(condition, seat, round_number), condition.rulings)
                except ScoreError as error:
                    yield Doubt(error.sentence)

    def _sentence(self, condition: Condition, seat: Seat | None, round_number: int) -> Sentence:
        """Return the words of a condition with its values filled in."""
        values = {place: self._value_text(place, seat, round_number) for place in condition.places}
        name = self.definition.round_name(round_number, self.tally.common)
        values |= {"round": str(round_number), "of": f" of {name}" if name else ""}
        seats = self._seats_with_values(condition, round_number) if seat is None else (seat,)
        subject = "{s0} has" if len(seats) == 1 else "{seats} together have"
        places = {"player": "{s0}", "who": subject, **{name: f"{{v{place}}}" for place, name in enumerate(values)}}
        words = PLACEHOLDER.sub(lambda place: places[place[1]], condition.words)
        return Sentence(words, seats, (), tuple(values.values()))

    def _seats_with_values(self, condition: Condition, round_number: int) -> tuple[Seat, ...]:
        """Return the seats with a value other than 0 in any column of a condition; all seats if none has one."""
        names = read_formula(condition.when).names - {"players"}
        seats_with_value = (seat for seat in self.seats if any(self.value(name, seat, round_number) for name in names))
        return tuple(seats_with_value) or tuple(self.seats)

    def _value_text(self, name: str, seat: Seat | None, round_number: int) -> str:
        """Return the value of a column or formula as text: a choice, words or a number; a dash if there is none.

        For numbers of a column with a box in every round, the round 0 means the sum over all rounds.
        """
        if seat is None or not (column := self.definition.by_id.get(name)) or not (column.choices or column.words):
            with suppress(ScoreError):
                return str(to_number(self._evaluate(name, seat, round_number, ("impossible",))))
            return "–"
        shown_round = self.rounds[0] if self.definition.is_per_round(column) and not round_number else round_number
        answer = str(self._answer(column, seat, shown_round))
        return column.choices.get(answer, answer) or "–"

    def numbers(self, seat: Seat, columns: Iterable[Column]) -> dict[str, Score]:
        """Return the values in all boxes of the columns of a seat, by the names of the boxes."""
        boxes = self.definition.boxes(columns, self.tally.common)
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

    def tables(self) -> Iterator[Table]:
        """Yield a table of the whole game by player; with several rounds, also one for each column of the rounds.

        The first table leaves out a column whose sum is the score and, with several rounds, columns without numbers.
        """
        definition = self.definition
        per_round_columns = list(filter(definition.is_per_round, definition.columns))
        has_several_rounds = len(self.rounds) > 1
        score_formula = definition.by_id[definition.score].formula if definition.score else ""
        per_round_words = [col for col in per_round_columns if has_several_rounds and (col.choices or col.words)]
        sums = [col for col in per_round_columns if score_formula == f"sum({col.key})"]
        whole_game_columns = [col for col in definition.columns if col not in (*per_round_words, *sums)]
        rows = [[self._value_text(column.key, seat, 0) for column in whole_game_columns] for seat in self.seats]
        yield Table.of_seats("Score Sheet", [column.title for column in whole_game_columns], rows)
        round_name = definition.rounds.name.capitalize() if definition.rounds else ""
        for column in per_round_columns if has_several_rounds else ():
            rows = [[self._value_text(column.key, seat, number) for number in self.rounds] for seat in self.seats]
            yield Table.of_seats(f"{column.title} {round_name} by {round_name}", map(str, self.rounds), rows)


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet of the game `info`, as its `definition` says; games with rulings override methods.

    `where` returns the file and line of a part of the definition, "" if it did not come from a file. `source` is the
    definition as plain tables, empty for a game that can be played here.
    """

    info: GameInfo
    definition: Definition = field(hash=False)
    where: Callable[[Path], str] = field(default=lambda _: "", compare=False)
    source: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def game(self) -> AnyGame | None:
        """The rules, or None if the game cannot be played here."""
        return self.info.rules() if self.info.game else None

    @property
    def id(self) -> str:
        return self.info.id

    @cached_property
    def definition_id(self) -> str:
        """The id of the definition; "" for a game that can be played here, whose rules are code."""
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
        """Return the kind of deck that the options call for; "" if unknown."""
        return self.game.deck_for(options) if self.game else self.info.deck

    def mode(self, options: Options) -> str:
        """Return `coop` if all play together, else the option `mode`; "" if the game has no such option."""
        return "coop" if self.definition.win == "co-op" else str(options.get("mode", ""))

    def house_rule_questions(self, options: Options) -> tuple[Question, ...]:
        """Return the questions about house rules on the sheet; the default answer to each is the option's value."""
        return _with_option_defaults(self.definition.house_rules, options)

    def opening_questions(self, options: Options) -> tuple[Question, ...]:
        """Return the questions that are asked once, before the questions to the seats, such as how many deals."""
        rounds = self.definition.rounds
        return (*([rounds.question] if rounds else []), *_with_option_defaults(self.definition.before, options))

    def seat_questions(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        """Return the questions that every seat is asked: round by round, then the ones about the whole game.

        `common` holds the answers to the questions of `opening_questions`.
        """
        return self._questions(common, is_asked=True)

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        """Return the boxes of a seat that nobody is asked for: computed ones, and the ones that are only printed.

        A seat's answers may contain them, by their keys, if they are filled in on a sheet.
        """
        return self._questions(common, is_asked=False)

    def computed_boxes(self, tally: Tally) -> Mapping[str, Question]:
        """Return the boxes that need no question, by key: the score and the boxes of `sums`, unless they are asked."""
        asked_keys = {question.key for question in self.seat_questions(tally.options, tally.common)}
        return {box.key: box for box in (SCORE, *self.sums(tally.options, tally.common)) if box.key not in asked_keys}

    def closing_questions(self, tally: Tally) -> tuple[Question, ...]:  # noqa: ARG002
        """Return the questions that are asked once, after the questions to the seats, such as how the game ended.

        How it ended has a default answer only if the winners are certain; scores alone do not say whether people who
        play together have won.
        """
        return (WON_OR_LOST,) if self.definition.win == "co-op" else self.definition.after

    def tally(self, options: Options, seats: int, answer_questions: AnswerFunction) -> Tally:
        """Ask the opening questions, the questions to each seat and the closing questions, and return the answers."""
        common = answer_questions(None, self.opening_questions(options)).answers
        questions = self.seat_questions(options, common)
        tally = Tally(options, tuple(answer_questions(seat, questions) for seat in range(seats)), common)
        return replace(tally, common={**common, **answer_questions(None, self.closing_questions(tally)).answers})

    def derive_answer(
        self, key: str, options: Options, common: Mapping[str, Answer], boxes: Mapping[str, str]  # noqa: ARG002
    ) -> int | None:  # fmt: skip
        """Return the answer to the opening question `key` that other rows of a sheet imply; None if they do not.

        `boxes` holds the texts in all boxes of the first seat, by their keys.
        """
        return None

    def seat_doubts(self, seats: int, options: Options) -> Doubts:
        """Yield a doubt if this number of seats cannot have played under the options."""
        fewest, most = self.game.seats_under(options) if self.game else self.info.seats
        if not fewest <= seats <= most:
            player_range = f"{fewest} to {most} players" if fewest < most else format_count(most, "player")
            sentence = Sentence("{v0} is for {v1}, and {v2} took part.", values=(self.title, player_range, seats))
            yield Doubt(sentence, self.definition.rulings)

    def doubts(self, tally: Tally) -> Doubts:
        """Yield a doubt for everything that cannot be true in a tally with answers to all questions."""
        yield from self.seat_doubts(len(tally.seats), tally.options)
        yield from self.compute_scores(tally).find_doubts()
        yield from self.find_rule_doubts(tally)
        yield from self.miscounts(tally)
        if self.definition.win == "chosen" and not self.outcome(tally).winners:
            yield doubt("", "Nobody is said to have won.")

    def find_rule_doubts(self, tally: Tally) -> Doubts:  # noqa: ARG002
        """Yield the doubts that follow from rulings which no definition can express; none by default."""
        return iter(())

    def miscounts(self, tally: Tally) -> Doubts:
        """Yield a doubt for each written sum or score that differs from the one computed from the other boxes."""
        computed, outcome, boxes = self.compute_scores(tally), self.outcome(tally), self.computed_boxes(tally).values()
        for seat, parts in enumerate(outcome.scores):
            score = {SCORE.key: outcome.score(seat)} if self.game or "score" in parts else {}
            computed_values = {**score, **parts, **computed.numbers(seat, self.definition.computed_columns)}
            for box in boxes:
                answer, computed_value = tally.seats[seat].answers.get(box.key), computed_values.get(box.key)
                if isinstance(answer, int | float) and computed_value is not None and answer != computed_value:
                    computed_words = f"make {computed_value}" if computed_value else "are empty, or make 0"
                    values = (box.title, str(answer), computed_words)
                    yield Doubt(Sentence(_MISCOUNTED, (seat,), (), values), box.rulings)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome, with kinds, score parts, ranks and facts like the ones of a game played here.

        A tally with doubts has an outcome, too, so that it can be recorded nevertheless.
        """
        winning_rule, computed, seats = self.definition.win, self.compute_scores(tally), tuple(range(len(tally.seats)))
        parts = tuple(map(computed.parts, seats))
        if winning_rule == "co-op":
            kind = "won" if tally.common.get(WON_OR_LOST.key) == "won" else "lost"
            reason = Sentence(f"{{seats}} {has_or_have(seats)} {kind}.", seats)
            return Outcome(kind, seats if kind == "won" else (), reason, (), parts, (1,) * len(seats))
        standings = [computed.value(self.definition.score, seat) for seat in seats]
        ranks = rank_standings([-standing for standing in standings] if winning_rule == "lowest" else standings)
        best_score = to_number(standings[first_ranked(ranks)[0]])
        if winning_rule == "chosen":
            winners = first_ranked(ranks) if best_score else ()
            reason = _outcome_reason(winners, best_score, winning_rule)
            return Outcome("winner" if winners else "nobody", winners, reason, (), parts, ranks)
        if len(seats) == 1:  # no opponent to win against
            reason = Sentence("{s0} played alone and scored {v0}.", seats, (), (best_score,))
            return Outcome("solo", (), reason, (), parts, ranks)
        winners = first_ranked(ranks)
        if len(winners) == len(seats):
            reason = Sentence("{seats} are level with {v0}, and nobody has won.", seats, (), (best_score,))
            return Outcome("drawn", (), reason, (), parts, ranks)
        return Outcome("score", winners, _outcome_reason(winners, best_score, winning_rule), (), parts, ranks)

    def tables(self, tally: Tally, outcome: Outcome) -> tuple[Table, ...]:
        """Return the tables of a finished game's scores, for the terminal and for notes."""
        return self.game.score_tables(outcome) if self.game else tuple(self.compute_scores(tally).tables())

    def ending(self, kind: str) -> str:
        """Return a kind of outcome in a few words."""
        return self.game.ending(kind) if self.game else ENDINGS.get(kind, kind.capitalize())

    def cards(self, tally: Tally) -> Sequence[str]:  # noqa: ARG002
        """Return the ids of the important cards that a tally mentions; none by default."""
        return ()

    def compute_scores(self, tally: Tally) -> ComputedScores:
        """Return the values of all columns of a tally. Raises ScoreError if a formula cannot be evaluated."""
        return ComputedScores(self.definition, tally, self.where)

    def _questions(self, common: Mapping[str, Answer], *, is_asked: bool) -> tuple[Question, ...]:
        """Return the boxes that are asked, or the ones that are not, as questions: by round, then of the whole game."""
        definition = self.definition
        columns = [column for column in definition.columns if column.is_asked == is_asked]
        boxes = sorted(definition.boxes(columns, common), key=lambda box: box[1] or MAX_ROUNDS + 1)
        return tuple(definition.question(column, round_number, common) for column, round_number in boxes)


ENDINGS = {
    "score": "The scores decide", "winner": "There is a winner", "drawn": "All are level", "won": "All have won",
    "lost": "All have lost", "nobody": "Nobody has won", "solo": "Played alone",
}  # fmt: skip
"""The kinds of outcome of a game that is known only by its score sheet."""
WON_OR_LOST = Question("outcome", "Won or lost?", choices={kind: ENDINGS[kind] for kind in ("won", "lost")})
"""The question of games in which all players win or lose together."""


def _outcome_reason(winners: tuple[Seat, ...], best_score: Score, winning_rule: str) -> Sentence:
    if not winners:
        return Sentence("Nobody has won.")
    if winning_rule == "chosen":
        return Sentence(f"{{seats}} {has_or_have(winners)} won.", winners)
    if len(winners) > 1:
        return Sentence("{seats} share the win with {v0}.", winners, (), (best_score,))
    return Sentence(f"{{seats}} has the {winning_rule} score, {{v0}}.", winners, (), (best_score,))


def _with_option_defaults(questions: Iterable[Question], options: Options) -> tuple[Question, ...]:
    """Return the questions, each with the value of the option of its key, if there is one, as the default answer."""
    return tuple(question.replace_fields(default=options.get(question.key, question.default)) for question in questions)


def has_or_have(seats: Sequence[Seat]) -> str:
    """Return `have` for several seats, else `has`."""
    return "have" if len(seats) > 1 else "has"


_MISCOUNTED = "{v0}: {s0} has written down {v1}, and the other boxes {v2}."


Thing = TypeVar("Thing", bound=Hashable)
Owner = TypeVar("Owner", bound=Hashable)
Share = Sequence[frozenset[Thing]]
"""The possible sets of things of one owner, such as all sets with a given total; there is only one of each thing."""


def group_subsets(
    things: Collection[Thing], total: Callable[[frozenset[Thing]], Hashable]
) -> Mapping[Any, Share[Thing]]:
    """Return all subsets of the things, including the empty one, grouped by the value that `total` gives them."""
    subsets = (frozenset(subset) for size in range(len(things) + 1) for subset in combinations(things, size))
    return group((total(subset), subset) for subset in subsets)


def is_divisible(shares: Collection[Share[Thing]], used: frozenset[Thing] = frozenset()) -> bool:
    """Return whether a set can be chosen from each share so that they overlap neither each other nor `used`.

    The search is exhaustive.
    """
    if not shares:
        return True
    smallest_share, *other_shares = sorted(shares, key=len)
    return any(used.isdisjoint(things) and is_divisible(other_shares, used | things) for things in smallest_share)


def find_conflict(shares: Mapping[Owner, Share[Thing]]) -> tuple[Owner, ...]:
    """Return the smallest group of owners whose shares cannot all be true, the first of that size; () if all can."""
    groups = (owners for size in range(1, len(shares) + 1) for owners in combinations(shares, size))
    return next((owners for owners in groups if not is_divisible([shares[owner] for owner in owners])), ())
