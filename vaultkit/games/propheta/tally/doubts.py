"""Finds what cannot be true in the score sheets that people filled in, and says why."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from vaultkit.games.propheta import scoring
from vaultkit.games.propheta.rules import hand_size, predictions
from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.propheta.tally import answers
from vaultkit.games.tally import Doubt, Tally, crowd, miscounted, seats_of
from vaultkit.games.words import Seat, Sentence

FEWEST_SEATS, MOST_SEATS = 2, 4


def doubts(tally: Tally) -> Iterator[Doubt]:
    """Everything that cannot be true, deal by deal, then the end of a match, and sums that are wrong."""
    yield from crowd(tally, "Propheta", FEWEST_SEATS, MOST_SEATS)
    for deal in answers.numbers(tally.common):
        yield from _tricks(tally, deal)
        for seat in seats_of(tally):
            yield from _prophecies(tally, seat, deal)
            sheet, box = answers.sheet(tally, seat, deal), "the points" + _of(tally, deal)
            yield from miscounted(tally, seat, f"deal.{deal}.points", box, sheet.total, rulings=("VA-15",))
    yield from _target(tally)
    for seat in seats_of(tally):
        total = sum(deal[seat].total for deal in answers.deals(tally))
        yield from miscounted(tally, seat, "score", "the total", total, rulings=("VA-15",))


def _of(tally: Tally, deal: int) -> str:
    return f" of deal {deal}" if answers.count(tally.common) > 1 else ""


def _per_deal(tally: Tally) -> int:
    """How many tricks a deal has."""
    seats = len(tally.seats)
    return hand_size(seats) - predictions(seats)


def _tricks(tally: Tally, deal: int) -> Iterator[Doubt]:
    won = sum(answers.sheet(tally, seat, deal).tricks for seat in seats_of(tally))
    if won != _per_deal(tally) and len(tally.seats) in range(FEWEST_SEATS, MOST_SEATS + 1):
        words = "The tricks{v0} add up to {v1}, and with {v2} players there are {v3}."
        values = (_of(tally, deal), won, len(tally.seats), _per_deal(tally))
        yield Doubt(Sentence(words, values=values), ("VA-3", "VA-12"))


def _prophecies(tally: Tally, seat: Seat, deal: int) -> Iterator[Doubt]:
    """More than were laid; or more than tricks in which they can come true, one a trick (VA-12, VA-13)."""
    sheet, of, laid = answers.sheet(tally, seat, deal), _of(tally, deal), predictions(len(tally.seats))
    if sheet.predictions > laid:
        words = "{s0} has {v0} prophecies fulfilled{v1}, and lays {v2}."
        yield Doubt(Sentence(words, (seat,), (), (sheet.predictions, of, laid)), ("VA-3",))
    if sheet.cardinal > sheet.tricks:
        words = "{s0} has more Cardinal prophecies fulfilled than tricks won{v0}, and each needs a trick of its own."
        yield Doubt(Sentence(words, (seat,), (), (of,)), ("VA-12",))
    if sheet.fixed > max(0, _per_deal(tally) - sheet.tricks):
        words = "{s0} has more Fixed prophecies fulfilled than tricks lost{v0}, and each needs a trick of its own."
        yield Doubt(Sentence(words, (seat,), (), (of,)), ("VA-12", "VA-13"))


def _target(tally: Tally) -> Iterator[Doubt]:
    """A match is over as soon as somebody has reached the target alone, and not before (VA-19)."""
    target = answers.target(tally)
    if not target:
        return
    over = [scoring.is_reached(points, target) for points in _standings(answers.deals(tally))]
    if not over[-1]:
        words = "Nobody has reached {v0} points alone, so the match goes on."
        yield Doubt(Sentence(words, values=(target,)), ("VA-19",))
    elif over.index(True) < len(over) - 1:
        words = "The target of {v0} points was reached in deal {v1}, which ended the match."
        yield Doubt(Sentence(words, values=(target, over.index(True) + 1)), ("VA-19",))


def _standings(deals: Sequence[Sequence[Sheet]]) -> Iterator[list[int]]:
    """Everybody's points after each deal."""
    points = ([sheet.total for sheet in deal] for deal in deals)
    return accumulate(points, lambda so_far, gained: [a + b for a, b in zip(so_far, gained, strict=True)])
