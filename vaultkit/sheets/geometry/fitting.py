"""How many cards a paper holds, and which way it has to lie for that."""

from vaultkit.errors import UsageError
from vaultkit.sheets.geometry.flips import Duplex, Flip
from vaultkit.sheets.geometry.imposition import MARGIN, SheetPlan, from_fold
from vaultkit.sheets.geometry.paper import Size


def grid(
    paper: Size,
    card: Size,
    *,
    margin: int = MARGIN,
    bleed: int | None = None,
    duplex: Duplex = Duplex.NONE,
) -> SheetPlan:
    """As many upright cards as `paper` holds inside its margin, upright or on its side.

    Raises UsageError if it holds none.
    """
    papers = (paper, paper.on_its_side)
    if duplex is Duplex.FOLD:
        plans = [_plan(one, card, flip, margin=margin, bleed=bleed, duplex=duplex) for one in papers for flip in Flip]
    else:
        plans = [_plan(one, card, duplex.flip(one), margin=margin, bleed=bleed, duplex=duplex) for one in papers]
    best = max(plans, key=lambda plan: plan.per_sheet)
    if min(best.columns, best.rows) < 1:
        raise UsageError(
            f"A {card.name} card does not fit on {paper.name} paper.",
            hint="Choose a larger paper, a smaller margin or a smaller bleed.",
        )
    return best


def _plan(paper: Size, card: Size, flip: Flip | None, *, margin: int, bleed: int | None, duplex: Duplex) -> SheetPlan:
    """The grid on a paper as it lies; none of columns and rows is below zero."""
    around = bleed or 0
    width, height = paper.width - 2 * margin, paper.height - 2 * margin
    if duplex is Duplex.FOLD and flip is Flip.BOOK:
        width = paper.width // 2 - margin - from_fold(bleed) + around
    elif duplex is Duplex.FOLD:
        height = paper.height // 2 - margin - from_fold(bleed) + around
    columns, rows = max(0, width // (card.width + 2 * around)), max(0, height // (card.height + 2 * around))
    return SheetPlan(paper, card, columns if rows else 0, rows if columns else 0, bleed, duplex, flip)
