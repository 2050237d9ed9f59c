"""The command `vaultkit games`, which lists games and writes a score sheet for a new one."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from vaultkit.cli.context import (
    CommandContext,
    DryRunOption,
    before_writing,
    current_time,
    new_app,
    print_written_notes,
    with_options,
)
from vaultkit.cli.output import print_document, print_lines, print_note, print_table, terminal
from vaultkit.errors import UsageError
from vaultkit.text import quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.new_game import NewGame
    from vaultkit.campaign.readiness import Readiness

app = new_app()


@app.callback(invoke_without_command=True, no_args_is_help=False)
@with_options
def games(desk: CommandContext, context: typer.Context) -> None:
    """List the games and whether this vault has what they need; `new` writes a score sheet for one of your own.

    Games that are known by their score sheets alone are printed and logged: vaultkit print scores, vaultkit log.

    For example: vaultkit games
    """
    from vaultkit.campaign.readiness import registered_game_readiness, score_sheet_readiness

    if context.invoked_subcommand:
        return
    playable_games = list(registered_game_readiness(desk.workspace))
    score_sheet_games = list(score_sheet_readiness(desk.workspace))
    if desk.as_json:
        print_document([*playable_games, *score_sheet_games])
        return
    header = ["game", "title", "seats", "ready"]
    rows = [[row.id, row.title, _seats_text(row), _readiness_text(row)] for row in playable_games]
    rows += [[row.id, row.title, _seats_text(row), _score_sheet_text(row)] for row in score_sheet_games]
    print_table(header, rows, unwrapped_columns=1)


def _seats_text(row: "Readiness") -> str:
    min_seats, max_seats = row.seats
    if not max_seats:  # unknown, since its definition cannot be read
        return ""
    seats = str(min_seats) if min_seats == max_seats else f"{min_seats} to {max_seats}"
    return f"{seats} ({', '.join(row.house_rules)})" if row.house_rules else seats


def _readiness_text(row: "Readiness") -> str:
    from vaultkit.campaign.shipped_notes import shipped_rule_note
    from vaultkit.games.registry import GAMES

    if not row.ready:
        return f"no: {' '.join(row.problems)}"
    if row.rule_note:
        return "yes"
    hint = f"; to have it: vaultkit init --with {row.id}" if shipped_rule_note(GAMES[row.id]) else ""
    return f"yes, without its rule note{hint}"


def _score_sheet_text(row: "Readiness") -> str:
    return "to be logged, by its score sheet" if row.ready else f"no: {' '.join(row.problems)}"


@app.command()
@with_options
def new(
    desk: CommandContext,
    words: Annotated[list[str] | None, Argument(metavar="[TITLE]", help="What the game is called.")] = None,
    old_title: Annotated[str, Option("--title", hidden=True)] = "",
    players: Annotated[str, Option("--players", help="How many play, as 3 or 2-4.")] = "",
    rounds: Annotated[str, Option("--rounds", help="What a round is called, such as deal; none without.")] = "",
    column: Annotated[
        list[str] | None,
        Option("--column", help='"Points", "Honest?", "Prize: ribbon, cake" or "Score = 2 * points". Once for each.'),
    ] = None,
    win: Annotated[str, Option("--win", help="Who wins: highest, lowest, co-op or chosen.")] = "",
    dry_run: DryRunOption = False,
) -> None:
    """Ask about a game of your own, and write its score sheet to .vaultkit/games; `undo` takes it back.

    Then it is printed and logged like any other: vaultkit print scores, vaultkit log.

    For example: vaultkit games new "Goose Fair" --players 2-4 --column Geese
    """
    from vaultkit.campaign.new_game import NewGame, write_game

    title = " ".join(words or ()) or old_title
    vault = desk.vault  # fails before any question is asked
    answers = NewGame(title, players, tuple(column or ()), win or "highest", rounds)
    game = answers if title and players and column else _ask_missing(answers, win)
    path, diff = write_game(game, vault, now=current_time(), dry_run=dry_run)
    if desk.as_json:
        print_document({"game": game.id, "file": path})
    elif dry_run:
        print_lines(diff)
    if not dry_run:
        print_written_notes(vault.root, [path], as_json=desk.as_json)
        if game.hidden:
            print_note(f"In this vault it takes the place of vaultkit's own {game.hidden}.")
        print_note(f"Print it: vaultkit print scores {game.id}. Log it: vaultkit log {game.id}")


def _ask_missing(answers: "NewGame", win: str) -> "NewGame":
    """Return the game with the missing answers, asked of a person. Raises UsageError without a terminal."""
    if not sys.stdin.isatty():
        command = f"vaultkit games new {quote_word(answers.title or 'Goose Fair')}"
        hint = f'Give all answers: {command} --players 2-4 --column Points --column "Honest?"'
        raise UsageError("There is nobody to ask: this is no terminal.", hint=hint)
    from vaultkit.cards import Deck
    from vaultkit.terminal.answer_sources import TerminalSource
    from vaultkit.terminal.score_prompts import ask_game
    from vaultkit.terminal.screen import Screen

    console = terminal(stderr=True)
    with before_writing():
        return ask_game(Screen(console, TerminalSource(console)).stage(Deck("", "", ())), answers, win)
