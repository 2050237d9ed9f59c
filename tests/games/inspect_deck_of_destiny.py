"""What the conformance suite must know of an encounter; nothing in it is hidden but the order of a pile."""

from random import Random

from vaultkit.games.deck_of_destiny.state import DestinyState


def permute(state: DestinyState, seat: int, rng: Random) -> DestinyState:
    """The state as it is: there is nothing that the seat cannot see."""
    return state.clone()


def sound(state: DestinyState) -> bool:
    """One card in phase 1, five at most in phase 2, no more of them in phase 3; the table is empty at the end."""
    at = state.at
    first, second, third = at.end.laid if at.end else at.laid
    return (
        len(first) <= 1
        and len(third) <= len(second) <= 5
        and len(at.opponent) in {0, state.rules.strength}
        and (at.end is None or not (at.own or at.face_up or at.opponent))
        and list(at.inventory) == sorted(at.inventory, key=state.rules.cards.ids.index)
    )
