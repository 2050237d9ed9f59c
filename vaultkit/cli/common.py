"""Options that commands share, and the vault and clock that they work with."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.output import say_lines, talk, tell_remarks
from vaultkit.cli.progress import Bar
from vaultkit.errors import UsageError
from vaultkit.vault.vault import find_root

if TYPE_CHECKING:
    from vaultkit.campaign.log import Logged

VaultOption = Annotated[
    Path | None,
    typer.Option("--vault", help="The vault's folder. Default: VAULTKIT_VAULT, else the vault around here."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
NoCacheOption = Annotated[
    bool, typer.Option("--no-cache", help="Read every note afresh, whatever the index of earlier runs says of it.")
]
GeneratedOption = Annotated[
    bool, typer.Option("--generated", help="Also in notes of a generated compendium, until the next conversion.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be written; write nothing.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="A house rule as option=value; `rules GAME --options` lists them.")
]
CampaignOption = Annotated[
    str | None,
    typer.Option("--campaign", help="The note to log in instead, or: newest-session, daily-note, none."),
]


def new_app(function: Callable[..., Any] | None = None) -> typer.Typer:
    """A Typer app of ours, with `function` as its one command if given."""
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        no_args_is_help=function is None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    if function is not None:
        app.command()(function)
    return app


def open_workspace(given: Path | None, *, no_cache: bool = False) -> Workspace:
    """The vault that `--vault`, the environment or the current folder name. Raises InvalidError without one."""
    cached = not no_cache and not os.environ.get("VAULTKIT_NO_CACHE")
    return Workspace(find_root(given, os.environ, Path.cwd()), cached, Bar())


def tell_logged(logged: "Logged", dry: str, *, as_json: bool) -> None:
    """Where a result was written, and what the GM should know about it; with JSON the diff is in the document.

    `dry` is the sentence after a dry run, "" if it was none.
    """
    if dry:
        if not as_json:
            say_lines(logged.diff)
        talk(dry)
    for path in logged.written:
        talk(f"Written: {path}")
    tell_remarks(*(f"{problem.message} {problem.hint}".rstrip() for problem in logged.problems), *logged.remarks)


def tell_unfinished(workspace: Workspace, session: str = "") -> None:
    """Say which commands were cut off and how to finish them; nothing of `session`, which is just written."""
    from vaultkit.campaign.undo import unfinished

    for entry, sentence in unfinished(workspace):
        if entry.session != session or not session:
            talk(sentence)


def any_seed(given: int | None) -> int:
    """The seed that is given, else any."""
    import secrets

    return secrets.randbelow(10**6) if given is None else given


def now() -> datetime:
    """The time, to the second, in the local zone; `SOURCE_DATE_EPOCH` fixes it, in UTC, for reproducible files."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed:
        try:
            return datetime.fromtimestamp(int(fixed), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise UsageError(f"SOURCE_DATE_EPOCH is '{fixed}', not a time in seconds.") from error
    return datetime.now().astimezone().replace(microsecond=0)
