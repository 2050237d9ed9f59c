"""A reading as it lies on a page: each place of the spread with its back or its card."""

from collections.abc import Mapping
from dataclasses import dataclass

from vaultkit.web.html_text import HtmlText
from vaultkit.web.page_model import PageModel, SpreadCard
from vaultkit.web.zone_layout import OpenCard


@dataclass(frozen=True, slots=True)
class SpreadCell:
    """A place of the spread at its row and column, counted from 1."""

    card: SpreadCard
    row: int
    column: int
    open: OpenCard | None


@dataclass(frozen=True, slots=True)
class SpreadLayout:
    """The whole spread. `next` is the first place that lies face down, `latest` what was turned last."""

    places: tuple[SpreadCell, ...]
    rows: int
    columns: int
    next: SpreadCard | None
    latest: SpreadCard | None
    turned: int


def layout_spread(sight: PageModel, voice: HtmlText) -> SpreadLayout:
    """The spread of a reading by rows and columns."""
    assert sight.spread
    shape, places = sight.spread.shape, sight.spread.places
    where: Mapping[int, tuple[int, int]] = {
        number: (row, column) for row, line in enumerate(shape, 1) for column, number in enumerate(line, 1) if number
    }
    by_number = {place.number: place for place in places}
    return SpreadLayout(
        places=tuple(SpreadCell(place, *where[place.number], _open_card(sight, place, voice)) for place in places),
        rows=len(shape),
        columns=max(map(len, shape)),
        next=next((place for place in places if place.card is None), None),
        latest=by_number.get(sight.spread.latest),
        turned=sum(place.card is not None for place in places),
    )


def _open_card(sight: PageModel, place: SpreadCard, voice: HtmlText) -> OpenCard | None:
    if place.card is None:
        return None
    card = place.card.id
    return OpenCard(sight.marks.card(card), sight.marks.face(card), voice.title(card))
