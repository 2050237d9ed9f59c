"""Reads the end of a game from the score sheets of a table with real cards."""

from vaultkit.games.dragon_citadel.ending import ENDINGS
from vaultkit.games.tally import Tally, seats_of
from vaultkit.games.words import Seat

KINDS = {"coop": ("party", "dealer", "seer"), "competitive": ("score", "last-survivor", "seer")}
"""How a game can end in each mode (DC-5, DC-25, DC-31)."""


def left(tally: Tally) -> tuple[Seat, ...]:
    """The seats that have not forfeited."""
    return tuple(seat for seat in seats_of(tally) if tally.seats[seat].answers.get("forfeited") != "yes")


def kind_of(tally: Tally) -> str:
    """How it ended by what people say, or else by the forfeits."""
    said = tally.common.get("outcome")
    return said if isinstance(said, str) and said in ENDINGS else likeliest(tally)


def likeliest(tally: Tally) -> str:
    """The kind of outcome that the forfeits speak for."""
    if tally.options["mode"] == "coop":
        return "party" if left(tally) else "dealer"
    return "last-survivor" if len(left(tally)) == 1 else "score"
