"""Opening a table: the door, the socket, the server and a browser, in this order; and closing it again."""

import signal
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from vaultkit.table.desk import Desk, typing
from vaultkit.table.door import Door
from vaultkit.table.errands import Errands, Leave
from vaultkit.table.faces import Picture
from vaultkit.table.host import Holding, Host
from vaultkit.table.kept import Kept
from vaultkit.table.server import HOST, Server, listen, listen_again
from vaultkit.table.site import Site

Tell = Callable[[str], object]
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_MOVED = "Another program has the port of this table by now: pages that are still open show the old address."
_NO_BROWSER = "No browser could be opened. Open the address above in one yourself."


@dataclass(frozen=True)
class Opening:
    """How a table is opened: what the host is told, whether a browser opens, and the pictures and files.

    `kept` is where port and seats are kept for a table that may be opened again. `desk` gives each line that the host
    types, None where nobody can type.
    """

    tell: Tell
    browser: bool
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    kept: Kept | None = None
    web: Mapping[str, Picture] = field(default_factory=dict)
    desk: "Callable[[], str] | None" = field(default_factory=typing)

    def serve(self, held: Holding) -> bool:
        """Serve until it is over, or closed; False where the host left before."""
        door = Door(self.kept.table if self.kept else "", self.pictures)
        errands = Errands()
        bound, is_same = listen_again(self.kept.port) if self.kept and self.kept.port else (listen(), True)
        port = bound.getsockname()[1]
        site = Site(door, errands, self.pictures, [f"{HOST}:{port}"], self.web)
        server = Server(site.app, bound, lambda error: errands.put(Leave(error)))
        host = Host(held, door, errands, server, lambda: self._keep(door, port))
        for seated in self.kept.seated if self.kept else ():
            host.welcome(door.add(seated))
        self._keep(door, port)
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

    def _keep(self, door: Door, port: int) -> None:
        if self.kept:
            self.kept.save(door.table, port, [client.key for client in door.clients], self.tell)

    def _listen_to_host(self, held: Holding, host: Host, errands: Errands, address: Callable[[], str]) -> None:
        """Obey what is typed in the terminal, if there is one."""
        if self.desk:
            Desk(self.desk, held, self.tell, host.leave, address).listen(errands)

    def _announce(self, address: str, door: Door, is_same: bool) -> None:
        self.tell(f"The table: {address}#{door.new_code()}")
        more = " Type help for what else you can do here." if self.desk else ""
        self.tell(f"It is open to this computer alone. Ctrl+C ends it.{more}")
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
