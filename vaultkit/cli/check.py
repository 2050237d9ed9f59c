"""The command `vaultkit check`, which reports what is wrong in the vault."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from vaultkit.cli.context import GeneratedOption, IndexedContext, current_time, with_options
from vaultkit.cli.output import can_draw, print_document, print_note, print_result, problem_place, terminal
from vaultkit.cli.output import print_diff as show_diff
from vaultkit.cli.progress import Bar
from vaultkit.errors import ExitCode, Problem, UsageError
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import format_count, group

if TYPE_CHECKING:
    from rich.table import Table

    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault.checking.batch_repair import FixResult
    from vaultkit.vault.checking.report import Cause, Report


MAX_LISTED_NOTES = 8
"""The maximum number of notes that a message lists."""
MAX_WANTED_NOTES, MAX_LISTED_FOLDERS = 10, 10
MAX_PROBLEM_ROWS = 20
"""The maximum number of problems that are shown one by one; of more problems, the causes are shown."""
Paths = Annotated[list[str] | None, Argument(help="Notes or folders. Default: the whole vault.")]


@with_options
def check(
    desk: IndexedContext,
    paths: Paths = None,
    mend: Annotated[bool, Option("--fix", help="Preview the certain repairs as a diff.")] = False,
    write: Annotated[bool, Option("--write", help="Write the repairs; `undo` reverts them.")] = False,
    generated: GeneratedOption = False,
    cause: Annotated[
        str, Option("--cause", help="Only this cause, code or group; with --fix, also its likely repairs.")
    ] = "",
    every: Annotated[bool, Option("--all", help="List every problem.")] = False,
) -> None:
    """Find broken links and other problems; --fix makes the certain repairs.

    Groups problems into certain and likely repairs, unwritten notes, missing folders, and manual fixes. Only --write
    changes notes. Exit code 1 if there are errors.

    For example: vaultkit check, vaultkit check --fix, vaultkit check --cause moved
    """
    from vaultkit.campaign.correction.game_check import every_check
    from vaultkit.campaign.vault_check import active_checks
    from vaultkit.vault.checking.report import check_name

    workspace, vault_paths = desk.workspace, _vault_paths(desk.workspace, paths)
    if cause:
        check_name(cause, [known_check.code for known_check in every_check()], is_fixed=mend)
    if mend:
        from vaultkit.vault.checking.batch_repair import fix

        before = None if desk.as_json else _make_report(workspace, vault_paths, cause)
        checks, bar = active_checks(workspace), Bar("Fixing notes")
        run_fix = partial(fix, workspace.vault, checks, vault_paths, progress=bar)
        fixed = run_fix(write=write, generated=generated, now=current_time(), cause=cause.removeprefix("certain"))
        print_repairs(fixed, write=write, as_json=desk.as_json)
        if before:
            _print_remaining(before.without_places(fixed.places), cause)
        return
    if write or generated:
        raise UsageError("--write and --generated go with --fix.", hint="vaultkit check --fix --write")
    report = _make_report(workspace, vault_paths, cause)
    if desk.as_json:
        print_document(_report_document(report))
    else:
        _print_report(report, cause, every=every)
    if any(problem.severity == "error" for problem in report.problems):
        raise typer.Exit(ExitCode.PROBLEMS)


def _report_document(report: "Report") -> dict[str, Any]:
    from msgspec import to_builtins

    from vaultkit.vault.checking.report import GROUPS

    problems = [{**to_builtins(problem), "group": report.group_of(problem)} for problem in report.problems]
    names = ("group", "code", "problems", "notes", "command", "samples")
    return {
        "notes": report.notes,
        "links": report.links,
        "excluded": report.excluded,
        "groups": {group: sum(row["group"] == group for row in problems) for group in GROUPS},
        "causes": [{name: getattr(cause, name) for name in names} for cause in report.causes],
        "unwritten": report.lost_names("to-be-written"),
        "missing": report.lost_names("missing"),
        "problems": problems,
    }


def _print_report(report: "Report", cause: str, *, every: bool) -> None:
    """Print the problems group by group: each problem if there are few or one cause is asked for, else the causes."""
    from vaultkit.vault.checking.report import GROUPS

    problems_by_group = group((report.group_of(problem), problem) for problem in report.problems)
    row_count = sum(len(problems_by_group.get(name, ())) for name in ("certain", "likely", "by-hand"))
    whole = every or bool(cause) or row_count <= MAX_PROBLEM_ROWS
    for name in GROUPS:
        if problems := problems_by_group.get(name):
            causes = [cause for cause in report.causes if cause.group == name]
            commands = [cause.command for cause in causes] if whole else []
            _print_heading(_describe_group(report, name, problems, commands))
            if whole and (every or cause or name not in ("to-be-written", "missing")):
                show_problems(problems)
            elif name not in ("to-be-written", "missing"):
                show_causes(causes)
            elif name == "missing":
                _print_folders(report)
    _print_totals(report)
    if problems_by_group.keys() & {"certain", "likely"}:
        print_note("Without --write, a command only shows a diff; vaultkit undo reverts what it wrote.")
    if not whole:
        print_note("Every place: vaultkit check --all")


def _describe_group(report: "Report", name: str, problems: Sequence[Problem], commands: Sequence[str]) -> str:
    """Return the heading of a group: how many problems it has and which command helps.

    `commands` are those of its causes, unless each is printed with its cause.
    """
    count = len(problems)
    match name:
        case "certain":
            generated = sum(report.repair_infos[problem].generated for problem in problems)
            option = " --generated" if generated == count else ""
            heading = f"Certain: {_count(count, 'problem')}. Fix: vaultkit check --fix{option} --write"
            if 0 < generated < count:
                heading += f" ({generated:,} in notes of a converter, whose next run overwrites them: add --generated)"
            return heading
        case "likely":
            look = f"Look at the diff: {'; '.join(commands)}" if commands else "Look at the diff of each cause"
            return f"Likely: {_count(count, 'problem')}. {look}"
        case "to-be-written":
            names = report.lost_names("to-be-written")
            most_linked = ", ".join(f"{name.name} ({name.links:,})" for name in names[:MAX_WANTED_NOTES])
            start = f"To be written: {_count(len(names), 'note')} that {_count(count, 'link')}"
            return f"{start} {'names' if count == 1 else 'name'}. Most wanted: {most_linked}"
        case "missing":
            folders = _count(len(report.lost_names("missing")), "folder")
            return f"Missing: {folders} that {_count(count, 'link')} point into"
        case _:
            errors = sum(problem.severity == "error" for problem in problems)
            with_errors = f", with {_count(errors, 'error')}" if errors else ""
            return f"By hand: {_count(count, 'problem')}{with_errors}"


def _count(number: int, noun: str) -> str:
    """Return a number, with commas, and its noun: `1 note`, `2,000 notes`."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def _print_heading(text: str) -> None:
    if can_draw():
        from rich.text import Text

        terminal().print(Text(strip_controls(text), "bold", overflow="fold"))
    else:
        print_result(text)


