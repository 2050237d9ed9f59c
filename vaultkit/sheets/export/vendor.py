"""Requirements of print services, from `print/vendors/<name>.toml`; a vault's own file overrides ours."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import Box, Size
from vaultkit.theme import design_loader
from vaultkit.theme.lengths import INCH, Length

_Pixels = Annotated[int, Meta(ge=100, le=6000)]


class Vendor(design_loader.Design, frozen=True):
    """The requirements of a print service.

    `pixels` is the size of a card with its bleed at `dpi`. `card` is the size of the cut card in micrometres; text must
    be `safe` micrometres inside it. `most_ink` is the largest total ink in percent, 0 for no limit. Pictures with less
    than `min_dpi` are rejected. `standard` is the one that a PDF must comply with, "" for none.
    """

    title: str
    files: Literal["png", "pdf"]
    pixels: tuple[_Pixels, _Pixels]
    dpi: Annotated[int, Meta(ge=72, le=1200)]
    card: tuple[Length, Length]
    safe: Length
    inks: Literal["rgb", "cmyk"]
    most_ink: Annotated[int, Meta(ge=0, le=400)] = 0
    min_dpi: Annotated[int, Meta(ge=0, le=1200)] = 150
    standard: Literal["", "PDF/X-1a:2003"] = ""

    @property
    def size(self) -> Size:
        """The size of the cut card."""
        return Size(self.title, *self.card)

    @property
    def page(self) -> Size:
        """The size of a page: a card with its bleed."""
        width, height = (round(pixels * INCH / self.dpi) for pixels in self.pixels)
        return Size(self.title, width, height)

    @property
    def trim(self) -> Box:
        """The box of the cut card on its page."""
        page, (width, height) = self.page, self.card
        return Box((page.width - width) // 2, (page.height - height) // 2, width, height)


def load_vendor(name: str, vault: Path | None) -> Vendor:
    """Return the requirements of a print service by its name.

    Raises UsageError for an unknown name, and InvalidError if the design cannot be used.
    """
    vendor, where = design_loader.load_design("vendors", "print service", name, vault, Vendor)
    if not vendor.page.box.holds(vendor.trim):
        raise InvalidError("The card is larger than its picture.", where=where, hint="Look at 'pixels' and 'card'.")
    return vendor
