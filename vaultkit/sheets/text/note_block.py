"""The block of a note that an id such as `^oath` names, as Obsidian places ids."""

import re

_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")


def block(body: str, name: str) -> str | None:
    """The Markdown of the block with the id `name`, without `^`: a list item with what is below it, else a paragraph.

    An id on a line of its own names the block before it: a table, a quote, a whole list. None if there is no such id.
    """
    lines = body.splitlines()
    mark = re.compile(rf"(?:^|\s)\^{re.escape(name)}\s*$", re.IGNORECASE)
    number = next((n for n, line in enumerate(lines) if mark.search(line)), None)
    if number is None:
        return None
    lines[number] = mark.sub("", lines[number])
    if not lines[number].strip():
        return "\n".join(_paragraph(lines, _before(lines, number)))
    if _ITEM.match(lines[number]):
        return "\n".join(_item(lines, number))
    return "\n".join(_paragraph(lines, number))


def _before(lines: list[str], number: int) -> int:
    """The last line above that is not empty."""
    return next((n for n in range(number, -1, -1) if lines[n].strip()), 0)


def _paragraph(lines: list[str], last: int) -> list[str]:
    start = next((n + 1 for n in range(last, -1, -1) if not lines[n].strip()), 0)
    return lines[start : last + 1]


def _item(lines: list[str], number: int) -> list[str]:
    """The item and the lines that stand further in."""
    end = next((n for n in range(number + 1, len(lines)) if _depth(lines[n]) <= _depth(lines[number])), len(lines))
    return [line[_depth(lines[number]) :] for line in lines[number:end]]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 0
