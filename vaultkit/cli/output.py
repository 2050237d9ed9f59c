"""The two voices: data on stdout, talk on stderr. Nothing else prints."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, TextIO

from vaultkit.play.plain import safe

if TYPE_CHECKING:
    from rich.console import Console

    from vaultkit.errors import Problem


_wrap = partial(textwrap.wrap, break_long_words=False, break_on_hyphens=False)


_QUIET = ContextVar("quiet", default=False)


def hush(wanted: bool) -> bool:
    """From now on nothing is said beside results and errors, if that is `wanted`; returns whether it is."""
    _QUIET.set(wanted)
    return wanted


def is_talkative(*, drawing: bool = False) -> bool:
    """Whether anything is said beside results and errors; `drawing` asks for a terminal on which it can move."""
    return not _QUIET.get() and not (drawing and (not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"))


def talk(text: str) -> None:
    """One line for the person, on stderr."""
    if is_talkative():
        complain(text)


def complain(text: str) -> None:
    """One line of an error, on stderr."""
    _line(text, sys.stderr)


def tell_remarks(*sentences: str) -> None:
    """Sentences for the person beside the result, each on a line of its own on stderr."""
    for sentence in sentences:
        talk(f"Note: {sentence}")


def problem_place(problem: "Problem") -> str:
    """`note:line`, without the line where a problem is the whole note's."""
    return f"{problem.note}:{problem.line}" if problem.line else problem.note


def tell_problem(problem: "Problem") -> None:
    """A problem with its place and its hint, on stderr."""
    talk(f"{problem_place(problem)}: {problem.in_full}")


def say(text: str = "") -> None:
    """One line of data, on stdout."""
    _line(text, sys.stdout)


def _line(text: str, stream: TextIO) -> None:
    """The text on one line; broken between words where a terminal would break it anywhere."""
    shown = safe(text)
    if stream.isatty():
        width = shutil.get_terminal_size().columns - 1
        indent = " " * (len(shown) - len(shown.lstrip()))
        shown = "\n".join(_wrap(shown, max(width, 20), subsequent_indent=f"{indent}  "))
    print(shown, file=stream)


_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that JSON lets stand as they are, and that steer a terminal or turn the order of a line."""


def document(value: object) -> None:
    """One JSON document, on stdout; what could steer a terminal is escaped."""
    import msgspec

    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:  # half a character, as settings of Obsidian may hold
        import json

        data = json.dumps(msgspec.to_builtins(value)).encode()
    text = msgspec.json.format(data, indent=2).decode()
    print(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))  # noqa: T201


def terminal(*, stderr: bool = False) -> "Console":
    """A console; without any style, bold included, where `NO_COLOR` or a dumb terminal asks for plain text."""
    from rich.console import Console

    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Console(stderr=stderr, highlight=False, color_system=None if plain else "auto")


def columns(header: Sequence[str], rows: Iterable[Sequence[object]], *, whole: int = 0) -> None:
    """A table on stdout: drawn on a terminal, tab-separated into a pipe. The first `whole` columns are never broken.

    Without rows there is none, header included.
    """
    rows = list(rows)
    if not rows:
        return
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(safe(str(cell)) for cell in row))  # noqa: T201
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, name in enumerate(header):
        table.add_column(name, overflow="fold", no_wrap=number < whole)
    for row in rows:
        table.add_row(*(Text(safe(str(cell))) for cell in row))
    terminal().print(table)


def can_draw() -> bool:
    """Whether data goes to a terminal that can be drawn on."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def diff(text: str) -> None:
    """A unified diff on stdout; on a terminal with colours, and a blank line between notes."""
    if not can_draw():
        say_lines(text)
        return
    from rich.text import Text

    console = terminal()
    lines = safe(text.rstrip("\n"), lines=True).split("\n")
    heads = _heads(lines)
    for number, line in enumerate(lines):
        if number in heads and line.startswith("---") and number:
            console.print()
        style = "bold" if number in heads else _SIGNS.get(line[:1], "")
        for piece in _broken(line, console.width):
            console.print(Text(piece, style), soft_wrap=True)


def _broken(line: str, width: int) -> list[str]:
    """A line of a diff as lines of a terminal, broken between words."""
    if len(line) < width:
        return [line]
    indent = "    "
    lines = _wrap(line, max(width - 1, 20), subsequent_indent=indent, replace_whitespace=False, expand_tabs=False)
    return lines or [line]


_SIGNS = {"-": "red", "+": "green", "@": "cyan"}


def _heads(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines that name a file, which a removed line may resemble."""
    triples = zip(lines, lines[1:], lines[2:], strict=False)
    begun = [n for n, (old, new, hunk) in enumerate(triples) if (old[:4], new[:4], hunk[:2]) == ("--- ", "+++ ", "@@")]
    return frozenset(number + step for number in begun for step in (0, 1))


def say_lines(text: str) -> None:
    """Several lines of data, such as a diff, on stdout."""
    print(safe(text.rstrip("\n"), lines=True))  # noqa: T201


def show_markdown(text: str) -> None:
    """A note's Markdown on stdout, set for the terminal."""
    from vaultkit.play.notetext import renderables

    console = terminal()
    console.width = min(console.width, 100)
    for piece in renderables(text):
        console.print(piece)
