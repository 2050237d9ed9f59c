"""Write docs/cli.md from the `--help` of every command.

Usage: python scripts/cli_reference.py [--check]
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
INTRODUCTION = """# Command reference

Made from the program's own help by `make docs`.
"""


def help_of(*words: str) -> str:
    """The help of a command as plain text, 100 columns wide."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "TERMINAL_WIDTH": "100"}
    command = [sys.executable, "-m", "vaultkit", *words, "--help"]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment)
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def commands() -> list[tuple[str, ...]]:
    """Every command, those of groups included."""
    from vaultkit.cli.app import COMMANDS, load

    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        found.append((name,))
        found.extend((name, nested) for nested in getattr(load(name), "commands", {}))
    return found


def page() -> str:
    """The whole reference."""
    parts = [INTRODUCTION, f"```text\n{help_of()}\n```\n"]
    for words in commands():
        parts.append(f"## vaultkit {' '.join(words)}\n\n```text\n{help_of(*words)}\n```\n")
    return "\n".join(parts)


def main() -> int:
    """Write the page, or with `--check` say whether it is up to date."""
    current = page()
    if "--check" in sys.argv[1:]:
        same = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == current
        print("docs/cli.md is up to date." if same else "docs/cli.md is out of date: run make docs.")
        return 0 if same else 1
    PAGE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
