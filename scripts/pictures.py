"""Generator of the pictures of the gallery of sheets and of the terminal, for `make pictures`.

Usage: python scripts/pictures.py [NAME...]: with names, only these pictures of the gallery or of the terminal.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts import gallery, screens  # noqa: E402

EVENING = {"SOURCE_DATE_EPOCH": "1793134800", "VAULTKIT_NO_CACHE": "1", "LC_ALL": "C.UTF-8"}
"""Environment of the demo: a fixed clock, no cache and no country, so that notes and sheets are the same each time."""


def main() -> None:
    """Render the pictures of the terminal and of the gallery, or only the ones that arguments name."""
    os.environ |= EVENING
    wanted = sys.argv[1:]
    drawn = screens.make(wanted)
    if wanted and drawn.issuperset(wanted):
        return
    with tempfile.TemporaryDirectory() as folder:
        demo = Path(folder) / "demo"
        gallery.run("demo", str(demo))
        gallery.make(demo, Path(folder) / "sheets", wanted)


if __name__ == "__main__":
    main()