def _print_folders(report: "Report") -> None:
    folders = report.lost_names("missing")
    for folder in folders[:MAX_LISTED_FOLDERS]:
        print_result(f"  {folder.name}: {_count(folder.links, 'link')} in {_count(folder.notes, 'note')}")
    if len(folders) > MAX_LISTED_FOLDERS:
        print_result(f"  and {len(folders) - MAX_LISTED_FOLDERS:,} more: vaultkit check --cause missing")


def show_causes(causes: "Sequence[Cause]") -> None:
    """Print the causes on stdout, each with a few of its problems.

    On a terminal, long problems are cut to its width.
    """
    for cause in causes:
        command = "" if cause.group == "certain" else f": {cause.command}"
        print_result(f"  {cause.sentence}{command}")
        for problem in cause.samples:
            line = f"    {problem_line(problem)}"
            if can_draw():
                from rich.text import Text

                terminal().print(Text(strip_controls(line)), overflow="ellipsis", no_wrap=True)
            else:
                print_result(line)


def print_repairs(result: "FixResult", *, write: bool, as_json: bool) -> None:
    """Print the repairs on stdout, and how many there are."""
    if as_json:
        names = ("line", "column", "code", "message")
        repairs = ((path, repair) for path, note_repairs in result.repairs.items() for repair in note_repairs)
        rows = [{"note": path, **{name: getattr(repair, name) for name in names}} for path, repair in repairs]
        untouched_notes = [*result.skipped, *result.locked]
        print_document({"repairs": rows, "skipped": untouched_notes, "diff": result.diff, "written": result.written})
    elif result.diff:
        show_diff(result.diff)
    repair_count = sum(map(len, result.repairs.values()))
    if repair_count:
        verb = "Made" if write else "Would make"
        print_note(f"{verb} {format_count(repair_count, 'repair')} in {format_count(len(result.repairs), 'note')}.")
    else:
        print_note("Nothing can be fixed automatically.")
    converter = "overwritten by the next run of the converter; --generated repairs it."
    _print_note_paths(result.skipped, f"left alone: generated, and {converter}")
    _print_note_paths(result.locked, "left alone: it is read-only.")
    _print_note_paths(result.converted, "generated: the next run of the converter overwrites this.")
    if result.repairs and not write:
        print_note("Nothing was written; add --write to write it.")


