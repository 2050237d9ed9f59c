"""The command `vaultkit simulate GAME`, which plays many games between bots and reports the balance of the game."""

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.common import Desk, SetOption, any_seed, now, with_options
from vaultkit.cli.output import columns, document, say, say_lines, talk
from vaultkit.cli.progress import Bar
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.campaign.balance_note import BalanceReport
    from vaultkit.session.balance import Rate, SeatReport
    from vaultkit.session.playout import Lineup

MOST_GAMES, MOST_JOBS = 1_000_000, 64
MOST_ENCOUNTERS = 1000
SHOWN = 20
"""The maximum number of rows of moments on the screen. JSON contains all of them."""

GamesOption = Annotated[int, typer.Option("--games", min=1, max=MOST_GAMES, help="How many games to play.")]
SeatsOption = Annotated[
    str,
    typer.Option("--seats", help="A strategy for each seat, such as greedy,random; or how many greedy bots sit down."),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="A number that settles all shuffles and all play.")]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, max=MOST_JOBS, help="Processes; the games are the same with any number.")
]
CampaignOption = Annotated[
    int | None,
    typer.Option(
        "--campaign",
        metavar="N",
        min=1,
        max=MOST_ENCOUNTERS,
        help="Deck of Destiny: N encounters of each character, whose inventory goes on from each to the next.",
    ),
]
WriteOption = Annotated[bool, typer.Option("--write", help="Keep the report as a note; without it nothing is written.")]


@with_options
def simulate(
    desk: Desk,
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    games: GamesOption = 1000,
    seats: SeatsOption = "",
    seed: SeedOption = None,
    jobs: JobsOption = None,
    option: SetOption = None,
    campaign: CampaignOption = None,
    write: WriteOption = False,
) -> None:
    """Let bots play many games, and report how balanced a game is.

    The same seed gives the same report. --write shows what changes in the note of the report, and writes it.

    For example: vaultkit simulate propheta --games 100 --seats greedy,random
    """
    from vaultkit.campaign.balance_note import BalanceReport, lineup_of
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.log import check_target
    from vaultkit.session.balance import Balance
    from vaultkit.session.dealing import seeds
    from vaultkit.session.simulate import simulate as play_games
    from vaultkit.vault.index.processes import processors

    notes = GameNotes.of(desk.workspace, game, option or [])
    lineup, specs = lineup_of(notes, notes.settled(option or []), seats)
    if campaign is not None:
        _campaign(desk, lineup, campaign, games, any_seed(seed), jobs or processors(), write=write)
        return
    if write:
        check_target(notes.workspace.vault, notes.workspace.settings, "")
    chosen, began = any_seed(seed), time.monotonic()
    playing = play_games(lineup, seeds(chosen, games), jobs or processors())
    played = list(Bar("Playing", counted=True).over(playing, games))
    report = BalanceReport(notes, lineup, specs, chosen, Balance.of(lineup, played))
    seconds = time.monotonic() - began
    if desk.as_json:
        document(report.as_document(seconds))
    else:
        _show(report)
        talk(f"{games} games in {seconds:.1f} s; the same again with --seed {chosen}.")
    if write:
        _write(report, desk.as_json)


def _campaign(desk: Desk, lineup: "Lineup", encounters: int, games: int, seed: int, jobs: int, *, write: bool) -> None:
    """Print how long inventories last. `games` is the number of characters to simulate."""
    from vaultkit.session.dealing import seeds
    from vaultkit.session.encounters import Lasting, follow
    from vaultkit.session.simulate import run

    if write:
        raise UsageError("A campaign of encounters has no note.", hint="Leave out --write, or --campaign.")
    characters = run(partial(follow, encounters=encounters), lineup, seeds(seed, games), jobs)
    lasting = Lasting.of(Bar("Playing", counted=True).over(characters, games), encounters)
    if desk.as_json:
        document({"game": lineup.game.id, "seed": seed, **lasting.as_document()})
        return
    columns(["after encounter", "still own cards", "cards on average"], lasting.rows())
    say(f"Each character won {lasting.won:.1f} of {encounters} encounters on average.")
    say(f"Characters without a card at the end: {lasting.dry} of {games}.")
    talk(f"The same again with --seed {seed}.")


def _show(report: "BalanceReport") -> None:
    from vaultkit.campaign.balance_note import won

    balance, moments = report.balance, report.moments[:SHOWN]
    seats = zip(report.seats, balance.seats, strict=True)
    columns(["seat", "won", "rate", "95 % interval", "score"], ((spec.name, *_seat(one)) for spec, one in seats))
    if balance.roles:
        roles = ((role, wins.trials, won(wins), *_rate(wins)) for role, wins in balance.roles)
        columns(["role", "games", "won", "rate", "95 % interval"], roles)
    outcomes = ((kind, number, f"{100 * number / balance.games:.1f} %") for kind, number in report.outcomes)
    columns(["outcome", "games", "share"], outcomes)
    rows = ((kind, card, wins.trials, *_rate(wins)) for kind, card, wins in moments)
    columns(["moment", "card", "games", "won", "95 % interval"], rows)
    length = balance.length
    say(f"A game took {length.mean:.1f} decisions on average, {length.least} to {length.most}.")
    if balance.shared:
        how = "counted as won for each" if balance.together else "of whom each has won a part"
        say(f"Games with several winners, {how}: {balance.shared}.")


def _seat(report: "SeatReport") -> tuple[object, ...]:
    from vaultkit.campaign.balance_note import won

    score = report.score
    return won(report.wins), *_rate(report.wins), f"{score.mean:.1f} ({score.least} to {score.most})" if score else ""


def _rate(rate: "Rate") -> tuple[str, str]:
    low, high = rate.ci95
    return f"{100 * rate.share:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"


def _write(report: "BalanceReport", as_json: bool) -> None:
    writer, path = report.plan(now())
    if not as_json:
        say_lines(writer.diff())
    talk(f"Written: {path}" if writer.commit() else f"The report in {path} says this already.")
