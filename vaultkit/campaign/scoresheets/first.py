"""Answers for all seats, such as how many deals: given, or reckoned from what the seats wrote."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vaultkit.campaign.scoresheets.matching import answered, is_of, matched
from vaultkit.campaign.scoresheets.record import PaperRecord, PaperSeat, refusal
from vaultkit.games.definition import Answer, Question
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet

SCORE = "score"
"""The one number of a seat, which follows from the others and may be written beside them."""
_MOST_TRIED = 50


def first_answers(
    written: PaperRecord, keeping: ScoreSheet, options: Options, questions: Sequence[Question]
) -> dict[str, Answer]:
    """The answers to what is asked before the seats; a number that nobody gave is what the seats' answers need."""
    found, _ = matched({key: said for key, said in written.common.items() if is_of(key, questions)}, questions)
    common: dict[str, Answer] = {}
    for question in questions:
        if question.key in found or question.choices or question.words:
            common[question.key], _ = answered(question, found.get(question.key), where=written.where)
        else:
            carried = keeping.carried(question.key, options, common, _boxes(written))
            fewest = _fewest(question, common, written.seats, keeping, options)
            common[question.key] = fewest if carried is None else carried
    return common


def _boxes(written: PaperRecord) -> dict[str, str]:
    """The contents of all boxes of the first seat."""
    return {key: said.text for seat in written.seats[:1] for key, said in seat.said.items()}


def _fewest(
    question: Question,
    common: Mapping[str, Answer],
    seats: Iterable[PaperSeat],
    keeping: ScoreSheet,
    options: Options,
) -> Answer:
    """The lowest number under which every key that the seats use is asked for: the deals of a sheet, for example.

    Raises UsageError or InvalidError where several of the lines are filled in of which only one is asked for.
    """
    filled = tuple(seats)
    said = {key for seat in filled for key in seat.said} - {SCORE}
    default = question.default if isinstance(question.default, int) else question.least
    most = question.most if question.most is not None else _MOST_TRIED
    asked = {
        number: keys_asked(keeping, options, {**common, question.key: number})
        for number in range(max(default, question.least), min(most, _MOST_TRIED) + 1)
    }
    if (fitting := next((number for number, keys in asked.items() if said <= keys), None)) is not None:
        return fitting
    if len(set(asked.values())) > 1 and said <= frozenset().union(*asked.values()):
        where = filled[0].where if filled else ""
        hint = f'Say which with: --score "{question.key}={default}". The others are logged one after the other.'
        raise refusal(f"{question.title} More than one is filled in.", where, hint)
    return default


def every_key(keeping: ScoreSheet, options: Options) -> frozenset[str]:
    """The keys of all that may ever be asked of a seat, by whichever deal, game or line; sums included."""
    most: dict[str, Answer] = {}
    tried: set[str] = set()
    for question in keeping.first(options):
        if question.choices or question.words:
            most[question.key] = question.default or ""
            continue
        largest = min(question.most if question.most is not None else _MOST_TRIED, _MOST_TRIED)
        for number in range(question.least, largest + 1):
            tried |= keys_asked(keeping, options, {**most, question.key: number})
        most[question.key] = largest
    return frozenset(tried | keys_asked(keeping, options, most))


def keys_asked(keeping: ScoreSheet, options: Options, common: Mapping[str, Answer]) -> frozenset[str]:
    """The names that a seat may use under these answers: keys of questions and of sums, and rows."""
    asked = keeping.each(options, common)
    sums = (question.key for question in keeping.sums(options, common))
    return frozenset((*sums, *(question.key for question in asked), *(question.row for question in asked)))


def lines_meant(
    written: PaperRecord, first: Sequence[Question], asked: frozenset[str], ever: frozenset[str]
) -> tuple[PaperSeat, ...]:
    """The seats without the lines of a printed sheet that were not meant, where somebody said which one was."""
    if not written.labels or not any(question.key in written.common for question in first):
        return written.seats
    return tuple(
        replace(seat, said={key: said for key, said in seat.said.items() if key in asked or key not in ever})
        for seat in written.seats
    )
