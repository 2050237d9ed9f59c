"""The command `vaultkit help COMMAND`, which shows the text of `vaultkit COMMAND --help`."""

from typing import Annotated

import typer

from vaultkit.cli.context import OutputOptions, with_options


@with_options
def help(
    _voice: OutputOptions,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]", help="A command, such as `check` or `print rules`.")
    ] = None,
) -> None:
    """Show the help of a command.

    For example: vaultkit help print rules
    """
    from vaultkit.cli.app import app

    app([*(command or ()), "--help"], prog_name="vaultkit", standalone_mode=False)
