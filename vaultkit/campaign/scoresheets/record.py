"""A game as people wrote it down, and the answers parsed from texts such as `23`, `8+9`, `23/1`, `yes` or nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from unicodedata import category

from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.options import Options
from vaultkit.games.question import Answer, Question, exact, plain
from vaultkit.games.scoresheet import SCORE, WON_OR_LOST, ScoreSheet, SeatTally, Tally
from vaultkit.games.words import Score, Seat
from vaultkit.grouping import group
from vaultkit.sorting import lookalike_key, name_order
from vaultkit.spelling import did_you_mean
from vaultkit.vault.writing.escape import clean
from vaultkit.wording import listing


@dataclass(frozen=True, slots=True)
class PaperWords:
    """Words that a person wrote, and their place as `FILE:LINE`; "" for words from the command line."""

    text: str
    where: str = ""


@dataclass(frozen=True)
class PaperSeat:
    """One player's words by the keys of questions (`swords.total`) or of rows (`swords`).

    `typed` means that the name was typed into a printed sheet, not printed with it.
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
    def nothing(self) -> bool:
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
    def is_written(self) -> bool:
        """Whether scores were given, so that nobody has to be asked for them."""
        return bool(self.seats or self.where)


def refusal(message: str, where: str, hint: str = "") -> VaultkitError:
    """Return the error for words that cannot be used: InvalidError with the place in a file, else UsageError."""
    return InvalidError(message, where=where, hint=hint) if where else UsageError(message, hint=hint)


@contextmanager
def placed(where: str, name: str = "") -> Iterator[None]:
    """Add the place `where`, and a player's `name`, to a UsageError that is raised within the context."""
    try:
        yield
    except UsageError as error:
        raise refusal(f"{name}: {error.message}" if name else error.message, where, error.hint) from error


_NUMBER = re.compile(r"-?(?:\d{1,6}(?:\.\d{1,2})?|\.\d{1,2})")
_HALF = re.compile(r"\s*½")
_YES_NO = {"y": "yes", "true": "yes", "x": "yes", "n": "no", "false": "no"}


def is_blank(text: str) -> bool:
    """Return whether nothing is written: no visible character, or only dashes, as in a box that was struck out."""
    return not _plain(text).strip("-")


def answer(question: Question, text: str) -> tuple[Answer, tuple[Score, ...]]:
    """Return the answer that `text` gives, and its summands if it is a sum.

    A blank text gives the question's default. A number above `most` is accepted, since the game itself reports doubtful
    scores. Raises UsageError.
    """
    if is_blank(text):
        if question.default is None:
            raise _unclear(question, "an answer is missing")
        return question.default, ()
    if question.choices:
        return _choice(question, clean(text)), ()
    return (clean(text), ()) if question.words else _number(question, _plain(text))


def row_parts(questions: Sequence[Question], text: str) -> list[tuple[Question, str]]:
    """Split a text such as `23/1` into parts for the questions of a row; missing parts are "".

    Raises UsageError if there are more parts than questions.
    """
    parts = [part.strip() for part in text.split("/")] if len(questions) > 1 else [text]
    if len(parts) > len(questions):
        hint = f"They are {row_title(questions)}; leave out what else the sheet has in that row."
        raise UsageError(f"'{text}' has {len(parts)} parts, and {len(questions)} are asked for.", hint=hint)
    return list(zip(questions, parts + [""] * (len(questions) - len(parts)), strict=True))


def together(questions: Iterable[Question]) -> Iterator[tuple[Question, ...]]:
    """Group questions into lines: the plain numbers of a row share one, as in `23/1`; others stand alone."""
    for _, row in groupby(questions, key=lambda one: one.key if one.choices or one.words else one.row):
        yield tuple(row)


def row_title(questions: Sequence[Question]) -> str:
    """Return the question of a row, such as `Swords: total of numbers / heroes` for titles that begin alike."""
    heads, _, tails = zip(*(question.title.partition(", ") for question in questions), strict=True)
    if len(questions) > 1 and len(set(heads)) == 1 and all(tails):
        return f"{heads[0]}: {' / '.join(tails)}"
    return " / ".join(question.title for question in questions)


def _choice(question: Question, said: str) -> str:
    """Return the choice that is meant, by its name, its words or the beginning of either.

    Raises UsageError if none or several fit.
    """
    wanted = lookalike_key(said)
    if set(question.choices) == {"yes", "no"}:
        wanted = _YES_NO.get(wanted, wanted)
    named = {name: {lookalike_key(name), lookalike_key(words)} for name, words in question.choices.items()}
    found = [name for name, words in named.items() if wanted in words]
    found = found or [name for name, words in named.items() if any(word.startswith(wanted) for word in words)]
    if len(found) == 1:
        return found[0]
    raise _unclear(question, f"'{said}' {'may mean several' if found else 'is not one of them'}")


