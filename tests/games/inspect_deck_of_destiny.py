"""Knowledge of the Deck of Destiny for the conformance suite; only the order of a pile is hidden in it."""

from random import Random

from vaultkit.games.deck_of_destiny.state import DestinyState


def permute(state: DestinyState, seat: int, rng: Random) -> DestinyState:
    """Return an equal state, since a seat sees everything but the order of the pile."""
    return state.clone()


def sound(state: DestinyState) -> bool:
    """Return whether the phases have at most one, five and no more cards, and the table is empty at the end."""
    at = state.at
    first, second, third = at.end.laid if at.end else at.laid
    return (
        len(first) <= 1
        and len(third) <= len(second) <= 5
        and len(at.opponent) in {0, state.rules.strength}
        and (at.end is None or not (at.own or at.face_up or at.opponent))
        and list(at.inventory) == sorted(at.inventory, key=state.rules.cards.ids.index)
    )
