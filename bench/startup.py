"""How long the command line takes to start, as ratios to an empty Python process of the same run.

Usage: python bench/startup.py [RUNS]
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VAULT = ROOT / "vault-example"

COMMANDS: dict[str, tuple[list[str], float]] = {
    "--version": (["-m", "vaultkit", "--version"], 2.0),
    "a press of Tab: decks": (["-m", "vaultkit", "--complete", "zsh", "--vault", str(VAULT), "deck", ""], 4.0),
    "a press of Tab: notes": (["-m", "vaultkit", "--complete", "zsh", "--vault", str(VAULT), "links", ""], 4.0),
    "--help": (["-m", "vaultkit", "--help"], 15.0),
    "links (a vault command)": (["-m", "vaultkit", "links", "Home", "--json", "--vault", str(VAULT)], 10.0),
    "log (what has no note yet)": (["-m", "vaultkit", "log", "--vault", str(VAULT)], 10.0),
    "undo --list": (["-m", "vaultkit", "undo", "--list", "--vault", str(VAULT)], 10.0),
    "stats": (["-m", "vaultkit", "stats", "--vault", str(VAULT)], 10.0),
    "print --help": (["-m", "vaultkit", "print", "--help"], 12.0),
}
"""What is run, and its budget as a multiple of `python -c pass`."""


def fastest(arguments: list[str], runs: int) -> float:
    """Seconds of the fastest of `runs` whole processes."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=tempfile.gettempdir())
        times.append(time.perf_counter() - begun)
    return min(times)


def main() -> None:
    """Print one line for each command: seconds, ratio, budget."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    fastest(["-m", "vaultkit", "notes", "--vault", str(VAULT)], 1)  # from now on there is an index
    empty = fastest(["-c", "pass"], runs)
    print(f"{'python -c pass':26} {empty * 1000:7.1f} ms")
    for name, (arguments, budget) in COMMANDS.items():
        seconds = fastest(arguments, runs)
        print(f"{name:26} {seconds * 1000:7.1f} ms  {seconds / empty:5.1f} x  (budget {budget:g} x)")


if __name__ == "__main__":
    main()
