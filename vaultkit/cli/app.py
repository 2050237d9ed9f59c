"""The program itself: its options, hints for misplaced words, and next steps when no command is given."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from vaultkit import __version__
from vaultkit.cli.command_registry import COMMANDS, expand_old_name, load_command
from vaultkit.cli.command_table import all_entries, find_entry
from vaultkit.cli.context import TYPED_WORDS_KEY, CommandContext, SharedOptionsGroup, with_options
from vaultkit.cli.guesses import unknown_command_error


class LazyGroup(SharedOptionsGroup):
    """A group that lists its commands without importing them."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a placeholder that has only the help of a command, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        _, panel, summary = COMMANDS[cmd_name]
        return TyperCommand(cmd_name, help=summary, rich_help_panel=panel)

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        words = [*args]
        with _add_placement_hints(words):
            context = super().make_context(info_name, args, *rest, **extra)
        context.meta[TYPED_WORDS_KEY] = words
        return context

    def invoke(self, ctx: Any) -> Any:
        with _add_placement_hints(ctx.meta[TYPED_WORDS_KEY]):
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        args = expand_old_name(args)
        if args[0] not in COMMANDS:
            nested_paths = [path for path in all_entries(app) if path.endswith(f" {args[0]}")]
            raise unknown_command_error("", args, list(COMMANDS), nested_paths)
        name, _, rest = super().resolve_command(ctx, args)
        return name, load_command(name), rest


app = typer.Typer(
    cls=LazyGroup,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"vaultkit {__version__}")
        raise typer.Exit


@app.callback()
@with_options
def vaultkit(
    desk: CommandContext,
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version and exit.")
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
    from vaultkit.cli.output import print_document, print_result
    from vaultkit.errors import InvalidError

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
        print_result(f"  {step.command:<{command_width}}  {step.words}")
    print_result("All commands: vaultkit --help")


@contextmanager
def _add_placement_hints(words: Sequence[str]) -> Iterator[None]:
    """Add to an error of the parser a hint about where a misplaced word belongs, if that is known.

    `words` are the arguments of the command line.
    """
    try:
        yield
    except Exception as error:
        context: Any = getattr(error, "ctx", None)
        if context is not None and (hint := _placement_hint(error, context, words)):
            error.message = f"{error.message}\n{hint}"  # type: ignore[attr-defined]
        raise


def _placement_hint(error: Exception, context: Any, words: Sequence[str]) -> str:
    path = context.command_path.partition(" ")[2]
    option = getattr(error, "option_name", "")
    if option:
        return "" if option in _option_placeholders(path) else _misplaced_option_hint(option, words, path)
    is_group = hasattr(context.command, "commands")
    return "" if hasattr(error, "param") or is_group else _extra_word_hint(context, path, words)


def _misplaced_option_hint(option: str, words: Sequence[str], parsed_path: str) -> str:
    """Return a hint that names the command that an option belongs to, or "" if none of the words is one.

    `parsed_path` is the path of the command that was parsed.
    """
    path = ""
    for word in words:
        longer_path = f"{path} {word}".strip()
        path = longer_path if find_entry(longer_path, app) else path
        if path != parsed_path and option in _option_placeholders(path):
            return f"Put it behind the command: vaultkit {path} {option}"
    return ""


def _extra_word_hint(context: Any, path: str, words: Sequence[str]) -> str:
    """Return a hint about a superfluous word, or "".

    It may be part of the name or value before it, which needs quotes, or the value of an option that is missing.
    """
    parameter_values = context.params.values()
    for option, value, next_word in zip(words, words[1:], words[2:], strict=False):
        if (
            _option_placeholders(path).get(option)
            and not next_word.startswith("-")
            and next_word not in parameter_values
        ):
            return f'Put a value of several words in quotes: {option} "{value} ..."'
    if names := [parameter.name for parameter in context.command.params if parameter.param_type_name == "argument"]:
        return f'Put a name of several words in quotes: vaultkit {path} "{context.params.get(names[-1])} ..."'
    options = [
        name for name, value in _option_placeholders(path).items() if value and name not in _option_placeholders("")
    ]
    return f"A word needs its option before it: {', '.join(options)}" if options else ""


def _option_placeholders(path: str) -> Mapping[str, str]:
    """Return the options of a command, each with the placeholder for its value, "" for no value."""
    entry = find_entry(path, app)
    return {name: option.value for option in entry.options for name in option.names} if entry else {}
