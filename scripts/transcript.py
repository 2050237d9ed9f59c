"""Generator of transcripts: it plays scripted evenings in a real terminal and writes down what the terminal shows.

tests/transcripts/NAME.txt makes NAME.md beside it. Each script is played in a copy of the example vault that is under
git, with a fixed clock. In the script,

    # ...           is prose for the reader;
    $ ...           is a shell command, which starts after the previous one has ended;
    !kill           ends the running command with `kill -9` while it waits;
    !clock WHEN     sets the clock, in UTC: 2026-11-10 20:00;
    !show PATH      shows a note as it is then;
    !file PATH      writes a file with the following lines, up to `!end`;
    !edit PATH      edits a note as Obsidian would, with the lines of a diff (` `, `-`, `+`) up to `!end`;

and every other line is typed at the next question, an empty one as Enter. The programs of a folder `programs` beside
the evenings can be called by their names. Needs a POSIX terminal and git.

Usage: python scripts/transcript.py [NAME...]
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts import props  # noqa: E402
from scripts.terminal import LINES, Terminal  # noqa: E402
from vaultkit.games.registry import GAMES  # noqa: E402

EVENINGS = ROOT / "tests" / "transcripts"
"""The folder of scripts and their transcripts: one for each game, and one for each promise about the campaign."""
_CLOCK = 1793736000
"""2026-11-03 20:00 UTC"""
_HOW = """Every line below was read off a real terminal by `python scripts/transcript.py`; what was typed stands after
the questions and after `$`."""
_GIT = "[user]\nname = GM\nemail = gm@example.org\n[core]\nquotePath = false\npager = cat\n[color]\nui = false\n"


class Evening:
    """A run of one script: its vault, its running command, and the parts of the transcript so far."""

    def __init__(self, script: Path, folder: Path) -> None:
        self._folder = folder
        self._script = script
        self._vault = Path(shutil.copytree(ROOT / "vault-example", folder / "vault"))
        self._terminal: Terminal | None = None
        self._prop: Prop | None = None
        self._parts: list[str] = []
        self._fenced = False
        self._settle()

    def play(self) -> str:
        """Play the script and return its transcript. Raises ValueError with the number of a line that does not fit."""
        lines = self._script.read_text(encoding="utf-8").splitlines()
        number = 0
        try:
            for number, line in enumerate(lines, 1):  # noqa: B007
                self._take(line)
            self._end_command()
            if self._prop:
                raise ValueError(f"'{props.END}' is missing behind {self._prop.path}.")
        except (ValueError, TimeoutError, FileNotFoundError) as error:
            raise ValueError(f"{self._script.name}:{number}: {error}\n\n{self._last_shown()}") from error
        self._fence(opened=False)
        return f"# {title(self._script.stem)}\n\n" + "\n".join(self._parts).replace("\n\n````\n", "\n````\n")

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self._prop:
            self._grow(self._prop, line)
        elif line.startswith("# ") or line == "#":
            self._end_command()
            self._fence(opened=False)
            self._parts.append(line[2:])
        elif line.startswith("$ "):
            self._end_command()
            self._fence(opened=True)
            self._parts.append(line)
            self._terminal = Terminal(line[2:], self._vault, self._environment)
        elif word in {"!file", "!edit"}:
            self._end_command()
            self._prop = Prop(word, rest, [])
        elif word == "!clock":
            self._end_command()
            when = datetime.fromisoformat(rest).replace(tzinfo=UTC)
            self._environment["SOURCE_DATE_EPOCH"] = str(int(when.timestamp()))
        elif word == "!show":
            self._end_command()
            self._quote(f"The note `{rest}`:", "markdown", (self._vault / rest).read_text(encoding="utf-8"))
        elif line or self._terminal:
            self._type(line)

    def _grow(self, prop: "Prop", line: str) -> None:
        """Add a line to a file or an edit; `!end` applies it to the vault and adds it to the transcript."""
        if line != props.END:
            prop.lines.append(line)
            return
        self._prop = None
        if prop.word == "!file":
            self._quote(f"The file `{prop.path}`:", "text", props.put(self._vault, prop.path, prop.lines))
        else:
            shown = props.edit(self._vault, prop.path, prop.lines)
            self._quote(f"In Obsidian, the note `{prop.path}` is edited:", "diff", shown)

    def _quote(self, heading: str, kind: str, text: str) -> None:
        """Add a heading and a fenced block of text, such as a note, to the transcript."""
        self._fence(opened=False)
        self._parts += [*self._gap(), heading, "", f"`````{kind}", text.rstrip("\n"), "`````", ""]

    def _type(self, line: str) -> None:
        if self._terminal is None or not self._terminal.waits():
            if line:
                raise ValueError(f"Nothing asks, so '{line}' cannot be typed.")
        elif line == "!kill":
            self._terminal.kill()
        else:
            self._terminal.type(line)

    def _end_command(self) -> None:
        """Add the output of the running command to the transcript. Raises ValueError if it still asks something."""
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
        """Begin or end a fenced block of terminal output in the transcript."""
        if opened == self._fenced:
            return
        if opened and "````text" not in self._parts:
            self._parts += [*self._gap(), _HOW]
        self._parts += [*self._gap(), "````text"] if opened else ["````", ""]
        self._fenced = opened

    def _gap(self) -> list[str]:
        """Return a blank line to add to the transcript, or nothing if it already ends with one."""
        return [] if self._parts[-1:] == [""] else [""]

    def _settle(self) -> None:
        """Create a home folder with programs and settings, set the environment, and commit the vault to git."""
        home = self._folder
        (home / ".gitconfig").write_text(_GIT, encoding="utf-8")
        programs = home / "bin"
        programs.mkdir()
        others = {file.stem.replace("_", "-"): file for file in (self._script.parent / "programs").glob("*.py")}
        for name, called in {"vaultkit": "-m vaultkit", **{name: f'"{file}"' for name, file in others.items()}}.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {called} "$@"\n', encoding="utf-8")
            program.chmod(0o755)
        config = home / ".config" / "vaultkit"
        config.mkdir(parents=True)
        (config / "config.toml").write_text('[play]\nspeed = "off"\n', encoding="utf-8")
        settings = {"NO_COLOR": "1", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": str(_CLOCK)}
        places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / ".config")}
        places |= {"XDG_STATE_HOME": str(home / "state")}
        path = {"PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}", "PYTHONPATH": str(ROOT)}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("VAULTKIT_", "GIT_"))}
        self._environment = {**inherited, **settings, **places, **path}
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "Before the evening")):
            subprocess.run(["git", *words], cwd=self._vault, env=self._environment, check=True)


@dataclass(frozen=True)
class Prop:
    """A file or edit that is being read from a script: its command word, its vault path, and its lines so far."""

    word: str
    path: str
    lines: list[str]


def title(name: str) -> str:
    """Return the heading of a transcript from its name: for a game, the game's title and the rest of the name."""
    for game in GAMES.values():
        if name.startswith(game.id):
            rest = name.removeprefix(game.id).strip("-").replace("-", " ")
            return f"An evening of {game.title}" + (f": {rest}" if rest else "")
    return name.replace("-", " ").capitalize()


def names() -> list[str]:
    """Return the names of all scripts, sorted."""
    return sorted(path.stem for path in EVENINGS.glob("*.txt"))


def page(name: str, folder: Path = EVENINGS) -> str:
    """Play a script in a temporary folder and return its transcript."""
    with tempfile.TemporaryDirectory() as home:
        return Evening(folder / f"{name}.txt", Path(home)).play()


def main(wanted: list[str]) -> int:
    """Write the transcripts with the names `wanted`, or all; return 1 if one is unknown or cannot be played."""
    failed = 0
    for unknown in sorted(set(wanted) - set(names())):
        failed = 1
        print(f"There is no evening '{unknown}'.", file=sys.stderr)
    for name in names():
        if wanted and name not in wanted:
            continue
        try:
            text = page(name)
        except ValueError as error:
            failed = 1
            print(error, file=sys.stderr)
        else:
            (EVENINGS / f"{name}.md").write_text(text, encoding="utf-8")
            print((EVENINGS / f"{name}.md").relative_to(ROOT))
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
