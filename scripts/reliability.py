"""Kill vaultkit at random moments while it logs games and another program rewrites the note, and count what stands.

Usage: python scripts/reliability.py [KILLS] [--seed N] [--folder FOLDER]
"""

import argparse
import os
import tempfile
from pathlib import Path

from tests.reliability.loop import Tally, run


def main() -> None:
    """Run the reliability test in a temporary folder, and print its counts as a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("kills", type=int, nargs="?", default=500, help="at least so many; default 500")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--folder", type=Path, help="where the vaults are made: the disk to be tried; default: temporary"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        print(table(run(given.kills, Path(folder), given.seed)))


def table(tally: Tally) -> str:
    """Format the counts of a run as a Markdown table."""
    rows = [
        ("kills", tally.kills),
        *((f"… {where}", number) for where, number in sorted(tally.stages.items())),
        ("rounds", tally.rounds),
        ("results logged, each there exactly once", tally.results),
        ("… whose line the other program wrote over, and logging again brought back", tally.brought_back),
        ("refused since the note never rested, or had changed since; nothing touched", tally.refused),
        ("lines of the other program", tally.theirs),
        ("… in the note", tally.in_note),
        ("… in the history, as what was displaced in the last instant", tally.displaced),
        ("… in the history, in a note as it was before", tally.images),
        ("… lost", tally.lost),
        ("seconds", round(tally.seconds)),
    ]
    return "\n".join(["| what | number |", "|---|--:|", *(f"| {what} | {number} |" for what, number in rows)])


if __name__ == "__main__":
    main()
