"""The program itself: its options, and next steps when no command is given."""

from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperCommand

from vaultkit import __version__
from vaultkit.cli.command_registry import COMMANDS, load_command, print_help
from vaultkit.cli.command_table import all_entries
from vaultkit.cli.context import TYPED_WORDS_KEY, CommandContext, SharedOptionsGroup, new_app, with_options
from vaultkit.cli.guesses import unknown_command_error
from vaultkit.cli.output import print_document, print_item, print_result
from vaultkit.errors import InvalidError


class LazyGroup(SharedOptionsGroup):
    """A group that lists its commands without importing them."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a placeholder that has only the help of a command, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        _, panel, summary = COMMANDS[cmd_name]
        return TyperCommand(cmd_name, help=summary, short_help=summary, rich_help_panel=panel)

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        words = [*args]
        context = super().make_context(info_name, args, *rest, **extra)
        context.meta[TYPED_WORDS_KEY] = words
        return context

    def get_help(self, ctx: Any) -> str:
        return print_help(self, super().get_help, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            nested_paths = [path for path in all_entries(app) if path.endswith(f" {args[0]}")]
            raise unknown_command_error("", args, list(COMMANDS), nested_paths)
        name, _, rest = super().resolve_command(ctx, args)
        return name, load_command(name, *rest[:1]), rest


app = new_app()


def _show_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"vaultkit {__version__}")
        raise typer.Exit


@app.callback(cls=LazyGroup, invoke_without_command=True)
@with_options
def vaultkit(
    desk: CommandContext,
    context: typer.Context,
    _version: Annotated[
        bool, Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Read, play, log and print from your Obsidian vault, offline.

    Without a command, suggests next steps in the vault that contains the current folder.

    For example: vaultkit --vault MyVault check
    """
    if context.invoked_subcommand is None:
        _print_next_steps(desk, context)


def _print_next_steps(desk: CommandContext, context: typer.Context) -> None:
    from vaultkit.campaign.next_steps import next_steps

    try:
        workspace = desk.workspace
    except InvalidError:
        if desk.vault_option is not None or desk.as_json:
            raise
        typer.echo(context.get_help())
        return
    steps = list(next_steps(workspace))
    if desk.as_json:
        print_document(steps)
        return
    print_result(f"In {workspace.root.name} you can:")
    command_width = max(len(step.command) for step in steps)
    for step in steps:
        print_item(f"  {step.command:<{command_width}}  ", step.words)
    print_result("All commands: vaultkit --help")
