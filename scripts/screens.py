"""Generator of pictures of the terminal: games of the example vault, played with fixed input up to one decision.

Used by `python scripts/pictures.py`. Needs a POSIX terminal. The fonts in `scripts/fonts` hold only some characters.
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect
import pyte
from PIL import Image, ImageDraw, ImageFont

from scripts import paste

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
FONTS = Path(__file__).parent / "fonts"
COLUMNS, LINES = 80, 24
SIZE, CELL, LINE, MARGIN = 30, 18, 38, 30
"""The font size, the width of a cell, the height of a line, and the margin, in pixels."""
GROUND, INK = "#1d2027", "#dfe2e8"
COLOURS = {
    "default": INK, "faint": "#868c99", "red": "#f0727f", "green": "#8fce7d", "brown": "#eac36b", "blue": "#74a9f5",
    "magenta": "#d08bea", "cyan": "#5fc9d6", "white": "#ffffff",
}  # fmt: skip
_FAINT = 2
_CODE = re.compile(r" {2,}([a-z]{1,2})(?: [a-z]{1,2})* {1,2}\S")


@dataclass(frozen=True)
class Scene:
    """A picture of the terminal: a game, and the number of decisions before it; the first move is always taken."""

    name: str
    game: str
    decisions: int


SCENES = (
    Scene("dragon-citadel", "dragon-citadel --set mode=competitive --seat Ysolde "
          "--seat bot:greedy --seat bot:greedy --seat bot:greedy --seed 20", 6),
    Scene("propheta", "propheta --seat Ysolde --seat bot:greedy --seat bot:greedy --seed 4", 8),
    Scene("prophets-gambit", "prophets-gambit --seat Ysolde --seat bot:greedy --seat bot:greedy "
          "--seat bot:greedy --seed 8", 1),
    Scene("turn-of-fate", "turn-of-fate --seat Ysolde --seat bot:greedy --seed 3", 4),
    Scene("deck-of-destiny", "deck-of-destiny --seat Ysolde --seed 6", 3),
)  # fmt: skip
"""One scene for each game, at a decision in the middle of the game."""


class Faint(pyte.Screen):
    """A pyte screen that also understands faint text, to which it gives the colour `faint`."""

    def select_graphic_rendition(self, *attributes: int, **more: Any) -> None:
        super().select_graphic_rendition(*(one for one in attributes if one != _FAINT), **more)
        if _FAINT in attributes:
            self.cursor.attrs = self.cursor.attrs._replace(fg="faint")


def make(wanted: Sequence[str] = ()) -> set[str]:
    """Write all pictures of the terminal, or only the ones in `wanted`, and return their names."""
    scenes = [scene for scene in SCENES if not wanted or scene.name in wanted]
    for scene in scenes:
        file = FOLDER / f"{scene.name}.png"
        paste.save(draw(play(scene)), file, colours=32)
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1024:.0f} kB")
    return {scene.name for scene in scenes}


def play(scene: Scene) -> Faint:
    """Play a scene in a copy of the example vault, and return the screen after its last line."""
    screen = Faint(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    inherited = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS", "LINES"}}
    with tempfile.TemporaryDirectory() as folder:
        vault = shutil.copytree(ROOT / "vault-example", Path(folder) / "vault")
        words = ["-m", "vaultkit", "play", *scene.game.split(), "--no-log", "--speed", "off"]
        environment = {**inherited, "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": folder, "PYTHONPATH": str(ROOT)}
        child = pexpect.spawn(sys.executable, words, cwd=vault, env=environment, dimensions=(LINES, COLUMNS))
        for decision in range(scene.decisions + 1):
            child.expect_exact("› ".encode())
            stream.feed(child.before + child.after)
            if decision < scene.decisions:
                child.sendline(_first_code(screen.display))
        child.close(force=True)
    return screen


def _first_code(lines: Sequence[str]) -> str:
    """Return the letters of the first move on a screen; of a move in two steps those of both."""
    last_rule = max((number for number, line in enumerate(lines) if line.startswith("───")), default=0)
    codes = [match[1] for line in lines[last_rule:] if (match := _CODE.match(line))]
    return max(codes[:2], key=len)


def draw(screen: pyte.Screen) -> Image.Image:
    """Draw a terminal screen as an image, each letter in its cell, with the cursor."""
    fonts = {bold: ImageFont.truetype(str(FONTS / name), SIZE) for bold, name in
             ((False, "DejaVuSansMono.ttf"), (True, "DejaVuSansMono-Bold.ttf"))}  # fmt: skip
    image = Image.new("RGB", (COLUMNS * CELL + 2 * MARGIN, LINES * LINE + 2 * MARGIN), GROUND)
    pen = ImageDraw.Draw(image)
    for row in range(LINES):
        line = screen.buffer[row]
        for column in range(COLUMNS):
            letter, wide = line[column], not line[column + 1].data
            if letter.data.strip():
                middle = MARGIN + column * CELL + (CELL if wide else CELL // 2)
                place = (middle, MARGIN + row * LINE + LINE * 3 // 4)
                pen.text(place, letter.data, COLOURS[letter.fg], fonts[letter.bold], anchor="ms")
    left, top = MARGIN + screen.cursor.x * CELL, MARGIN + screen.cursor.y * LINE
    pen.rectangle((left, top + 4, left + CELL - 1, top + LINE - 4), INK)
    return image
