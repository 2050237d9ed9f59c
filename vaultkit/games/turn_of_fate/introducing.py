"""Introducing a Citizen: where they go, and the two who make up their own minds."""

from typing import TYPE_CHECKING

from vaultkit.games.turn import Chance
from vaultkit.games.turn_of_fate.headings import INTRODUCING
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import FateState


def turn_up(state: "FateState", seat: Seat, rulings: tuple[str, ...]) -> Chance:
    """The top card of the Citizen Deck, for all to see."""
    return Chance("citizen", Sentence("{s0} turns up a Citizen.", (seat,)), rulings, state.at.citizens)


def introduce(state: "FateState", citizen: str, by: Seat) -> None:
    """Put a Citizen that `by` has turned up where they belong (TF-4, TF-5, TF-7)."""
    if citizen in state.rules.cards.specials:
        _own_mind(state, citizen, by)
        return
    at, suits = state.at, state.rules.cards.suits[citizen]
    owner = next((seat for seat, temple in enumerate(at.temples) if temple in suits), None)
    words, seats = "{s0} introduces the {c0}, who goes to the Agora.", (by, by)
    if owner is None:
        at.agora = (*at.agora, (citizen,))
    else:
        at.congregations[owner] = (*at.congregations[owner], (citizen,))
        words, seats = "{s0} introduces the {c0}, who joins the Congregation of {s1}.", (by, owner)
    state.tell("introduce", words, INTRODUCING, ("TF-7",), seats=seats, cards=(citizen,), reveals=True)


def _own_mind(state: "FateState", citizen: str, by: Seat) -> None:
    """The Bard and the Huntress take vows if their temple is one of the two, and else leave (TF-4, TF-5)."""
    at, temple = state.at, state.rules.cards.specials[citizen]
    took = temple in at.temples
    owner = at.temples.index(temple) if took else by
    if took:
        at.vowed[owner] = (*at.vowed[owner], (citizen,))
        words = "The {c0} takes vows in the temple of {s0} as soon as {s1} introduces them."
    else:
        at.removed = (*at.removed, citizen)
        words = "{s0} introduces the {c0}, who has no time for either temple and leaves the city."
    rulings, seats = ("TF-4", "TF-5"), (owner, by)
    state.tell("own-mind", words, INTRODUCING, rulings, seats=seats, cards=(citizen,), reveals=True, notable=took)
