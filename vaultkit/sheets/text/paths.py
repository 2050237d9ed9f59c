"""Other notes by title and path; a path that is longer than a line is broken behind a slash, else behind a hyphen."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from vaultkit.sheets.text.inline import LinkTarget
from vaultkit.vault.markdown import Node

Fits = Callable[[str], bool]
"""Whether so many characters have room on one line."""
_AT_SLASHES, _AT_HYPHENS = re.compile(r"[^/]*/|[^/]+"), re.compile(r"[^-]*-|[^-]+")


def named(target: LinkTarget, fits: Fits) -> list[Node]:
    """The other note's title and path; the path alone where it says as much."""
    lines = [part for line in in_lines(target.path, fits) for part in (Node("HardBreak"), Node("Text", line))]
    path = [Node("Emphasis", children=lines[1:])]
    if target.path and target.title == Path(target.path).stem:
        return path
    return [Node("Text", target.title), *([Node("Text", " \u2013 "), *path] if target.path else [])]


def in_lines(path: str, fits: Fits) -> list[str]:
    """The path in pieces to be set on lines of their own; a word of it that fits on a line stays as it is."""
    lines = [""]
    for number, word in enumerate(path.split(" ")):
        first, *others = [word] if fits(word) else list(_filled(_parts(word, fits), fits))
        lines[-1] += f" {first}" if number else first
        lines += others
    return lines


def _parts(word: str, fits: Fits) -> Iterator[str]:
    for part in _AT_SLASHES.findall(word):
        yield from [part] if fits(part) else _AT_HYPHENS.findall(part)


def _filled(parts: Iterable[str], fits: Fits) -> Sequence[str]:
    """As many parts on each line as fit."""
    lines: list[str] = []
    for part in parts:
        if lines and fits(lines[-1] + part):
            lines[-1] += part
        else:
            lines.append(part)
    return lines
