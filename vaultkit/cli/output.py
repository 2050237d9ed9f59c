"""All output: results on stdout, and messages for people on stderr."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal, TextIO

from vaultkit.errors import Problem
from vaultkit.file_errors import ON_WINDOWS
from vaultkit.terminal.safe_text import strip_controls

if TYPE_CHECKING:
    from rich.console import Console

_wrap = partial(textwrap.wrap, break_long_words=False, break_on_hyphens=False)


_IS_QUIET = ContextVar("quiet", default=False)
BEFORE_OUTPUT: list[Callable[[], None]] = []
"""Functions that are called before anything is written to stdout or stderr."""


def set_quiet(is_quiet: bool) -> bool:
    """Turn messages other than results and errors off or on, and return `is_quiet`."""
    _IS_QUIET.set(is_quiet)
    return is_quiet


def are_notes_printed(*, redraws_lines: bool = False) -> bool:
    """Return whether messages other than results and errors are printed.

    With `redraws_lines`, stderr must also be a terminal that can redraw a line.
    """
    return not _IS_QUIET.get() and not (redraws_lines and (not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"))


def print_note(text: str) -> None:
    """Print a message for people on stderr, unless messages are turned off."""
    if are_notes_printed():
        print_error(text)


def print_error(text: str) -> None:
    """Print a text on stderr as one line, even if messages are turned off."""
    if MESSAGES.is_held:
        MESSAGES.texts.append(text)
    else:
        _print_line(text, sys.stderr)


@dataclass
class _Messages:
    """The messages that wait for the end of a command with --json, so that an error is the only text on stderr."""

    is_held: bool = False
    texts: list[str] = field(default_factory=list)

    def take(self) -> list[str]:
        """Return the messages that wait, and forget them."""
        texts, self.texts = self.texts, []
        return texts

    def release(self) -> None:
        """Print the messages that wait, and all later ones at once."""
        self.is_held = False
        for text in self.take():
            print_error(text)


MESSAGES = _Messages()


def print_remarks(*sentences: str) -> None:
    """Print remarks about the result on stderr, each on its own line, unless messages are turned off."""
    for sentence in sentences:
        print_note(f"Note: {sentence}")


def print_link(words: str, address: str, name: str) -> None:
    """Print words and an address on stderr, unless messages are turned off. On a terminal, the address is a link.

    Terminals that do not know links (OSC 8) show the address alone; those of plain consoles get no link. An address
    that would break across lines is the link of a shorter `name`. The old console of Windows shows escapes as letters.
    """
    if are_notes_printed():
        is_old_console = ON_WINDOWS and not {"WT_SESSION", "TERM", "TERM_PROGRAM"} & os.environ.keys()
        is_plain = not sys.stderr.isatty() or is_old_console or os.environ.get("TERM") in {"dumb", "linux"}
        text = address if len(words) + len(address) < terminal(stderr=True).width else strip_controls(name)
        link = address if is_plain else f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"
        print(f"{words}{link}", file=sys.stderr)  # noqa: T201 - print_error strips escape sequences


def problem_place(problem: Problem) -> str:
    """Return the place of a problem as `note:line`, or as `note` if it is about the whole note."""
    return f"{problem.note}:{problem.line}" if problem.line else problem.note


def print_problem(problem: Problem) -> None:
    """Print a problem with its place and its hint on stderr, unless messages are turned off."""
    print_note(f"{problem_place(problem)}: {problem.message_with_hint}")


def print_result(text: str = "") -> None:
    """Print a line of the result on stdout."""
    _print_line(text, sys.stdout)


def print_item(label: str, text: str) -> None:
    """Print a line of the result that begins with a label. On a terminal, further lines are indented as far."""
    if not sys.stdout.isatty() or len(label) + _MIN_ITEM_COLUMNS < shutil.get_terminal_size().columns:
        _print_line(text, sys.stdout, strip_controls(label))
    else:
        _print_line(label.rstrip(), sys.stdout)
        _print_line(text, sys.stdout, "    ")


_MIN_ITEM_COLUMNS = 20
"""The minimum number of columns of a terminal for the text beside a label."""


def print_file(path: str, sentence: str, *, as_json: bool = False) -> None:
    """Print the name of a file that was made, for `open "$(vaultkit print ...)"`.

    On a terminal that is the sentence; into a pipe the path alone, and the sentence on stderr. With `as_json` the
    document on stdout names the file.
    """
    if sys.stdout.isatty() and not as_json:
        print_result(sentence)
        return
    if not as_json:
        print_result(path)
    print_note(sentence)


_COMMAND = re.compile(r"\bvaultkit [a-z](?:\"[^\"]*\"|[^.,;:\"]|[.,;:](?! ))*")
"""A command in a sentence, which is kept on one line so that it can be copied."""
_HARD_SPACE = "\ue000"
"""A character of private use in place of a space at which a line must not be broken."""


def _print_line(text: str, stream: TextIO, label: str = "") -> None:
    """Print a text on one line. On a terminal, wrap it between words, but never within `label`, which comes first."""
    line = strip_controls(text)
    if stream.isatty():
        width = max(shutil.get_terminal_size().columns - 1, 20)
        indent = " " * (len(label) or len(line) - len(line.lstrip()) + 2)
        line = _COMMAND.sub(lambda match: match[0].replace(" ", _HARD_SPACE), line)
        lines = _wrap(line, width, initial_indent=label, subsequent_indent=indent)
        print("\n".join(lines).replace(_HARD_SPACE, " "), file=stream)
    else:
        print(f"{label}{line}", file=stream)


_TERMINAL_CONTROLS = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that JSON leaves unescaped, and that control a terminal or change the direction of text."""


