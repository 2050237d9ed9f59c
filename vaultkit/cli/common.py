"""Options that commands share, and the vault and clock that they work with."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer
from typer.core import TyperGroup

from vaultkit.cli.output import hush, say_lines, talk, tell_remarks
from vaultkit.cli.progress import Bar
from vaultkit.errors import ExitCode, UsageError
from vaultkit.trust import was_kept_out
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.campaign.log import Logged
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault import Vault

Own = ParamSpec("Own")
Shared = TypeVar("Shared")
VaultOption = Annotated[
    Path | None,
    typer.Option("--vault", help="The vault's folder. Default: VAULTKIT_VAULT, else the vault around here."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", callback=hush, help="Say nothing beside the result, unless it is an error.")
]
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


class Group(TyperGroup):
    """Commands whose shared options may stand before their names, too: what is given there is handed on to them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, [*_shared_words(ctx.params), *rest]


def _shared_words(given: Mapping[str, Any]) -> Iterator[str]:
    """The shared options of a group as they are typed."""
    if given.get("vault_option") is not None:
        yield from ("--vault", str(given["vault_option"]))
    yield from (word for name, word in (("as_json", "--json"), ("quiet", "--quiet")) if given.get(name))


def new_app(function: Callable[..., Any] | None = None) -> typer.Typer:
    """A Typer app of ours, with `function` as its one command if given."""
    app = typer.Typer(
        cls=Group,
        add_completion=False,
        pretty_exceptions_enable=False,
        no_args_is_help=function is None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    if function is not None:
        app.command()(function)
    return app


def open_workspace(given: Path | None, *, no_cache: bool = False) -> "Workspace":
    """The vault that `--vault`, the environment or the current folder name. Raises InvalidError without one."""
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.vault.vault import find_root

    cached = not no_cache and not os.environ.get("VAULTKIT_NO_CACHE")
    return Workspace(find_root(given, os.environ, Path.cwd()), cached, Bar())


NOTHING = "Nothing was written."
MOST_PARTED = 3
"""Notes with a hard link that are named."""

_LAST = ("vault_option", "no_cache", "as_json", "quiet")
"""The options that stand at the end of every help."""


@dataclass(frozen=True)
class Voice:
    """The options that say how a result is told."""

    as_json: JsonOption = False
    quiet: QuietOption = False


@dataclass(frozen=True)
class Desk(Voice):
    """The options that most commands share, and the vault that these name, which is opened when first asked for."""

    vault_option: VaultOption = None

    @cached_property
    def workspace(self) -> "Workspace":
        return open_workspace(self.vault_option)

    @property
    def vault(self) -> "Vault":
        return self.workspace.vault


@dataclass(frozen=True)
class IndexedDesk(Desk):
    """The same with --no-cache, for a command that may read the whole vault."""

    no_cache: NoCacheOption = False

    @cached_property
    def workspace(self) -> "Workspace":
        return open_workspace(self.vault_option, no_cache=self.no_cache)


def with_options(command: Callable[Concatenate[Shared, Own], None]) -> Callable[..., None]:
    """The command as Typer takes it: its own options, then the fields of its first parameter, which is a dataclass."""
    first, *own = inspect.signature(command, eval_str=True).parameters.values()
    fields = inspect.signature(first.annotation).parameters.values()
    shared = sorted(fields, key=lambda field: _LAST.index(field.name) if field.name in _LAST else -1)

    @wraps(command)
    def run(**given: Any) -> None:
        desk = first.annotation(**{field.name: given.pop(field.name) for field in shared if field.name in given})
        try:
            command(desk, **given)  # type: ignore[call-arg]
        finally:
            _tell_afterwards(desk)

    keyword = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own, *shared)]
    run.__signature__ = inspect.Signature(keyword, return_annotation=None)  # type: ignore[attr-defined]
    return run


def _tell_afterwards(desk: object) -> None:
    """Which of the notes written have other names, and what did not count; nothing where no vault was opened."""
    if not isinstance(desk, Desk) or "workspace" not in vars(desk):
        return
    from vaultkit.vault.vault import UNLOCKABLE_ROOTS

    tell_kept_out(desk.workspace.root)
    if desk.workspace.root in UNLOCKABLE_ROOTS:
        from vaultkit.vault.writing.lock import UNLOCKABLE, UNLOCKABLE_HINT

        tell_remarks(f"{UNLOCKABLE} {UNLOCKABLE_HINT}")
    parted = list(desk.vault.parted)
    if parted:
        more = f" and {counted(len(parted) - MOST_PARTED, 'note')} more" if len(parted) > MOST_PARTED else ""
        names = f"{', '.join(parted[:MOST_PARTED])}{more}"
        tell_remarks(f"{names}: there is a hard link of this file elsewhere; under that name it keeps the old text.")


def tell_kept_out(root: Path) -> None:
    """Say once that something of the vault did not count, if anything wanted it."""
    if was_kept_out(root):
        from vaultkit.campaign.admission import trust_remarks

        tell_remarks(*trust_remarks(root))


def kept_unlogged(session: str) -> str:
    """The sentence after a dry run, which leaves a game that was played here as it is."""
    return f"No note was written. The game itself is kept; log it with: vaultkit log --session {session}"


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
    tell_remarks(*(problem.in_full for problem in logged.problems), *logged.remarks)


def tell_unfinished(workspace: "Workspace", session: str = "") -> None:
    """Say which commands were cut off and how to finish them; nothing of `session`, which is just written."""
    from vaultkit.campaign.undo import unfinished

    for entry, sentence in unfinished(workspace):
        if entry.session != session or not session:
            talk(sentence)


@contextmanager
def before_writing() -> Iterator[None]:
    """A person is asked within, before anything is written. Raises Exit where that person leaves."""
    from vaultkit.play.sources import Leave

    try:
        yield
    except Leave as leaving:
        talk(NOTHING)
        raise typer.Exit from leaving
    except (EOFError, KeyboardInterrupt) as cut:
        talk("")  # the question would stand before it
        talk("Stopped; nothing was written.")
        raise typer.Exit(ExitCode.INTERRUPTED) from cut


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
