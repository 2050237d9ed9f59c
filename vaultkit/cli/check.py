"""`vaultkit check`: what is wrong in the vault."""

from dataclasses import asdict
from typing import Annotated

import typer

from vaultkit.cli.common import GeneratedOption, JsonOption, NoCacheOption, VaultOption, Workspace, new_app
from vaultkit.cli.fixing import fix
from vaultkit.cli.output import count, document, say, talk
from vaultkit.compendium.check import check as check_compendium
from vaultkit.compendium.rulecards import GameNames
from vaultkit.errors import ExitCode, Problem, UsageError
from vaultkit.games.registry import GAMES
from vaultkit.vault.checking.check import check as check_links

Paths = Annotated[list[str] | None, typer.Argument(help="Notes or folders to look at; the whole vault without any.")]


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
    workspace = Workspace.open(vault, no_cache=no_cache)
    if mend:
        fix(workspace, paths or None, write=write, generated=generated, as_json=as_json)
        return
    if write or generated:
        raise UsageError("--write and --generated go with --fix.", hint="vaultkit check --fix --write")
    report = check_links(workspace.vault, paths or None)
    games = [GameNames(info.id, (info.title, *info.aliases), info.deck) for info in GAMES.values()]
    problems = sorted({*report.problems, *check_compendium(workspace.compendium, paths or None, games)})
    if as_json:
        told = {"notes": report.notes, "links": report.links, "excluded": report.excluded}
        document(told | {"problems": [asdict(item) for item in problems]})
    else:
        for problem in problems:
            say(line_of(problem))
        found = (count(report.notes, "note"), count(report.links, "link"), count(len(problems), "problem"))
        talk(f"{', '.join(found)}.")
        if report.excluded:
            left_out = count(report.excluded, "note")
            talk(f"Left out: {left_out} that Obsidian excludes. Name a note or its folder to check it.")
    if any(problem.severity == "error" for problem in problems):
        raise typer.Exit(ExitCode.PROBLEMS)


def line_of(problem: Problem) -> str:
    """`note:line:column: severity: message (hint)`, as editors understand it."""
    place = f"{problem.note}:{problem.line}:{problem.column}" if problem.line else problem.note
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{place}: {problem.severity}: {problem.message}{hint} [{problem.code}]"


app = new_app(check)
