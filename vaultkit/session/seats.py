"""The seats of a game: people by name, and bots by their strategy."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import Annotated

from msgspec import Meta

from vaultkit.bots.registry import complete_bot_name, make_bot
from vaultkit.errors import UnknownName, UsageError
from vaultkit.spelling import did_you_mean
from vaultkit.text import clean_name, is_name, name_key

_BOT_PREFIX = "bot:"
_MAX_NAME_LENGTH = 60
_PRONOUNS = frozenset({"i", "ich", "me", "mich", "myself", "we", "wir", "us", "you", "they", "them"})
"""Words that cannot be names, because a game would say `You wins`."""
BOT_NAMES = (
    "Aldous", "Corvina", "Tamsin", "Orrick", "Hester", "Ludo", "Isaura", "Berengar", "Magda", "Quill", "Sorrel",
)  # fmt: skip
"""Default names of bots, in the order in which they are given out."""


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """A seat: its name, and the strategy of a bot or None for a person."""

    name: Annotated[str, Meta(max_length=1_000)]
    strategy: str | None = None

    @property
    def is_person(self) -> bool:
        return self.strategy is None


def is_pronoun(text: str) -> bool:
    """Return whether a text is a word such as `me`, which means a person without a name."""
    return name_key(text) in _PRONOUNS


def parse_seats(
    texts: Iterable[str], strategies: Collection[str] | None = None, default_bot_names: Iterable[str] = ()
) -> tuple[SeatSpec, ...]:
    """Return the seats described by texts such as `North`, `bot:greedy` and `bot:greedy=Aldous`, in order.

    A bot without a name gets the next of the default bot names in `default_bot_names` that no other seat has; bots for
    which none is left are called `Bot 1 (greedy)`, `Bot 2 (greedy)` and so on. `strategies` are the existing
    strategies, None to accept any. Raises UsageError for an unknown strategy, for an empty or unprintable name, and for
    two seats with the same name.
    """
    seats = [_parse_seat(text, strategies) for text in texts]
    used_names = {name_key(seat.name) for seat in seats}
    free_names = iter([name for name in map(clean_name, default_bot_names) if name_key(name) not in used_names])
    bot_numbers = count(1)
    names = (seat.name or next(free_names, f"Bot {next(bot_numbers)} ({seat.strategy})") for seat in seats)
    specs = tuple(replace(seat, name=name) for seat, name in zip(seats, names, strict=True))
    _check_distinct(specs)
    return specs


def _parse_seat(text: str, strategies: Collection[str] | None) -> SeatSpec:
    """Return the seat described by `text`; a bot whose name is not given gets the name ""."""
    if not name_key(text).startswith(_BOT_PREFIX):
        return SeatSpec(_parse_person_name(text, {"bot", *(strategies or ())}))
    strategy, separator, name = text.partition(":")[2].partition("=")
    return SeatSpec(_parse_name(name) if separator else "", _parse_strategy(strategy, strategies))


def _parse_strategy(text: str, strategies: Collection[str] | None) -> str:
    """Return the strategy named by `text`, as in `greedy` or `search:1000`, with its defaults filled in.

    Raises UsageError with a suggestion if it is none of `strategies`; None accepts any.
    """
    strategy = text.strip().lower()
    if strategy and (strategies is None or strategy in strategies):
        return complete_bot_name(strategy)
    if strategy.partition(":")[0] in (strategies or ()):
        make_bot(strategy)  # raises for a number that the strategy does not accept
        return strategy
    strategy_names = sorted(strategies or ())
    hint = did_you_mean(strategy, strategy_names)
    raise UnknownName(f"There is no strategy '{strategy}'.", hint=hint or f"Strategies: {', '.join(strategy_names)}.")


def _parse_name(text: str) -> str:
    """Return `text` as the clean name of a seat. Raises UsageError if it cannot be one."""
    name = clean_name(text)
    if len(name) > _MAX_NAME_LENGTH or not is_name(name):
        raise UsageError(
            f"'{name if is_name(name) else ascii(text)[1:-1]}' cannot be the name of a seat.",
            hint=f"A name has 1 to {_MAX_NAME_LENGTH} printable characters; a bot is written bot:STRATEGY.",
        )
    if is_pronoun(name):
        hint = "Players need names: write the name, such as Ysolde."
        raise UsageError(f"'{name}' is not a player.", hint=hint)
    return name


def _parse_person_name(text: str, bot_words: Collection[str]) -> str:
    """Return the name of a person. Raises UsageError if it, or a part of it around `=`, is one of `bot_words`."""
    name = _parse_name(text)
    if any(name_key(word) in bot_words for word in name.split("=")):
        hint = "A bot is written bot:greedy, and one with a name bot:greedy=Aldous."
        raise UsageError(f"'{name}' is not a player.", hint=hint)
    return name


def _check_distinct(seats: Iterable[SeatSpec]) -> None:
    """Raise UsageError if two seats have the same name."""
    used_names: set[str] = set()
    for seat in seats:
        if name_key(seat.name) in used_names:
            raise UsageError(f"Two seats are called '{seat.name}'.", hint="Give each seat a different name.")
        used_names.add(name_key(seat.name))
