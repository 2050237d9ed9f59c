"""Paper, theme and output path of a print command, from its options and the settings, and watching for changes."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vaultkit import files, resources
from vaultkit.campaign.trust_report import print_folder
from vaultkit.errors import UsageError, WriteError
from vaultkit.files import VAULTKIT_FOLDER
from vaultkit.settings import PrintSettings, Settings, locale_paper
from vaultkit.sheets.paper import load_stock
from vaultkit.stdio import DASH, write_stdout
from vaultkit.theme import model
from vaultkit.theme.image_transcoding import PICTURE_SUFFIXES
from vaultkit.theme.model import Theme, theme_from_settings
from vaultkit.vault.file_names import file_name, is_device, refuse_name

_WATCHED_SUFFIXES = {".md", ".toml", ".ttf", *PICTURE_SUFFIXES}
_OUT_HINT = "Name a file with --out, or leave out the other."


@dataclass(frozen=True)
class PrintSetup:
    """The settings for printing in the vault at `root`, and the options of a command that override them.

    An option that is "" or None overrides nothing. `switches` are theme modes by name. `out` is a file or folder to
    write to, or DASH for stdout.
    """

    root: Path
    settings: Settings
    asked_paper: str = ""
    asked_theme: str = ""
    switches: Mapping[str, bool | None] = field(default_factory=dict)
    out: Path | None = None

    @property
    def paper(self) -> str:
        """The name of the paper size."""
        return self.asked_paper or paper_of(self.root, self.settings.print)

    @property
    def theme(self) -> Theme:
        """The theme with the requested modes."""
        print_settings = self.settings.print
        modes: dict[str, Any] = {
            name: getattr(print_settings, name) if on is None else on for name, on in self.switches.items()
        }
        return Theme(self.root, self.asked_theme or theme_from_settings(self.root, print_settings).name, **modes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about problems of the theme's colours."""
        return model.theme_remarks(self.theme)

    def output_path(self, name: str, kind: str = "") -> Path:
        """Return the path to which a sheet is written; `name` is that of a note, a deck or a game.

        The path is `out`, with `.pdf` added if necessary, else `<name>-<kind>.pdf` in the folder `out`, in the print
        folder of the settings or in the current folder. A sheet for stdout is first written to a temporary folder.
        Raises UsageError if `out` is the name of a Windows device.
        """
        is_folder = self.out is not None and os.path.isdir(self.out)  # noqa: PTH112 - Path raises for very long names
        if self.out is None or self.out == DASH or is_folder:
            default_name = f"{file_name(name, f'-{kind}' if kind else '', fallback='sheet')}.pdf"
            folder = Path(self._temporary_folder.name) if self.out == DASH else self.out or self._print_folder or Path()
            return folder / default_name
        if is_device(self.out.name):
            hint = "Give another name to --out."
            raise UsageError(f"Windows reserves the name '{self.out.name}' for a device.", hint=hint)
        return self.out if self.out.suffix.lower() == ".pdf" else self.out.with_name(f"{self.out.name}.pdf")

    def write_to_stdout(self, sheet: Path) -> bool:
        """Write a sheet to stdout if `out` is DASH; return whether it was written."""
        if self.out == DASH:
            write_stdout(files.read(sheet, files.OUTPUT_BYTES))
        return self.out == DASH

    def refuse_to_mix(self, given_options: Mapping[str, bool], *, on_terminal: bool) -> None:
        """Raise UsageError if the PDF is for stdout, and stdout is a terminal or another option rules that out.

        `given_options` maps the names of options that rule it out to whether they are given.
        """
        if self.out != DASH:
            return
        for option in (name for name, is_given in given_options.items() if is_given):
            raise UsageError(f"{option} does not go with --out -, which sends the PDF to stdout.", hint=_OUT_HINT)
        if on_terminal:
            hint = "Send it on, as in: vaultkit print scores chess --out - > chess.pdf. Or name a file with --out."
            raise UsageError("A PDF cannot be shown in a terminal.", hint=hint)

    @cached_property
    def _temporary_folder(self) -> "TemporaryDirectory[str]":
        return TemporaryDirectory(prefix="vaultkit-")

    @property
    def _print_folder(self) -> Path | None:
        """The print folder of the settings, inside the vault; None if `out` is given or no folder is set."""
        return print_folder(self.root, self.settings) if self.out is None else None

    @contextlib.contextmanager
    def prepare_folder(self) -> Iterator[None]:
        """Return a context for which the print folder is created; after it, folders that stayed empty are removed."""
        folder = self._print_folder
        folders = () if folder is None else (folder, *folder.parents)
        missing_folders = [missing_folder for missing_folder in folders if not missing_folder.exists()]
        try:
            _make_folder(folder)
            yield
        finally:
            if self.out == DASH:
                self._temporary_folder.cleanup()
            for missing_folder in missing_folders:
                with contextlib.suppress(OSError, ValueError):
                    missing_folder.rmdir()


def paper_of(root: Path, settings: PrintSettings) -> str:
    """Return the paper of the settings, or that of the locale.

    The latter also if only `paper.toml` of an untrusted vault defines the former.
    """
    is_ignored = resources.is_ignored_as_untrusted("print", "paper.toml", root)
    is_unavailable = is_ignored and settings.paper not in load_stock(root).papers
    return locale_paper() if is_unavailable or not settings.paper else settings.paper


def _make_folder(folder: Path | None) -> None:
    try:
        if folder is not None:
            for parent in (folder, *folder.parents):
                if not parent.exists():
                    refuse_name(parent.name, f"print.folder: {folder}", "Set print.folder to another name.")
            folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or str(error)
        raise WriteError(f"The folder of print.folder cannot be made: {reason}.", where=str(folder)) from error


def watch_vault(root: Path) -> Iterator[object]:
    """Return an endless iterator that waits for each change in the vault `root` that may affect a sheet.

    Raises UsageError if the package watchfiles is missing.
    """
    try:
        from watchfiles import watch
    except ImportError as error:
        raise UsageError(
            "Changes cannot be watched for: watchfiles is missing.",
            hint="Install it beside vaultkit: pipx inject vaultkit watchfiles, or pip install watchfiles",
        ) from error
    return watch(root, watch_filter=lambda _, path: is_relevant_change(Path(path), root), raise_interrupt=True)


def is_relevant_change(path: Path, root: Path) -> bool:
    """Return whether a change of the file at `path` may affect a sheet.

    Files in hidden folders are ignored, except designs and settings in vaultkit's folder, and so are previews.
    """
    folders = path.relative_to(root).parts[:-1] if path.is_relative_to(root) else ()
    is_hidden = any(name.startswith(".") and name != VAULTKIT_FOLDER for name in folders)
    is_our_output = VAULTKIT_FOLDER in folders and not {"print"} & set(folders) and path.name != "config.toml"
    is_preview = any(name.endswith("-preview") for name in folders)
    return path.suffix.lower() in _WATCHED_SUFFIXES and not (is_hidden or is_our_output or is_preview)
