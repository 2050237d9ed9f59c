"""Opening a table: the door, the socket, the server and a browser, in this order; and closing it again."""

import signal
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from socket import socket
from types import FrameType

from starlette.types import ASGIApp

from vaultkit.web.card_images import ImageMaker
from vaultkit.web.command_queue import CommandQueue, PageLeft
from vaultkit.web.host_console import HostConsole, host_line_reader
from vaultkit.web.host_thread import HostThread, TableActivity
from vaultkit.web.lobby import Lobby
from vaultkit.web.phone_routes import PhoneSite
from vaultkit.web.routes import Site
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.seat_sessions import SCREEN, SeatSessions
from vaultkit.web.server import LOOPBACK_ADDRESS, ServerThread, open_socket, reopen_socket

Tell = Callable[[str], object]
PHONE_PORT = 8765
"""The port that phones are given if nobody else has it: short addresses are soon typed."""
_FIREWALL = (
    "Phones in your own network will reach this computer at {}. If your system asks about incoming connections, "
    "allow them for private networks."
)
_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_MOVED_MESSAGE = "Another program has the port of this table by now: pages that are still open show the old address."
_NO_BROWSER = "No browser could be opened. Open the address above in one yourself."


@dataclass(frozen=True)
class TableLauncher:
    """How a table is opened: what the host is told, whether a browser opens, and the pictures and files.

    `kept` is where port and seats are kept for a table that may be opened again. `phones` is the address at which
    phones reach this computer, "" where none may. `desk` gives each line that the host types, None where nobody can.
    """

    tell: Tell
    browser: bool
    pictures: Mapping[str, ImageMaker] = field(default_factory=dict)
    kept: SavedTable | None = None
    web: Mapping[str, ImageMaker] = field(default_factory=dict)
    phones: str = ""
    desk: "Callable[[], str] | None" = field(default_factory=host_line_reader)

    def serve(self, activity: TableActivity, lobby: Lobby | None = None) -> bool:
        """Serve until it is over, or closed; False where the host left before. With a lobby, phones may come in."""
        sessions = SeatSessions(self.kept.table if self.kept else "", self.pictures)
        queue = CommandQueue()
        server_socket, is_same = (
            reopen_socket(self.kept.port) if self.kept and self.kept.port else (open_socket(), True)
        )
        port = server_socket.getsockname()[1]
        site = Site(sessions, queue, self.pictures, [f"{LOOPBACK_ADDRESS}:{port}"], self.web)
        served = [(site.app, server_socket)]
        if lobby:
            served.append(self._serve_phones(lobby, sessions, queue))
            lobby.changed = lambda: self._save_table(sessions, port, lobby)
        server = ServerThread(served, lambda error: queue.put(PageLeft(error)))
        host = HostThread(
            activity, sessions, queue, server, lambda: self._save_table(sessions, port, lobby), lobby=lobby
        )
        for client in lobby.clients if lobby else ():
            host.prepare_page(client)
        for cookie_hash in self.kept.seated if self.kept else ():
            host.prepare_page(sessions.add_client(cookie_hash))
        self._save_table(sessions, port, lobby)
        server.start()
        try:
            self._announce(f"http://{LOOPBACK_ADDRESS}:{port}/", sessions, is_same)
            self._listen_to_host(
                activity, host, queue, lambda: f"http://{LOOPBACK_ADDRESS}:{port}/#{sessions.new_code()}"
            )
            with _close_on_signals(host):
                host.run()
        finally:
            server.stop(sessions)
        if self.kept and activity.over:
            self.kept.forget()
        return not host.left

    def _serve_phones(self, lobby: Lobby, sessions: SeatSessions, queue: CommandQueue) -> tuple[ASGIApp, socket]:
        """The site for phones at its socket; the host is told before it opens, since a firewall may ask."""
        self.tell(_FIREWALL.format(self.phones))
        before = lobby.kept.port if lobby.kept else 0
        server_socket, is_same = reopen_socket(before or PHONE_PORT, self.phones)
        where = f"{self.phones}:{server_socket.getsockname()[1]}"
        if before and not is_same:
            self.tell(_MOVED_MESSAGE)
        lobby.open_at(sessions, f"http://{where}/")
        self.tell(f"Phones: http://{where}/ with the code that the table shows.")
        return PhoneSite(sessions, queue, self.pictures, [where], self.web).app, server_socket

    def _save_table(self, sessions: SeatSessions, port: int, lobby: Lobby | None) -> None:
        if self.kept:
            cookie_hashes = [client.key for client in sessions.clients if client.seat == SCREEN]
            self.kept.save(sessions.table, port, cookie_hashes, self.tell, lobby.keeps if lobby else self.kept.phones)

    def _listen_to_host(
        self, activity: TableActivity, host: HostThread, queue: CommandQueue, address: Callable[[], str]
    ) -> None:
        """Obey what is typed in the terminal, if there is one."""
        if self.desk:
            HostConsole(self.desk, activity, self.tell, host.leave, address).listen(queue)

    def _announce(self, address: str, sessions: SeatSessions, is_same: bool) -> None:
        self.tell(f"The table: {address}#{sessions.new_code()}")
        phones = ", and for hands to phones" if self.phones else ""
        more = " Type help for what else you can do here." if self.desk else ""
        self.tell(f"It is open to this computer alone{phones}. Ctrl+C ends it.{more}")
        if not is_same:
            self.tell(_MOVED_MESSAGE)
        if self.browser:
            # This code dies when it is used: other users of this computer may see with which words a program is called.
            code = sessions.new_code(once=True)
            threading.Thread(target=_open_browser, args=(f"{address}#{code}", self.tell), daemon=True).start()


@contextmanager
def _close_on_signals(host: HostThread) -> Iterator[None]:
    """The first Ctrl-C ends the table in order, the second one at once."""

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
    """Open a browser with windows; one that runs in the terminal would take that over."""
    try:
        browser = webbrowser.get()
        is_in_terminal = type(browser) is webbrowser.GenericBrowser or not getattr(browser, "background", True)
        if not is_in_terminal and browser.open(address):
            return
    except (webbrowser.Error, OSError):
        pass
    tell(_NO_BROWSER)
