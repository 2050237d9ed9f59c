"""Write docs/cli.md from the `--help` of every command.

Usage: python scripts/cli_reference.py
"""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
PLAIN = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "TERMINAL_WIDTH": "100", "PYTHONIOENCODING": "utf-8"}
INTRODUCTION = """# Command reference

Made from the program's own help by `make docs`.
"""


def page() -> str:
    """The whole reference, made by a process whose terminal is plain and 100 columns wide."""
    environment = {**os.environ, **PLAIN}
    command = [sys.executable, __file__, "--stdout"]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment).stdout


def help_of(*words: str) -> str:
    """The help of a command, as this process's terminal shows it."""
    from vaultkit.cli.app import app

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        app([*words, "--help"], prog_name="vaultkit")
    return "\n".join(line.rstrip() for line in shown.getvalue().strip().splitlines())


def commands() -> list[tuple[str, ...]]:
    """Every command, those of groups included."""
    from vaultkit.cli.app import COMMANDS, load_command

    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        found.append((name,))
        found.extend((name, nested) for nested in getattr(load_command(name), "commands", {}))
    return found


def main() -> None:
    """Write the page, or with `--stdout` print it."""
    if "--stdout" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return
    parts = [INTRODUCTION, f"```text\n{help_of()}\n```\n"]
    parts += [f"## vaultkit {' '.join(words)}\n\n```text\n{help_of(*words)}\n```\n" for words in commands()]
    sys.stdout.write("\n".join(parts))


if __name__ == "__main__":
    main()
