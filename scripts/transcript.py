"""Play one evening in a real terminal and write down what it shows: docs/transcripts/an-evening.md.

A person plays Dragon Citadel by hand against two bots, in a copy of the example vault under git. The program is
killed in the middle, resumed, and its result undone. Needs a POSIX terminal.

Usage: python scripts/transcript.py
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "transcripts" / "an-evening.md"
PROMPT = r"(?:Ysolde|The party) ›"
COLUMNS, LINES = 92, 50
PLAY = "play dragon-citadel --seat Ysolde --seat bot:greedy --seat bot:greedy --seed 26"
BEFORE = ("?", "1", "u", "1", "1")
"""What is typed until the plug is pulled; after that always the first move on offer."""
INTRODUCTION = """# An evening

One game of Dragon Citadel by hand, against two bots, in a copy of the example vault that is under git. After a few
moves the plug is pulled: the process gets `kill -9`. The game goes on with `vaultkit resume`, is logged, and the log is
taken back.

Every line below was read off a real terminal by `python scripts/transcript.py`; what was typed stands after `›` and
`$`.
"""


class Evening:
    """A vault, and a terminal that remembers what it has shown."""

    def __init__(self, folder: Path) -> None:
        self.vault = Path(shutil.copytree(ROOT / "vault-example", folder / "vault"))
        self.shown: list[str] = []
        settings = {"TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1793736000"}
        size = {"COLUMNS": str(COLUMNS), "LINES": str(LINES)}
        home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
        self.environment: dict[str, str] = {**os.environ, **settings, **size, **home}
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "Before the evening")

    def git(self, *words: str) -> str:
        """A git command in the vault."""
        name = ["-c", "user.name=GM", "-c", "user.email=gm@example.org", "-c", "core.quotePath=false"]
        done = subprocess.run(["git", *name, *words], cwd=self.vault, check=True, capture_output=True, encoding="utf-8")
        return done.stdout.rstrip("\n")

    def show_git(self, *words: str) -> None:
        """A git command that belongs to the story."""
        self.shown.append(f"$ git {' '.join(words)}\n{self.git(*words) or '(nothing)'}\n")

    def begin(self, command: str) -> "pexpect.spawn[str]":
        """A vaultkit command in a terminal."""
        self.shown.append(f"$ vaultkit {command}\n")
        words = ["-m", "vaultkit", *command.split()]
        return pexpect.spawn(
            sys.executable, words, cwd=self.vault, env=self.environment,
            dimensions=(LINES, COLUMNS), encoding="utf-8", timeout=30,
        )  # fmt: skip

    def type(self, terminal: "pexpect.spawn[str]", line: str) -> bool:
        """Answer the next prompt; False if the program ended instead."""
        if terminal.expect([PROMPT, pexpect.EOF]) == 1:
            self.shown.append(terminal.before or "")
            return False
        self.shown.append(f"{terminal.before}{terminal.after}")
        terminal.sendline(line)
        return True

    def pull_the_plug(self, terminal: "pexpect.spawn[str]") -> None:
        """`kill -9` while the program waits for an answer."""
        terminal.expect(PROMPT)
        self.shown.append(f"{terminal.before}{terminal.after}\nKilled\n\n")
        terminal.kill(signal.SIGKILL)
        terminal.wait()

    def run(self, command: str) -> None:
        """A vaultkit command that asks nothing."""
        terminal = self.begin(command)
        terminal.expect(pexpect.EOF)
        self.shown.append(f"{terminal.before}\n")

    @property
    def text(self) -> str:
        """All that was shown, without trailing spaces and control sequences."""
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", "".join(self.shown).replace("\r\n", "\n").replace("\r", ""))
        lines = [line.rstrip() for line in text.splitlines()]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def play(folder: Path) -> Evening:
    """The whole evening, in a vault below `folder`."""
    evening = Evening(folder)
    terminal = evening.begin(PLAY)
    for line in BEFORE:
        evening.type(terminal, line)
    evening.pull_the_plug(terminal)
    terminal = evening.begin("resume")
    while evening.type(terminal, "1"):
        pass
    evening.shown.append("\n")
    evening.show_git("status", "--porcelain", "-uall")
    evening.show_git("diff", "--unified=0")
    evening.run("undo")
    evening.show_git("status", "--porcelain", "-uall")
    return evening


def page() -> str:
    """The transcript as a page of the documents."""
    with tempfile.TemporaryDirectory() as folder:
        return f"{INTRODUCTION}\n````text\n{play(Path(folder)).text}````\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
