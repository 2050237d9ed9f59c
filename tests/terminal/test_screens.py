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
    """A game in a terminal of a given size, and its screen."""

    def __init__(self, folder: Path, game: str, people: int, seed: int, size: tuple[int, int]) -> None:
        env = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "LINES", "COLUMNS"}}
        env |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
        words = [str(folder), game, str(people), str(SEATS[game] - people), str(seed)]
        self.child = pexpect.spawn(
            sys.executable, ["-m", "tests.terminal.on_screen", *words],
            env=env, dimensions=size, timeout=60,
        )  # fmt: skip
        self.screen, self.letters = pyte.Screen(size[1], size[0]), dict[int, dict[str, str]]()
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
            if asked in {"enter", "sure", "more"}:
                self.child.sendline("y" if asked == "sure" else "")
                continue
            want = json.loads(self.wanted.read_text("utf-8"))
            lacking = [] if want["again"] else missing_words(self.screen.display, want)
            screen = "\n".join(self.screen.display)
            assert not lacking and "…" not in screen, f"{lacking} on:\n{screen}"
            moved = {
                card
                for card, letter in want["cards"].items()
                if self.letters.get(want["seat"], {}).get(card, letter) != letter
            }
            assert not moved, f"{moved} have other letters than before on:\n{screen}"
            self.letters[want["seat"]] = want["cards"]
            decisions += not want["again"]
            self.child.sendline(rng.choice(want["letters"]))
        return decisions


@pytest.mark.slow
@pytest.mark.parametrize("size", [(24, 80), (24, 60), (60, 200)], ids=["80x24", "60x24", "200x60"])
@pytest.mark.parametrize("game", SEATS)
def test_every_decision_fits_on_one_screen(tmp_path: Path, game: str, size: tuple[int, int]) -> None:
    decisions = 0
    for seed in sorted({*range(count(2, 40)), FULLEST.get(game, 0)}):
        people = SEATS[game] if seed % 2 and size[1] > 60 else 1
        (folder := tmp_path / str(seed)).mkdir()
        decisions += Player(folder, game, people, seed, size).play(Random(seed))
    assert decisions > 5
