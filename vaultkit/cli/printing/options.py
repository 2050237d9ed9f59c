"""The options that all printing commands share, and their messages about the PDF.

A command is a function whose first parameter is a `Press`; `sheet_command` adds the shared options after its own:

    @sheet_command
    def rules(press: Press, note: Annotated[str, Argument(help="...")]) -> None:
        press.report_files(print_rules(..., press.job("x-rules")))
"""

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, TypeVar

import typer
from typer import Option

from vaultkit.cli.context import (
    CommandContext,
    DryRunOption,
    Own,
    open_workspace,
    print_ignored_parts,
    relative_to_current_folder,
    with_options,
)
from vaultkit.cli.output import can_draw, print_document, print_file, print_note, terminal
from vaultkit.errors import ExitCode, UsageError
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
    from vaultkit.sheets.print_setup import PrintSetup
    from vaultkit.sheets.secrecy import Secrets

OptionalSwitch = bool | None
"""The value of a switch: true, false, or None for the value in the settings."""
AnyPress = TypeVar("AnyPress", bound="Press")
NoSecretsOption = Annotated[bool, Option("--no-secrets", help="Leave out the game master's secrets.")]
SizeOption = Annotated[
    str, Option("--size", help="poker (jumbo in large print), bridge, tarot, mini, euro, jumbo, index...")
]
QrOption = Annotated[bool, Option("--qr", help="Add a QR code that opens the note.")]
_MAX_PICTURE_COLUMNS = 100
_MAX_DRAWN_PAGES = 4
"""The maximum number of pages that are drawn in the terminal. All pages are written to files."""


def printer_option(*names: str, help_text: str) -> Any:
    """Return an option that depends on the printer, for a panel of its own in the help."""
    return Option(*names, help=help_text, rich_help_panel="Printer")


