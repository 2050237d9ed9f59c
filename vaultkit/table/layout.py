"""The zones of a Scene as they lie on a page: in the middle, before each seat, in the viewer's hand, or beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.games.words import Seat, Standing, Zone
from vaultkit.scene.scene import Scene, title_of
from vaultkit.table.sight import Sight
from vaultkit.table.voice import Voice
from vaultkit.wording import capital, counted

BACKS = 8
"""So many backs are drawn of a hand at most; a number says how many there are."""


@dataclass(frozen=True, slots=True)
class OpenCard:
    """An open card: the mark by which the page knows it, its picture, its name, and what can be done with it.

    `can` is "playable" where an offer touches it, "why" where there is a reason against it, else "".
    """

    mark: str
    face: str
    name: str
    can: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Place:
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
class SeatPlace:
    """A seat at the table with what lies before it."""

    seat: Seat
    name: str
    places: tuple[Place, ...]
    points: str
    words: str
    is_asked: bool
    leads: bool
    is_out: bool
    is_you: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Everything on the table, by where it lies."""

    middle: tuple[Place, ...]
    piles: tuple[Place, ...]
    seats: tuple[SeatPlace, ...]
    hand: tuple[Place, ...]
    notes: tuple[Place, ...]


def table(sight: Sight, voice: Voice) -> Table:
    """The zones of a Scene by where they lie."""
    scene = sight.scene
    found = list(_places(sight, voice))
    nobodys = [place for zone, place in found if zone.owner is None]
    return Table(
        middle=tuple(place for place in nobodys if place.kind not in ("pile", "legend") or _is_trick(place)),
        piles=tuple(place for place in nobodys if place.kind == "pile" and not _is_trick(place) and not place.is_note),
        seats=tuple(_seat(sight, seat, found, voice) for seat in range(len(scene.names))),
        hand=tuple(place for zone, place in found if _is_held(zone, scene)),
        notes=tuple(place for place in nobodys if place.kind == "legend" or place.is_note),
    )


def _places(sight: Sight, voice: Voice) -> Iterator[tuple[Zone, Place]]:
    seen: dict[str, int] = {}
    touched = {touch for offer in sight.scene.offers for touch in offer.touches}
    for zone in sight.scene.zones:
        stem = f"{'t' if zone.owner is None else zone.owner}-{zone.kind}"
        seen[stem] = seen.get(stem, -1) + 1
        yield zone, _place(sight, zone, f"z{stem}-{seen[stem]}", touched, voice)


def _place(sight: Sight, zone: Zone, name: str, touched: set[str | Seat], voice: Voice) -> Place:
    title = capital(voice.plain(replace(zone.title, words=zone.title.words)))
    label = voice.plain(title_of(zone, sight.scene.you))
    counted_backs = f"{counted(zone.hidden, 'card')} face down" if zone.hidden else ""
    short = voice.plain(zone.short) if zone.short else ""
    backs = min(zone.hidden, BACKS if zone.kind != "pile" else 1)
    drawn = () if zone.kind == "legend" else zone.cards  # they lie elsewhere, too
    cards = tuple(_open_card(sight, card, touched, voice) for card in drawn)
    full = ", ".join(filter(None, (label, counted_backs, short)))
    return Place(name, zone.kind, title, full, short, cards, backs, zone.hidden)


def _open_card(sight: Sight, card: str, touched: set[str | Seat], voice: Voice) -> OpenCard:
    why = sight.scene.refusals.get(card)
    reason = voice.plain(why) if why else ""
    refused = "why" if why else ""
    return OpenCard(
        sight.marks.card(card),
        sight.marks.face(card),
        voice.title(card),
        "playable" if card in touched else refused,
        reason,
    )


def _is_trick(place: Place) -> bool:
    """Whether a pile lies open, such as the last trick."""
    return place.kind == "pile" and len(place.cards) > 1


def _is_held(zone: Zone, scene: Scene) -> bool:
    """Whether a zone is the hand of the viewer."""
    return zone.owner is not None and zone.owner == scene.viewer and zone.kind == "hand"


def _seat(sight: Sight, seat: Seat, found: Sequence[tuple[Zone, Place]], voice: Voice) -> SeatPlace:
    scene = sight.scene
    own = tuple(place for zone, place in found if zone.owner == seat and not _is_held(zone, scene))
    standing = next((one for one in scene.standings if one.seat == seat), Standing(seat))
    return SeatPlace(
        seat=seat,
        name=voice.seat(seat),
        places=own,
        points="" if standing.points is None else f"{standing.points:g}",
        words=voice.plain(standing.words) if standing.words else "",
        is_asked=seat in sight.deciding or _is_asked(sight, seat),
        leads=seat in scene.leaders,
        is_out=standing.out,
        is_you=seat == scene.viewer and len(scene.names) > 1,
    )


def _is_asked(sight: Sight, seat: Seat) -> bool:
    """Return whether a seat is asked; where luck decides, only if people name its cards."""
    asked = sight.scene.question
    return asked is not None and asked.seat == seat and (asked.luck is None or sight.pad is not None)
