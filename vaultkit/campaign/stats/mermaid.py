"""Charts that Obsidian draws by itself: Mermaid's `pie` and `xychart-beta`, which it has had since 2023.

The older name `xychart-beta` is understood by every version that has such charts.
"""

from collections.abc import Sequence
from math import ceil

from vaultkit.vault.writing.escape import clean

LONGEST = 24
"""Characters of a name beside a bar, past which the bar would have no room."""
MOST_BARS = 12
_INSTEAD = str.maketrans({'"': "”", "`": "'", "\\": "/", ";": ",", "#": "＃", "<": "‹", ">": "›", "{": "(", "}": ")"})
"""What would end a text, begin another kind of text, or be read as an entity, a tag or a directive."""


def quoted(text: str, most: int = LONGEST) -> str:
    """Any words as one of Mermaid's texts, in quotes; never empty, which it would not read."""
    safe = clean(clean(text).translate(_INSTEAD)).replace("%%", "% %").replace("%%", "% %")
    shown = safe if len(safe) <= most else f"{safe[: most - 1].rstrip()}…"
    return f'"{shown or "?"}"'


def bars(title: str, axis: str, values: Sequence[tuple[str, int]]) -> str:
    """A bar for each name, the first on top; "" if there is nothing to compare. Values are counts."""
    shown = values[:MOST_BARS]
    highest = max((number for _, number in shown), default=0)
    if len(shown) < 2 or highest == 0:
        return ""
    names = ", ".join(quoted(name) for name, _ in _told_apart(shown))
    return _fenced(
        "xychart-beta horizontal",
        f"title {quoted(title, 60)}",
        f"x-axis [{names}]",
        f"y-axis {quoted(axis, 60)} 0 --> {ceil(highest)}",
        f"bar [{', '.join(str(number) for _, number in shown)}]",
    )


def pie(title: str, values: Sequence[tuple[str, int]]) -> str:
    """A slice for each name, with its count; "" if there is nothing to compare."""
    shown = [(name, number) for name, number in values if number > 0]
    if len(shown) < 2:
        return ""
    # The title stands without quotes, to the end of its line.
    heading = quoted(title, 60).strip('"')
    slices = (f"{quoted(name, 40)} : {number}" for name, number in _told_apart(shown, 40))
    return _fenced("pie showData", f"title {heading}", *slices)


def _told_apart(values: Sequence[tuple[str, int]], most: int = LONGEST) -> list[tuple[str, int]]:
    """Names that look alike once they are quoted get numbers, since Mermaid takes equal ones for one."""
    seen: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    for name, number in values:
        shown = quoted(name, most)
        seen[shown] = seen.get(shown, 0) + 1
        found.append((f"{seen[shown]}. {name}" if seen[shown] > 1 else name, number))
    return found


def _fenced(first: str, *lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"```mermaid\n{first}\n{body}\n```"
