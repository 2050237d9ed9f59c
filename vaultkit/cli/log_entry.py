"""The input of `vaultkit log`: words and scores that are given, typed at a terminal, or kept in a journal."""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import typer

from vaultkit.campaign.game_notes import GameNotes, option_pairs
from vaultkit.campaign.log import check_target
from vaultkit.campaign.log_target.gm_sessions import date_order
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.players import Players, bare_name, take_players
from vaultkit.campaign.scoresheets import score_entry
from vaultkit.campaign.scoresheets.input_examples import example_toml, player_questions, score_flag
from vaultkit.campaign.scoresheets.input_formats import (
    find_sheet,
    read_flags,
    read_spoken_scores,
    split_files,
    take_date,
)
from vaultkit.campaign.scoresheets.paper_game import PaperGame, SavedTally, find_tally, paper_of
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.paper_record import Flags, PaperRecord
from vaultkit.campaign.scoresheets.score_entry import GIVEN, NOTE, KeptEntry, ScoreEntry
from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.context import (
    NOTHING_WRITTEN,
    CommandContext,
    before_writing,
    current_time,
    dry_run_sentence,
    print_logged_game,
)
from vaultkit.cli.output import print_error, print_lines, print_note, print_remarks, terminal
from vaultkit.cli.sheet_input import read_filled_sheet
from vaultkit.errors import UsageError, WriteError
from vaultkit.games.options import Options
from vaultkit.session.journal_files import delete_journal
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.terminal.confirmations import ask_yes_no, line_asker, player_confirmer
from vaultkit.text import join_words, quote_word
from vaultkit.vault.root_folder import surrounding_root

_OPTIONS_BY_WORD = {
    "edit": "--edit", "correct": "--edit", "change": "--edit", "delete": "--delete", "remove": "--delete",
}  # fmt: skip


def _refuse_change_words(sheets: ScoreSheets, words: Sequence[str]) -> None:
    """Raise UsageError for words such as `edit 1` or `1`, unless a game has that name."""
    option = _OPTIONS_BY_WORD.get(words[0].casefold(), "") if words else ""
    is_number = len(words) == 1 and words[0].isdecimal()
    if not (option or is_number) or sheets.has(" ".join(words)):
        return
    number = quote_word(" ".join(words[1:] if option else words) or "1")
    if option:
        raise UsageError(f"'{words[0]}' is an option here.", hint=f"Write: vaultkit log {option} {number}")
    hint = f"To correct a logged game: vaultkit log --edit {number}. To take it out: vaultkit log --delete {number}"
    raise UsageError(f"'{number}' is not a game that can be logged.", hint=hint)


def read_words(
    desk: CommandContext, words: Sequence[str], files: Sequence[Path], scores: Sequence[str]
) -> tuple[str | None, list[str], str | None, tuple[Path, ...]]:
    """Return the game, the players, the day, and the files that `words` and `files` name, as in `chess Ysolde Bram`.

    Raises UsageError for words that are none of these.
    """
    sheets = _score_sheets(desk)
    _refuse_change_words(sheets, words)
    other_words, paths = split_files(words, files)
    if len(other_words) < 2:
        return " ".join(other_words) or None, [], None, paths
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


def _score_sheets(desk: CommandContext) -> ScoreSheets:
    """Return the score sheets of the vault, or the shipped ones if no vault is named or around the current folder."""
    return ScoreSheets(None) if _is_without_vault(desk) else desk.workspace.score_sheets


def _is_without_vault(desk: CommandContext) -> bool:
    return desk.vault_option is None and surrounding_root(Path.cwd()) is None and not os.environ.get("VAULTKIT_VAULT")


def log_paper(desk: CommandContext, flags: Flags, *, again: bool, dry_run: bool) -> None:
    """Log a game with the scores that the flags give, or that a person types."""
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


