"""The command `vaultkit doctor`, which shows which vault, settings and files are in use and what is missing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.context import CommandContext, current_time, with_options
from vaultkit.cli.output import print_document, print_lines, print_result
from vaultkit.errors import ExitCode

if TYPE_CHECKING:
    from vaultkit.campaign.diagnostics import HealthCheck
    from vaultkit.campaign.workspace import Workspace

_CHECK_MARKS = {(False, True): "!!", (False, False): "!!", (True, True): "ok", (True, False): "- "}
"""The printed mark of a check, by its fields `ok` and `here`: whether all is well, and whether the thing exists."""


@with_options
def doctor(
    desk: CommandContext,
    licences: Annotated[
        bool, typer.Option("--licences", help="Show the licences of vaultkit, its fonts and its games instead.")
    ] = False,
) -> None:
    """Show which vault, settings, decks and rule notes are in use.

    Only reads. Exits with 1 if something is missing that a game or a result needs.

    For example: vaultkit doctor
    """
    from vaultkit.resources import read_text, shipped_folder

    if licences:
        licence_text = read_text(shipped_folder("licences") / "licences.md")
        if desk.as_json:
            print_document({"licences": licence_text})
        else:
            print_lines(licence_text)
        return
    checks = list(_run_checks(desk.workspace))
    if desk.as_json:
        print_document({"checks": checks})
    else:
        for check in checks:
            print_result(f"{_CHECK_MARKS[check.ok, check.here]}  {check.name}: {check.detail}")
            if check.hint:
                print_result(f"      {check.hint}")
    if not all(check.ok for check in checks):
        raise typer.Exit(ExitCode.PROBLEMS)


def _run_checks(workspace: "Workspace") -> "Iterator[HealthCheck]":
    from vaultkit.campaign import diagnostics
    from vaultkit.campaign.diagnostics import HealthCheck
    from vaultkit.package_conflicts import find_package_conflicts
    from vaultkit.sheets import inventory

    yield from (HealthCheck("package", False, detail, hint) for detail, hint in find_package_conflicts())
    vault_check, settings_check = diagnostics.settings_checks(workspace)
    yield from (vault_check, settings_check)
    if settings_check.ok:
        yield from inventory.check_print_settings(workspace.root, workspace.settings.print)
        yield from diagnostics.campaign_checks(workspace, current_time().date())
    yield from diagnostics.compendium_checks(workspace)
    yield from inventory.check_designs(workspace.root)
    yield diagnostics.trust_check(workspace.root)
    yield diagnostics.stored_files_check(workspace)
