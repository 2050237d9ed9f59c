"""What every printing command shares: its options, where the PDF goes, and what is said about it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from vaultkit.cli.common import Workspace
from vaultkit.cli.output import document, talk
from vaultkit.errors import WriteError
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.theme import Theme

PaperOption = Annotated[str | None, typer.Option("--paper", help="a4 or letter. Default: the settings', else a4.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="The PDF to write. Default: named after what is printed.")
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the PDF afterwards.")]


@dataclass(frozen=True)
class Press:
    """Where and on what a sheet is printed."""

    workspace: Workspace
    paper: str
    out: Path | None

    @property
    def theme(self) -> Theme:
        """The theme of the vault."""
        return Theme(self.workspace.root)

    @classmethod
    def of(cls, vault: Path | None, paper: str | None, out: Path | None) -> "Press":
        workspace = Workspace.open(vault)
        return cls(workspace, paper or workspace.settings.print.paper, out)

    def place(self, what: str) -> Path:
        """`--out`, else `<what>.pdf` in the folder of the settings (from the vault on), else in the current folder."""
        if self.out is not None:
            return self.out
        if not self.workspace.settings.print.folder:
            return Path(f"{what}.pdf")
        folder = self.workspace.root / Path(self.workspace.settings.print.folder).expanduser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise WriteError(f"The folder of print.folder cannot be made: {reason}.", where=str(folder)) from error
        return folder / f"{what}.pdf"

    def tell(self, printed: PrintedFile, opened: bool, as_json: bool) -> None:
        """Say what was printed."""
        if as_json:
            document({"file": str(printed.path), "pages": printed.pages, "sheets": list(printed.sheets)})
        talk(f"Printed: {printed.path} ({printed.pages} {'page' if printed.pages == 1 else 'pages'})")
        if printed.missing:
            talk(f"No font here has these characters: {' '.join(printed.missing)}")
            talk("In their place stands how many there are and of which script, such as [2×Cjk].")
        if opened:
            typer.launch(str(printed.path))
