"""How fast the five games and their search bot are, as ratios to OpenSpiel's in the same run, as Markdown tables.

Usage: python bench/games.py [--tools FOLDER] [--rounds N] [--quick]

Processor seconds, not the clock's, with the garbage collector as in life. Ours and theirs are measured in turns, each
time in a process of its own; the least of all rounds counts. The budget of an action is OpenSpiel's slowest game in
Python, as this run found it.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import games_tables as tables
from games_timing import Spent
from measuring import Failed, machine, pin, run

HERE = Path(__file__).resolve().parent
VERSION = "from importlib.metadata import version; print(version('open_spiel'))"
MEASURES = ("playouts", "simulated", "clones", "searches")
BY_PEERS = ("playouts", "clones", "searches")
MOVE_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Length:
    """How often all is measured, and about how many processor seconds for each game each time."""

    rounds: int
    seconds: float = 1.0
    move_seconds: float = 20.0


@dataclass(slots=True)
class Bench:
    """What was found so far, round by round; `peer` is a Python that has open_spiel, None if there is none."""

    peer: str | None
    ours: dict[str, list[dict[str, Spent]]] = field(default_factory=dict)
    theirs: dict[str, list[dict[str, Spent]]] = field(default_factory=dict)

    def measure(self, length: Length) -> None:
        """All but the moves, ours and theirs in turns."""
        for number in range(length.rounds):
            for what in MEASURES:
                print(f"round {number + 1} of {length.rounds}: {what}", file=sys.stderr)
                self.ours.setdefault(what, []).append(_ours(what, length.seconds))
                if self.peer and what in BY_PEERS:
                    self.theirs.setdefault(what, []).append(_theirs(self.peer, what, length.seconds))

    def report(self) -> str:
        """The tables of what was measured."""
        ours = {what: tables.least(rounds) for what, rounds in self.ours.items()}
        theirs = {what: tables.least(self.theirs[what]) if what in self.theirs else {} for what in BY_PEERS}
        return "\n\n".join(
            (
                tables.playouts(ours["playouts"], ours["simulated"], theirs["playouts"]),
                tables.clones(ours["clones"], theirs["clones"]),
                tables.searches(ours["searches"], theirs["searches"]),
            )
        )


def moves(length: Length) -> dict[str, list[float]]:
    """Seconds of the same decisions of a hard bot, each in its fastest round."""
    rounds = []
    for number in range(min(MOVE_ROUNDS, length.rounds)):
        print(f"round {number + 1}: moves", file=sys.stderr)
        rounds.append(json.loads(_inside(sys.executable, "games_ours.py", "moves", length.move_seconds)))
    return tables.least_of_each(rounds)


def _ours(what: str, seconds: float) -> dict[str, Spent]:
    return _spent(_inside(sys.executable, "games_ours.py", what, seconds))


def _theirs(python: str, what: str, seconds: float) -> dict[str, Spent]:
    return _spent(_inside(python, "games_peers.py", what, seconds))


def _inside(python: str, script: str, what: str, seconds: float) -> str:
    return run([python, str(HERE / script), what, str(seconds)], keep=True).output


def _spent(text: str) -> dict[str, Spent]:
    return {name: Spent(**told) for name, told in json.loads(text).items()}


def find_peer(tools: Path | None) -> tuple[str | None, str]:
    """A Python that has open_spiel in the folder `tools`, else on PATH; and a remark on what was found."""
    where = str(tools) if tools else None
    python = shutil.which("python", path=where) or shutil.which("python3", path=where)
    try:
        version = run([python, "-c", VERSION], keep=True).output.strip() if python else ""
    except Failed:
        version = ""
    return (python, f"open_spiel {version}") if version else (None, "open_spiel is not there, so nothing is compared")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print Markdown."""
    given = _arguments(arguments)
    length = Length(1, 0.2, 1.0) if given.quick else Length(given.rounds)
    cpus = pin()
    peer, remark = find_peer(given.tools)
    bench = Bench(peer)
    try:
        bench.measure(length)
        taken = moves(length)
    except Failed as error:
        sys.exit(f"A measured process failed, so there is no table: {error}")
    print(bench.report(), tables.moves(taken), sep="\n\n", end="\n\n")
    print(f"{machine(cpus)}; {remark}.")


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the games and the search bot next to OpenSpiel's.")
    parser.add_argument("--tools", type=Path, help="where a python with open_spiel is, if not on PATH")
    parser.add_argument("--rounds", type=int, choices=range(1, 100), default=5, metavar="N", help="5 if not given")
    parser.add_argument("--quick", action="store_true", help="one short round, to see that it runs")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
