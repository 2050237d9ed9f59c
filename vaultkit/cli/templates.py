"""The command `vaultkit templates`, which lists the templates of notes, copies one for editing, and checks them."""

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument

from vaultkit import trust
from vaultkit.cli.context import CommandContext, DryRunOption, current_time, new_app, print_written_notes, with_options
from vaultkit.cli.output import print_document, print_lines, print_note, print_result, print_table, problem_place
from vaultkit.errors import ExitCode
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.campaign.templates import Template

app = new_app()


@app.callback(invoke_without_command=True, no_args_is_help=False)
@with_options
def templates(desk: CommandContext, context: typer.Context) -> None:
    """List the templates of notes; `eject` copies one for editing.

    A file of the same name in the vault's .vaultkit/templates is used instead.

    For example: vaultkit templates
    """
    from vaultkit.campaign import templates as catalogue
    from vaultkit.campaign.templates import short_name

    if context.invoked_subcommand:
        return
    template_catalogue = catalogue.Catalogue(desk.workspace.root)
    all_templates = template_catalogue.templates
    if desk.as_json:
        print_document([_template_document(template) for template in all_templates])
        return
    rows = ([short_name(template.name), template.standing, template.makes] for template in all_templates)
    print_table(["template", "which", "makes"], rows, unwrapped_columns=1)
    if not template_catalogue.own and not any(template.kept_out for template in all_templates):
        print_note("You have changed none of them. To copy one for editing: vaultkit templates eject NAME")
    if any(template_catalogue.problems()):
        print_note("Your own templates have problems. See: vaultkit templates check")


@app.command()
@with_options
def eject(
    desk: CommandContext,
    name: Annotated[str, Argument(help="A template, with or without .md.j2, or story/GAME.")],
    dry_run: DryRunOption = False,
) -> None:
    """Copy a template to .vaultkit/templates for editing.

    Never overwrites a file; `undo` reverts it.

    For example: vaultkit templates eject session-note
    """
    from vaultkit.campaign import templates as catalogue

    template, diff = catalogue.copy_template(desk.vault, name, now=current_time(), dry_run=dry_run)
    target = f"{catalogue.FOLDER}/{template.name}"
    blocks = template.ours.blocks if template.ours else ()
    if desk.as_json:
        summary = {"template": template.name, "file": target, "blocks": blocks}
        print_document(summary | ({"diff": diff} if dry_run else {}))
    elif dry_run:
        print_lines(diff)
    if dry_run:
        print_note(f"Would make: {target}")
    else:
        print_written_notes(desk.vault.root, [target], as_json=desk.as_json)
    if not trust.is_trusted(desk.vault.root):
        print_note("It is used once you trust this vault: vaultkit trust")
        trust.consume_ignored_flag(desk.vault.root)  # marks the remark as printed, since the line above says it
    if blocks:
        _print_block_hint(template, blocks)


@app.command()
@with_options
def check(desk: CommandContext) -> None:
    """Check your own templates; exit code 1 if there are mistakes.

    Reports syntax errors, unknown values, unused files, and wrong output for sample values: a log line of two lines,
    unreadable properties, a list instead of text.

    For example: vaultkit templates check
    """
    from vaultkit.campaign import templates as catalogue

    template_catalogue = catalogue.Catalogue(desk.workspace.root)
    problems = template_catalogue.problems()
    errors = sum(problem.severity == "error" for problem in problems)
    if desk.as_json:
        print_document({"templates": [template.path for template in template_catalogue.own], "problems": problems})
    else:
        for problem in problems:
            print_result(f"{problem_place(problem)}: {problem.severity}: {problem.message_with_hint}")
    count_text = format_count(len(template_catalogue.own), "template")
    print_note(f"{count_text} of your own: {format_count(len(problems), 'problem')}.")
    if errors:
        raise typer.Exit(ExitCode.PROBLEMS)


def _print_block_hint(template: "Template", blocks: tuple[str, ...]) -> None:
    """Print how to replace one block of a template and keep the others."""
    print_note("To change only one part, put just this into the file, with your own text in the middle:")
    print_note(f'  {{% extends "shipped/{template.name}" %}}')
    print_note(f"  {{% block {blocks[-1]} %}}{{% endblock %}}")
    print_note(f"Its parts: {', '.join(blocks)}.")


def _template_document(template: "Template") -> dict[str, object]:
    source = "own" if template.path else "shipped"
    return {
        "name": template.name,
        "makes": template.makes,
        "shipped": template.ours is not None,
        "own": template.path or None,
        "used": source if template.is_used else None,
        "extends": template.extends,
        "part_of": template.users,
        "problem": template.fault.message if template.fault else None,
    }
