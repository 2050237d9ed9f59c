"""`vaultkit roll TABLE`: a roll on a table of the vault, or of plain dice."""

import random
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.compendium.dice import Dice

if TYPE_CHECKING:
    from vaultkit.compendium.rolltable import Roll, RollTables

_DICE = re.compile(r"\s*[+-]?\s*[0-9]*[dD][0-9%][\sdDkKhHlL0-9%+-]*")


def roll(
    table: Annotated[
        str, typer.Argument(help="Note#^block-id, Note#Heading, Note or dice such as 2d6+1; without it: all tables.")
    ] = "",
    times: Annotated[int, typer.Option("--times", help="How often to roll.", min=1, max=1000)] = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="A number that settles the rolls.")] = None,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Roll on a table of the vault, or roll dice."""
    chosen = secrets.randbelow(10**6) if seed is None else seed
    rng = random.Random(f"{chosen}:roll")
    if not table.strip():
        _list(_tables(vault, no_cache), as_json)
        return
    if _DICE.fullmatch(table):
        dice = Dice.parse(table)
        title, rolls = str(dice), [_number(dice.roll(rng)) for _ in range(times)]
    else:
        known = _tables(vault, no_cache)
        found = known.find(table)
        title, rolls = known.name(found), [_row(known, known.roll(found, rng)) for _ in range(times)]
    if as_json:
        document({"table": title, "seed": chosen, "rolls": rolls})
        return
    columns(["roll", "result"], ([item["roll"], *_told(item)] for item in rolls))
    talk(f"{title}, seed {chosen}.")


def _tables(vault: Path | None, no_cache: bool) -> "RollTables":
    from vaultkit.compendium.rolltable import RollTables

    return RollTables(Workspace.open(vault, no_cache=no_cache).vault)


def _list(known: "RollTables", as_json: bool) -> None:
    if as_json:
        document(
            [
                {
                    "table": known.name(table),
                    "title": table.title,
                    "dice": str(table.dice),
                    "rows": len(table.rows),
                    "note": table.path,
                    "line": table.line,
                }
                for table in known.all
            ]
        )
        return
    columns(["table", "die", "rows"], ([known.name(table), table.dice, len(table.rows)] for table in known.all))
    if not known.all:
        talk("There is no roll table in this vault: a table whose first column is headed by a die, such as d20.")


def _number(number: int) -> dict[str, Any]:
    return {"roll": number, "row": None, "text": "", "chain": []}


def _row(known: "RollTables", rolled: "Roll") -> dict[str, Any]:
    later = [{"table": known.name(other.table), **_plain(other)} for other in rolled.chain]
    return {**_plain(rolled), "chain": later}


def _plain(rolled: "Roll") -> dict[str, Any]:
    text = f"{rolled.text} (not followed any further)" if rolled.cut else rolled.text
    return {"roll": rolled.number, "row": rolled.row.label if rolled.row else None, "text": text}


def _told(item: dict[str, Any]) -> list[str]:
    """The text of a roll and of those that followed; nothing for plain dice."""
    if not item["text"]:
        return []
    later = [f"{other['table']} {other['roll']}: {other['text']}" for other in item["chain"]]
    return [" > ".join([item["text"], *later])]


app = new_app(roll)
