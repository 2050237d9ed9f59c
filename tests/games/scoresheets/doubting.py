"""Score sheets for tests, and the doubts about them."""

from collections.abc import Iterable, Mapping

from vaultkit.games.messages import Sentence
from vaultkit.games.options import resolve
from vaultkit.games.question import Answer, Question
from vaultkit.games.registry import rules
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally
from vaultkit.session.scoresheets import score_sheet

NAMES = ("Ysolde", "Bram", "Cass", "Dario", "Edda", "Finn", "Greta", "Hob")


def keeper(game: str) -> ScoreSheet:
    return score_sheet(game)


def seat(boxes: str = "", **given: Answer) -> SeatTally:
    """Return a seat's sheet from words such as `swords.total=8+9 crowns.count=2`."""
    answers: dict[str, Answer] = dict(given)
    summands = {}
    for box in boxes.split():
        key, _, value = box.partition("=")
        numbers = value.split("+")
        if all(number.isdecimal() for number in numbers):
            answers[key] = sum(map(int, numbers))
            if len(numbers) > 1:
                summands[key] = tuple(map(int, numbers))
        else:
            answers[key] = value.replace("_", " ")
    return SeatTally(answers, summands)


def tally(
    game: str,
    *sheets: str | SeatTally,
    common: Mapping[str, Answer] | None = None,
    options: Mapping[str, object] | None = None,
) -> Tally:
    """Return the sheets of a game; texts are read by `seat`."""
    found = rules(game)
    seats = tuple(one if isinstance(one, SeatTally) else seat(one) for one in sheets)
    return Tally(resolve(found.options, options or {}, found.title), seats, common or {})


def said(sentence: Sentence) -> str:
    return sentence.render(lambda seat: NAMES[seat], lambda card: card)


def doubted(game: str, written: Tally) -> dict[str, tuple[str, ...]]:
    """Return the sentences of the doubts, each with its rulings."""
    return {said(doubt.sentence): doubt.rulings for doubt in keeper(game).doubts(written)}


def by_key(questions: Iterable[Question]) -> dict[str, Question]:
    """Return the questions by their keys."""
    return {question.key: question for question in questions}
