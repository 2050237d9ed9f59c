"""The command `vaultkit games`, which lists games and writes a score sheet for a new one."""

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

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
from vaultkit.cli.output import print_document, print_lines, print_note, print_problem, print_table, terminal
from vaultkit.errors import ExitCode, UsageError
from vaultkit.text import quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.new_game import NewGame
    from vaultkit.campaign.readiness import Readiness

app = new_app()


@app.callback(invoke_without_command=True, no_args_is_help=False)
@with_options
def games(desk: CommandContext, context: typer.Context) -> None:
    """List the games and whether they are ready; `new` adds one of your own.

    Games with only a score sheet can be printed (`print scores`) and logged (`log`).

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
    hint = f"; to get it: vaultkit init --with {row.id}" if shipped_rule_note(GAMES[row.id]) else ""
    return f"yes, without its rule note{hint}"


def _score_sheet_text(row: "Readiness") -> str:
    return "to be logged, by its score sheet" if row.ready else f"no: {' '.join(row.problems)}"


@dataclass(frozen=True)
class SheetContext(CommandContext):
    """The options that describe the score sheet that a command writes."""

    players: Annotated[str | None, Option("--players", help="Number of players: 3 or 2-4.")] = None
    rounds: Annotated[
        str | None,
        Option("--rounds", help='Name of a round, such as deal, or "deal 20" for 20 rounds; "" for none.'),
    ] = None
    column: Annotated[
        list[str] | None,
        Option(
            "--column",
            help='A column (repeatable): "Points", "Honest?", "Prize: ribbon, cake" or "Score = 2 * points".',
        ),
    ] = None
    win: Annotated[str | None, Option("--win", help="Who wins: highest, lowest, co-op or chosen.")] = None
    negative: Annotated[bool, Option("--negative", help="Allow numbers below 0.")] = False
    tie: Annotated[
        list[str] | None,
        Option("--tie", help='A tie-break (repeatable): "most Food" or "fewest Cards".'),
    ] = None
    target: Annotated[str | None, Option("--target", help='The score that ends the game; "" for none.')] = None
    dry_run: DryRunOption = False

    def given_fields(self, title: str | None) -> dict[str, Any]:
        """Return the fields of a game that the title and the options give, by name."""
        texts = {"title": title, "players": self.players, "rounds": self.rounds, "win": self.win, "target": self.target}
        fields: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
        fields |= {"negative": True} if self.negative else {}
        fields |= {"columns": tuple(self.column)} if self.column else {}
        return fields | ({} if self.tie is None else {"ties": tuple(filter(None, self.tie))})


@app.command()
@with_options
def new(
    desk: SheetContext,
    words: Annotated[list[str] | None, Argument(metavar="[TITLE]", help="The game's name.")] = None,
    old_title: Annotated[str, Option("--title", hidden=True)] = "",
    game_id: Annotated[str, Option("--id", help="The game's id. Default: from the title.")] = "",
    force: Annotated[bool, Option("--force", help="Replace a game that ships with vaultkit.")] = False,
) -> None:
    """Describe a game of your own; writes its score sheet to .vaultkit/games.

    Print it with `print scores`, log it with `log`; `undo` deletes it.

    For example: vaultkit games new "Goose Fair" --players 2-4 --column Geese
    """
    from vaultkit.campaign.new_game import NewGame, refuse_taken_name, write_game

    title, vault = " ".join(words or ()) or old_title, desk.vault  # fails before any question is asked
    fields = desk.given_fields(title or None)
    game = NewGame(**{"title": "", "players": "", "columns": (), **fields}, chosen_id=game_id)
    refuse = partial(refuse_taken_name, vault=vault, force=force)
    if title:
        refuse(game)
    if not {"title", "players", "columns"} <= fields.keys():
        game = _ask_missing(game, fields, refuse)
    path, diff = write_game(game, vault, now=current_time(), dry_run=desk.dry_run)
    _report_written(desk, game, path, diff)


@app.command()
@with_options
def edit(
    desk: SheetContext,
    words: Annotated[list[str], Argument(metavar="GAME", help="The game.")],
    title: Annotated[str | None, Option("--title", help="A new name.")] = None,
) -> None:
    """Change a score sheet; without options it asks for the changes.

    --column adds or changes a column; "-Points" deletes one. A game that ships with vaultkit is copied into the vault.
    Logged games keep their sheet. `undo` reverts the change.

    For example: vaultkit games edit skat --column "Prize: ribbon, cake"
    """
    from vaultkit.campaign.new_game import NewGame, change_game, find_definition

    raw = find_definition(desk.workspace.score_sheets, desk.vault, " ".join(words))
    current, fields = NewGame.from_definition(raw), desk.given_fields(title)
    game = replace(current, **fields) if fields else _ask_missing(current, (), lambda _: None)
    path, diff = change_game(game, raw, desk.vault, now=current_time(), dry_run=desk.dry_run)
    if not diff and not desk.as_json:
        print_note("Nothing changes.")
        return
    _report_written(desk, game, path, diff)


def _report_written(desk: SheetContext, game: "NewGame", path: str, diff: str) -> None:
    """Print the file that was written, or the change with --dry-run, and the commands that use it."""
    from vaultkit.campaign.definition_check import describe_sheet

    if desk.as_json:
        print_document({"game": game.id, "file": path})
    elif desk.dry_run:
        print_lines("\n".join(describe_sheet(game.sheet)))
        print_lines(diff)
    if not desk.dry_run:
        print_written_notes(desk.vault.root, [path], as_json=desk.as_json)
        if game.hidden and not game.base:
            print_note(f"In this vault it replaces vaultkit's {game.hidden}.")
        print_note(f"Print it: vaultkit print scores {game.id}. Log it: vaultkit log {game.id}")


@app.command()
@with_options
def check(
    desk: CommandContext,
    words: Annotated[list[str] | None, Argument(metavar="[GAME]", help="A game. Default: all in the vault.")] = None,
) -> None:
    """Check the score sheets of this vault.

    For example: vaultkit games check skat
    """
    from vaultkit.campaign.definition_check import check_games

    checks = list(check_games(desk.workspace, " ".join(words or ())))
    if desk.as_json:
        print_document(checks)
    elif not checks:
        print_note("This vault defines no game. vaultkit games new writes a score sheet.")
    for number, game in enumerate(() if desk.as_json else checks):
        print_lines("\n".join([*([""] if number else []), f"{game.file}", *game.sheet]))
        for problem in game.problems:
            print_problem(problem)
    if any(problem.severity == "error" for game in checks for problem in game.problems):
        raise typer.Exit(ExitCode.PROBLEMS)


def _ask_missing(draft: "NewGame", known_fields: Collection[str], refuse: "Callable[[NewGame], None]") -> "NewGame":
    """Ask a person for the fields of a game that are not in `known_fields`. Raises UsageError without a terminal."""
    if not sys.stdin.isatty():
        command = f"vaultkit games {'edit' if draft.base else 'new'} {quote_word(draft.title or 'Goose Fair')}"
        players = f"--players {quote_word(draft.players or '2-4')}"
        columns = " ".join(f"--column {quote_word(column)}" for column in draft.columns or ("Points", "Honest?"))
        hint = f"Give all answers: {command} {players} {columns}"
        raise UsageError("This is not a terminal, so nothing can be asked.", hint=hint)
    from vaultkit.cards import Deck
    from vaultkit.terminal.answer_sources import TerminalSource
    from vaultkit.terminal.game_prompts import ask_game
    from vaultkit.terminal.screen import Screen

    console = terminal(stderr=True)
    with before_writing():
        stage = Screen(console, TerminalSource(console)).stage(Deck("", "", ()))
        return ask_game(stage, draft, known_fields, refuse)
