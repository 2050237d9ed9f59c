"""Search for the line of a key in TOML or YAML, since their parsers do not tell it."""

import re
from collections.abc import Sequence
from itertools import takewhile
from operator import eq

MAX_LINES = 2_000
"""The maximum number of lines that are searched."""


def find_key_line(lines: Sequence[str], path: Sequence[str | int]) -> tuple[int, bool]:
    """Return the line, from 1, of the part at `path`, and whether it is exactly that part's line.

    A path is like `("columns", 2, "formula")`. If there is no such part, the nearest enclosing part is taken.
    """
    search_range, name = range(min(len(lines), MAX_LINES)), ""
    keys = [step.casefold() for step in takewhile(lambda step: isinstance(step, str), path) if isinstance(step, str)]
    for step in path:
        is_key = isinstance(step, str)
        name = step if isinstance(step, str) else name
        matches = _find_lines(lines, search_range, name, is_key=is_key)
        matches = [line for line in matches if all(map(eq, _parse_header(lines[line]), keys))]
        item_index = step if isinstance(step, int) else 0
        if item_index >= len(matches):
            return search_range.start + 1, False
        start = matches[item_index]
        stop = (
            _end_of_section(lines, start, search_range.stop)
            if is_key
            else [*matches, search_range.stop][item_index + 1]
        )
        search_range = range(start, stop)
    return search_range.start + 1, bool(path)


def _find_lines(lines: Sequence[str], search_range: range, name: str, *, is_key: bool) -> list[int]:
    """Return the indexes of the lines with the key `name` or, unless `is_key`, of the items of a list.

    The key may be set in the line or be part of a table header. Only the least indented lines are returned.
    """
    start_pattern = re.compile(rf"[\s-]*?[\"']?{re.escape(name)}[\"']?\s*[=:]" if is_key else r"\s*?- ", re.IGNORECASE)
    matches = [
        line
        for line in search_range
        if start_pattern.match(lines[line]) or name.casefold() in _parse_header(lines[line])
    ]
    indents = {line: len(lines[line]) - len(lines[line].lstrip(" \t-")) for line in matches}
    min_indent = min(indents.values(), default=0)
    return [line for line, indent in indents.items() if indent == min_indent]


def _end_of_section(lines: Sequence[str], start: int, stop: int) -> int:
    """Return the index of the line after the TOML table whose header is line `start`.

    It is the line of the next header outside of the table. Returns `stop` if there is none, or if `start` is no header.
    """
    own_path = _parse_header(lines[start])
    later_headers = ((index, _parse_header(lines[index])) for index in range(start + 1, stop) if own_path)
    return next((index for index, path in later_headers if path and path[: len(own_path)] != own_path), stop)


def _parse_header(line: str) -> list[str]:
    """Return the key path of a TOML table header, such as `["games", "propheta"]`; an empty list for any other line."""
    header = re.match(r"\s*\[+([^\[\]]+)\]+\s*(?:#.*)?$", line)
    return re.sub(r"[\s\"']", "", header[1]).casefold().split(".") if header else []
