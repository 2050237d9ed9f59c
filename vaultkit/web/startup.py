"""Opening a table, with its codes, sockets, server and browser, and closing it."""

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from socket import socket
from types import FrameType

from starlette.types import ASGIApp

from vaultkit.campaign.players import find_seats
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.messages import Seat
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import Action, LendSeat, Order, OrderRefused, PauseGame, UndoMove, Viewer
from vaultkit.stdio import hold_terminal
from vaultkit.text import join_words
from vaultkit.web.card_images import ImageMaker
from vaultkit.web.host_page import HostPage
from vaultkit.web.host_thread import CommandQueue, HostThread
from vaultkit.web.lobby import STAND_IN_STRATEGY, Lobby
from vaultkit.web.phone_routes import PhoneSite
from vaultkit.web.routes import Site
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.seat_sessions import SCREEN, SeatSessions
from vaultkit.web.server import LOOPBACK_ADDRESS, ServerThread, reopen_socket

HELP = (
    "address       make a new address for another window",
    "who           list who has joined or plays, and the bots",
    "pause         pause the game and cover the hands",
    "go on         continue a paused game",
    "bot NAME      let a bot play for that person; bot NAME hard for a stronger one",
    "back NAME     let the person play again",
    "undo          take back the last decision",
    "end           close the table, as Ctrl+C does; the game is saved",
)
_STRATEGIES = ("easy", "fair", "hard")
_OPERATOR = Viewer("console", is_operator=True)
_END_COMMANDS = ("end", "q", "quit", "exit")
_MAX_LINE_BYTES = 4096


Tell = Callable[[str], object]
PHONE_PORT = 8765
"""The port for phones if it is free; a short address is quick to type."""
_REOPEN_SECONDS = 2.0
"""Seconds to wait for the ports of a table that is opened again."""
_FIREWALL = (
    "Phones in your network can reach this computer at {}. If your system asks about incoming connections, "
    "allow them for private networks."
)
_LOOPBACK = (
    "Only this computer can reach {}, so no phone can join. For phones, leave out --address, or use this computer's "
    "address in your network; to play on one screen, use --table."
)
_NOT_BEGUN = "The game waits until you choose Begin the game on the page."
_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_MOVED_MESSAGE = "Another program now uses the port of this table: pages that are still open show the old address."
_NO_BROWSER = "No browser could be opened. Open the address above yourself."


def host_line_reader() -> Callable[[], str] | None:
    """Return a function that reads a line from the host, "" at the end; None if standard input is no terminal."""
    try:
        terminal = sys.stdin.fileno() if sys.stdin.isatty() else None
    except (AttributeError, OSError, ValueError):
        terminal = None
    if terminal is None:
        return None
    # Not through sys.stdin: a thread that waits in there would keep the program from ending.
    return lambda: os.read(terminal, _MAX_LINE_BYTES).decode(errors="replace")


