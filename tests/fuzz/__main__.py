"""`python -m tests.fuzz MINUTES [SURFACE...]` looks for files that break a promise, and adds them to the corpus."""

import os
import sys

from tests.fuzz.hunt import hunt
from tests.fuzz.surfaces import surfaces


def main(minutes: str = "20", *names: str) -> int:
    """Print each finding, and return 1 if there is any."""
    if unknown := set(names) - set(surfaces()):
        print(f"Unknown: {', '.join(unknown)}. Known: {', '.join(surfaces())}")  # noqa: T201
        return 2
    seed, count = int(os.environ.get("VAULTKIT_SEED", "1")), 0
    for finding in hunt(float(minutes), seed, names):
        count += 1
        print(f"== {finding.surface}: {finding.command}\n{finding.text}\nSaved: {finding.save()}\n", flush=True)  # noqa: T201
    print(f"{minutes} minutes from seed {seed}: {count} findings")  # noqa: T201
    return bool(count)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
