"""Who sits where: people by name, and bots by the strategy that they follow."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from unicodedata import category, normalize

from vaultkit.bots.registry import in_full, make
from vaultkit.errors import UsageError
from vaultkit.spelling import did_you_mean_by

_BOT = "bot:"
_LONGEST = 60
_PRONOUNS = frozenset({"i", "me", "we", "us", "you", "they", "them"})
"""Words that cannot be names: a game would say `You wins`."""


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat: a name, and a bot's strategy or None for a person."""

    name: str
    strategy: str | None = None

    @property
    def is_person(self) -> bool:
        return self.strategy is None


def parse_seats(given: Iterable[str], strategies: Collection[str] | None = None) -> tuple[SeatSpec, ...]:
    """Seats from `North` and `bot:greedy`, in order; bots are called `Bot 1 (greedy)` and so on.

    `strategies` are the ones that exist, None to accept any. Raises UsageError for an unknown strategy, an empty or
    unprintable name, and for two seats of one name.
    """
    seats: list[SeatSpec] = []
    bots = 0
    for text in given:
        if text.strip().lower().startswith(_BOT):
            bots += 1
            strategy = _strategy(text.strip()[len(_BOT) :], strategies)
            seats.append(SeatSpec(f"Bot {bots} ({strategy})", strategy))
        else:
            seats.append(SeatSpec(_name(text)))
    _distinct(seats)
    return tuple(seats)


def _strategy(text: str, strategies: Collection[str] | None) -> str:
    wanted = text.strip().lower()
    if wanted and (strategies is None or wanted in strategies):
        return in_full(wanted)
    if wanted.partition(":")[0] in (strategies or ()):
        make(wanted)  # refuses a number that the strategy does not take
        return wanted
    known = sorted(strategies or ())
    hint = did_you_mean_by(wanted, {name: f"{_BOT}{name}" for name in known}) or f"Strategies: {', '.join(known)}."
    raise UsageError(f"There is no strategy '{wanted}'.", hint=hint)


def _name(text: str) -> str:
    name = " ".join(normalize("NFC", text).split())
    if not name or len(name) > _LONGEST or any(category(character)[0] == "C" for character in name):
        raise UsageError(
            f"'{text if text.isprintable() else ascii(text)}' cannot be the name of a seat.",
            hint=f"A name has 1 to {_LONGEST} printable characters; a bot is written bot:STRATEGY.",
        )
    if name.casefold() in _PRONOUNS:
        raise UsageError(f"'{name}' is nobody's name.", hint="Games are told of people by their names: --seat Ysolde")
    return name


def _distinct(seats: Iterable[SeatSpec]) -> None:
    taken: set[str] = set()
    for seat in seats:
        if seat.name.casefold() in taken:
            raise UsageError(f"Two seats are called '{seat.name}'.", hint="Give each seat a name of its own.")
        taken.add(seat.name.casefold())
