"""A whole state out of what one seat knows."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from vaultkit.games.propheta.deal import PHASES, moves_for
from vaultkit.games.propheta.rules import Facts
from vaultkit.games.propheta.state import ProphetaState, ProphetaView, Trick
from vaultkit.games.turn import Rng
from vaultkit.games.words import Seat


def determinize(view: ProphetaView, rng: Rng) -> ProphetaState:
    """A state with the same view for the seat; what it does not see is dealt at random.

    Where suit must be followed, nobody is dealt a card of an element that they have been seen not to hold.
    """
    places = _places(view)
    seen = view.seen
    unseen = [card for card in view.rules.cards.ids if card not in seen]
    rng.shuffle(unseen)
    if any(place.without for place in places):
        _fill_with_care(places, unseen, view.rules.cards, rng)
    else:
        _fill(places, unseen)
    return _state(view, places, rng)


@dataclass(slots=True)
class _Place:
    """Where hidden cards lie: `size` of them, none of the elements in `without`."""

    size: int
    without: frozenset[str] = frozenset()
    cards: list[str] = field(default_factory=list)


def _places(view: ProphetaView) -> list[_Place]:
    """Hands, then face-down prophecies, what is aside, and tricks that are no longer known."""
    lacking = _lacking(view) if view.rules.must_follow else [frozenset()] * view.seats
    hands = [
        _Place(size - len(known), without)
        for size, known, without in zip(view.hand_sizes, view.hands, lacking, strict=True)
    ]
    laid = [_Place(size - len(known)) for size, known in zip(view.face_down, view.predictions, strict=True)]
    aside = _Place(view.aside_size if view.aside is None else 0)
    return [*hands, *laid, aside, *(_Place(0 if trick.cards else view.seats) for trick in view.tricks)]


def _lacking(view: ProphetaView) -> list[frozenset[str]]:
    """The elements that each seat has shown not to hold, by not following (VA-4)."""
    facts, lacking = view.rules.cards, [set[str]() for _ in range(view.seats)]
    for leader, cards in _known_tricks(view):
        for step, card in enumerate(cards):
            if facts.element[card] != facts.element[cards[0]] and card not in facts.numbers:
                lacking[(leader + step) % view.seats].add(facts.element[cards[0]])
    return list(map(frozenset, lacking))


def _known_tricks(view: ProphetaView) -> Iterator[tuple[Seat, tuple[str, ...]]]:
    yield from ((trick.leader, trick.cards) for trick in view.tricks)
    yield view.leader, view.trick


def _fill(places: list[_Place], unseen: list[str]) -> None:
    start = 0
    for place in places:
        place.cards = unseen[start : start + place.size]
        start += place.size


def _fill_with_care(places: list[_Place], unseen: list[str], facts: Facts, rng: Rng) -> None:
    """Each card where there is room for it; if there is none, another card makes room by moving on."""
    order = [str(at) for at, place in enumerate(places) for _ in range(place.size)]
    rng.shuffle(order)
    preferred = [places[int(at)] for at in dict.fromkeys(order)]
    for card in unseen:
        if not _put(card, preferred, facts, set()):
            raise AssertionError(f"there is no place for {card}: the view contradicts itself")
        preferred = _later(preferred, int(rng.randrange(max(1, len(preferred)))))


def _later(places: list[_Place], by: int) -> list[_Place]:
    return places[by:] + places[:by]


def _put(card: str, places: list[_Place], facts: Facts, tried: set[int]) -> bool:
    """Find a place for a card, moving others on if need be (an augmenting path, as in bipartite matching)."""
    fit = [place for place in places if id(place) not in tried and facts.element[card] not in place.without]
    for place in fit:
        if len(place.cards) < place.size:
            place.cards.append(card)
            return True
    for place in fit:
        tried.add(id(place))
        for at, other in enumerate(place.cards):
            if _put(other, places, facts, tried):
                place.cards[at] = card
                return True
    return False


def _state(view: ProphetaView, places: list[_Place], rng: Rng) -> ProphetaState:
    facts, seats = view.rules.cards, view.seats
    hands, laid, aside, tricks = places[:seats], places[seats : 2 * seats], places[2 * seats], places[2 * seats + 1 :]
    state = ProphetaState(view.rules, PHASES)
    state.phase, state.actor, state.leader, state.first = view.phase, view.actor, view.leader, view.first
    state.hands = [_joined(known, place, facts) for known, place in zip(view.hands, hands, strict=True)]
    state.predictions = [_joined(known, place, facts) for known, place in zip(view.predictions, laid, strict=True)]
    state.fulfilled = list(view.fulfilled)
    state.aside = facts.in_order(tuple(aside.cards)) if view.aside is None else view.aside
    state.tricks = tuple(
        Trick(trick.leader, trick.cards or tuple(place.cards), trick.winner)
        for trick, place in zip(view.tricks, tricks, strict=True)
    )
    state.trick, state.shared = view.trick, view.shared
    state.deals, state.shown = view.deals, view.shown
    for place, move in enumerate(view.committed):
        choices = (move,) if move else moves_for(state, (view.leader + place) % seats)
        state.committed = (*state.committed, choices[rng.randrange(len(choices))])
    return state


def _joined(known: tuple[str, ...], place: _Place, facts: Facts) -> tuple[str, ...]:
    return facts.in_order((*known, *place.cards)) if place.cards else known
