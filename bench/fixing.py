"""How long `check --fix --write` and its undo take, next to the same without a write and to the bare disk.

Usage: python bench/fixing.py [--notes N] [--folder FOLDER]

Each note has one link to mend. FOLDER says on which disk; one in memory (tmpfs) tells little of what a write costs.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from measuring import Run, machine, pin, run

ROUNDS = 3
FOLDERS = 20
TEXT = "The road to the mill is long, and who walks it at night hears the water before the wheel. " * 40


def make_vault(folder: Path, count: int) -> None:
    """So many notes of 4 KB, each with a link whose folder is wrong."""
    (folder / ".obsidian").mkdir(parents=True)
    for number in range(count):
        place = folder / f"Region {number % FOLDERS}"
        place.mkdir(exist_ok=True)
        note = f"# Place {number}\n\n{TEXT}\n\nNext is [[old/Place {(number + 1) % count}]].\n"
        (place / f"Place {number}.md").write_text(note, encoding="utf-8")


def bare(folder: Path, count: int) -> Run:
    """The least that so many safe writes can cost: each a new file, fsynced, that takes the place of an old one."""
    begun = time.perf_counter()
    for number in range(count):
        new = folder / "new"
        with new.open("wb") as file:
            file.write(TEXT.encode())
            file.flush()
            os.fsync(file.fileno())
        new.replace(folder / f"{number % FOLDERS}")
    return Run(time.perf_counter() - begun)


def one_round(scratch: Path, count: int, name: str) -> dict[str, Run]:
    """Each of the measures once, in a vault of its own that has been checked before."""
    vault, disk = scratch / name, scratch / f"{name}-bare"
    make_vault(vault, count)
    disk.mkdir()
    os.sync()
    words = [sys.executable, "-m", "vaultkit"]
    fix, undo, where = ["check", "--fix", "--cause", "moved"], ["undo", "--yes"], ["--quiet", "--vault", str(vault)]
    env = {"XDG_CACHE_HOME": str(scratch / "cache"), "LOCALAPPDATA": str(scratch / "cache")}
    run([*words, "check", *where], env, codes=(0, 1))
    return {
        "check --fix": run([*words, *fix, *where], env, codes=(0, 1)),
        "check --fix --write": run([*words, *fix, "--write", *where], env),
        "undo --dry-run": run([*words, *undo, "--dry-run", *where], env),
        "undo": run([*words, *undo, *where], env),
        "bare writes, fsynced one by one": bare(disk, count),
    }


def report(rounds: list[dict[str, Run]], count: int) -> str:
    """A table of the medians, each with its ratio to the dry run before it."""
    lines = [f"| {count} notes | seconds | least | most | more than the dry run | times |", "|---|--:|--:|--:|--:|--:|"]
    dry = 0.0
    for name in rounds[0]:
        times = sorted(one[name].seconds for one in rounds)
        middle = times[len(times) // 2]
        is_dry = name in ("check --fix", "undo --dry-run")
        dry = middle if is_dry else dry
        more = " | " if is_dry or name.startswith("bare") else f"{middle - dry:.2f} | {middle / dry:.2f}"
        lines.append(f"| {name} | {middle:.2f} | {times[0]:.2f} | {times[-1]:.2f} | {more} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(description="Measure the repair of many notes, and its undo.")
    parser.add_argument("--notes", type=int, default=800)
    parser.add_argument("--folder", type=Path, help="where the vaults are made, and removed again")
    given = parser.parse_args()
    cpus = pin()
    with tempfile.TemporaryDirectory(prefix="vaultkit-bench-", dir=given.folder) as scratch:
        rounds = [one_round(Path(scratch), given.notes, f"{number}") for number in range(ROUNDS)]
    print(report(rounds, given.notes), "", f"Medians of {ROUNDS} rounds. {machine(cpus)}.", sep="\n")


if __name__ == "__main__":
    main()
