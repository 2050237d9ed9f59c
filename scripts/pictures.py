"""Generator of the pictures of the README, of the gallery of sheets, and of the terminal: `make pictures`.

Usage: python scripts/pictures.py [NAME...]: with names, only these pictures of the gallery or of the terminal.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts import gallery, paste, screens  # noqa: E402

PICTURE = ROOT / "docs" / "pictures" / "sheets.png"
PAGES = (
    ("Score sheets of the game.pdf", 1, (0.045, 0.03, 0.955, 0.626)),
    ("Cards.pdf", 0, (0.045, 0.058, 0.955, 0.945)),
)
"""Files of the demo, each with a page and the part to show, chosen to be readable at a width of 900 pixels."""
HEIGHT = 1000
EVENING = {"SOURCE_DATE_EPOCH": "1793134800", "VAULTKIT_NO_CACHE": "1"}
"""Environment of the demo: a fixed clock and no cache, so that notes and sheets are the same each time."""


def main() -> None:
    """Render the pictures of the terminal, of the README and of the gallery, or only the ones that arguments name."""
    os.environ |= EVENING
    wanted = sys.argv[1:]
    drawn = screens.make(wanted)
    if wanted and drawn.issuperset(wanted):
        return
    with tempfile.TemporaryDirectory() as folder:
        demo = Path(folder) / "demo"
        gallery.run("demo", str(demo))
        if not wanted:
            pages = [paste.page(demo / "Sheets" / name, number, HEIGHT, part) for name, number, part in PAGES]
            PICTURE.parent.mkdir(parents=True, exist_ok=True)
            paste.save(paste.side_by_side(pages), PICTURE, colours=128)
            print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1024:.0f} kB")
        gallery.make(demo, Path(folder) / "sheets", wanted)


if __name__ == "__main__":
    main()