@dataclass(frozen=True)
class HostConsole:
    """Runs the commands typed at the host's terminal, in the thread that holds the game.

    `line` returns the next of them, "" at the end of all; `address` makes a new address.
    """

    line: Callable[[], str]
    host: HostThread
    tell: Tell
    address: Callable[[], str]

    def listen(self) -> None:
        """Have each line run, until there are no more."""
        threading.Thread(target=self._queue_lines, name="desk", daemon=True).start()

    def run_line(self, text: str) -> None:
        """Do as the host says, tell what came of it, and show what changed."""
        verb, _, rest = " ".join(text.split()).partition(" ")
        try:
            for line in self._run_command(verb.casefold(), rest).splitlines():
                self.tell(line)
        except VaultkitError as error:
            self.tell(error.message_with_hint)
        except OrderRefused as refusal:
            self.tell(str(refusal))
        self.host.publish()

    def _queue_lines(self) -> None:
        while line := self.line():
            if line.strip():
                self.host.queue.put(lambda _, command=line: self.run_line(command))  # type: ignore[misc]

    def _run_command(self, verb: str, rest: str) -> str:
        game = self.host.page.host
        if verb in _END_COMMANDS:
            self.host.leave()
            return "The table closes."
        if verb == "address":
            return f"The table: {self.address()}"
        if isinstance(game, GameHost):
            return self._run_game_command(game, verb, rest)
        return "Type address or end. Do everything else on the page."

    def _run_game_command(self, game: GameHost, verb: str, rest: str) -> str:
        text, lobby = "\n".join(("You can type:", *HELP)), self.host.lobby
        match verb:
            case "pause" | "go" | "undo" if lobby and lobby.is_open:
                text = _NOT_BEGUN
            case "pause" | "go" if game.session.outcome:
                text = "The game is over."
            case "go" if not game.is_paused:
                text = "The game is not paused."
            case "pause" | "go":
                self._order(game, PauseGame(verb == "pause"))
                text = "Paused. To continue, type go on." if verb == "pause" else "The game goes on."
            case "undo":
                self._order(game, UndoMove())
                text = "Taken back."
            case "bot":
                *name, last = rest.split() or [""]
                is_named = bool(name) and last in _STRATEGIES
                seat = _find_seat(game.names, " ".join(name) if is_named else rest)
                self._order(game, LendSeat(seat, last if is_named else STAND_IN_STRATEGY))
                text = f"A bot plays for {game.names[seat]}. To end that, type back {game.names[seat].split()[0]}."
            case "back":
                seat = _find_seat(game.names, rest)
                self._order(game, LendSeat(seat, None))
                text = f"{game.names[seat]} plays again."
            case "who":
                text = _describe_players(game, lobby)
        return text

    def _order(self, game: GameHost, action: Action) -> None:
        game.handle(_OPERATOR, Order(game.view(_OPERATOR).question, action, is_confirmed=True))


def _find_seat(names: Sequence[str], name: str) -> Seat:
    seats = find_seats(names, name)
    if len(seats) != 1:
        raise UsageError(f"Whose seat? {join_words(names, 'or')}.")
    return seats[0]


def _describe_players(game: GameHost, lobby: Lobby | None) -> str:
    """Return who plays; while the lobby is open, who has joined with a phone and who has not."""
    people = [game.names[seat] for seat in game.people]
    groups = {"Bots": [name for name in game.names if name not in people]}
    sentence = f"{join_words(people)} {'plays' if len(people) == 1 else 'play'}."
    if lobby and lobby.is_open:
        joined = [game.names[seat] for seat in game.people if lobby.has_phone(seat)]
        groups = {"Joined": joined, "Not here yet": [name for name in people if name not in joined], **groups}
        sentence = ""
    return " ".join([sentence, *(f"{title}: {join_words(names)}." for title, names in groups.items() if names)]).strip()


