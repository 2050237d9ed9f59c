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

from vaultkit.table.desk import Desk, typing
from vaultkit.table.door import SCREEN, Door
from vaultkit.table.errands import Errands, Leave
from vaultkit.table.faces import Picture
from vaultkit.table.host import Holding, Host
from vaultkit.table.lobby import Lobby
from vaultkit.table.phone_site import PhoneSite
from vaultkit.table.saved_tables import SavedTable
from vaultkit.table.server import HOST, Server, listen, listen_again
from vaultkit.table.site import Site

Tell = Callable[[str], object]
PHONE_PORT = 8765
"""The port that phones are given if nobody else has it: short addresses are soon typed."""
_FIREWALL = (
    "Phones in your own network will reach this computer at {}. If your system asks about incoming connections, "
    "allow them for private networks."
)
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_MOVED = "Another program has the port of this table by now: pages that are still open show the old address."
_NO_BROWSER = "No browser could be opened. Open the address above in one yourself."


@dataclass(frozen=True)
class Opening:
    """How a table is opened: what the host is told, whether a browser opens, and the pictures and files.

    `kept` is where port and seats are kept for a table that may be opened again. `phones` is the address at which
    phones reach this computer, "" where none may. `desk` gives each line that the host types, None where nobody can.
    """

    tell: Tell
    browser: bool
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    kept: SavedTable | None = None
    web: Mapping[str, Picture] = field(default_factory=dict)
    phones: str = ""
    desk: "Callable[[], str] | None" = field(default_factory=typing)

    def serve(self, held: Holding, lobby: Lobby | None = None) -> bool:
        """Serve until it is over, or closed; False where the host left before. With a lobby, phones may come in."""
        door = Door(self.kept.table if self.kept else "", self.pictures)
        errands = Errands()
        bound, is_same = listen_again(self.kept.port) if self.kept and self.kept.port else (listen(), True)
        port = bound.getsockname()[1]
        site = Site(door, errands, self.pictures, [f"{HOST}:{port}"], self.web)
        served = [(site.app, bound)]
        if lobby:
            served.append(self._let_phones_in(lobby, door, errands))
            lobby.changed = lambda: self._keep(door, port, lobby)
        server = Server(served, lambda error: errands.put(Leave(error)))
        host = Host(held, door, errands, server, lambda: self._keep(door, port, lobby), lobby=lobby)
        for client in lobby.clients if lobby else ():
            host.welcome(client)
        for seated in self.kept.seated if self.kept else ():
            host.welcome(door.add(seated))
        self._keep(door, port, lobby)
        server.start()
        try:
            self._announce(f"http://{HOST}:{port}/", door, is_same)
            self._listen_to_host(held, host, errands, lambda: f"http://{HOST}:{port}/#{door.new_code()}")
            with _signals(host):
                host.run()
        finally:
            server.stop(door)
        if self.kept and held.over:
            self.kept.forget()
        return not host.left

    def _let_phones_in(self, lobby: Lobby, door: Door, errands: Errands) -> tuple[ASGIApp, socket]:
        """The site for phones at its socket; the host is told before it opens, since a firewall may ask."""
        self.tell(_FIREWALL.format(self.phones))
        before = lobby.kept.port if lobby.kept else 0
        bound, is_same = listen_again(before or PHONE_PORT, self.phones)
        where = f"{self.phones}:{bound.getsockname()[1]}"
        if before and not is_same:
            self.tell(_MOVED)
        lobby.open_at(door, f"http://{where}/")
        self.tell(f"Phones: http://{where}/ with the code that the table shows.")
        return PhoneSite(door, errands, self.pictures, [where], self.web).app, bound

    def _keep(self, door: Door, port: int, lobby: Lobby | None) -> None:
        if self.kept:
            seated = [client.key for client in door.clients if client.seat == SCREEN]
            self.kept.save(door.table, port, seated, self.tell, lobby.keeps if lobby else self.kept.phones)

    def _listen_to_host(self, held: Holding, host: Host, errands: Errands, address: Callable[[], str]) -> None:
        """Obey what is typed in the terminal, if there is one."""
        if self.desk:
            Desk(self.desk, held, self.tell, host.leave, address).listen(errands)

    def _announce(self, address: str, door: Door, is_same: bool) -> None:
        self.tell(f"The table: {address}#{door.new_code()}")
        phones = ", and for hands to phones" if self.phones else ""
        more = " Type help for what else you can do here." if self.desk else ""
        self.tell(f"It is open to this computer alone{phones}. Ctrl+C ends it.{more}")
        if not is_same:
            self.tell(_MOVED)
        if self.browser:
            # This code dies when it is used: other users of this computer may see with which words a program is called.
            code = door.new_code(once=True)
            threading.Thread(target=_browse, args=(f"{address}#{code}", self.tell), daemon=True).start()


@contextmanager
def _signals(host: Host) -> Iterator[None]:
    """The first Ctrl-C ends the table in order, the second one at once."""

    def leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        if host.left:
            raise KeyboardInterrupt
        host.leave()

    numbers = [number for name in _SIGNALS if (number := getattr(signal, name, None))]
    before = {number: signal.getsignal(number) for number in numbers}
    heard = [number for number, handler in before.items() if handler not in (None, signal.SIG_IGN)]
    for number in heard:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])


def _browse(address: str, tell: Tell) -> None:
    """Open a browser with windows; one that runs in the terminal would take that over."""
    try:
        browser = webbrowser.get()
        is_in_terminal = type(browser) is webbrowser.GenericBrowser or not getattr(browser, "background", True)
        if not is_in_terminal and browser.open(address):
            return
    except (webbrowser.Error, OSError):
        pass
    tell(_NO_BROWSER)
