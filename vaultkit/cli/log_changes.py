"""Edits and deletions of logged games, for the command `vaultkit log --edit` and `vaultkit log --delete`."""

import sys
from dataclasses import replace
from functools import partial
from typing import Any

from vaultkit.campaign.correction.delete import delete_game
from vaultkit.campaign.correction.edit import COMMAND, edit_game, find_logged, preview_edit
from vaultkit.campaign.correction.logged import LoggedGame
from vaultkit.campaign.correction.paper_edit import score_texts
from vaultkit.campaign.game_lookup import GameLookup, describe_game
from vaultkit.campaign.logged_game import PlayedGame
from vaultkit.campaign.scoresheets.input_formats import read_flags
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.paper_record import Flags, PaperRecord
from vaultkit.cli.context import (
    NOTHING_WRITTEN,
    CommandContext,
    before_writing,
    current_time,
    log_fields,
    print_logged,
    print_logged_game,
    print_unfinished,
    print_written_notes,
)
from vaultkit.cli.output import print_document, print_note, print_remarks, print_result, terminal
from vaultkit.cli.sheet_input import read_filled_sheet
from vaultkit.errors import UsageError
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.confirmations import ask_yes_no, line_asker, player_confirmer
from vaultkit.terminal.edit_prompt import ask_changes, game_lines
from vaultkit.text import quote_word
from vaultkit.vault.writing.interrupted_commands import finish_interrupted


def change_logged(
    desk: CommandContext, flags: Flags, *, edit: bool, delete: bool, keep_text: bool, dry_run: bool, is_alone: bool
) -> None:
    """Change or remove a logged game. Raises UsageError for options that cannot be combined."""
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
        _edit_logged(desk, flags, dry_run=dry_run)
    elif not replace(flags, game=None).is_empty or flags.campaign is not None:
        raise UsageError("--delete takes a game, --keep-text and --dry-run.", hint="vaultkit log --delete 1 --dry-run")
    else:
        _delete_logged(desk, flags.game or "", keep_text=keep_text, dry_run=dry_run)


def _edit_logged(desk: CommandContext, flags: Flags, *, dry_run: bool) -> None:
    """Change a logged game as the flags say; without flags, ask for changes at a terminal, else only print the game."""
    workspace, now = desk.workspace, current_time()
    game = find_logged(workspace, flags.game or "", now)
    confirm_player = player_confirmer(partial(terminal, stderr=desk.as_json))
    paper_log = PaperLog(workspace, now, print_remarks, confirm_player, dry_run)
    if replace(flags, game=None) != Flags():
        record, campaign = _read_changes(game, flags, as_json=desk.as_json), flags.campaign
    else:
        _print_entered(game, as_json=desk.as_json)
        if desk.as_json or not sys.stdin.isatty():
            _finish_interrupted_edit(desk, game, dry_run=dry_run)
            return
        record, campaign = _ask_changes(game, paper_log, desk.as_json)
    log_result = edit_game(paper_log, game.played.session, lambda _: record, campaign=campaign)
    print_logged_game(desk, game.played.session, log_result, NOTHING_WRITTEN if dry_run else "")


def _finish_interrupted_edit(desk: CommandContext, game: LoggedGame, *, dry_run: bool) -> None:
    """Finish an edit that was cut off, and print how the game is edited."""
    session = game.played.session
    paths = () if dry_run else finish_interrupted(desk.vault, COMMAND, session, now=current_time())
    print_written_notes(desk.workspace.root, paths, as_json=desk.as_json)
    example = "--date, --seat, --note, --campaign" if game.locked else "--score, --date, --seat, --note, --campaign"
    print_note(f"To change it, say what: vaultkit log --edit {game.played.session[-4:]} with {example}.")


