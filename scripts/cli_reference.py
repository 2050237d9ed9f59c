"""Generator of docs/cli.md, of a page for each command in docs/cli/, of docs/json.md and of the man page.

The text comes from the table of commands and the JSON Schema of every command.

Usage: python -m scripts.cli_reference
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from scripts.json_reference import json_page
from scripts.man_page import man_page
from vaultkit.cli.app import app
from vaultkit.cli.command_table import CommandEntry, Parameter, all_entries
from vaultkit.errors import ExitCode

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"
FOLDER = ROOT / "docs" / "cli"
JSON_PAGE = ROOT / "docs" / "json.md"
MAN = ROOT / "docs" / "vaultkit.1"
INTRODUCTION = """# Command reference

Generated from the program's help, `vaultkit COMMAND --help`, by `make docs`.
"""
EXIT_CODES = {
    "OK": "success; `check` may have printed warnings",
    "PROBLEMS": "`check`, `games check`, `templates check` or `doctor` found errors",
    "USAGE": "wrong usage",
    "INVALID": "invalid note, setting or file, or no vault",
    "NOTHING": "nothing of that name, or nothing to do",
    "WRITE": "a file could not be written; no file is half written",
    "BUG": "internal error (bug in vaultkit)",
    "INTERRUPTED": "interrupted with Ctrl+C",
}

_PRINT = "print "
"""The beginning of the paths of all print commands."""
_MIN_SHARE = 8
"""The number of commands from which on an option is described once for all of them."""


@cache
def entries() -> dict[str, CommandEntry]:
    """Return the entry of every command by its path; the path of the program itself is ""."""
    return all_entries(app)


def pages() -> dict[Path, str]:
    """Return the pages of the reference by path."""
    paths = [path for path in entries() if path]
    return {PAGE: _front(), **{FOLDER / f"{path.replace(' ', '-')}.md": _page(path) for path in paths}}


def made() -> dict[Path, str]:
    """Return the contents of all generated files, by path."""
    return {**pages(), MAN: man_page(entries()), JSON_PAGE: json_page()}


def main() -> None:
    """Write the generated files, and delete pages of former commands."""
    files = made()
    for stale in set(FOLDER.glob("*.md")) - set(files):
        stale.unlink()
    FOLDER.mkdir(exist_ok=True)
    for file, text in files.items():
        file.write_text(text, encoding="utf-8")


@cache
def _shared(group: str) -> list[Parameter]:
    """Return the options that stand in many commands, of which all are below `group`; "" for commands of any group."""
    paths = {option: [path for path, entry in entries().items() if option in entry.options] for option in _options()}
    many = [option for option, found in paths.items() if len(found) >= _MIN_SHARE]
    printed = [option for option in many if all(path.startswith(_PRINT) for path in paths[option])]
    return printed if group else [option for option in many if option not in printed]


def _options() -> Iterator[Parameter]:
    return (option for entry in entries().values() for option in entry.options)


def _front() -> str:
    codes = "\n".join(f"| {code.value} | {EXIT_CODES[code.name]} |" for code in ExitCode)
    return (
        f"{INTRODUCTION}\n{_listed((path for path in entries() if path and ' ' not in path), 'cli/')}\n\n"
        f"## Options of many commands\n\n{_table(_shared(''))}\n\n## Exit codes\n\n"
        f"| code | meaning |\n|---|---|\n{codes}\n"
    )


def _page(path: str) -> str:
    """Return the page of one command, with a list of its subcommands."""
    entry = entries()[path]
    above = {*_shared(""), *(_shared(_PRINT) if path.startswith(_PRINT) else ())}
    own = [option for option in entry.options if option not in above]
    words = " ".join(argument.usage for argument in entry.arguments)
    usage = f"vaultkit {path}{' COMMAND' * bool(entry.nested)} [OPTIONS] {words}".rstrip()
    text, _, examples = entry.help.partition("For example: ")
    lines = [f"vaultkit {example.rstrip(' ,.')}" for example in examples.split("vaultkit ")[1:]]
    code = "\n".join([usage, *lines])
    parts = [f"# vaultkit {path}", text.strip(), f"```text\n{code}\n```"]
    below = [other for other in entries() if other.startswith(f"{path} ")]
    parts += [_listed(below)] if below else []
    parts += [_table(entry.arguments, "argument")] if entry.arguments else []
    parts += [_table(own)] if own else []
    if path == "print":
        parts += ["## Options of every print command", _table(_shared(_PRINT))]
    more = ["[Print options](print.md#options-of-every-print-command)"] * path.startswith(_PRINT)
    more += ["[Common options](../cli.md#options-of-many-commands)"]
    return "\n\n".join([*parts, ". ".join(more)]) + ".\n"


def _listed(paths: Iterable[str], folder: str = "") -> str:
    rows = [
        f"| [{path}]({folder}{path.replace(' ', '-')}.md) | {_cell(entries()[path].help.partition(chr(10))[0])} |"
        for path in paths
    ]
    return "\n".join(["| command | for |", "|---|---|", *rows])


def _table(rows: Iterable[Parameter], kind: str = "option") -> str:
    return "\n".join([f"| {kind} | meaning |", "|---|---|", *_rows(rows)])


def _rows(rows: Iterable[Parameter]) -> Iterator[str]:
    for row in rows:
        value = f" {row.value}" * bool(row.value and row.names[0].startswith("-"))
        names = row.all_names if row.names[0].startswith("-") else (row.usage,)
        default = f" Default: {row.default}." if row.default else ""
        yield f"| `{_cell(', '.join(names) + value)}` | {_cell(row.help)}{default} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
