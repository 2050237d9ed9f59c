"""The score sheet of a game: its questions, checks of the answers, and the outcome that follows from them.

A `Definition` describes a sheet as data; the five built-in games add code where a ruling needs it. A `Tally` holds
what people wrote on the sheet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from vaultkit.games.computed_scores import ComputedScores
from vaultkit.games.definition import MAX_ROUNDS, Definition
from vaultkit.games.definition_reader import definition_id, raw_definition
from vaultkit.games.game import AnyGame
from vaultkit.games.game_info import GameInfo
from vaultkit.games.messages import Outcome, Score, Seat, SeatName, Sentence, Table, first_ranked, rank_standings
from vaultkit.games.options import Option, Options
from vaultkit.games.question import Answer, Column, Question, to_number
from vaultkit.schema import Path
from vaultkit.text import format_range


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


SCORE = Column("score", "Score", least=-999_999, asked=False)
"""The box for a seat's final score, which follows from the other boxes but may be filled in as well."""


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
        rounds, table_columns = self.definition.rounds, filter(lambda column: column.is_asked, self.definition.table)
        return (
            *table_columns,
            *([rounds.question] if rounds else []),
            *_with_option_defaults(self.definition.before, options),
        )

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
            players = format_range(fewest, most, "player")
            sentence = Sentence("{v0} is for {v1}, and {v2} took part.", values=(self.title, players, seats))
            yield Doubt(sentence, self.definition.rulings)

    def doubts(self, tally: Tally) -> Doubts:
        """Yield a doubt for everything that cannot be true in a tally with answers to all questions."""
        yield from self.seat_doubts(len(tally.seats), tally.options)
        computed = self.compute_scores(tally)
        yield from (Doubt(*finding) for finding in computed.find_impossible(tally.options))
        if fault := computed.target_fault():
            yield doubt("", fault)
        if computed.is_team(computed.seats):
            yield doubt("", "All players are on one team, and nobody plays against them.")
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
        parts, facts = tuple(map(computed.parts, seats)), tuple(computed.facts())
        if winning_rule == "co-op":
            kind = "won" if tally.common.get(WON_OR_LOST.key) == "won" else "lost"
            reason = Sentence(f"{{seats}} {has_or_have(seats)} {kind}.", seats)
            return Outcome(kind, seats if kind == "won" else (), reason, (), parts, (1,) * len(seats), facts)
        ranks = rank_standings(computed.standings())
        kind, winners, reason = _find_winners(computed, first_ranked(ranks), winning_rule)
        return Outcome(kind, winners, reason, (), parts, ranks, facts)

    def tables(self, tally: Tally, outcome: Outcome) -> tuple[Table, ...]:
        """Return the tables of a finished game's scores, for the terminal and for notes."""
        return self.game.score_tables(outcome) if self.game else tuple(self.compute_scores(tally).tables())

    def title_of(self, tally: Tally) -> str:
        """Return the title of the game that was played: the sheet's, or the one that was written down."""
        return str(tally.common.get(self.definition.title_from) or self.title)

    def ending(self, kind: str) -> str:
        """Return a kind of outcome in a few words."""
        return self.game.ending(kind) if self.game else ENDINGS.get(kind, kind.capitalize())

    def cards(self, tally: Tally) -> Sequence[str]:  # noqa: ARG002
        """Return the ids of the important cards that a tally mentions; none by default."""
        return ()

    def compute_scores(self, tally: Tally) -> ComputedScores:
        """Return the values of all columns of a tally. Raises ScoreError if a formula cannot be evaluated."""
        return ComputedScores(self.definition, [seat.answers for seat in tally.seats], tally.common, self.where)

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


def _find_winners(
    computed: ComputedScores, best: tuple[Seat, ...], winning_rule: str
) -> tuple[str, tuple[Seat, ...], Sentence]:
    """Return the kind of outcome, the winners, and the reason; `best` are the seats with the best standing."""
    best_value = max(computed.standings())[0]
    if winning_rule == "chosen":
        winners = best if best_value else ()
        words = f"{{seats}} {has_or_have(winners)} won." if winners else "Nobody has won."
        return "winner" if winners else "nobody", winners, Sentence(words, winners)
    score = to_number(-best_value if winning_rule == "lowest" else best_value)
    if len(computed.seats) == 1:  # no opponent to win against
        return "solo", (), Sentence("{s0} played alone and scored {v0}.", best, (), (score,))
    is_team = computed.is_team(best)
    if len(best) == len(computed.seats) and not is_team:
        return "drawn", (), Sentence("{seats} are level with {v0}, and nobody has won.", best, (), (score,))
    words = "{seats} win together with {v0}" if is_team else "{seats} share the win with {v0}"
    words = words if len(best) > 1 else f"{{seats}} has the {winning_rule} score, {{v0}}"
    if tie := computed.explain_tie(best):
        return "score", best, Sentence(f"{words}: of equal scores, {{v1}} decides.", best, (), (score, tie))
    return "score", best, Sentence(f"{words}.", best, (), (score,))


def _with_option_defaults(questions: Iterable[Question], options: Options) -> tuple[Question, ...]:
    """Return the questions, each with the value of the option of its key, if there is one, as the default answer."""
    return tuple(question.replace_fields(default=options.get(question.key, question.default)) for question in questions)


def has_or_have(seats: Sequence[Seat]) -> str:
    """Return `have` for several seats, else `has`."""
    return "have" if len(seats) > 1 else "has"


_MISCOUNTED = "{v0}: {s0} has written down {v1}, and the other boxes {v2}."
