"""Every strategy by its name, as `--seat bot:NAME` says it."""

from collections.abc import Callable
from difflib import get_close_matches

from vaultkit.bots.base import Bot
from vaultkit.bots.greedy import GreedyBot
from vaultkit.bots.random_bot import RandomBot
from vaultkit.errors import UsageError

_BOTS: dict[str, Callable[[], Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def names() -> tuple[str, ...]:
    """The names of all strategies."""
    return tuple(_BOTS)


def make(name: str) -> Bot:
    """A bot that follows the strategy `name`. Raises UsageError with a suggestion for an unknown one."""
    if name not in _BOTS:
        near = get_close_matches(name, _BOTS, n=1)
        hint = f"Did you mean '{near[0]}'?" if near else f"Strategies: {', '.join(_BOTS)}."
        raise UsageError(f"There is no strategy '{name}'.", hint=hint)
    return _BOTS[name]()
