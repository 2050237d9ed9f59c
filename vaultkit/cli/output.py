"""The two voices: data on stdout, talk on stderr. Nothing else prints."""

import json
import sys
from collections.abc import Iterable, Sequence

from vaultkit.play.plain import safe


def talk(text: str) -> None:
    """One line for the person, on stderr."""
    print(safe(text), file=sys.stderr)  # noqa: T201


def say(text: str = "") -> None:
    """One line of data, on stdout."""
    print(safe(text))  # noqa: T201


def document(value: object) -> None:
    """One JSON document, on stdout."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201


def columns(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout: drawn on a terminal, tab-separated into a pipe."""
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(safe(str(cell)) for cell in row))  # noqa: T201
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*header, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(safe(str(cell))) for cell in row))
    Console(highlight=False).print(table)


def markdown(text: str) -> None:
    """A note's Markdown on stdout, set for the terminal."""
    from rich.console import Console

    from vaultkit.play.notetext import renderables

    console = Console(highlight=False)
    console.width = min(console.width, 100)
    for piece in renderables(text):
        console.print(piece)
