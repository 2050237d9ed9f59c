"""The tables of the games bench: what both sides took, the budgets, and whether they hold."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles

from games_timing import Spent

SLOWEST = 25.0
"""Microseconds an action of OpenSpiel's slowest game in Python; counts only where it could not be measured."""

PROPHETA, PROPHETA_GAMES = 8.0, 1000.0
"""Microseconds an action, and games a second with three seats."""

CLONE = 10.0
"""Microseconds."""

SEARCH = 2000.0
"""Iterations a second in Propheta, as the bot plays it."""

MOVE, SLOW_MOVE = 0.3, 1.0
"""Seconds of a decision of a hard bot: the median, and the 95th percentile."""

Found = Mapping[str, Spent]


def least(rounds: Sequence[Found]) -> dict[str, Spent]:
    """Of each thing the round in which an action took least."""
    return {name: min((one[name] for one in rounds), key=lambda one: one.seconds / one.actions) for name in rounds[0]}


def least_of_each(rounds: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, list[float]]:
    """Of each move the round in which it took least; all rounds have the same moves in the same order."""
    return {name: [min(times) for times in zip(*(one[name] for one in rounds), strict=True)] for name in rounds[0]}


def micros(spent: Spent) -> float:
    """Microseconds an action."""
    return spent.seconds / spent.actions * 1e6


def rate(spent: Spent) -> float:
    """Times a second."""
    return spent.times / spent.seconds


def in_python(found: Found) -> list[float]:
    """Microseconds an action of each of OpenSpiel's games that are written in Python."""
    return [micros(spent) for name, spent in found.items() if name.startswith("python_")]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is words, and the others numbers."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |".replace("| --- |", "|---|").replace(" --: |", "--:|") for line in lines)


def playouts(ours: Found, simulated: Found, theirs: Found) -> str:
    """Random games to their end; where there are no peers, `SLOWEST` stands for them."""
    limit, usual = max(in_python(theirs), default=SLOWEST), _usual(theirs)
    head = "random games|µs an action|actions a game|games a second|by `simulate`|to Python's median|budget|holds"
    rows = [
        [*_played(name, spent, usual, simulated.get(name)), *_action_budget(name, spent, limit)]
        for name, spent in ours.items()
    ]
    peers = [[*_played(peer(name), spent, usual), "", ""] for name, spent in theirs.items()]
    return markdown(head.split("|"), [*rows, *peers])


def _usual(theirs: Found) -> float | None:
    """The median of OpenSpiel's games in Python; None if none was measured."""
    return median(in_python(theirs)) if in_python(theirs) else None


def _played(name: str, spent: Spent, usual: float | None, simulated: Spent | None = None) -> list[str]:
    return [
        name,
        f"{micros(spent):.1f}",
        f"{spent.actions / spent.times:.0f}",
        f"{rate(spent):.0f}",
        f"{rate(simulated):.0f}" if simulated else "",
        f"{micros(spent) / usual:.2f}" if usual else "",
    ]


def _action_budget(name: str, spent: Spent, limit: float) -> list[str]:
    taken, games = micros(spent), rate(spent)
    if not name.startswith("Propheta"):
        return [f"{limit:.1f} µs", holds(taken <= limit)]
    if not name.endswith("3 seats"):
        return [f"{PROPHETA:.0f} µs", holds(taken <= PROPHETA)]
    return [f"{PROPHETA:.0f} µs, {PROPHETA_GAMES:.0f} games", holds(taken <= PROPHETA and games >= PROPHETA_GAMES)]


def clones(ours: Found, theirs: Found) -> str:
    """Copies of games half played."""
    usual = _usual(theirs)
    rows = [
        [*_copied(name, spent, usual), f"{CLONE:.0f} µs", holds(micros(spent) <= CLONE)] for name, spent in ours.items()
    ]
    peers = [[*_copied(peer(name), spent, usual), "", ""] for name, spent in theirs.items()]
    return markdown(["a copy, half-way", "µs", "to Python's median", "budget", "holds"], [*rows, *peers])


def _copied(name: str, spent: Spent, usual: float | None) -> list[str]:
    return [name, f"{micros(spent):.2f}", f"{micros(spent) / usual:.3f}" if usual else ""]


def searches(ours: Found, theirs: Found) -> str:
    """Iterations of search bots."""
    head = ["search", "iterations a second", "actions to the end", "µs an action", "budget", "holds"]
    rows = [[*_searched(name, spent), *_search_budget(name, spent)] for name, spent in ours.items()]
    peers = [[*_searched(peer(name), spent), "", ""] for name, spent in theirs.items()]
    return markdown(head, [*rows, *peers])


def _searched(name: str, spent: Spent) -> list[str]:
    return [name, f"{rate(spent):.0f}", f"{spent.actions / spent.times:.0f}", f"{micros(spent):.1f}"]


def _search_budget(name: str, spent: Spent) -> list[str]:
    if not name.endswith("as it plays"):
        return ["", ""]
    return [f"{SEARCH:.0f} a second", holds(rate(spent) >= SEARCH)]


def moves(found: Mapping[str, Sequence[float]]) -> str:
    """Decisions of a hard bot."""
    head = ["a decision of hard", "seconds, median", "95 of 100", "longest", "moves", "budget", "holds"]
    return markdown(head, [_moved(name, times) for name, times in found.items()])


def _moved(name: str, times: Sequence[float]) -> list[str]:
    middle, late = median(times), quantiles(times, n=20, method="inclusive")[-1]
    verdict = holds(middle <= MOVE and late <= SLOW_MOVE)
    numbers = [f"{seconds:.3f}" for seconds in (middle, late, max(times))]
    return [name, *numbers, str(len(times)), f"{MOVE} s, {SLOW_MOVE:.0f} s", verdict]


def holds(kept: bool) -> str:
    """Whether a budget is kept, in a word."""
    return "yes" if kept else "**no**"


def peer(name: str) -> str:
    """What the tables call a game, or a game and a bot, of OpenSpiel."""
    game, *bot = name.split(", ")
    return ", ".join([f"OpenSpiel {game}" if game.startswith("python_") else f"OpenSpiel {game} (C++)", *bot])