@dataclass(frozen=True)
class TableLauncher:
    """The settings of a table: how the host is told something, whether a browser opens, and the pictures and files.

    `kept` saves port and seats of a table that may be opened again. `phones` is the address at which phones reach this
    computer, "" without phones. `desk` returns each line that the host types; None without a terminal.
    """

    tell: Tell
    browser: bool
    pictures: Mapping[str, ImageMaker] = field(default_factory=dict)
    kept: SavedTable | None = None
    web: Mapping[str, ImageMaker] = field(default_factory=dict)
    phones: str = ""
    desk: Callable[[], str] | None = field(default_factory=host_line_reader)

    @hold_terminal()
    def serve(self, page: HostPage, lobby: Lobby | None = None) -> bool:
        """Serve until the table closes, and return False if the host left before. With a lobby, phones may sit down."""
        sessions = SeatSessions(self.kept.table if self.kept else "", self.pictures)
        queue = CommandQueue()
        server_socket, is_same = reopen_socket(self.kept.port if self.kept else 0, seconds=_REOPEN_SECONDS)
        port = server_socket.getsockname()[1]
        address = f"http://{LOOPBACK_ADDRESS}:{port}/"
        site = Site(sessions, queue, self.pictures, [f"{LOOPBACK_ADDRESS}:{port}"], self.web)
        served = [(site.app, server_socket)]
        if lobby:
            served.append(self._serve_phones(lobby, sessions, queue))
            lobby.changed = lambda: self._save_table(sessions, port, lobby)
        server = ServerThread(served, lambda error: queue.put(lambda host: host.fail(error)))
        host = HostThread(page, sessions, queue, server, lambda: self._save_table(sessions, port, lobby), lobby=lobby)
        for client in lobby.clients if lobby else ():
            host.prepare_page(client)
        for cookie_hash in self.kept.seated if self.kept else ():
            host.prepare_page(sessions.add_client(cookie_hash))
        self._save_table(sessions, port, lobby)
        server.start()
        try:
            self._announce(address, sessions, is_same)
            if self.desk:
                HostConsole(self.desk, host, self.tell, lambda: f"{address}#{sessions.new_code()}").listen()
            with _close_on_signals(host):
                host.run()
        finally:
            server.stop(sessions)
        if self.kept and page.host.over:
            self.kept.forget()
        return not host.left

    def _serve_phones(self, lobby: Lobby, sessions: SeatSessions, queue: CommandQueue) -> tuple[ASGIApp, socket]:
        """Return the site for phones and its socket; warn the host first, since a firewall may ask about it."""
        self.tell((_LOOPBACK if IPv4Address(self.phones).is_loopback else _FIREWALL).format(self.phones))
        before = lobby.kept.port if lobby.kept else 0
        server_socket, is_same = reopen_socket(before or PHONE_PORT, self.phones, _REOPEN_SECONDS if before else 0)
        where = f"{self.phones}:{server_socket.getsockname()[1]}"
        if before and not is_same:
            self.tell(_MOVED_MESSAGE)
        lobby.open_at(sessions, f"http://{where}/")
        self.tell(f"Phones: http://{where}/ with the code on the page.")
        return PhoneSite(sessions, queue, self.pictures, [where], self.web).app, server_socket

    def _save_table(self, sessions: SeatSessions, port: int, lobby: Lobby | None) -> None:
        if self.kept:
            cookie_hashes = [client.key for client in sessions.clients if client.seat == SCREEN]
            self.kept.save(sessions.table, port, cookie_hashes, self.tell, lobby.keeps if lobby else self.kept.phones)

    def _announce(self, address: str, sessions: SeatSessions, is_same: bool) -> None:
        self.tell(f"The table: {address}#{sessions.new_code()}")
        phones = "; phones show only hands" if self.phones else ""
        more = " Type help to see what else you can do here." if self.desk else ""
        self.tell(f"Only this computer can open it{phones}. Ctrl+C closes it.{more}")
        if not is_same:
            self.tell(_MOVED_MESSAGE)
        if self.browser:
            # This code dies when it is used: other users of this computer may see with which words a program is called.
            code = sessions.new_code(once=True)
            threading.Thread(target=_open_browser, args=(f"{address}#{code}", self.tell), daemon=True).start()


@contextmanager
def _close_on_signals(host: HostThread) -> Iterator[None]:
    """End the table in order at the first Ctrl-C, and at once at the second."""

    def leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        if host.left:
            raise KeyboardInterrupt
        host.leave()

    numbers = [number for name in _SIGNAL_NAMES if (number := getattr(signal, name, None))]
    before = {number: signal.getsignal(number) for number in numbers}
    handled_numbers = [number for number, handler in before.items() if handler not in (None, signal.SIG_IGN)]
    for number in handled_numbers:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in handled_numbers:
            signal.signal(number, before[number])


def _open_browser(address: str, tell: Tell) -> None:
    """Open a graphical browser, and none that runs in the terminal."""
    try:
        browser = webbrowser.get()
        is_in_terminal = type(browser) is webbrowser.GenericBrowser or not getattr(browser, "background", True)
        if not is_in_terminal and browser.open(address):
            return
    except (webbrowser.Error, OSError):
        pass
    tell(_NO_BROWSER)
