"""How and where a sheet is printed: what is asked for, over the settings; and which changes ask for it once more."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.look import theme
from vaultkit.look.images import ENDINGS
from vaultkit.look.theme import Theme
from vaultkit.settings import CONFIG, PrintSettings

_LOOKED_AT = {".md", ".toml", ".svg", ".ttf", *ENDINGS}
_OURS = ".vaultkit"


@dataclass(frozen=True)
class PrintSetup:
    """The `settings` of the vault at `root`, and what is asked for instead of them: "" and None leave them.

    `switches` are modes by name, `out` is a file or folder to write to.
    """

    root: Path
    settings: PrintSettings
    asked_paper: str = ""
    asked_theme: str = ""
    switches: Mapping[str, bool | None] = field(default_factory=dict)
    out: Path | None = None

    @property
    def paper(self) -> str:
        """The name of the paper."""
        return self.asked_paper or self.settings.paper

    @property
    def theme(self) -> Theme:
        """The theme with the modes that are asked for."""
        modes = {name: getattr(self.settings, name) if on is None else on for name, on in self.switches.items()}
        return Theme(self.root, self.asked_theme or self.settings.theme, **modes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the theme's colours."""
        return theme.theme_remarks(self.root, self.theme.name)

    def place(self, name: str) -> Path:
        """`out`, with `.pdf` behind it if need be, else `<name>.pdf` in the folder of the settings or in this one."""
        if self.out is None:
            return (self._folder or Path()) / f"{name}.pdf"
        whole = self.out.suffix.lower() == ".pdf" or self.out.is_dir()
        return self.out if whole else self.out.with_name(f"{self.out.name}.pdf")

    @property
    def _folder(self) -> Path | None:
        """The folder of the settings, from the vault on; None where `out` or nothing says it.

        Raises InvalidError for one outside of the vault, which the links of a vault from elsewhere may hide.
        """
        named = self.settings.folder
        if not named or self.out is not None:
            return None
        folder = self.root / Path(named).expanduser()
        if not _within(folder, self.root):
            hint = 'Name a folder of the vault, such as folder = "Sheets", or give another place with --out.'
            raise InvalidError(
                f"print.folder '{named}' leads out of the vault.", where=str(self.root / CONFIG), hint=hint
            )
        return folder

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


def _within(folder: Path, root: Path) -> bool:
    """Whether a folder lies in the vault, links followed; one that cannot be followed fails when it is made."""
    try:
        return folder.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return True


def _make(folder: Path | None) -> None:
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or str(error)
        raise WriteError(f"The folder of print.folder cannot be made: {reason}.", where=str(folder)) from error


def watch_vault(root: Path) -> Iterator[object]:
    """Comes back after every change in the vault `root` that may change a sheet. Raises UsageError if it cannot."""
    try:
        from watchfiles import watch
    except ImportError as error:
        raise UsageError(
            "Changes cannot be watched for: watchfiles is missing.",
            hint="Install it beside vaultkit: pipx inject vaultkit watchfiles, or pip install watchfiles",
        ) from error
    return watch(root, watch_filter=lambda _, path: counts(Path(path), root), raise_interrupt=True)


def counts(path: Path, root: Path) -> bool:
    """Whether a change of `path` may change a sheet: hidden folders other than ours do not, nor do our previews."""
    folders = path.relative_to(root).parts[:-1] if path.is_relative_to(root) else ()
    hidden = any(name.startswith(".") and name != _OURS for name in folders)
    ours = _OURS in folders and not {"print"} & set(folders) and path.name != "config.toml"
    return path.suffix.lower() in _LOOKED_AT and not (hidden or ours or any(n.endswith("-preview") for n in folders))
