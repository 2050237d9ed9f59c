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


def first_step(steps: Sequence[Step], memory: ShortMemory | None) -> int:
    """Return the number of the first step that may be looked up, 0 for all steps.

    That is the beginning of the current part of the game, or of the previous part if the current one is not over.
    """
    if memory is None:
        return 0
    parts = [step.n for step in steps if step.events and step.events[0].kind in memory.begins]
    latest = steps[parts[-1] - 1 :] if parts else ()
    over = any(event.kind in memory.over for step in latest for event in step.events)
    back = 1 if over else 2
    return parts[-back] if len(parts) >= back else 0


def recall(events: Iterable[StepEvent], steps: Sequence[Step], memory: ShortMemory | None) -> list[StepEvent]:
    """Return the events that may be looked up with the given limit."""
    first = first_step(steps, memory)
    return [(step, event) for step, event in events if step.n >= first]


def recallable_events(session: Session, people: Collection[Seat]) -> list[StepEvent]:
    """Return the events that may be shown on a screen that all `people` see, and that may be looked up."""
    return recall(visible_events(people, session.steps), session.steps, session_short_memory(session))
