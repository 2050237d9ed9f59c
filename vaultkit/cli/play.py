"""The commands `vaultkit play`, `replay` and `resume`, from the first deal of a game to the campaign log."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from vaultkit.cli import front_ends
from vaultkit.cli.common import (
    CampaignOption,
    Desk,
    SetOption,
    kept_unlogged,
    now,
    tell_logged,
    tell_unfinished,
    with_options,
)
from vaultkit.cli.output import document, talk, tell_remarks, terminal

if TYPE_CHECKING:
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.log import Logged
    from vaultkit.campaign.logbook import Logbook
    from vaultkit.campaign.matches import MatchNotes
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.cards import Deck
    from vaultkit.games.words import Outcome
    from vaultkit.play.screen import Screen
    from vaultkit.session import Session
    from vaultkit.session.records import Header
    from vaultkit.session.seats import SeatSpec

SeatOption = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        help="A player's name, or bot:easy, bot:fair, bot:hard; also bot:random, bot:greedy, bot:search, bot:search:N "
        "(N tries a move). Once for each seat, clockwise.",
    ),
]
NoLogOption = Annotated[bool, typer.Option("--no-log", help="Write no note; `log --session ID` does it later.")]
NoNoteOption = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Show what would be written into notes; write none. The game is kept until `sessions --discard ID`.",
    ),
]
SpeedOption = Annotated[
    str | None,
    typer.Option("--speed", help="How fast bots play at a terminal: slow, fast or off; Enter ends a pause."),
]
RealCardsOption = Annotated[
    bool,
    typer.Option("--real-cards", help="The deck lies on your table: nothing is dealt, say which cards are turned."),
]
LightOption = Annotated[
    bool, typer.Option("--light", help="With --real-cards: type only what decides, a third of the entries.")
]
CharacterOption = Annotated[
    str | None, typer.Option("--character", help="Deck of Destiny: the note whose inventory is played with.")
]
EncounterOption = Annotated[
    str | None, typer.Option("--encounter", help="Deck of Destiny: the note that says what is faced.")
]
NewInventoryOption = Annotated[
    bool, typer.Option("--new-inventory", help="Deck of Destiny: deal the character's first inventory.")
]
GmOption = Annotated[
    str | None,
    typer.Option("--gm", metavar="NAME", help="Who plays the dealer of Dragon Citadel, with --set dealer=hand-of-5."),
]
MatchOption = Annotated[
    int | None,
    typer.Option("--match", metavar="N", help="So many games at most: who wins most of them wins the match."),
]
StoryOption = Annotated[
    bool, typer.Option("--story", help="Turn of Fate: tell what happens with each Fate; the note keeps your words.")
]


@with_options
def play(
    desk: Desk,
    game: Annotated[str, typer.Argument(help="A game, by its id or title; without it you are asked.")] = "",
    seat: SeatOption = None,
    seed: Annotated[int | None, typer.Option("--seed", help="A number that settles the shuffle.")] = None,
    option: SetOption = None,
    campaign: CampaignOption = None,
    no_log: NoLogOption = False,
    script: front_ends.ScriptOption = None,
    plain: front_ends.PlainOption = False,
    ascii_only: front_ends.AsciiOption = False,
    real_cards: RealCardsOption = False,
    light: LightOption = False,
    character: CharacterOption = None,
    encounter: EncounterOption = None,
    new_inventory: NewInventoryOption = False,
    story: StoryOption = False,
    speed: SpeedOption = None,
    match: MatchOption = None,
    gm: GmOption = None,
    dry_run: NoNoteOption = False,
    table: front_ends.TableOption = False,
    phones: front_ends.PhonesOption = False,
    address: front_ends.AddressOption = None,
) -> None:
    """Play a game, people and bots at one screen, and log the result.

    Without --seat the players of the settings sit down. Every move is saved at once: `resume` goes on after a break.
    With --table the game stands on the big screen, in the browser; with --phones each player's hand on a phone, too.
    With --match it is one of several, which are logged together.

    For example: vaultkit play dragon-citadel --seat Ysolde --seat bot:greedy --seat bot:greedy, vaultkit play propheta
    --real-cards --light
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.log import check_target
    from vaultkit.campaign.logbook import Logbook
    from vaultkit.campaign.matches import MatchNotes, check_single
    from vaultkit.campaign.stakes import stake_on
    from vaultkit.play.guests import seats_meant
    from vaultkit.scene import tales
    from vaultkit.scene.speed import seconds_of
    from vaultkit.session.options import settle
    from vaultkit.session.refereeing import check_light, refereeing
    from vaultkit.session.seats import parse_seats
    from vaultkit.session.session import TableFacts

    table = table or phones
    if match is not None:
        check_single(phones=phones, light=light)
    if table:
        front_ends.check_table(script, plain, ascii_only)
    reached = front_ends.reached(phones, address, real_cards=real_cards or light, gm=gm)
    notes = GameNotes.of(desk.workspace, game or _choose_game(desk), option or [])
    if story:
        tales.check_story(notes.game)
    stake = stake_on(notes, option or [], character, encounter, new_inventory)
    tell_remarks(*stake.remarks)
    named = seat or [stake.character] * bool(stake.character)
    console = partial(terminal, stderr=desk.as_json) if script is None else None
    seats = seats_meant(notes, named, console, tell_remarks)
    pace = speed or desk.workspace.settings.play.speed
    seconds = seconds_of(pace)
    people = (*seats, *parse_seats([gm] if gm else ()))
    if gm:
        notes.game.check_gm(settle(notes.game, stake.options))
    screen = None if table else _screen(desk, people, script, plain, ascii_only, pace)
    if not no_log:
        check_target(notes.workspace.vault, notes.workspace.settings, campaign, now().date())
    if light:
        given = {"--seed": seed is not None, "--story": story, "--character": character, "--encounter": encounter}
        check_light(real_cards, [name for name, value in given.items() if value])
        options = settle(notes.game, stake.options)
        with Logbook.begin(notes, seats, options, now(), campaign=campaign, wants_log=not no_log) as logbook:
            _write_down(logbook, screen, dry_run=dry_run, as_json=desk.as_json)
        return
    unseen = refereeing(notes.info.id, settle(notes.game, stake.options), seats).unseen if real_cards else ()
    agreement = replace(stake.agreement, campaign=campaign, is_logged=not no_log, tells_story=story, gm=gm or "")
    facts = TableFacts(
        options=stake.options, real_cards=real_cards, unseen=unseen, agreement=agreement, known=stake.known
    )
    if match is not None:
        begun = notes.begin_match(match, seats, seed, clock=now, **facts)
        _play_match(MatchNotes(notes, begun), screen, seconds, dry_run=dry_run, as_json=desk.as_json)
        return
    with notes.begin(seats, seed, clock=now, **facts) as session:
        _play(notes, session, screen, seconds, dry_run=dry_run, as_json=desk.as_json, phones=reached)