def _print_note_paths(paths: Sequence[str], sentence: str) -> None:
    for path in paths[:MAX_LISTED_NOTES]:
        print_note(f"{path}: {sentence}")
    if len(paths) > MAX_LISTED_NOTES:
        print_note(f"So are {format_count(len(paths) - MAX_LISTED_NOTES, 'more note')}.")


def _vault_paths(workspace: "Workspace", paths: Sequence[str] | None) -> list[str] | None:
    """Return the vault paths of the given paths, or None if the whole vault is meant.

    The root folder of the vault means the whole vault too.
    """
    vault_paths = [_vault_path(workspace, path) for path in paths or ()]
    return None if not vault_paths or "." in vault_paths else vault_paths


def _vault_path(workspace: "Workspace", path: str) -> str:
    """Return the vault path of a path in the current folder if it exists, or else of a path in the vault."""
    exists_here = path and not Path(path).is_absolute() and os.path.lexists(path)
    return workspace.vault_path(f"./{path}" if exists_here else path)


def _make_report(workspace: "Workspace", paths: Sequence[str] | None, cause: str) -> "Report":
    from vaultkit.campaign.vault_check import report_on

    report = report_on(workspace, paths, Bar("Following links"))
    return report.filter_by(cause) if cause else report


def show_problems(problems: Sequence[Problem]) -> None:
    """Print the problems on stdout: one per line into a pipe, grouped by note on a terminal."""
    if not can_draw():
        for problem in problems:
            print_result(problem_line(problem))
        return
    from rich.text import Text

    for note, note_problems in groupby(problems, lambda problem: problem.note):
        terminal().print(Text(strip_controls(note), "bold", overflow="fold"))
        terminal().print(_make_problem_table(note_problems))


def problem_line(problem: Problem) -> str:
    """Return a problem as `note:line:column: severity: message (hint) [code]`, which editors understand."""
    column = f":{problem.column}" if problem.line else ""
    place = f"{problem_place(problem)}{column}"
    return f"{place}: {problem.severity}: {problem.message_with_hint} [{_code_and_cause(problem)}]"


def _code_and_cause(problem: Problem) -> str:
    """Return the code of a problem, and its cause if the cause has a name of its own."""
    return problem.code if problem.cause in ("other", problem.code) else f"{problem.code}, {problem.cause}"


def _make_problem_table(problems: Iterable[Problem]) -> "Table":
    """Return a table of the problems of one note, with place, severity, message and hint."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    for min_width in (8, 7, 20):
        table.add_column(min_width=min_width, overflow="fold")
    for problem in problems:
        line_and_column = f"  {problem.line}:{problem.column}" if problem.line else ""
        message = Text(strip_controls(problem.message))
        message.append(f" [{_code_and_cause(problem)}]", "dim")
        if problem.hint:
            message.append(f"\n{strip_controls(problem.hint)}")
        color = {"error": "red", "warning": "yellow"}.get(problem.severity, "")
        table.add_row(line_and_column, Text(problem.severity, color), message)
    return table


def _print_totals(report: "Report") -> None:
    counts: Counter[str] = Counter(problem.severity for problem in report.problems)
    levels = ("error", "warning", "remark") if counts["remark"] else ("error", "warning")
    summary = ", ".join(format_count(counts[level], level) for level in levels) if counts else "no problems"
    others = f" of this cause, {report.others:,} of others" if report.others else ""
    print_note(f"{format_count(report.notes, 'note')}, {format_count(report.links, 'link')}: {summary}{others}.")
    if report.excluded:
        excluded_notes = format_count(report.excluded, "note")
        print_note(f"Left out: {excluded_notes} that Obsidian excludes. Name a note or its folder to check it.")


def _print_remaining(remaining: "Report", cause: str) -> None:
    """Print how many problems of each group are left, and the commands that show likely repairs.

    `cause` is the cause that was just repaired, or "".
    """
    from vaultkit.vault.checking.report import GROUPS

    counts = Counter(map(remaining.group_of, remaining.problems))
    if counts:
        groups = ", ".join(f"{counts[name]:,} {name.replace('-', ' ')}" for name in GROUPS if counts[name])
        print_note(f"Left: {groups}.")
    for other_cause in remaining.causes:
        if other_cause.group == "likely" and other_cause.code != cause:
            print_note(f"{other_cause.sentence}; look at the diff: {other_cause.command}")
