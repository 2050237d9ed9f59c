"""The commands `vaultkit play` and `resume`, from the first deal of a game to the campaign log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from vaultkit.cli import play_modes
from vaultkit.cli.context import (
    TYPED_WORDS_KEY,
    CampaignOption,
    CommandContext,
    SetOption,
    current_time,
    dry_run_sentence,
    log_fields,
    print_logged,
    print_unfinished,
    with_options,
)
from vaultkit.cli.output import print_document, print_note, print_remarks, terminal
from vaultkit.errors import UsageError
from vaultkit.scene.bot_speed import seconds_of
from vaultkit.text import join_words, quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.log import LogResult
    from vaultkit.campaign.logbook import Logbook
    from vaultkit.campaign.matches import MatchNotes
    from vaultkit.campaign.play_request import ScreenRequest
    from vaultkit.cards import Deck
    from vaultkit.games.messages import Outcome
    from vaultkit.session import Session
    from vaultkit.session.journal_records import Header
    from vaultkit.session.seats import SeatSpec
    from vaultkit.terminal.screen import Screen
    from vaultkit.web.browser_game import BrowserTable

SeatOption = Annotated[
    list[str] | None,
    Option(
        "--seat",
        help="A player's name, bot:easy, bot:fair or bot:hard, also bot:random, bot:greedy, "
        "bot:search, bot:search:N (N tries a move); repeat for each seat, clockwise.",
    ),
]
NoLogOption = Annotated[bool, Option("--no-log", help="Don't log; `log --session ID` logs later.")]
RealCardsOption = Annotated[bool, Option("--real-cards", help="Use a physical deck; enter only what decides the game.")]
RefereeOption = Annotated[
    bool, Option("--referee", help="With --real-cards: enter every card; vaultkit checks every rule.")
]
LightOption = Annotated[bool, Option("--light", hidden=True)]
CharacterOption = Annotated[str | None, Option("--character", help="Deck of Destiny: the note with the inventory.")]
EncounterOption = Annotated[str | None, Option("--encounter", help="Deck of Destiny: the note with the encounter.")]
NewInventoryOption = Annotated[bool, Option("--new-inventory", help="Deck of Destiny: deal a first inventory.")]
GmOption = Annotated[
    str | None,
    Option("--gm", metavar="NAME", help="Dragon Citadel: who deals, with --set dealer=hand-of-5."),
]
MatchOption = Annotated[int | None, Option("--match", metavar="N", help="Best of N games.")]
StoryOption = Annotated[bool, Option("--story", help="Turn of Fate: describe what each Fate does; saved in the note.")]


@dataclass(frozen=True)
class GameContext(CommandContext):
    """The options of a command that plays a game: the screens that show it, how fast bots play, and a dry run."""

    script: play_modes.ScriptOption = None
    plain: play_modes.PlainOption = False
    ascii_only: play_modes.AsciiOption = False
    speed: Annotated[
        str | None, Option("--speed", help="Pause after bot moves: slow, fast or off; Enter skips it.")
    ] = None
    dry_run: Annotated[
        bool,
        Option("--dry-run", help="Preview note changes; write none. `sessions --discard ID` deletes the saved game."),
    ] = False
    table: play_modes.TableOption = False
    phones: play_modes.PhonesOption = False
    address: play_modes.AddressOption = None

    @property
    def screen_request(self) -> "ScreenRequest":
        from vaultkit.campaign.play_request import ScreenRequest

        return ScreenRequest(self.script, self.plain, self.ascii_only, self.table, self.phones, self.address)

    @property
    def pace(self) -> str:
        """The speed of bots by the option, else by the settings."""
        return self.speed or self.workspace.settings.play.speed

    def open_screen(self, seats: "Sequence[SeatSpec]", speed: str = "off") -> "Screen | None":
        """Open the terminal for a game; return None for a game in the browser."""
        if self.screen_request.is_in_browser:
            return None
        from vaultkit.terminal.screen import Screen

        console = terminal(stderr=self.as_json)
        return Screen.open(
            console, seats, self.script, plain=self.plain, ascii_only=self.ascii_only, speed=speed, now=current_time,
            dry_run=self.dry_run,
        )  # fmt: skip

    def open_table(self, notes: "GameNotes", session: str, seconds: float = 0.0, phones: str = "") -> "BrowserTable":
        """Return a table in the browser for a game or a match, for which a bot's move takes some seconds.

        `phones` is the address for phones, "" without phones.
        """
        from vaultkit.web.browser_game import BrowserTable

        launcher = play_modes.table_launcher(notes.workspace, notes.deck_note, session, phones)
        return BrowserTable(launcher, current_time, seconds, self.dry_run)


@with_options
def play(
    desk: GameContext,
    context: typer.Context,
    game: Annotated[
        list[str] | None,
        Argument(metavar="[GAME]", help="A game by id or title. Default: ask."),
    ] = None,
    seat: SeatOption = None,
    seed: Annotated[int | None, Option("--seed", help="Random seed: the same seed deals the same cards.")] = None,
    option: SetOption = None,
    campaign: CampaignOption = None,
    no_log: NoLogOption = False,
    real_cards: RealCardsOption = False,
    referee: RefereeOption = False,
    light: LightOption = False,
    character: CharacterOption = None,
    encounter: EncounterOption = None,
    new_inventory: NewInventoryOption = False,
    story: StoryOption = False,
    match: MatchOption = None,
    gm: GmOption = None,
) -> None:
    """Play a game with people and bots, on one screen or on phones, and log the result.

    Without --seat the players in the settings play. Every move is saved; `resume` continues. A match (--match) is
    logged as a whole.

    For example: vaultkit play dragon-citadel --seat Ysolde --seat bot:greedy --seat bot:greedy, vaultkit play propheta
    --real-cards
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.play_request import GameSetup, PlayRequest
    from vaultkit.session.seats import parse_seats
    from vaultkit.terminal.confirmations import confirm_seats
    from vaultkit.terminal.game_choice import choose_game, choose_seats

    if light and (referee or not real_cards):
        hint = "Leave out --light." if referee else "Say --real-cards instead."
        raise UsageError("--light is for the real deck on the table.", hint=hint)
    name, players = _read_words(desk, game or ())
    request = PlayRequest(
        game=name, seats=players + (seat or []), seed=seed, options=option or (), campaign=campaign,
        is_logged=not no_log,
        real_cards=real_cards, referee=referee, character=character, encounter=encounter, new_inventory=new_inventory,
        story=story, match=match, gm=gm,
        words=[word for word in context.meta[TYPED_WORDS_KEY] if word != "--light"], names=game or (),
        screen=desk.screen_request,
    )  # fmt: skip
    request.check()
    phone_address = play_modes.choose_phone_address(request.screen)
    if not name:
        game_id = choose_game(desk.workspace, terminal(stderr=True))
        request = replace(request, game=game_id, words=[*request.words, game_id], names=[game_id])
    notes = GameNotes.from_name(desk.workspace, request.game, request.options)
    setup = GameSetup.from_request(request, notes)
    print_remarks(*setup.stake.remarks)
    console = partial(terminal, stderr=desk.as_json) if desk.script is None else None
    seat_words = choose_seats(setup, console, asks=not name)
    seats = confirm_seats(notes, seat_words, console, print_remarks)
    seconds, people = seconds_of(desk.pace), (*seats, *parse_seats([gm] if gm else ()))
    setup.check(seats, current_time(), are_named=bool(seat_words))
    screen = desk.open_screen(people, desk.pace)
    if request.records_only_scores:
        with setup.begin_logbook(seats, current_time()) as logbook:
            _record_game(desk, logbook, screen)
    elif match is not None:
        match_notes = setup.begin_match(seats, match, current_time)
        _play_match(desk, match_notes, screen, seconds)
    else:
        with setup.begin_session(seats, current_time) as session:
            _play(desk, notes, session, screen, seconds, phone_address)


