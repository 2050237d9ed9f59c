"""The layout of the zones of a Scene, and of the cards of a reading, on a page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from vaultkit.games.messages import Seat, Standing, Zone
from vaultkit.host.view_state import SpreadCard
from vaultkit.scene.scene import Scene, title_of
from vaultkit.text import capitalize_first, format_count
from vaultkit.web.html_text import HtmlText
from vaultkit.web.page_model import PageModel
from vaultkit.web.roster import SCREEN, SEAT_COLOURS

_TOP_COLUMNS = 60
"""The number of columns between both sides of a wide page, which one to five seats share."""
_DOUBLE_WING_SEATS = 6
MAX_BACK_COUNT = 8
"""The maximum number of backs drawn for a hand; a number says how many cards there are."""


@dataclass(frozen=True, slots=True)
class TablePosition:
    """A place at the table: its colour, its grid area on a wide page, and its `side` of the table.

    `short` is the first word of the name if no other name begins with it.
    """

    name: str
    short: str
    colour: str
    area: str
    side: str


@dataclass(frozen=True, slots=True)
class OpenCard:
    """An open card: its name in the page's HTML, its picture, its title, and what can be done with it.

    `can` is "playable" if an offer touches it, "why" if there is a reason against it, else "". In a trick, `player` is
    who played the card, and `leads` says whether it was led.
    """

    mark: str
    face: str
    name: str
    can: str = ""
    why: str = ""
    player: "TablePosition | None" = None
    leads: bool = False


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone on the page. `label` is its full name for screen readers."""

    id: str
    kind: str
    title: str
    label: str
    short: str
    cards: tuple[OpenCard, ...]
    backs: int
    hidden: int
    is_told: bool = False
    """Whether the cards show everything that the title says."""

    @property
    def count(self) -> int:
        return len(self.cards) + self.backs

    @property
    def is_words(self) -> bool:
        """Whether the zone has only a total to show."""
        return not self.count

    @property
    def is_note(self) -> bool:
        """Whether the zone is a pile that is described in words only, such as the cards played before."""
        return self.kind == "pile" and self.is_words and bool(self.short)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table with its zones."""

    seat: Seat
    place: TablePosition
    zones: tuple[ZoneView, ...]
    points: str
    words: str
    is_asked: bool
    is_asleep: bool
    leads: bool
    is_out: bool
    is_you: bool


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The zones on the table by their places."""

    middle: tuple[ZoneView, ...]
    piles: tuple[ZoneView, ...]
    seats: tuple[SeatView, ...]
    hand: tuple[ZoneView, ...]
    notes: tuple[ZoneView, ...]


