"""Generator of docs/cli.md, of a page for each command in docs/cli/, of docs/json.md and of the man page.

The text comes from the `--help` and the JSON Schema of every command.

Usage: python -m scripts.cli_reference
"""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultkit.cli.command_table import CommandEntry

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
FOLDER = ROOT / "docs" / "cli"
JSON_PAGE = ROOT / "docs" / "json.md"
MAN = ROOT / "docs" / "vaultkit.1"
PLAIN = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "TERMINAL_WIDTH": "100", "PYTHONIOENCODING": "utf-8"}
INTRODUCTION = """# Command reference

Made from the program's own help by `make docs`. Each command has a page:
"""
EXIT_CODES = {
    "OK": "all is well; `check` may have warned",
    "PROBLEMS": "`check` or `templates check` has found errors",
    "USAGE": "the command was typed in a way that it does not know",
    "INVALID": "a note, a setting or a file does not say what is needed, or there is no vault",
    "NOTHING": "there is nothing of that name (note, deck, game, theme, file ...), or nothing to do",
    "WRITE": "something could not be written; nothing is half done",
    "BUG": "a mistake of vaultkit itself",
    "INTERRUPTED": "you ended it by Ctrl+C",
}


def pages() -> dict[Path, str]:
    """Return the pages of the reference by path, made in a process whose terminal is plain and 100 columns wide."""
    environment = {**os.environ, **PLAIN}
    command = [sys.executable, "-m", "scripts.cli_reference", "--stdout"]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment, cwd=ROOT)
    return {ROOT / path: text for path, text in json.loads(done.stdout).items()}


def help_of(*words: str) -> str:
    """Return the `--help` text of a command, as the terminal of the current process would show it."""
    from vaultkit.cli.app import app

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        app([*words, "--help"], prog_name="vaultkit")
    return "\n".join(line.rstrip() for line in shown.getvalue().strip().splitlines())


def commands() -> list[tuple[str, ...]]:
    """Return the words of every command and of every group of commands."""
    return [tuple(path.split(" ")) for path in entries() if path]


def entries() -> "dict[str, CommandEntry]":
    """Return the entry of every command by its path; the path of the program itself is ""."""
    from vaultkit.cli.app import app
    from vaultkit.cli.command_table import all_entries

    return all_entries(app)


def made() -> dict[Path, str]:
    """Return the contents of all generated files, by path."""
    from scripts.json_reference import json_page
    from scripts.man_page import man_page

    return {**pages(), MAN: man_page(entries()), JSON_PAGE: json_page()}


def main() -> None:
    """Write the generated files, and delete pages of former commands; with `--stdout` print the pages as JSON."""
    if "--stdout" in sys.argv[1:]:
        texts = {PAGE: _front(), **{FOLDER / f"{'-'.join(words)}.md": _of_command(words) for words in commands()}}
        json.dump({str(path.relative_to(ROOT)): text for path, text in texts.items()}, sys.stdout)
        return
    files = made()
    for stale in set(FOLDER.glob("*.md")) - set(files):
        stale.unlink()
    FOLDER.mkdir(exist_ok=True)
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")


def _front() -> str:
    from vaultkit.errors import ExitCode

    codes = "\n".join(f"| {code.value} | {EXIT_CODES[code.name]} |" for code in ExitCode)
    top = [words for words in commands() if len(words) == 1]
    return (
        f"{INTRODUCTION}\n{_listed(top, 'cli/')}\n\n```text\n{help_of()}\n```\n\n## Exit codes\n\n"
        f"Each command ends with one of these numbers, which a script can ask for.\n\n"
        f"| code | meaning |\n|---|---|\n{codes}\n"
    )


def _of_command(words: tuple[str, ...]) -> str:
    """Return the page of one command, with a list of its subcommands."""
    below = [other for other in commands() if len(other) > len(words) and other[: len(words)] == words]
    parts = [f"# vaultkit {' '.join(words)}\n\n```text\n{help_of(*words)}\n```", *([_listed(below)] if below else [])]
    return "\n\n".join(parts) + "\n"


def _listed(listed: Sequence[tuple[str, ...]], folder: str = "") -> str:
    known = entries()
    rows = [f"| [{' '.join(words)}]({folder}{'-'.join(words)}.md) | {_summary(known, words)} |" for words in listed]
    return "\n".join(["| command | for |", "|---|---|", *rows])


def _summary(entries: "dict[str, CommandEntry]", words: tuple[str, ...]) -> str:
    return entries[" ".join(words)].help.partition("\n")[0]


if __name__ == "__main__":
    main()
