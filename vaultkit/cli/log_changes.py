"""Edits and deletions of logged games, for the command `vaultkit log --edit` and `vaultkit log --delete`."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit.cli.context import (
    NOTHING_WRITTEN,
    CommandContext,
    before_writing,
    current_time,
    log_fields,
    print_logged,
    print_unfinished,
    print_written_notes,
)
from vaultkit.cli.output import print_document, print_note, print_remarks, print_result, terminal
from vaultkit.errors import UsageError
from vaultkit.text import quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.correction.logged import LoggedGame
    from vaultkit.campaign.logged_game import PlayedGame
    from vaultkit.campaign.scoresheets.paper_log import PaperLog
    from vaultkit.campaign.scoresheets.paper_record import Flags, PaperRecord
    from vaultkit.campaign.scoresheets.sheet_merge import FilledSheet
    from vaultkit.session.scoresheets import ScoreSheets


ReadSheet = Callable[[Path], "FilledSheet"]
"""A function that reads a filled score sheet."""


def edit_logged(desk: CommandContext, flags: "Flags", read_sheet: ReadSheet, *, dry_run: bool) -> None:
    """Change a logged game as the flags say; without flags, ask for changes at a terminal, else only print the game."""
    from vaultkit.campaign.correction.edit import edit_game, find_logged
    from vaultkit.campaign.scoresheets.paper_log import PaperLog
    from vaultkit.terminal.confirmations import player_confirmer

    workspace, now = desk.workspace, current_time()
    game = find_logged(workspace, flags.game or "", now)
    confirm_player = player_confirmer(partial(terminal, stderr=desk.as_json))
    paper_log = PaperLog(workspace, now, print_remarks, confirm_player, dry_run)
    if replace(flags, game=None) != type(flags)():
        record, campaign = _read_changes(game, flags, read_sheet), flags.campaign
    else:
        _print_entered(game, as_json=desk.as_json)
        if desk.as_json or not sys.stdin.isatty():
            _finish_interrupted_edit(desk, game, dry_run=dry_run)
            return
        record, campaign = _ask_changes(game, paper_log, desk.as_json)
    log_result = edit_game(paper_log, game.played.session, lambda _: record, campaign=campaign).log_result
    print_logged(workspace, log_result, NOTHING_WRITTEN if dry_run else "", as_json=desk.as_json)
    if desk.as_json:
        print_document({"session": game.played.session, **log_fields(log_result, dry_run=dry_run)})
    print_unfinished(workspace, game.played.session)


def _finish_interrupted_edit(desk: CommandContext, game: "LoggedGame", *, dry_run: bool) -> None:
    """Finish an edit that was cut off, and print how the game is edited."""
    from vaultkit.campaign.correction.edit import finish_edit

    paths = () if dry_run else finish_edit(desk.workspace, game.played.session, current_time())
    print_written_notes(desk.workspace.root, paths, as_json=desk.as_json)
    example = "--date, --seat, --note, --campaign" if game.locked else "--score, --date, --seat, --note, --campaign"
    print_note(f"To change it, say what: vaultkit log --edit {game.played.session[-4:]} with {example}.")


def delete_logged(desk: CommandContext, name: str, *, keep_text: bool, dry_run: bool) -> None:
    """Delete a logged game from the vault, and print the changes.

    A person at a terminal is asked first. Elsewhere a game that is not named is only shown.
    """
    from vaultkit.campaign.correction.delete import delete_game
    from vaultkit.campaign.game_lookup import GameLookup

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
def _confirm_deletion(desk: CommandContext, played: "PlayedGame") -> None:
    """Show a game, and ask whether it is deleted. Raises PlayerQuit if it is not."""
    from vaultkit.campaign.game_lookup import describe_game
    from vaultkit.terminal.answer_sources import PlayerQuit
    from vaultkit.terminal.confirmations import ask_yes_no, line_asker

    players = ", ".join(f"{player.name} {player.score:g}" if player.score is not None else player.name
                        for player in played.participants)  # fmt: skip
    print_note(f"{describe_game(played)}: {players} ({played.note})")
    ask = line_asker(partial(terminal, stderr=desk.as_json))
    assert ask is not None, "somebody is at the terminal"
    if not ask_yes_no("Delete this game (y or n)? ", ask, {"": False}):
        raise PlayerQuit


def _read_changes(game: "LoggedGame", flags: "Flags", read_sheet: ReadSheet) -> "PaperRecord":
    """Return the changes that the flags describe."""
    from vaultkit.campaign.scoresheets.input_formats import read_flags
    from vaultkit.campaign.scoresheets.paper_record import PaperRecord

    flags = replace(flags, game=game.played.game)
    if game.locked:  # scores are refused, and the game may have no score sheet
        return PaperRecord(game=game.played.game, note=flags.note, flags=flags)
    # `--seat` may stand beside `--score` here: it says who played, and nobody is asked.
    record = read_flags(replace(flags, seats=()), game.workspace.score_sheets, read_sheet)
    return replace(record, flags=flags)


@before_writing()
def _ask_changes(game: "LoggedGame", paper_log: "PaperLog", as_json: bool) -> "tuple[PaperRecord, str | None]":
    from vaultkit.campaign.correction.edit import preview_edit
    from vaultkit.terminal.confirmations import line_asker
    from vaultkit.terminal.edit_prompt import ask_changes

    ask = line_asker(partial(terminal, stderr=as_json))
    assert ask is not None, "somebody is at the terminal"
    return ask_changes(game, ask, print_note, lambda record: preview_edit(game, record, paper_log))


def _print_entered(game: "LoggedGame", *, as_json: bool) -> None:
    """Print a game as it was entered."""
    from vaultkit.terminal.edit_prompt import game_lines

    if as_json:
        print_document(_entered_document(game))
        return
    for line in game_lines(game):
        print_result(line)
    if game.locked:
        print_note(game.locked)


def _entered_document(game: "LoggedGame") -> dict[str, Any]:
    from vaultkit.campaign.correction.paper_edit import score_texts

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


_OPTIONS_BY_WORD = {
    "edit": "--edit", "correct": "--edit", "change": "--edit", "delete": "--delete", "remove": "--delete",
}  # fmt: skip


def refuse_change_words(sheets: "ScoreSheets", words: Sequence[str]) -> None:
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