def read_number(text: str) -> list[Fraction]:
    """Return the summands of a text such as `8+9`, in digits of any script; [] if it is not a number."""
    terms = [_HALF.sub(".5", term).strip().replace(",", ".") for term in _plain(text).removeprefix("+").split("+")]
    return list(map(Fraction, terms)) if all(map(_NUMBER.fullmatch, terms)) else []


def _number(question: Question, said: str) -> tuple[Score, tuple[Score, ...]]:
    if not (numbers := read_number(said)):
        is_long = re.fullmatch(r"[-+]?\d{7,}", said)
        raise _unclear(question, f"'{said}' is {'too large' if is_long else 'not a number'}")
    total = sum(numbers, Fraction(0))
    if total < exact(question.least):
        raise _unclear(question, f"{said} is less than {question.least}")
    step = exact(question.step)
    if not question.has_value(total) or any(one % step and not question.has_value(one) for one in numbers):
        offset = "" if question.has_value(Fraction(0)) else f" from {question.least}"
        raise _unclear(question, f"'{said}' is not {question.kind}{offset}")
    if question.limit is not None and total > question.limit:
        raise _unclear(question, f"{said} is more than {question.limit}")
    return plain(total), tuple(map(plain, numbers)) if len(numbers) > 1 else ()


def _unclear(question: Question, why: str) -> UsageError:
    return UsageError(f"{question.called}: {why}.", hint=f"Accepted: {question.accepted}.")


def _plain(text: str) -> str:
    """Return the text on one line, with plain hyphens and without invisible characters."""
    return re.sub("[\u2010-\u2015\u2212]", "-", "".join(sign for sign in clean(text) if category(sign) != "Cf")).strip()


Tell = Callable[[str], object]


def understand(written: PaperRecord, sheet: ScoreSheet, options: Options, tell: Tell = lambda _: None) -> Tally:
    """Return the tally of a written record; pass notes on omitted answers to `tell`.

    Raises UsageError, or InvalidError with file and line, for an invalid or a missing answer.
    """
    return _Reading(written, sheet, options, tell).all()


