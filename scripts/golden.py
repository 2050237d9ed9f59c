"""Write all golden files anew, one command for each kind. Read the difference before it is committed.

The transcripts need a POSIX terminal and git; where these are missing, the rest is written all the same.

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
"""The makers of golden files, one for each kind, as arguments to Python."""


def main() -> int:
    """Run every maker, even after one that failed; 1 if any did."""
    failed = 0
    for arguments in MAKERS:
        print("python", *arguments, flush=True)
        failed |= subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
