"""The rolls that were earned, made on the roll tables of the vault (DC-36)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.campaign.rewards.cell import Ref, Rolls, Thing, gives, where_in_books
from vaultkit.campaign.rewards.earning import Earned
from vaultkit.campaign.rewards.pieces import Piece, Words, joined, words
from vaultkit.campaign.rewards.table import RewardTable
from vaultkit.compendium.tables.dice import Dice, Generator, with_rolls
from vaultkit.compendium.tables.rolling import Roll, RollTables
from vaultkit.compendium.tables.rolltable import RollTable
from vaultkit.errors import InvalidError
from vaultkit.vault import Link

_NOTHING = re.compile("[^:]+: [-\u2013\u2014\u2212]")
MOST_ROLLS = 100
"""So many rolls one row may give."""


@dataclass(frozen=True)
class Step:
    """One roll: the number, None for a reward without a table, and what it found."""

    number: int | None
    table: RollTable | None
    found: Words


@dataclass(frozen=True)
class RolledResult:
    """One roll on a reward's table, and those that followed."""

    steps: tuple[Step, ...]

    @property
    def found(self) -> Words:
        """What all its rolls found."""
        return joined([step.found for step in self.steps], " \u2192 ")

    @property
    def items(self) -> tuple[tuple[str, str], ...]:
        """Text and vault path of every link in what was found, but for the tables that were rolled on."""
        rolled = {step.table.path for step in self.steps if step.table}
        return tuple((piece.text, piece.note) for piece in self.found if piece.note and piece.note not in rolled)


@dataclass(frozen=True)
class Reward:
    """What one score gives from one table. `count` rolls came of it; `due` says why none of them is made here.

    `title` is what the reward table calls the table, "" for a reward that needs none. Where a roll is `due`, `count`
    may be dice. Without `results` that is nothing, as of an empty cell. `unread` is that of `Rolls`.
    """

    earned: Earned
    title: str
    count: str
    table: RollTable | None = None
    results: tuple[RolledResult, ...] = ()
    due: str = ""
    unread: str = ""


def roll_rewards(
    earned: Sequence[Earned], table: RewardTable, column: int, known: RollTables, rng: Generator
) -> tuple[Reward, ...]:
    """Everything that was earned, rolled in its order; a table that the vault has not is due instead.

    Raises InvalidError for a row with more than MOST_ROLLS rolls.
    """
    rolling = _Rolling(table, column, known, rng)
    return tuple(reward for one in earned for reward in rolling.of(one))


class _Rolling:
    def __init__(self, table: RewardTable, column: int, known: RollTables, rng: Generator) -> None:
        self._table = table
        self._column = column
        self._known = known
        self._rng = rng

    def of(self, earned: Earned) -> Iterator[Reward]:
        given = gives(self._table, earned.row, self._column, self._known)
        if not given:
            yield Reward(earned, "", "0")
        for one in given:
            if isinstance(one, Thing):
                yield Reward(earned, "", str(earned.count), results=tuple(self._things(one, earned.count)))
            elif len(one.tables) == 1 and one.tables[0].table:
                yield self._rolled(earned, one, one.tables[0].table)
            else:
                yield _due(earned, one)

    def _rolled(self, earned: Earned, rolls: Rolls, table: RollTable) -> Reward:
        dice = Dice.parse(rolls.count)
        count = sum(max(dice.roll(self._rng), 0) for _ in range(earned.count)) if dice.highest <= MOST_ROLLS else -1
        if count < 0:
            raise InvalidError(
                f"A row of the reward table gives {rolls.count} rolls; more than {MOST_ROLLS} are not made.",
                where=f"{self._table.note.path}:{earned.row.line}" if self._table.note else "",
                hint="Correct the number in the table.",
            )
        results = tuple(self._result(self._known.roll(table, self._rng)) for _ in range(count))
        return Reward(earned, rolls.tables[0].title, str(count), table, results, unread=rolls.unread)

    def _result(self, rolled: Roll) -> RolledResult:
        return RolledResult(tuple(map(self._step, (rolled, *rolled.chain))))

    def _step(self, roll: Roll) -> Step:
        note = roll.table.note
        links: list[Link] = []
        if roll.row:
            cells = " ".join(roll.row.cells)
            on_line = (link for link in note.links if link.line == roll.row.line)
            links = [link for link in on_line if note.text[link.start : link.end] in cells]
        text = _filled(roll.text) + (" (not followed any further)" if roll.cut else "")
        return Step(roll.number, roll.table, words(text, links, note, self._known.vault))

    def _things(self, thing: Thing, count: int) -> Iterator[RolledResult]:
        for _ in range(count):
            text = with_rolls(thing.text, self._rng)
            note = self._table.note
            found = words(text, thing.links, note, self._known.vault) if note else (Piece(text),)
            yield RolledResult((Step(None, None, found),))


def _filled(text: str) -> str:
    """The cells of a row as `GP: 5; PP: 2`, without those that hold but a dash."""
    cells = text.split("; ")
    filled = [cell for cell in cells if not _NOTHING.fullmatch(cell)]
    return "; ".join(filled or cells)


def _due(earned: Earned, rolls: Rolls) -> Reward:
    count = Dice.parse(rolls.count)
    times = earned.count * count.added if not count.terms else 0
    said = str(times) if times else f"{earned.count} \u00d7 {rolls.count}"
    title = " or ".join(ref.title for ref in rolls.tables)
    return Reward(earned, title, said, due=_why(rolls.tables))


def _why(refs: Sequence[Ref]) -> str:
    if len(refs) > 1:
        return "to be rolled by hand: the player chooses the table"
    book = where_in_books(refs)
    in_book = f"; it is in the {book}" if book else ""
    to_link = "" if refs[0].linked else "; if the vault has it by another name, link it"
    return f"to be rolled by hand: this vault has no such roll table{in_book}{to_link}"
