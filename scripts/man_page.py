"""Generator of the man page (section 1) from the table of commands; it uses only the classic `man` macros."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from vaultkit import __version__
from vaultkit.cli.command_table import CommandEntry, Parameter

DATE = "2026-11-30"
"""The date printed on the man page, fixed so that the output is the same every day."""
_INTRODUCTION = """vaultkit is for game masters who keep a campaign in an Obsidian vault. It reads the notes, checks
their links, plays card games, logs results into the notes, and prints rules, score sheets and cards as PDF. It needs no
network."""
_SIGNS = {"\\": r"\e", "-": r"\-", "`": r"\(ga", "'": r"\(aq", '"': r"\(dq", "^": r"\(ha", "~": r"\(ti"}
_ENVIRONMENT = {
    "VAULTKIT_VAULT": "The vault's folder, where --vault names none.",
    "VAULTKIT_NO_CACHE": "If it is set, every note is read afresh.",
    "NO_COLOR": "If it is set, nothing is in colour.",
    "SOURCE_DATE_EPOCH": "The time, in seconds, for files that come out the same each time.",
}
_FILES = {
    ".vaultkit/config.toml": "The settings of a vault.",
    ".vaultkit/journals/": "The games that were played in it, move by move.",
}


def man_page(table: Mapping[str, CommandEntry]) -> str:
    """Return the man page as roff text."""
    return "\n".join(_page(table)) + "\n"


def _page(table: Mapping[str, CommandEntry]) -> Iterator[str]:
    yield f'.TH VAULTKIT 1 "{DATE}" "vaultkit {__version__}" "User Commands"'
    yield from (".SH NAME", r"vaultkit \- read, play, log and print from your Obsidian vault, offline")
    yield from (".SH SYNOPSIS", ".B vaultkit", ".I COMMAND", r"[\fIOPTIONS\fR] [\fIARGUMENTS\fR]")
    yield from (".SH DESCRIPTION", *_text(_INTRODUCTION))
    yield from (".SH OPTIONS", *_rows(table[""].options))
    yield ".SH COMMANDS"
    for name, entry in table.items():
        if name:
            yield from _command(name, entry)
    for title, rows in (("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        yield f".SH {title}"
        for name, told in rows.items():
            yield from (".TP", f".B {_escaped(name)}", *_text(told))


def _command(name: str, entry: CommandEntry) -> Iterator[str]:
    words = " ".join(argument.usage for argument in entry.arguments)
    yield f'.SS "vaultkit {name} [OPTIONS]{" " * bool(words)}{words}"'
    first, *others = entry.help.split("\n\n")
    yield from _text(first)
    for paragraph in others:
        yield from (".PP", *_text(paragraph))
    yield from _rows([*entry.arguments, *entry.options])


def _rows(rows: Iterable[Parameter]) -> Iterator[str]:
    for row in rows:
        if row.names[0].startswith("-"):
            names = ", ".join(rf"\fB{_escaped(name)}\fR" for name in (*row.names, *row.off_names))
            tag = rf"{names} \fI{_escaped(row.value)}\fR" if row.value else names
        else:
            tag = rf"\fI{row.value}\fR"
        default = f" [default: {row.default}]" if row.default else ""
        yield from (".TP", tag, *_text(f"{row.help}{default}" or "-"))


def _text(text: str) -> list[str]:
    """Wrap prose into escaped roff lines; a leading dot is escaped, since it would begin a command."""
    lines = textwrap.wrap(_escaped(" ".join(text.split())), 78, break_long_words=False, break_on_hyphens=False)
    return [rf"\&{line}" if line.startswith(".") else line for line in lines]


def _escaped(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)
