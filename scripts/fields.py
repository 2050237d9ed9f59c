"""Generator of docs/printing/fields.md, a table of the names of all boxes of the score sheets.

Usage: python -m scripts.fields
"""

import re
from collections.abc import Iterator
from pathlib import Path

from vaultkit.games.registry import GAMES
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets.design import PARTY, ScoreDesign, load_score_design
from vaultkit.sheets.scoresheets.parts import Player, SheetBox, boxes_of, sheet_parts

PAGE = Path(__file__).resolve().parents[1] / "docs" / "printing" / "fields.md"
_NUMBER = re.compile(r"\.(\d+)(?=\.|$)")
_INTRODUCTION = """# The boxes of the score sheets

Made from the designs by `make docs`.

Every box of a score sheet is a form field whose name stays the same in later versions, so that programs can read filled
sheets. On sheets for several players, the names begin with the player: `p1.score`, `p2.score`. `N` is a number up to
the one in the table. Boxes of which only one can be ticked, such as `mode`, are a radio group. Without a word under
"Only on", a field is on every layout of the game.

All sheets have `player`, `session` and `date`, and three fields that cannot be changed: `vaultkit.game`,
`vaultkit.sheet` (the id of the sheet) and `vaultkit.fields` (the version of these names).
"""
_COMMON = {"player", "session", "date"}
"""Fields of every sheet, which the introduction names."""


def page() -> str:
    """Return the text of docs/printing/fields.md."""
    return "\n".join([_INTRODUCTION, *(_section(name) for name in (*GAMES, *ScoreSheets(None).defined, "blank"))])


def _section(name: str) -> str:
    design = load_score_design(name, games=ScoreSheets(None))
    title = design.title if design.game else "The blank sheet"
    lines = [f"## {title}", "", "| Field | Takes | N up to | Only on |", "|---|---|---|---|"]
    return "\n".join([*lines, *_rows(design), ""])


def _rows(design: ScoreDesign) -> Iterator[str]:
    """Yield a table row for each box of a design; boxes that differ only in their number share a row."""
    found: dict[str, SheetBox] = {}
    layouts: dict[str, list[str]] = {}
    most: dict[str, int] = {}
    for layout in design.layouts:
        people = [Player("p1." if layout == PARTY else "")]
        for box in boxes_of(sheet_parts(design, layout, people)).values():
            number = _NUMBER.search(box.key)
            general = box.group.id if box.group else _NUMBER.sub(".N", box.key, count=1)
            found.setdefault(general, box)
            if layout not in layouts.setdefault(general, []):
                layouts[general].append(layout)
            most[general] = max(most.get(general, 0), int(number[1]) if number else 0)
    for name, box in found.items():
        if name in _COMMON:
            continue
        options = ", ".join(box.group.options if box.group else box.options * (box.kind == "choice"))
        takes = options or {"tick": "a tick", "number": "a number"}.get(box.kind, box.kind)
        places = ", ".join(layouts[name]) if len(layouts[name]) < len(design.layouts) else ""
        yield f"| `{name}` | {takes} | {most[name] or ''} | {places} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
