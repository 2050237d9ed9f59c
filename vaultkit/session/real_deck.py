"""How a game with real cards is refereed, and what vaultkit cannot check in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.games.game_info import load
from vaultkit.games.options import Value
from vaultkit.games.registry import GAMES
from vaultkit.session.seats import SeatSpec

SHOWING_VERBS = ("play", "reveal")
"""The verbs of moves that show a card of an unseen hand."""


@dataclass(frozen=True, slots=True)
class Refereeing:
    """The way in which a game with real cards is refereed.

    `how` explains it to the players, including what cannot be checked. `hidden` says that hands are hidden, so that no
    bot can hold one. `unseen` lists the chance turns and verbs of moves that the players are not asked about;
    placeholder cards are used for them.
    """

    how: str
    hidden: bool = False
    unseen: tuple[str, ...] = ()


TYPED = Refereeing(
    "Players type their own cards while nobody else looks, because the rules ask what is in a hand. "
    "That these are the cards in the hand cannot be checked.",
    hidden=True,
)
_UNSEEN = Refereeing(
    "Hands and prophecies stay unseen: say what is played and turned up. Whether a card was in that hand, and whether "
    "a prophecy was laid before the first trick, cannot be checked.",
    hidden=True,
    unseen=("deal", "predict"),
)
_NEEDS = {
    "follow": ("none", "whether a player could have followed", "VA-4"),
    "leak_guard": ("true", "who has no prophecy to turn up", "VA-12"),
    "target": ("none", "where cards go between deals; play one deal after the other", "VA-19"),
}
"""The options that need one certain value, the fact that vaultkit would have to know otherwise, and the ruling."""


def check_light(real_cards: bool, option_names: Sequence[str]) -> None:
    """Raise UsageError for `--light` without real cards, or with options that need to know every card.

    `option_names` are the options in use that need to know every card.
    """
    if not real_cards:
        raise UsageError("--light is for the real deck on the table.", hint="Say --real-cards --light, or neither.")
    if option_names:
        hint = "Leave it out, or play without --light."
        raise UsageError(f"{option_names[0]} needs to know every card, and --light asks for few.", hint=hint)


def by_typing(options: Mapping[str, Value]) -> Refereeing:  # noqa: ARG001
    """Return the refereeing of a game in which players type the cards of their hidden hands."""
    return TYPED


def by_the_end(options: Mapping[str, Value]) -> Refereeing:  # noqa: ARG001
    """Return the refereeing of a game without hidden hands, in which all cards are open at the end."""
    return Refereeing("All cards are laid open by the end, so every rule is checked.")


def by_open_hands(options: Mapping[str, Value]) -> Refereeing:
    """Return the refereeing of a game with open hands in co-op, and with typed hidden hands in competitive play."""
    return TYPED if options["mode"] == "competitive" else Refereeing("All hands lie open, so every rule is checked.")


def by_stand_ins(options: Mapping[str, Value]) -> Refereeing:
    """Return the refereeing of a game in which the cards in the hands are not entered.

    Raises UsageError for an option whose rule depends on the cards in a hand.
    """
    for key, (required_value, unknown, ruling) in _NEEDS.items():
        if options[key] != required_value:
            raise UsageError(
                f"With real cards '{key}={options[key]}' cannot be refereed: the app does not see {unknown}.",
                hint=f"Play it with --set {key}={required_value} ({ruling}), or without --real-cards.",
            )
    return _UNSEEN


def find_refereeing(game: str, options: Mapping[str, Value], seats: Sequence[SeatSpec] = ()) -> Refereeing:
    """Return the way in which a game with the given options is refereed.

    `options` must be complete. Raises UsageError with the reason if the game cannot be refereed with the options, or if
    a bot has a seat in a game with hidden hands.
    """
    info = GAMES[game]
    if not info.refereeing:
        raise UsageError(f"{info.title} cannot be refereed with real cards yet.", hint="Play without --real-cards.")
    way: Callable[[Mapping[str, Value]], Refereeing] = load(info.refereeing)
    referee_mode = way(options)
    bots = [seat.name for seat in seats if not seat.is_person]
    if bots and referee_mode.hidden:
        raise UsageError(
            f"{bots[0]} cannot hold real cards: somebody would have to look at the hand.",
            hint="Give every seat to a person, or play without --real-cards.",
        )
    return referee_mode
