"""The options that commands share, and the vault and the clock that they use."""

import inspect
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer
from typer import Option
from typer.core import TyperGroup

from vaultkit.cli.guesses import unknown_command_error
from vaultkit.cli.output import (
    print_document,
    print_file,
    print_lines,
    print_link,
    print_note,
    print_remarks,
    set_quiet,
)
from vaultkit.cli.progress import FILE_COMMANDS, LINE, Bar
from vaultkit.errors import ExitCode, UsageError
from vaultkit.text import format_count
from vaultkit.trust import consume_ignored_flag

if TYPE_CHECKING:
    from vaultkit.campaign.log import LogResult
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault import Vault

Own = ParamSpec("Own")
Shared = TypeVar("Shared")
VaultOption = Annotated[
    Path | None,
    Option("--vault", help="The vault's folder. Default: VAULTKIT_VAULT, or the vault containing the current folder."),
]
JsonOption = Annotated[bool, Option("--json", help="Print one JSON document.")]
QuietOption = Annotated[bool, Option("--quiet", "-q", callback=set_quiet, help="Only print results and errors.")]
NoCacheOption = Annotated[bool, Option("--no-cache", help="Read all notes again, without the index.")]
GeneratedOption = Annotated[
    bool, Option("--generated", help="Include notes of a generated compendium; the next conversion overwrites them.")
]
DryRunOption = Annotated[bool, Option("--dry-run", help="Preview the changes; write nothing.")]
SetOption = Annotated[
    list[str] | None, Option("--set", help="A house rule as option=value; see `rules GAME --options`.")
]
CampaignOption = Annotated[str | None, Option("--campaign", help="The log note, or: newest-session, daily-note, none.")]


class SharedOptionsGroup(TyperGroup):
    """A group of commands whose shared options may also come before the name of a command.

    Such options are passed on to the command. A group with an argument of its own, such as `deck NAME`, takes the first
    word as that argument unless it is the name of a subcommand.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options and the argument of the group; the rest of `args` names a subcommand."""
        argument = next((param for param in self.params if param.param_type_name == "argument"), None)
        if argument is not None:
            values, rest, _ = self.make_parser(ctx).parse_args(args=[*args])
            if values.get(str(argument.name)) in self.commands:
                args.insert(len(args) - len(rest) - 1, "")
            else:
                ctx.allow_interspersed_args, ctx.allow_extra_args = True, False
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, without the group's argument in the usage line of a subcommand."""
        params = super().get_params(ctx)
        return params if ctx.command is self else [param for param in params if param.param_type_name == "option"]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that `args` name, with the shared options of the group put before its own arguments.

        Raises UsageError with a command to type if there is no such command.
        """
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise unknown_command_error(ctx.command_path.partition(" ")[2], args, self.list_commands(ctx))
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, [*_shared_arguments(ctx.params), *rest]


def _shared_arguments(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Yield the shared options of a group as command line arguments."""
    if parameters.get("vault_option") is not None:
        yield from ("--vault", str(parameters["vault_option"]))
    yield from (word for name, word in (("as_json", "--json"), ("quiet", "--quiet")) if parameters.get(name))


