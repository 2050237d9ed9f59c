"""`vaultkit demo`: one evening in a copy of the example vault, from the deal to the printed sheets."""

from pathlib import Path
from typing import Annotated

import typer

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.init import check_free, copy_example
from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import JsonOption, now
from vaultkit.cli.output import document, say, talk, terminal
from vaultkit.session import SeatSpec
from vaultkit.sheets.scoresheets.played import Played

GAME = "dragon-citadel"
SEATS = (SeatSpec("Ysolde Marr", "greedy"), SeatSpec("Bram Tolliver", "greedy"), SeatSpec("Nettle Ashdown", "random"))
SEED = 4


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder to make.")] = Path("vaultkit-demo"),
    as_json: JsonOption = False,
) -> None:
    """Play, log and print one evening in a copy of the example vault.

    Bots play Dragon Citadel in place of the party, the game is logged in the campaign, and its sheets are printed.
    """
    check_free(folder)
    talk(f"Copying the example vault to {folder} ...")
    workspace = Workspace(copy_example(folder))
    note, game = _play(workspace, as_json)
    files = [folder / file.relative_to(workspace.root) for file in _print(workspace, note, game)]
    if as_json:
        names = [file.as_posix() for file in files]
        document({"vault": folder.as_posix(), "session": game.session, "note": note, "files": names})
        return
    _list(folder, note, game.session, files)


def _play(workspace: Workspace, as_json: bool) -> tuple[str, Played]:
    """The note of a finished game, and what its score sheets need."""
    from vaultkit.play.screen import Screen

    notes = GameNotes.of(workspace, GAME)
    screen = Screen.open(terminal(stderr=as_json), SEATS, None, plain=False)
    with notes.begin(SEATS, SEED, options=notes.options([]), clock=now) as session:
        outcome = screen.play(session, notes)
        assert outcome is not None, "bots play to the end"
        logged, header = notes.log(session, None, now=now()), session.header
        names = tuple(spec.name for spec in header.seats)
        ticks = {key: str(header.options[key]) for key in ("mode", "rewards")}
        date = header.started.date().isoformat()
        return logged.note, Played(GAME, session.id, date, ticks, names, outcome.whole_scores)


def _print(workspace: Workspace, note: str, game: Played) -> list[Path]:
    """Score sheets, blank and of this game, rules, reference cards and a page of the deck, in the folder for PDFs."""
    from vaultkit.look.theme import Theme
    from vaultkit.sheets.cards.decks import print_cards
    from vaultkit.sheets.pdf.document import PrintJob
    from vaultkit.sheets.qr import note_address
    from vaultkit.sheets.reference.reference_sheet import ReferenceCards, print_reference
    from vaultkit.sheets.rules.rule_sheet import print_rules
    from vaultkit.sheets.scoresheets.played import print_played_scores
    from vaultkit.sheets.scoresheets.score_sheet import print_scores

    talk("Printing ...")
    notes, vault, root = GameNotes.of(workspace, GAME), workspace.vault, workspace.root
    paper, deck, rules = workspace.settings.print.paper, notes.deck_note, notes.rule_note
    assert rules is not None, "the example vault has the rule note"
    reference, theme = ReferenceCards(GAME, deck, rules, vault), Theme(root)
    code = note_address(workspace.settings.print.vault_name, note)
    sheets = root / workspace.settings.print.folder
    sheets.mkdir(exist_ok=True)
    printed = [
        print_scores(GAME, paper=paper, out=sheets / "Score sheet.pdf", theme=theme),
        print_played_scores(game, vault, paper=paper, out=sheets / "Score sheets of the game.pdf", code=code),
        print_rules(rules.note, vault, PrintJob(paper, sheets / "Rules.pdf", theme)),
        print_reference(reference, notes.info.title, PrintJob(paper, sheets / "Reference cards.pdf", theme)),
        print_cards(deck, vault, PrintJob(paper, sheets / "Cards.pdf", theme), first_page_only=True),
    ]
    return [file.path for file in printed]


def _list(folder: Path, note: str, session: str, files: list[Path]) -> None:
    say()
    say(f"Made in {folder}:")
    for name in [file.relative_to(folder).as_posix() for file in files] + [note, "Campaign Log.md (one line more)"]:
        say(f"  {name}")
    say()
    say(f"Open first: {files[0]}")
    say(f"Then open the folder {folder} in Obsidian as a vault, and read {note}.")
    say(f"The game move by move: vaultkit replay {session} --vault {folder}")
