"""`vaultkit check`: what is wrong in the vault."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.campaign import house_rules
from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import GeneratedOption, JsonOption, NoCacheOption, VaultOption, now, open_workspace
from vaultkit.cli.output import diff as show_diff
from vaultkit.cli.output import document, drawn, say, talk, terminal
from vaultkit.cli.progress import Bar
from vaultkit.compendium.check import check as check_compendium
from vaultkit.compendium.rulecards import GameNames
from vaultkit.errors import ExitCode, Problem, UsageError, VaultkitError, WriteError
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.play.plain import safe
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.check import Report, selected
from vaultkit.vault.checking.check import check as check_links
from vaultkit.vault.checking.repairs import Repair, Repairer
from vaultkit.vault.resolve import key
from vaultkit.vault.writing.atomic import is_read_only
from vaultkit.vault.writing.write import Writer, refuse_generated
from vaultkit.wording import counted

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


Places = frozenset[tuple[str, int, int, str]]
"""Note, line, column and code of what is repaired."""

MOST = 8
"""Notes named one by one."""


def fix(workspace: Workspace, paths: Sequence[str] | None, *, write: bool, generated: bool, as_json: bool) -> Places:
    """Shows the repairs of the notes at or below `paths`, else of all, and with `write` writes them; returns where.

    Notes of a generated compendium are left alone unless `generated`. Raises MissingNote for a path without notes and
    WriteError where something cannot be written.
    """
    repairer = Repairer(workspace.vault)
    writer = Writer(workspace.vault, "check --fix", now())
    found: dict[str, tuple[Repair, ...]] = {}
    converted: list[str] = []
    skipped: list[str] = []
    locked: list[str] = []
    for note, repairs in _repairable(workspace.vault, repairer, paths):
        if is_read_only(workspace.vault.file(note.path)):
            locked.append(note.path)
        elif _is_generated(note) and not generated:
            skipped.append(note.path)
        else:
            converted.extend([note.path] if _is_generated(note) else [])
            writer.change(note.path, repairer.plan, generated=generated)
            found[note.path] = repairs
    diff = writer.diff()
    written = writer.commit() if write else ()
    if write:  # another process may have been quicker
        found = {path: repairs for path, repairs in found.items() if path in written}
    if as_json:
        told = {"repairs": _rows(found), "skipped": [*skipped, *locked]}
        document(told | {"diff": diff, "written": list(written)})
    elif diff:
        show_diff(diff)
    _tell(found, write)
    _list(skipped, "left alone: generated, and overwritten by the next run of the converter; --generated repairs it.")
    _list(locked, "left alone: it is read-only.")
    _list(converted, "generated: the next run of the converter overwrites this.")
    if found and not write:
        talk("Nothing was written; add --write to write it.")
    return frozenset((path, made.line, made.column, made.code) for path, repairs in found.items() for made in repairs)


def _repairable(
    vault: Vault, repairer: Repairer, paths: Sequence[str] | None
) -> Iterator[tuple[Note, tuple[Repair, ...]]]:
    """Each readable note with repairs, and these."""
    for path in sorted(selected(vault, paths)):
        facts = vault.facts[path]
        if facts.unreadable is not None or not path.lower().endswith(".md"):
            continue
        try:
            repairs = repairer.repairs(vault.read(path)) if repairer.concerns(facts) else ()
        except VaultkitError:  # gone or changed since it was listed, which `check` tells
            continue
        if repairs:
            yield vault.read(path), repairs


def _is_generated(note: Note) -> bool:
    try:
        refuse_generated(note)
    except WriteError:
        return True
    return False


def _rows(found: dict[str, tuple[Repair, ...]]) -> list[dict[str, Any]]:
    return [
        {"note": path, "line": made.line, "column": made.column, "code": made.code, "message": made.message}
        for path, repairs in found.items()
        for made in repairs
    ]


def _tell(found: dict[str, tuple[Repair, ...]], write: bool) -> None:
    total = sum(map(len, found.values()))
    if total:
        done = "Made" if write else "Would make"
        talk(f"{done} {counted(total, 'repair')} in {counted(len(found), 'note')}.")
    else:
        talk("There is nothing to repair that needs no guess.")


def _list(paths: list[str], remark: str) -> None:
    for path in paths[:MOST]:
        talk(f"{path}: {remark}")
    if len(paths) > MOST:
        talk(f"So are {counted(len(paths) - MOST, 'more note')}.")


Paths = Annotated[list[str] | None, typer.Argument(help="Notes or folders to look at; the whole vault without any.")]

ALIKE = 5
"""Broken links that are much alike; more of them are told once on a terminal."""
_TARGET = re.compile(r"'(?P<path>[^#]*).*' leads to no file of this vault\.", re.DOTALL)


def check(
    paths: Paths = None,
    mend: Annotated[bool, typer.Option("--fix", help="Show the repairs that need no guess, as a diff.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the repairs; `undo` takes them back.")] = False,
    generated: GeneratedOption = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find broken links, missing headings and faulty decks; --fix mends what is certain.

    Without --fix it only reads, and exits with 1 if there are errors; warnings alone do not count.
    """
    workspace = open_workspace(vault, no_cache=no_cache)
    chosen = _chosen(workspace, paths)
    if mend:
        problems = () if as_json else _report(workspace, chosen).problems
        places = fix(workspace, chosen, write=write, generated=generated, as_json=as_json)
        if not as_json:
            _tell_left(problems, places)
        return
    if write or generated:
        raise UsageError("--write and --generated go with --fix.", hint="vaultkit check --fix --write")
    report = _report(workspace, chosen)
    if as_json:
        told = {"notes": report.notes, "links": report.links, "excluded": report.excluded}
        document(told | {"problems": report.problems})
    else:
        show(report.problems)
        _sum_up(report)
    if any(problem.severity == "error" for problem in report.problems):
        raise typer.Exit(ExitCode.PROBLEMS)


