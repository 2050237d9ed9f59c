"""Rules on what the people at a screen may see: if several people share it, it shows only what all of them know.

Some house rules also limit how far back past events may be looked up (VA-22, TF-28).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame, ShortMemory
from vaultkit.games.messages import Event, Seat, Zone
from vaultkit.games.options import Options
from vaultkit.games.turn import Prompt
from vaultkit.session import Session, Step
from vaultkit.session.journal import Contents

StepEvent = tuple[Step, Event]

_MIN_HAND_CARDS = 4
"""The minimum number of cards, given to a seat at once, that count as a dealt hand, which is not news."""


def visible_events(people: Collection[Seat], steps: Iterable[Step]) -> list[StepEvent]:
    """Return the events of `steps` that may be shown on a screen that all `people` see; without people, all events.

    If an action has an event with its cards for some seats and one without them for the others, only one of the two is
    returned: the one with as many cards as all `people` may know.
    """
    return [(step, event) for step in steps for event in _fullest_events(people, step.events)]


def _fullest_events(people: Collection[Seat], events: Sequence[Event]) -> list[Event]:
    """Return the events that all people know, except ones that another returned event describes with more cards."""
    common_events = [event for event in events if all(_knows(seat, event, events) for seat in people)]
    return [event for event in common_events if not any(_is_fuller(other, event) for other in common_events)]


def _knows(seat: Seat, event: Event, events: Sequence[Event]) -> bool:
    fuller_events = (other for other in events if _is_fuller(other, event))
    return any(possible.is_visible_to(seat) for possible in (event, *fuller_events))


def _is_fuller(other: Event, event: Event) -> bool:
    """Return whether `fuller_event` describes the same action as `event` with more cards, for other seats."""
    if other.seen_by is None or event.seen_by is None or other.seen_by & event.seen_by:
        return False
    return (other.kind, other.seat) == (event.kind, event.seat) and len(other.cards) > len(event.cards)


def is_private(session: Session, prompt: Prompt) -> bool:
    """Return whether another person at the screen may not see the decision, or cards that it shows (G-3)."""
    other_people = [seat for seat in session.people if seat != prompt.seat]
    if prompt.seat not in session.people or not other_people:
        return False
    offered_cards = session.deck.by_id.keys() & {operand for move in prompt.moves for operand in move.operands}
    cards = visible_cards(session, prompt.seat) | offered_cards
    return prompt.secret or any(cards - visible_cards(session, other_seat) for other_seat in other_people)


def events_since_last_turn(session: Session, seat: Seat) -> list[StepEvent]:
    """Return the events since the seat's own last decision that the seat may know.

    Its own choice is left out, and so is a dealt hand that it still holds, which is visible on the table. Before its
    first decision, all deals that not everybody sees are left out.
    """
    steps = session.steps
    last_decision = max((step.n for step in steps if step.seat == seat and not step.auto), default=0)
    if not last_decision:
        return [(step, event) for step, event in visible_events((seat,), steps) if not (step.chance and event.seen_by)]
    held_cards = {card for zone in session.game.table(session.view(seat)) if zone.owner == seat for card in zone.cards}
    events = visible_events((seat,), steps[last_decision - 1 :])
    return [
        (step, event)
        for step, event in events
        if not _is_own_choice(step, event, seat) and not _is_dealt_hand(event, seat, held_cards)
    ]


def merge_news(own_events: Iterable[StepEvent], public_events: Iterable[StepEvent]) -> tuple[StepEvent, ...]:
    """Return a seat's own news and the public ones in order, without public ones that its own describe more fully."""
    own = [*own_events]
    other = [
        (step, event)
        for step, event in public_events
        if not any(step.n == at.n and (event == own_event or _is_fuller(own_event, event)) for at, own_event in own)
    ]
    return tuple(sorted([*own, *other], key=lambda item: (item[0].n, item[0].events.index(item[1]))))


def privately_seen_events(session: Session, seat: Seat, step: Step) -> list[StepEvent]:
    """Return the events of a step with cards that this seat saw and not all people at the screen did.

    Events with no other cards than those drawn or chosen in the step are left out.
    """
    common_events = [event for _, event in visible_events(session.people, [step])]
    operands = set(step.move.operands)
    return [
        (step, event)
        for _, event in visible_events((seat,), [step])
        if event not in common_events and event.reveals and not operands.issuperset(event.cards)
    ]


def knowers(session: Session, step: Step) -> set[Seat]:
    """Return the seats that know which cards were drawn or chosen in a step: all seats, unless that was secret."""
    everybody = set(range(len(session.header.seats)))
    card_ids = session.deck.by_id.keys() & set(step.move.operands)
    if not card_ids or any(event.seen_by is None and card_ids.intersection(event.cards) for event in step.events):
        return everybody
    events = [event for event in step.events if card_ids.issubset(event.cards)]
    return {seat for seat in everybody if seat == step.seat or any(event.is_visible_to(seat) for event in events)}


def secret_owners(session: Session, steps: Iterable[Step], seats: Collection[Seat]) -> list[Seat]:
    """Return the people who typed cards in `steps` that at least one of `seats` does not know."""
    return sorted({owner for step in steps for owner in _find_owners(session, step, seats)})


