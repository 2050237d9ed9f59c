"""`vaultkit stats`: who plays what and who wins, from the notes of the games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import DryRunOption, JsonOption, NoCacheOption, VaultOption, now, open_workspace
from vaultkit.cli.output import diff as show
from vaultkit.cli.output import document, say, talk
from vaultkit.errors import NothingFound, UsageError
from vaultkit.spelling import by_words, did_you_mean_by

if TYPE_CHECKING:
    from vaultkit.campaign.stats.sessions import Gathered, Session
    from vaultkit.campaign.stats.statistics import Selection, Statistics

MOST_PROBLEMS = 20
"""Notes that cannot be read, told one by one."""

GameOption = Annotated[
    list[str] | None, typer.Option("--game", help="Only this game, by its id or title. Several: any of them.")
]
PlayerOption = Annotated[
    list[str] | None, typer.Option("--player", help="Only games in which this player took part. Several: all of them.")
]
SinceOption = Annotated[str, typer.Option("--since", metavar="DATE", help="Only games from this day on: 2026-11-03.")]
UntilOption = Annotated[str, typer.Option("--until", metavar="DATE", help="Only games up to this day, it included.")]
BotsOption = Annotated[bool, typer.Option("--bots", help="Bots count as players, too.")]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="One fact a line and no charts, for screen readers and simple terminals.")
]
WriteOption = Annotated[
    bool, typer.Option("--write", help="Keep the note of statistics and the list of games up to date.")
]


@dataclass(frozen=True)
class Asked:
    """Which games somebody wants to know of, and in which form."""

    games: Sequence[str]
    players: Sequence[str]
    since: date | None
    until: date | None
    bots: bool
    write: bool
    dry_run: bool
    plain: bool
    as_json: bool


def stats(
    game: GameOption = None,
    player: PlayerOption = None,
    since: SinceOption = "",
    until: UntilOption = "",
    bots: BotsOption = False,
    write: WriteOption = False,
    dry_run: DryRunOption = False,
    plain: PlainOption = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Who plays what and who wins, from the notes of the games.

    Those notes are the database: one that is edited or deleted simply counts. --write keeps a note up to date between
    two comments of its own, and leaves alone what stands around them; `undo` takes that back.
    """
    days = (_day("--since", since), _day("--until", until))
    asked = Asked(
        games=game or (),
        players=player or (),
        since=days[0],
        until=days[1],
        bots=bots,
        write=write and not dry_run,
        dry_run=dry_run,
        plain=plain,
        as_json=as_json,
    )
    _check(asked)
    workspace = open_workspace(vault, no_cache=no_cache)
    told = _recorded(workspace, asked) if asked.write or asked.dry_run else _reckoned(workspace, asked)
    if asked.as_json:
        from vaultkit.campaign.stats.document import as_document

        document(as_document(told))
    elif not (asked.write or asked.dry_run):
        _tell(told, asked.plain)


def _day(option: str, said: str) -> date | None:
    if not said.strip():
        return None
    from vaultkit.campaign.dates import read_date

    try:
        return read_date(said)
    except UsageError as error:
        error.hint = f"Write the year, the month and the day: {option} 2026-11-03"
        raise


def _check(asked: Asked) -> None:
    if asked.since and asked.until and asked.since > asked.until:
        raise UsageError(
            f"Nothing lies between --since {asked.since} and --until {asked.until}.", hint="Swap the two days."
        )
    if (asked.write or asked.dry_run) and (asked.games or asked.players or asked.since or asked.until):
        raise UsageError(
            "The note tells of all games, so it cannot be written of some of them only.",
            hint="Leave out --game, --player, --since and --until where you write.",
        )


def _reckoned(workspace: Workspace, asked: Asked) -> "Statistics":
    from vaultkit.campaign.stats.sessions import gather
    from vaultkit.campaign.stats.statistics import Statistics

    gathered = gather(workspace.vault, workspace.settings.players)
    _tell_problems(gathered)
    selection = _selection(workspace, gathered, asked)
    sessions = _selected(workspace, gathered, selection)
    return Statistics.of(sessions, bots=asked.bots).about(selection.players)


