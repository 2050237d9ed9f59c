"""The `console` blocks of a page, typed into a real terminal: what stands after `$` is run, the rest is what it shows.

`...` stands for anything: within a line for a part of it, on a line of its own for any number of lines. One blank
in a line is as good as several.
"""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLOCK = 1793736000
"""2026-11-03 20:00 UTC"""
_BLOCK = re.compile(r"(?ms)^( *)(`{3,})(\w*)\n(.*?)^\1\2")
_TAIL = re.compile(r"\s+#.*$")


@dataclass(frozen=True)
class Step:
    """One command of a page, where it stands, and what the page says that it shows; "" if it does not say."""

    command: str
    shows: str
    line: int


def blocks(page: Path, *languages: str) -> list[tuple[int, str]]:
    """The fenced blocks in these languages: the number of their first line, and their text without indent."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start()) + 2, re.sub(f"(?m)^{found[1]}", "", found[4]))
        for found in _BLOCK.finditer(text)
        if found[3] in languages
    ]


def steps(page: Path) -> list[Step]:
    """What is typed on a page, in its order. Raises ValueError for a block that begins without a command."""
    return [step for line, text in blocks(page, "console") for step in _steps(text, line)]


def _steps(text: str, first: int) -> Iterator[Step]:
    before, *commands = re.split(r"(?m)^\$ ", text)
    if before:
        raise ValueError(f"The block in line {first} does not begin with a command: {before}")
    for command in commands:
        typed, _, shows = command.partition("\n")
        yield Step(_TAIL.sub("", typed), shows.strip("\n"), first)
        first += command.count("\n")


def fits(pattern: str, text: str) -> bool:
    """Whether the text is as the page says."""
    lines = (r"(?:.*\n)*?" if line == "..." else _line(line) for line in pattern.splitlines())
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in text.splitlines())) is not None


def _line(line: str) -> str:
    pieces = (r" +".join(map(re.escape, re.split(" +", piece))) for piece in re.split(r" *\.\.\. *", line))
    return " *.*".join(pieces) + r" *\n"


class Desk:
    """A person's computer: a home of its own, folders, and a terminal in one of them."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        programs = home / "bin"
        programs.mkdir(parents=True)
        (programs / "vaultkit").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m vaultkit "$@"\n', encoding="utf-8")
        (programs / "vaultkit").chmod(0o755)
        (home / "vaultkit").mkdir()
        (home / "vaultkit" / "config.toml").write_text('[play]\nspeed = "off"\n', encoding="utf-8")
        places = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CACHE", "STATE")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("VAULTKIT_", "GIT_"))}
        self.environment = {
            **kept, **places, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "SOURCE_DATE_EPOCH": str(CLOCK),
            "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT),
            "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        }  # fmt: skip

    def type(self, command: str) -> tuple[str, int]:
        """What a command shows, and its exit code; a question that it asks is answered by Enter."""
        from scripts.terminal import Terminal

        if command.startswith("cd "):
            self.folder /= shlex.split(command)[1]
            return "", 0 if self.folder.is_dir() else 1
        code = self.home / "code"
        terminal = Terminal(f"{command}; echo $? >'{code}'", self.folder, self.environment)
        while terminal.waits():
            terminal.type("")
        return terminal.text.strip("\n"), int(code.read_text())

    def play_at_the_table(self, command: str) -> tuple[str, int]:
        """What a game at the table says in the terminal, after somebody has touched cards until it was over."""
        from tests.web.processes import Process
        from tests.web.test_game_processes import play_out
        from tests.web.test_phone_processes import play_from_phones

        words = [word for word in shlex.split(command)[1:] if word != "--table"]
        phones = words.count("--seat") if "--phones" in words else 0
        words += ["--address", "127.0.0.1"] if phones else []
        keyboard = os.openpty()
        try:
            with Process(self.folder, *words, environment=self.environment, patience=90, keyboard=keyboard[1]) as table:
                if phones:
                    play_from_phones(table, phones)
                else:
                    play_out(table, table.sit())
                code, out = table.end()
                return f"{table.said}{out}".strip("\n"), code
        finally:
            for end in keyboard:
                os.close(end)
