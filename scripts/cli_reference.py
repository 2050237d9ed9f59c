"""Write docs/cli.md and a page for each command in docs/cli/ from the `--help` of every command,
the table of commands that completes lines, and the man page.

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
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
FOLDER = ROOT / "docs" / "cli"
TABLE = ROOT / "vaultkit" / "completion" / "commands.json"
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
    "NOTHING": "there is nothing of that name, or nothing to do",
    "WRITE": "something could not be written; nothing is half done",
    "BUG": "a mistake of vaultkit itself",
    "INTERRUPTED": "you ended it by Ctrl+C",
}
KINDS = {
    "note": "note character encounter campaign notes paths",
    "deck": "deck name",
    "game": "game with_game",
    "session": "session discard",
    "player": "seat player among",
    "files": "files script out",
    "folders": "vault vault_option folder",
}
"""The kinds of values, with the arguments and options that take them; those of all others nobody can guess."""
VALUES = {"files": "file", "folders": "folder"}
NO_KIND = {"log note", "undo note", "templates eject name"}
CHOICES = {
    "campaign": ("newest-session", "daily-note", "none"),
    "seat": ("bot:easy", "bot:fair", "bot:hard", "bot:random", "bot:greedy", "bot:search"),
}


def pages() -> dict[Path, str]:
    """The whole reference by its files, made by a process whose terminal is plain and 100 columns wide."""
    environment = {**os.environ, **PLAIN}
    command = [sys.executable, "-m", "scripts.cli_reference", "--stdout"]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", env=environment, cwd=ROOT)
    return {ROOT / path: text for path, text in json.loads(done.stdout).items()}


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


def table() -> dict[str, dict[str, Any]]:
    """Every command by its words, with its help, arguments and options; the program itself by none."""
    import typer

    from vaultkit.cli.app import app, load_command

    program = typer.main.get_command(app)
    found = {"": _entry("", program)}
    for words in commands():
        command = load_command(words[0])
        for nested in words[1:]:
            command = command.commands[nested]
        found[" ".join(words)] = _entry(" ".join(words), command)
    return found


def _entry(name: str, command: Any) -> dict[str, Any]:
    parameters = [one for one in command.params if not getattr(one, "hidden", False)]
    arguments = [_row(name, one) for one in parameters if one.param_type_name == "argument"]
    options = [_row(name, one) for one in parameters if one.param_type_name == "option"]
    plain = {"value": "", "many": False, "required": False, "default": "", "kind": "", "choices": [], "off": []}
    options.append({"names": ["-h", "--help"], "help": "Show this message and exit.", **plain})
    return {"help": (command.help or "").strip(), "arguments": arguments, "options": options}


def _row(command: str, one: Any) -> dict[str, Any]:
    """An argument or an option; `value` is "" for an option without one."""
    flag = bool(getattr(one, "is_flag", False))
    kind = next((kind for kind, names in KINDS.items() if one.name in names.split()), "")
    kind = "" if flag or f"{command} {one.name}" in NO_KIND else kind
    choices = [] if flag else list(getattr(one.type, "choices", ()) or CHOICES.get(one.name, ()))
    if kind == "game":
        from vaultkit.games.registry import GAMES

        choices = list(GAMES)
    default = one.default if isinstance(one.default, str | int | float) and not isinstance(one.default, bool) else ""
    return {
        "names": [one.name] if one.param_type_name == "argument" else list(one.opts),
        "off": list(one.secondary_opts),
        "value": "" if flag else (VALUES.get(kind, kind) or one.opts[0].lstrip("-")).upper(),
        "many": bool(one.nargs == -1 or getattr(one, "multiple", False)),
        "required": bool(one.required),
        "default": str(default),
        "help": (getattr(one, "help", "") or "").strip(),
        "kind": kind,
        "choices": [str(choice) for choice in choices],
    }


def made() -> dict[Path, str]:
    """The files that are made, with what is in them."""
    from scripts.man_page import man_page

    entries = table()
    return {
        **pages(),
        TABLE: json.dumps(entries, ensure_ascii=False, indent=1) + "\n",
        MAN: man_page(entries),
    }


def main() -> None:
    """Write the files, or with `--stdout` print the pages as JSON."""
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
    """The page of one command, with the list of those below it."""
    below = [other for other in commands() if len(other) > len(words) and other[: len(words)] == words]
    parts = [f"# vaultkit {' '.join(words)}\n\n```text\n{help_of(*words)}\n```", *([_listed(below)] if below else [])]
    return "\n\n".join(parts) + "\n"


def _listed(listed: Sequence[tuple[str, ...]], folder: str = "") -> str:
    entries = table()
    rows = [f"| [{' '.join(words)}]({folder}{'-'.join(words)}.md) | {_summary(entries, words)} |" for words in listed]
    return "\n".join(["| command | for |", "|---|---|", *rows])


def _summary(entries: dict[str, dict[str, Any]], words: tuple[str, ...]) -> str:
    return str(entries[" ".join(words)]["help"]).partition("\n")[0]


if __name__ == "__main__":
    main()
