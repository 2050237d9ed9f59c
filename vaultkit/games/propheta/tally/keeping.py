"""A game of Propheta that was played with real cards, as its score sheets tell it."""

from collections.abc import Iterator, Mapping

from vaultkit.games.options import Options
from vaultkit.games.propheta import scoring
from vaultkit.games.propheta.ending import by_deal, result
from vaultkit.games.propheta.rules import POINTS, hand_size
from vaultkit.games.propheta.tally import answers, doubts
from vaultkit.games.tally import Answer, Doubt, Question, ScoreKeeping, Tally, seats_of
from vaultkit.games.words import Outcome

MOST_DEALS = 6
MOST_TRICKS = hand_size(2) - 4
MOST_PROPHECIES = 4
HOW = (
    "Count the tricks that you won (1 point each), then the prophecies that you turned up: "
    f"{', '.join(f'{modality} ({points} points each)' for modality, points in POINTS.items())}."
)


class ProphetaTally(ScoreKeeping):
    """In every deal the tricks, and the prophecies that were turned up, by their modality (VA-15)."""

    def first(self, options: Options) -> tuple[Question, ...]:  # noqa: ARG002
        return (Question("deals", "How many deals?", least=1, most=MOST_DEALS, default=1, rulings=("VA-19",)),)

    def each(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        return tuple(question for deal in answers.numbers(common) for question in _deal(deal, answers.count(common)))

    def last(self, tally: Tally) -> tuple[Question, ...]:  # noqa: ARG002
        return ()

    def sums(self, options: Options, common: Mapping[str, Answer]) -> tuple[Question, ...]:  # noqa: ARG002
        points = (Question(f"deal.{deal}.points", f"Deal {deal}, points") for deal in answers.numbers(common))
        return (*points, Question("score", "Total", rulings=("VA-15",)))

    def doubts(self, tally: Tally) -> Iterator[Doubt]:
        return doubts.doubts(tally)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it, without the course of a single deal, which no sheet has.

        Several deals without a target are a game of the kind `deals`: the highest total wins, equals share (VA-18).
        """
        deals, seats = answers.deals(tally), len(tally.seats)
        sheets = [scoring.total_sheet(deal[seat] for deal in deals) for seat in seats_of(tally)]
        kind = "match" if answers.target(tally) else "score" if len(deals) == 1 else "deals"
        course = [{} for _ in sheets] if kind == "score" else by_deal(deals, seats)
        return result(kind, sheets, course, tally.options, ())


def _deal(deal: int, deals: int) -> Iterator[Question]:
    of = f"Deal {deal}, " if deals > 1 else ""
    tricks = f"{of}tricks" if of else "Tricks"
    yield Question(f"deal.{deal}.tricks", tricks, most=MOST_TRICKS, default=0, rulings=("VA-15",), how=HOW)
    for modality in POINTS:
        key, rulings = f"deal.{deal}.{modality.lower()}", ("VA-15", "VA-16")
        yield Question(key, f"{of}{modality}", most=MOST_PROPHECIES, default=0, rulings=rulings)
