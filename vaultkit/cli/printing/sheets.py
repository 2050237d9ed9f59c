"""The commands `vaultkit print rules`, `scores` and others, which print notes, games and finished sessions."""

from collections.abc import Sequence
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Argument, Option

from vaultkit.cli.output import print_document, print_note
from vaultkit.cli.printing.options import (
    NotePress,
    Press,
    PressAnywhere,
    ScorePress,
    SecretPress,
    printer_option,
    sheet_command,
)
from vaultkit.text import shorten_names

if TYPE_CHECKING:
    from vaultkit.games.registry import GameInfo
    from vaultkit.sheets.reference_sheet import ReferenceCards
    from vaultkit.vault import Note

GameArgument = Annotated[str, Argument(help="A game by id or title.")]


@sheet_command
def scores(
    press: ScorePress,
    game: Annotated[str, Argument(help="A game by id or title, `blank`, or a design; add others with `games new`.")],
    layout: Annotated[
        str, Option("--layout", help="one (a player per page), four (per page, to cut) or party (one page).")
    ] = "",
    players: Annotated[
        str, Option("--players", help="Names separated by commas, or a number; `-` leaves them blank.")
    ] = "",
    title: Annotated[str, Option("--title", help="Another title.")] = "",
    rows: Annotated[str, Option("--rows", help="Rows of a blank sheet, separated by commas.")] = "",
    columns: Annotated[str, Option("--columns", help="Columns of a blank sheet, separated by commas.")] = "",
) -> None:
    """Print a score sheet to fill in by pen or on a screen.

    For example: vaultkit print scores dragon-citadel --layout party
    """
    from vaultkit.campaign.players import bare_name, read_player_range
    from vaultkit.sheets.scoresheets.design import adapt_design, find_score_design, translate_rows
    from vaultkit.sheets.scoresheets.score_sheet import print_scores

    name, design = find_score_design(game, press.setup.theme.vault, press.workspace.score_sheets)
    design = translate_rows(design, press.workspace.own_words(design.game))
    design = adapt_design(design, title=title, rows=_split_names(rows), columns=_split_names(columns))
    player_range = read_player_range(players)
    usual_players = tuple(map(bare_name, press.workspace.settings.players))
    printed = print_scores(
        name,
        press.job(name, "scores"),
        layout=layout,
        players=("",) * player_range[1] if player_range else _split_names(players),
        usual=usual_players if players != "-" else (),
        design=design,
    )
    press.report_files(printed)


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip(" -"))


@sheet_command
def rules(
    press: NotePress,
    notes: Annotated[
        list[str],
        Argument(metavar="NOTE...", help="Notes by name, path, title or alias; folders; games."),
    ],
    columns: Annotated[
        int | None, Option("--columns", min=1, max=2, help="Columns of text. Default: 2; 1 in large print.")
    ] = None,
    booklet: Annotated[str, Option("--booklet", help="A booklet to fold: a5, a6, half-letter or quarter-letter.")] = "",
    flip: Annotated[
        Literal["long", "short"] | None,
        printer_option("--flip", help_text="The edge over which your printer flips booklet sheets."),
    ] = None,
    accessible: Annotated[
        bool, Option("--accessible", help="Also write a booklet's pages in order, for screen readers.")
    ] = False,
    sources: Annotated[bool | None, Option("--sources/--no-sources", hidden=True)] = None,
) -> None:
    """Print any notes as a rule sheet or booklet.

    For example: vaultkit print rules propheta --booklet a5
    """
    vault = press.workspace.vault
    vault_notes = press.workspace.notes(notes)
    name = _name_file(press, notes, vault_notes)
    job = press.job(name, "booklet" if booklet else "rules", sources=sources)
    if booklet:
        from vaultkit.sheets.rules.booklet import print_booklet

        press.report_files(*print_booklet(vault_notes, vault, booklet, job, flip=flip, accessible=accessible))
    else:
        from vaultkit.sheets.rules.rule_sheet import print_rules

        press.report_files(print_rules(vault_notes, vault, job, columns=columns))


def _name_file(press: Press, typed_names: Sequence[str], notes: "Sequence[Note]") -> str:
    """Return the name of the PDF of notes: the folder's name, or the names of the notes without secret ones."""
    names = list(dict.fromkeys(note.name for note in press.secrets.filter_notes(notes)[0]))
    folder = PureWindowsPath(press.workspace.vault_path(typed_names[0])).name or press.workspace.root.name
    return folder if len(names) > 1 == len(typed_names) else shorten_names(names)


@sheet_command
def prep(
    press: SecretPress,
    note: Annotated[str, Argument(help="A session note by name, words of it, path, title or alias.")] = "",
    depth: Annotated[int, Option("--depth", min=0, max=5, help="How many links to follow.")] = 1,
) -> None:
    """Print a session note with what it links to; handouts in a second file.

    For example: vaultkit print prep "Next Session"
    """
    from vaultkit.campaign.prep_note import find_prep_note
    from vaultkit.sheets.prep import print_prep

    session_note = find_prep_note(press.workspace, note)
    job = press.job(session_note.name, "prep")
    handout_folder = press.workspace.settings.print.handouts
    press.report_files(*print_prep(session_note, press.workspace.vault, job, handout_folder, depth))


