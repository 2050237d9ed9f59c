"""The list of games that `vaultkit log` can log: those without a note yet, and those whose notes were removed."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from vaultkit.cli.context import print_unfinished
from vaultkit.cli.output import print_document, print_note, print_result
from vaultkit.text import join_words

if TYPE_CHECKING:
    from vaultkit.campaign.unlogged_games import UnloggedGame
    from vaultkit.campaign.workspace import Workspace

_MAX_LISTED_GAMES = 5
"""The maximum number of games that a sentence lists."""


def list_unlogged(workspace: "Workspace", *, as_json: bool) -> None:
    """Print the games that can be logged and are not, each with the command that logs it."""
    from vaultkit.campaign.unlogged_games import find_unlogged_games

    games = find_unlogged_games(workspace.vault, workspace.journals)
    if as_json:
        print_document([{**asdict(game), "command": game.command} for game in games])
        return
    due_games = [game for game in games if game.is_due]
    for game in due_games:
        print_result(f"{game.title(workspace.score_sheets)}: {join_words(game.players)}")
        print_result(f"  {game.command}")
    print_unfinished(workspace)
    if due_games:
        print_note("To discard one instead: vaultkit sessions --discard ID")
    elif games:
        print_note("There are no games to log.")
    else:
        print_note("Every finished game is in the campaign notes.")
    _print_removed(workspace, [game for game in games if not game.is_due])
    print_note("To log a game that you played with real cards: vaultkit log GAME")


def _print_removed(workspace: "Workspace", games: "Sequence[UnloggedGame]") -> None:
    """Print the games that were logged once and whose notes have since been removed on purpose."""
    if not games:
        return
    first_games, rest = games[:_MAX_LISTED_GAMES], games[_MAX_LISTED_GAMES:]
    texts = [f"{game.title(workspace.score_sheets)} ({game.session[-4:]}, {game.standing})" for game in first_games]
    rest_text = f" and {len(rest)} more (vaultkit log --json)" if rest else ""
    print_note(f"Logged once, but no longer in the notes: {'; '.join(texts)}{rest_text}.")
    id_end = games[0].session[-4:]
    print_note(
        f"To log one again: vaultkit log --session {id_end}. To discard it: vaultkit sessions --discard {id_end}"
    )