def _delete_logged(desk: CommandContext, name: str, *, keep_text: bool, dry_run: bool) -> None:
    """Delete a logged game from the vault, and print the changes.

    A person at a terminal is asked first. Elsewhere a game that is not named is only shown.
    """
    workspace, now = desk.workspace, current_time()
    played = GameLookup(workspace.vault, workspace.settings.players).find_numbered(name, now.date())
    is_unnamed = not name.strip() and not sys.stdin.isatty()
    log_result = delete_game(
        workspace, played.session, keep_text=keep_text, now=now, dry_run=dry_run or is_unnamed or sys.stdin.isatty()
    )
    if not dry_run and sys.stdin.isatty():
        _confirm_deletion(desk, played)
        log_result = delete_game(workspace, played.session, keep_text=keep_text, now=now)
    dry_run = dry_run or is_unnamed
    print_logged(workspace, replace(log_result, written=()), NOTHING_WRITTEN if dry_run else "", as_json=desk.as_json)
    if is_unnamed:
        print_note(f"To delete this game, name it: vaultkit log --delete {played.session[-4:]}")
    elif not dry_run:
        verb = "Kept with your text" if (workspace.root / played.note).exists() else "Taken out"
        print_note(f"{verb}: {played.note}. To restore the game: vaultkit undo")
    if desk.as_json:
        fields = log_fields(replace(log_result, note=played.note), dry_run=dry_run)
        print_document({"session": played.session, **fields})
    print_unfinished(workspace, played.session)


@before_writing()
def _confirm_deletion(desk: CommandContext, played: PlayedGame) -> None:
    """Show a game, and ask whether it is deleted. Raises PlayerQuit if it is not."""
    players = ", ".join(f"{player.name} {player.score:g}" if player.score is not None else player.name
                        for player in played.participants)  # fmt: skip
    print_note(f"{describe_game(played)}: {players} ({played.note})")
    ask = line_asker(partial(terminal, stderr=desk.as_json))
    assert ask is not None, "somebody is at the terminal"
    if not ask_yes_no("Delete this game (y or n)? ", ask, {"": False}):
        raise PlayerQuit


def _read_changes(game: LoggedGame, flags: Flags, *, as_json: bool) -> PaperRecord:
    """Return the changes that the flags describe."""
    flags = replace(flags, game=game.played.game)
    if game.locked:  # scores are refused, and the game may have no score sheet
        return PaperRecord(game=game.played.game, note=flags.note, flags=flags)
    read_sheet = partial(read_filled_sheet, workspace=game.workspace, as_json=as_json)
    # `--seat` may stand beside `--score` here: it says who played, and nobody is asked.
    record = read_flags(replace(flags, seats=()), game.workspace.score_sheets, read_sheet)
    return replace(record, flags=flags)


@before_writing()
def _ask_changes(game: LoggedGame, paper_log: PaperLog, as_json: bool) -> tuple[PaperRecord, str | None]:
    ask = line_asker(partial(terminal, stderr=as_json))
    assert ask is not None, "somebody is at the terminal"
    return ask_changes(game, ask, print_note, lambda record: preview_edit(game, record, paper_log))


def _print_entered(game: LoggedGame, *, as_json: bool) -> None:
    """Print a game as it was entered."""
    if as_json:
        print_document(_entered_document(game))
        return
    for line in game_lines(game):
        print_result(line)
    if game.locked:
        print_note(game.locked)


def _entered_document(game: LoggedGame) -> dict[str, Any]:
    paper, result = game.paper, game.result
    names = [seat.name for seat in result.seats]
    scores = (
        [score_texts(paper, seat) for seat in range(len(names))] if paper and not game.locked else [{}] * len(names)
    )
    return {
        "session": game.played.session,
        "note": game.note.path,
        "game": game.played.game,
        "date": result.date.isoformat(),
        "players": [{"name": name, "scores": texts} for name, texts in zip(names, scores, strict=True)],
        "comment": result.note,
        "campaign_note": game.line_path or None,
        "locked": game.locked or None,
    }
