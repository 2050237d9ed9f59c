"""The strategies of bots by their names, as in `--seat bot:NAME`."""

from collections.abc import Callable, Iterable
from typing import Protocol

from vaultkit.bots.greedy_choice import CarelessBot, GreedyBot, guide_import_path
from vaultkit.bots.search import DEFAULT_ITERATIONS, MAX_ITERATIONS, SearchBot
from vaultkit.errors import UnknownName, UsageError
from vaultkit.games.game import AnyGame, View
from vaultkit.games.turn import Move, Rng
from vaultkit.spelling import did_you_mean


class Bot(Protocol):
    """A strategy without memory, which returns equal moves for equal views, games and random generators."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        """Return one of the moves of `view.prompt`, a decision of the seat whose view it is."""


class RandomBot:
    """A bot that plays any legal move with equal probability, to compare other strategies with."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        return view.moves[rng.randrange(len(view.moves))]


def _make_search_bot(iterations: int | None = DEFAULT_ITERATIONS) -> Bot:
    return SearchBot(iterations, guide=GreedyBot())


_MAKER_OF_STRATEGY: dict[str, Callable[[], Bot]] = {
    "easy": CarelessBot,
    "fair": GreedyBot,
    "hard": lambda: _make_search_bot(None),
    "random": RandomBot,
    "greedy": GreedyBot,
    "search": _make_search_bot,
}
"""Functions that make a bot, by strategy: three levels for people to choose from, then the names in `docs/bots.md`."""


def names() -> tuple[str, ...]:
    """Return the names of all strategies; `search` may be followed by a number of iterations, as in `search:1000`."""
    return tuple(_MAKER_OF_STRATEGY)


def complete_bot_name(name: str) -> str:
    """Return the name of a strategy with its default number of iterations: `search` becomes `search:100`."""
    return f"search:{DEFAULT_ITERATIONS}" if name == "search" else name


def make_bot(name: str) -> Bot:
    """Return a bot with the strategy `name`. Raises UsageError with a suggestion for an unknown name."""
    base_name, separator, number = name.partition(":")
    if base_name == "search" and separator:
        return _make_search_bot(_parse_iterations(number))
    if name not in _MAKER_OF_STRATEGY:
        hint = did_you_mean(base_name, _MAKER_OF_STRATEGY) or f"Strategies: {', '.join(_MAKER_OF_STRATEGY)}."
        raise UnknownName(f"There is no strategy '{name}'.", hint=hint)
    return _MAKER_OF_STRATEGY[name]()


def check_strategies(strategies: Iterable[str | None], game: AnyGame) -> None:
    """Raise UsageError if one of the strategies cannot play the game; None is for a person."""
    if {strategy.partition(":")[0] for strategy in strategies if strategy} - {"random"}:
        guide_import_path(game)


def _parse_iterations(digits: str) -> int:
    """Parse a number of iterations. Raises UsageError unless it is from 1 to `MAX_ITERATIONS`."""
    if digits.isascii() and digits.isdecimal() and 1 <= int(digits[:9]) <= MAX_ITERATIONS and len(digits) < 9:
        return int(digits)
    hint = f"Write it as search:300, with a number from 1 to {MAX_ITERATIONS}."
    raise UsageError(f"'search:{digits}' is not a number of iterations.", hint=hint)
