"""The score sheet of Propheta: in every deal the tricks, and the prophecies that were turned up, by their modality."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from vaultkit.games.definition import Column, Definition, Rounds
from vaultkit.games.propheta import scoring
from vaultkit.games.propheta.ending import by_deal, result
from vaultkit.games.propheta.rules import POINTS, hand_size, predictions
from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.scoresheet import Doubt, ScoreSheet, Tally, seats_of
from vaultkit.games.words import Outcome, Seat, Sentence

FEWEST_SEATS, MOST_SEATS = 2, 4
MOST_TRICKS = hand_size(2) - 4
MOST_PROPHECIES = 4
HOW = (
    "Count the tricks that you won (1 point each), then the prophecies that you turned up: "
    f"{', '.join(f'{modality} ({points} points each)' for modality, points in POINTS.items())}."
)
RULINGS = ("VA-15", "VA-16")


class ProphetaSheet(ScoreSheet):
    """Points by tricks and prophecies (VA-15); several deals are a match to a target, or are added up (VA-19)."""

    definition = Definition(
        title="Propheta",
        players=(FEWEST_SEATS, MOST_SEATS),
        rounds=Rounds("deal", 6, rulings=("VA-19",)),
        columns=(
            Column("tricks", "tricks", most=MOST_TRICKS, default=0, rulings=("VA-15",), how=HOW),
            *(Column(one.lower(), one, most=MOST_PROPHECIES, default=0, rulings=RULINGS) for one in POINTS),
            Column("points", "points", rulings=("VA-15",), formula="tricks + 2 * mutable + 4 * fixed + 6 * cardinal"),
            Column("score", "Total", rulings=("VA-15",), formula="sum(points)"),
        ),
    )

    def impossible(self, tally: Tally) -> Iterator[Doubt]:
        """Deal by deal, then the end of a match."""
        for deal in self.definition.rounds_of(tally.common):
            of = self.definition.of_round(deal, tally.common)
            yield from _tricks(tally, deal, of)
            for seat in seats_of(tally):
                yield from _prophecies(tally, seat, deal, of)
        yield from _target(tally, self._deals(tally))

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it, without the course of a single deal, which no sheet has.

        Several deals without a target are a game of the kind `deals`: the highest total wins, equals share (VA-18).
        """
        deals, seats = self._deals(tally), len(tally.seats)
        sheets = [scoring.total_sheet(deal[seat] for deal in deals) for seat in seats_of(tally)]
        kind = "score" if len(deals) == 1 else "deals"
        kind = "match" if isinstance(tally.options["target"], int) else kind
        course = [{} for _ in sheets] if kind == "score" else by_deal(deals, seats)
        return result(kind, sheets, course, tally.options, ())

    def _deals(self, tally: Tally) -> Sequence[Sequence[Sheet]]:
        """The sheets of all seats, deal by deal."""
        deals = self.definition.rounds_of(tally.common)
        return [[_sheet(tally, seat, deal) for seat in seats_of(tally)] for deal in deals]


def _sheet(tally: Tally, seat: Seat, deal: int) -> Sheet:
    return Sheet(*(tally.seats[seat].number(f"deal.{deal}.{part}") for part in Sheet._fields))


def _per_deal(tally: Tally) -> int:
    """The tricks of a deal."""
    seats = len(tally.seats)
    return hand_size(seats) - predictions(seats)


def _tricks(tally: Tally, deal: int, of: str) -> Iterator[Doubt]:
    won = sum(_sheet(tally, seat, deal).tricks for seat in seats_of(tally))
    if won != _per_deal(tally) and len(tally.seats) in range(FEWEST_SEATS, MOST_SEATS + 1):
        words = "The tricks{v0} add up to {v1}, and with {v2} players there are {v3}."
        yield Doubt(Sentence(words, values=(of, won, len(tally.seats), _per_deal(tally))), ("VA-3", "VA-12"))


def _prophecies(tally: Tally, seat: Seat, deal: int, of: str) -> Iterator[Doubt]:
    """More than were laid; or more than tricks in which they can come true, one a trick (VA-12, VA-13)."""
    sheet, laid = _sheet(tally, seat, deal), predictions(len(tally.seats))
    if sheet.predictions > laid:
        words = "{s0} has {v0} prophecies fulfilled{v1}, and lays {v2}."
        yield Doubt(Sentence(words, (seat,), (), (sheet.predictions, of, laid)), ("VA-3",))
    if sheet.cardinal > sheet.tricks:
        words = "{s0} has more Cardinal prophecies fulfilled than tricks won{v0}, and each needs a trick of its own."
        yield Doubt(Sentence(words, (seat,), (), (of,)), ("VA-12",))
    if sheet.fixed > max(0, _per_deal(tally) - sheet.tricks):
        words = "{s0} has more Fixed prophecies fulfilled than tricks lost{v0}, and each needs a trick of its own."
        yield Doubt(Sentence(words, (seat,), (), (of,)), ("VA-12", "VA-13"))


def _target(tally: Tally, deals: Sequence[Sequence[Sheet]]) -> Iterator[Doubt]:
    """A match is over as soon as somebody has reached the target alone, and not before (VA-19)."""
    said = tally.options["target"]
    target = said if isinstance(said, int) else 0
    points = ([sheet.total for sheet in deal] for deal in deals)
    standings = accumulate(points, lambda so_far, gained: [a + b for a, b in zip(so_far, gained, strict=True)])
    over = [scoring.is_reached(standing, target) for standing in standings] if target else [True]
    if not over[-1]:
        words = "Nobody has reached {v0} points alone, so the match goes on."
        yield Doubt(Sentence(words, values=(target,)), ("VA-19",))
    elif over.index(True) < len(over) - 1:
        words = "The target of {v0} points was reached in deal {v1}, which ended the match."
        yield Doubt(Sentence(words, values=(target, over.index(True) + 1)), ("VA-19",))