def new_app(function: Callable[..., Any] | None = None) -> typer.Typer:
    """Return a Typer app with the settings of this project, and with `function` as its only command if given."""
    app = typer.Typer(
        cls=SharedOptionsGroup,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    if function is not None:
        app.command()(function)
    return app


def open_workspace(folder: Path | None, *, no_cache: bool = False) -> "Workspace":
    """Return the vault that `--vault`, the environment or the current folder names.

    Raises InvalidError if there is none.
    """
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault.root_folder import find_root

    cached = not no_cache and not os.environ.get("VAULTKIT_NO_CACHE")
    return Workspace(find_root(folder, os.environ, Path.cwd()), cached, Bar())


TYPED_WORDS_KEY = "vaultkit.words"
"""The key of the words of the command line in the metadata of Typer's context."""
NOTHING_WRITTEN = "Nothing was written."
MAX_LISTED_LINKED_NOTES = 3
"""The maximum number of notes with hard links that a remark lists."""

_LAST_OPTIONS = ("vault_option", "no_cache", "as_json", "quiet")
"""The options that come last in the help of every command."""


@dataclass(frozen=True)
class OutputOptions:
    """The options for the form of the output."""

    as_json: JsonOption = False
    quiet: QuietOption = False


@dataclass(frozen=True)
class CommandContext(OutputOptions):
    """The options that most commands share, and the vault that they name. The vault is opened on first use."""

    vault_option: VaultOption = None
    no_cache: bool = field(default=False, init=False)

    @cached_property
    def workspace(self) -> "Workspace":
        """The vault with its settings and caches, opened without an index if `no_cache` says so."""
        return open_workspace(self.vault_option, no_cache=self.no_cache)

    @property
    def vault(self) -> "Vault":
        return self.workspace.vault


@dataclass(frozen=True)
class IndexedContext(CommandContext):
    """The options that most commands share and --no-cache, for a command that may read the whole vault."""

    no_cache: NoCacheOption = False


def with_options(command: Callable[Concatenate[Shared, Own], None]) -> Callable[..., None]:
    """Return a command with a signature for Typer: its own options, then the fields of its first parameter.

    The type of the first parameter must be a dataclass, which is created from the options.
    """
    context_parameter, *own_parameters = inspect.signature(command, eval_str=True).parameters.values()
    fields = inspect.signature(context_parameter.annotation).parameters.values()
    last_options = [field for name in _LAST_OPTIONS for field in fields if field.name == name]
    shared_fields = [*(field for field in fields if field.name not in _LAST_OPTIONS), *last_options]

    @wraps(command)
    def run(**values: Any) -> None:
        _apply_hidden_options(values)
        shared_values = {field.name: values.pop(field.name) for field in shared_fields if field.name in values}
        desk = context_parameter.annotation(**shared_values)
        if sys.argv[1:] and sys.argv[1] in FILE_COMMANDS:
            LINE.start()
        try:
            command(desk, **values)  # type: ignore[call-arg]
        finally:
            LINE.stop()
            _print_vault_remarks(desk)

    parameters = [*own_parameters, *shared_fields]
    parameters += _hidden_parameters({parameter.name for parameter in parameters})
    keyword_parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    run.__signature__ = inspect.Signature(keyword_parameters, return_annotation=None)  # type: ignore[attr-defined]
    return run


def _hidden_parameters(names: Container[str]) -> Iterator[inspect.Parameter]:
    """Yield --write for a command with --dry-run and no --write, and the other way round.

    `names` are the parameters of the command. People who know one of the options from another command can use it.
    """
    for option, counterpart in (("write", "dry_run"), ("dry_run", "write")):
        if counterpart in names and option not in names:
            name, flag = f"hidden_{option}", f"--{option.replace('_', '-')}"
            hidden_option = Annotated[bool, Option(flag, hidden=True)]
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=hidden_option)


def _apply_hidden_options(values: dict[str, Any]) -> None:
    """Apply the hidden --write and --dry-run to the values of the options of a command, and remove them."""
    is_write_asked = values.pop("hidden_write", False)
    if is_write_asked and "log" in values and values["log"] in (None, False):  # without --log, a draw is not written
        values["log"] = "" if values["log"] is None else True
    if values.pop("hidden_dry_run", False):
        values["write"] = False


def _print_vault_remarks(desk: object) -> None:
    """Print remarks about the vault after a command: ignored files, missing locks, and written notes with hard links.

    Nothing is printed if no vault was opened.
    """
    if not isinstance(desk, CommandContext) or "workspace" not in vars(desk):
        return
    from vaultkit.vault.vault import UNLOCKABLE_ROOTS

    print_ignored_parts(desk.workspace.root)
    if desk.workspace.root in UNLOCKABLE_ROOTS:
        from vaultkit.vault.writing.lock import UNLOCKABLE_HINT, UNLOCKABLE_MESSAGE

        print_remarks(f"{UNLOCKABLE_MESSAGE} {UNLOCKABLE_HINT}")
    hard_linked_paths = list(desk.vault.hard_linked_paths)
    if hard_linked_paths:
        names = ", ".join(hard_linked_paths[:MAX_LISTED_LINKED_NOTES])
        rest = hard_linked_paths[MAX_LISTED_LINKED_NOTES:]
        names += f" and {format_count(len(rest), 'note')} more" if rest else ""
        print_remarks(f"{names}: there is a hard link of this file elsewhere; under that name it keeps the old text.")


def print_ignored_parts(root: Path) -> None:
    """Print once which parts of the vault were ignored for lack of trust, if any were needed."""
    if consume_ignored_flag(root):
        from vaultkit.campaign.trust_report import trust_remarks

        print_remarks(*trust_remarks(root))


