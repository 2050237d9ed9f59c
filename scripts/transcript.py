"""Play evenings in a real terminal and write down what it shows.

scripts/evenings/NAME.txt makes docs/transcripts/NAME.md. Each is played in a copy of the example vault that is under
git, with a clock that stands still. In the file,

    # ...     is prose for the reader;
    $ ...     is a shell command, which begins once the one before it has ended;
    !kill     ends the running command with `kill -9` while it waits;

and every other line is typed at the next question, an empty one as Enter. Needs a POSIX terminal and git.

Usage: python scripts/transcript.py [NAME...]
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.terminal import LINES, Terminal  # noqa: E402
from vaultkit.games.registry import GAMES  # noqa: E402

EVENINGS = ROOT / "scripts" / "evenings"
PAGES = ROOT / "docs" / "transcripts"
_HOW = """Every line below was read off a real terminal by `python scripts/transcript.py`; what was typed stands after
the questions and after `$`."""
_GIT = "[user]\nname = GM\nemail = gm@example.org\n[core]\nquotePath = false\npager = cat\n[color]\nui = false\n"


class Evening:
    """A vault, the file that says what is typed, and what was shown so far."""

    def __init__(self, name: str, folder: Path) -> None:
        self._folder = folder
        self._vault = Path(shutil.copytree(ROOT / "vault-example", folder / "vault"))
        self._name = name
        self._terminal: Terminal | None = None
        self._parts: list[str] = []
        self._fenced = False
        self._settle()

    def play(self) -> str:
        """The page of this evening. Raises ValueError with the line of the file that does not fit."""
        lines = (EVENINGS / f"{self._name}.txt").read_text(encoding="utf-8").splitlines()
        number = 0
        try:
            for number, line in enumerate(lines, 1):  # noqa: B007
                self._take(line)
            self._end_command()
        except (ValueError, TimeoutError) as error:
            raise ValueError(f"{self._name}.txt:{number}: {error}\n\n{self._last_shown()}") from error
        self._fence(opened=False)
        return f"# {title(self._name)}\n\n" + "\n".join(self._parts).replace("\n\n````\n", "\n````\n")

    def _take(self, line: str) -> None:
        if line.startswith("# ") or line == "#":
            self._end_command()
            self._fence(opened=False)
            self._parts.append(line[2:])
        elif line.startswith("$ "):
            self._end_command()
            self._fence(opened=True)
            self._parts.append(line)
            self._terminal = Terminal(line[2:], self._vault, self._environment)
        elif line or self._terminal:
            self._type(line)

    def _type(self, line: str) -> None:
        if self._terminal is None or not self._terminal.waits():
            if line:
                raise ValueError(f"Nothing asks, so '{line}' cannot be typed.")
        elif line == "!kill":
            self._terminal.kill()
        else:
            self._terminal.type(line)

    def _end_command(self) -> None:
        """Show the rest of the running command. Raises ValueError where it still asks for something."""
        if self._terminal is None:
            return
        if self._terminal.waits():
            raise ValueError(f"The program before it still asks: {self._terminal.last_line}")
        text = self._terminal.text.replace(str(self._folder), "~")
        self._parts.append(f"{text or '(nothing)'}\n")
        self._terminal = None

    def _last_shown(self) -> str:
        return "\n".join(self._terminal.text.splitlines()[-LINES:]) if self._terminal else ""

    def _fence(self, *, opened: bool) -> None:
        """Begin or end the part of the page that is a terminal."""
        if opened == self._fenced:
            return
        if opened and "````text" not in self._parts:
            self._parts += ["", _HOW]
        self._parts += ["", "````text"] if opened else ["````", ""]
        self._fenced = opened

    def _settle(self) -> None:
        """Make a home for the person, and put the vault under git."""
        home = self._folder
        (home / ".gitconfig").write_text(_GIT, encoding="utf-8")
        programs = home / "bin"
        programs.mkdir()
        program = programs / "vaultkit"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m vaultkit "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        settings = {"NO_COLOR": "1", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1793736000"}
        places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / ".config")}
        path = {"PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}", "PYTHONPATH": str(ROOT)}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("VAULTKIT_", "GIT_"))}
        self._environment = {**inherited, **settings, **places, **path}
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "Before the evening")):
            subprocess.run(["git", *words], cwd=self._vault, env=self._environment, check=True)


def title(name: str) -> str:
    """The heading of a page, from the name of its file: the game's title, and what stands behind it in the name."""
    for game in GAMES.values():
        if name.startswith(game.id):
            rest = name.removeprefix(game.id).strip("-").replace("-", " ")
            return f"An evening of {game.title}" + (f": {rest}" if rest else "")
    return name.replace("-", " ").capitalize()


def names() -> list[str]:
    """The evenings that there are."""
    return sorted(path.stem for path in EVENINGS.glob("*.txt"))


def page(name: str) -> str:
    """An evening as a page of the documents."""
    with tempfile.TemporaryDirectory() as folder:
        return Evening(name, Path(folder)).play()


def main(wanted: list[str]) -> int:
    """Write the pages with these names, or all of them; 1 if one could not be played."""
    failed = 0
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in wanted or names():
        try:
            text = page(name)
        except ValueError as error:
            failed = 1
            print(error, file=sys.stderr)
        else:
            (PAGES / f"{name}.md").write_text(text, encoding="utf-8")
            print((PAGES / f"{name}.md").relative_to(ROOT))
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