SCHEMA_VERSION = 1
"""The version of all JSON documents; it rises when a field changes its meaning or goes."""


def print_document(value: object, stream: TextIO | None = None) -> None:
    """Print a JSON object on stdout or another stream, with characters escaped that control a terminal.

    A list becomes the field `items` of the object.
    """
    import msgspec

    fields = msgspec.to_builtins(value) if not isinstance(value, Mapping) else value
    document = {"schema": SCHEMA_VERSION, **(fields if isinstance(fields, Mapping) else {"items": fields})}
    try:
        data = msgspec.json.encode(document)
    except UnicodeEncodeError:  # an unpaired surrogate, which settings of Obsidian may contain
        import json

        data = json.dumps(msgspec.to_builtins(document)).encode()
    text = msgspec.json.format(data, indent=2).decode()
    print(_TERMINAL_CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text), file=stream)


def terminal(*, stderr: bool = False) -> "Console":
    """Return a console for stdout or stderr.

    It has no styles, not even bold, in a pipe, on a dumb terminal or with `NO_COLOR`, unless `FORCE_COLOR` is set.
    """
    from rich.console import Console

    is_terminal, is_forced = (sys.stderr if stderr else sys.stdout).isatty(), is_color_forced()
    is_plain = bool(os.environ.get("NO_COLOR")) or not (is_forced or (is_terminal and os.environ.get("TERM") != "dumb"))
    colors: Literal["standard", "auto"] | None = None if is_plain else "auto" if is_terminal else "standard"
    return Console(stderr=stderr, highlight=False, color_system=colors, force_terminal=is_terminal or is_forced)


def is_color_forced() -> bool:
    """Return whether output has colours even in a pipe: `FORCE_COLOR` is set, not to 0, and `NO_COLOR` is not."""
    return os.environ.get("FORCE_COLOR", "0") not in ("", "0") and not os.environ.get("NO_COLOR")


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], *, unwrapped_columns: int = 0) -> None:
    """Print a table on stdout: drawn on a terminal, tab-separated without a header into a pipe.

    The first `unwrapped_columns` columns are never wrapped. Nothing is printed without rows, not even the header.
    """
    rows = list(rows)
    if not rows:
        return
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(strip_controls(str(cell)) for cell in row))  # noqa: T201
        return
    console = terminal()
    if console.width < MIN_TABLE_COLUMNS:
        _print_records(header, rows)
        return
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    cells = [[Text(strip_controls(str(cell))) for cell in row] for row in rows]
    for index, name in enumerate(header):
        words = (word for row in cells for word in row[index].plain.split())
        width = min(max(map(cell_len, words), default=0), MAX_UNBROKEN_WIDTH)
        table.add_column(name, overflow="fold", no_wrap=index < unwrapped_columns, min_width=width)
    for row in cells:
        table.add_row(*row)
    console.print(table)


MAX_UNBROKEN_WIDTH = 14
"""The maximum number of columns of the screen for a word that a table does not break."""
MIN_TABLE_COLUMNS = 60
"""The minimum number of columns of a terminal on which a table is drawn."""


def _print_records(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table for a narrow terminal: each row as lines, the first cell alone, the others with their names."""
    for first_cell, *other_cells in rows:
        print_result(str(first_cell))
        for name, cell in zip(header[1:], other_cells, strict=False):
            if str(cell):
                print_result(f"  {name}: {cell}")


def can_draw() -> bool:
    """Return whether stdout is a terminal that can show tables and styles."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def print_diff(text: str) -> None:
    """Print a unified diff on stdout.

    On a terminal, or where colours are forced, it has colours, and a blank line before each note after the first.
    """
    if not can_draw() and not is_color_forced():
        print_lines(text)
        return
    from rich.text import Text

    console = terminal()
    lines = strip_controls(text.rstrip("\n"), lines=True).split("\n")
    header_lines = _file_header_lines(lines)
    for index, line in enumerate(lines):
        if index in header_lines and line.startswith("---") and index:
            console.print()
        style = "bold" if index in header_lines else _DIFF_STYLES.get(line[:1], "")
        for piece in _wrap_diff_line(line, console.width) if can_draw() else [line]:
            console.print(Text(piece, style), soft_wrap=True)


def _wrap_diff_line(line: str, width: int) -> list[str]:
    """Return a line of a diff as lines that fit the terminal, wrapped between words."""
    if len(line) < width:
        return [line]
    indent = "    "
    lines = _wrap(line, max(width - 1, 20), subsequent_indent=indent, replace_whitespace=False, expand_tabs=False)
    return lines or [line]


_DIFF_STYLES = {"-": "red", "+": "green", "@": "cyan"}


def _file_header_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the indexes of the lines of a diff that name a file.

    A removed line may look like one, so the three lines of a header are recognized together.
    """
    line_triples = enumerate(zip(lines, lines[1:], lines[2:], strict=False))
    starts = [n for n, (old, new, hunk) in line_triples if (old[:4], new[:4], hunk[:2]) == ("--- ", "+++ ", "@@")]
    return frozenset(start + offset for start in starts for offset in (0, 1))


def print_lines(text: str) -> None:
    """Print several lines of the result, such as a diff, on stdout."""
    print(strip_controls(text.rstrip("\n"), lines=True))  # noqa: T201


def print_markdown(text: str) -> None:
    """Print the Markdown of a note on stdout, formatted for the terminal."""
    from vaultkit.terminal.note_text import renderables

    console = terminal()
    console.width = min(console.width, 100)
    for piece in renderables(text):
        console.print(piece)
