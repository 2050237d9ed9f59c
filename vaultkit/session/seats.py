"""Who sits where: people by name, and bots by the strategy that they follow."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import count

from vaultkit.bots.registry import in_full, make
from vaultkit.errors import UsageError
from vaultkit.sorting import clean_name, is_name, name_key
from vaultkit.spelling import did_you_mean_by

_BOT = "bot:"
_LONGEST = 60
_PRONOUNS = frozenset({"i", "me", "we", "us", "you", "they", "them"})
"""Words that cannot be names: a game would say `You wins`."""
BOT_NAMES = (
    "Aldous", "Corvina", "Tamsin", "Orrick", "Hester", "Ludo", "Isaura", "Berengar", "Magda", "Quill", "Sorrel",
)  # fmt: skip
"""Names of our own for bots, in the order in which they sit down."""


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat: a name, and a bot's strategy or None for a person."""

    name: str
    strategy: str | None = None

    @property
    def is_person(self) -> bool:
        return self.strategy is None


def parse_seats(
    given: Iterable[str], strategies: Collection[str] | None = None, names: Iterable[str] = ()
) -> tuple[SeatSpec, ...]:
    """Seats from `North`, `bot:greedy` and `bot:greedy=Aldous`, in order.

    A bot without a name gets the next of `names` that nobody here has; without any left the second bot is
    `Bot 2 (greedy)`. `strategies` are the ones that exist, None to accept any. Raises UsageError for an unknown
    strategy, an empty or unprintable name, and for two seats of one name.
    """
    seats = [_seat(text, strategies) for text in given]
    taken = {name_key(seat.name) for seat in seats}
    free = iter([name for name in map(clean_name, names) if name_key(name) not in taken])
    numbers = count(1)
    named = (
        seat if seat.name else replace(seat, name=next(free, f"Bot {next(numbers)} ({seat.strategy})"))
        for seat in seats
    )
    found = tuple(named)
    _distinct(found)
    return found


def _seat(text: str, strategies: Collection[str] | None) -> SeatSpec:
    """One seat; a bot whose name is still to be found has none."""
    if not name_key(text).startswith(_BOT):
        return SeatSpec(_persons_name(text, {"bot", *(strategies or ())}))
    strategy, named, name = text.partition(":")[2].partition("=")
    return SeatSpec(_name(name) if named else "", _strategy(strategy, strategies))


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
    name = clean_name(text)
    if len(name) > _LONGEST or not is_name(name):
        raise UsageError(
            f"'{name if is_name(name) else ascii(text)[1:-1]}' cannot be the name of a seat.",
            hint=f"A name has 1 to {_LONGEST} printable characters; a bot is written bot:STRATEGY.",
        )
    if name_key(name) in _PRONOUNS:
        raise UsageError(f"'{name}' is nobody's name.", hint="Games are told of people by their names: --seat Ysolde")
    return name


def _persons_name(text: str, bots: Collection[str]) -> str:
    """The name, which `bots` are not, nor what looks like one of them with a name."""
    name = _name(text)
    if any(name_key(word) in bots for word in name.split("=")):
        hint = "A bot is written bot:greedy, and one with a name bot:greedy=Aldous."
        raise UsageError(f"'{name}' is nobody's name.", hint=hint)
    return name


def _distinct(seats: Iterable[SeatSpec]) -> None:
    taken: set[str] = set()
    for seat in seats:
        if name_key(seat.name) in taken:
            raise UsageError(f"Two seats are called '{seat.name}'.", hint="Give each seat a name of its own.")
        taken.add(name_key(seat.name))