def _log_paper_game(desk: CommandContext, paper_log: PaperLog, paper: PaperGame, *, again: bool) -> None:
    """Log a game whose scores are known, and print the result."""
    for doubt in () if paper.forced else paper.doubts:
        print_error(f"Cannot be true: {doubt}")
    session, log_result = paper_log.log(paper, again=again)
    for doubt in paper.doubts if paper.forced else ():
        print_note(f"Recorded with a remark: {doubt}")
    print_logged_game(desk, session, log_result, NOTHING_WRITTEN if paper_log.dry_run else "")


def _log_typed(desk: CommandContext, paper_log: PaperLog, record: PaperRecord, *, again: bool) -> None:
    """Ask a person for the scores, and log the game. Raises UsageError without a terminal."""
    paper_log.refuse_without_scores(record, can_ask=sys.stdin.isatty())
    workspace = paper_log.workspace
    with before_writing():
        paper = paper_log.read(record)
        check_target(workspace.vault, workspace.settings, paper.campaign)
        saved = next(score_entry.interrupted_entries(workspace.journals, paper.game), None)
        if saved and _wants_to_resume(saved, workspace, desk.as_json):
            resume_entry(desk, saved, paper_log)
            return
    option_names = tuple(option.partition("=")[0].strip() for option in record.flags.options)
    entries = [*[(GIVEN, *option_names)] * bool(option_names), *[(NOTE, paper.note)] * bool(paper.note)]
    entry_file = KeptEntry(ScoreEntry(paper, (), entries), workspace.root, current_time())
    _finish_entry(desk, paper_log, entry_file, again=again)
    if saved and not paper_log.dry_run:
        with suppress(WriteError):  # another process may have it open
            delete_journal(saved.path.parent, saved.id)


def _wants_to_resume(saved: SavedTally, workspace: Workspace, as_json: bool) -> bool:
    """Ask whether an interrupted entry is resumed. Raises KeyboardInterrupt if the person leaves."""
    ask = line_asker(partial(terminal, stderr=as_json))
    assert ask, "it was asked before whether somebody is there"
    question = f"Continue {score_entry.describe(saved, workspace.score_sheets)} (Enter), or start again instead (n)? "
    return ask_yes_no(question, ask, {"": True})


def resume_entry(desk: CommandContext, saved: SavedTally, paper_log: PaperLog | None = None) -> None:
    """Go on with an interrupted entry of scores, and log the game. Raises UsageError without a terminal."""
    if not sys.stdin.isatty():
        raise UsageError("This is not a terminal, so scores cannot be asked for.")
    workspace, now = desk.workspace, current_time()
    paper_log = paper_log or PaperLog(workspace, now, print_remarks)
    entry_file = KeptEntry.resume(saved, workspace.score_sheets, workspace.root, now)
    _finish_entry(desk, paper_log, entry_file, again=False)


def _finish_entry(desk: CommandContext, paper_log: PaperLog, entry_file: KeptEntry, *, again: bool) -> None:
    """Ask for the missing answers of an entry, log the game, and delete the file of the entry."""
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


def log_session(desk: CommandContext, id_ending: str, campaign: str | None, *, dry_run: bool) -> None:
    """Log a game or match from its journal, or a game with real cards from its kept scores, by its id.

    `id_ending` is the id or the end of it.
    """
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
    print_logged_game(desk, session, log_result, dry_run_sentence(session) if dry_run else "")


def _log_tally(desk: CommandContext, tally: SavedTally, campaign: str | None, *, dry_run: bool) -> None:
    paper = paper_of(tally, desk.workspace.score_sheets)
    paper = paper if campaign is None else replace(paper, campaign=campaign)
    log_result = PaperLog(desk.workspace, current_time(), print_remarks, dry_run=dry_run).finish(paper, tally.id)
    print_logged_game(desk, tally.id, log_result, NOTHING_WRITTEN if dry_run else "")


def print_example(desk: CommandContext, flags: Flags) -> None:
    """Print a file of scores to fill in, with the players and the house rules of the vault if there is one."""
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
