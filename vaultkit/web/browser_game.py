"""Games, lessons and readings in the browser, from opening the table to what the terminal prints at the end."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from functools import partial

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.host.advice import Advice, markdown_to_text
from vaultkit.host.ending import EndingRecorder, encounter_sentence
from vaultkit.host.game_host import GameHost
from vaultkit.host.interface import Host
from vaultkit.host.lesson_host import LessonHost
from vaultkit.host.logbook_host import LogbookHost
from vaultkit.host.match_host import MatchHost
from vaultkit.host.reading_host import ReadingHost
from vaultkit.session import Session
from vaultkit.session.journal_records import Header
from vaultkit.session.real_deck import find_refereeing
from vaultkit.text import join_words
from vaultkit.theme.model import theme_from_settings
from vaultkit.web.card_picker import index_image_makers
from vaultkit.web.host_page import HostPage
from vaultkit.web.lobby import Lobby
from vaultkit.web.phone_page import PhonePage
from vaultkit.web.startup import TableLauncher


def play_at_table(
    session: Session,
    notes: GameNotes,
    launcher: TableLauncher,
    now: Callable[[], datetime],
    *,
    seconds: float,
    log: Callable[[Session], LogResult] | None,
    dry_run: bool,
) -> tuple[Session, LogResult | None]:
    """Let people and bots play one game or several in the browser; return the last game and what was logged of it.

    Nothing is logged of a game that goes on. Raises KeyboardInterrupt if the host leaves before its end.
    """
    lobby = _create_lobby(session, launcher) if launcher.phones else None
    phones = (lambda: lobby.phone_seats) if lobby else None
    write = partial(log, session) if log else None
    host = GameHost.from_notes(session, notes, markdown_to_text, seconds, write, phones=phones)
    _connect_rewards(host, notes, now)
    refereeing = find_refereeing(session.header.game, session.header.options).how if session.header.real_cards else ""
    for remark in filter(None, (refereeing, session.remark, encounter_sentence(session))):
        launcher.tell(remark)
    if _names_cards(session.header):
        launcher = _add_picker_images(launcher, notes)
    if not session.header.agreement.character:  # whose inventory the game has changed
        host.open_again = partial(_open_again, host, notes, launcher, now, log)
    page = PhonePage(host, lobby) if lobby else HostPage(host)
    with closing(host):
        _serve(launcher, page, lambda: (host.session.id, bool(host.session.outcome)), dry_run=dry_run, lobby=lobby)
    return host.session, host.finish()


def _open_again(
    host: GameHost,
    notes: GameNotes,
    launcher: TableLauncher,
    now: Callable[[], datetime],
    log: Callable[[Session], LogResult] | None,
) -> tuple[Session, Advice, EndingRecorder]:
    """Begin another game of the same people."""
    session = notes.begin_again(host.session.header, now)
    advice = Advice(session, notes.reference(session, markdown_to_text))
    if launcher.kept:
        launcher.kept.move_to(session.id)
    paths = join_words(host.logged.written) if host.logged else ""
    launcher.tell(f"Another game begins: {session.id}.{paths and f' Written of the last one: {paths}.'}")
    return session, advice, EndingRecorder.from_notes(partial(log, session) if log else None, notes)


def play_match_at_table(
    match_notes: MatchNotes,
    launcher: TableLauncher,
    now: Callable[[], datetime],
    *,
    seconds: float,
    log: Callable[[], LogResult] | None,
    dry_run: bool,
) -> LogResult | None:
    """Let people play a match in the browser, game after game, and return what was logged of it, if it is over.

    Raises KeyboardInterrupt if the host leaves before the end.
    """
    if _names_cards(match_notes.match.header):
        launcher = _add_picker_images(launcher, match_notes.notes)
    with closing(MatchHost(match_notes, markdown_to_text, seconds, now, log)) as host:
        _connect_rewards(host, match_notes.notes, now)
        page = HostPage(host)
        _serve(launcher, page, lambda: (match_notes.match.id, match_notes.match.is_over), dry_run=dry_run, noun="match")
    return host.finish()


def write_down_at_table(
    logbook: Logbook, launcher: TableLauncher, now: Callable[[], datetime], *, dry_run: bool
) -> LogResult | None:
    """Let people write a game down in the browser, and return what was logged of it, if it is over.

    Raises KeyboardInterrupt if the host leaves before the end.
    """
    host, launcher = (
        LogbookHost(logbook, markdown_to_text, now, dry_run=dry_run),
        _add_picker_images(launcher, logbook.notes),
    )
    _connect_rewards(host, logbook.notes, now)
    _serve(launcher, HostPage(host), lambda: (logbook.session, logbook.is_over), dry_run=dry_run)
    return host.finish() if logbook.is_over else None


def _serve(
    launcher: TableLauncher,
    page: HostPage,
    saved: Callable[[], tuple[str, bool]],
    *,
    dry_run: bool,
    noun: str = "game",
    lobby: Lobby | None = None,
) -> None:
    """Serve a game or match, and tell how to go on with it if it is not over.

    `saved` returns its id and whether it is over, which change when people play again. Raises KeyboardInterrupt if the
    host leaves before the end.
    """
    options = f"{'--phones' if lobby else '--table'}{' --dry-run' if dry_run else ''}"
    try:
        is_closed = launcher.serve(page, lobby)
    except BaseException:
        launcher.tell(f"The {noun} is saved. Go on with: vaultkit resume {saved()[0]} {options}")
        raise
    session_id, is_over = saved()
    if not is_over:
        command = f"vaultkit resume {session_id} {options}"
        launcher.tell(f"The table is closed, and the {noun} is saved. Go on with: {command}")
        if not is_closed:
            raise KeyboardInterrupt


def _connect_rewards(host: Host, notes: GameNotes, now: Callable[[], datetime]) -> None:
    """Let people roll the rewards at the end, if the game has any."""
    if not notes.info.rewards:
        return
    from vaultkit.campaign.dragon_citadel.record_rewards import roll_and_record

    workspace = notes.workspace
    host.roll_rewards = lambda note: roll_and_record(Workspace(workspace.root, workspace.cached), note, now())


def _names_cards(header: Header) -> bool:
    """Return whether people say which cards come."""
    return header.real_cards or bool(header.agreement.gm)


def _create_lobby(session: Session, launcher: TableLauncher) -> Lobby:
    """Return the lobby for the seats of people; a game that is over waits for nobody."""
    saved_phones = launcher.kept.phones if launcher.kept else None
    return Lobby({seat: session.name(seat) for seat in session.people}, saved_phones, is_open=session.outcome is None)


def _add_picker_images(launcher: TableLauncher, notes: GameNotes) -> TableLauncher:
    """Return a launcher that also serves the pictures for the tiles of a card picker."""
    workspace = notes.workspace
    pictures = index_image_makers(notes.deck_note.deck, theme_from_settings(workspace.root, workspace.settings.print))
    return replace(launcher, web={**launcher.web, **pictures})


def teach_at_table(notes: GameNotes, launcher: TableLauncher) -> None:
    """Go through the examples of a game in the browser."""
    lesson = lesson_of(notes, markdown_to_text)
    lesson = replace(lesson, farewell=f"{lesson.farewell} --table")
    host = LessonHost(lesson, notes.deck_note.deck)
    launcher.serve(HostPage(host))
    launcher.tell(lesson.farewell if host.over else "That was a part of it. The rest is there whenever you like.")


def show_reading(host: ReadingHost, launcher: TableLauncher, repeat_hint: str) -> None:
    """Turn a reading card by card in the browser. Raises KeyboardInterrupt if the host leaves before the first.

    At the end, `repeat_hint` is printed: the command that lays the same cards again.
    """
    launcher.serve(HostPage(host))
    if not host.is_begun:
        launcher.tell(f"No card was turned, so nothing is written. {repeat_hint}")
        raise KeyboardInterrupt
