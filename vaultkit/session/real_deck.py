"""The refereeing of games with real cards: which cards people enter, and what vaultkit cannot check."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.games.game_info import load
from vaultkit.games.options import Value
from vaultkit.games.registry import GAMES
from vaultkit.session.seats import SeatSpec

SHOWING_VERBS = ("play", "reveal")
"""The verbs of moves that show a card from a hand that vaultkit does not know."""


@dataclass(frozen=True, slots=True)
class Refereeing:
    """A way of refereeing a game with real cards.

    `how` explains it to the players, with what cannot be checked. `hidden` says that the game has hidden hands, which
    no bot can hold. `unseen` lists the names of the chance turns and the verbs of the moves that the players are not
    asked about; placeholders are used for their cards.
    """

    how: str
    hidden: bool = False
    unseen: tuple[str, ...] = ()


TYPED_HANDS = Refereeing(
    "Players type their own cards while nobody else looks, because the rules ask what is in a hand. "
    "That these are the cards in the hand cannot be checked.",
    hidden=True,
)
_UNSEEN_HANDS = Refereeing(
    "Hands and prophecies stay unseen: say what is played and turned up. Whether a card was in that hand, and whether "
    "a prophecy was laid before the first trick, cannot be checked.",
    hidden=True,
    unseen=("deal", "predict"),
)
_REQUIRED_VALUES = {
    "follow": ("none", "whether a player could have followed", "VA-4"),
    "leak_guard": ("true", "who has no prophecy to turn up", "VA-12"),
    "target": ("none", "where cards go between deals; play one deal after the other", "VA-19"),
}
"""For the keys of some options, the required value, what vaultkit would have to know otherwise, and the ruling."""


def by_typing(options: Mapping[str, Value]) -> Refereeing:  # noqa: ARG001
    """Return the refereeing of a game whose players type the cards of their hidden hands."""
    return TYPED_HANDS


def by_the_end(options: Mapping[str, Value]) -> Refereeing:  # noqa: ARG001
    """Return the refereeing of a game without hidden hands, whose cards are all open at its end."""
    return Refereeing("All cards are laid open by the end, so every rule is checked.")


def by_open_hands(options: Mapping[str, Value]) -> Refereeing:
    """Return the refereeing of a game with hidden hands in competitive play only, the cards of which players type."""
    if options["mode"] == "competitive":
        return TYPED_HANDS
    return Refereeing("All hands lie open, so every rule is checked.")


def by_stand_ins(options: Mapping[str, Value]) -> Refereeing:
    """Return the refereeing of a game with placeholders for the cards in hands, which nobody enters.

    Raises UsageError for an option with a value for which vaultkit would have to know the hands.
    """
    for key, (required_value, unknown_fact, ruling) in _REQUIRED_VALUES.items():
        if options[key] != required_value:
            raise UsageError(
                f"With real cards '{key}={options[key]}' cannot be refereed: the app does not see {unknown_fact}.",
                hint=f"Play it with --set {key}={required_value} ({ruling}), or without --referee.",
            )
    return _UNSEEN_HANDS


def find_refereeing(game: str, options: Mapping[str, Value], seats: Sequence[SeatSpec] = ()) -> Refereeing:
    """Return the refereeing of a game with the given options, which must be complete.

    Raises UsageError with the reason if the game cannot be refereed with the options, or if a bot has a seat in a game
    with hidden hands.
    """
    info = GAMES[game]
    if not info.refereeing:
        raise UsageError(
            f"{info.title} cannot be refereed with real cards yet.",
            hint=f"Play without --{'referee' if info.ledger else 'real-cards'}.",
        )
    make_refereeing: Callable[[Mapping[str, Value]], Refereeing] = load(info.refereeing)
    refereeing = make_refereeing(options)
    bot_names = [seat.name for seat in seats if not seat.is_person]
    if bot_names and refereeing.hidden:
        raise UsageError(
            f"{bot_names[0]} cannot hold real cards: somebody would have to look at the hand.",
            hint="Give every seat to a person, or play without --real-cards.",
        )
    return refereeing