def _read_words(desk: CommandContext, words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the game and the players that words name, as in `turn of fate Ysolde Bram`.

    Raises UsageError for other words.
    """
    from vaultkit.campaign.players import Players, take_players

    if len(words) < 2:
        return " ".join(words), []
    game, rest = desk.workspace.score_sheets.split_words(words)
    names, rest = take_players(rest, Players(desk.vault, desk.workspace.settings.players), bots=True)
    if rest:
        hint = f"Somebody without a note: vaultkit play {quote_word(game)} --seat {quote_word(rest[0])}"
        raise UsageError(f"There is no player '{rest[0]}' in this vault.", hint=hint)
    return game, names


@with_options
def resume(
    desk: GameContext,
    session: Annotated[str, Argument(help="A game's id or its last letters. Default: the latest.")] = "",
) -> None:
    """Continue a game.

    It is logged as chosen at its start.

    For example: vaultkit resume k3f9
    """
    from vaultkit.campaign.deck_of_destiny.encounter import report_inventory_edits
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.logbook import Logbook, find_saved_logbook
    from vaultkit.campaign.matches import MatchNotes
    from vaultkit.campaign.saved_games import find_game_to_resume
    from vaultkit.cli.log_entry import resume_entry

    request = desk.screen_request
    request.check()
    if not session:
        session, open_ids = find_game_to_resume(desk.workspace.journals)
        if open_ids:
            are_open = f"{join_words(open_ids)} {'is' if len(open_ids) == 1 else 'are'} open in another window"
            print_remarks(f"{are_open}, so this is {session}.")
    if saved_logbook := find_saved_logbook(desk.workspace.journals, session):
        request.check(real_cards=True)
        if saved_logbook.contents and saved_logbook.contents.asks_scores:
            if request.is_in_browser:
                raise UsageError("Scores are typed in the terminal.", hint="Leave out --table and --phones.")
            resume_entry(desk, saved_logbook)
            return
        with Logbook.resume(desk.workspace, saved_logbook) as logbook:
            people = () if logbook.is_over else logbook.seats
            _record_game(desk, logbook, desk.open_screen(people))
        return
    if match_notes := MatchNotes.from_saved(desk.workspace, session):
        request.check(match=True)
        people = () if match_notes.match.is_over else match_notes.match.header.seats
        _play_match(desk, match_notes, desk.open_screen(people, desk.pace), seconds_of(desk.pace))
        return
    notes, saved, contents = GameNotes.from_saved(desk.workspace, session)
    request.check(real_cards=contents.header.real_cards, gm=bool(contents.header.agreement.gm))
    phone_address, seconds = play_modes.choose_phone_address(request), seconds_of(desk.pace)
    with notes.resume(saved.path, current_time) as game:
        screen = desk.open_screen(() if contents.end else contents.header.seats, desk.pace)
        if game.outcome is None:
            print_remarks(*report_inventory_edits(game.header, notes.workspace.vault, game.deck))
        _play(desk, notes, game, screen, seconds, phone_address)


def _play(
    desk: GameContext, notes: "GameNotes", session: "Session", screen: "Screen | None", seconds: float, phones: str
) -> None:
    """Let people play on the screen, or in the browser without one; then log the game and print the result.

    `phones` is the address for phones, "" without phones.
    """
    agreement = session.header.agreement

    def log(game: "Session") -> "LogResult":
        return notes.log(game, agreement.campaign, now=current_time(), dry_run=desk.dry_run)

    write = log if agreement.is_logged else None
    place = screen or desk.open_table(notes, session.id, seconds, phones)
    session, log_result = place.play(session, notes, write)
    result = _header_document(session.header, session.outcome, session.deck, session.path)
    _print_result_and_hints(desk, result, log_result)


def _play_match(desk: GameContext, match_notes: "MatchNotes", screen: "Screen | None", seconds: float) -> None:
    """Let people play a match on the screen, or in the browser without one.

    A finished match is logged. The result is printed.
    """
    header, notes = match_notes.match.header, match_notes.notes
    write_log = partial(match_notes.log, header.agreement.campaign, dry_run=desk.dry_run)
    log = (lambda: write_log(now=current_time())) if header.agreement.is_logged else None
    log_result = (screen or desk.open_table(notes, match_notes.match.id, seconds)).play_match(match_notes, log)
    match = match_notes.match
    result = _header_document(header, match.outcome, match_notes.notes.deck_note.deck, match.path)
    result |= {"match": match.most, "games": match.as_documents()}
    _print_result_and_hints(desk, result, log_result)


def _record_game(desk: GameContext, logbook: "Logbook", screen: "Screen | None") -> None:
    """Let people record a game on the screen, or in the browser without one; log it if it is over.

    The result is printed.
    """
    log_result = (screen or desk.open_table(logbook.notes, logbook.session)).write_down(logbook)
    id_fields = {"session": logbook.session, "game": logbook.paper.game, "seed": None}
    result = _result_document(id_fields, logbook.seats, logbook.outcome, logbook.ledger.deck, logbook.path)
    _print_result_and_hints(desk, result, log_result)


def _print_result_and_hints(desk: GameContext, result: Mapping[str, Any], log_result: "LogResult | None") -> None:
    session = result["session"]
    if log_result:
        print_logged(
            desk.workspace, log_result, dry_run_sentence(session) if desk.dry_run else "", as_json=desk.as_json
        )
    elif desk.dry_run and result["outcome"]:
        print_note("No note was written. The game itself is kept.")
    if desk.dry_run:
        print_note(f"To discard it: vaultkit sessions --discard {session}")
    if desk.as_json:
        print_document({**result, **(log_fields(log_result, dry_run=desk.dry_run) if log_result else {"note": None})})
    if result["outcome"]:
        print_unfinished(desk.workspace, session)


def _header_document(header: "Header", outcome: "Outcome | None", deck: "Deck", path: Path) -> dict[str, Any]:
    """Return a game or a match, described by its header, as a JSON document.

    `seed` is null with real cards, which no seed deals, and while the game goes on, because it would reveal all cards.
    """
    seed = header.seed if outcome and not header.real_cards else None
    id_fields = {"session": header.session, "game": header.game, "seed": seed}
    return _result_document(id_fields, header.seats, outcome, deck, path)


def _result_document(
    id_fields: Mapping[str, Any],
    seats: "Sequence[SeatSpec]",
    outcome: "Outcome | None",
    deck: "Deck",
    path: Path,
) -> dict[str, Any]:
    """Return a game as a JSON document: `id_fields`, seats, result and journal.

    `outcome` and `scores` are null while the game goes on.
    """
    names = [spec.name for spec in seats]
    return {
        **id_fields,
        "seats": [{"name": spec.name, "bot": spec.strategy} for spec in seats],
        "outcome": outcome
        and {
            "kind": outcome.kind,
            "winners": [names[seat] for seat in outcome.winners],
            "reason": outcome.reason.render(names.__getitem__, lambda card: deck[card].title),
        },
        "scores": outcome and {name: dict(parts) for name, parts in zip(names, outcome.scores, strict=True)},
        "journal": str(path),
    }
