"""The pages of the documentation as people use them: files that a page shows, and commands that it types.

In a `console` block, `$ ` stands before a command, and its output below; in an `sh` block, each line is a command. In
the output, `...` stands for anything: within a line for a part of it, on a line of its own for any number of lines. One
blank in a line is as good as several. A block below the path of a file is that file.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLOCK = 1793736000
"""2026-11-03 20:00 UTC"""
_BLOCK = re.compile(r"(?ms)(?:^`([^`\n]+)`\n\n)?^( *)(`{3,})(\w*)\n(.*?)^\2\3")
_COMMENT = re.compile(r"\s+#\s.*$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text without indent, and the path of the file that it shows."""

    language: str
    text: str
    line: int
    path: str = ""


@dataclass(frozen=True)
class Step:
    """A command of a page, the line where it stands, and the output that the page shows; "" if it shows none."""

    command: str
    shows: str
    line: int


def read_blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(
            found[4], re.sub(f"(?m)^{found[2]}", "", found[5]), text.count("\n", 0, found.start(3)) + 2, found[1] or ""
        )
        for found in _BLOCK.finditer(text)
    ]


def without_blocks(text: str) -> str:
    """Return the text of a page without its fenced blocks, with as many lines."""
    return _BLOCK.sub(lambda found: "\n" * found[0].count("\n"), text)


def read_sections(text: str) -> dict[str, str]:
    """Return the sections of a page by their headings of level 2, without the text above the first."""
    starts = [match.start() for match in re.finditer(r"(?m)^## ", text)]
    inside = [range(*match.span()) for match in _BLOCK.finditer(text)]
    starts = [start for start in starts if not any(start in block for block in inside)]
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return {part[3:].partition("\n")[0]: part for part in parts}


def read_steps(text: str) -> Iterator[Step]:
    """Yield the commands of a page. Raises ValueError for a `console` block that begins without a command."""
    for block in read_blocks(text):
        number = block.line
        if block.language == "sh":
            yield from (Step(_COMMENT.sub("", line), "", number) for line in block.text.splitlines())
        elif block.language == "console":
            before, *commands = re.split(r"(?m)^\$ ", block.text)
            if before:
                raise ValueError(f"The block in line {number} does not begin with a command: {before}")
            for command in commands:
                typed, _, shows = command.partition("\n")
                yield Step(_COMMENT.sub("", typed), shows.strip("\n"), number)
                number += command.count("\n")


def fits(pattern: str, text: str) -> bool:
    """Return whether the text is as the page shows it."""
    lines = (r"(?:.*\n)*?" if line == "..." else _line_pattern(line) for line in pattern.splitlines())
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in text.expandtabs(1).splitlines())) is not None


def _line_pattern(line: str) -> str:
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
        """Return the output of a command, and its exit code; its questions are answered by Enter."""
        from scripts.terminal import Terminal

        if command.startswith("cd "):
            self.folder /= shlex.split(command)[1]
            return "", 0 if self.folder.is_dir() else 1
        code = self.home / "code"
        terminal = Terminal(f"{command}; echo $? >'{code}'", self.folder, self.environment)
        while terminal.waits():
            terminal.type("")
        return terminal.text.strip("\n"), int(code.read_text())

    def pipe(self, command: str) -> tuple[str, int]:
        """Return the output of a command into a pipe, without the paths of written notes, and its exit code."""
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, encoding="utf-8",
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        lines = [line for line in done.stdout.splitlines() if not (self.folder / line).is_file()]
        return "\n".join(lines), done.returncode

    def play_at_the_table(self, command: str) -> tuple[str, int]:
        """Return the output of a game in the browser after touching cards until it was over, and the exit code."""
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
