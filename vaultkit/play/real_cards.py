"""Which games can be refereed with the real deck on the table, how, and what the app cannot check then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.games.options import Value
from vaultkit.session.seats import SeatSpec

SHOWN = ("play", "reveal")
"""Verbs of moves that show a card of an unseen hand."""


@dataclass(frozen=True, slots=True)
class Refereed:
    """How a game is refereed. `how` says it to the players, with what cannot be checked.

    `hidden` tells that hands are hidden, so that no bot can hold one. `unseen` are the chance turns and verbs of moves
    that the table is not asked about (`stand_ins`).
    """

    how: str
    hidden: bool = False
    unseen: tuple[str, ...] = ()


_OPEN = "All hands lie open, so every rule is checked."
_TYPED = (
    "Players type their own cards while nobody else looks, because the rules ask what is in a hand. "
    "That these are the cards in the hand cannot be checked."
)
_PROPHETA = Refereed(
    "Hands and prophecies stay unseen: say what is played and turned up. Whether a card was in that hand, and whether "
    "a prophecy was laid before the first trick, cannot be checked.",
    hidden=True,
    unseen=("deal", "predict"),
)
_GAMES = {
    "dragon-citadel": Refereed(_OPEN),
    "deck-of-destiny": Refereed("All cards are laid open by the end, so every rule is checked."),
    "propheta": _PROPHETA,
    "turn-of-fate": Refereed(_TYPED, hidden=True),
    "prophets-gambit": Refereed(_TYPED, hidden=True),
}
_NEEDS = {
    ("propheta", "follow"): ("none", "whether a player could have followed", "VA-4"),
    ("propheta", "leak_guard"): ("true", "who has no prophecy to turn up", "VA-12"),
    ("propheta", "target"): ("none", "where cards go between deals; play one deal after the other", "VA-19"),
}
"""Options that need one value, because otherwise the app would have to know something that it does not."""


def refereed(game: str, options: Mapping[str, Value], seats: Sequence[SeatSpec] = ()) -> Refereed:
    """How a game with these complete options is refereed. Raises UsageError that says why where it cannot be."""
    way = _GAMES.get(game, Refereed(_TYPED, hidden=True))
    if game == "dragon-citadel" and options.get("mode") == "competitive":
        way = Refereed(_TYPED, hidden=True)
    for (of, key), (needed, unknown, ruling) in _NEEDS.items():
        if of == game and options.get(key) != needed:
            raise UsageError(
                f"With real cards '{key}={options.get(key)}' cannot be refereed: the app does not see {unknown}.",
                hint=f"Play it with --set {key}={needed} ({ruling}), or without --real-cards.",
            )
    bots = [seat.name for seat in seats if not seat.is_person]
    if bots and way.hidden:
        raise UsageError(
            f"{bots[0]} cannot hold real cards: somebody would have to look at the hand.",
            hint="Give every seat to a person, or play without --real-cards.",
        )
    return way
