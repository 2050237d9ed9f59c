"""The help of `?` while scores are typed: how to count, and what our rulings settle about it."""

from collections.abc import Iterator, Sequence

from vaultkit.errors import VaultkitError
from vaultkit.games.tally import Question
from vaultkit.play.notetext import plain_lines
from vaultkit.session.passages import Passage
from vaultkit.session.rulings import ruling


def rulings(questions: Sequence[Question]) -> Iterator[Passage]:
    """The rulings that the questions stand on, each once."""
    for number in dict.fromkeys(number for question in questions for number in question.rulings):
        try:
            found = ruling(number)
        except VaultkitError:
            continue
        yield Passage(f"{found.id}: {found.title}", plain_lines(found.settled))
