"""The steps of a recorded game that may be shown, as plain values."""

from collections.abc import Collection, Sequence
from typing import Any

from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Event, Seat
from vaultkit.scene.knowledge import visible_events
from vaultkit.scene.visible_history import find_first_step, short_memory
from vaultkit.session import Step
from vaultkit.session.journal import Contents


def as_documents(game: AnyGame, deck: Deck, contents: Contents, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return the steps of a recorded game that may be shown, with their events, as plain values for JSON."""
    return step_documents(visible_steps(game, contents, steps), viewers_of(contents), contents.header.names, deck)


def step_documents(
    steps: Sequence[Step], people: Collection[Seat], names: Sequence[str], deck: Deck
) -> list[dict[str, Any]]:
    """Return steps as plain values for JSON, with the events that all `people` may know."""

    def spoken(event: Event) -> str:
        return event.sentence.render(names.__getitem__, lambda card: deck[card].title)

    return [
        {
            "n": step.n,
            "seat": None if step.seat is None else names[step.seat],
            **({"tale": step.tale} if step.tale else {}),
            "events": [
                {"text": spoken(event), "rule": event.rule, "rulings": list(event.rulings)}
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
