"""`vaultkit roll TABLE`: a roll on a table of the vault, or of plain dice."""

import random
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, new_app, open_workspace
from vaultkit.cli.output import columns, document, talk
from vaultkit.compendium.tables.dice import Dice, is_foreign
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.compendium.tables.rolling import Roll, RollTables
    from vaultkit.compendium.tables.rolltable import RollTable

_DICE = re.compile(r"\s*[+-]?\s*[0-9]*[dD][0-9%][\sdDkKhHlL0-9%+-]*")
_OPTION = re.compile(r"--|-[a-zA-Z](?![0-9%])")


def roll(
    table: Annotated[
        list[str] | None,
        typer.Argument(help="Note#^block-id, Note#Heading, Note, Note:line or dice such as 2d6+1; else all tables."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the tables instead: those with all of the words that are given.")
    ] = False,
    times: Annotated[int, typer.Option("--times", help="How often to roll.", min=1, max=1000)] = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="A number that settles the rolls.")] = None,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Roll on a table of the vault, or roll dice."""
    chosen = secrets.randbelow(10**6) if seed is None else seed
    rng = random.Random(f"{chosen}:roll")
    name = _joined(table or ())
    if listed or not name:
        _list(_tables(vault, no_cache), name, as_json)
        return
    is_dice = _DICE.fullmatch(name) or is_foreign(name)
    rolled = _dice(name, times, rng) if is_dice else _table(_tables(vault, no_cache), name, times, rng)
    if as_json:
        document({"table": rolled.name, "seed": chosen, "rolls": rolled.rows})
        return
    columns(rolled.header, rolled.lines)
    talk(f"{rolled.title}, seed {chosen}.")


def _joined(words: Sequence[str]) -> str:
    """The words as one name. Raises UsageError for an option that there is not; `-1` is taken away from dice."""
    for word in words:
        if _OPTION.match(word):
            raise UsageError(f"There is no option '{word}'.", hint="All options: vaultkit roll --help")
    return " ".join(words).strip()


@dataclass(frozen=True)
class _Rolled:
    """What was rolled on, by the name that never changes and by a short one; the rolls for machines and for people."""

    name: str
    title: str
    rows: list[dict[str, Any]]
    header: list[str]
    lines: list[list[object]]


def _dice(words: str, times: int, rng: random.Random) -> _Rolled:
    dice = Dice.parse(words)
    numbers = [dice.roll(rng) for _ in range(times)]
    rows: list[dict[str, Any]] = [{"roll": number, "row": None, "text": "", "chain": []} for number in numbers]
    return _Rolled(str(dice), str(dice), rows, ["roll"], [[number] for number in numbers])


def _table(known: "RollTables", name: str, times: int, rng: random.Random) -> _Rolled:
    found = known.find(name)
    rolls = [known.roll(found, rng) for _ in range(times)]
    lines: list[list[object]] = [[rolled.number, _told(known, rolled)] for rolled in rolls]
    rows = [_row(known, rolled) for rolled in rolls]
    return _Rolled(known.name(found), known.short(found), rows, ["roll", "result"], lines)


def _tables(vault: Path | None, no_cache: bool) -> "RollTables":
    from vaultkit.compendium.tables.rolling import RollTables

    return RollTables(open_workspace(vault, no_cache=no_cache).vault)


def _list(known: "RollTables", words: str, as_json: bool) -> None:
    found = [table for table in known.all if _has(known, table, words)]
    if as_json:
        document([_facts(known, table) for table in found])
        return
    columns(
        ["table", "die", "rows", "title", "note"],
        ([known.short(table), table.dice, len(table.rows), table.title, table.path] for table in found),
    )
    if not known.all:
        talk("There is no roll table in this vault: a table whose first column is headed by a die, such as d20.")
    elif not found:
        talk(f"No roll table has '{words}' in its name, title or path. All roll tables: vaultkit roll")


def _has(known: "RollTables", table: "RollTable", words: str) -> bool:
    """Whether all words are in what the list says of a table."""
    said = f"{known.name(table)} {table.title} {table.path}".casefold()
    return all(word in said for word in words.casefold().split())


def _facts(known: "RollTables", table: "RollTable") -> dict[str, Any]:
    return {
        "table": known.name(table),
        "title": table.title,
        "dice": str(table.dice),
        "rows": len(table.rows),
        "note": table.path,
        "line": table.line,
    }


def _row(known: "RollTables", rolled: "Roll") -> dict[str, Any]:
    later = [{"table": known.name(other.table), **_plain(other)} for other in rolled.chain]
    return {**_plain(rolled), "chain": later}


def _plain(rolled: "Roll") -> dict[str, Any]:
    return {"roll": rolled.number, "row": rolled.row.label if rolled.row else None, "text": _text(rolled)}


def _text(rolled: "Roll") -> str:
    return f"{rolled.text} (not followed any further)" if rolled.cut else rolled.text


def _told(known: "RollTables", rolled: "Roll") -> str:
    """The text of a roll and of those that followed."""
    later = [f"{known.short(other.table)} {other.number}: {_text(other)}" for other in rolled.chain]
    return " > ".join([_text(rolled), *later])


app = new_app()
app.command(context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]})(roll)
