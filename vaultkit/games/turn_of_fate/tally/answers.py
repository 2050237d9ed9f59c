"""Reads the score sheets of a game with real cards, pile by pile."""

from vaultkit.games.tally import Tally, seats_of
from vaultkit.games.turn_of_fate.rules import RIVAL, total
from vaultkit.games.words import Seat

PILES = {"congregation": "congregation", "temple-pile": "temple"}
"""The rows of the sheet, each with what score parts call it (`scoring.sheet`)."""
PARTS = ("count", "citizens", "doubled", "fates")
NO_TEMPLE = "temple"
"""Stands for a temple that nobody wrote down."""


def parts(tally: Tally, seat: Seat) -> dict[str, int]:
    """The seat's score in the form of `scoring.sheet`."""
    seat_tally = tally.seats[seat]
    found = {f"{name}.{part}": seat_tally.number(f"{row}.{part}") for row, name in PILES.items() for part in PARTS}
    return {**found, "total": total(found)}


def temples(tally: Tally) -> tuple[str, ...]:
    """Each seat's temple by its suit; the rival's where only one is written down (TF-2)."""
    said = [str(seat.answers.get("temple", "")).capitalize() for seat in tally.seats]
    known = [temple if temple in RIVAL else "" for temple in said]
    others = [
        next((other for place, other in enumerate(known) if place != seat and other), "") for seat in seats_of(tally)
    ]
    return tuple(own or RIVAL.get(other, NO_TEMPLE) for own, other in zip(known, others, strict=True))
