"""The strategies of bots by their names, as in `--seat bot:NAME`."""

from collections.abc import Callable, Iterable

from vaultkit.bots.bot import Bot
from vaultkit.bots.greedy_choice import CarelessBot, GreedyBot, place_of_guide
from vaultkit.bots.search import DEFAULT_ITERATIONS, MAX_ITERATIONS, SearchBot
from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame, View
from vaultkit.games.turn import Move, Rng
from vaultkit.spelling import did_you_mean


class RandomBot:
    """A bot that plays any legal move with equal probability, to compare other strategies with."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        moves = view.moves
        return moves[rng.randrange(len(moves))]


def _search(iterations: int | None = DEFAULT_ITERATIONS) -> Bot:
    return SearchBot(iterations, guide=GreedyBot())


_BOTS: dict[str, Callable[[], Bot]] = {
    "easy": CarelessBot,
    "fair": GreedyBot,
    "hard": lambda: _search(None),
    "random": RandomBot,
    "greedy": GreedyBot,
    "search": _search,
}
"""Functions that make a bot, by strategy: three levels for people to choose from, then the names in `docs/bots.md`."""


def names() -> tuple[str, ...]:
    """Return the names of all strategies; `search` may be followed by a number of iterations, as in `search:1000`."""
    return tuple(_BOTS)


def complete_bot_name(name: str) -> str:
    """Return the name of a strategy with its default number of iterations: `search` becomes `search:100`."""
    return f"search:{DEFAULT_ITERATIONS}" if name == "search" else name


def make(name: str) -> Bot:
    """Return a bot with the strategy `name`. Raises UsageError with a suggestion for an unknown name."""
    strategy, colon, number = name.partition(":")
    if strategy == "search" and colon:
        return _search(_iterations(number))
    if name not in _BOTS:
        hint = did_you_mean(strategy, _BOTS) or f"Strategies: {', '.join(_BOTS)}."
        raise UsageError(f"There is no strategy '{name}'.", hint=hint)
    return _BOTS[name]()


def check_strategies(strategies: Iterable[str | None], game: AnyGame) -> None:
    """Raise UsageError if one of the strategies cannot play the game; None is for a person."""
    if {strategy.partition(":")[0] for strategy in strategies if strategy} - {"random"}:
        place_of_guide(game)


def _iterations(number: str) -> int:
    """Parse a number of iterations. Raises UsageError unless it is from 1 to `MAX_ITERATIONS`."""
    if number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= MAX_ITERATIONS and len(number) < 9:
        return int(number)
    hint = f"Write it as search:300, with a number from 1 to {MAX_ITERATIONS}."
    raise UsageError(f"'search:{number}' is no number of iterations.", hint=hint)
