"""`vaultkit demo`: one evening in a copy of the example vault, from the deal to the printed sheets."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from vaultkit import resources
from vaultkit.cli.common import JsonOption, Workspace, new_app
from vaultkit.cli.output import document, say, talk
from vaultkit.cli.table import GameTable, play_out
from vaultkit.errors import WriteError

GAME = "dragon-citadel"
SEATS = ("bot:greedy", "bot:greedy", "bot:random")
SEED = 7


@dataclass(frozen=True)
class Played:
    """A finished game and its note."""

    session: str
    note: str


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder to make.")] = Path("vaultkit-demo"),
    as_json: JsonOption = False,
) -> None:
    """Play, log and print one evening in a copy of the example vault.

    Three bots play Dragon Citadel, the game is logged in the campaign, and its sheets are printed.
    """
    workspace = Workspace(_copied(folder))
    played = _play(workspace, as_json)
    files = _print(workspace)
    if as_json:
        shown = [file.as_posix() for file in files]
        document({"vault": folder.as_posix(), "session": played.session, "note": played.note, "files": shown})
        return
    _list(folder, played, files)


def _copied(folder: Path) -> Path:
    """The example vault at `folder`. Raises WriteError, touching nothing, if there is something already."""
    if folder.exists():
        raise WriteError(
            "There is something of this name already.", where=str(folder), hint="Name another: vaultkit demo DIR"
        )
    talk(f"Copying the example vault to {folder} ...")
    try:
        shutil.copytree(resources.shipped("vault-example"), folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"The folder could not be made: {reason}.", where=str(folder)) from error
    return folder.resolve()


def _play(workspace: Workspace, as_json: bool) -> Played:
    table = GameTable.of(workspace, GAME)
    with table.begin(table.seats(SEATS), SEED, table.options([])) as session:
        play_out(table, session, None, False, as_json)
        logged = table.log(session, None)
        return Played(session.id, logged.note)


def _print(workspace: Workspace) -> list[Path]:
    """The score sheet, the rule sheet and a page of cards, beside the notes."""
    from vaultkit.sheets.notes import print_cards, print_rules
    from vaultkit.sheets.score_sheet import score_sheet

    talk("Printing ...")
    table, root, paper = GameTable.of(workspace, GAME), workspace.root, workspace.settings.print.paper
    assert table.rule_note is not None, "the example vault has the rule note"
    printed = [
        score_sheet(GAME, paper=paper, out=root / "Score sheet.pdf", design_root=root),
        print_rules(table.rule_note.note, workspace.vault, paper=paper, out=root / "Rules.pdf"),
        print_cards(table.deck_note, workspace.vault, paper=paper, out=root / "Cards.pdf", first_page_only=True),
    ]
    return [file.path for file in printed]


def _list(folder: Path, played: Played, files: list[Path]) -> None:
    say()
    say(f"Made in {folder}:")
    for file in files:
        say(f"  {file.name}")
    say(f"  {played.note}")
    say("  Campaign Log.md (one line more)")
    say()
    say(f"Open first: {files[0]}")
    say(f"Then open the folder {folder.resolve()} in Obsidian as a vault, and read {played.note}.")
    say(f"The game move by move: vaultkit replay {played.session} --vault {folder}")


app = new_app(demo)
