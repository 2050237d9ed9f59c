"""`vaultkit play GAME`: a game at this screen, from the first deal to the campaign log."""

from typing import Annotated, Any

import typer

from vaultkit.campaign.log import Logged, check_target
from vaultkit.cli.common import (
    CampaignOption,
    DryRunOption,
    JsonOption,
    SetOption,
    VaultOption,
    Workspace,
    now,
)
from vaultkit.cli.cut_off import tell_cut_off
from vaultkit.cli.destiny import CharacterOption, EncounterOption, NewInventoryOption, play_staked, staked
from vaultkit.cli.output import block, document, talk
from vaultkit.cli.table import GameTable, Screen, show_again
from vaultkit.games.words import Outcome
from vaultkit.play import telling
from vaultkit.session import Session

SeatOption = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        help="A player's name, or bot:random, bot:greedy, bot:search, bot:search:N (N tries a move). "
        "Once for each seat, clockwise.",
    ),
]
NoLogOption = Annotated[bool, typer.Option("--no-log", help="Write no note; `log --session ID` does it later.")]
ScriptOption = Annotated[
    str | None, typer.Option("--script", help="A file with moves, one a line, instead of a person; - reads stdin.")
]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="One fact a line, no colours or symbols: for screen readers.")
]
RealCardsOption = Annotated[
    bool,
    typer.Option("--real-cards", help="The deck lies on your table: nothing is dealt, say which cards are turned."),
]
StoryOption = Annotated[
    bool, typer.Option("--story", help="Turn of Fate: tell what happens with each Fate; the note keeps your words.")
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
    real_cards: RealCardsOption = False,
    character: CharacterOption = None,
    encounter: EncounterOption = None,
    new_inventory: NewInventoryOption = False,
    story: StoryOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a game, people and bots at one screen, and log the result.

    Without --seat the players of the settings sit down. Every move is saved at once: `resume` goes on after a break.
    """
    table = GameTable.of(Workspace.open(vault), game, option or [])
    if story:
        telling.check_story(table.info.rules())
    staking = staked(table, option or [], character, encounter, new_inventory)
    seats = staking.seats(table, seat or [])
    screen = Screen.open(seats, script, plain=plain, to_stderr=as_json)
    if not no_log:
        check_target(table.workspace.vault, table.workspace.settings, campaign, now().date())
    notes = {**staking.notes, **wishes(campaign, no_log, story)}
    begun = table.begin(seats, seed, staking.options, real_cards=real_cards, notes=notes, known=staking.known)
    with begun as session:
        finish(table, session, play_staked(table, screen, session), dry_run=dry_run, as_json=as_json)


def replay(
    session: Annotated[str, typer.Argument(help="A game's id or its last letters.")],
    plain: PlainOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a game again, move by move.

    What was hidden during the game is shown only once the game is over.
    """
    workspace = Workspace.open(vault)
    table, saved, _ = GameTable.of_saved(workspace, session)
    show_again(table, saved, plain=plain, as_json=as_json)


def resume(
    session: Annotated[
        str, typer.Argument(help="A game's id or its last letters; without it the last one begun.")
    ] = "",
    script: ScriptOption = None,
    plain: PlainOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a game that was left or cut off.

    It is logged as was said when it began.
    """
    workspace = Workspace.open(vault)
    table, saved, contents = GameTable.of_saved(workspace, session)
    with table.resume(saved.path) as game:
        seats = () if contents.end else contents.header.seats
        screen = Screen.open(seats, script, plain=plain, to_stderr=as_json)
        finish(table, game, play_staked(table, screen, game, resumed=True), dry_run=dry_run, as_json=as_json)


def wishes(campaign: str | None, no_log: bool, story: bool = False) -> dict[str, str]:
    """What was said about logging and telling, as the journal keeps it for a resume."""
    said = {"campaign": campaign, "log": "no" if no_log else None, telling.WISH: "yes" if story else None}
    return {wish: word for wish, word in said.items() if word is not None}


def finish(table: GameTable, session: Session, outcome: Outcome | None, *, dry_run: bool, as_json: bool) -> None:
    """Log the result unless that is not wished, and say where it stands, or give it as JSON."""
    logged = None
    wished = session.header.notes
    if outcome and wished.get("log") != "no":
        logged = table.log(session, wished.get("campaign"), dry_run)
        tell_logged(logged, kept_unlogged(session.id) if dry_run else "", as_json=as_json)
        if dry_run:
            talk(f"If you want no more of it: vaultkit sessions --discard {session.id}")
    if as_json:
        document(summary(session, outcome, logged) | ({"diff": logged.diff} if logged and dry_run else {}))
    if outcome:
        tell_cut_off(table.workspace, session.id)


def kept_unlogged(session: str) -> str:
    """What a dry run has left of a game that was played here."""
    return f"No note was written. The game itself is kept; log it with: vaultkit log --session {session}"


def tell_logged(logged: Logged, dry: str, *, as_json: bool) -> None:
    """Where a result was written, and what the GM should know about it; with JSON the diff is in the document.

    `dry` is the sentence after a dry run, "" if it was none.
    """
    if dry:
        if not as_json:
            block(logged.diff)
        talk(dry)
    for path in logged.written:
        talk(f"Written: {path}")
    for problem in logged.problems:
        talk(f"Note: {problem.message} {problem.hint}".rstrip())
    for remark in logged.remarks:
        talk(f"Note: {remark}")


def summary(session: Session, outcome: Outcome | None, logged: Logged | None) -> dict[str, Any]:
    """The game as the command-line contract has it; `outcome` and `note` are null while it goes on.

    `seed` is null with real cards, which no seed deals.
    """
    header = session.header
    names = [spec.name for spec in header.seats]
    return {
        "session": session.id,
        "game": header.game,
        "seed": None if header.real_cards else header.seed,
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
