"""The command `vaultkit demo`, which plays, logs and prints one evening in a copy of the example vault."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from vaultkit.cli.context import DryRunOption, OutputOptions, current_time, with_options
from vaultkit.cli.output import print_document, print_note, print_remarks, print_result, terminal
from vaultkit.session import SeatSpec, Session
from vaultkit.sheets.scoresheets.score_sheet import Filled

if TYPE_CHECKING:
    from rich.console import Console

    from vaultkit.campaign.workspace import Workspace
    from vaultkit.sheets.scoresheets.design import ScoreDesign

DEMO_GAME = "dragon-citadel"
DEMO_BOTS = {"Ysolde Marr": "greedy", "Bram Tolliver": "greedy", "Nettle Ashdown": "random"}
DEMO_SEATS = tuple(SeatSpec(name, strategy) for name, strategy in DEMO_BOTS.items())
DEMO_SEED = 4
PRINTED_CARDS = "Warrior, Rogue, Wizard, Priest, Darklord, Raven, Seer, Ghost, Mists"
"""The cards on the printed page of the demo, chosen for their pictures and for some of each colour."""


@dataclass(frozen=True)
class Evening:
    """The demo's game after it was logged: its session, its note's path, and the values of its score sheets."""

    session: Session
    note: str
    scores: Filled


@with_options
def demo(
    voice: OutputOptions,
    folder: Annotated[Path, Argument(metavar="[DIR]", help="The new folder. Default: vaultkit-demo.")] = Path(
        "vaultkit-demo"
    ),
    story: Annotated[bool, Option("--story", help="Show the game move by move.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Play, log and print one evening in a copy of the example vault.

    Bots play Dragon Citadel; the game is logged and its sheets are printed.

    For example: vaultkit demo
    """
    from vaultkit.campaign.init import check_free, copy_example
    from vaultkit.campaign.trust_report import grant_if_possible
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.terminal.game_view import show_end

    check_free(folder)
    if dry_run:
        if voice.as_json:
            print_document({"vault": folder.as_posix(), "session": None, "note": None, "files": []})
        print_note(f"Would make: {folder}")
        return
    print_note(f"Copying the example vault to {folder} ...")
    workspace, console = Workspace(copy_example(folder)), terminal(stderr=voice.as_json)
    print_remarks(*grant_if_possible(workspace.root))
    evening = _play_evening(workspace, console if story else None)
    files = _print_sheets(workspace, evening)
    if voice.as_json:
        names = [(folder / name).as_posix() for name in files]
        summary = {"vault": folder.as_posix(), "session": evening.session.id, "note": evening.note, "files": names}
        print_document(summary)
        return
    if not story:
        print_result()
        show_end(evening.session, console)
    _print_next_steps(folder, evening, files)


