"""Whole games in a real terminal: at every decision all that matters is on the screen together."""

import json
import os
import sys
from pathlib import Path
from random import Random

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

import pexpect
import pyte

from tests.counts import count
from tests.terminal.on_screen import missing_words
from tests.terminal.test_board import SEATS

HEIGHT = 24
WAITS = {
    b"then press Enter\\. |when you have seen it\\. ": "enter",
    b"More: press Enter\\. ": "more",
    b"again: ": "sure",
    "› ".encode(): "answer",
}
"""The prompts at which a game can wait, as patterns, and a name for each."""
FULLEST = {"dragon-citadel": 39, "propheta": 4, "turn-of-fate": 9}
"""The seeds of games that fill the screen more than others."""


class Player:
    """A game in a terminal of a given width, and its screen."""

    def __init__(self, folder: Path, game: str, people: int, seed: int, width: int) -> None:
        env = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "LINES", "COLUMNS"}}
        env |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        words = [str(folder), game, str(people), str(SEATS[game] - people), str(seed)]
        self.child = pexpect.spawn(
            sys.executable, ["-m", "tests.terminal.on_screen", *words],
            env=env, dimensions=(HEIGHT, width), timeout=60,
        )  # fmt: skip
        self.screen = pyte.Screen(width, HEIGHT)
        self.stream = pyte.ByteStream(self.screen)
        self.wanted = folder / "wanted.json"

    def wait(self) -> str:
        """Wait for the next prompt and return its name, or "" at the end."""
        at = self.child.expect([*WAITS, pexpect.EOF])
        self.stream.feed(self.child.before + (self.child.after if at < len(WAITS) else b""))
        return (*WAITS.values(), "")[at]

    def play(self, rng: Random) -> int:
        """Play to the end and return the number of decisions."""
        decisions = 0
        while asked := self.wait():
            assert asked != "more", "more than one screen:\n" + "\n".join(self.screen.display)
            if asked in {"enter", "sure"}:
                self.child.sendline("y" if asked == "sure" else "")
                continue
            want = json.loads(self.wanted.read_text("utf-8"))
            lacking = [] if want["again"] else missing_words(self.screen.display, want)
            assert not lacking, f"{lacking} on:\n" + "\n".join(self.screen.display)
            decisions += not want["again"]
            self.child.sendline(rng.choice(want["letters"]))
        return decisions


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("game", SEATS)
def test_every_decision_fits_on_one_screen(tmp_path: Path, game: str, width: int) -> None:
    decisions = 0
    for seed in sorted({*range(count(2, 40)), FULLEST.get(game, 0)}):
        people = SEATS[game] if seed % 2 else 1
        (folder := tmp_path / str(seed)).mkdir()
        decisions += Player(folder, game, people, seed, width).play(Random(seed))
    assert decisions > 5
