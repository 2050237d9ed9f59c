"""A game of Turn of Fate that was played with real cards, as its score sheets tell it."""

from collections.abc import Iterator, Mapping

from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Doubt, Question, ScoreKeeping, Tally, seats_of
from vaultkit.games.turn_of_fate import doubts, paper
from vaultkit.games.turn_of_fate.ending import ENDINGS, result, temples_fact
from vaultkit.games.turn_of_fate.facts import CITIZENS, RIVAL, SEATS
from vaultkit.games.turn_of_fate.state import End
from vaultkit.games.words import Outcome

BOXES = {
    "count": "how many Citizens",
    "citizens": "Citizens at face value",
    "doubled": "Citizens with the rival's suit, doubled",
    "fates": "Fates",
}


class FateTally(ScoreKeeping):
    """Who led which temple, and what lies in each Congregation and Temple (TF-25)."""

    def first(self, options: Options) -> tuple[Question, ...]:  # noqa: ARG002
        return ()

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        temples = {suit.lower(): suit for suit in ("Moons", "Wyrms", "Suns", "Leaves")}
        return (
            Question("temple", "Devoted to", choices=temples, rulings=("TF-1", "TF-2")),
            *(question for row in paper.PILES for question in _pile(row)),
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
        kind, temples = str(tally.common.get("outcome")), paper.temples(tally)
        scores = [paper.parts(tally, seat) for seat in seats_of(tally)]
        facts = (temples_fact(temples),) if len(temples) == SEATS and all(map(RIVAL.get, temples)) else ()
        return result(End(kind if kind in ENDINGS else "no-fate"), scores, temples, tally.options, facts)


def _pile(row: str) -> Iterator[Question]:
    where = "Congregation" if row == "congregation" else "Temple"
    for box, words in BOXES.items():
        most = CITIZENS if box == "count" else None
        yield Question(f"{row}.{box}", f"{where}, {words}", most=most, default=0, rulings=("TF-25", "TF-26"))
