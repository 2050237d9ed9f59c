"""The recordings: `python -m tests.frozen.record [PART or PART/NAME...]` compares them, `--write` writes them anew.

With VAULTKIT_WHOLE_RECORDINGS=1 nothing is shortened: two checkouts written so show what a digest hides.
"""

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tests.frozen import commands, games, journals, sheets

HERE = Path(__file__).parent / "expected"


@dataclass(frozen=True)
class Part:
    """Recordings of one kind: where they are kept, what they are called, and what each is today.

    `quick` are those that take little time.
    """

    folder: Path
    names: Callable[[], Collection[str]]
    told: Callable[[str], str]
    quick: tuple[str, ...] = ()

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.txt"

    def expected(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8") if self.path(name).is_file() else ""


PARTS = {
    "journals": Part(journals.EXPECTED, journals.names, journals.told, ("listed", *journals.QUICK)),
    "commands": Part(HERE / "commands", commands.names, commands.told, ("decks-tables", "mistakes")),
    "writes": Part(HERE / "writes", lambda: commands.WRITES, commands.written, ("readings", "init-propheta")),
    "games": Part(HERE / "games", games.names, games.told),
    "sheets": Part(HERE / "sheets", sheets.names, sheets.told, sheets.QUICK),
}


PROCESSES = 2
TASKS = 12
"""Recordings that a process makes; what is remembered of their vaults goes with it."""


def told(case: tuple[str, str]) -> tuple[str, str, str]:
    """A recording, which is a part and a name, with its text of today."""
    part, name = case
    return part, name, PARTS[part].told(name)


def _is_wanted(part: str, name: str, wanted: list[str]) -> bool:
    return not wanted or part in wanted or f"{part}/{name}" in wanted


def main(arguments: list[str]) -> int:
    """Compare or write; 1 if something differs."""
    write, stale = "--write" in arguments, False
    wanted = [argument for argument in arguments if argument != "--write"]
    cases = [(part, name) for part in PARTS for name in PARTS[part].names() if _is_wanted(part, name, wanted)]
    with get_context("spawn").Pool(PROCESSES, maxtasksperchild=TASKS) as pool:
        for part, name, text in pool.imap_unordered(told, cases):
            if text != PARTS[part].expected(name):
                stale = not write
                sys.stdout.write(f"{part}/{name}: {'written' if write else 'differs'}\n")
                sys.stdout.flush()
                if write:
                    PARTS[part].folder.mkdir(parents=True, exist_ok=True)
                    PARTS[part].path(name).write_text(text, encoding="utf-8", newline="\n")
    for part in PARTS.values() if write and not wanted else ():
        for path in part.folder.glob("*.txt"):
            if path.stem not in part.names():
                path.unlink()
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
