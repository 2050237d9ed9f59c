"""Generator of all golden files, one command for each kind. Read the diff before you commit it.

The transcripts need a POSIX terminal and git; without them all other files are still written.

Usage: python scripts/golden.py
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAKERS: tuple[tuple[str, ...], ...] = (
    ("-m", "tests.playthroughs", "--write"),
    ("-m", "tests.campaign.regenerate"),
    ("-m", "tests.campaign.stats.regenerate"),
    ("-m", "tests.vault.regenerate_broken"),
    ("scripts/transcript.py",),
    ("-m", "scripts.samples"),
    ("-m", "tests.frozen.record", "--write"),
)
"""The programs that write golden files, as arguments to Python."""


def main() -> int:
    """Run every program in MAKERS, even after a failure, and return 1 if any failed."""
    failed = 0
    for arguments in MAKERS:
        print("python", *arguments, flush=True)
        failed |= subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
