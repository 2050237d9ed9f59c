"""The command `vaultkit log`, which writes each finished game into the campaign notes once."""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from vaultkit.cli.context import (
    NOTHING_WRITTEN,
    CampaignOption,
    CommandContext,
    DryRunOption,
    before_writing,
    current_time,
    dry_run_sentence,
    log_fields,
    print_logged,
    print_unfinished,
    with_options,
)
from vaultkit.cli.output import print_document, print_error, print_lines, print_note, print_remarks, terminal
from vaultkit.cli.sheet_input import read_filled_sheet
from vaultkit.cli.unlogged_list import list_unlogged
from vaultkit.errors import UsageError, WriteError
from vaultkit.text import join_words, quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.log import LogResult
    from vaultkit.campaign.scoresheets.kept_entry import KeptEntry
    from vaultkit.campaign.scoresheets.paper_game import PaperGame, SavedTally
    from vaultkit.campaign.scoresheets.paper_log import PaperLog
    from vaultkit.campaign.scoresheets.paper_record import Flags, PaperRecord
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.games.options import Options
    from vaultkit.session.scoresheets import ScoreSheets


GameArgument = Annotated[
    list[str] | None,
    Argument(
        metavar="[GAME]",
        help="A game by id or title. Default: list games not logged yet. With --edit or --delete: a "
        "logged game by number (1 is the latest), title, note or id.",
    ),
]
ScoreOption = Annotated[
    list[str] | None,
    Option("--score", help='A player\'s scores (repeatable): "NAME: swords=23/1, stars=7/0, crowns=2".'),
]
FromOption = Annotated[
    list[Path] | None,
    Option("--from", help="A CSV, TSV or TOML file, or filled score sheets; - reads pasted text."),
]
SeatOption = Annotated[list[str] | None, Option("--seat", help="A player (repeatable); scores are asked for.")]
SetOption = Annotated[list[str] | None, Option("--set", help="A house rule, such as mode=competitive.")]
OutcomeOption = Annotated[str | None, Option("--outcome", help="Outcome, such as won, if scores don't decide it.")]
SessionOption = Annotated[str | None, Option("--session", help="A finished game by id or its last letters.")]
DateOption = Annotated[str | None, Option("--date", help="Date: 2026-11-03, yesterday, friday. Default: today.")]