def _tell_problems(found: "Gathered") -> None:
    """What cannot be read of the games is told on stderr and stops nothing."""
    for problem in found.problems[:MOST_PROBLEMS]:
        line = f":{problem.line}" if problem.line else ""
        talk(f"{problem.note}{line}: {problem.message} {problem.hint}".rstrip())
    if len(found.problems) > MOST_PROBLEMS:
        talk(f"And {len(found.problems) - MOST_PROBLEMS} notes more; vaultkit check names them all.")
    for copy, original in found.copies.items():
        talk(f"{copy}: the same game as {original}, so it counts once. Delete the one that is wrong.")


def _selected(workspace: Workspace, gathered: "Gathered", selection: "Selection") -> "tuple[Session, ...]":
    """The sessions that are asked for. Raises NothingFound if some are asked for and there are none of these."""
    found = selection.of(gathered.sessions)
    if selection and not found:
        dates = [session.game.date for session in gathered.sessions if session.game.date]
        hint = f"There are games from {min(dates)} to {max(dates)}." if dates else "No game is logged yet."
        raise NothingFound("No logged game is like that.", where=str(workspace.root), hint=hint)
    return found


def _selection(workspace: Workspace, gathered: "Gathered", asked: Asked) -> "Selection":
    from vaultkit.campaign.stats.statistics import Selection

    kinds = frozenset(_kind(gathered, name) for name in asked.games)
    players = frozenset().union(*(_player(workspace, gathered, name) for name in asked.players))
    return Selection(kinds, players, asked.since, asked.until)


def _kind(gathered: "Gathered", name: str) -> str:
    """What tells sessions of the game `name`: a game that only notes know goes by its title."""
    from vaultkit.campaign.players import folded
    from vaultkit.games.registry import find

    for session in gathered.sessions:
        if folded(name) in {folded(session.kind), folded(session.title)}:
            return session.kind
    return find(name).id


def _player(workspace: Workspace, gathered: "Gathered", name: str) -> frozenset[str]:
    from vaultkit.campaign.players import Players
    from vaultkit.campaign.stats.statistics import players_named

    note = Players(workspace.vault, workspace.settings.players).note(name)
    if found := players_named(gathered.sessions, name, note or ""):
        return frozenset(sorted(found)[:1])
    raise NothingFound(
        f"There is no player '{name}' in the logged games.", where=str(workspace.root), hint=_near(gathered, name)
    )


def _near(gathered: "Gathered", name: str) -> str:
    names = sorted({one.name for session in gathered.sessions for one in session.game.participants}, key=str.casefold)
    if near := did_you_mean_by(name, by_words(names), like=50):
        return near
    return f"Players: {', '.join(names[:12])}." if names else "No game is logged yet."


def _tell(told: "Statistics", plain: bool) -> None:
    from vaultkit.cli import stats_tables

    if not told.sessions:
        say("No game is logged yet.")
        talk("Play one: vaultkit play dragon-citadel. Or log one that you played with real cards: vaultkit log GAME")
        talk("Each game gets a note of its own; from those notes all of this is reckoned.")
        return
    stats_tables.tell(told, plain=plain)
    if not told.players:
        talk("Only bots played these games. To count them: vaultkit stats --bots")


def _recorded(workspace: Workspace, asked: Asked) -> "Statistics":
    """Both files written; with `--dry-run` shown what that would be."""
    from vaultkit.campaign.stats.note import record

    done = record(
        workspace.vault, workspace.settings, bots=asked.bots, tell=_tell_problems, now=now(), dry_run=asked.dry_run
    )
    if asked.dry_run and done.diff and not asked.as_json:
        show(done.diff)
    for remark in done.remarks:
        talk(remark)
    if asked.dry_run:
        talk("Nothing was written, since this is a dry run." if done.diff else _says_already(done.note))
        return done.statistics
    for path in done.written:
        talk(f"Written: {path}")
    if not done.written:
        talk(_says_already(done.note))
    return done.statistics


def _says_already(path: str) -> str:
    return f"{path} says all of this already."