def _find_owners(session: Session, step: Step, seats: Collection[Seat]) -> set[Seat]:
    is_typed = session.header.real_cards if step.chance else step.seat in session.people and not step.auto
    knowing_seats = knowers(session, step)
    if not is_typed or knowing_seats.issuperset(seats):
        return set()
    return knowing_seats.intersection(session.people if step.seat is None else {step.seat})


def visible_cards(session: Session, seat: Seat) -> set[str]:
    """Return the ids of all cards that the seat sees on the table and in its hand."""
    return {card for zone in session.game.table(session.view(seat)) for card in zone.cards}


def open_zones(session: Session) -> list[Zone]:
    """Return the zones of the table as everybody sees them: shared zones first, then the ones of each seat.

    Cards that only some seats have seen, such as hands, are counted as face down.
    """
    last_seat = len(session.header.seats) - 1
    tables_first, second = (session.game.table(session.view(seat)) for seat in (0, min(1, last_seat)))
    zones = [*(zone for zone in second if zone.owner == 0), *(zone for zone in tables_first if zone.owner != 0)]
    open_to_all = set.intersection(*(visible_cards(session, seat) for seat in range(last_seat + 1)))
    masked_zones = [_mask_zone(zone, open_to_all) for zone in zones]
    return sorted(masked_zones, key=lambda zone: -1 if zone.owner is None else zone.owner)


def _mask_zone(zone: Zone, open_cards: Collection[str]) -> Zone:
    cards = tuple(card for card in zone.cards if card in open_cards)
    if cards == zone.cards:
        return zone
    return replace(zone, cards=cards, hidden=zone.hidden + len(zone.cards) - len(cards), players=(), short=None)


def _is_own_choice(step: Step, event: Event, seat: Seat) -> bool:
    """Return whether an event only shows the seat the choice that it made itself in the step."""
    is_from_own_move = step.seat == seat and event is step.events[0] and set(step.move.operands).issuperset(event.cards)
    return is_from_own_move and (event.sentence.seats == (seat,) or event.kind == step.move.verb)


def _is_dealt_hand(event: Event, seat: Seat, held_cards: Collection[str]) -> bool:
    """Return whether an event is the deal of a whole hand to the seat, all cards of which it still holds."""
    is_only_seen_by_seat = event.seat == seat and event.seen_by == frozenset({seat})
    return is_only_seen_by_seat and len(event.cards) >= _MIN_HAND_CARDS and set(event.cards).issubset(held_cards)


def short_memory(game: AnyGame, options: Options) -> ShortMemory | None:
    """Return the limit on looking up events in a game, None if the `options` set none. `options` must be complete."""
    memory = game.short_memory
    return memory if memory and options.get("memory") == memory.value else None


def session_short_memory(session: Session) -> ShortMemory | None:
    """Return the limit on looking up events in a session, None if there is none or the game is over."""
    return short_memory(session.game, session.header.options) if session.outcome is None else None


def find_first_step(steps: Sequence[Step], memory: ShortMemory | None) -> int:
    """Return the number of the first step that may be looked up, 0 for all steps.

    That is the beginning of the current part of the game, or of the previous part if the current one is not over.
    """
    if memory is None:
        return 0
    part_starts = [step.n for step in steps if step.events and step.events[0].kind in memory.begins]
    current_part = steps[part_starts[-1] - 1 :] if part_starts else ()
    is_part_over = any(event.kind in memory.over for step in current_part for event in step.events)
    parts_back = 1 if is_part_over else 2
    return part_starts[-parts_back] if len(part_starts) >= parts_back else 0


def select_recallable_events(session: Session, events: Iterable[StepEvent]) -> list[StepEvent]:
    """Return the events of a session that may be looked up."""
    first_step_number = find_first_step(session.steps, session_short_memory(session))
    return [(step, event) for step, event in events if step.n >= first_step_number]


def recallable_events(session: Session, people: Collection[Seat]) -> list[StepEvent]:
    """Return the events that may be shown on a screen that all `people` see, and that may be looked up."""
    return select_recallable_events(session, visible_events(people, session.steps))


def as_documents(game: AnyGame, deck: Deck, contents: Contents, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return the steps of a recorded game that may be shown, with their events, as plain values for JSON."""
    return step_documents(visible_steps(game, contents, steps), viewers_of(contents), contents.header.names, deck)


def step_documents(
    steps: Sequence[Step], people: Collection[Seat], names: Sequence[str], deck: Deck
) -> list[dict[str, Any]]:
    """Return steps as plain values for JSON, with the events that all `people` may know."""

    def event_text(event: Event) -> str:
        return event.sentence.render(names.__getitem__, lambda card: deck[card].title)

    return [
        {
            "n": step.n,
            "seat": None if step.seat is None else names[step.seat],
            **({"tale": step.tale} if step.tale else {}),
            "events": [
                {"text": event_text(event), "rule": event.rule, "rulings": list(event.rulings)}
                for _, event in visible_events(people, [step])
            ],
        }
        for step in steps
    ]


def visible_steps(game: AnyGame, contents: Contents, steps: Sequence[Step]) -> list[Step]:
    """Return the steps that may be shown, which a short memory limits until the game is over."""
    first_visible_step = 0 if contents.end else find_first_step(steps, short_memory(game, contents.header.options))
    return [step for step in steps if step.n >= first_visible_step]


def viewers_of(contents: Contents) -> list[Seat]:
    """Return the seats of people, or none once the game is over, because everything may then be shown."""
    return [] if contents.end else [seat for seat, spec in enumerate(contents.header.seats) if spec.is_person]
