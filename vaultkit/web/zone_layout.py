"""The zones of a Scene, and the cards of a reading, as they lie on a page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.games.messages import Seat, Standing, Zone
from vaultkit.host.view_state import SpreadCard
from vaultkit.scene.scene import Scene, title_of
from vaultkit.text import capitalize_first, format_count
from vaultkit.web.html_text import HtmlText
from vaultkit.web.page_model import PageModel

MAX_BACK_COUNT = 8
"""So many backs are drawn of a hand at most; a number says how many there are."""


@dataclass(frozen=True, slots=True)
class OpenCard:
    """An open card: the mark by which the page knows it, its picture, its name, and what can be done with it.

    `can` is "playable" where an offer touches it, "why" where there is a reason against it, else "". Without a rank it
    `is_whole`: its corner alone does not tell it from others.
    """

    mark: str
    face: str
    name: str
    can: str = ""
    why: str = ""
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone on the page. `label` is its name in full, for whoever cannot see where it lies."""

    id: str
    kind: str
    title: str
    label: str
    short: str
    cards: tuple[OpenCard, ...]
    backs: int
    hidden: int

    @property
    def count(self) -> int:
        return len(self.cards) + self.backs

    @property
    def is_words(self) -> bool:
        """Whether there is nothing to see but a sum."""
        return not self.count

    @property
    def is_note(self) -> bool:
        """Whether it is a pile of which there are words alone, such as what was played before."""
        return self.kind == "pile" and self.is_words and bool(self.short)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table with what lies before it."""

    seat: Seat
    name: str
    places: tuple[ZoneView, ...]
    points: str
    words: str
    is_asked: bool
    leads: bool
    is_out: bool
    is_you: bool


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Everything on the table, by where it lies."""

    middle: tuple[ZoneView, ...]
    piles: tuple[ZoneView, ...]
    seats: tuple[SeatView, ...]
    hand: tuple[ZoneView, ...]
    notes: tuple[ZoneView, ...]


def layout_zones(sight: PageModel, voice: HtmlText) -> TableLayout:
    """The zones of a Scene by where they lie."""
    scene = sight.scene
    zone_views = list(_zone_views(sight, voice))
    common_views = [place for zone, place in zone_views if zone.owner is None]
    return TableLayout(
        middle=tuple(place for place in common_views if place.kind not in ("pile", "legend") or _is_trick(place)),
        piles=tuple(
            place for place in common_views if place.kind == "pile" and not _is_trick(place) and not place.is_note
        ),
        seats=tuple(_seat_view(sight, seat, zone_views, voice) for seat in range(len(scene.names))),
        hand=tuple(place for zone, place in zone_views if _is_viewers_hand(zone, scene)),
        notes=tuple(place for place in common_views if place.kind == "legend" or place.is_note),
    )


def _zone_views(sight: PageModel, voice: HtmlText) -> Iterator[tuple[Zone, ZoneView]]:
    counts: dict[str, int] = {}
    touched = {touch for offer in sight.scene.offers for touch in offer.touches}
    for zone in sight.scene.zones:
        stem = f"{'t' if zone.owner is None else zone.owner}-{zone.kind}"
        counts[stem] = counts.get(stem, -1) + 1
        yield zone, _zone_view(sight, zone, f"z{stem}-{counts[stem]}", touched, voice)


def _zone_view(sight: PageModel, zone: Zone, name: str, touched: set[str | Seat], voice: HtmlText) -> ZoneView:
    title = capitalize_first(voice.plain(replace(zone.title, words=zone.title.words)))
    label = voice.plain(title_of(zone, sight.scene.you))
    counted_backs = f"{format_count(zone.hidden, 'card')} face down" if zone.hidden else ""
    short = voice.plain(zone.short) if zone.short else ""
    backs = min(zone.hidden, MAX_BACK_COUNT if zone.kind != "pile" else 1)
    visible_cards = () if zone.kind == "legend" else zone.cards  # they lie elsewhere, too
    cards = tuple(_open_card(sight, card, touched, voice) for card in visible_cards)
    full = ", ".join(filter(None, (label, counted_backs, short)))
    return ZoneView(name, zone.kind, title, full, short, cards, backs, zone.hidden)


def _open_card(sight: PageModel, card: str, touched: set[str | Seat], voice: HtmlText) -> OpenCard:
    why = sight.scene.refusals.get(card)
    reason = voice.plain(why) if why else ""
    role = "playable" if card in touched else "why" if why else ""
    is_whole = card in sight.deck.by_id and sight.deck[card].rank is None
    return OpenCard(sight.marks.card(card), sight.marks.face(card), voice.title(card), role, reason, is_whole)


def _is_trick(place: ZoneView) -> bool:
    """Whether a pile lies open, such as the last trick."""
    return place.kind == "pile" and len(place.cards) > 1


def _is_viewers_hand(zone: Zone, scene: Scene) -> bool:
    """Whether a zone is the hand of the viewer."""
    return zone.owner is not None and zone.owner == scene.viewer and zone.kind == "hand"


def _seat_view(sight: PageModel, seat: Seat, zone_views: Sequence[tuple[Zone, ZoneView]], voice: HtmlText) -> SeatView:
    scene = sight.scene
    own = tuple(place for zone, place in zone_views if zone.owner == seat and not _is_viewers_hand(zone, scene))
    standing = next((seat_standing for seat_standing in scene.standings if seat_standing.seat == seat), Standing(seat))
    return SeatView(
        seat=seat,
        name=voice.seat(seat),
        places=own,
        points="" if standing.points is None else f"{standing.points:g}",
        words=voice.plain(standing.words) if standing.words else "",
        is_asked=seat in sight.waiting_for or _is_asked(sight, seat),
        leads=seat in scene.leaders,
        is_out=standing.out,
        is_you=seat == scene.viewer and len(scene.names) > 1,
    )


def _is_asked(sight: PageModel, seat: Seat) -> bool:
    """Return whether a seat is asked; where luck decides, only if people name its cards."""
    question = sight.scene.question
    return question is not None and question.seat == seat and (question.luck is None or sight.pad is not None)


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
        places=tuple(SpreadCell(place, *where[place.number], _spread_card(sight, place, voice)) for place in places),
        rows=len(shape),
        columns=max(map(len, shape)),
        next=next((place for place in places if place.card is None), None),
        latest=by_number.get(sight.spread.latest),
        turned=sum(place.card is not None for place in places),
    )


def _spread_card(sight: PageModel, place: SpreadCard, voice: HtmlText) -> OpenCard | None:
    if place.card is None:
        return None
    card = place.card.id
    return OpenCard(sight.marks.card(card), sight.marks.face(card), voice.title(card))
