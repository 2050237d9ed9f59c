"""What every printing command shares: its options, where the PDF goes, and what is said about it.

A command is a function whose first parameter is a `Press`; `sheet_command` puts the shared options behind its own:

    @sheet_command
    def rules(press: Press, note: Annotated[str, typer.Argument(help="...")]) -> None:
        press.tell(print_rules(..., paper=press.paper, out=press.place("x-rules"), theme=press.theme))
"""

import contextlib
import functools
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec

import typer

from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import JsonOption, VaultOption, open_workspace
from vaultkit.cli.output import document, drawn, talk, terminal
from vaultkit.errors import ExitCode, UsageError, WriteError
from vaultkit.look.images import ENDINGS
from vaultkit.vault.vault import surrounding_root
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.look.theme import Theme
    from vaultkit.sheets.pdf.document import PrintedFile


Own = ParamSpec("Own")
Switch = bool | None
"""Yes, no, or as the settings say."""


def _shared(
    opening: Callable[[Path | None], Workspace],
    paper: Annotated[
        str | None,
        typer.Option("--paper", help="a4, letter, legal, a3, tabloid, or your own. Default: the settings', else a4."),
    ] = None,
    theme: Annotated[str | None, typer.Option("--theme", help="The colours: classic, forest, or your own.")] = None,
    ink_saver: Annotated[
        Switch,
        typer.Option("--ink-saver/--full-ink", help="No fills, fine lines, lighter words, pictures as line drawings."),
    ] = None,
    grey: Annotated[Switch, typer.Option("--grey/--colour", "--gray/--color", help="Nothing in colour.")] = None,
    large: Annotated[
        Switch, typer.Option("--large/--normal", help="Large print: sheets with no word below 16 points.")
    ] = None,
    easy_read: Annotated[
        Switch, typer.Option("--easy-read/--book-face", help="A plain face made for weak eyes, no italics.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The PDF to write. Default: named after what is printed.")
    ] = None,
    opened: Annotated[bool, typer.Option("--open", help="Open the PDF afterwards.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Also show the pages: as PNG files, and here.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Print again whenever a note or a design changes.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> "Press":
    """The options that every printing command has."""
    workspace = opening(vault)
    switches = {"ink_saver": ink_saver, "grey": grey, "large": large, "easy_read": easy_read}
    return Press(workspace, paper, theme, switches, out, opened, preview, watch, as_json)


@dataclass(frozen=True)
class Press:
    """Where and how a sheet is printed. The options as given: None is what the settings say."""

    workspace: Workspace
    given_paper: str | None = None
    given_theme: str | None = None
    switches: dict[str, Switch] | None = None
    out: Path | None = None
    opened: bool = False
    preview: bool = False
    watch: bool = False
    as_json: bool = False

    @property
    def paper(self) -> str:
        """The name of the paper."""
        return self.given_paper or self.workspace.settings.print.paper

    @property
    def vault_name(self) -> str:
        """The vault's name in obsidian:// links; empty, and then there are none, if no settings tell it."""
        return self.workspace.settings.print.vault_name

    @property
    def theme(self) -> "Theme":
        """The theme with the modes that are asked for."""
        from vaultkit.look.theme import Theme

        settings = self.workspace.settings.print
        modes = {
            name: getattr(settings, name) if value is None else value for name, value in (self.switches or {}).items()
        }
        return Theme(self.workspace.root, self.given_theme or settings.theme, **modes)

    @property
    def theme_remarks(self) -> tuple[str, ...]:
        """What there is to say about the theme's colours."""
        from vaultkit.look import theme

        return theme.remarks(self.workspace.root, self.theme.name)

    @property
    def _folder(self) -> Path | None:
        """The folder of the settings, from the vault on; None where `--out` or nothing says it."""
        named = self.workspace.settings.print.folder
        return self.workspace.root / Path(named).expanduser() if named and self.out is None else None

    def place(self, what: str) -> Path:
        """`--out`, with `.pdf` behind it if need be, else `<what>.pdf` in the folder of the settings or in this one."""
        if self.out is None:
            return (self._folder or Path()) / f"{what}.pdf"
        whole = self.out.suffix.lower() == ".pdf" or self.out.is_dir()
        return self.out if whole else self.out.with_name(f"{self.out.name}.pdf")

    @contextlib.contextmanager
    def folder(self) -> Iterator[None]:
        """Makes the folder of the settings for as long as a sheet is made, and for good if one is written there."""
        folder = self._folder
        missing = [] if folder is None else [place for place in (folder, *folder.parents) if not place.exists()]
        try:
            _make(folder)
            yield
        finally:
            for place in missing:
                with contextlib.suppress(OSError, ValueError):
                    place.rmdir()

    def tell(self, printed: "PrintedFile", *more: "PrintedFile") -> None:
        """Says what was printed, shows it where that is asked for. `more` are files that come with the first."""
        files = [printed, *more]
        pictures = self._previews(printed)
        if self.as_json:
            told: dict[str, Any] = {
                "file": printed.path.as_posix(),
                "pages": printed.pages,
                "sheets": list(printed.sheets),
            }
            told |= {"more": [one.path.as_posix() for one in more]} if more else {}
            document(told | ({"preview": [picture.as_posix() for picture in pictures]} if self.preview else {}))
        for one in files:
            talk(f"Printed: {one.path} ({counted(one.pages, 'page')})")
        for remark in dict.fromkeys((*(remark for one in files for remark in one.remarks), *self.theme_remarks)):
            talk(remark)
        missing = sorted({character for one in files for character in one.missing})
        if missing:
            talk(f"No font here has these characters: {' '.join(missing)}")
            talk("In their place stands how many there are and of which script, such as [2×Cjk].")
        if self.opened:
            typer.launch(str(printed.path))

    def _previews(self, printed: "PrintedFile") -> list[Path]:
        if not self.preview:
            return []
        return show(printed.path, on_terminal=not self.as_json)


def _make(folder: Path | None) -> None:
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or str(error)
        raise WriteError(f"The folder of print.folder cannot be made: {reason}.", where=str(folder)) from error


def sheet_command(command: Callable[Concatenate[Press, Own], None]) -> Callable[..., None]:
    """The command with the shared options behind its own, and with `--watch`. It needs a vault."""
    return _with_options(command, open_workspace)


def anywhere(command: Callable[Concatenate[Press, Own], None]) -> Callable[..., None]:
    """The same for a command that needs no vault; without one it takes the user's settings and the shipped designs."""
    return _with_options(command, _vault_or_here)


def _vault_or_here(given: Path | None) -> Workspace:
    """The vault that is named or around here, else the current folder, in which there is nothing of ours."""
    named = given or os.environ.get("VAULTKIT_VAULT") or surrounding_root(Path.cwd())
    return open_workspace(given) if named else Workspace(Path.cwd())


def _with_options(
    command: Callable[Concatenate[Press, Own], None], opening: Callable[[Path | None], Workspace]
) -> Callable[..., None]:
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    shared = list(inspect.signature(_shared, eval_str=True).parameters.values())[1:]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        press = _shared(opening, **{parameter.name: given.pop(parameter.name) for parameter in shared})
        if press.preview:
            from vaultkit.sheets.export.raster import drawer

            drawer()
        if press.watch:
            _watch(press, for_a_service=bool(given.get("service")))
            return
        with press.folder():
            command(press, **given)  # type: ignore[call-arg]

    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own, *shared)]
    run.__signature__ = inspect.Signature(keyword, return_annotation=None)  # type: ignore[attr-defined]
    return run


def _watch(press: Press, *, for_a_service: bool) -> None:
    if press.as_json:
        raise UsageError("--watch prints again and again; --json is one document.", hint="Leave one of them out.")
    if for_a_service:
        raise UsageError(
            "--watch does not go with --for.", hint="Watch the deck without --for, and order it at the end."
        )
    again_and_again(press.workspace.root)


_WIDEST = 100
_MOST = 4
"""Pages drawn in the terminal; the others are only written."""


def show(pdf: Path, *, on_terminal: bool) -> list[Path]:
    """Writes the pages of `pdf` beside it and draws the first ones here; the files."""
    from vaultkit.sheets.preview import half_blocks, save_pages

    pictures = save_pages(pdf)
    if on_terminal and drawn() and not os.environ.get("NO_COLOR"):
        console = terminal()
        for picture in pictures[:_MOST]:
            for line in half_blocks(picture, min(console.width - 1, _WIDEST)):
                console.print(line)
            console.print()
    talk(f"Preview: {pictures[0].parent} ({counted(len(pictures), 'page')})")
    return pictures


_LOOKED_AT = {".md", ".toml", ".svg", ".ttf", *ENDINGS}
_OURS = ".vaultkit"


def again_and_again(root: Path) -> None:
    """Runs this very command, then once more after every change in the vault `root`.

    Each run is a process of its own, which reads all designs anew. One that fails says so and leaves the last good PDF;
    if the first one cannot be meant like that, such as with a misspelt option or deck, that is the end.
    """
    try:
        from watchfiles import watch
    except ImportError as error:
        raise UsageError(
            "Changes cannot be watched for: watchfiles is missing.",
            hint="Install it beside vaultkit: pipx inject vaultkit watchfiles, or pip install watchfiles",
        ) from error
    code = _run("--watch")
    if code in (ExitCode.USAGE, ExitCode.NOTHING):
        raise typer.Exit(code)
    talk("Watching the vault. Ctrl+C ends it.")
    for _ in watch(root, watch_filter=lambda _, path: counts(Path(path), root), raise_interrupt=True):
        _run("--watch", "--open")


def _run(*left_out: str) -> int:
    words = [word for word in sys.argv[1:] if word not in left_out]
    return subprocess.run([sys.executable, "-m", "vaultkit", *words], check=False).returncode


def counts(path: Path, root: Path) -> bool:
    """Whether a change of `path` may change a sheet: hidden folders other than ours do not, nor do our previews."""
    folders = path.relative_to(root).parts[:-1] if path.is_relative_to(root) else ()
    hidden = any(name.startswith(".") and name != _OURS for name in folders)
    ours = _OURS in folders and not {"print"} & set(folders) and path.name != "config.toml"
    return path.suffix.lower() in _LOOKED_AT and not (hidden or ours or any(n.endswith("-preview") for n in folders))
