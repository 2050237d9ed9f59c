"""How much of a game may be looked up at the table, where a house rule leaves the rest to memory (VA-22, TF-28)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from vaultkit.games.options import Value
from vaultkit.games.words import Event, Seat
from vaultkit.play.privacy import told_to
from vaultkit.session import Session, Step

Told = tuple[Step, Event]


class Short(NamedTuple):
    """A short memory: `value` is that of the option `memory` for it, `said` tells the players.

    A part of the game begins with an event of a kind in `begins` and is over with one of a kind in `over`. The present
    part and the last one that is over may be looked up.
    """

    value: str
    begins: tuple[str, ...]
    over: tuple[str, ...]
    said: str


_SHORT = {
    "propheta": Short("last-trick", ("led",), ("won", "trick"), "Only the last trick may be looked up (VA-22)."),
    "turn-of-fate": Short("closed", ("play", "wild", "pass"), (), "Only the last two turns may be looked up (TF-28)."),
}


def short(game: str, options: Mapping[str, Value]) -> Short | None:
    """The short memory that a game is played with under these complete options, if it is."""
    found = _SHORT.get(game)
    return found if found and options.get("memory") == found.value else None


def of(session: Session) -> Short | None:
    """The short memory of a session; none once the game is over and all lies open."""
    return short(session.header.game, session.header.options) if session.outcome is None else None


def first_step(steps: Sequence[Step], memory: Short | None) -> int:
    """The number of the first step that may be looked up."""
    if memory is None:
        return 0
    parts = [step.n for step in steps if step.events and step.events[0].kind in memory.begins]
    latest = steps[parts[-1] - 1 :] if parts else ()
    over = any(event.kind in memory.over for step in latest for event in step.events)
    back = 1 if over else 2
    return parts[-back] if len(parts) >= back else 0


def recalled(told: Iterable[Told], steps: Sequence[Step], memory: Short | None) -> list[Told]:
    """Of what is told of a game's steps, all that may be looked up."""
    first = first_step(steps, memory)
    return [(step, event) for step, event in told if step.n >= first]


def may_look_up(session: Session, people: Collection[Seat]) -> list[Told]:
    """All that may stand on a screen that all these people see, as far as it may be looked up."""
    return recalled(told_to(people, session.steps), session.steps, of(session))
