"""Planning of undo (G-8), which is safe if nothing new was shown and nothing was dealt after a decision."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from vaultkit.errors import WriteError
from vaultkit.games.messages import Event, Seat
from vaultkit.games.options import Value
from vaultkit.session.history import Step

NEWS_SINCE_REASON = "That cannot be taken back: cards have been dealt or seen since."
"""The reason of a refusal, the same for dealt and for seen cards because the difference may be secret (G-8)."""


class UndoRefused(WriteError):
    """The error for an undo that is not allowed, with the reason."""


@dataclass(frozen=True, slots=True)
class Undo:
    """A plan to return to the position after step `to`.

    `free` marks an undo that the rule "safe" would have refused. `renames` marks the correction of the name of a real
    card, which undoes no decision.
    """

    to: int
    free: bool = False
    renames: bool = False


def plan(steps: Sequence[Step], seat: Seat, rule: Value, people: Collection[Seat] = ()) -> Undo:
    """Return a plan to undo the last decision of `seat`.

    `rule` is `safe`, `off` or `free`. Later decisions of `people` are undone with it, so that the undo must be safe for
    each of them, too. Raises UndoRefused if there is no decision to undo, or if the rule does not allow it.
    """
    if rule == "off":
        raise UndoRefused("This game is played without undo.", hint="It was begun with undo=off.")
    own_step = next((step for step in reversed(steps) if step.seat == seat and not step.auto), None)
    if own_step is None:
        raise UndoRefused("There is nothing to take back: no decision has been made yet.")
    reason = _find_reason_against(steps[own_step.n - 1 :], {seat, *people})
    if reason and rule == "safe":
        raise UndoRefused(reason, hint="Begin a game with --set undo=free to take back anything.")
    return Undo(own_step.n - 1, free=bool(reason))


def find_last_typed_step(
    steps: Sequence[Step], people: Collection[Seat], automatic_names: Collection[str]
) -> Step | None:
    """Return the last step that people typed, which is a decision or a card, or None if there is none.

    `automatic_names` are the names of chance turns and the verbs of moves that vaultkit answers itself.
    """
    return next((step for step in reversed(steps) if _is_typed(step, people, automatic_names)), None)


def _is_typed(step: Step, people: Collection[Seat], automatic_names: Collection[str]) -> bool:
    if step.chance:
        return step.chance not in automatic_names
    return step.seat in people and not step.auto and step.move.verb not in automatic_names


def _find_reason_against(steps: Sequence[Step], deciders: Collection[Seat]) -> str:
    """Return the reason why the undo of `steps` is not safe for one of `deciders`, or "" if it is safe for all.

    For each decider only the steps from its first decision on are considered.
    """
    decisions = [(index, step.seat) for index, step in enumerate(steps) if step.seat in deciders and not step.auto]
    first_index_of_seat = dict(reversed([(seat, index) for index, seat in decisions if seat is not None]))
    return next(
        filter(
            None, (_find_reason_for_seat(steps[index:], seat) for seat, index in sorted(first_index_of_seat.items()))
        ),
        "",
    )


def _find_reason_for_seat(steps: Sequence[Step], seat: Seat) -> str:
    """Return the reason why the undo of `steps` is not safe for `seat`, or "" if it is."""
    if any(step.chance for step in steps):
        return NEWS_SINCE_REASON
    return NEWS_SINCE_REASON if any(_is_news(step, event, seat) for step in steps for event in step.events) else ""


def _is_news(step: Step, event: Event, seat: Seat) -> bool:
    """Return whether an event showed the seat something new besides its own choice."""
    if not event.reveals or not event.is_visible_to(seat):
        return False
    is_of_others = step.seat != seat or event.seat != seat or not set(step.move.operands).issuperset(event.cards)
    # One event shows everything that several seats have put down face down, even to seats that put down nothing.
    return is_of_others or (len(event.sentence.seats) > 1 and event.kind != step.move.verb)
