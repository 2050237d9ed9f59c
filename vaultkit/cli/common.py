"""What commands share: their options, and the vault, settings and clock that they work with."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.progress import Bar
from vaultkit.errors import MissingNote, NothingFound, UsageError
from vaultkit.vault import Note, Vault
from vaultkit.vault.vault import find_root

if TYPE_CHECKING:
    # Imported when first used: a command pays for the layers that it needs, and no more.
    from vaultkit.compendium import Compendium, DeckNote
    from vaultkit.compendium.rulenote import RuleNote
    from vaultkit.games.registry import GameInfo
    from vaultkit.settings import Settings
    from vaultkit.vault.index.store import Index
    from vaultkit.vault.reading import Inspected

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


@dataclass(frozen=True)
class Workspace:
    """One vault with its settings and compendium, opened when first asked for."""

    root: Path
    cached: bool = True

    @classmethod
    def open(cls, given: Path | None, *, no_cache: bool = False) -> "Workspace":
        """The vault that `--vault`, the environment or the current folder name. Raises InvalidError without one."""
        cached = not no_cache and not os.environ.get("VAULTKIT_NO_CACHE")
        return cls(find_root(given, os.environ, Path.cwd()), cached)

    @cached_property
    def vault(self) -> Vault:
        return Vault(self.root, self._index if self.cached else None, Bar(), _inspect)

    def _index(self) -> "Index | None":
        from vaultkit.vault.index.store import index_of

        return index_of(self.root)

    @cached_property
    def settings(self) -> "Settings":
        from vaultkit.settings import load

        return load(self.root)

    @cached_property
    def compendium(self) -> "Compendium":
        from vaultkit.compendium import Compendium

        return Compendium(self.vault)

    def deck(self, name: str) -> "DeckNote":
        """The deck that goes by `name`. Raises NothingFound; for a card's name the hint lists the decks with it."""
        try:
            return self.compendium.deck(name)
        except NothingFound as error:
            card = " ".join(name.casefold().split()).removeprefix("the ")
            decks = [deck.deck for deck in self.compendium.decks]
            found = {one.name: one for deck in decks for one in deck if one.name.casefold() == card}
            if found:
                kinds = [deck.kind for deck in decks if any(one.name in found for one in deck)]
                error.hint = f"{next(iter(found))} is a card of: {', '.join(kinds)}."
            raise

    def vault_path(self, word: str) -> str:
        """The vault path of `.`, `..`, `./x`, `../x` or a whole path, as a shell in the current folder means them.

        Any other word is returned as it is. Raises MissingNote for what is there, but not in the vault.
        """
        whole = Path(word).is_absolute()
        if not whole and Path(word).parts[:1] not in ((), ("..",)) and word[:2] not in ("./", f".{os.sep}"):
            return word
        here = Path.cwd().resolve()
        meant = Path(os.path.normpath(here / word))
        for place in (meant, Path(os.path.realpath(meant))):
            if place.is_relative_to(self.root):
                return place.relative_to(self.root).as_posix()
        if os.path.lexists(meant) and (whole or here.is_relative_to(self.root)):
            raise MissingNote(f"'{word}' lies outside of the vault.", where=str(self.root), hint="Name a note in it.")
        return word

    @property
    def journals(self) -> Path:
        from vaultkit.vault.writing.history.entry import JOURNALS

        return self.root / JOURNALS

    def rule_note(self, game: "GameInfo") -> "RuleNote | None":
        return self.compendium.rule_note(game.id, (game.title, *game.aliases))


def _inspect(note: Note) -> "Inspected":
    """Asks every check, which are loaded once notes are read."""
    from vaultkit.session.checks import every_check
    from vaultkit.vault.checking.check import inspect

    return inspect(note, every_check())


def now() -> datetime:
    """The time, to the second, in the local zone; `SOURCE_DATE_EPOCH` fixes it, in UTC, for reproducible files."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed:
        try:
            return datetime.fromtimestamp(int(fixed), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise UsageError(f"SOURCE_DATE_EPOCH is '{fixed}', not a time in seconds.") from error
    return datetime.now().astimezone().replace(microsecond=0)
