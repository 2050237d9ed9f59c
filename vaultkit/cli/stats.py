"""The command `vaultkit stats`, which shows who plays what and who wins, from the notes of the games."""

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from vaultkit.cli.context import DryRunOption, IndexedContext, current_time, print_written_notes, with_options
from vaultkit.cli.output import print_diff as show
from vaultkit.cli.output import (
    print_document,
    print_lines,
    print_note,
    print_problem,
    print_result,
    print_table,
    terminal,
)
from vaultkit.errors import UsageError
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.campaign.stats.game_list import GameList
    from vaultkit.campaign.stats.statistics import GamePlayed, Pair, PlayerRecord, Statistics

MAX_PROBLEM_LINES = 20
"""The maximum number of printed problems in notes of games."""

GameOption = Annotated[list[str] | None, Option("--game", help="Only this game (repeatable: any of them).")]
PlayerOption = Annotated[
    list[str] | None, Option("--player", help="Only games with this player (repeatable: all of them).")
]
SinceOption = Annotated[str, Option("--since", metavar="DATE", help="First day, such as 2026-11-03.")]
UntilOption = Annotated[str, Option("--until", metavar="DATE", help="Last day.")]
BotsOption = Annotated[bool, Option("--bots", help="Include bots.")]
PlainOption = Annotated[bool, Option("--plain", help="Plain lines, no charts, for screen readers.")]
CsvOption = Annotated[bool, Option("--csv", help="CSV with a row for each player of each game.")]
WriteOption = Annotated[bool, Option("--write", help="Update the statistics note and the list of games.")]


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
    as_csv: CsvOption = False,
) -> None:
    """Show who plays what and who wins.

    Statistics are computed from the game notes, including your edits. --write updates a note between two comments and
    leaves the rest alone; `undo` reverts it.

    For example: vaultkit stats --since 2026-09-01
    """
    from vaultkit.campaign.dates import absolute_day
    from vaultkit.campaign.log_target.gm_sessions import date_order
    from vaultkit.campaign.stats.selection import Selection
    from vaultkit.campaign.stats.stats_document import PLAY_COLUMNS, play_rows, stats_document

    workspace, today = desk.workspace, current_time().date()
    find_order = partial(date_order, workspace.vault, workspace.settings)
    first_day, last_day = (absolute_day(day, today, find_order) for day in (since, until))
    selection, writes_notes = Selection.parse(game or (), player or (), first_day, last_day), write or dry_run
    if writes_notes and selection:
        hint = "Leave out --game, --player, --since and --until where you write."
        raise UsageError("The note covers all games, so it cannot be limited to some of them.", hint=hint)
    if as_csv:
        if writes_notes or plain or desk.as_json:
            raise UsageError("--csv cannot go with --write, --dry-run, --plain or --json.")
        sessions, _ = selection.find_sessions(workspace, _print_problems)
        _print_csv(PLAY_COLUMNS, play_rows(sessions, bots=bots))
        return
    if writes_notes:
        statistics = _write_statistics(desk, bots, dry_run)
    else:
        statistics = selection.compute_statistics(desk.workspace, bots=bots, tell=_print_problems)
    if desk.as_json:
        print_document(stats_document(statistics))
    elif not writes_notes:
        _print_statistics(statistics, plain)