class _Reading:
    """A reader that answers the questions of a sheet from one record."""

    def __init__(self, written: PaperRecord, sheet: ScoreSheet, options: Options, tell: Tell) -> None:
        self.written, self.sheet, self.options, self.tell = written, sheet, options, tell
        self.left, self.common, self.rounds = dict(written.common), dict[str, Answer](), sheet.definition.rounds
        each = filter(sheet.definition.is_each, sheet.definition.columns)
        self.round_columns = {name for one in each for name in (one.key, lookalike_key(one.called))}
        self.filled = list[set[str]]()  # by seat, the keys of the boxes that are not blank

    def all(self) -> Tally:
        tally = self.sheet.tally(self.options, len(self.written.seats), self._answers)
        self._refuse_missing(tally)
        self._refuse_left(self.sheet.last(tally))
        return tally

    def _refuse_left(self, last: Sequence[Question]) -> None:
        """Raise UsageError or InvalidError for words that answer no question about the whole game.

        `last` are the questions that follow the players' answers.
        """
        for key, words in () if self.written.printed else self.left.items():
            if key in self._names(self.sheet.each(self.options, self.common)):
                raise refusal(f"'{key}' is asked of each player.", words.where, f'Write: --score "NAME: {key}=..."')
            if key == WON_OR_LOST.key:
                raise refusal(f"The scores decide how {self.sheet.title} ended.", words.where, "Leave the outcome out.")
            if not (questions := (*self.sheet.first(self.options), *last)):
                raise refusal(f"'{key}' is nobody's score.", words.where, 'Write: --score "NAME: ..."')
            raise self._unknown(key, words, questions)

    def _answers(self, seat: Seat | None, questions: Sequence[Question]) -> SeatTally:
        if seat is not None:
            return self._seat(self.written.seats[seat], questions)
        found, self.left = self._match(self.left, self._names(questions))
        for question in questions:
            words = found.get(question.key)
            words = None if words and question.choices and is_blank(words.text) else words
            self.common[question.key] = _answer(question, words)[0] if words else self._default_answer(question)
        return SeatTally(self.common)

    def _default_answer(self, question: Question) -> Answer:
        """Return the answer to an unanswered question: a number, or the ending if all endings have the same winners.

        Raises UsageError or InvalidError, with the flags that answer it, for an ending that decides who has won.
        """
        if not question.choices:
            return self._counted(question)
        if question.default is not None:
            ending = question.choices[str(question.default)]
            self.tell(f"{question.title} Nobody said, and the scores decide who has won: {ending}.")
            return question.default
        self._refuse_left((question,))
        flags = (f"--{question.key} {choice} ({words})" for choice, words in question.choices.items())
        message = f"{question.title} The scores do not decide that, and nobody said."
        raise refusal(message, self.written.where, f"Add {listing(flags, 'or')}.")

    def _seat(self, seat: PaperSeat, each: Sequence[Question]) -> SeatTally:
        """Return a seat's answers and the sums that were written beside them."""
        beside = {one.key: [one] for one in (SCORE, *self.sheet.sums(self.options, self.common))}
        found, left = self._match(seat.said, beside | self._names(each), seat.name)
        if left and not self.written.printed:
            raise self._unknown(*next(iter(left.items())), each)
        if own := next(filter(self.written.labels.__contains__, self._unexplained(left, each)), ""):
            message = f"This sheet has a row of your own, '{self.written.labels[own]}', which the rules do not know."
            hint = "Leave that box empty, and tell of it with --note instead."
            raise InvalidError(message, where=self.written.where, hint=hint)
        self.filled.append({key for key, words in found.items() if not is_blank(words.text)})
        missing = PaperWords("", seat.where)
        asked = (*each, *(one for [one] in beside.values() if not is_blank(found.get(one.key, missing).text)))
        return SeatTally.of((one.key, _answer(one, found.get(one.key, missing), seat.name)) for one in asked)

    def _refuse_missing(self, tally: Tally) -> None:
        """Raise UsageError or InvalidError for a player without any score, if scores decide who wins.

        No score does not count as 0. If the lowest score wins, a player with nothing in one round is refused, too,
        unless a score there would not be worse.
        """
        if (win := self.sheet.definition.win) not in ("highest", "lowest"):
            return
        rounds = sorted({self._round(key) for filled in self.filled for key in filled} - {""}, key=name_order)
        for number, (seat, filled) in enumerate(zip(self.written.seats, self.filled, strict=True)):
            if not filled:
                hint = "Write a 0 in one box of a player who has 0, and leave out the name of one who did not play."
                raise refusal(f"{seat.name} has no score: nothing is written down.", seat.where, hint)
            missing = [one for one in rounds if one not in map(self._round, filled)] if win == "lowest" else []
            if first := next((one for one in missing if self._is_gain(tally, number, one)), ""):
                message = f"{seat.name} has nothing in {first.replace('.', ' ')}, and the lowest score wins."
                raise refusal(message, seat.where, "Write a 0 where a player has 0, and a score where one is missing.")

    def _is_gain(self, tally: Tally, seat: Seat, missing: str) -> bool:
        """Return whether the seat's score is lower for having nothing in a round."""
        answers, seats, score = tally.seats[seat].answers, tally.seats, self.sheet.definition.score
        more = {
            key: one + 1 for key, one in answers.items() if self._round(key) == missing and not isinstance(one, str)
        }
        other = (*seats[:seat], SeatTally({**answers, **more}), *seats[seat + 1 :])
        scores = [self.sheet.reckoning(one).value(score, seat) for one in (tally, replace(tally, seats=other))]
        return scores[0] < scores[1]

    def _round(self, key: str) -> str:
        """Return the round of a box, `deal.3` for `deal.3.points`; "" for a box of the whole game."""
        row, _, column = key.rpartition(".")
        return row if self.rounds and column and re.fullmatch(rf"{re.escape(self.rounds.id)}\.\d+", row) else ""

    def _unexplained(self, left: Iterable[str], each: Sequence[Question]) -> Iterator[str]:
        """Yield each key in `left` that is not of a round or line which the game did not use."""
        stems, rows = set(map(self._stem, self.sheet.first(self.options))), {one.row for one in each}
        return (key for key in left if key.partition(".")[0] not in stems or key.rpartition(".")[0] in rows)

    def _counted(self, question: Question) -> Answer:
        """Return the number that the seats' answers imply: the number of rounds, or the number of the line filled in.

        Raises UsageError or InvalidError if there are too many rounds, or several lines where one is expected.
        """
        seats, default = self.written.seats, question.likeliest
        boxes = {key: said.text for seat in seats[:1] for key, said in seat.said.items()}
        carried = self.sheet.carried(question.key, self.options, self.common, boxes)
        if carried is not None:
            return carried
        most = question.most or 1
        numbers = {number for seat in seats for number in self._numbers(question, seat)}
        if self.rounds and max(numbers, default=0) > most:
            message = (
                f"{self.sheet.title} has {most} {self.rounds.several} at most, and {max(numbers)} are written down."
            )
            raise refusal(message, seats[0].where, "Log the rest as a game of its own.")
        numbers = {number for number in numbers if number <= most}
        if len(numbers) > 1 and not self.rounds:
            hint = f'Say which with: --score "{question.key}={default}". The others are logged one after the other.'
            raise refusal(f"{question.title} More than one is filled in.", seats[0].where, hint)
        return max(numbers, default=default)

    def _numbers(self, question: Question, seat: PaperSeat) -> Iterator[int]:
        """Yield the numbers in a seat's keys, such as `deal.2.tricks`, and the number of parts in `tricks=6/3`."""
        numbered = re.compile(rf"{self._stem(question)}\.([0-9]{{1,3}})(?:\.|$)")
        for key, words in seat.said.items():
            if found := numbered.match(key):
                yield int(found[1])
            elif key in self.round_columns:
                yield words.text.count("/") + 1

    def _stem(self, question: Question) -> str:
        """Return the prefix of numbered keys that belongs to a question: `deal` for `deals`."""
        return self.rounds.id if self.rounds else question.key

    def _names(self, questions: Sequence[Question]) -> dict[str, list[Question]]:
        """Map each word to the questions that it may answer: by key, row or column; ids take precedence over titles."""
        pairs = []
        for question in questions:
            column = question.key.rpartition(".")[2] if self.rounds else question.key
            known = self.sheet.definition.by_id
            names = {question.key, question.row, column, lookalike_key(known.get(column, question).called)}
            pairs += [(name, question) for name in names if name in (question.key, column) or name not in known]
        return group(pairs)

    def _unknown(self, key: str, words: PaperWords, questions: Sequence[Question]) -> VaultkitError:
        """Return the error for a key that no question has, listing the keys that exist."""
        if (column := self.sheet.definition.by_id.get(key)) and column.formula:
            return refusal(f"'{key}' follows from the other columns.", words.where, "Leave it out.")
        by_column = self.rounds and not self.sheet.game
        rows = group((one.key.rpartition(".")[2] if by_column else one.row, one) for one in questions)
        shown = [_shape(row, asked[:1] if by_column else asked) for row, asked in rows.items()]
        listed, more = "; ".join(shown[:12]) or "nothing", " ..." if len(shown) > 12 else ""
        hint = did_you_mean(key, (*rows, *(one.key for one in questions)), then=f"It asks: {listed}{more}.")
        return refusal(f"The score sheet has no '{key}'.", words.where, hint)

    def _match(
        self, said: Mapping[str, PaperWords], names: Mapping[str, Sequence[Question]], name: str = ""
    ) -> tuple[dict[str, PaperWords], dict[str, PaperWords]]:
        """Return the answers by the keys of questions, with rows split, and the words that answer no question.

        Raises UsageError or InvalidError, with `name`, for a row with too many parts, and for a question answered
        twice.
        """
        found, left = dict[str, PaperWords](), dict[str, PaperWords]()
        for key, words in said.items():
            if not (questions := names.get(key) or names.get(key.replace(" ", "_"))):
                left[key] = words
                continue
            told = words.text.count("/") + 1
            if self.rounds and key in self.round_columns and told < len(questions):
                several = f"{len(questions)} {self.rounds.several}"
                self.tell(f"{name} has {told} of {several} written down in {key}: the rest are empty.")
            with placed(words.where, name):
                for question, part in row_parts(questions, words.text):
                    if question.key in found:
                        raise UsageError(f"'{question.key}' is there twice.", hint="Say it once.")
                    found[question.key] = PaperWords(part, words.where)
        return found, left


def _answer(question: Question, words: PaperWords, name: str = "") -> tuple[Answer, tuple[Score, ...]]:
    """Return the answer and its summands.

    Raises UsageError or InvalidError, with `name` and place, for an invalid answer.
    """
    with placed(words.where, name):
        return answer(question, words.text)


def _shape(row: str, questions: Sequence[Question]) -> str:
    """Return a row in the form in which it is written: `swords=total/heroes`, `forfeited=no or yes`."""
    parts = [question.key.rpartition(".")[2] for question in questions]
    written = "/".join(parts) if len(parts) > 1 else " or ".join(questions[0].choices)
    return f"{row}={written}" if written else row
