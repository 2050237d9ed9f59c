"""The command `vaultkit config`, which lists, shows and changes the settings of a vault."""

from dataclasses import replace
from typing import Annotated, Any

import typer
from typer import Argument

from vaultkit.cli.context import CommandContext, DryRunOption, current_time, new_app, with_options
from vaultkit.cli.output import print_diff, print_document, print_note, print_result, print_table
from vaultkit.errors import UsageError
from vaultkit.settings import VAULT_CONFIG_PATH, PrintSettings, values_by_key

app = new_app()
KeyArgument = Annotated[str, Argument(help="A setting, such as campaign.note or print.paper.")]


@app.callback(invoke_without_command=True, no_args_is_help=False)
@with_options
def config(desk: CommandContext, context: typer.Context) -> None:
    """List, show and change the settings of this vault.

    For example: vaultkit config set campaign.note "Campaign Log"
    """
    if not context.invoked_subcommand:
        _print_settings(desk)


@app.command(name="list")
@with_options
def list_settings(desk: CommandContext) -> None:
    """List all settings, and where each comes from.

    For example: vaultkit config list
    """
    _print_settings(desk)


@app.command()
@with_options
def get(desk: CommandContext, key: KeyArgument) -> None:
    """Show one setting.

    For example: vaultkit config get campaign.note
    """
    from vaultkit.campaign.settings_edit import get_setting

    value = get_setting(desk.workspace, key)
    if desk.as_json:
        print_document({"key": key, "value": value})
    else:
        print_result(_value_text(value))


@app.command(name="set")
@with_options
def set_value(
    desk: CommandContext,
    key: KeyArgument,
    value: Annotated[list[str], Argument(metavar="VALUE", help="Text, a number, true, false or names.")],
    dry_run: DryRunOption = False,
) -> None:
    """Change one setting; `undo` reverts it.

    For example: vaultkit config set campaign.note "Campaign Log", vaultkit config set players "Ysolde, Bram"
    """
    from vaultkit.campaign.settings_edit import parse_setting, write_setting

    new_value = parse_setting(desk.workspace, key, value)
    if key in ("print.paper", "print.theme"):
        _check_design(desk, key, str(new_value))
    diff = write_setting(desk.workspace, key, new_value, now=current_time(), dry_run=dry_run)
    if desk.as_json:
        print_document({"key": key, "value": new_value, "file": VAULT_CONFIG_PATH, "diff": diff})
    elif diff:
        print_diff(diff)
    if not diff:
        print_note(f"{key} is {_value_text(new_value)} already.")
    elif not dry_run:
        print_note(f"Written: {VAULT_CONFIG_PATH}")
        if key == "campaign.note" and desk.vault.lookup(str(new_value)) is None:
            print_note(
                f"Note: there is no note '{new_value}' in this vault. Make it in Obsidian before you log a game."
            )


def _check_design(desk: CommandContext, key: str, name: str) -> None:
    """Raise UsageError for an unknown paper or theme."""
    from vaultkit.sheets.inventory import check_print_settings

    values: dict[str, Any] = {key.removeprefix("print."): name}
    settings = replace(PrintSettings(), **values)
    for check in check_print_settings(desk.workspace.root, settings):
        if not check.ok:
            raise UsageError(check.detail, hint=check.hint)


def _print_settings(desk: CommandContext) -> None:
    from vaultkit.campaign.house_rules import settings_path

    settings = desk.workspace.settings
    values = values_by_key(settings)
    files = {key: settings_path(desk.workspace.root, file) for key, file in settings.origins.items()}
    if desk.as_json:
        print_document([{"key": key, "value": value, "from": files.get(key)} for key, value in values.items()])
        return
    rows = ([key, _value_text(value), files.get(key, "default")] for key, value in values.items())
    print_table(["setting", "value", "from"], rows, unwrapped_columns=1)
    print_note("Change one: vaultkit config set SETTING VALUE")


def _value_text(value: object) -> str:
    """Format a value as `config set` accepts it; names are separated by commas."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
