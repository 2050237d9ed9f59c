"""The wishes of print services are data: `print/vendors/<name>.toml`, the vault's own first."""

from dataclasses import dataclass
from pathlib import Path

from vaultkit.errors import InvalidError
from vaultkit.look import design
from vaultkit.sheets.geometry.paper import INCH, Box, Size, parse_length

_NEEDED = ("title", "files", "pixels", "dpi", "card", "safe", "inks")
_MOST_PIXELS = 6000


@dataclass(frozen=True, slots=True)
class Vendor:
    """A print service. `files` is `png` or `pdf`, `inks` `rgb` or `cmyk`; `most_ink` is in percent, 0 for no limit.

    `pixels` are those of a card with its bleed; `card` is the cut card; words stay `safe` micrometres inside it.
    """

    name: str
    title: str
    files: str
    pixels: tuple[int, int]
    dpi: int
    card: Size
    safe: int
    inks: str
    most_ink: int

    @property
    def page(self) -> Size:
        """The card with its bleed."""
        width, height = (round(pixels * INCH / self.dpi) for pixels in self.pixels)
        return Size(self.name, width, height)

    @property
    def trim(self) -> Box:
        """Where the card is cut out of its page."""
        page, card = self.page, self.card
        return Box((page.width - card.width) // 2, (page.height - card.height) // 2, card.width, card.height)


def load_vendor(name: str, vault: Path | None) -> Vendor:
    """The profile `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    table, where = design.named("vendors", "print service", name, vault, required=_NEEDED, optional=["most-ink"])
    width, height = (parse_length(part, f"{where} card") for part in design.pair(table, "card", where))
    vendor = Vendor(
        name,
        design.text(table, "title", where),
        design.one_of(table, "files", ("png", "pdf"), where),
        _pixels(table, where),
        design.number(table, "dpi", where, 72, 1200),
        Size(name, width, height),
        parse_length(table["safe"], f"{where} safe"),
        design.one_of(table, "inks", ("rgb", "cmyk"), where),
        design.number(table, "most-ink", where, 0, 400),
    )
    if not vendor.page.box.holds(vendor.trim):
        raise InvalidError("The card is larger than its picture.", where=where, hint="Look at 'pixels' and 'card'.")
    return vendor


def _pixels(table: design.Table, where: str) -> tuple[int, int]:
    width, height = design.pair(table, "pixels", where)
    if not all(type(part) is int and 100 <= part <= _MOST_PIXELS for part in (width, height)):
        raise InvalidError(f"'pixels' must be whole numbers from 100 to {_MOST_PIXELS}.", where=where)
    return width, height
