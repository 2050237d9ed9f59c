"""Who at the screen may see what: with two people at it, a hidden hand must be masked."""

from collections.abc import Collection, Iterable, Sequence

from vaultkit.games.turn import Prompt
from vaultkit.games.words import Event, Seat, Zone
from vaultkit.session import Session, Step


def told_to(people: Collection[Seat], steps: Iterable[Step]) -> list[tuple[Step, Event]]:
    """What may stand on a screen that all these people see. With no people at all everything may.

    What some saw in full and the others from outside is told once, as fully as all of these people may know it.
    """
    return [(step, event) for step in steps for event in _told_once(people, step.events)]


def _told_once(people: Collection[Seat], events: Sequence[Event]) -> list[Event]:
    """Each event that everyone knows, unless a fuller account of it is told as well."""
    known = [event for event in events if all(_knows(seat, event, events) for seat in people)]
    return [event for event in known if not any(_fuller(other, event) for other in known)]


def _knows(seat: Seat, event: Event, events: Sequence[Event]) -> bool:
    return event.visible_to(seat) or any(other.visible_to(seat) and _fuller(other, event) for other in events)


def _fuller(other: Event, event: Event) -> bool:
    """Whether `other` tells with its cards what `event` tells those who did not see them."""
    if other.seen_by is None or event.seen_by is None or other.seen_by & event.seen_by:
        return False
    return (other.kind, other.seat) == (event.kind, event.seat) and len(other.cards) > len(event.cards)


def is_private(session: Session, prompt: Prompt) -> bool:
    """Whether the decision shows something that another person at the screen may not see (G-3, hidden hands)."""
    others = [seat for seat in session.people if seat != prompt.seat]
    if prompt.seat not in session.people or not others:
        return False
    shown = _shown(session, prompt.seat) | _named(session, prompt)
    return prompt.secret or any(shown - _shown(session, other) for other in others)


def since_last_turn(session: Session, seat: Seat) -> list[tuple[Step, Event]]:
    """What the seat may know of all that happened after its own last decision."""
    steps = session.steps
    own = max((step.n for step in steps if step.seat == seat and not step.auto), default=0)
    return told_to((seat,), steps[own:])


def open_zones(session: Session) -> list[Zone]:
    """The table as everybody sees it, without hands: what is nobody's, then each seat's as another one sees it."""
    first, second = (session.game.table(session.view(seat)) for seat in (0, 1))
    zones = [*(zone for zone in second if zone.owner == 0), *(zone for zone in first if zone.owner != 0)]
    return sorted(zones, key=lambda zone: -1 if zone.owner is None else zone.owner)


def _shown(session: Session, seat: Seat) -> set[str]:
    return {card for zone in session.game.table(session.view(seat)) for card in zone.cards}


def _named(session: Session, prompt: Prompt) -> set[str]:
    named = {operand for move in prompt.moves for operand in move.operands}
    return named & session.deck.by_id.keys()
