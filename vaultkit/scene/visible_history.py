"""Limits on looking up past events, for house rules that make players remember them (VA-22, TF-28)."""

from collections.abc import Collection, Iterable, Sequence

from vaultkit.games.game import AnyGame, ShortMemory
from vaultkit.games.messages import Seat
from vaultkit.games.options import Options
from vaultkit.scene.knowledge import StepEvent, visible_events
from vaultkit.session import Session, Step


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


def select_recallable_events(
    events: Iterable[StepEvent], steps: Sequence[Step], memory: ShortMemory | None
) -> list[StepEvent]:
    """Return the events that may be looked up with the given limit."""
    first_step_number = find_first_step(steps, memory)
    return [(step, event) for step, event in events if step.n >= first_step_number]


def recallable_events(session: Session, people: Collection[Seat]) -> list[StepEvent]:
    """Return the events that may be shown on a screen that all `people` see, and that may be looked up."""
    return select_recallable_events(visible_events(people, session.steps), session.steps, session_short_memory(session))