def layout_zones(sight: PageModel, voice: HtmlText) -> TableLayout:
    """Return the zones of a Scene by their places."""
    scene = sight.scene
    zone_views = list(_zone_views(sight, voice))
    first = 1 + scene.viewer if sight.company and scene.viewer is not None else 0
    seats = [(first + step) % len(scene.names) for step in range(len(scene.names))]
    common_views = [place for zone, place in zone_views if zone.owner is None]
    return TableLayout(
        middle=tuple(place for place in common_views if place.kind not in ("pile", "legend") or _is_trick(place)),
        piles=tuple(
            place for place in common_views if place.kind == "pile" and not _is_trick(place) and not place.is_note
        ),
        seats=tuple(_seat_view(sight, seat, zone_views, voice) for seat in seats),
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
    is_stack = zone.kind == "stack" and zone.cards
    title = voice.title(zone.cards[0], short=True) if is_stack else capitalize_first(voice.text(zone.title))
    label = voice.text(title_of(zone, sight.scene.you))
    counted_backs = f"{format_count(zone.hidden, 'card')} face down" if zone.hidden else ""
    short = voice.text(zone.short) if zone.short else ""
    if zone.kind == "hand" and zone.cards and zone.hidden:
        short = short or f"known to {'all' if sight.scene.viewer is None else 'you'}"
    backs = min(zone.hidden, MAX_BACK_COUNT if zone.kind != "pile" else 1)
    visible_cards = () if zone.kind == "legend" else zone.cards  # they lie elsewhere, too
    cards = tuple(_open_card(sight, card, touched, voice) for card in visible_cards)
    if zone.players:
        plays = zip(zone.players, cards, range(len(cards)), strict=True)
        cards = tuple(
            replace(card, player=place_of(sight.scene, seat), leads=not at)
            for seat, card, at in sorted(plays, key=itemgetter(0))
        )
    full = ", ".join(filter(None, (label, counted_backs, short)))
    is_told = set(zone.title.seats) == {*zone.players} and len(zone.title.seats) > 1
    return ZoneView(name, zone.kind, title, full, short, cards, backs, zone.hidden, is_told)


def place_of(scene: Scene, seat: Seat) -> TablePosition:
    """Return the place of a seat around the middle of a wide page, from the left over the top to the right.

    Six or more seats have two on each side; one or two have the whole height of their side.
    """
    count, name, colour = len(scene.names), scene.names[seat], SEAT_COLOURS[seat % len(SEAT_COLOURS)]
    first_words = [(other.split() or [other])[0] for other in scene.names]
    short = first_words[seat] if first_words.count(first_words[seat]) == 1 else name
    wing = 2 if count >= _DOUBLE_WING_SEATS else 1
    top, right = max(1, count - 2 * wing), seat >= count - wing and seat > 0
    if wing <= seat < count - wing:
        width = _TOP_COLUMNS // top
        start = 2 + (seat - wing) * width
        return TablePosition(name, short, colour, f"1/{start}/2/{start + width}", "top")
    rows = "1/{}/3" if wing == 1 else "2/{}/3" if seat in (0, count - 1) else "1/{}/2"
    return TablePosition(name, short, colour, rows.format("-2" if right else "1"), "right" if right else "left")


def _open_card(sight: PageModel, card: str, touched: set[str | Seat], voice: HtmlText) -> OpenCard:
    why = sight.scene.refusals.get(card)
    reason = voice.text(why) if why else ""
    role = "playable" if card in touched else "why" if why else ""
    return OpenCard(sight.marks.card(card), sight.marks.face(card), voice.title(card), role, reason)


def _is_trick(place: ZoneView) -> bool:
    """Return whether a pile is open, such as the last trick."""
    return place.kind == "pile" and len(place.cards) > 1


def _is_viewers_hand(zone: Zone, scene: Scene) -> bool:
    """Return whether a zone is the hand of the viewer."""
    return zone.owner is not None and zone.owner == scene.viewer and zone.kind == "hand"


def _seat_view(sight: PageModel, seat: Seat, zone_views: Sequence[tuple[Zone, ZoneView]], voice: HtmlText) -> SeatView:
    scene = sight.scene
    own = tuple(place for zone, place in zone_views if zone.owner == seat and not _is_viewers_hand(zone, scene))
    standing = next((seat_standing for seat_standing in scene.standings if seat_standing.seat == seat), Standing(seat))
    return SeatView(
        seat=seat,
        place=place_of(scene, seat),
        zones=own,
        points="" if standing.points is None else f"{standing.points:g}",
        words=voice.text(standing.words) if standing.words else "",
        is_asked=seat in sight.waiting_for or _is_asked(sight, seat),
        is_asleep=_is_asleep(sight, seat),
        leads=seat in scene.leaders,
        is_out=standing.out,
        is_you=seat == scene.viewer and len(scene.names) > 1,
    )


def _is_asleep(sight: PageModel, seat: Seat) -> bool:
    """Return whether the big screen waits for the phone of a seat to come back."""
    company = sight.company
    return (
        company is not None
        and company.role == SCREEN
        and any(status.seat == seat and status.by == "phone" and not status.is_here for status in company.sittings)
    )


def _is_asked(sight: PageModel, seat: Seat) -> bool:
    """Return whether a seat alone is asked; for a decision by chance, only if people name the cards."""
    question = sight.scene.question
    if question is None or question.party:
        return False
    return question.seat == seat and (question.luck is None or sight.pad is not None)


@dataclass(frozen=True, slots=True)
class SpreadCell:
    """A place of a spread with its row and column, counted from 1."""

    card: SpreadCard
    row: int
    column: int
    open: OpenCard | None


@dataclass(frozen=True, slots=True)
class SpreadLayout:
    """A whole spread. `next` is the first place that is face down, `latest` the place turned up last."""

    places: tuple[SpreadCell, ...]
    rows: int
    columns: int
    next: SpreadCard | None
    latest: SpreadCard | None
    turned: int


def layout_spread(sight: PageModel, voice: HtmlText) -> SpreadLayout:
    """Return the spread of a reading by rows and columns."""
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
