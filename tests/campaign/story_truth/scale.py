"""Scores and numbers in the words of a story."""

from tests.campaign.story_truth.records import Scores, leaders
from vaultkit.games.messages import Seat
from vaultkit.text import NUMBER_WORDS

ONES = ("no", *NUMBER_WORDS[1:])


def points(number: float) -> str:
    return f"{number:g} point{'' if number == 1 else 's'}"


def word(number: int) -> str:
    return ONES[number] if number < len(ONES) else str(number)


def best_other(scores: Scores, who: Seat) -> float:
    return max((points for seat, points in enumerate(scores) if seat != who), default=scores[who])


def sole(scores: Scores) -> Seat | None:
    first = leaders(scores)
    return first[0] if len(first) == 1 else None
