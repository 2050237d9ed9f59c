"""From what people wrote to a tally: every word matched with the question that it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.scoresheets.answers import is_blank
from vaultkit.campaign.scoresheets.first import SCORE, every_key, first_answers, keys_asked, lines_meant
from vaultkit.campaign.scoresheets.matching import answered, is_of, matched
from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, PaperWords, refusal
from vaultkit.games.definition import Answer, Question
from vaultkit.games.definition_reader import LARGEST_ANSWER, LEAST_STEP
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally
from vaultkit.games.words import Score
from vaultkit.spelling import did_you_mean


@dataclass(frozen=True)
class Understood:
    """A tally, the names of its seats, and numbers that follow from it as people wrote them, by seat.

    `assumed` are the questions that were left out and answered as is likeliest, each with the answer's words.
    """

    names: tuple[str, ...]
    tally: Tally
    written: tuple[Mapping[str, Score], ...]
    assumed: tuple[tuple[str, str], ...] = ()


def understand(written: PaperRecord, keeping: ScoreSheet, options: Options) -> Understood:
    """The tally of what was written. Raises UsageError, or InvalidError with file and line, for what is no answer."""
    written = replace(written, seats=tuple(_by_round(seat, keeping) for seat in written.seats))
    first = keeping.first(options)
    common = first_answers(written, keeping, options, first)
    each, sums = keeping.each(options, common), keeping.sums(options, common)
    seats_written = lines_meant(written, first, keys_asked(keeping, options, common), every_key(keeping, options))
    read = [_seat(seat, each, sums) for seat in seats_written]
    seats = tuple(tally for tally, _ in read)
    tally = Tally(options, seats, common)
    last = keeping.last(tally)
    _refuse_unknown(written.common, (*first, *last), each)
    ended, assumed = _last(written, last)
    return Understood(
        tuple(seat.name for seat in written.seats),
        Tally(options, seats, {**common, **ended}),
        tuple(numbers for _, numbers in read),
        assumed,
    )


def _by_round(seat: PaperSeat, sheet: ScoreSheet) -> PaperSeat:
    """A seat whose columns of the rounds are written under their names alone, `points=18/0/-48`, round by round."""
    definition, said = sheet.definition, dict(seat.said)
    each = {one.key: one for one in definition.columns if definition.is_each(one)}
    for name in [name for name in said if name in each]:
        words = said.pop(name)
        parts = enumerate(words.text.split("/"), 1)
        said = {
            definition.key(each[name], number): PaperWords(part.strip(), words.where) for number, part in parts
        } | said
    return replace(seat, said=said)


def _seat(
    seat: PaperSeat, questions: Sequence[Question], sums: Sequence[Question]
) -> tuple[SeatTally, Mapping[str, Score]]:
    """A seat's answers, sums that were written among them, and further numbers that follow from those."""
    found, left = matched(seat.said, questions, seat.name)
    beside: dict[str, Score] = dict(seat.extra)
    added = {question.key: left.pop(question.key) for question in sums if question.key in left}
    if words := left.pop(SCORE, None):
        beside[SCORE] = _number(words)
    if left:
        raise _unknown(next(iter(left)), next(iter(left.values())), questions)
    answers: dict[str, Answer] = {}
    summands: dict[str, tuple[Score, ...]] = {}
    for question in questions:
        value, terms = answered(question, found.get(question.key), seat.name, seat.where)
        answers[question.key] = value
        if terms:
            summands[question.key] = terms
    for question in sums:
        words = added.get(question.key)
        if words and not is_blank(words.text):
            answers[question.key], _ = answered(question, words, seat.name)
    return SeatTally(answers, summands), beside


def _number(words: PaperWords) -> Score:
    value, _ = answered(Question(SCORE, "Score", least=-LARGEST_ANSWER, step=LEAST_STEP), words)
    return 0 if isinstance(value, str) else value


def _last(written: PaperRecord, questions: Sequence[Question]) -> tuple[dict[str, Answer], tuple[tuple[str, str], ...]]:
    """The answers to what is asked after the seats, the likeliest where nobody said, and which those are."""
    found, _ = matched({key: said for key, said in written.common.items() if is_of(key, questions)}, questions)
    answers: dict[str, Answer] = {}
    assumed = []
    for question in questions:
        if question.key not in found and len(question.choices) > 0:
            value: Answer = question.default if question.default is not None else next(iter(question.choices))
            assumed.append((question.title, question.choices.get(str(value), str(value))))
            answers[question.key] = value
        else:
            answers[question.key], _ = answered(question, found.get(question.key), where=written.where)
    return answers, tuple(assumed)


def _refuse_unknown(common: Mapping[str, PaperWords], questions: Sequence[Question], each: Sequence[Question]) -> None:
    for key, words in common.items():
        if not is_of(key, questions):
            if is_of(key, each):
                raise refusal(f"'{key}' is asked of each player.", words.where, f'Write: --score "NAME: {key}=..."')
            raise _unknown(key, words, questions)


def _unknown(key: str, words: PaperWords, questions: Sequence[Question]) -> Exception:
    names = list(dict.fromkeys(question.row for question in questions))
    keys = list(dict.fromkeys((*names, *(question.key for question in questions))))
    listed = "; ".join(_shape(name, [one for one in questions if one.row == name]) for name in names[:12])
    more = " ..." if len(names) > 12 else ""
    hint = did_you_mean(key, keys, then=f"It asks: {listed or 'nothing'}{more}.")
    return refusal(f"The score sheet has no '{key}'.", words.where, hint)


def _shape(row: str, questions: Sequence[Question]) -> str:
    """A row as it is written: `swords=total/heroes`, `forfeited=no or yes`."""
    if len(questions) > 1:
        return f"{row}={'/'.join(question.key.rpartition('.')[2] for question in questions)}"
    question = questions[0]
    return f"{row}={' or '.join(question.choices)}" if question.choices else row
