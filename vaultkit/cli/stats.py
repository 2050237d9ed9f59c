"""The command `vaultkit stats`, which shows who plays what and who wins, from the notes of the games."""

from typing import TYPE_CHECKING, Annotated

from typer import Option

from vaultkit.cli.context import DryRunOption, IndexedContext, current_time, print_written_notes, with_options
from vaultkit.cli.output import print_diff as show
from vaultkit.cli.output import print_document, print_note, print_problem, print_result
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.campaign.stats.game_list import GameList
    from vaultkit.campaign.stats.statistics import Statistics

MAX_PROBLEM_LINES = 20
"""The maximum number of printed problems in notes of games."""

GameOption = Annotated[
    list[str] | None, Option("--game", help="Only this game, by its id or title. Several: any of them.")
]
PlayerOption = Annotated[
    list[str] | None, Option("--player", help="Only games in which this player took part. Several: all of them.")
]
SinceOption = Annotated[str, Option("--since", metavar="DATE", help="Only games from this day on: 2026-11-03.")]
UntilOption = Annotated[str, Option("--until", metavar="DATE", help="Only games up to this day, it included.")]
BotsOption = Annotated[bool, Option("--bots", help="Bots count as players, too.")]
PlainOption = Annotated[
    bool, Option("--plain", help="One fact a line and no charts, for screen readers and simple terminals.")
]
WriteOption = Annotated[bool, Option("--write", help="Keep the note of statistics and the list of games up to date.")]


@with_options
def stats(
    desk: IndexedContext,
    game: GameOption = None,
    player: PlayerOption = None,
    since: SinceOption = "",
    until: UntilOption = "",
    bots: BotsOption = False,
    write: WriteOption = False,
    dry_run: DryRunOption = False,
    plain: PlainOption = False,
) -> None:
    """Who plays what and who wins, from the notes of the games.

    Those notes are the database: one that is edited or deleted simply counts. --write keeps a note up to date between
    two comments of its own, and leaves alone what stands around them; `undo` takes that back.

    For example: vaultkit stats --since 2026-09-01
    """
    from vaultkit.campaign.dates import absolute_day
    from vaultkit.campaign.stats.selection import Selection
    from vaultkit.campaign.stats.stats_document import stats_document

    first_day, last_day = (absolute_day(day, current_time().date()) for day in (since, until))
    selection, writes_notes = Selection.parse(game or (), player or (), first_day, last_day), write or dry_run
    if writes_notes and selection:
        hint = "Leave out --game, --player, --since and --until where you write."
        raise UsageError("The note tells of all games, so it cannot be written of some of them only.", hint=hint)
    if writes_notes:
        statistics = _write_statistics(desk, bots, dry_run)
    else:
        statistics = selection.compute_statistics(desk.workspace, bots=bots, tell=_print_problems)
    if desk.as_json:
        print_document(stats_document(statistics))
    elif not writes_notes:
        _print_statistics(statistics, plain)


def _print_problems(game_list: "GameList") -> None:
    """Print which notes of games cannot be read, and which games have two notes."""
    for problem in game_list.problems[:MAX_PROBLEM_LINES]:
        print_problem(problem)
    if len(game_list.problems) > MAX_PROBLEM_LINES:
        print_note(f"And {len(game_list.problems) - MAX_PROBLEM_LINES} notes more; vaultkit check names them all.")
    for copy, original in game_list.copies.items():
        print_note(f"{copy}: the same game as {original}, so it counts once. Delete the one that is wrong.")


def _print_statistics(statistics: "Statistics", plain: bool) -> None:
    from vaultkit.cli import stats_tables

    if not statistics.sessions:
        print_result("No game is logged yet.")
        print_note(
            "Play one: vaultkit play dragon-citadel. Or log one that you played with real cards: vaultkit log GAME"
        )
        print_note("Each game gets a note of its own; from those notes all of this is reckoned.")
        return
    stats_tables.show_statistics(statistics, plain=plain)
    if not statistics.players:
        print_note("Only bots played these games. To count them: vaultkit stats --bots")


def _write_statistics(desk: IndexedContext, bots: bool, dry_run: bool) -> "Statistics":
    """Write the note of statistics and the list of games, or with `dry_run` print what would change."""
    from vaultkit.campaign.stats.stats_note import record_statistics

    settings, now = desk.workspace.settings, current_time()
    result = record_statistics(desk.vault, settings, bots=bots, tell=_print_problems, now=now, dry_run=dry_run)
    if dry_run and result.diff and not desk.as_json:
        show(result.diff)
    for sentence in result.remarks:
        print_note(sentence)
    print_written_notes(desk.workspace.root, result.written, as_json=desk.as_json)
    if dry_run and result.diff:
        print_note("Nothing was written, since this is a dry run.")
    elif not result.written:
        print_note(f"{result.note} says all of this already.")
    return result.statistics
