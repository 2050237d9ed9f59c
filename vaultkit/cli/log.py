"""`vaultkit log`: a finished game into the campaign notes, once and only once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.common import DryRunOption, JsonOption, VaultOption, Workspace, new_app, now
from vaultkit.cli.output import block, columns, document, talk
from vaultkit.cli.paper import Given, Paper, game_of, written_down
from vaultkit.cli.play import CampaignOption, tell_logged
from vaultkit.cli.table import GameTable
from vaultkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from vaultkit.campaign.paper.game import PaperGame
    from vaultkit.campaign.paper.logging import PaperLogged
    from vaultkit.campaign.paper.saved import SavedTally

GameArgument = Annotated[
    str, typer.Argument(help="The game, by its id or title; without it: the games that have no note yet.")
]
ScoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--score", help='One player\'s scores, as "NAME: swords=23/1, stars=7/0, crowns=2". Once for each player.'
    ),
]
FromOption = Annotated[
    list[Path] | None,
    typer.Option("--from", help="Scores in a file: FILE.toml, or a filled score sheet, one for each player."),
]
SeatOption = Annotated[
    list[str] | None, typer.Option("--seat", help="Who played, once for each player; their scores are asked for.")
]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="A house rule as option=value, such as mode=competitive.")
]
OutcomeOption = Annotated[
    str | None, typer.Option("--outcome", help="How it ended, such as party; else the likeliest.")
]
SessionOption = Annotated[str | None, typer.Option("--session", help="A finished game, by its id or its last letters.")]
DateOption = Annotated[str | None, typer.Option("--date", help="The day it was played, as 2026-11-03. Default: today.")]


def log(
    game: GameArgument = "",
    score: ScoreOption = None,
    files: FromOption = None,
    seat: SeatOption = None,
    outcome: OutcomeOption = None,
    option: SetOption = None,
    date: DateOption = None,
    note: Annotated[str, typer.Option("--note", help="A sentence of your own, for the game's note.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Record scores that cannot be true, with a remark.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Another game with the same scores as one that is logged.")
    ] = False,
    example: Annotated[bool, typer.Option("--example", help="Show a file to fill in for --from.")] = False,
    session: SessionOption = None,
    campaign: CampaignOption = None,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a game with real cards into the campaign notes, or one that was cut off before its log.

    Scores are asked for player by player, or come from --score, from a file, or from score sheets that were filled in
    on a screen. What is in the notes already is not written again.
    """
    given = Given(
        game or None, score or (), seat or (), files or (), option or (), outcome, date, note, campaign, force
    )
    workspace = Workspace.open(vault)
    if session is not None:
        if not given.nothing or again or example:
            raise UsageError("--session logs a game as it was played; nothing of it is given here.")
        _log_session(workspace, session, campaign, dry_run=dry_run, as_json=as_json)
    elif given.nothing:
        _list(workspace, as_json)
    elif example:
        _example(workspace, given)
    else:
        _log_paper(workspace, given, again=again, dry_run=dry_run, as_json=as_json)


def _log_paper(workspace: Workspace, given: Given, *, again: bool, dry_run: bool, as_json: bool) -> None:
    from vaultkit.campaign.paper.logging import Doubted, log_paper

    given.refuse_two_ways()
    written = written_down(workspace, given)
    paper = Paper(workspace, game_of(given, written), given)
    if written.seats or written.where:
        found = paper.read(written)
    elif given.scores or given.outcome is not None:
        raise UsageError("Nobody has a score.", hint='Write: --score "NAME: swords=23/1" once for each player.')
    else:
        found = _asked(paper, as_json)
    sources = paper.sources(dict(found.tally.options))
    try:
        logged = log_paper(found, workspace.vault, workspace.settings, sources, now=now(), again=again, dry_run=dry_run)
    except Doubted as doubted:
        for doubt in doubted.doubts:
            talk(f"Cannot be true: {doubt}")
        raise
    _tell(logged, dry_run=dry_run, as_json=as_json)


