"""The layout of a deck's sheets from the options of a command, and the sheet plan made from it."""

from dataclasses import dataclass

from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.imposition import CARD_BLEED_UM, DEFAULT_MARGIN_UM, UNPRINTABLE_MARGIN_UM, SheetPlan, plan_sheet
from vaultkit.sheets.paper import Duplex, load_stock, parse_duplex
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.printers import correction_for, load_printers
from vaultkit.theme.lengths import MM, parse_length

_MAX_BLEED_UM = 10 * MM
_MAX_MARGIN_UM = 50 * MM


@dataclass(frozen=True)
class DeckLayout:
    """How the cards of a deck lie on their sheets. Lengths are in micrometres.

    `bleed` None butts the cards together; else each has one of its own. `back` names a back, "" the deck's own;
    `printer` a calibrated printer, "" one that needs no correction.
    """

    size: str = "poker"
    bleed: int | None = None
    margin: int = DEFAULT_MARGIN_UM
    duplex: Duplex = Duplex.NONE
    back: str = ""
    printer: str = ""

    @classmethod
    def from_options(
        cls, size: str, *, bleed: str = "", margin: str = "", duplex: str = "", back: str = "", printer: str = ""
    ) -> "DeckLayout":
        """Return the layout for options as they were typed; a back alone means sheets that turn on the long edge.

        Raises UsageError for an impossible layout.
        """
        white = _length("--margin", margin, _MAX_MARGIN_UM) if margin else DEFAULT_MARGIN_UM
        duplex_name = duplex or ("long-edge" if back else "none")
        return cls(size, _bleed(bleed), white, parse_duplex(duplex_name), back, printer)

    def plan(self, job: PrintJob) -> SheetPlan:
        """Return the sheet plan for a job's paper, corrected for the printer. Raises UsageError if no card fits."""
        stock = load_stock(job.theme.vault)
        paper, card = stock.paper(job.paper), stock.card(self.size)
        plan = plan_sheet(paper, card, margin=self.margin, bleed=self.bleed, duplex=self.duplex)
        if not self.printer:
            return plan
        return plan.with_correction(correction_for(self.printer, self.duplex, plan.paper, load_printers()))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the margin that a person should know before printing."""
        if self.margin >= UNPRINTABLE_MARGIN_UM:
            return ()
        margin = f"{UNPRINTABLE_MARGIN_UM / MM:g} mm"
        return (f"Few printers print nearer to the edge than {margin}; cards there may be cut off.",)


PLAIN = DeckLayout()
"""Fronts only, butted together."""


def _bleed(text: str) -> int | None:
    if text.lower() in {"", "outer"}:
        return None
    if text.lower() == "per-card":
        return CARD_BLEED_UM
    hint = "Accepted: outer, per-card, or a width for each card such as 1.5mm."
    return _length("--bleed", text, _MAX_BLEED_UM, hint)


def _length(option: str, text: str, limit: int, hint: str = "") -> int:
    try:
        length = 0 if text.strip() == "0" else parse_length(text)
    except InvalidError as error:
        raise UsageError(f"{option}: {error.message}", hint=hint or error.hint) from error
    if length > limit:
        raise UsageError(f"{option} is at most {limit / MM:g} mm.", hint=hint)
    return length
