"""The command `vaultkit simulate GAME`, which lets bots play many games and reports how balanced the game is."""

import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from vaultkit.cli.context import CommandContext, SetOption, choose_seed, with_options
from vaultkit.cli.output import print_document, print_note, print_result, print_table
from vaultkit.cli.progress import Bar
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.campaign.balance_report import BalanceReport
    from vaultkit.session.balance import Rate, SeatReport
    from vaultkit.session.playout import Lineup

MAX_GAMES, MAX_JOBS = 1_000_000, 64
MAX_ENCOUNTER_COUNT = 1000
MAX_MOMENT_ROWS = 20
"""The maximum number of rows of moments on the screen. JSON contains all of them."""

GamesOption = Annotated[int, Option("--games", min=1, max=MAX_GAMES, help="Number of games.")]
SeatsOption = Annotated[
    str, Option("--seats", help="A strategy for each seat, such as greedy,random, or the number of greedy bots.")
]
SeedOption = Annotated[int | None, Option("--seed", help="Random seed.")]
JobsOption = Annotated[
    int | None, Option("--jobs", min=1, max=MAX_JOBS, help="Number of processes; results don't depend on it.")
]
CampaignOption = Annotated[
    int | None,
    Option(
        "--campaign",
        metavar="N",
        min=1,
        max=MAX_ENCOUNTER_COUNT,
        help="Deck of Destiny: N encounters in a row for each character.",
    ),
]


@with_options
def simulate(
    desk: CommandContext,
    game: Annotated[str, Argument(help="A game by id or title.")],
    games: GamesOption = 1000,
    seats: SeatsOption = "",
    seed: SeedOption = None,
    jobs: JobsOption = None,
    option: SetOption = None,
    campaign: CampaignOption = None,
    write: Annotated[bool, Option("--write", hidden=True)] = False,
) -> None:
    """Let bots play many games and report how balanced a game is.

    The same seed gives the same report.

    For example: vaultkit simulate propheta --games 100 --seats greedy,random
    """
    from vaultkit.campaign.balance_report import BalanceReport, lineup_of
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.session.balance import Balance
    from vaultkit.session.seeded_choices import seeds
    from vaultkit.session.simulate import simulate as play_games
    from vaultkit.vault.index.worker_pool import count_processors

    if write:
        raise UsageError("A simulation no longer writes a note.", hint="Leave out --write. All numbers: --json")
    notes = GameNotes.from_name(desk.workspace, game, option or [])
    lineup, specs = lineup_of(notes, notes.option_values(option or []), seats)
    if campaign is not None:
        _play_campaign(desk, lineup, campaign, games, choose_seed(seed), jobs or count_processors())
        return
    game_seed, start_time = choose_seed(seed), time.monotonic()
    game_results = play_games(lineup, seeds(game_seed, games), jobs or count_processors())
    results = list(Bar("Playing").track(game_results, games))
    report = BalanceReport(notes, lineup, specs, game_seed, Balance.from_games(lineup, results))
    seconds = time.monotonic() - start_time
    if desk.as_json:
        print_document(report.as_document(seconds))
    else:
        _print_balance(report)
        print_note(f"{games} games in {seconds:.1f} s; the same again with --seed {game_seed}.")


def _play_campaign(desk: CommandContext, lineup: "Lineup", encounters: int, games: int, seed: int, jobs: int) -> None:
    """Simulate encounters of many characters, and print how long their inventories last.

    `games` is the number of characters, `encounters` the number of encounters of each.
    """
    from vaultkit.session.deck_of_destiny import SurvivalReport, simulate_encounters
    from vaultkit.session.seeded_choices import seeds
    from vaultkit.session.simulate import run

    characters = run(partial(simulate_encounters, encounters=encounters), lineup, seeds(seed, games), jobs)
    survival = SurvivalReport.from_series(Bar("Playing").track(characters, games), encounters)
    if desk.as_json:
        print_document({"game": lineup.game.id, "seed": seed, **survival.as_document()})
        return
    print_table(["after encounter", "still own cards", "cards on average"], survival.rows())
    print_result(f"Each character won {survival.won:.1f} of {encounters} encounters on average.")
    print_result(f"Characters without a card at the end: {survival.dry} of {games}.")
    print_note(f"The same again with --seed {seed}.")


def _print_balance(report: "BalanceReport") -> None:
    from vaultkit.campaign.balance_report import format_wins

    balance, moments = report.balance, report.moments[:MAX_MOMENT_ROWS]
    seats = ((spec.name, *_seat_cells(seat)) for spec, seat in zip(report.seats, balance.seats, strict=True))
    print_table(["seat", "won", "rate", "95 % interval", "score"], seats)
    if balance.roles:
        roles = ((role, wins.trials, format_wins(wins), *_rate_cells(wins)) for role, wins in balance.roles)
        print_table(["role", "games", "won", "rate", "95 % interval"], roles)
    outcomes = ((kind, count, f"{100 * count / balance.games:.1f} %") for kind, count in report.outcomes)
    print_table(["outcome", "games", "share"], outcomes)
    rows = ((kind, card, wins.trials, *_rate_cells(wins)) for kind, card, wins in moments)
    print_table(["moment", "card", "games", "won", "95 % interval"], rows)
    length = balance.length
    print_result(f"A game took {length.mean:.1f} decisions on average, {length.least} to {length.most}.")
    if balance.shared:
        explanation = "counted as won for each" if balance.together else "each of whom won a part"
        print_result(f"Games with several winners, {explanation}: {balance.shared}.")


def _seat_cells(report: "SeatReport") -> tuple[object, ...]:
    from vaultkit.campaign.balance_report import format_wins

    wins, score = report.wins, report.score
    score_text = f"{score.mean:.1f} ({score.least} to {score.most})" if score else ""
    return format_wins(wins), *_rate_cells(wins), score_text


def _rate_cells(rate: "Rate") -> tuple[str, str]:
    low, high = rate.ci95
    return f"{100 * rate.share:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
