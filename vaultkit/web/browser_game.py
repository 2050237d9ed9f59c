"""Games, lessons and readings in the browser, from opening the table to what the terminal prints at the end."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
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
from vaultkit.session.real_deck import find_refereeing
from vaultkit.text import join_words
from vaultkit.web.host_page import HostPage
from vaultkit.web.lobby import Lobby
from vaultkit.web.phone_page import PhonePage
from vaultkit.web.startup import TableLauncher


@dataclass(frozen=True)
class BrowserTable:
    """A table in the browser for games and matches, with the clock and the seconds that a bot's move takes.

    With `dry_run` the command that goes on with a game says so.
    """

    launcher: TableLauncher
    now: Callable[[], datetime]
    seconds: float = 0.0
    dry_run: bool = False

    def play(
        self, session: Session, notes: GameNotes, log: Callable[[Session], LogResult] | None
    ) -> tuple[Session, LogResult | None]:
        """Let people and bots play one game or several; return the last game and its log result.

        Nothing is logged of a game that goes on. Raises KeyboardInterrupt if the host leaves before its end.
        """
        launcher = self.launcher
        lobby = _create_lobby(session, launcher) if launcher.phones else None
        phones = (lambda: lobby.phone_seats) if lobby else None
        write = partial(log, session) if log else None
        host = GameHost.from_notes(session, notes, markdown_to_text, self.seconds, write, phones=phones)
        self._connect_rewards(host, notes)
        refereeing = (
            find_refereeing(session.header.game, session.header.options).how if session.header.real_cards else ""
        )
        for remark in filter(None, (refereeing, session.remark, encounter_sentence(session))):
            launcher.tell(remark)
        if not session.header.agreement.character:  # whose inventory the game has changed
            host.open_again = partial(self._open_again, host, notes, log)
        page = PhonePage(host, lobby) if lobby else HostPage(host)
        with closing(host):
            self._serve(page, lambda: (host.session.id, bool(host.session.outcome)), lobby=lobby)
        return host.session, host.finish()

    def play_match(self, match_notes: MatchNotes, log: Callable[[], LogResult] | None) -> LogResult | None:
        """Let people play a match, game after game, and return its log result if it is over.

        Raises KeyboardInterrupt if the host leaves before the end.
        """
        if match_notes.match.outcome:
            return log() if log else None
        with closing(MatchHost(match_notes, markdown_to_text, self.seconds, self.now, log)) as host:
            self._connect_rewards(host, match_notes.notes)
            self._serve(HostPage(host), lambda: (match_notes.match.id, match_notes.match.is_over), noun="match")
        return host.finish()

    def write_down(self, logbook: Logbook) -> LogResult | None:
        """Let people write a game down, and return its log result if it is over.

        Raises KeyboardInterrupt if the host leaves before the end.
        """
        host = LogbookHost(logbook, markdown_to_text, self.now, dry_run=self.dry_run)
        self._connect_rewards(host, logbook.notes)
        self._serve(HostPage(host), lambda: (logbook.session, logbook.is_over))
        return host.finish() if logbook.is_over else None

    def _open_again(
        self, host: GameHost, notes: GameNotes, log: Callable[[Session], LogResult] | None
    ) -> tuple[Session, Advice, EndingRecorder]:
        """Begin another game of the same people."""
        session = notes.begin_again(host.session.header, self.now)
        advice = Advice(session, notes.reference(session, markdown_to_text))
        if self.launcher.kept:
            self.launcher.kept.move_to(session.id)
        paths = join_words(host.logged.written) if host.logged else ""
        self.launcher.tell(f"Another game begins: {session.id}.{paths and f' Written for the last one: {paths}.'}")
        return session, advice, EndingRecorder.from_notes(partial(log, session) if log else None, notes)

    def _serve(
        self, page: HostPage, saved: Callable[[], tuple[str, bool]], *, noun: str = "game", lobby: Lobby | None = None
    ) -> None:
        """Serve a game or match, and tell how to go on with it if it is not over.

        `saved` returns its id and whether it is over, which change when people play again. Raises KeyboardInterrupt if
        the host leaves before the end.
        """
        options = f"{'--phones' if lobby else '--table'}{' --dry-run' if self.dry_run else ''}"
        try:
            is_closed = self.launcher.serve(page, lobby)
        except BaseException:
            self.launcher.tell(f"The {noun} is saved. Continue with: vaultkit resume {saved()[0]} {options}")
            raise
        session_id, is_over = saved()
        if not is_over:
            command = f"vaultkit resume {session_id} {options}"
            self.launcher.tell(f"The table is closed, and the {noun} is saved. Continue with: {command}")
            if not is_closed:
                raise KeyboardInterrupt

    def _connect_rewards(self, host: Host, notes: GameNotes) -> None:
        """Let people roll the rewards at the end, if the game has any."""
        if not notes.info.rewards:
            return
        from vaultkit.campaign.dragon_citadel.record_rewards import roll_and_record

        workspace = notes.workspace
        host.roll_rewards = lambda note: roll_and_record(Workspace(workspace.root, workspace.cached), note, self.now())


def _create_lobby(session: Session, launcher: TableLauncher) -> Lobby:
    """Return the lobby for the seats of people; a game that is over waits for nobody."""
    saved_phones = launcher.kept.phones if launcher.kept else None
    return Lobby({seat: session.name(seat) for seat in session.people}, saved_phones, is_open=session.outcome is None)


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
