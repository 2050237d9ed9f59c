"""A score sheet that was filled in on a screen, read back into names, numbers and ticks."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultkit.campaign.scoresheets.record import PaperRecord
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets import reading
from vaultkit.sheets.scoresheets.boxes import FilledBox, read_boxes
from vaultkit.sheets.scoresheets.design import FIELDS, READABLE, Own, ScoreDesign, adapted, own_from_json
from vaultkit.sheets.scoresheets.parts import Player, SheetBox, boxes_of, sheet_parts
from vaultkit.sheets.scoresheets.values import Values

_IDENTITY = "vaultkit."
_PREFIX = re.compile(r"p[1-9]\d*\.(?=.)", re.DOTALL)
_PRINT_AGAIN = "Print the sheet again with `vaultkit print scores`, and fill that one in."


@dataclass(frozen=True)
class FilledSheet(PaperRecord):
    """A filled sheet; `game` is a game's id, or the name of a design of no game. `common` are the ticks for all.

    Boxes that are empty are left out, and so are players who have none but these. `layout` is the first of the design's
    that has these boxes. What cannot be true or cannot be read stands in `problems` and nowhere else.
    """

    layout: str = ""
    problems: tuple[Problem, ...] = ()


def read_filled(path: Path, vault: Path | None = None, games: ScoreSheets | None = None) -> FilledSheet:
    """The score sheet at `path`; its design is looked for in `vault` first, then among the `games` that it defines.

    Raises InvalidError, which says why, for what is no PDF, damaged or locked, flattened, not a score sheet of ours,
    or one with other boxes than its design has today.
    """
    boxes = _by_name(read_boxes(path), path)
    game = _game(boxes, path)
    design = _design(lambda: reading.load_score_design(game, vault, games), game, boxes, path)
    boxes = {name: box for name, box in boxes.items() if not name.startswith(_IDENTITY)}
    layout, expected = _layout(design, boxes, path)
    values = Values(str(path), design, boxes, expected)
    return FilledSheet(
        where=str(path),
        game=game,
        title=design.title,
        about=values.about(),
        common=values.common_ticks(),
        seats=values.players(),
        labels={box.key: box.label for box in expected.values()},
        layout=layout,
        problems=tuple(values.problems),  # collected by all that is read above
    )


def _by_name(found: Iterable[FilledBox], path: Path) -> dict[str, FilledBox]:
    boxes: dict[str, FilledBox] = {}
    for box in found:
        if boxes.setdefault(box.name, box) != box:
            message = f"The box '{box.label or box.name}' is there twice, and it does not say the same."
            raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
    return boxes


def _game(boxes: Mapping[str, FilledBox], path: Path) -> str:
    """The game, by the marks that a sheet is known again by."""
    marks = {name.removeprefix(_IDENTITY): box.text for name, box in boxes.items() if name.startswith(_IDENTITY)}
    game, version, sheet = (marks.get(part, "") for part in ("game", "fields", "sheet"))
    if not game or not sheet:
        message = "This PDF is not a score sheet of vaultkit's, or a program has flattened it (printed it to a PDF)."
        raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
    if version not in READABLE:
        message = f"This score sheet has boxes of version '{version}', and only version '{FIELDS}' can be read."
        raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
    return game


def _design(load: Callable[[], ScoreDesign], game: str, boxes: Mapping[str, FilledBox], path: Path) -> ScoreDesign:
    """The design of this name, with the title, rows and columns that the sheet was printed with."""
    name = f"{_IDENTITY}own"
    try:
        own = own_from_json(boxes[name].text if name in boxes else "") or Own()
        return adapted(load(), title=own.title, rows=own.rows, columns=own.columns)
    except ValueError as error:
        message = "This score sheet does not say any more which rows and columns it has."
        raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN) from error
    except UsageError as error:
        message = f"This score sheet is for '{game}', of which there is no design here."
        raise InvalidError(message, where=str(path), hint=error.hint) from error


def _layout(design: ScoreDesign, boxes: Mapping[str, FilledBox], path: Path) -> tuple[str, dict[str, SheetBox]]:
    """The layout that has just these boxes, and what belongs into each."""
    prefixes = {found[0] for found in map(_PREFIX.match, boxes) if found} or {""}
    people = [Player(prefix) for prefix in sorted(prefixes, key=lambda prefix: (len(prefix), prefix))]
    sets = {layout: boxes_of(sheet_parts(design, layout, people)) for layout in design.layouts}
    for layout, expected in sets.items():
        if expected.keys() == boxes.keys():
            return layout, expected
    nearest = min(sets.values(), key=lambda expected: len(expected.keys() ^ boxes.keys()))
    unknown, lost = sorted(boxes.keys() - nearest.keys()), [name for name in nearest if name not in boxes]
    if unknown:
        message = f"This score sheet was printed from another design: today's has no box '{unknown[0]}'."
    else:
        gone = nearest[lost[0]].label
        message = f"The box '{gone}' has gone from this score sheet: a program has flattened a part of it."
    raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
