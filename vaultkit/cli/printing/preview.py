"""`--preview`: the pages as PNG files, and drawn in the terminal where it can show them."""

import os
from pathlib import Path

from vaultkit.cli.output import count, drawn, talk, terminal

_WIDEST = 100
_MOST = 4
"""Pages drawn in the terminal; the others are only written."""


def show(pdf: Path, *, on_terminal: bool) -> list[Path]:
    """Writes the pages of `pdf` beside it and draws the first ones here; the files."""
    from vaultkit.sheets.preview import half_blocks, save_pages

    pictures = save_pages(pdf)
    if on_terminal and drawn() and not os.environ.get("NO_COLOR"):
        console = terminal()
        for picture in pictures[:_MOST]:
            for line in half_blocks(picture, min(console.width - 1, _WIDEST)):
                console.print(line)
            console.print()
    talk(f"Preview: {pictures[0].parent} ({count(len(pictures), 'page')})")
    return pictures
