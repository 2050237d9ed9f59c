"""The command `vaultkit help COMMAND`, which shows the text of `vaultkit COMMAND --help`."""

import io
from contextlib import nullcontext, redirect_stdout
from typing import Annotated

from typer import Argument

from vaultkit.cli.context import OutputOptions, with_options
from vaultkit.cli.output import print_document


@with_options
def help(
    desk: OutputOptions,
    command: Annotated[
        list[str] | None, Argument(metavar="[COMMAND]", help="A command, such as `print rules`.")
    ] = None,
) -> None:
    """Show the help of a command.

    For example: vaultkit help print rules
    """
    from vaultkit.cli.app import app
    from vaultkit.cli.typed_words import read_typed_words

    help_text = io.StringIO()
    with redirect_stdout(help_text) if desk.as_json else nullcontext():
        app([*read_typed_words(command or ()), "--help"], prog_name="vaultkit", standalone_mode=False)
    if desk.as_json:
        print_document({"help": help_text.getvalue()})