def log_fields(log_result: "LogResult", *, dry_run: bool) -> dict[str, str]:
    """Return the fields for JSON that say where a result was logged, and for a dry run what would change."""
    return {"note": log_result.note} | ({"diff": log_result.diff} if dry_run else {})


def dry_run_sentence(session: str) -> str:
    """Return the sentence after a dry run that has kept a game in its journal."""
    return f"No note was written. The game itself is kept; log it with: vaultkit log --session {session}"


def print_written_notes(root: Path, paths: Iterable[str], *, as_json: bool) -> None:
    """Print the names of written notes, whose `paths` are in the vault at `root`."""
    for path in paths:
        print_file(relative_to_current_folder(root / path), f"Written: {path}", as_json=as_json)


def relative_to_current_folder(path: Path) -> str:
    """Return a path as text, relative to the current folder if it is inside it."""
    current_folder = Path.cwd()
    return str(path.relative_to(current_folder) if path.is_relative_to(current_folder) else path)


def print_logged(
    workspace: "Workspace", log_result: "LogResult", dry_run_text: str, *, as_json: bool, after_rows: bool = False
) -> None:
    """Print where a result was written, at a terminal with a link that opens it in Obsidian, and remarks for the GM.

    `dry_run_text` is the sentence printed after a dry run, else "". After a dry run the diff is printed too, unless the
    output is JSON, which contains it. `after_rows` says that stdout has rows, among which no file is named.
    """
    if dry_run_text:
        if not as_json:
            print_lines(log_result.diff)
        print_note(dry_run_text)
    print_written_notes(workspace.root, log_result.written, as_json=as_json or after_rows)
    if log_result.written and sys.stderr.isatty() and (workspace.root / ".obsidian").is_dir():
        from vaultkit.vault.obsidian import note_address

        vault_name = workspace.settings.print.vault_name or workspace.root.name
        print_link("In Obsidian: ", note_address(vault_name, log_result.note), log_result.note)
    print_remarks(*(problem.message_with_hint for problem in log_result.problems), *log_result.remarks)


def print_logged_game(desk: CommandContext, session: str, log_result: "LogResult", dry_run_text: str) -> None:
    """Print the result of logging a game, and which other commands were interrupted.

    `dry_run_text` is the sentence printed after a dry run, "" without a dry run.
    """
    print_logged(desk.workspace, log_result, dry_run_text, as_json=desk.as_json)
    if desk.as_json:
        print_document({"session": session, **log_fields(log_result, dry_run=bool(dry_run_text))})
    print_unfinished(desk.workspace, session)


def print_unfinished(workspace: "Workspace", session: str = "") -> None:
    """Print which commands were interrupted and how to finish them.

    The entry of `session`, which has just been written, is left out.
    """
    from vaultkit.campaign.undo import find_unfinished

    for entry, sentence in find_unfinished(workspace):
        if entry.session != session or not session:
            print_note(sentence)


@contextmanager
def before_writing() -> Iterator[None]:
    """Handle a person leaving, the end of the input, or Ctrl+C while questions are asked before writing.

    Prints that nothing was written, and raises Exit.
    """
    from vaultkit.terminal.answer_sources import PlayerQuit

    try:
        yield
    except PlayerQuit as leaving:
        print_note(NOTHING_WRITTEN)
        raise typer.Exit from leaving
    except (EOFError, KeyboardInterrupt) as interruption:
        print_note("")  # ends the line of the question
        print_note("Stopped; nothing was written.")
        raise typer.Exit(ExitCode.INTERRUPTED) from interruption


def choose_seed(seed: int | None) -> int:
    """Return the given seed, or a random one for None."""
    import secrets

    return secrets.randbelow(10**6) if seed is None else seed


def current_time() -> datetime:
    """Return the current local time, to the second.

    For reproducible files, the environment variable `SOURCE_DATE_EPOCH` sets the time, in UTC. Raises UsageError if its
    value is no time in seconds.
    """
    epoch_seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch_seconds:
        try:
            return datetime.fromtimestamp(int(epoch_seconds), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise UsageError(f"SOURCE_DATE_EPOCH is '{epoch_seconds}', not a time in seconds.") from error
    return datetime.now().astimezone().replace(microsecond=0)
