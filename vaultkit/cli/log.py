"""The command `vaultkit log`, which writes each finished game into the campaign notes once."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from vaultkit.cli.context import CampaignOption, CommandContext, DryRunOption, current_time, with_options
from vaultkit.cli.unlogged_list import list_unlogged
from vaultkit.errors import UsageError
from vaultkit.text import quote_word

GameArgument = Annotated[
    list[str] | None,
    Argument(
        metavar="[GAME]",
        help="A game by id or title. Default: list games not logged yet. With --edit or --delete: a "
        "logged game by number (1 is the latest), title, note or id.",
    ),
]
ScoreOption = Annotated[
    list[str] | None,
    Option("--score", help='A player\'s scores (repeatable): "NAME: swords=23/1, stars=7/0, crowns=2".'),
]
FromOption = Annotated[
    list[Path] | None,
    Option("--from", help="A CSV, TSV or TOML file, or filled score sheets; - reads pasted text."),
]
SeatOption = Annotated[list[str] | None, Option("--seat", help="A player (repeatable); scores are asked for.")]
SetOption = Annotated[list[str] | None, Option("--set", help="A house rule, such as mode=competitive.")]
OutcomeOption = Annotated[str | None, Option("--outcome", help="Outcome, such as won, if scores don't decide it.")]
SessionOption = Annotated[str | None, Option("--session", help="A finished game by id or its last letters.")]
DateOption = Annotated[str | None, Option("--date", help="Date: 2026-11-03, yesterday, friday. Default: today.")]


@with_options
def log(
    desk: CommandContext,
    game: GameArgument = None,
    score: ScoreOption = None,
    files: FromOption = None,
    seat: SeatOption = None,
    outcome: OutcomeOption = None,
    option: SetOption = None,
    date: DateOption = None,
    note: Annotated[str, Option("--note", help="A comment for the game note.")] = "",
    force: Annotated[bool, Option("--force", help="Accept impossible scores, with a remark.")] = False,
    again: Annotated[bool, Option("--again", help="Log a second game with the same scores.")] = False,
    example: Annotated[bool, Option("--example", help="Print an example file for --from.")] = False,
    session: SessionOption = None,
    edit: Annotated[bool, Option("--edit", help="Correct a logged game.")] = False,
    delete: Annotated[bool, Option("--delete", help="Delete a logged game, after asking.")] = False,
    keep_text: Annotated[
        bool, Option("--keep-text", help="With --delete: keep your own text in the game note.")
    ] = False,
    campaign: CampaignOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Log a game played on paper or with real cards; --edit corrects a logged game.

    Asks for scores, or reads them from --score, a file or filled score sheets. Nothing is logged twice.

    --edit updates notes, rewards and statistics. --delete needs the game's name outside a terminal. Your own text
    stays; `undo` reverts everything.

    For example: vaultkit log chess --score "Ysolde: colour=White, result=won" --score "Bram: colour=Black, result=lost"
    """
    from vaultkit.campaign.dates import absolute_day, read_date
    from vaultkit.campaign.players import split_names
    from vaultkit.campaign.scoresheets.paper_record import Flags

    players, day, paths = list[str](), None, tuple(files or ())
    name = " ".join(game or ()) or None
    if delete and date:  # the day is part of what names the game
        name, date = " ".join(filter(None, (name, date))), None
    if game and not (edit or delete):
        from vaultkit.cli.log_entry import read_words

        name, players, day, paths = read_words(desk, game, files or (), score or ())
    date = date if day is None else day
    flags = Flags(
        game=name,
        scores=score or (),
        seats=(*players, *split_names(seat or ())),
        files=paths,
        options=option or (),
        outcome=outcome,
        date=read_date(absolute_day(date, current_time().date())).isoformat() if date else date,
        note=note,
        campaign=campaign,
        force=force,
    )
    if edit or delete or keep_text:
        from vaultkit.cli.log_changes import change_logged

        change_logged(desk, flags, edit=edit, delete=delete, keep_text=keep_text, dry_run=dry_run,
                      is_alone=session is None and not (example or again))  # fmt: skip
        return
    if flags.is_empty and session is None and not (again or example):
        if campaign is not None or dry_run:
            flag = "--dry-run" if campaign is None else "--campaign"
            raise UsageError(f"{flag} needs a game to log.", hint=f"Name it: vaultkit log GAME {flag}")
        list_unlogged(desk.workspace, as_json=desk.as_json)
        return
    from vaultkit.cli.log_entry import log_paper, log_session, print_example

    if session is not None:
        if not flags.is_empty or again or example:
            raise UsageError("--session logs a game as it was played, so it takes no scores or players.")
        if not session.strip():
            raise UsageError("--session names no game.", hint="See which ones can be logged: vaultkit log")
        log_session(desk, session, campaign, dry_run=dry_run)
    elif example:
        if again or dry_run or flags != Flags(game=name, seats=flags.seats, options=flags.options):
            command = f"vaultkit log {quote_word(name or 'GAME')} --example"
            hint = f"To keep it: {command} > scores.toml. Besides the game it takes --seat and --set."
            raise UsageError("--example shows an empty file; nothing is logged.", hint=hint)
        print_example(desk, flags)
    else:
        log_paper(desk, flags, again=again, dry_run=dry_run)
