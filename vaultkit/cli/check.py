"""The command `vaultkit check`, which reports what is wrong in the vault."""

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.context import GeneratedOption, IndexedCommandContext, current_time, with_options
from vaultkit.cli.output import can_draw, print_document, print_note, print_result, problem_place, terminal
from vaultkit.cli.output import print_diff as show_diff
from vaultkit.cli.progress import Bar
from vaultkit.errors import ExitCode, Problem, UsageError
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import format_count

if TYPE_CHECKING:
    from rich.table import Table

    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault.checking.batch_repair import FixResult
    from vaultkit.vault.checking.diagnosis import Cause
    from vaultkit.vault.checking.report import Report
    from vaultkit.vault.checking.selection import Place


MAX_LISTED_NOTES = 8
"""The maximum number of notes that a message lists."""
Paths = Annotated[list[str] | None, typer.Argument(help="Notes or folders to look at; the whole vault without any.")]

MAX_SIMILAR_LINKS = 5
"""The maximum number of similar broken links that a terminal shows one by one."""
MAX_PROBLEM_ROWS = 20
"""The maximum number of problems that are shown one by one; of more problems, the causes are shown."""


@with_options
def check(
    desk: IndexedCommandContext,
    paths: Paths = None,
    mend: Annotated[bool, typer.Option("--fix", help="Show the repairs that need no guess, as a diff.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the repairs; `undo` takes them back.")] = False,
    generated: GeneratedOption = False,
    cause: Annotated[str, typer.Option("--cause", help="Only what has this cause, or this code.")] = "",
    every: Annotated[bool, typer.Option("--all", help="Each problem with its place, however many.")] = False,
) -> None:
    """Find broken links, missing headings and faulty decks; --fix mends what is certain.

    Of many problems it tells the causes, each with the command that mends it. Without --fix it only reads, and exits
    with 1 if there are errors; warnings alone do not count.

    For example: vaultkit check, vaultkit check --fix, vaultkit check --cause moved
    """
    from vaultkit.vault.checking.diagnosis import CAUSES, check_name

    workspace, vault_paths = desk.workspace, _vault_paths(desk.workspace, paths)
    if cause and cause not in CAUSES:
        from vaultkit.session.checks import every_check

        check_name(cause, [known_check.code for known_check in every_check()])
    if mend:
        from vaultkit.session.checks import every_check
        from vaultkit.vault.checking.batch_repair import fix

        before = None if desk.as_json else _make_report(workspace, vault_paths, cause)
        run_fix = partial(
            fix, workspace.vault, every_check(), vault_paths, progress=Bar("Mending notes", shows_numbers=True)
        )
        fixed = run_fix(write=write, generated=generated, now=current_time(), cause=cause)
        print_repairs(fixed, write=write, as_json=desk.as_json)
        if before:
            _print_remaining(before, fixed.places)
        return
    if write or generated:
        raise UsageError("--write and --generated go with --fix.", hint="vaultkit check --fix --write")
    report = _make_report(workspace, vault_paths, cause)
    if desk.as_json:
        _print_json_report(report)
    else:
        _print_report(report, whole=every or bool(cause) or len(report.problems) <= MAX_PROBLEM_ROWS)
    if any(problem.severity == "error" for problem in report.problems):
        raise typer.Exit(ExitCode.PROBLEMS)


def _print_json_report(report: "Report") -> None:
    counts = {"notes": report.notes, "links": report.links, "excluded": report.excluded}
    names = ("code", "problems", "notes", "certain", "command", "samples")
    causes = [{name: getattr(cause, name) for name in names} for cause in report.causes]
    print_document(counts | {"causes": causes, "problems": report.problems})


def _print_report(report: "Report", *, whole: bool) -> None:
    """Print each problem, or the causes of many problems, and then the totals."""
    if whole:
        show_problems(report.problems, report.lost)
    else:
        show_causes(report.causes)
    _print_totals(report)
    if not whole:
        _print_commands(report.causes)
        return
    for cause in report.causes:
        for name in cause.names:
            print_note(name.sentence)
        _print_guesses(cause)


def _print_guesses(cause: "Cause") -> None:
    if cause.guessed:
        phrase = "has a likely repair" if cause.guessed == 1 else "have likely repairs"
        command = cause.command.removesuffix(" --write")
        print_note(f"{format_count(cause.guessed, 'problem')} {phrase}; look with: {command}")


def show_causes(causes: "Sequence[Cause]") -> None:
    """Print the causes on stdout, each with a few of its problems.

    On a terminal, long problems are cut to its width.
    """
    for cause in causes:
        head = f"{cause.sentence} ({cause.certainty}): {cause.command}"
        samples = [f"  {problem_line(problem)}" for problem in cause.samples]
        names = [f"  {name.sentence}" for name in cause.names]
        if not can_draw():
            print_result(head)
            for line in (*names, *samples):
                print_result(line)
            continue
        from rich.text import Text

        terminal().print(Text(strip_controls("\n".join((head, *names)), lines=True), "bold", overflow="fold"))
        for line in samples:
            terminal().print(Text(strip_controls(line)), overflow="ellipsis", no_wrap=True)


def _print_commands(causes: "Sequence[Cause]") -> None:
    """Print notes on the commands that repair the causes: what `--write` and `--generated` change."""
    if any(cause.certain or cause.guessed for cause in causes):
        print_note("Without --write a command only shows what it would change; vaultkit undo takes back what it wrote.")
    generated = sum(cause.generated for cause in causes)
    if generated:
        count_phrase = "1 problem stands" if generated == 1 else f"{generated:,} problems stand"
        print_note(
            f"{count_phrase} in notes of a converter, whose next run overwrites them: "
            "--generated mends them until then."
        )
    print_note("Every place: vaultkit check --all")


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
        print_note("There is nothing to repair that needs no guess.")
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

    report = report_on(workspace, paths, Bar("Following links", shows_numbers=True))
    return report.filter_by(cause) if cause else report


