"""A game of Turn of Fate that was played with real cards, as its score sheets tell it."""

from collections.abc import Iterator, Mapping

from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Doubt, Question, ScoreKeeping, Tally, seats_of
from vaultkit.games.turn_of_fate.ending import ENDINGS, result, temples_fact
from vaultkit.games.turn_of_fate.rules import CITIZENS, RIVAL, SEATS
from vaultkit.games.turn_of_fate.state import End
from vaultkit.games.turn_of_fate.tally import answers, doubts
from vaultkit.games.words import Outcome

BOXES = {
    "count": ("count", "Count the Citizens there; their number is not added."),
    "citizens": ("worth", "Then what those without your rival's suit are worth, at face value."),
    "doubled": ("Triumphs worth", "Triumphs are those with your rival's suit: twice their face value."),
    "fates": ("Fates worth", "Fates are all that was played on them: Aces 1, Crowns 10."),
}
"""The name of each box of a pile, and what counts in it."""


class FateTally(ScoreKeeping):
    """Who led which temple, and what lies in each Congregation and Temple (TF-25)."""

    def first(self, options: Options) -> tuple[Question, ...]:  # noqa: ARG002
        return ()

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        temples = {suit.lower(): suit for suit in ("Moons", "Wyrms", "Suns", "Leaves")}
        return (
            Question("temple", "Devoted to", choices=temples, rulings=("TF-1", "TF-2")),
            *(question for row in answers.PILES for question in _pile(row)),
        )

    def last(self, tally: Tally) -> tuple[Question, ...]:  # noqa: ARG002
        rulings = ("TF-22", "TF-23", "TF-24")
        return (Question("outcome", "How did it end?", choices=ENDINGS, default="no-fate", rulings=rulings),)

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        return (Question("score", "Score", rulings=("TF-25",)),)

    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        return doubts.doubts(tally)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; turns, Moments of Truth and wild Crowns are not on paper, and are left out."""
        kind, temples = str(tally.common.get("outcome")), answers.temples(tally)
        scores = [answers.parts(tally, seat) for seat in seats_of(tally)]
        facts = (temples_fact(temples),) if len(temples) == SEATS and all(map(RIVAL.get, temples)) else ()
        return result(End(kind if kind in ENDINGS else "no-fate"), scores, temples, tally.options, facts)


def _pile(row: str) -> Iterator[Question]:
    where = "Congregation" if row == "congregation" else "Temple"
    for box, (words, how) in BOXES.items():
        count, title = box == "count", f"{where}, {words}"
        most, rulings = CITIZENS if count else None, ("TF-25", "TF-26")
        yield Question(f"{row}.{box}", title, most=most, default=0, rulings=rulings, how=how, summed=not count)