@dataclass(frozen=True)
class Press(CommandContext):
    """The options of a printing command. None means the value in the settings.

    `no_secrets` and `qr` are options of some commands only.
    """

    no_secrets: bool = field(default=False, init=False)
    qr: bool = field(default=False, init=False)
    given_paper: Annotated[
        str | None,
        Option("--paper", help="a4, letter, legal, a3, tabloid or your own. Default: from settings or locale."),
    ] = None
    given_theme: Annotated[str | None, Option("--theme", help="classic, forest, parchment, dark or your own.")] = None
    ink_saver: Annotated[
        OptionalSwitch,
        Option("--ink-saver/--full-ink", help="Save ink: no fills, fine lines, pictures as line drawings."),
    ] = None
    grey: Annotated[OptionalSwitch, printer_option("--grey/--colour", "--gray/--color", help_text="Print in grey.")] = (
        None
    )
    large: Annotated[OptionalSwitch, Option("--large/--normal", help="Large print, at least 16 points.")] = None
    easy_read: Annotated[
        OptionalSwitch, Option("--easy-read/--book-face", help="High-legibility font, no italics.")
    ] = None
    system_fonts: Annotated[
        OptionalSwitch,
        Option("--system-fonts/--own-fonts", help="Use this computer's fonts for scripts that vaultkit's lack."),
    ] = None
    out: Annotated[
        Path | None,
        Option(
            "--out",
            "-o",
            help="The PDF or folder; - for stdout. Default: in print.folder.",
        ),
    ] = None
    page_limit: Annotated[int, Option("--pages", min=1, help="Maximum number of pages.")] = 500
    dry_run: DryRunOption = False
    opened: Annotated[bool, Option("--open", help="Open the PDF.")] = False
    preview: Annotated[bool, Option("--preview", help="Also write the pages as PNG and show them.")] = False
    watch: Annotated[bool, Option("--watch", help="Print again when a note or design changes.")] = False

    @cached_property
    def setup(self) -> "PrintSetup":
        """The print setup from the options and the settings. Options override settings."""
        from vaultkit.sheets.print_setup import PrintSetup

        root, settings = self.workspace.root, self.workspace.settings
        switches = {name: getattr(self, name) for name in ("ink_saver", "grey", "large", "easy_read", "system_fonts")}
        return PrintSetup(root, settings, self.given_paper or "", self.given_theme or "", switches, self.out)

    def job(self, name: str, kind: str = "", *, sources: bool | None = None) -> "PrintJob":
        """Return the job that prints a sheet of a `kind` to the PDF `name`, unless the options name another file.

        Without the name of the vault in the settings, the PDF contains no obsidian:// links.
        """
        from vaultkit.sheets.pdf.document import PrintJob

        setup, settings = self.setup, self.workspace.settings.print
        output_path, vault_name, language = setup.output_path(name, kind), settings.vault_name, settings.language
        return PrintJob(setup.paper, output_path, setup.theme, vault_name, self.qr, self.secrets, sources, language)

    @property
    def secrets(self) -> "Secrets":
        """The words that mark secrets by the settings, and whether secrets are left out."""
        from vaultkit.sheets.secrecy import Secrets

        return Secrets(self.workspace.settings.print.secrets, self.no_secrets)

    @property
    def _shows_pages(self) -> bool:
        return self.preview and not self.dry_run

    def report_files(self, printed: "PrintedFile", *extra_files: "PrintedFile") -> None:
        """Print messages about the printed files, and show the first one if the options say so.

        `extra_files` belong to the first file.
        """
        from vaultkit.sheets.secrecy import counts_by_plural
        from vaultkit.theme.glyphs import missing_character_remarks

        files, verb = [printed, *extra_files], "Would print" if self.dry_run else "Printed"
        pictures = save_and_show_pages(printed.path, on_terminal=not self.as_json) if self._shows_pages else []
        if self.as_json:
            path, *more = (Path(relative_to_current_folder(file.path)).as_posix() for file in files)
            document: dict[str, Any] = {"file": path, "pages": printed.pages, "sheets": list(printed.sheets)}
            document |= {"left_out": counts_by_plural(printed.left_out)} if printed.left_out else {}
            document |= {"more": more} if more else {}
            document |= {"preview": [picture.as_posix() for picture in pictures]} if self._shows_pages else {}
            print_document(document)
        if self.setup.write_to_stdout(printed.path):
            print_note(f"Sent to stdout: {format_count(printed.pages, 'page')}")
            files = [printed]
            for file in extra_files:
                print_note(f"Left out: {file.path.name}, which comes with it. To have both, name a file with --out.")
        else:
            for file in files:
                path = relative_to_current_folder(file.path)
                print_file(path, f"{verb}: {path} ({format_count(file.pages, 'page')})", as_json=self.as_json)
        remarks = dict.fromkeys((*(text for file in files for text in file.remarks), *self.setup.remarks))
        missing = {character for file in files for character in file.missing}
        for text in (*missing_character_remarks(missing), *remarks):
            print_note(text)
        print_ignored_parts(self.workspace.root)  # printed here, since a watching command does not end
        if self.opened and not self.dry_run:
            open_file(printed.path)


@dataclass(frozen=True)
class ScorePress(Press):
    """The options of a printing command for sheets with a QR code."""

    qr: QrOption = False


@dataclass(frozen=True)
class SecretPress(Press):
    """The options of a printing command for notes that may hold secrets."""

    no_secrets: NoSecretsOption = False


@dataclass(frozen=True)
class NotePress(SecretPress):
    """The options of a printing command for notes that may hold secrets, with a QR code."""

    qr: QrOption = False


class PressAnywhere(Press):
    """The options of a printing command that needs no vault.

    Without a vault it uses the settings of the user and the shipped designs.
    """

    @cached_property
    def workspace(self) -> "Workspace":
        """The vault of the options, the environment or the current folder, else the current folder without a vault."""
        from vaultkit.campaign.workspace import Workspace
        from vaultkit.vault.root_folder import surrounding_root

        vault_path = self.vault_option or os.environ.get("VAULTKIT_VAULT") or surrounding_root(Path.cwd())
        return open_workspace(self.vault_option) if vault_path else Workspace(Path.cwd())