@with_options
def replay(
    desk: Desk,
    session: Annotated[str, typer.Argument(help="A game's id or its last letters.")],
    plain: front_ends.PlainOption = False,
    ascii_only: front_ends.AsciiOption = False,
) -> None:
    """Show a game again, move by move.

    Of a match all games are shown. What was hidden during the game is shown only once the game is over.

    For example: vaultkit replay k3f9
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.logbook import Logbook, find_logbook
    from vaultkit.campaign.matches import parts_of
    from vaultkit.play import rerun
    from vaultkit.play.look import look_for
    from vaultkit.scene.recap import as_documents, of_steps
    from vaultkit.session import replay as journals

    look = partial(look_for, terminal(), plain=plain, ascii_only=ascii_only)
    if kept := find_logbook(desk.workspace.journals, session):
        logbook = Logbook.read(desk.workspace, kept)
        if desk.as_json:
            recap = of_steps(logbook.steps, (), logbook.paper.names, logbook.ledger.deck)
            document({"session": kept.id, "game": logbook.paper.game, "steps": recap})
        else:
            rerun.show_entries(terminal(), logbook, look=look(logbook.ledger.deck))
        return
    found = []
    for name in parts_of(desk.workspace, session):
        notes, saved, _ = GameNotes.of_saved(desk.workspace, name)
        deck = notes.deck_note.deck
        contents, steps = journals.replay(saved.path, notes.game, deck)
        if desk.as_json:
            recap = as_documents(notes.game, deck, contents, steps)
            found.append({"session": saved.id, "game": notes.info.id, "steps": recap})
        else:
            rerun.show(terminal(), notes.game, deck, contents, steps, look=look(deck))
    if desk.as_json:
        document(found[0] if len(found) == 1 else {"games": found})


@with_options
def resume(
    desk: Desk,
    session: Annotated[
        str, typer.Argument(help="A game's id or its last letters; without it the last one begun.")
    ] = "",
    script: front_ends.ScriptOption = None,
    plain: front_ends.PlainOption = False,
    ascii_only: front_ends.AsciiOption = False,
    speed: SpeedOption = None,
    dry_run: NoNoteOption = False,
    table: front_ends.TableOption = False,
    phones: front_ends.PhonesOption = False,
    address: front_ends.AddressOption = None,
) -> None:
    """Go on with a game that was left or cut off.

    It is logged as was said when it began.

    For example: vaultkit resume k3f9
    """
    from vaultkit.campaign.destiny.encounter import edits_since
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.logbook import Logbook, find_logbook
    from vaultkit.campaign.matches import MatchNotes, check_single
    from vaultkit.scene.speed import seconds_of

    table = table or phones
    if table:
        front_ends.check_table(script, plain, ascii_only)
    reached = front_ends.reached(phones, address)
    pace = speed or desk.workspace.settings.play.speed
    if kept := find_logbook(desk.workspace.journals, session):
        front_ends.reached(phones, address, real_cards=True)
        with Logbook.resume(desk.workspace, kept) as logbook:
            people = () if logbook.is_over else logbook.seats
            paper = None if table else _screen(desk, people, script, plain, ascii_only)
            _write_down(logbook, paper, dry_run=dry_run, as_json=desk.as_json)
        return
    if playing := MatchNotes.of_saved(desk.workspace, session):
        check_single(phones=phones)
        people = () if playing.match.is_over else playing.match.header.seats
        shown = None if table else _screen(desk, people, script, plain, ascii_only, pace)
        _play_match(playing, shown, seconds_of(pace), dry_run=dry_run, as_json=desk.as_json)
        return
    notes, saved, contents = GameNotes.of_saved(desk.workspace, session)
    front_ends.reached(phones, address, real_cards=contents.header.real_cards, gm=contents.header.agreement.gm)
    seconds = seconds_of(pace)
    with notes.resume(saved.path, now) as game:
        seats = () if contents.end else contents.header.seats
        screen = None if table else _screen(desk, seats, script, plain, ascii_only, pace)
        if game.outcome is None:
            tell_remarks(*edits_since(game.header, notes.workspace.vault, game.deck))
        _play(notes, game, screen, seconds, dry_run=dry_run, as_json=desk.as_json, phones=reached)


def _screen(
    desk: Desk, seats: "Sequence[SeatSpec]", script: str | None, plain: bool, ascii_only: bool, speed: str = "off"
) -> "Screen":
    from vaultkit.play.screen import Screen  # not needed in the browser

    console = terminal(stderr=desk.as_json)
    return Screen.open(console, seats, script, plain=plain, ascii_only=ascii_only, speed=speed)


def _choose_game(desk: Desk) -> str:
    from vaultkit.play.game_choice import choose_game

    return choose_game(desk.workspace, terminal(stderr=True))


def _play(
    notes: "GameNotes",
    session: "Session",
    screen: "Screen | None",
    seconds: float,
    *,
    dry_run: bool,
    as_json: bool,
    phones: str = "",
) -> None:
    """Let people play on the screen, or in the browser without one; then log the game and print the result.

    `phones` is the address for phones, "" without phones.
    """
    logged, wants_log = None, session.header.agreement.is_logged
    log = partial(notes.log, session, session.header.agreement.campaign, dry_run=dry_run)
    if screen:
        outcome = screen.play(session, notes, dry_run=dry_run)
    else:
        from vaultkit.table.playing import play_at_table

        table = front_ends.opening(notes.workspace, notes.deck_note, session.id, phones)
        log_now = (lambda: log(now=now())) if wants_log else None
        outcome, logged = play_at_table(session, notes, table, seconds=seconds, log=log_now, dry_run=dry_run)
    if outcome and wants_log:
        logged = logged or log(now=now())
    found = _of_header(session.header, outcome, session.deck, logged, session.path)
    _tell_end(notes.workspace, found, logged, dry_run=dry_run, as_json=as_json)


def _play_match(
    playing: "MatchNotes", screen: "Screen | None", seconds: float, *, dry_run: bool, as_json: bool
) -> None:
    """Let people play a match on the screen, or in the browser without one.

    A finished match is logged. The result is printed.
    """
    logged, header = None, playing.match.header
    wants_log = header.agreement.is_logged
    log = partial(playing.log, header.agreement.campaign, dry_run=dry_run)
    if screen:
        from vaultkit.play.match_play import MatchPlay

        MatchPlay(playing, screen, dry_run=dry_run).run(now)
    elif playing.match.outcome is None:
        from vaultkit.table.playing import play_match_at_table

        table = front_ends.opening(playing.notes.workspace, playing.notes.deck_note, playing.match.id)
        log_now = (lambda: log(now=now())) if wants_log else None
        logged = play_match_at_table(playing, table, now, seconds=seconds, log=log_now, dry_run=dry_run)
    match = playing.match
    if match.outcome and wants_log:
        logged = logged or log(now=now())
    found = _of_header(header, match.outcome, playing.notes.deck_note.deck, logged, match.path)
    games = {"match": match.most, "games": match.as_documents()}
    _tell_end(playing.notes.workspace, {**found, **games}, logged, dry_run=dry_run, as_json=as_json)


def _write_down(logbook: "Logbook", screen: "Screen | None", *, dry_run: bool, as_json: bool) -> None:
    """Let people record a game on the screen, or in the browser without one; log it if it is over.

    The result is printed.
    """
    logged = None
    if screen is None:
        from vaultkit.table.playing import write_down_at_table

        table = front_ends.opening(logbook.notes.workspace, logbook.notes.deck_note, logbook.session)
        logged = write_down_at_table(logbook, table, now, dry_run=dry_run)
    elif screen.write_down(logbook):
        logbook.close(now())
    if logbook.is_over and logbook.record.wants_log and not logged:
        logged = logbook.log(now(), dry_run=dry_run)
    about = {"session": logbook.session, "game": logbook.paper.game, "seed": None}
    found = _summary(about, logbook.seats, logbook.outcome, logbook.ledger.deck, logged, logbook.path)
    _tell_end(logbook.notes.workspace, found, logged, dry_run=dry_run, as_json=as_json)


def _tell_end(
    workspace: "Workspace", found: Mapping[str, Any], logged: "Logged | None", *, dry_run: bool, as_json: bool
) -> None:
    session = found["session"]
    if logged:
        tell_logged(logged, kept_unlogged(session) if dry_run else "", as_json=as_json)
    elif dry_run and found["outcome"]:
        talk("No note was written. The game itself is kept.")
    if dry_run:
        talk(f"If you want no more of it: vaultkit sessions --discard {session}")
    if as_json:
        document({**found, **({"diff": logged.diff} if logged and dry_run else {})})
    if found["outcome"]:
        tell_unfinished(workspace, session)


def _of_header(
    header: "Header", outcome: "Outcome | None", deck: "Deck", logged: "Logged | None", path: Path
) -> dict[str, Any]:
    """Return a game or a match for JSON.

    `seed` is null with real cards, which no seed deals, and while the game goes on, because it would reveal all cards.
    """
    seed = header.seed if outcome and not header.real_cards else None
    about = {"session": header.session, "game": header.game, "seed": seed}
    return _summary(about, header.seats, outcome, deck, logged, path)


def _summary(
    about: Mapping[str, Any],
    seats: "Sequence[SeatSpec]",
    outcome: "Outcome | None",
    deck: "Deck",
    logged: "Logged | None",
    path: Path,
) -> dict[str, Any]:
    """Return a game for JSON. `outcome` and `note` are null while the game goes on."""
    names = [spec.name for spec in seats]
    return {
        **about,
        "seats": [{"name": spec.name, "bot": spec.strategy} for spec in seats],
        "outcome": outcome
        and {
            "kind": outcome.kind,
            "winners": [names[seat] for seat in outcome.winners],
            "reason": outcome.reason.speak(names.__getitem__, lambda card: deck[card].title),
        },
        "scores": outcome and {name: dict(parts) for name, parts in zip(names, outcome.scores, strict=True)},
        "note": logged.note if logged else None,
        "journal": str(path),
    }
