"""How long the command line takes to start, as ratios to an empty Python process of the same run.

Usage: python bench/startup.py [ROUNDS]

In each round every command runs once, one after the other, so that a busy minute slows all of them; the median of the
rounds' ratios counts. The exit code is 1 if a budget is exceeded.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
WITH_BYTECODE = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
"""The environment in which Python keeps the bytecode of our modules, as pip does when it installs them."""
VAULT = ROOT / "vault-example"
DEFAULT_ROUND_COUNT = 5
NOTE_COUNT = 10_000
"""Notes of the vault in which Tab completes a name and `ask` finds one."""

COMMANDS: dict[str, tuple[tuple[str, ...], float]] = {
    "--version": (("--version",), 2.0),
    "--help": (("--help",), 13.0),
    "print --help": (("print", "--help"), 14.0),
    "play --help": (("play", "--help"), 20.0),
    "links Home": (("links", "Home", "--json", "--vault", str(VAULT)), 12.0),
    "undo --list": (("undo", "--list", "--vault", str(VAULT)), 12.0),
    "log": (("log", "--vault", str(VAULT)), 20.0),
    "stats": (("stats", "--vault", str(VAULT)), 20.0),
    "ask, 10,000 notes": (("ask", "note 7777", "--vault", "{notes}"), 40.0),
    "Tab after `links`, 10,000 notes": (("--complete", "zsh", "--vault", "{notes}", "links", ""), 8.0),
    "Tab after `log --seat`": (("--complete", "zsh", "--vault", str(VAULT), "log", "--seat", ""), 8.0),
}
"""The words of each command, and its budget as a multiple of `python -c pass`."""


def measure(arguments: tuple[str, ...]) -> float:
    """Return the seconds of one whole process."""
    begun = time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, capture_output=True, cwd=tempfile.gettempdir(), env=WITH_BYTECODE)
    return time.perf_counter() - begun


def make_notes(folder: Path) -> None:
    """Write a vault of many small notes, and let vaultkit read and index it once."""
    (folder / ".obsidian").mkdir()
    for number in range(NOTE_COUNT):
        (folder / f"Note {number}.md").write_text(f"# Note {number}\n", encoding="utf-8")
    measure(("-m", "vaultkit", "notes", "--vault", str(folder)))
    measure(("-m", "vaultkit", "ask", "note 7777", "--vault", str(folder)))


def main() -> int:
    """Print one row for each command; return 1 if a budget is exceeded."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_ROUND_COUNT
    ratios: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        make_notes(Path(folder))
        measure(("-m", "vaultkit", "notes", "--vault", str(VAULT)))  # from now on there is an index
        for _ in range(rounds):
            empty = median(measure(("-c", "pass")) for _ in range(3))
            for name, (words, _) in COMMANDS.items():
                seconds = measure(("-m", "vaultkit", *(word.format(notes=folder) for word in words)))
                ratios[name].append(seconds / empty)
    print("| command | to `python -c pass` | budget | holds |\n|---|--:|--:|---|")
    exceeded = [name for name, (_, budget) in COMMANDS.items() if median(ratios[name]) > budget]
    for name, (_, budget) in COMMANDS.items():
        print(f"| {name} | {median(ratios[name]):.1f} | {budget:g} | {'**no**' if name in exceeded else 'yes'} |")
    return int(bool(exceeded))


if __name__ == "__main__":
    sys.exit(main())