def show_problems(problems: Sequence[Problem], broken_targets: Mapping[Problem, str]) -> None:
    """Print the problems on stdout: one per line into a pipe, grouped by note on a terminal.

    `broken_targets` maps each problem of a broken link to the target of the link.
    """
    if not can_draw():
        for problem in problems:
            print_result(problem_line(problem))
        return
    from rich.text import Text

    console = terminal()
    for index, (note, rows) in enumerate(groupby(group_similar(problems, broken_targets), lambda row: row[0].note)):
        heading = Text(strip_controls(note), "bold", overflow="fold")
        console.print(*[""] * bool(index), heading, sep="\n")
        console.print(_make_problem_table(list(rows)))


def problem_line(problem: Problem) -> str:
    """Return a problem as `note:line:column: severity: message (hint) [code]`, which editors understand."""
    column = f":{problem.column}" if problem.line else ""
    place = f"{problem_place(problem)}{column}"
    return f"{place}: {problem.severity}: {problem.message_with_hint} [{_code_and_cause(problem)}]"


def _code_and_cause(problem: Problem) -> str:
    """Return the code of a problem, and its cause if the cause has a name of its own."""
    return problem.code if problem.cause in ("other", problem.code) else f"{problem.code}, {problem.cause}"


def group_similar(problems: Sequence[Problem], broken_targets: Mapping[Problem, str]) -> Iterator[tuple[Problem, int]]:
    """Yield problems, each with the number of similar problems that are left out after it.

    Similar problems are more than `MAX_SIMILAR_LINKS` broken links of one note into one folder, or of any notes to one
    target. `broken_targets` maps each problem of a broken link to the target of the link.
    """
    from vaultkit.vault.resolve import key

    targets = {problem: key(path).removesuffix(".md") for problem, path in broken_targets.items()}
    folders = {problem: (problem.note, _folder(target)) for problem, target in targets.items() if _folder(target)}
    link_counts = Counter(folders.values())
    groups: dict[Problem, object] = {
        link_problem: folder_key
        for link_problem, folder_key in folders.items()
        if link_counts[folder_key] > MAX_SIMILAR_LINKS
    }
    groups = targets | groups
    group_sizes = Counter(groups.values())
    shown_groups: set[object] = set()
    for problem in problems:
        group = groups.get(problem, "")
        group_size = group_sizes[group] if group else 0
        if group_size <= MAX_SIMILAR_LINKS:
            yield problem, 0
        elif group not in shown_groups:
            shown_groups.add(group)
            yield problem, group_size - 1


def _folder(target: str) -> str:
    return target.replace("\\", "/").rpartition("/")[0]


def _make_problem_table(rows: Collection[tuple[Problem, int]]) -> "Table":
    """Return a table of the problems of one note, with place, severity, message and hint."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    for min_width in (8, 7, 20):
        table.add_column(min_width=min_width, overflow="fold")
    for problem, similar_count in rows:
        line_and_column = f"  {problem.line}:{problem.column}" if problem.line else ""
        message = Text(strip_controls(problem.message))
        message.append(f" [{_code_and_cause(problem)}]", "dim")
        for line in (strip_controls(problem.hint), f"... and {similar_count} more like this" if similar_count else ""):
            if line:
                message.append(f"\n{line}")
        table.add_row(
            line_and_column, Text(problem.severity, "red" if problem.severity == "error" else "yellow"), message
        )
    return table


def _print_totals(report: "Report") -> None:
    severity_counts = Counter(problem.severity for problem in report.problems)
    summary = (
        ", ".join(format_count(severity_counts[severity], severity) for severity in ("error", "warning"))
        if severity_counts
        else "no problems"
    )
    other_causes_note = f" of this cause, {report.others:,} of others" if report.others else ""
    print_note(
        f"{format_count(report.notes, 'note')}, {format_count(report.links, 'link')}: {summary}{other_causes_note}."
    )
    if report.certain_count:
        need_verb = "needs" if report.certain_count == 1 else "need"
        guessed = sum(cause.guessed for cause in report.causes)
        review_note = f", {guessed:,} more a look" if guessed else ""
        print_note(
            f"{report.certain_count:,} of these {need_verb} no guess{review_note}; "
            f"show the repairs with: {report.command}"
        )
    if report.excluded:
        excluded_notes = format_count(report.excluded, "note")
        print_note(f"Left out: {excluded_notes} that Obsidian excludes. Name a note or its folder to check it.")


def _print_remaining(report: "Report", repaired: "frozenset[Place]") -> None:
    """Print how many problems are left after the repairs, and how they can be fixed."""
    remaining = report.without_places(repaired)
    if not remaining.problems:
        return
    be_verb, pronoun = ("is", "it") if len(remaining.problems) == 1 else ("are", "them")
    print_note(
        f"{format_count(len(remaining.problems), 'problem')} {be_verb} left for you; vaultkit check tells {pronoun}."
    )
    causes = remaining.causes
    for cause in causes:
        _print_guesses(cause)
    manual_count = sum(cause.problems - cause.certain - cause.guessed for cause in causes)
    if manual_count:
        print_note(f"{manual_count:,} of these can only be mended by hand, as in Obsidian.")
