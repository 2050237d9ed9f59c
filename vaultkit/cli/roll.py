"""The command `vaultkit roll TABLE`, which rolls on tables of the vault or rolls dice."""

import random
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from typer import Argument, Option
from typer.core import TyperCommand

from vaultkit.cli.context import (
    DryRunOption,
    IndexedContext,
    choose_seed,
    current_time,
    log_fields,
    new_app,
    print_logged,
    with_options,
)
from vaultkit.cli.output import print_document, print_note, print_remarks, print_table
from vaultkit.errors import NothingFound, UsageError, VaultkitError
from vaultkit.spelling import read_number
from vaultkit.text import quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.log import LogResult
    from vaultkit.campaign.roll_log import DiceRoll
    from vaultkit.compendium.tables.dice import Dice
    from vaultkit.compendium.tables.roll_table import RollTable, TablePlace
    from vaultkit.compendium.tables.roll_tables import Roll, RollTables

    Rolls = Sequence[Roll | DiceRoll]

Target = TypeVar("Target")
MAX_LOGGED_ROLL_COUNT = 20
"""The most rolls that fit into one line of the log."""
_GAP = "\0"
"""The sign between the words of a command line where they are searched as one text."""
_NUMBER = r"\d{1,3}|[^\W\d_]+"
_TIMES_WORD = "times|time|mal|fois|veces|volte|vezes|razy|keer"
_TIMES = re.compile(
    rf"(?<![^{_GAP}])(?:[x×*]{_GAP}?(\d{{1,3}})|(\d{{1,3}})[x×*]|({_NUMBER}){_GAP}?(?:{_TIMES_WORD})"
    rf"|(?:{_TIMES_WORD}){_GAP}({_NUMBER})|(once|twice|thrice))(?![^{_GAP}])",
    re.IGNORECASE,
)
_COUNTED_DIE = re.compile(rf"(?<![^{_GAP}])({_NUMBER}){_GAP}(?=[dw][\d%])", re.IGNORECASE)
_OPTION_START = re.compile(r"--|-[a-zA-Z](?![0-9%])")


class RollCommand(TyperCommand):
    """A command whose option `--log` may have a value, which is "" without one."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the arguments after giving the value "" to a `--log` before another option or at the end.

        A word such as `-2` belongs to dice; one such as `--table` is an unknown option.
        """
        known_options = {name for parameter in self.params for name in (*parameter.opts, *parameter.secondary_opts)}
        options = {word.partition("=")[0] for word in args if _OPTION_START.match(word)}
        ctx.ignore_unknown_options = options <= known_options | {"--", "-h", "--help"}
        pairs = zip(args, [*args[1:], "--"], strict=False)
        full_args = [f"{word}=" if word == "--log" and after[:1] == "-" else word for word, after in pairs]
        return super().parse_args(ctx, full_args)


class _Roller:
    """A roller of tables and dice, which opens the vault only for tables."""

    def __init__(self, desk: IndexedContext, seed: int) -> None:
        self._desk = desk
        self._rng = random.Random(f"{seed}:roll")

    @cached_property
    def tables(self) -> "RollTables":
        from vaultkit.compendium.tables.roll_tables import RollTables

        return RollTables(self._desk.vault)

    def find(self, name: str) -> "RollTable | Dice":
        """Return the table or dice with a name."""
        from vaultkit.compendium.tables.dice import Dice, is_dice

        return Dice.parse(name) if is_dice(name) else self.tables.find(name)

    def roll(self, target: "RollTable | Dice") -> "Roll | DiceRoll":
        from vaultkit.compendium.tables.roll_table import RollTable

        if isinstance(target, RollTable):
            return self.tables.roll(target, self._rng)
        return target, target.roll(self._rng)

    def name(self, roll: "Roll | DiceRoll") -> str:
        return str(roll[0]) if isinstance(roll, tuple) else self.tables.name(roll.table)

    def short_name(self, roll: "Roll | DiceRoll") -> str:
        return str(roll[0]) if isinstance(roll, tuple) else self.tables.short_name(roll.table)

    def cells(self, roll: "Roll | DiceRoll") -> list[object]:
        """Return the number and, for a table, the text of a roll, followed by the rolls that it led to."""
        if isinstance(roll, tuple):
            return [roll[1]]
        chain = (f"{self.short_name(later)} {later.number}: {later.shown_text}" for later in roll.chain)
        return [roll.number, " > ".join([roll.shown_text, *chain])]

    def document(self, roll: "Roll | DiceRoll") -> dict[str, Any]:
        if isinstance(roll, tuple):
            return {"roll": roll[1], "row": None, "text": "", "chain": []}
        chain = [{"table": self.name(later), **_roll_fields(later)} for later in roll.chain]
        return {**_roll_fields(roll), "chain": chain}