def sheet_command(command: Callable[Concatenate[AnyPress, Own], None]) -> Callable[..., None]:
    """Return a printing command with the options of `Press` after its own, and with `--watch`."""

    @functools.wraps(command)
    def run(press: AnyPress, /, **values: Any) -> None:
        options = {"--json": press.as_json, "--open": press.opened, "--preview": press.preview, "--watch": press.watch}
        other_options = {**options, "--for": bool(values.get("service"))}
        press.setup.refuse_to_mix(other_options, on_terminal=sys.stdout.isatty())
        from vaultkit.sheets.pdf.output_file import output_rules

        if press.preview:
            from vaultkit.sheets.export.page_pictures import import_pdfium

            import_pdfium()
        if press.watch:
            _watch(press, for_a_service=bool(values.get("service")))
            return
        with output_rules(dry_run=press.dry_run, page_limit=press.page_limit), press.setup.prepare_folder():
            command(press, **values)  # type: ignore[call-arg]

    return with_options(run)


def _watch(press: Press, *, for_a_service: bool) -> None:
    """Run the current command, and once more after every change in the vault.

    Each run is a process of its own, which reads all designs again. A run that fails prints its error and leaves the
    last good PDF. If the first run fails because of its arguments, such as a misspelt option or deck, watching does not
    begin. Raises UsageError for options that cannot be used with `--watch`.
    """
    from vaultkit.sheets.print_setup import watch_vault

    if press.as_json:
        raise UsageError("--watch prints again and again; --json is one document.", hint="Leave one of them out.")
    if for_a_service:
        hint = "Watch the deck without --for, and order it at the end."
        raise UsageError("--watch does not go with --for.", hint=hint)
    changes = watch_vault(press.workspace.root)
    exit_code = _rerun_command("--watch")
    if exit_code in (ExitCode.USAGE, ExitCode.NOTHING):
        raise typer.Exit(exit_code)
    print_note("Watching the vault. Ctrl+C ends it.")
    for _ in changes:
        _rerun_command("--watch", "--open")


def _rerun_command(*excluded_arguments: str) -> int:
    """Run the current command in a new process without `excluded_arguments`, and return its exit code."""
    arguments = [word for word in sys.argv[1:] if word not in excluded_arguments]
    return subprocess.run([sys.executable, "-m", "vaultkit", *arguments], check=False).returncode


def save_and_show_pages(pdf: Path, *, on_terminal: bool) -> list[Path]:
    """Write the pages of a PDF as pictures beside it, draw the first ones in the terminal, and return the pictures."""
    from vaultkit.sheets.export.page_pictures import save_pages, to_half_blocks

    pictures = save_pages(pdf)
    if on_terminal and can_draw() and not os.environ.get("NO_COLOR"):
        console = terminal()
        for picture in pictures[:_MAX_DRAWN_PAGES]:
            for line in to_half_blocks(picture, min(console.width - 1, _MAX_PICTURE_COLUMNS)):
                console.print(line)
            console.print()
    print_note(f"Preview: {pictures[0].parent} ({format_count(len(pictures), 'page')})")
    return pictures


_FAILURE_SECONDS = 3
"""The time in which an opener that fails has ended; one that still runs then has shown the file."""


def open_file(path: Path) -> None:
    """Open a file or folder in the system's program for it, or print that nothing here opens it."""
    if not _can_open(path):
        print_note(f"Nothing on this computer could open it. The file is: {path}")


def _can_open(path: Path) -> bool:
    try:
        if sys.platform == "win32":
            os.startfile(path)
            return True
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        null, command = subprocess.DEVNULL, [opener, str(path.absolute())]
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True)
        return process.wait(_FAILURE_SECONDS) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
