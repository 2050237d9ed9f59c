"""The command `vaultkit sessions`, which lists the games of a vault."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from typer import Option

from vaultkit.cli.context import CommandContext, DryRunOption, with_options
from vaultkit.cli.output import can_draw, print_document, print_item, print_note, print_table
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.campaign.saved_games import SavedGame
    from vaultkit.campaign.workspace import Workspace


@with_options
def sessions(
    desk: CommandContext,
    discard: Annotated[str | None, Option("--discard", help="Delete this saved game.")] = None,
    dry_run: DryRunOption = False,
) -> None:
    """List the saved games.

    For example: vaultkit sessions
    """
    from vaultkit.campaign import saved_games

    journals = desk.workspace.journals
    if discard is not None:
        discarded_id = saved_games.discard(journals, discard, dry_run=dry_run)
        if not dry_run:
            _forget_saved_table(discarded_id)
        print_note(f"{'Would discard' if dry_run else 'Discarded'}: {discarded_id}")
        if desk.as_json:
            print_document({"discarded": discarded_id})
        return
    games = list(saved_games.saved_games(journals))
    if desk.as_json:
        print_document(games)
        return
    _print_games(_with_undone_logs(games, desk.workspace), desk.workspace)
    for game in games:
        if game.problem and game.game:
            print_note(f"{game.session}: {game.problem}")
    if not games:
        print_note("No game was played in this vault yet. Begin one with: vaultkit play dragon-citadel")


def _with_undone_logs(games: "Sequence[SavedGame]", workspace: "Workspace") -> "list[SavedGame]":
    """Return the games, with a standing such as `finished, note deleted` for each without its note."""
    from vaultkit.campaign.unlogged_games import find_unlogged_games

    unlogged_games = find_unlogged_games(workspace.vault, workspace.journals) if games else ()
    standings = {game.session: game.standing for game in unlogged_games}
    return [
        replace(game, standing=", ".join([game.standing, *filter(None, [standings.get(game.session)])]))
        for game in games
    ]


def _print_games(games: "Sequence[SavedGame]", workspace: "Workspace") -> None:
    """Print the games: on a terminal two lines for each, with the last letters of its id, into a pipe a row."""
    if not can_draw():
        rows = ([game.session, game.standing, game.moves, _start_time(game), _seats_text(game)] for game in games)
        print_table(["session", "standing", "moves", "started", "seats"], rows)
        return
    titles = workspace.score_sheets.title
    for number, game in enumerate(games, 1):
        moves = [format_count(game.moves, "move")] if game.moves else []
        parts = [_title_text(game, titles), _start_time(game), game.standing, *moves, game.session[-4:]]
        print_item(f"{number:>3}  ", "   ".join(parts))
        print_item("     ", _seats_text(game))
    if games:
        print_note("Continue one: vaultkit resume ID. Discard one: vaultkit sessions --discard ID")


def _title_text(game: "SavedGame", titles: Callable[[str], str]) -> str:
    title = titles(game.game or "")
    return f"{title}, match of {game.match}" if game.match else title


def _start_time(game: "SavedGame") -> str:
    """Return the day, and if known the local time, at which a game was started."""
    started = game.started or ""
    return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M}" if "T" in started else started


def _seats_text(game: "SavedGame") -> str:
    return ", ".join(game.seats) or game.problem or ""


def _forget_saved_table(session: str) -> None:
    from vaultkit.web.saved_tables import SavedTable

    if saved_table := SavedTable.of_session(session):
        saved_table.forget()