app = new_app()


@app.command(cls=RollCommand, context_settings={"ignore_unknown_options": True})
@with_options
def roll(
    desk: IndexedContext,
    table: Annotated[
        list[str] | None,
        Argument(help="Note#^block-id, Note#Heading, Note, Note:line or dice. Default: list all tables."),
    ] = None,
    listed: Annotated[bool, Option("--list", help="List the tables that contain all these words.")] = False,
    times: Annotated[int, Option("--times", help="Number of rolls.", min=1, max=1000)] = 1,
    seed: Annotated[int | None, Option("--seed", help="Random seed.")] = None,
    log: Annotated[
        str | None,
        Option("--log", metavar="[NOTE]", help="Add the result to your log, or to this note."),
    ] = None,
    dry_run: DryRunOption = False,
) -> None:
    """Roll dice such as 2d6, or on a table of the vault.

    For example: vaultkit roll --list treasure, vaultkit roll "What Is in the Bottle" x3, vaultkit roll 2d6+1
    """
    words = list(filter(None, (word.strip(" ,;") for word in table or ())))
    words, times = _take_times(words, times) if words else ([], times)
    if dry_run and log is None:
        raise UsageError("--dry-run shows what --log writes.", hint="Add --log.")
    roll_seed = choose_seed(seed)
    roller = _Roller(desk, roll_seed)
    if listed or not words:
        if log is not None:
            raise UsageError(
                "Nothing was rolled that can be logged.", hint="Name the table first: vaultkit roll TABLE --log NOTE"
            )
        _print_table_list(roller.tables, " ".join(words), as_json=desk.as_json)
        return
    targets = _find_targets(words, roller.find)
    rolls = [roller.roll(target) for _ in range(times) for target in targets]
    log_result = None if log is None else _log_rolls(desk, rolls, log, roll_seed, dry_run=dry_run)
    columns = [rolls[number :: len(targets)] for number in range(len(targets))]
    if desk.as_json:
        fields = log_fields(log_result, dry_run=dry_run) if log_result else {}
        print_document(_rolls_document(roller, columns, roll_seed) | fields)
    else:
        _print_rolls(roller, rolls, is_named=len(targets) > 1)
        names = dict.fromkeys(roller.short_name(first) for first, *_ in columns)
        print_note(f"{', '.join(names)}, seed {roll_seed}.")
    if log_result:
        dry_run_text = f"No note was written. The same rolls again: --seed {roll_seed}" if dry_run else ""
        print_logged(desk.workspace, log_result, dry_run_text, as_json=desk.as_json, after_rows=True)


def _take_times(words: list[str], times: int) -> tuple[list[str], int]:
    """Return the words without `x3` or `3 times`, which say how often to roll, and how often.

    `3 d6` and `three d6` become `3d6`.
    """

    def join_count(match: re.Match[str]) -> str:
        number = read_number(match[1])
        return match[0] if number is None else str(number)

    text = _COUNTED_DIE.sub(join_count, _GAP.join(words))
    for match in _TIMES.finditer(text):
        count = read_number(next(filter(None, match.groups())))
        other_words = [word for word in f"{text[: match.start()]}{text[match.end() :]}".split(_GAP) if word]
        if count and other_words:
            return other_words, count
    return text.split(_GAP), times