def _chosen(workspace: Workspace, paths: Sequence[str] | None) -> list[str] | None:
    """The vault paths of what is asked for; None for the whole vault, which its own folder is, too."""
    found = [_vault_path(workspace, path) for path in paths or ()]
    return None if not found or "." in found else found


def _vault_path(workspace: Workspace, word: str) -> str:
    """As a shell in the current folder completes it, if that is there; else as it stands in the vault."""
    there = word and not Path(word).is_absolute() and os.path.lexists(word)
    return workspace.vault_path(f"./{word}" if there else word)


def _report(workspace: Workspace, paths: Sequence[str] | None) -> Report:
    """What the vault's own check and that of the compendium find."""
    report = check_links(workspace.vault, paths, Bar("Following links", counted=True))
    problems = {*report.problems, *check_compendium(workspace.compendium, paths, map(_names, GAMES.values()))}
    if paths is None:
        problems |= {*house_rules.problems(workspace)}
    return replace(report, problems=tuple(sorted(problems)))


def _names(info: GameInfo) -> GameNames:
    return GameNames(info.id, (info.title, *info.aliases), info.deck, partial(house_rules.refusal, info))


def show(problems: Sequence[Problem]) -> None:
    """The problems on stdout: a line for each into a pipe; on a terminal, note by note."""
    if not drawn():
        for problem in problems:
            say(line_of(problem))
        return
    console = terminal()
    for number, (note, rows) in enumerate(groupby(alike(problems), lambda row: row[0].note)):
        console.print(*[""] * bool(number), _heading(note), sep="\n")
        console.print(_table(list(rows)))


def line_of(problem: Problem) -> str:
    """`note:line:column: severity: message (hint)`, as editors understand it."""
    place = f"{problem.note}:{problem.line}:{problem.column}" if problem.line else problem.note
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{place}: {problem.severity}: {problem.message}{hint} [{problem.code}]"


def alike(problems: Sequence[Problem]) -> Iterator[tuple[Problem, int]]:
    """Each problem, and how many more are like it, which are not told.

    Alike are more than `ALIKE` links that lead to no file, of one note into one folder, or of many notes to one target.
    """
    targets = {problem: _target(problem) for problem in problems}
    into = Counter((problem.note, _folder(target)) for problem, target in targets.items() if _folder(target))
    folders = {place: number for place, number in into.items() if number > ALIKE}
    single = [problem for problem in problems if (problem.note, _folder(targets[problem])) not in folders]
    everywhere = Counter(targets[problem] for problem in single if targets[problem])
    told: set[str | tuple[str, str]] = set()
    for problem in problems:
        place = (problem.note, _folder(targets[problem]))
        group, number = (
            (place, folders[place]) if place in folders else (targets[problem], everywhere[targets[problem]])
        )
        if number <= ALIKE:
            yield problem, 0
        elif group not in told:
            told.add(group)
            yield problem, number - 1


def _target(problem: Problem) -> str:
    """The file that a link seeks in vain, "" for other problems."""
    found = _TARGET.fullmatch(problem.message) if problem.code == "link-unresolved" else None
    return key(found["path"]).removesuffix(".md") if found else ""


def _folder(target: str) -> str:
    return target.replace("\\", "/").rpartition("/")[0]


def _heading(note: str) -> "Text":
    from rich.text import Text

    return Text(safe(note), "bold", overflow="fold")


def _table(rows: Collection[tuple[Problem, int]]) -> "Table":
    """The problems of one note, set in, with place, severity, and what to do below what is wrong."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    for least in (8, 7, 20):
        table.add_column(min_width=least, overflow="fold")
    for problem, more in rows:
        place = f"  {problem.line}:{problem.column}" if problem.line else ""
        message = Text(safe(problem.message))
        message.append(f" [{problem.code}]", "dim")
        for line in (safe(problem.hint), f"... and {more} more like this" if more else ""):
            if line:
                message.append(f"\n{line}")
        table.add_row(place, Text(problem.severity, "red" if problem.severity == "error" else "yellow"), message)
    return table


def _sum_up(report: Report) -> None:
    kinds = Counter(problem.severity for problem in report.problems)
    found = ", ".join(counted(kinds[kind], kind) for kind in ("error", "warning")) if kinds else "no problems"
    talk(f"{counted(report.notes, 'note')}, {counted(report.links, 'link')}: {found}.")
    if report.mendable:
        number = len(report.mendable)
        needs = "needs" if number == 1 else "need"
        talk(f"{number} of these {needs} no guess; show the repairs with: vaultkit check --fix")
    if report.excluded:
        left_out = counted(report.excluded, "note")
        talk(f"Left out: {left_out} that Obsidian excludes. Name a note or its folder to check it.")


def _tell_left(problems: Sequence[Problem], repaired: Places) -> None:
    """How many of the problems are not among those repaired."""
    left = sum((item.note, item.line, item.column, item.code) not in repaired for item in problems)
    if left:
        are, them = ("is", "it") if left == 1 else ("are", "them")
        talk(f"{counted(left, 'problem')} {are} left for you; vaultkit check tells {them}.")