def _asked(paper: Paper, as_json: bool) -> "PaperGame":
    """The game as a person types it; whoever leaves has written nothing."""
    from vaultkit.play.sources import Leave

    try:
        return paper.ask(to_stderr=as_json)
    except Leave as leaving:
        talk("Nothing was written.")
        raise typer.Exit from leaving
    except (EOFError, KeyboardInterrupt) as cut:
        talk("")  # the question would stand before it
        talk("Stopped; nothing was written.")
        raise typer.Exit(ExitCode.INTERRUPTED) from cut


def _tell(done: "PaperLogged", *, dry_run: bool, as_json: bool) -> None:
    logged = done.logged
    if dry_run:
        if not as_json:
            block(logged.diff)
        talk("Nothing was written.")
    for path in logged.written:
        talk(f"Written: {path}")
    for problem in logged.problems:
        talk(f"Note: {problem.message} {problem.hint}".rstrip())
    for remark in logged.remarks:
        talk(f"Note: {remark}")
    if as_json:
        document({"session": done.session, "note": logged.note} | ({"diff": logged.diff} if dry_run else {}))


def _log_session(workspace: Workspace, wanted: str, campaign: str | None, *, dry_run: bool, as_json: bool) -> None:
    """A game that was played here, or whose scores are kept from paper, by its id."""
    from vaultkit.campaign.paper.saved import find_tally

    tally = find_tally(workspace.journals, wanted)
    if tally:
        _log_tally(workspace, tally, campaign, dry_run=dry_run, as_json=as_json)
        return
    table, saved, _ = GameTable.of_saved(workspace, wanted)
    with table.resume(saved.path) as game:
        wished = game.header.notes.get("campaign") if campaign is None else campaign
        logged = table.log(game, wished, dry_run)
    tell_logged(logged, saved.id, dry_run=dry_run, as_json=as_json)
    if as_json:
        document({"session": saved.id, "note": logged.note} | ({"diff": logged.diff} if dry_run else {}))


def _log_tally(
    workspace: Workspace, tally: "SavedTally", campaign: str | None, *, dry_run: bool, as_json: bool
) -> None:
    from dataclasses import replace

    from vaultkit.campaign.paper.logging import log_kept
    from vaultkit.campaign.paper.saved import paper_of
    from vaultkit.games import registry

    found = paper_of(tally)
    found = found if campaign is None else replace(found, campaign=campaign)
    sources = Paper(workspace, registry.find(found.game), Given()).sources(dict(found.tally.options))
    done = log_kept(
        found, tally.id, workspace.vault, workspace.settings, sources, now=now(), dry_run=dry_run, finishing=True
    )
    _tell(done, dry_run=dry_run, as_json=as_json)


def _example(workspace: Workspace, given: Given) -> None:
    from vaultkit.campaign.paper.example import example
    from vaultkit.campaign.paper.game import score_keeping
    from vaultkit.campaign.paper.written import Written

    paper = Paper(workspace, game_of(given, Written()), given)
    players = given.seats or workspace.settings.players
    keeping, options = score_keeping(paper.info.id), paper.options(Written())
    block(example(paper.table.game, keeping, options, players, now().date()))


def _list(workspace: Workspace, as_json: bool) -> None:
    """The games that could be logged and are not, each with the command that logs it."""
    from vaultkit.campaign.paper.pending import pending

    found = pending(workspace.vault, workspace.journals)
    if as_json:
        rows = [
            {"session": one.session, "game": one.game, "date": one.date, "players": list(one.players)}
            | {"command": one.command}
            for one in found
        ]
        document(rows)
        return
    columns(["command", "date", "players"], ([one.command, one.date, ", ".join(one.players)] for one in found), whole=1)
    if not found:
        talk("Every finished game is in the campaign notes.")
    talk("To log a game that you played with real cards: vaultkit log GAME")


app = new_app(log)