def _log_rolls(desk: IndexedContext, rolls: "Rolls", note: str, seed: int, *, dry_run: bool) -> "LogResult":
    """Write rolls into the log as one line. Raises UsageError if they are too many for one."""
    from vaultkit.campaign.roll_log import record_rolls

    if len(rolls) > MAX_LOGGED_ROLL_COUNT:
        raise UsageError(
            f"{len(rolls)} rolls are too many for a line of the log.", hint=f"At most {MAX_LOGGED_ROLL_COUNT}."
        )
    workspace, now, place = desk.workspace, current_time(), note.strip() or None
    return record_rolls(rolls, workspace.vault, workspace.settings, note=place, seed=seed, now=now, dry_run=dry_run)


def _print_rolls(roller: _Roller, rolls: "Rolls", *, is_named: bool) -> None:
    """Print rolls as a table for people; if they are on several tables, each with its table's name."""
    rows = [[roller.short_name(roll)] * is_named + roller.cells(roll) for roll in rolls]
    header = ["table"] * is_named + ["roll", "result"]
    print_table(header[: max(map(len, rows))], rows)


def _rolls_document(roller: _Roller, columns: "Sequence[Rolls]", seed: int) -> dict[str, Any]:
    """Return rolls for JSON; `columns` are the rolls of each table."""
    results = [{"table": roller.name(rolls[0]), "rolls": list(map(roller.document, rolls))} for rolls in columns]
    if len(results) > 1:
        return {"seed": seed, "results": results}
    return {"table": results[0]["table"], "seed": seed, "rolls": results[0]["rolls"]}


def _print_table_list(tables: "RollTables", words: str, *, as_json: bool) -> None:
    matches = [table for table in tables.all if _has_words(tables, table, words)]
    if as_json:
        print_document([_table_document(tables, table) for table in matches])
        return
    rows = ([tables.short_name(table), table.dice, len(table.rows), table.title, table.path] for table in matches)
    print_table(["table", "die", "rows", "title", "note"], rows)
    for table in tables.refused:
        if _has_words(tables, table, words):
            print_remarks(f"{table.path}:{table.line}: {table.reason} {table.hint}")
    if not tables.all:
        print_note("There is no roll table in this vault: a table with numbers and a head such as d20.")
    elif not matches:
        print_note(f"No roll table has '{words}' in its name, title or path. {tables.commands_hint(tables.all)}")


def _has_words(tables: "RollTables", table: "TablePlace", words: str) -> bool:
    """Return whether all words, or others for the same kind, occur in the name, title or path of a table."""
    from vaultkit.compendium.tables.roll_table import RollTable
    from vaultkit.compendium.tables.table_names import words_of_kind

    name = tables.name(table) if isinstance(table, RollTable) else ""
    names = f"{name} {table.title} {table.path}".casefold()
    return all(any(synonym in names for synonym in words_of_kind(word)) for word in words.casefold().split())


def _table_document(tables: "RollTables", table: "RollTable") -> dict[str, Any]:
    return {
        "table": tables.name(table),
        "title": table.title,
        "dice": str(table.dice),
        "rows": len(table.rows),
        "note": table.path,
        "line": table.line,
    }


def _roll_fields(rolled: "Roll") -> dict[str, Any]:
    return {"roll": rolled.number, "row": rolled.row.label if rolled.row else None, "text": rolled.shown_text}


def _find_targets(words: Sequence[str], find: Callable[[str], Target]) -> list[Target]:
    """Return what words name: one table by all of them, else several, each by as many words as possible.

    `find` raises NothingFound or UsageError for a name that means nothing, and so does this function.
    """
    targets, used = list[Target](), words
    while words:
        try:
            target, count = _find_longest(words, find)
        except (NothingFound, UsageError) as error:
            if targets and words[0].isdecimal():
                error.hint = f"To roll {words[0]} times: vaultkit roll {quote_word(' '.join(used))} x{words[0]}"
            raise
        targets.append(target)
        used, words = words[:count], words[count:]
    return targets


def _find_longest(words: Sequence[str], find: Callable[[str], Target]) -> tuple[Target, int]:
    """Return what the first words name, as many as possible, and how many they are."""
    errors: list[VaultkitError] = []
    for count in range(len(words), 0, -1):
        try:
            return find(" ".join(words[:count])), count
        except (NothingFound, UsageError) as error:
            errors.append(error)
    raise errors[0]
