"""A game as people wrote it down, and the tally of its answers to the questions of a score sheet."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from vaultkit.campaign.scoresheets.answer_parser import is_blank, parse_answer, split_row
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.messages import Score, Seat
from vaultkit.games.options import Options
from vaultkit.games.question import Answer, Question
from vaultkit.games.scoresheet import SCORE, WON_OR_LOST, ScoreSheet, SeatTally, Tally
from vaultkit.spelling import did_you_mean
from vaultkit.text import group, join_words, lookalike_key, name_sort_key


@dataclass(frozen=True, slots=True)
class PaperWords:
    """Words that a person wrote, and their place as `FILE:LINE`; "" for words from the command line."""

    text: str
    where: str = ""


@dataclass(frozen=True)
class PaperSeat:
    """One player of a game that people wrote down.

    `said` maps keys of questions (`swords.total`) or of rows (`swords`) to the words written there. `where` is the
    place of the player's entry. `typed` means that the name was typed into a printed sheet, not printed with it.
    """

    name: str
    said: Mapping[str, PaperWords] = field(default_factory=dict)
    where: str = ""
    typed: bool = False


@dataclass(frozen=True)
class Flags:
    """The flags of one run of `log` that describe the game."""

    game: str | None = None
    scores: Sequence[str] = ()
    seats: Sequence[str] = ()
    files: Sequence[Path] = ()
    options: Sequence[str] = ()
    outcome: str | None = None
    date: str | None = None
    note: str = ""
    campaign: str | None = None
    force: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether no flag is set, except for the campaign."""
        return self == Flags(campaign=self.campaign)


@dataclass(frozen=True)
class PaperRecord:
    """A game as it was written down; what is missing is empty. `common` are the answers that hold for all players.

    `session` is the name that the sheets give the evening, or the id of the game that they were printed for. `labels`
    are the titles of the boxes on printed sheets, by the boxes' names. A `printed` record may have boxes that no
    question asks for. `remarks` are sentences for the GM.
    """

    game: str = ""
    date: PaperWords | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    common: Mapping[str, PaperWords] = field(default_factory=dict)
    seats: tuple[PaperSeat, ...] = ()
    note: str = ""
    session: str = ""
    where: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    printed: bool = False
    flags: Flags = Flags()

    @property
    def has_scores(self) -> bool:
        """Whether scores were given, so that nobody has to be asked for them."""
        return bool(self.seats or self.where)


def refusal(message: str, where: str, hint: str = "") -> VaultkitError:
    """Return the error for words that cannot be used: InvalidError with the place in a file, else UsageError."""
    return InvalidError(message, where=where, hint=hint) if where else UsageError(message, hint=hint)


@contextmanager
def locate_errors(where: str, name: str = "") -> Iterator[None]:
    """Add the place `where`, and a player's `name`, to a UsageError that is raised within the context."""
    try:
        yield
    except UsageError as error:
        raise refusal(f"{name}: {error.message}" if name else error.message, where, error.hint) from error


Tell = Callable[[str], object]
"""A function that is called with each note for the GM."""


def build_tally(record: PaperRecord, sheet: ScoreSheet, options: Options, tell: Tell = lambda _: None) -> Tally:
    """Return the tally of a written record; pass notes on omitted answers to `tell`.

    Raises UsageError, or InvalidError with file and line, for an invalid or a missing answer.
    """
    return _RecordReader(record, sheet, options, tell).to_tally()


