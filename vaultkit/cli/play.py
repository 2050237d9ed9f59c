"""`vaultkit play GAME`: a game at this screen, from the first deal to the campaign log."""

from typing import Annotated, Any

import typer

from vaultkit.campaign.log import Logged
from vaultkit.cli.common import DryRunOption, JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import document, say, talk
from vaultkit.cli.table import GameTable, play_out
from vaultkit.games.words import Outcome
from vaultkit.session import Session

SeatOption = Annotated[
    list[str] | None,
    typer.Option("--seat", help="A player's name, or bot:STRATEGY (greedy, random). Once for each seat, clockwise."),
]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="A house rule as option=value; `rules GAME` explains them.")
]
CampaignOption = Annotated[
    str | None, typer.Option("--campaign", help="The campaign note to log in, instead of the one in the settings.")
]
NoLogOption = Annotated[bool, typer.Option("--no-log", help="Write no note; `log --session ID` does it later.")]
ScriptOption = Annotated[
    str | None, typer.Option("--script", help="A file with moves, one a line, instead of a person; - reads stdin.")
]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="One fact a line, no colours or symbols: for screen readers.")
]


def play(
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    seat: SeatOption = None,
    seed: Annotated[int | None, typer.Option("--seed", help="A number that settles the shuffle.")] = None,
    option: SetOption = None,
    campaign: CampaignOption = None,
    no_log: NoLogOption = False,
    script: ScriptOption = None,
    plain: PlainOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a game, people and bots at one screen, and log the result.

    Without --seat the players of the settings sit down. Every move is saved at once: `resume` goes on after a break.
    """
    table = GameTable.of(Workspace.open(vault), game)
    with table.begin(table.seats(seat or []), seed, table.options(option or [])) as session:
        outcome = play_out(table, session, script, plain, as_json)
        logged = table.log(session, campaign, dry_run) if outcome and not no_log else None
        finish(session, outcome, logged, dry_run, as_json)


def finish(session: Session, outcome: Outcome | None, logged: Logged | None, dry_run: bool, as_json: bool) -> None:
    """Say where the result stands, or give it as JSON."""
    if logged:
        tell_logged(logged, dry_run)
    if as_json:
        document(summary(session, outcome, logged))


def tell_logged(logged: Logged, dry_run: bool) -> None:
    """Where a result was written, and what the GM should know about it."""
    if dry_run:
        say(logged.diff.rstrip("\n"))
        talk("Nothing was written: this was a dry run.")
    for path in logged.written:
        talk(f"Written: {path}")
    for problem in logged.problems:
        talk(f"Note: {problem.message} {problem.hint}".rstrip())
    for remark in logged.remarks:
        talk(f"Note: {remark}")


def summary(session: Session, outcome: Outcome | None, logged: Logged | None) -> dict[str, Any]:
    """The game as the command-line contract has it; `outcome` and `note` are null while it goes on."""
    header = session.header
    names = [spec.name for spec in header.seats]
    return {
        "session": session.id,
        "game": header.game,
        "seed": header.seed,
        "seats": [{"name": spec.name, "bot": spec.strategy} for spec in header.seats],
        "outcome": outcome
        and {
            "kind": outcome.kind,
            "winners": [names[seat] for seat in outcome.winners],
            "reason": outcome.reason.speak(session.name, lambda card: session.deck[card].title),
        },
        "scores": outcome and {name: dict(parts) for name, parts in zip(names, outcome.scores, strict=True)},
        "note": logged.note if logged else None,
        "journal": str(session.path),
    }


app = new_app(play)
