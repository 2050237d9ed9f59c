"""Playing a session in the browser, from its opening to what is said on the terminal at its end."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.errors import UsageError
from vaultkit.games.messages import Outcome
from vaultkit.session import Session
from vaultkit.session.journal_records import Header
from vaultkit.session.match import seed_words
from vaultkit.session.real_deck import find_refereeing
from vaultkit.theme.model import theme_from_settings
from vaultkit.web.card_picker import index_image_makers
from vaultkit.web.ending_page import EndingRecorder, build_game_ending, encounter_sentence
from vaultkit.web.game_host import GameOnTable
from vaultkit.web.help_requests import HelpAnswerer, markdown_to_text
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused
from vaultkit.web.lobby import Lobby
from vaultkit.web.logbook_host import LogbookOnTable
from vaultkit.web.page_model import EndingModel
from vaultkit.web.phone_game import PhoneGame
from vaultkit.web.real_card_game import RealCardGame
from vaultkit.web.seat_sessions import Client
from vaultkit.web.startup import TableLauncher


def check_table(**terminal: object) -> None:
    """Raise UsageError for what is for the `terminal` alone."""
    for option, value in terminal.items():
        if value:
            raise UsageError(f"--{option} is for the terminal.", hint=f"Leave out --{option} or --table.")


def check_phones(address: str | None, *, phones: bool, real_cards: bool, gm: str | None) -> None:
    """Raise UsageError for what phones cannot show, and for an `address` that none would use."""
    if phones and real_cards:
        raise UsageError("Real cards are in the hands of people, not on phones.", hint="--table instead of --phones.")
    if phones and gm:
        raise UsageError("A GM without a seat has no phone yet.", hint="--table instead of --phones: behind a cover.")
    if address and not phones:
        raise UsageError("--address is for --phones.", hint="Leave out --address, or add --phones.")


def play_at_table(
    session: Session,
    notes: GameNotes,
    launcher: TableLauncher,
    *,
    seconds: float,
    log: Callable[[], LogResult] | None,
    dry_run: bool,
) -> tuple[Outcome | None, LogResult | None]:
    """Let people and bots play in the browser; how the game ended, and what was logged of it. None while it goes on.

    Raises KeyboardInterrupt where the host leaves before the end.
    """

    recorder = EndingRecorder(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))

    def close() -> tuple[LogResult | None, EndingModel]:
        ending = recorder.write()
        return recorder.logged, build_game_ending(session, ending, notes.workspace.root)

    help_answerer = HelpAnswerer(session, notes.reference(session, markdown_to_text))
    lobby = _create_lobby(session, launcher) if launcher.phones else None
    names_cards = _names_cards(session.header)
    game_class = RealCardGame if names_cards else GameOnTable
    table = (
        PhoneGame(session, help_answerer, seconds, close, lobby)
        if lobby
        else game_class(session, help_answerer, seconds, close)
    )
    if session.header.real_cards:
        launcher.tell(find_refereeing(session.header.game, session.header.options).how)
    if names_cards:
        launcher = _add_picker_images(launcher, notes)
    resume_command = _resume_command(session.id, dry_run=dry_run, shows="--phones" if lobby else "--table")
    for remark in filter(None, (session.remark, encounter_sentence(session))):
        launcher.tell(remark)
    try:
        is_closed = launcher.serve(table, lobby)
    except BaseException:
        launcher.tell(f"The game is saved. Go on with: {resume_command}")
        raise
    if session.outcome is None:
        launcher.tell(f"The table is closed, and the game is saved. Go on with: {resume_command}")
        if not is_closed:
            raise KeyboardInterrupt
    return session.outcome, table.logged


def play_match_at_table(
    match_notes: MatchNotes,
    launcher: TableLauncher,
    now: Callable[[], datetime],
    *,
    seconds: float,
    log: Callable[[], LogResult] | None,
    dry_run: bool,
) -> LogResult | None:
    """Let people play a match in the browser, game after game; what was logged of it, if it is over.

    Raises KeyboardInterrupt where the host leaves before the end.
    """
    table = MatchOnTable(match_notes, seconds, now, log)
    is_closed = False
    try:
        is_closed = (
            _add_picker_images(launcher, match_notes.notes) if _names_cards(match_notes.match.header) else launcher
        ).serve(table)
    finally:
        table.leave()
        if match_notes.match.outcome is None:
            resume_command = _resume_command(match_notes.match.id, dry_run=dry_run)
            launcher.tell(f"The table is closed, and the match is saved. Go on with: {resume_command}")
    if match_notes.match.outcome is None and not is_closed:
        raise KeyboardInterrupt
    return table.logged


def _resume_command(session: str, *, dry_run: bool, shows: str = "--table") -> str:
    """The command that goes on."""
    return f"vaultkit resume {session} {shows}{' --dry-run' if dry_run else ''}"


def _names_cards(header: Header) -> bool:
    """Whether people say which cards come."""
    return header.real_cards or bool(header.agreement.gm)


def _create_lobby(session: Session, launcher: TableLauncher) -> Lobby:
    """The seats of people; a game that is over waits for nobody."""
    saved_phones = launcher.kept.phones if launcher.kept else None
    return Lobby({seat: session.name(seat) for seat in session.people}, saved_phones, is_open=session.outcome is None)


def write_down_at_table(
    logbook: Logbook, launcher: TableLauncher, now: Callable[[], datetime], *, dry_run: bool
) -> LogResult | None:
    """Let people write a game down in the browser; what was logged of it, if it is over.

    Raises KeyboardInterrupt where the host leaves before the end.
    """

    def log() -> LogResult | None:
        if not logbook.is_over:
            logbook.close(now())
        return logbook.log(now(), dry_run=dry_run) if logbook.entry_log.wants_log else None

    recorder = EndingRecorder(log, logbook.notes.workspace.root, has_rewards=bool(logbook.notes.info.rewards))

    def close() -> tuple[LogResult | None, EndingModel]:
        ending, outcome = recorder.write(), logbook.ledger.result()
        tables = logbook.ledger.game.score_tables(outcome)
        return recorder.logged, replace(ending, outcome=outcome, tables=tables)

    table = LogbookOnTable(logbook, logbook.reference(markdown_to_text), close)
    is_closed = _add_picker_images(launcher, logbook.notes).serve(table)
    if not logbook.is_over:
        command = _resume_command(logbook.session, dry_run=dry_run)
        launcher.tell(f"The table is closed, and the game is saved. Go on with: {command}")
        if not is_closed:
            raise KeyboardInterrupt
    return table.logged


def _add_picker_images(launcher: TableLauncher, notes: GameNotes) -> TableLauncher:
    """The same with the pictures on the tiles of a pad."""
    workspace = notes.workspace
    pictures = index_image_makers(notes.deck_note.deck, theme_from_settings(workspace.root, workspace.settings.print))
    return replace(launcher, web={**launcher.web, **pictures})


class MatchOnTable(RealCardGame):
    """The games of a match. `log` writes it down once it is over, None where nothing is to be written."""

    def __init__(
        self,
        match_notes: MatchNotes,
        seconds: float,
        clock: Callable[[], datetime],
        log: Callable[[], LogResult] | None,
    ) -> None:
        self._match_notes = match_notes
        self._clock = clock
        notes = match_notes.notes
        self._recorder = EndingRecorder(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))
        super().__init__(*self._next_game(), seconds, self._close_game)

    def leave(self) -> None:
        """Let go of the game that is open."""
        self._session.close()

    def _next_game(self) -> tuple[Session, HelpAnswerer]:
        session = self._match_notes.next_game(self._clock)
        return session, HelpAnswerer(session, self._match_notes.notes.reference(session, markdown_to_text))

    def _obey(self, client: Client, order: OrderData) -> str:
        if order["do"] != "next":
            return super()._obey(client, order)
        if order.get("question") != self._question:
            raise OrderOutdated
        if self._ending is None or self._match_notes.match.outcome:
            raise OrderRefused("There is no next game now.")
        self._start_session(*self._next_game())
        return ""

    def _close_game(self) -> tuple[LogResult | None, EndingModel]:
        """How the game ended, and how the match stands; once that is over, how it ended."""
        self._session.close()  # or it could not be read again
        self._match_notes.reload()
        match = self._match_notes.match
        notes_ending = self._recorder.write() if match.outcome else EndingModel()
        logged = self._recorder.logged
        ending = build_game_ending(self._session, notes_ending, self._match_notes.notes.workspace.root)
        standing = match.standing().with_names(lambda seat: match.header.names[seat])
        if match.outcome:
            outcome = self._outcome_by_seat(match.outcome)
            remarks = tuple(filter(None, (*ending.remarks, seed_words(match.header))))
            return logged, replace(ending, outcome=outcome, tables=(match.table(), standing), remarks=remarks)
        goes_on = f"Game {len(match.games) + 1} of at most {match.most}"
        return logged, replace(ending, tables=(*ending.tables, standing), goes_on=goes_on)

    def _outcome_by_seat(self, outcome: Outcome) -> Outcome:
        """The outcome of the match, in which seats are those of the last game."""
        seats = [self.names.index(name) for name in self._match_notes.match.header.names]
        reason = replace(outcome.reason, seats=tuple(seats[seat] for seat in outcome.reason.seats))
        return replace(outcome, winners=tuple(seats[seat] for seat in outcome.winners), reason=reason)