@sheet_command
def screen(
    press: SecretPress,
    notes: Annotated[
        list[str], Argument(metavar="NOTE...", help='Notes, folders, or sections such as "Combat#Conditions".')
    ],
    columns: Annotated[
        int | None, Option("--columns", min=1, max=4, help="Columns of a panel. Default: 3; 2 in large print.")
    ] = None,
) -> None:
    """Print tables and short sections as panels of a game master's screen.

    For example: vaultkit print screen "House Rules" "Dragon Citadel#At a Glance"
    """
    from vaultkit.sheets.screen_panels import print_screen

    sections = press.workspace.sections(notes)
    file_name = _name_file(press, notes, [note for note, _ in sections])
    job = press.job(file_name, "screen")
    press.report_files(print_screen(sections, press.workspace.vault, job, columns))


@sheet_command
def reference(
    press: SecretPress,
    game: GameArgument,
    everything: Annotated[bool, Option("--all", help="Include cards without a rule.")] = False,
    size: Annotated[
        str, Option("--size", help="poker (jumbo in large print), bridge, tarot, mini, euro, jumbo, index...")
    ] = "",
) -> None:
    """Print a game's rules as reference cards.

    For example: vaultkit print reference prophets-gambit
    """
    from vaultkit.sheets.cards.deck_layout import DeckLayout
    from vaultkit.sheets.cards.text_sizes import default_card_size
    from vaultkit.sheets.reference_sheet import print_reference

    info, cards = _load_reference_cards(press, game)
    layout = DeckLayout.from_options(size or default_card_size(press.setup.theme))
    job = press.job(info.id, "reference")
    press.report_files(print_reference(cards, info.title, job, layout, everything=everything))


@sheet_command
def packet(
    press: NotePress,
    game: GameArgument,
    sheets: Annotated[
        int | None,
        Option(
            "--sheets",
            min=0,
            max=60,
            help="Number of score sheets. Default: one for each player in the settings.",
        ),
    ] = None,
) -> None:
    """Print rules, score sheets, aids and cards of a game in one file.

    For example: vaultkit print packet dragon-citadel --sheets 4
    """
    from vaultkit.campaign.players import bare_name
    from vaultkit.sheets.packet import Packet, print_packet

    info, cards = _load_reference_cards(press, game)
    players = tuple(map(bare_name, press.workspace.settings.players))
    contents = Packet(cards, info.title, players, sheets)
    press.report_files(print_packet(contents, press.job(info.id, "packet")))


def _load_reference_cards(press: Press, game: str) -> "tuple[GameInfo, ReferenceCards]":
    from vaultkit.campaign import house_rules
    from vaultkit.sheets.reference_sheet import ReferenceCards

    workspace = press.workspace
    info = workspace.score_sheets.find_playable(game)
    deck = workspace.compendium.deck_of_kind(info.deck, info.id)
    options = house_rules.option_values(workspace, info)
    return info, ReferenceCards(info.id, deck, workspace.rule_note(info), workspace.vault, options)


@sheet_command
def session(
    press: NotePress,
    session: Annotated[str, Argument(help="A game by id, its last letters, number in `sessions` or note.")],
) -> None:
    """Print the recap of a game.

    For example: vaultkit print session 1
    """
    from vaultkit.campaign.saved_games import find_numbered_id
    from vaultkit.sheets.recaps import print_session

    workspace = press.workspace
    session_id = find_numbered_id(workspace.journals, session)
    press.report_files(print_session(session_id, workspace.vault, workspace.compendium, press.job))


@sheet_command
def reading(
    press: NotePress,
    reading: Annotated[str, Argument(help="A reading by id, its last letters or note.")],
) -> None:
    """Print a logged reading or draw, laid out as its spread.

    For example: vaultkit print reading k3f9
    """
    from vaultkit.sheets.recaps import print_reading

    workspace = press.workspace
    press.report_files(print_reading(reading, workspace.vault, workspace.compendium, press.job))


@sheet_command
def calibrate(
    press: PressAnywhere,
    printer: Annotated[str, Option("--printer", help="A name for the printer.")] = "",
    x: Annotated[str, Option("--x", help="Reading on scale x, such as 0.8mm.")] = "",
    y: Annotated[str, Option("--y", help="Reading on scale y, such as -0.5mm.")] = "",
    angle: Annotated[float, Option("--angle", help="Rotation in degrees; the sheet explains how to measure it.")] = 0.0,
    scale: Annotated[str, Option("--scale", help="Measured length of the 100 mm line, such as 99.5mm.")] = "",
    duplex: Annotated[str, Option("--duplex", help="Backs: long-edge, short-edge or two-pass.")] = "long-edge",
    landscape: Annotated[bool, Option("--landscape", help="For cards on landscape sheets.")] = False,
) -> None:
    """Print an alignment sheet, or save a printer's offsets. Needs no vault.

    For example: vaultkit print calibrate --printer office --duplex long-edge
    """
    from vaultkit.sheets import printers
    from vaultkit.sheets.calibration import print_calibration_sheet
    from vaultkit.sheets.paper import parse_duplex

    duplex_mode = parse_duplex(duplex, needs_back_pages=True)
    if x or y or angle or scale:
        file = printers.save_numbers(printer, duplex_mode, landscape=landscape, x=x, y=y, angle=angle, line=scale)
        if press.as_json:
            print_document({"file": file.as_posix(), "printer": printer})
        sheet_kind = printers.turning_key(duplex_mode, landscape=landscape)
        verb = "Would save" if press.dry_run else "Saved"
        print_note(f"{verb} for the printer '{printer}' ({sheet_kind} sheets): {file}")
        return
    press.report_files(print_calibration_sheet(press.job("calibration"), duplex=duplex_mode, landscape=landscape))
