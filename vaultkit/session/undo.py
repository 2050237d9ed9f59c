"""Taking decisions back (G-8): as far as nothing new was shown and nothing was dealt."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from vaultkit.errors import WriteError
from vaultkit.games.options import Value
from vaultkit.games.words import Event, Seat
from vaultkit.session.history import Step

NEWS_SINCE = "That cannot be taken back: cards have been dealt or seen since."
"""The same words for both: which of the two it was may be a secret of others (G-8)."""


class UndoRefused(WriteError):
    """The decision stands; the message says why."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back to after step `to`. `free` marks one that the safe rule would have refused.

    `renames` marks one that takes back the name of a real card, and no decision.
    """

    to: int
    free: bool = False
    renames: bool = False


def plan(steps: Sequence[Step], seat: Seat, rule: Value, people: Collection[Seat] = ()) -> Undo:
    """How far back the seat's own last decision lies. `rule` is `safe`, `off` or `free`. Raises UndoRefused.

    What the `people` have decided since falls with it, so it must be safe for each of them as well.
    """
    if rule == "off":
        raise UndoRefused("This game is played without undo.", hint="It was begun with undo=off.")
    own = next((step for step in reversed(steps) if step.seat == seat and not step.auto), None)
    if own is None:
        raise UndoRefused("There is nothing to take back: no decision has been made yet.")
    reason = _reason_against(steps[own.n - 1 :], {seat, *people})
    if reason and rule == "safe":
        raise UndoRefused(reason, hint="Begin a game with --set undo=free to take back anything.")
    return Undo(own.n - 1, free=bool(reason))


def last_typed(steps: Sequence[Step], people: Collection[Seat], own: Collection[str]) -> Step | None:
    """The last step that people typed: a decision, or a card; the app answers chance turns and verbs of its `own`."""
    return next((step for step in reversed(steps) if _is_typed(step, people, own)), None)


def _is_typed(step: Step, people: Collection[Seat], own: Collection[str]) -> bool:
    if step.chance:
        return step.chance not in own
    return step.seat in people and not step.auto and step.move.verb not in own


def _reason_against(steps: Sequence[Step], deciders: Collection[Seat]) -> str:
    """Why these steps cannot safely be undone, "" if they can. Each decider counts from their own first decision on."""
    decided = [(at, step.seat) for at, step in enumerate(steps) if step.seat in deciders and not step.auto]
    firsts = dict(reversed([(seat, at) for at, seat in decided if seat is not None]))
    return next(filter(None, (_reason_of(steps[at:], seat) for seat, at in sorted(firsts.items()))), "")


def _reason_of(steps: Sequence[Step], seat: Seat) -> str:
    """Why the seat cannot safely undo these steps, or an empty string."""
    if any(step.chance for step in steps):
        return NEWS_SINCE
    return NEWS_SINCE if any(_is_news(step, event, seat) for step in steps for event in step.events) else ""


def _is_news(step: Step, event: Event, seat: Seat) -> bool:
    """Whether an event showed the seat something that was hidden from it; its own choice it knew."""
    if not event.reveals or not event.visible_to(seat):
        return False
    of_others = step.seat != seat or event.seat != seat or not set(step.move.operands).issuperset(event.cards)
    # What several have put down face down is told of all of them at once, even of those who put down nothing.
    return of_others or (len(event.sentence.seats) > 1 and event.kind != step.move.verb)