class _RecordReader:
    """A reader that answers the questions of a sheet from one record."""

    def __init__(self, record: PaperRecord, sheet: ScoreSheet, options: Options, tell: Tell) -> None:
        self.written, self.sheet, self.options, self.tell = record, sheet, options, tell
        self.unused_words, self.common, self.rounds = dict(record.common), dict[str, Answer](), sheet.definition.rounds
        columns = filter(sheet.definition.is_per_round, sheet.definition.columns)
        self.round_columns = {name for column in columns for name in (column.key, lookalike_key(column.label))}
        self.filled_keys = list[set[str]]()  # by seat, the keys of the boxes that are not blank

    def to_tally(self) -> Tally:
        tally = self.sheet.tally(self.options, len(self.written.seats), self._answer_questions)
        self._refuse_missing_scores(tally)
        self._refuse_unused_words(self.sheet.closing_questions(tally))
        return tally

    def _refuse_unused_words(self, closing_questions: Sequence[Question]) -> None:
        """Raise UsageError or InvalidError for words that answer no question about the whole game."""
        for key, words in () if self.written.printed else self.unused_words.items():
            if key in self._group_by_name(self.sheet.seat_questions(self.options, self.common)):
                raise refusal(f"'{key}' is asked of each player.", words.where, f'Write: --score "NAME: {key}=..."')
            if key == WON_OR_LOST.key:
                raise refusal(f"The scores decide how {self.sheet.title} ended.", words.where, "Leave the outcome out.")
            if not (questions := (*self.sheet.opening_questions(self.options), *closing_questions)):
                raise refusal(f"'{key}' is not a player's score.", words.where, 'Write: --score "NAME: ..."')
            raise self._unknown_key_error(key, words, questions)

    def _answer_questions(self, seat: Seat | None, questions: Sequence[Question]) -> SeatTally:
        if seat is not None:
            return self._answer_for_seat(self.written.seats[seat], questions)
        answers, self.unused_words = self._match_words(self.unused_words, self._group_by_name(questions))
        table_ids = self.sheet.definition.table_ids
        for question in questions:
            words = answers.get(question.key)
            if words is None or ((question.choices or question.key in table_ids) and is_blank(words.text)):
                self.common[question.key] = self._default_answer(question)
            else:
                self.common[question.key] = _parse_paper_words(question, words)[0]
        return SeatTally(self.common)

    def _default_answer(self, question: Question) -> Answer:
        """Return the answer to an unanswered question: a number, or the ending if all endings have the same winners.

        Raises UsageError or InvalidError, with the flags that answer it, for an ending that decides who has won, and
        for a column of the table that needs an answer.
        """
        if question.key in self.sheet.definition.table_ids:
            if question.default is not None:
                return question.default
            hint = f'Add --score "{question.key}=...". Accepted: {question.accepted}.'
            raise refusal(f"{question.label}: nobody said.", self.written.where, hint)
        if not question.choices:
            return self._infer_count(question)
        if question.default is not None:
            ending = question.choices[str(question.default)]
            self.tell(f"{question.title} No outcome was given, and the scores decide who has won: {ending}.")
            return question.default
        self._refuse_unused_words((question,))
        flags = (f"--{question.key} {choice} ({words})" for choice, words in question.choices.items())
        message = f"{question.title} The scores do not decide that, and no outcome was given."
        raise refusal(message, self.written.where, f"Add {join_words(flags, 'or')}.")

    def _answer_for_seat(self, seat: PaperSeat, seat_questions: Sequence[Question]) -> SeatTally:
        """Return a seat's answers, including the sums that were written beside them.

        Raises UsageError or InvalidError for a key that the score sheet does not have, or an invalid answer.
        """
        sum_questions = {question.key: [question] for question in (SCORE, *self.sheet.sums(self.options, self.common))}
        names = sum_questions | self._group_by_name(seat_questions)
        answers, unmatched_words = self._match_words(seat.said, names, seat.name)
        if unmatched_words and not self.written.printed:
            raise self._unknown_key_error(*next(iter(unmatched_words.items())), seat_questions)
        labels, unknown_boxes = self.written.labels, self._unknown_boxes(unmatched_words, seat_questions)
        if own_box := next(filter(labels.__contains__, unknown_boxes), ""):
            message = f"This sheet has a row of your own, '{labels[own_box]}', which the rules do not know."
            hint = "Leave that box empty, and mention it with --note instead."
            raise InvalidError(message, where=self.written.where, hint=hint)
        filled = {key for key, words in answers.items() if not is_blank(words.text)}
        self.filled_keys.append(filled)
        missing = PaperWords("", seat.where)
        questions = (*seat_questions, *(question for [question] in sum_questions.values() if question.key in filled))
        return SeatTally.from_answers(
            (question.key, _parse_paper_words(question, answers.get(question.key, missing), seat.name))
            for question in questions
        )

    def _refuse_missing_scores(self, tally: Tally) -> None:
        """Raise UsageError or InvalidError for a player without any score, if scores decide who wins.

        A missing score does not count as 0. If the lowest score wins, a player with nothing in a round that others
        filled in is refused, too, if the empty round makes the player's score lower.
        """
        if (win := self.sheet.definition.win) not in ("highest", "lowest"):
            return
        round_keys = {self._round_key(key) for filled in self.filled_keys for key in filled} - {""}
        rounds = sorted(round_keys, key=name_sort_key) if win == "lowest" else ()
        for seat_index, (seat, filled) in enumerate(zip(self.written.seats, self.filled_keys, strict=True)):
            if not filled:
                hint = "Write a 0 in one box of a player who has 0, and leave out the name of one who did not play."
                raise refusal(f"{seat.name} has no score: nothing is written down.", seat.where, hint)
            missing_rounds = (key for key in rounds if key not in map(self._round_key, filled))
            if missing_round := next((key for key in missing_rounds if self._lowers_score(tally, seat_index, key)), ""):
                message = f"{seat.name} has nothing in {missing_round.replace('.', ' ')}, and the lowest score wins."
                raise refusal(message, seat.where, "Write a 0 where a player has 0, and a score where one is missing.")

    def _lowers_score(self, tally: Tally, seat: Seat, missing_round: str) -> bool:
        """Return whether the seat's score is lower because the boxes of `missing_round` are empty."""
        answers, seats, score = tally.seats[seat].answers, tally.seats, self.sheet.definition.score
        round_answers = {key: answer for key, answer in answers.items() if self._round_key(key) == missing_round}
        raised_answers = {key: item + 1 for key, item in round_answers.items() if not isinstance(item, str)}
        raised_seats = (*seats[:seat], SeatTally({**answers, **raised_answers}), *seats[seat + 1 :])
        raised_tally = replace(tally, seats=raised_seats)
        value, raised_value = (self.sheet.compute_scores(item).value(score, seat) for item in (tally, raised_tally))
        return value < raised_value

    def _round_key(self, key: str) -> str:
        """Return the key of a box's round, `deal.3` for `deal.3.points`; "" for a box of the whole game."""
        row, _, column = key.rpartition(".")
        return row if self.rounds and column and re.fullmatch(rf"{re.escape(self.rounds.id)}\.\d+", row) else ""

    def _unknown_boxes(self, unmatched_keys: Iterable[str], seat_questions: Sequence[Question]) -> Iterator[str]:
        """Yield the `unmatched_keys` that no part of the score sheet has.

        Keys of rounds or lines that this game did not use are left out.
        """
        prefixes = set(map(self._number_prefix, self.sheet.opening_questions(self.options)))
        rows = {question.row for question in seat_questions}
        for key in unmatched_keys:
            if key.partition(".")[0] not in prefixes or key.rpartition(".")[0] in rows:
                yield key

    def _infer_count(self, question: Question) -> Answer:
        """Return the number that the seats' answers imply: the number of rounds, or the number of the line filled in.

        Raises UsageError or InvalidError if there are too many rounds, or several lines where one is expected.
        """
        seats, default = self.written.seats, question.default_answer
        boxes = {key: words.text for seat in seats[:1] for key, words in seat.said.items()}
        derived_answer = self.sheet.derive_answer(question.key, self.options, self.common, boxes)
        if derived_answer is not None:
            return derived_answer
        max_number = question.most or 1
        numbers = {number for seat in seats for number in self._find_numbers(question, seat)}
        if self.rounds and max(numbers, default=0) > max_number:
            limit = f"{self.sheet.title} has {max_number} {self.rounds.several} at most"
            message = f"{limit}, and {max(numbers)} are written down."
            raise refusal(message, seats[0].where, "Log the rest as a separate game.")
        numbers = {number for number in numbers if number <= max_number}
        if len(numbers) > 1 and not self.rounds:
            hint = f'Choose one with: --score "{question.key}={default}". The others are logged one after the other.'
            raise refusal(f"{question.title} More than one is filled in.", seats[0].where, hint)
        return max(numbers, default=default)

    def _find_numbers(self, question: Question, seat: PaperSeat) -> Iterator[int]:
        """Yield the round or line numbers in a seat's keys (2 in `deal.2.tricks`), and the part counts of columns.

        A column such as `tricks=6/3` has 2 parts.
        """
        numbered = re.compile(rf"{self._number_prefix(question)}\.([0-9]{{1,3}})(?:\.|$)")
        for key, words in seat.said.items():
            if match := numbered.match(key):
                yield int(match[1])
            elif key in self.round_columns:
                yield words.text.count("/") + 1

    def _number_prefix(self, question: Question) -> str:
        """Return the prefix of numbered keys that belongs to a question: `deal` for `deals`."""
        return self.rounds.id if self.rounds else question.key

    def _group_by_name(self, questions: Sequence[Question]) -> dict[str, list[Question]]:
        """Return the questions by each name that a person may use for them: key, row, column or label.

        A label that is also the id of a column stands only for that column.
        """
        pairs = []
        for question in questions:
            column = question.key.rpartition(".")[2] if self.rounds else question.key
            columns = self.sheet.definition.by_id
            names = {question.key, question.row, column, lookalike_key(columns.get(column, question).label)}
            pairs += [(name, question) for name in names if name in (question.key, column) or name not in columns]
        return group(pairs)

    def _unknown_key_error(self, key: str, words: PaperWords, questions: Sequence[Question]) -> VaultkitError:
        """Return the error for a key that no question has, listing the keys that exist."""
        if (column := self.sheet.definition.by_id.get(key)) and column.formula:
            return refusal(f"'{key}' follows from the other columns.", words.where, "Leave it out.")
        by_column = self.rounds and not self.sheet.game
        rows = group((item.key.rpartition(".")[2] if by_column else item.row, item) for item in questions)
        row_texts = [_format_row(row, items[:1] if by_column else items) for row, items in rows.items()]
        listed, ellipsis = "; ".join(row_texts[:12]) or "nothing", " ..." if len(row_texts) > 12 else ""
        names = (*rows, *(question.key for question in questions))
        hint = did_you_mean(key, names, suffix=f"It asks for: {listed}{ellipsis}.")
        return refusal(f"The score sheet has no '{key}'.", words.where, hint)

    def _match_words(
        self, words_by_key: Mapping[str, PaperWords], names: Mapping[str, Sequence[Question]], name: str = ""
    ) -> tuple[dict[str, PaperWords], dict[str, PaperWords]]:
        """Return the answers by the keys of questions, with rows split, and the words that answer no question.

        Raises UsageError or InvalidError, with `name`, for a row with too many parts, and for a question answered
        twice.
        """
        answers, unmatched_words = dict[str, PaperWords](), dict[str, PaperWords]()
        for key, words in words_by_key.items():
            if not (questions := names.get(key) or names.get(key.replace(" ", "_"))):
                unmatched_words[key] = words
                continue
            with locate_errors(words.where, name):
                pairs, part_count = split_row(questions, words.text), words.text.count("/") + 1
                if self.rounds and key in self.round_columns and part_count < len(pairs) and not pairs[-1][1]:
                    expected_count = f"{len(questions)} {self.rounds.several}"
                    self.tell(f"{name} has {part_count} of {expected_count} written down in {key}: the rest are empty.")
                for question, part in pairs:
                    if question.key in answers:
                        raise UsageError(f"'{question.key}' appears twice.", hint="Say it once.")
                    answers[question.key] = PaperWords(part, words.where)
        return answers, unmatched_words


def _parse_paper_words(question: Question, words: PaperWords, name: str = "") -> tuple[Answer, tuple[Score, ...]]:
    """Return the answer and its summands.

    Raises UsageError or InvalidError, with `name` and place, for an invalid answer.
    """
    with locate_errors(words.where, name):
        return parse_answer(question, words.text)


def _format_row(row: str, questions: Sequence[Question]) -> str:
    """Return a row in the form in which it is written: `swords=total/heroes`, `forfeited=no or yes`."""
    parts = [question.key.rpartition(".")[2] for question in questions]
    values = "/".join(parts) if len(parts) > 1 else " or ".join(questions[0].choices)
    return f"{row}={values}" if values else row
