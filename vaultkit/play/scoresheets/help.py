"""The help of `?` while scores are typed: how to count, and what our rulings settle about it."""

from collections.abc import Iterator, Sequence

from vaultkit.campaign.rulings import ruling
from vaultkit.errors import VaultkitError
from vaultkit.games.definition import Question
from vaultkit.play.notetext import plain_lines
from vaultkit.play.reference import Passage

_RULING, _OPTION = "**Ruling:**", "Option:"


def rulings(questions: Sequence[Question]) -> Iterator[Passage]:
    """The rulings that the questions stand on, each once."""
    for number in dict.fromkeys(number for question in questions for number in question.rulings):
        try:
            found = ruling(number)
        except VaultkitError:
            continue
        yield Passage(f"{found.id}: {found.title}", plain_lines(_settled(found.text)))


def _settled(text: str) -> str:
    """The decision of a ruling, without the open question and without its options."""
    settled = text.partition(_RULING)[2].strip() or text
    paragraphs = [paragraph for paragraph in settled.split("\n\n") if not paragraph.startswith(_OPTION)]
    told = "\n\n".join(paragraphs)
    return told[:1].upper() + told[1:]
