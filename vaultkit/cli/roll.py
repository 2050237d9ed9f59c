"""The command `vaultkit roll TABLE`, which rolls on a table of the vault or rolls dice."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.context import IndexedCommandContext, choose_seed, new_app, with_options
from vaultkit.cli.output import print_document, print_note, print_table
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.compendium.tables.roll_table import RollTable
    from vaultkit.compendium.tables.roll_tables import Roll, RollTables

_OPTION_START = re.compile(r"--|-[a-zA-Z](?![0-9%])")


@with_options
def roll(
    desk: IndexedCommandContext,
    table: Annotated[
        list[str] | None,
        typer.Argument(help="Note#^block-id, Note#Heading, Note, Note:line or dice such as 2d6+1; else all tables."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the tables instead: those with all of the words that are given.")
    ] = False,
    times: Annotated[int, typer.Option("--times", help="How often to roll.", min=1, max=1000)] = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="A number that settles the rolls.")] = None,
) -> None:
    """Roll on a table of the vault, or roll dice.

    For example: vaultkit roll magic-item-table-a, vaultkit roll 2d6+1
    """
    from vaultkit.compendium.tables.dice import Dice, is_dice

    for word in table or ():
        if _OPTION_START.match(word):
            raise UsageError(f"There is no option '{word}'.", hint="All options: vaultkit roll --help")
    name, roll_seed = " ".join(table or ()).strip(), choose_seed(seed)
    rng = random.Random(f"{roll_seed}:roll")
    if listed or not name:
        _print_table_list(desk, name)
    elif is_dice(name):
        dice = Dice.parse(name)
        numbers = [dice.roll(rng) for _ in range(times)]
        rows: list[dict[str, Any]] = [{"roll": number, "row": None, "text": "", "chain": []} for number in numbers]
        _print_rolls((str(dice), str(dice)), roll_seed, rows, [[number] for number in numbers], desk.as_json)
    else:
        tables = _open_roll_tables(desk)
        roll_table = tables.find(name)
        rolls = [tables.roll(roll_table, rng) for _ in range(times)]
        lines = [[rolled.number, _describe_roll(tables, rolled)] for rolled in rolls]
        rows = [_roll_document(tables, rolled) for rolled in rolls]
        _print_rolls((tables.name(roll_table), tables.short_name(roll_table)), roll_seed, rows, lines, desk.as_json)


def _print_rolls(
    names: tuple[str, str],
    seed: int,
    rows: Sequence[Mapping[str, Any]],
    lines: Sequence[Sequence[object]],
    as_json: bool,
) -> None:
    """Print rolls: `rows` as JSON, or `lines` as a table for people.

    `names` are the permanent name of the table or dice, and a short one.
    """
    name, title = names
    if as_json:
        print_document({"table": name, "seed": seed, "rolls": rows})
        return
    print_table(["roll", "result"][: len(lines[0])], lines)
    print_note(f"{title}, seed {seed}.")


def _open_roll_tables(desk: IndexedCommandContext) -> "RollTables":
    from vaultkit.compendium.tables.roll_tables import RollTables

    return RollTables(desk.vault)


def _print_table_list(desk: IndexedCommandContext, words: str) -> None:
    tables = _open_roll_tables(desk)
    matching_tables = [table for table in tables.all if _has_words(tables, table, words)]
    if desk.as_json:
        print_document([_table_document(tables, table) for table in matching_tables])
        return
    print_table(
        ["table", "die", "rows", "title", "note"],
        ([tables.short_name(table), table.dice, len(table.rows), table.title, table.path] for table in matching_tables),
    )
    if not tables.all:
        print_note("There is no roll table in this vault: a table whose first column is headed by a die, such as d20.")
    elif not matching_tables:
        print_note(f"No roll table has '{words}' in its name, title or path. All roll tables: vaultkit roll")


def _has_words(tables: "RollTables", table: "RollTable", words: str) -> bool:
    """Return whether all words occur in the name, title or path of a table."""
    names = f"{tables.name(table)} {table.title} {table.path}".casefold()
    return all(word in names for word in words.casefold().split())


def _table_document(tables: "RollTables", table: "RollTable") -> dict[str, Any]:
    return {
        "table": tables.name(table),
        "title": table.title,
        "dice": str(table.dice),
        "rows": len(table.rows),
        "note": table.path,
        "line": table.line,
    }


def _roll_document(tables: "RollTables", rolled: "Roll") -> dict[str, Any]:
    chain = [{"table": tables.name(later_roll.table), **_roll_fields(later_roll)} for later_roll in rolled.chain]
    return {**_roll_fields(rolled), "chain": chain}


def _roll_fields(rolled: "Roll") -> dict[str, Any]:
    return {"roll": rolled.number, "row": rolled.row.label if rolled.row else None, "text": _result_text(rolled)}


def _result_text(rolled: "Roll") -> str:
    return f"{rolled.text} (not followed any further)" if rolled.cut else rolled.text


def _describe_roll(tables: "RollTables", rolled: "Roll") -> str:
    """Return the text of a roll, followed by the rolls that it led to."""
    chain_texts = [
        f"{tables.short_name(later_roll.table)} {later_roll.number}: {_result_text(later_roll)}"
        for later_roll in rolled.chain
    ]
    return " > ".join([_result_text(rolled), *chain_texts])


app = new_app()
app.command(context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]})(roll)
