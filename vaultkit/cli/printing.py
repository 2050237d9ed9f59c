"""`vaultkit print`: PDFs for the table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import document, talk
from vaultkit.errors import WriteError
from vaultkit.sheets.document import PrintedFile

PaperOption = Annotated[str | None, typer.Option("--paper", help="a4 or letter. Default: the settings', else a4.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="The PDF to write. Default: named after what is printed.")
]
OpenOption = Annotated[bool, typer.Option("--open", help="Open the PDF afterwards.")]

app = new_app()


@app.callback()
def printing() -> None:
    """Print rules, score sheets and cards as PDF."""


@app.command()
def scores(
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    paper: PaperOption = None,
    out: OutOption = None,
    opened: OpenOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """A score sheet to fill in by pen, with the scoring explained on it."""
    from vaultkit.games.registry import find
    from vaultkit.sheets.score_sheet import score_sheet

    press = _Press.of(vault, paper, out)
    info = find(game)
    printed = score_sheet(
        info.id, paper=press.paper, out=press.place(f"{info.id}-scores"), design_root=press.workspace.root
    )
    press.tell(printed, opened, as_json)


@app.command()
def rules(
    note: Annotated[str, typer.Argument(help="Any note, by its name, path, title or alias.")],
    paper: PaperOption = None,
    out: OutOption = None,
    opened: OpenOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """A rule sheet from any note."""
    from vaultkit.sheets.notes import print_rules

    press = _Press.of(vault, paper, out)
    found = press.workspace.vault.find(note)
    place = press.place(f"{found.name}-rules")
    press.tell(print_rules(found, press.workspace.vault, paper=press.paper, out=place), opened, as_json)


@app.command()
def cards(
    deck: Annotated[str, typer.Argument(help="A deck by its title, kind, note name or alias.")],
    paper: PaperOption = None,
    out: OutOption = None,
    opened: OpenOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """A deck as cards to cut out, nine to a page."""
    from vaultkit.sheets.notes import print_cards

    press = _Press.of(vault, paper, out)
    found = press.workspace.compendium.deck(deck)
    place = press.place(f"{found.deck.kind}-cards")
    press.tell(print_cards(found, press.workspace.vault, paper=press.paper, out=place), opened, as_json)


@dataclass(frozen=True)
class _Press:
    """Where and on what a sheet is printed."""

    workspace: Workspace
    paper: str
    out: Path | None

    @classmethod
    def of(cls, vault: Path | None, paper: str | None, out: Path | None) -> "_Press":
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