def _play_evening(workspace: "Workspace", story_console: "Console | None") -> Evening:
    """Let bots play a game, and log it.

    If there is a `story_console`, the game is shown on it move by move.
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.sheets.scoresheets.design import load_score_design
    from vaultkit.terminal.screen import Screen

    notes = GameNotes.from_name(workspace, DEMO_GAME)
    print_note(f"Letting {len(DEMO_SEATS)} bots play {notes.info.title} in place of the party ...")
    with notes.begin(DEMO_SEATS, DEMO_SEED, options=notes.options([]), clock=current_time) as session:
        if story_console:
            Screen.open(story_console, DEMO_SEATS, None, plain=False).play(session, notes, None)
        for _ in session.advance():
            pass
        outcome, header = session.outcome, session.header
        assert outcome is not None, "bots play to the end"
        logged = notes.log(session, None, now=current_time())
        design, names = load_score_design(DEMO_GAME, workspace.root), [seat.name for seat in header.seats]
        scores = zip(names, outcome.whole_scores, strict=True)
        boxes = {name: box_values(design, parts) for name, parts in scores}
        common_boxes = {f"{key}.{header.options[key]}": "yes" for key in ("mode", "rewards")}
        common_boxes |= {f"outcome.{outcome.kind}": "yes", "session": session.id}
        common_boxes["date"] = header.started.date().isoformat()
        return Evening(session, logged.note, Filled(common_boxes, boxes))


def box_values(design: "ScoreDesign", parts: Mapping[str, int]) -> dict[str, int | str]:
    """Return the values of the boxes on the score sheet of a player.

    A score of 0 leaves its box empty, unless it is the total. Rolls are shown with their row.
    """
    boxes: dict[str, int | str] = {"forfeited.no" if parts["survived"] else "forfeited.yes": "yes"}
    for part, value in parts.items():
        name = design.played.get(part, part)
        if name in design.names and (value or part == "total"):
            is_roll_count = part.endswith(".rolls")
            boxes[name] = f"{value} × row {parts[part.replace('.rolls', '.row')]}" if is_roll_count else value
    return boxes


def _print_sheets(workspace: "Workspace", evening: Evening) -> Mapping[str, str]:
    """Print the sheets of the demo, and return a description of each by its path in the vault.

    The sheets are score sheets, filled and blank, rules, reference cards and a page of the deck.
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.sheets.cards.card_sheet import print_set
    from vaultkit.sheets.cards.deck_cards import deck_set
    from vaultkit.sheets.pdf.document import PrintJob
    from vaultkit.sheets.print_setup import paper_of
    from vaultkit.sheets.reference_sheet import ReferenceCards, print_reference
    from vaultkit.sheets.rules.rule_sheet import print_rules
    from vaultkit.sheets.scoresheets.design import ONE
    from vaultkit.sheets.scoresheets.score_sheet import print_scores
    from vaultkit.theme.model import Theme
    from vaultkit.vault.obsidian import note_address

    print_note("Printing its rules, score sheets and cards ...")
    notes, vault, root = GameNotes.from_name(workspace, DEMO_GAME), workspace.vault, workspace.root
    paper, deck, rules = paper_of(root, workspace.settings.print), notes.deck_note, notes.rule_note
    cards = deck_set(deck, vault, "full", PRINTED_CARDS)
    assert rules is not None, "the example vault has the rule note"
    reference, theme, scores = ReferenceCards(DEMO_GAME, deck, rules, vault), Theme(root), evening.scores
    note_link = note_address(workspace.settings.print.vault_name, evening.note)
    sheets = root / workspace.settings.print.folder
    sheets.mkdir(exist_ok=True)

    def job(name: str, *, qr: bool = False) -> PrintJob:
        return PrintJob(paper, sheets / name, theme, qr=qr)

    sheet_job = job("Score sheets of the game.pdf", qr=bool(note_link))
    score_sheets = print_scores(DEMO_GAME, sheet_job, scores, layout=ONE, players=[*scores.scores], code=note_link)
    printed = {
        "the scores of this game": score_sheets,
        "some of its cards, to cut out": print_set(cards, vault, job("Cards.pdf")),
        "its rules, from a note": print_rules(rules.note, vault, job("Rules.pdf")),
        "what each card does": print_reference(reference, notes.info.title, job("Reference cards.pdf")),
        "an empty one, to fill in": print_scores(DEMO_GAME, job("Score sheet.pdf")),
    }
    return {file.path.relative_to(root).as_posix(): description for description, file in printed.items()}


def _print_next_steps(folder: Path, evening: Evening, files: Mapping[str, str]) -> None:
    descriptions = {**files, evening.note: "the note of the game", "Campaign Log.md": "one line more"}
    print_result()
    print_result(f"Made in {folder}:")
    for name, description in descriptions.items():
        print_result(f"  {name:<{max(map(len, descriptions))}}  {description}")
    score_sheets, cards, *_ = files
    print_result()
    print_result("Open first:")
    print_result(f"  1  {folder / score_sheets}")
    print_result(f"  2  {folder / cards}")
    print_result(f"  3  {folder} in Obsidian, as a vault; there {evening.note}")
    print_result()
    print_result("The game move by move:")
    print_result(f"  vaultkit replay {evening.session.id} --vault {folder}")