def _print_csv(columns: "Cells", rows: "Iterable[Cells]") -> None:
    """Print a table as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        texts = (strip_controls(str(cell)) for cell in row)
        writer.writerow([f"'{text}" if re.match(r"[=+@]|-\D", text) else text for text in texts])
    print_lines(file.getvalue())


def _print_problems(game_list: "GameList") -> None:
    """Print which notes of games cannot be read, and which games have two notes."""
    for problem in game_list.problems[:MAX_PROBLEM_LINES]:
        print_problem(problem)
    if len(game_list.problems) > MAX_PROBLEM_LINES:
        print_note(f"And {len(game_list.problems) - MAX_PROBLEM_LINES} notes more; vaultkit check names them all.")
    for copy, original in game_list.copies.items():
        print_note(f"{copy}: the same game as {original}, so it counts once. Delete the wrong one.")


def _print_statistics(statistics: "Statistics", plain: bool) -> None:
    if not statistics.sessions:
        print_result("No game is logged yet.")
        print_note(
            "Play one: vaultkit play dragon-citadel. Or log one that you played with real cards: vaultkit log GAME"
        )
        print_note("Each game gets its own note; statistics are computed from those notes.")
        return
    show_statistics(statistics, plain=plain)
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
        print_note(f"{result.note} is up to date.")
    return result.statistics


Cells = Sequence[object]


def statistics_rows(statistics: "Statistics") -> Iterator[Cells]:
    """Yield all statistics as rows for a pipe. The first column names the kind of the row."""
    from vaultkit.campaign.stats.stats_page import format_seats, score_text

    for player in statistics.players:
        yield "player", player.name, *player_record_cells(player)
    for player in statistics.players:
        for best in player.bests:
            yield "best", player.name, best.title, score_text(best.score), best.date or "", best.note
    for game in statistics.games:
        numbers = game.sessions, game.together, format_seats(game.seats), format_average(game)
        yield "game", game.title, *numbers, format_leaders(game)
        for outcome_kind, count in game.outcomes:
            yield "outcome", game.title, game.ending(outcome_kind), count
        for option, count in game.options:
            yield "option", game.title, option, count
    for player in statistics.players:
        if player.matches:
            yield "match", player.name, player.matches, player.matches_won
    for pair in statistics.pairs:
        yield "pair", *pair_cells(pair)
    for card in statistics.cards:
        yield "card", card.card.name, card.games, format_decided_games(card.by_game)


def statistics_sentences(statistics: "Statistics") -> Iterator[str]:
    """Yield all statistics as sentences with one fact each."""
    from vaultkit.campaign.stats.stats_page import format_seats, score_text, win_rate

    yield f"{format_count(statistics.sessions, 'game')}."
    for player in statistics.players:
        together_text = f", {player.together} of them together" if player.together else ""
        last_text = f", last on {player.last}" if player.last else ""
        alone_text = f", {player.alone} alone" if player.alone else ""
        games = format_count(player.games, "game")
        yield f"{player.name}: {games}, {player.won} won ({win_rate(player)}){together_text}{alone_text}{last_text}."
        if player.matches:
            yield f"{player.name}: matches won, {player.matches_won} of {player.matches}."
        if player.longest > 1:
            yield f"{player.name}: longest winning streak {player.longest}, current {player.streak or 'none'}."
        for best in player.bests:
            date_text = f" on {best.date}" if best.date else ""
            yield f"{player.name}: best score in {best.title} {score_text(best.score)}{date_text}."
    for game in statistics.games:
        yield f"{game.title}: {format_count(game.sessions, 'game')}, {format_seats(game.seats)} at the table."
        for outcome_kind, count in game.outcomes:
            yield f"{game.title}: {game.ending(outcome_kind)}, {format_count(count, 'time')}."
        if game.options:
            yield f"{game.title}: house rules {', '.join(f'{option} ({count})' for option, count in game.options)}."
        if game.leaders:
            yield f"{game.title}: {format_leaders(game)} won most."
    yield from map(_pair_sentence, statistics.pairs)
    for card in statistics.cards:
        yield f"{card.card.name}: decided {format_count(card.games, 'game')}: {format_decided_games(card.by_game)}."


def _pair_sentence(pair: "Pair") -> str:
    player, opponent = pair.names
    game_count = format_count(pair.games, "game")
    return f"{player} against {opponent}: {game_count}, {pair.won} to {pair.lost}, {pair.level} level."


def player_record_cells(player: "PlayerRecord") -> Cells:
    """Return the cells of a player: the numbers of games and wins, and the day of the last game."""
    from vaultkit.campaign.stats.stats_page import win_rate

    return player.games, player.won, player.together, win_rate(player), player.streak, player.longest, player.last or ""


def pair_cells(pair: "Pair") -> Cells:
    """Return the cells of a pair: both names, and how many games were played, and won, lost and tied by the first."""
    return *pair.names, pair.games, pair.won, pair.lost, pair.level


def format_average(game: "GamePlayed") -> str:
    """Return the average score of a game as text, "" if there is none."""
    from vaultkit.campaign.stats.stats_page import score_text

    return "" if game.average is None else score_text(round(game.average, 1))


def format_leaders(game: "GamePlayed") -> str:
    """Return, as text, the first two of the players who won most, with their wins, and the number of the others."""
    names = ", ".join(f"{player.name} ({won})" for player, won in game.leaders[:2])
    return f"{names}, {len(game.leaders) - 2} more" if len(game.leaders) > 2 else names


def format_decided_games(by_game: Sequence[tuple[str, int]]) -> str:
    """Return, as text, the titles of the games that a card decided.

    If there are several titles, each is followed by the number of decided games.
    """
    return ", ".join(f"{title} ({games})" if len(by_game) > 1 else title for title, games in by_game)


MIN_BAR_WIDTH, MAX_BAR_WIDTH = 8, 30
"""The minimum and maximum width of a bar, in columns."""
NARROW_BAR_WIDTH = 5
"""The width of a bar in a narrow leaderboard, in columns, which leaves readable headings for nine other columns."""
_WIDE_LAYOUT_MIN_WIDTH = 100
_UNWRAPPED_COLUMNS = frozenset({"on", "last", "last played", "seats"})
"""The names of columns that are never wrapped, besides columns of numbers and of bars."""
_NUMBER_COLUMNS = frozenset({
    "games", "played", "won", "together", "rate", "in a row", "streak", "longest", "lost", "level", "score", "average",
})  # fmt: skip


def show_statistics(statistics: "Statistics", *, plain: bool) -> None:
    """Print the leaderboard, then the games, best scores, pairs and cards.

    `plain` prints sentences instead; into a pipe, rows with tabs are printed.
    """
    if plain:
        for line in statistics_sentences(statistics):
            print_result(line)
    elif not sys.stdout.isatty():
        print_table((), statistics_rows(statistics))
    else:
        _print_tables(statistics)


def _print_tables(statistics: "Statistics") -> None:
    from vaultkit.campaign.stats.statistics import MAX_CARD_ROWS, MAX_PAIR_ROWS, best_by_game
    from vaultkit.campaign.stats.stats_page import score_text

    if statistics.players:
        _print_leaderboard(statistics)
    matches = [(entry.name, entry.matches, entry.matches_won) for entry in statistics.players if entry.matches]
    _print_titled_table("Matches", ("player", "matches", "won"), matches)
    _print_games(statistics.games)
    best_pairs = best_by_game(statistics.players)
    bests = [(best.title, player.name, score_text(best.score), best.date or "") for best, player in best_pairs]
    _print_titled_table("Best scores", ("game", "player", "score", "on"), _blank_repeated_titles(bests))
    column_names = ("player", "against", "games", "won", "lost", "level")
    _print_titled_table("Head to head", column_names, list(map(pair_cells, statistics.pairs)), MAX_PAIR_ROWS)
    bars = _draw_bars([card.games for card in statistics.cards], _bar_width())
    card_bars = zip(statistics.cards, bars, strict=True)
    cards = [(card.card.name, card.games, bar, format_decided_games(card.by_game)) for card, bar in card_bars]
    _print_titled_table("Cards that decided games", ("card", "games", "", "which"), cards, MAX_CARD_ROWS)


def _print_leaderboard(statistics: "Statistics") -> None:
    is_wide = terminal().width >= _WIDE_LAYOUT_MIN_WIDTH
    bar_width = _bar_width() if is_wide else NARROW_BAR_WIDTH
    last_columns = ("in a row", "longest", "last played") if is_wide else ("streak", "longest", "last")
    bars = _draw_bars([player.won for player in statistics.players], bar_width)
    player_bars = zip(statistics.players, bars, strict=True)
    rows = [(player.name, bar, *player_record_cells(player)) for player, bar in player_bars]
    column_names = ("player", "", "games", "won", "together", "rate", *last_columns)
    _print_titled_table(f"Leaderboard, {format_count(statistics.sessions, 'game')}", column_names, rows)


def _print_games(games: "Sequence[GamePlayed]") -> None:
    from vaultkit.campaign.stats.stats_page import format_seats

    bars = _draw_bars([game.sessions for game in games], _bar_width())
    game_rows = [
        (game.title, bar, game.sessions, format_seats(game.seats), format_average(game), format_leaders(game))
        for game, bar in zip(games, bars, strict=True)
    ]
    _print_titled_table("Games", ("game", "", "played", "seats", "average", "who leads"), game_rows)
    endings = [(game.title, game.ending(kind), count) for game in games for kind, count in game.outcomes]
    bars = _draw_bars([count for *_, count in endings], _bar_width())
    ending_rows = [(*ending, bar) for ending, bar in zip(endings, bars, strict=True)]
    _print_titled_table("How games end", ("game", "outcome", "games", ""), _blank_repeated_titles(ending_rows))
    rule_rows = [(game.title, option, count) for game in games for option, count in game.options]
    _print_titled_table("House rules", ("game", "option", "games"), _blank_repeated_titles(rule_rows))


def _blank_repeated_titles(rows: Sequence[Cells]) -> list[Cells]:
    """Return the rows with the title of the game blank where it is the title of the previous row."""
    titles = [None, *(row[0] for row in rows)]
    return [("" if title == row[0] else row[0], *row[1:]) for title, row in zip(titles, rows, strict=False)]


def _draw_bars(numbers: Sequence[int], width: int) -> list[str]:
    """Return a bar for each number; the largest one fills `width` columns."""
    return [draw_bar(number / (max(numbers) or 1), width) for number in numbers]


def draw_bar(share: float, width: int) -> str:
    """Return a bar that fills a share of `width` columns. A share above 0 is never shown as empty."""
    min_blocks = 1 if share > 0 else 0
    if not _can_show_blocks():
        return "#" * max(round(share * width), min_blocks)
    eighths = max(round(share * width * 8), min_blocks)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def _can_show_blocks() -> bool:
    """Return whether the terminal can show the block characters of bars."""
    if os.environ.get("TERM") == "dumb":
        return False
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _bar_width() -> int:
    return max(MIN_BAR_WIDTH, min(MAX_BAR_WIDTH, (terminal().width - 64) // 2))


def _print_titled_table(title: str, columns: Sequence[str], rows: Sequence[Cells], limit: int | None = None) -> None:
    """Print a table with a title and at most `limit` rows, or nothing if there are no rows.

    A column without a name contains bars.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table(box=box.SIMPLE_HEAD if _can_show_blocks() else box.ASCII2, pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        is_unwrapped = not name or name in _NUMBER_COLUMNS or name in _UNWRAPPED_COLUMNS
        justify: Literal["left", "right"] = "right" if name in _NUMBER_COLUMNS else "left"
        table.add_column(name, overflow="fold", style="" if name else "cyan", justify=justify, no_wrap=is_unwrapped)
    for row in rows[:limit]:
        table.add_row(*(Text(strip_controls(str(cell))) for cell in row))
    console = terminal()
    console.print(Text(title, style="bold"))
    console.print(table)
    if not _can_show_blocks():
        console.print()
    if limit and len(rows) > limit:
        console.print(Text(f"and {len(rows) - limit} more; --json has them all\n"))