@with_options
def log(
    desk: CommandContext,
    game: GameArgument = None,
    score: ScoreOption = None,
    files: FromOption = None,
    seat: SeatOption = None,
    outcome: OutcomeOption = None,
    option: SetOption = None,
    date: DateOption = None,
    note: Annotated[str, Option("--note", help="A comment for the game note.")] = "",
    force: Annotated[bool, Option("--force", help="Accept impossible scores, with a remark.")] = False,
    again: Annotated[bool, Option("--again", help="Log a second game with the same scores.")] = False,
    example: Annotated[bool, Option("--example", help="Print an example file for --from.")] = False,
    session: SessionOption = None,
    edit: Annotated[bool, Option("--edit", help="Correct a logged game.")] = False,
    delete: Annotated[bool, Option("--delete", help="Delete a logged game, after asking.")] = False,
    keep_text: Annotated[
        bool, Option("--keep-text", help="With --delete: keep your own text in the game note.")
    ] = False,
    campaign: CampaignOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Log a game played on paper or with real cards; --edit corrects a logged game.

    Asks for scores, or reads them from --score, a file or filled score sheets. Nothing is logged twice.

    --edit updates notes, rewards and statistics. --delete needs the game's name outside a terminal. Your own text
    stays; `undo` reverts everything.

    For example: vaultkit log chess --score "Ysolde: colour=White, result=won" --score "Bram: colour=Black, result=lost"
    """
    from vaultkit.campaign.dates import absolute_day, read_date
    from vaultkit.campaign.players import split_names
    from vaultkit.campaign.scoresheets.paper_record import Flags
    from vaultkit.cli.log_changes import refuse_change_words

    if edit or delete:
        name, players, day, paths = " ".join(game or ()) or None, list[str](), None, tuple(files or ())
        if delete and date:  # the day is part of what names the game
            name, date = " ".join(filter(None, (name, date))), None
    else:
        refuse_change_words(_score_sheets(desk), game or ())
        name, players, day, paths = _read_words(desk, game or (), files or (), score or ())
    date = date if day is None else day
    flags = Flags(
        game=name,
        scores=score or (),
        seats=(*players, *split_names(seat or ())),
        files=paths,
        options=option or (),
        outcome=outcome,
        date=read_date(absolute_day(date, current_time().date())).isoformat() if date else date,
        note=note,
        campaign=campaign,
        force=force,
    )
    if edit or delete or keep_text:
        _change_logged(desk, flags, edit=edit, delete=delete, keep_text=keep_text, dry_run=dry_run,
                       is_alone=session is None and not (example or again))  # fmt: skip
        return
    if example and session is None:
        if again or dry_run or flags != Flags(game=name, seats=flags.seats, options=flags.options):
            command = f"vaultkit log {quote_word(name or 'GAME')} --example"
            hint = f"To keep it: {command} > scores.toml. Besides the game it takes --seat and --set."
            raise UsageError("--example shows an empty file; nothing is logged.", hint=hint)
        _print_example(desk, flags)
        return
    if session is not None:
        if not flags.is_empty or again or example:
            raise UsageError("--session logs a game as it was played, so it takes no scores or players.")
        if not session.strip():
            raise UsageError("--session names no game.", hint="See which ones can be logged: vaultkit log")
        _log_session(desk, session, campaign, dry_run=dry_run)
    elif flags.is_empty and not again:
        if campaign is not None or dry_run:
            flag = "--dry-run" if campaign is None else "--campaign"
            raise UsageError(f"{flag} needs a game to log.", hint=f"Name it: vaultkit log GAME {flag}")
        list_unlogged(desk.workspace, as_json=desk.as_json)
    else:
        _log_paper(desk, flags, again=again, dry_run=dry_run)


def _change_logged(
    desk: CommandContext, flags: "Flags", *, edit: bool, delete: bool, keep_text: bool, dry_run: bool, is_alone: bool
) -> None:
    """Change or remove a logged game. Raises UsageError for options that cannot be combined."""
    from vaultkit.cli.log_changes import delete_logged, edit_logged

    if edit == delete:
        if keep_text and not edit:
            hint = f"Write: vaultkit log --delete {quote_word(flags.game or '1')} --keep-text"
            raise UsageError("--keep-text goes with --delete.", hint=hint)
        raise UsageError("Choose one: --edit or --delete.")
    if not is_alone:
        raise UsageError(f"--{'edit' if edit else 'delete'} takes none of --example, --session and --again.")
    if edit and keep_text:
        raise UsageError("--keep-text goes with --delete.")
    if edit:
        read_sheet = partial(read_filled_sheet, workspace=desk.workspace, as_json=desk.as_json)
        edit_logged(desk, flags, read_sheet, dry_run=dry_run)
    elif not replace(flags, game=None).is_empty or flags.campaign is not None:
        raise UsageError("--delete takes a game, --keep-text and --dry-run.", hint="vaultkit log --delete 1 --dry-run")
    else:
        delete_logged(desk, flags.game or "", keep_text=keep_text, dry_run=dry_run)


def _read_words(
    desk: CommandContext, words: Sequence[str], files: Sequence[Path], scores: Sequence[str]
) -> "tuple[str | None, list[str], str | None, tuple[Path, ...]]":
    """Return the game, the players, the day, and the files that `words` and `files` name, as in `chess Ysolde Bram`.

    Raises UsageError for words that are none of these.
    """
    from vaultkit.campaign.log_target.gm_sessions import date_order
    from vaultkit.campaign.players import Players, take_players
    from vaultkit.campaign.scoresheets.input_examples import player_questions, score_flag
    from vaultkit.campaign.scoresheets.input_formats import read_spoken_scores, split_files, take_date
    from vaultkit.session.options import settle

    other_words, paths = split_files(words, files)
    if len(other_words) < 2:
        return " ".join(other_words) or None, [], None, paths
    sheets = _score_sheets(desk)
    name, rest = sheets.split_words(other_words)
    find_order = partial(date_order, desk.vault, desk.workspace.settings)
    day, rest = take_date(rest, current_time().date(), find_order)
    if not rest:
        return name, [], day, paths
    names, rest = take_players(rest, Players(desk.vault, desk.workspace.settings.players))
    if rest:
        sheet = sheets.find(name)
        example = score_flag(sheet, settle(sheet, {}))
        if scores or any(re.match(r"[-+]?\d|[^=:]+[=:]", word) for word in rest):
            questions, has_one_name = tuple(player_questions(sheet, settle(sheet, {}))), len(names) < 2
            flags = read_spoken_scores((*scores, *names, *rest), questions) if has_one_name else []
            hint = f"Put what --score says in quotes: {' '.join(flags) or example}"
            raise UsageError(f"Scores without an option: {join_words(map(repr, rest))}.", hint=hint)
        hint = f"Scores are given with an option: {example}. Somebody without a note, too: --seat NAME"
        raise UsageError(f"There is no player '{rest[0]}' in this vault.", hint=hint)
    return name, names, day, paths


def _score_sheets(desk: CommandContext) -> "ScoreSheets":
    """Return the score sheets of the vault, or the shipped ones if no vault is named or around the current folder."""
    from vaultkit.session.scoresheets import ScoreSheets

    return ScoreSheets(None) if _is_without_vault(desk) else desk.workspace.score_sheets


def _is_without_vault(desk: CommandContext) -> bool:
    from vaultkit.vault.root_folder import surrounding_root

    return desk.vault_option is None and surrounding_root(Path.cwd()) is None and not os.environ.get("VAULTKIT_VAULT")


def _log_paper(desk: CommandContext, flags: "Flags", *, again: bool, dry_run: bool) -> None:
    from vaultkit.campaign.scoresheets.input_formats import read_flags
    from vaultkit.campaign.scoresheets.paper_log import PaperLog
    from vaultkit.terminal.confirmations import player_confirmer

    workspace = desk.workspace
    confirm_player = player_confirmer(partial(terminal, stderr=desk.as_json))
    paper_log = PaperLog(workspace, current_time(), print_remarks, confirm_player, dry_run)
    record = read_flags(flags, workspace.score_sheets, lambda path: read_filled_sheet(path, workspace, desk.as_json))
    if not again:
        paper_log.refuse_logged(record)
    if not record.has_scores:
        _log_typed(desk, paper_log, record, again=again)
        return
    paper = paper_log.read(record)
    _log_paper_game(desk, paper_log, paper, again=again)


def _log_paper_game(desk: CommandContext, paper_log: "PaperLog", paper: "PaperGame", *, again: bool) -> None:
    """Log a game whose scores are known, and print the result."""
    for doubt in () if paper.forced else paper.doubts:
        print_error(f"Cannot be true: {doubt}")
    session, log_result = paper_log.log(paper, again=again)
    for doubt in paper.doubts if paper.forced else ():
        print_note(f"Recorded with a remark: {doubt}")
    _print_logged(desk, session, log_result, NOTHING_WRITTEN if paper_log.dry_run else "")


def _log_typed(desk: CommandContext, paper_log: "PaperLog", record: "PaperRecord", *, again: bool) -> None:
    """Ask a person for the scores, and log the game. Raises UsageError without a terminal."""
    paper_log.refuse_without_scores(record, can_ask=sys.stdin.isatty())
    from vaultkit.campaign.log import check_target
    from vaultkit.campaign.scoresheets.kept_entry import KeptEntry, interrupted_entries
    from vaultkit.campaign.scoresheets.score_entry import GIVEN, NOTE, ScoreEntry
    from vaultkit.session.journal_files import delete_journal

    workspace = paper_log.workspace
    with before_writing():
        paper = paper_log.read(record)
        check_target(workspace.vault, workspace.settings, paper.campaign)
        saved = next(interrupted_entries(workspace.journals, paper.game), None)
        if saved and _wants_to_resume(saved, workspace, desk.as_json):
            resume_entry(desk, saved, paper_log)
            return
    option_names = tuple(option.partition("=")[0].strip() for option in record.flags.options)
    entries = [*[(GIVEN, *option_names)] * bool(option_names), *[(NOTE, paper.note)] * bool(paper.note)]
    kept_entry = KeptEntry(ScoreEntry(paper, (), entries), workspace.root, current_time())
    _finish_entry(desk, paper_log, kept_entry, again=again)
    if saved and not paper_log.dry_run:
        with suppress(WriteError):  # another process may have it open
            delete_journal(saved.path.parent, saved.id)


def _wants_to_resume(saved: "SavedTally", workspace: "Workspace", as_json: bool) -> bool:
    """Ask whether an interrupted entry is resumed. Raises KeyboardInterrupt if the person leaves."""
    from vaultkit.campaign.scoresheets.kept_entry import describe
    from vaultkit.terminal.confirmations import ask_yes_no, line_asker

    ask = line_asker(partial(terminal, stderr=as_json))
    assert ask, "it was asked before whether somebody is there"
    question = f"Continue {describe(saved, workspace.score_sheets)} (Enter), or start again instead (n)? "
    return ask_yes_no(question, ask, {"": True})


def resume_entry(desk: CommandContext, saved: "SavedTally", paper_log: "PaperLog | None" = None) -> None:
    """Go on with an interrupted entry of scores, and log the game. Raises UsageError without a terminal."""
    from vaultkit.campaign.scoresheets.kept_entry import KeptEntry
    from vaultkit.campaign.scoresheets.paper_log import PaperLog

    if not sys.stdin.isatty():
        raise UsageError("This is not a terminal, so scores cannot be asked for.")
    workspace, now = desk.workspace, current_time()
    paper_log = paper_log or PaperLog(workspace, now, print_remarks)
    entry_file = KeptEntry.resume(saved, workspace.score_sheets, workspace.root, now)
    _finish_entry(desk, paper_log, entry_file, again=False)


def _finish_entry(desk: CommandContext, paper_log: "PaperLog", entry_file: "KeptEntry", *, again: bool) -> None:
    """Ask for what is missing of an entry, log the game, and delete the file of the entry."""
    from vaultkit.terminal.answer_sources import TerminalSource
    from vaultkit.terminal.score_entry_prompt import ScorePrompt
    from vaultkit.terminal.screen import Screen

    try:
        with before_writing():
            (_, deck), console = paper_log.find_sources(entry_file.entry.paper), terminal(stderr=desk.as_json)
            cards = entry_file.entry.paper.cards(deck)
            stage = Screen(console, TerminalSource(console)).stage(cards)
            paper = ScorePrompt(stage, paper_log, entry_file.entry, cards, entry_file.keep).ask()
    except typer.Exit:
        if entry_file.session:
            print_note(f"What you typed is kept. Continue with: vaultkit resume {entry_file.session[-4:]}")
        raise
    finally:
        entry_file.close()
    _log_paper_game(desk, paper_log, paper, again=again)
    if not paper_log.dry_run:
        entry_file.discard()


def _print_logged(desk: CommandContext, session: str, log_result: "LogResult", dry_run_text: str) -> None:
    """Print the result of logging a game, and which other commands were interrupted.

    `dry_run_text` is the sentence printed after a dry run, "" without a dry run.
    """
    print_logged(desk.workspace, log_result, dry_run_text, as_json=desk.as_json)
    if desk.as_json:
        print_document({"session": session, **log_fields(log_result, dry_run=bool(dry_run_text))})
    print_unfinished(desk.workspace, session)


def _log_session(desk: CommandContext, id_ending: str, campaign: str | None, *, dry_run: bool) -> None:
    """Log a game or match from its journal, or a game with real cards from its kept scores, by its id.

    `id_ending` is the id or the end of it.
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.matches import MatchNotes
    from vaultkit.campaign.scoresheets.paper_game import find_tally

    workspace = desk.workspace
    if tally := find_tally(workspace.journals, id_ending):
        _log_tally(desk, tally, campaign, dry_run=dry_run)
        return
    if match_notes := MatchNotes.from_saved(workspace, id_ending):
        campaign = match_notes.match.header.agreement.campaign if campaign is None else campaign
        log_result, session = match_notes.log(campaign, now=current_time(), dry_run=dry_run), match_notes.match.id
    else:
        notes, saved, _ = GameNotes.from_saved(workspace, id_ending)
        with notes.resume(saved.path, current_time) as game:
            campaign = game.header.agreement.campaign if campaign is None else campaign
            log_result, session = notes.log(game, campaign, now=current_time(), dry_run=dry_run), saved.id
    _print_logged(desk, session, log_result, dry_run_sentence(session) if dry_run else "")


def _log_tally(desk: CommandContext, tally: "SavedTally", campaign: str | None, *, dry_run: bool) -> None:
    from vaultkit.campaign.scoresheets.paper_game import paper_of
    from vaultkit.campaign.scoresheets.paper_log import PaperLog

    paper = paper_of(tally, desk.workspace.score_sheets)
    paper = paper if campaign is None else replace(paper, campaign=campaign)
    log_result = PaperLog(desk.workspace, current_time(), print_remarks, dry_run=dry_run).finish(paper, tally.id)
    _print_logged(desk, tally.id, log_result, NOTHING_WRITTEN if dry_run else "")


def _print_example(desk: CommandContext, flags: "Flags") -> None:
    """Print a file of scores to fill in, with the players and the house rules of the vault if there is one."""
    from vaultkit.campaign.game_notes import option_pairs
    from vaultkit.campaign.players import bare_name
    from vaultkit.campaign.scoresheets.input_examples import example_toml
    from vaultkit.campaign.scoresheets.input_formats import find_sheet
    from vaultkit.campaign.scoresheets.paper_log import PaperLog
    from vaultkit.campaign.scoresheets.paper_record import PaperRecord
    from vaultkit.session.options import settle

    record, sheets = PaperRecord(flags=flags), _score_sheets(desk)
    sheet = find_sheet(flags, sheets, record)
    if _is_without_vault(desk):
        players = flags.seats
        options: Options = settle(sheet, option_pairs(flags.options))
    else:
        workspace = desk.workspace
        options = PaperLog(workspace, current_time()).options(sheet, record)
        players = flags.seats or tuple(map(bare_name, workspace.settings.players))
    print_lines(example_toml(sheet, options, players, current_time().date()))
