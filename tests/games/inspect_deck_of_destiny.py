"""What the conformance suite must know of an encounter's state; nothing in it is hidden but the order of a pile."""

from random import Random

from vaultkit.games.deck_of_destiny.state import DestinyState

HEADINGS = {
    "The Two Piles", "Encounters", "The Three Phases", "Phase 1: Setting Up", "Phase 2: Weighing It Up",
    "Phase 3: The Conclusion", "The Best Hand", "How It Ends", "For the GM",
}  # fmt: skip


def census(state: DestinyState) -> list[str]:
    """Every card, wherever it lies; those that have no rank stay aside."""
    at = state.at
    return [
        *at.inventory, *at.elsewhere, *at.own, *at.shown, *at.opponent, *at.veiled.unknown, *at.veiled.bottom,
        *state.rules.cards.aside,
    ]  # fmt: skip


def permuted(state: DestinyState, seat: int, rng: Random) -> DestinyState:
    """The state as it is: there is nothing that the seat cannot see."""
    return state.clone()


def sound(state: DestinyState) -> bool:
    """One card in phase 1, five at most in phase 2, no more of them in phase 3; the table is empty at the end."""
    at = state.at
    first, second, third = at.laid if at.end is None else at.end.laid
    return (
        len(first) <= 1
        and len(third) <= len(second) <= 5
        and len(at.opponent) in {0, state.rules.strength}
        and (at.end is None or not (at.own or at.shown or at.opponent))
        and list(at.inventory) == sorted(at.inventory, key=state.rules.cards.ids.index)
    )
