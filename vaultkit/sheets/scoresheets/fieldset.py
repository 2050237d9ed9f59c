"""The boxes of a score sheet, and what belongs into each: known from its design, not taken from the file."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from vaultkit.sheets.scoresheets import grid
from vaultkit.sheets.scoresheets.design import FOUR, PARTY, ScoreDesign
from vaultkit.sheets.scoresheets.pen import FieldBox

Kind = Literal["number", "words", "choice", "tick"]
PLAYER = "player"
_PREFIX = re.compile(r"(p[1-9]\d*\.)(.+)", re.DOTALL)


@dataclass(frozen=True)
class Expected:
    """A box by its name without the player's prefix. `label` names it for people; `options` are a choice's."""

    label: str
    kind: Kind
    options: tuple[str, ...] = ()


FieldSet = dict[str, Expected]


def split_name(name: str) -> tuple[str, str]:
    """The prefix of a player, such as `p2.`, or nothing, and the rest of the name."""
    found = _PREFIX.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


def prefixes(names: Collection[str]) -> tuple[str, ...]:
    """The prefixes of the players that these boxes are for, in order; one empty one if there are none."""
    found = {split_name(name)[0] for name in names} - {""}
    return tuple(sorted(found, key=lambda prefix: int(prefix[1:-1]))) or ("",)


def field_set(design: ScoreDesign, layout: str, players: Sequence[str]) -> FieldSet:
    """Every box that a sheet has in this layout, by its full name; `players` are their prefixes."""
    if layout == PARTY:
        common = [line for line in design.lines if line.id != PLAYER]
        made = {line.id: Expected(line.title, "words") for line in common}
        made |= _ticks(design, "", own=False)
        return made | dict(_cells(grid.for_party(design, [f"Player {n}" for n in range(1, len(players) + 1)])))
    return {name: box for prefix in players for name, box in _of_player(design, layout, prefix).items()}


def _of_player(design: ScoreDesign, layout: str, prefix: str) -> FieldSet:
    compact = layout == FOUR
    made = {prefix + line.id: Expected(line.title, "words") for line in design.lines}
    made |= _ticks(design, prefix, own=False) | _ticks(design, prefix, own=True)
    made |= dict(_cells(grid.for_player(design, layout, prefix, "", compact=False)))
    for listing in design.lists if not compact else ():
        lines = range(1, listing.count + 1)
        made |= {f"{prefix}{listing.id}.{n}": Expected(f"{listing.title}, {n}", "words") for n in lines}
    return made


def _ticks(design: ScoreDesign, prefix: str, *, own: bool) -> FieldSet:
    return {
        f"{prefix}{group.id}.{option}": Expected(f"{group.title}: {words}", "tick")
        for group in design.ticks
        if group.own == own
        for option, words in group.options
    }


def _cells(table: grid.Grid) -> Iterator[tuple[str, Expected]]:
    boxes = [head.box for head in table.heads]
    for line in table.lines:
        boxes += [line.box, *(cell for cell in line.cells if isinstance(cell, FieldBox))]
    return ((box.name, Expected(_label(box), _kind(box), box.options)) for box in boxes if box)


def _label(box: FieldBox) -> str:
    """The words of a screen reader for a box, without those about whose it is."""
    return re.sub(r"Player \d+(?:: |, )", "", box.tip)


def _kind(box: FieldBox) -> Kind:
    if box.check:
        return "tick"
    if box.options:
        return "choice"
    return "words" if box.wide else "number"
