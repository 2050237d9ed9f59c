"""The score sheet of Propheta: for each deal the tricks, and the prophecies turned up by modality."""

from collections.abc import Sequence

from vaultkit.games.messages import Outcome
from vaultkit.games.propheta import rules
from vaultkit.games.propheta.ending import gains_by_deal, make_outcome
from vaultkit.games.propheta.rules import Sheet
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, doubt


class ProphetaSheet(ScoreSheet):
    """The score sheet of Propheta, with points for tricks and prophecies (VA-15).

    Several deals are a match to a target, or are added up (VA-19).
    """

    def find_rule_doubts(self, tally: Tally) -> Doubts:
        """Yield a doubt about a match that ended before a seat alone had reached the target, or after that (VA-19)."""
        deals, target = self._deal_sheets(tally), tally.options["target"]
        if isinstance(target, int):
            running_totals = [rules.total_points(deals[:count], len(tally.seats)) for count in range(1, len(deals) + 1)]
            is_over_after = [rules.is_reached(points, target) for points in running_totals]
            if not is_over_after[-1]:
                yield doubt("VA-19", f"Nobody has reached {target} points alone, so the match goes on.")
            elif True in is_over_after[:-1]:
                deal_words = f"deal {is_over_after.index(True) + 1}"
                words = f"The target of {target} points was reached in {deal_words}, which ended the match."
                yield doubt("VA-19", words)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome, without the gains by trick of a single deal, which no sheet has.

        The outcome of several deals without a target is of the kind `deals`: the highest total wins, and equals share
        the win (VA-18).
        """
        deals, seats = self._deal_sheets(tally), len(tally.seats)
        sheets = [rules.sum_sheets(sheets) for sheets in zip(*deals, strict=True)]
        kind = "score" if len(deals) == 1 else "deals"
        kind = "match" if isinstance(tally.options["target"], int) else kind
        gains = [{} for _ in sheets] if kind == "score" else gains_by_deal(deals, seats)
        return make_outcome(kind, sheets, gains, tally.options, ())

    def _deal_sheets(self, tally: Tally) -> Sequence[Sequence[Sheet]]:
        """Return, for each deal, the sheets of all seats."""
        deals = self.definition.rounds_of(tally.common)
        keys_by_deal = [[f"deal.{deal}.{part}" for part in Sheet._fields] for deal in deals]
        return [[Sheet(*map(seat.number, keys)) for seat in tally.seats] for keys in keys_by_deal]
