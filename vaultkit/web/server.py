"""The server in a thread of its own: a socket on this computer alone, with phones one more; Scenes for its loop."""

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Callable, Sequence

from starlette.types import ASGIApp
from uvicorn import Server as Uvicorn

from vaultkit.errors import WriteError
from vaultkit.web.connection_limiter import ConnectionLimiter, server_config
from vaultkit.web.seat_sessions import SeatSessions

LOOPBACK_ADDRESS = "127.0.0.1"
_STOP_TIMEOUT_SECONDS = 3.0
"""Seconds that the server has to end."""


def open_socket(port: int = 0, address: str = LOOPBACK_ADDRESS) -> socket.socket:
    """A socket at one address, at `port` or any that is free. Raises WriteError where there is none."""
    # Without the protocol's number asyncio would let small answers wait for others to go with them (40 ms each).
    server_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":  # else another program could take over a port that is in use
            server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # else a table that was killed could not come back for minutes
            server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server_socket.bind((address, port))
        server_socket.listen()
    except OSError as error:
        server_socket.close()
        raise WriteError(f"The table could not be opened at {address}:{port}: {error.strerror}.") from error
    return server_socket


def reopen_socket(port: int, address: str = LOOPBACK_ADDRESS) -> tuple[socket.socket, bool]:
    """A socket at this port, or at another one if somebody else has it by now; whether it is the same."""
    try:
        return open_socket(port, address), True
    except WriteError:
        return open_socket(0, address), False


class ServerThread:
    """uvicorn in a thread, for each of the applications at its own socket.

    `failed` is called with what went wrong if it ends by itself.
    """

    def __init__(
        self, served: Sequence[tuple[ASGIApp, socket.socket]], on_failure: Callable[[BaseException], None]
    ) -> None:
        limiter = ConnectionLimiter()
        self._served = [(Uvicorn(server_config(app, limiter)), server_socket) for app, server_socket in served]
        self._on_failure = on_failure
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        _silence_loggers()
        self._thread.start()
        self._ready.wait()

    def call(self, function: Callable[..., None], *values: object) -> None:
        """Have something done in the loop; at once before there is one, and never once it has ended."""
        if self._loop is None:
            function(*values)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *values)

    def stop(self, sessions: SeatSessions) -> None:
        """Let every page know that this is the end, and close; what does not end in time is cut off."""
        for client in sessions.clients:
            self.call(client.outbox.end)
        for uvicorn, _ in self._served:
            uvicorn.should_exit = True
        self._thread.join(_STOP_TIMEOUT_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - whoever waits for errands must hear of it
            self._on_failure(error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._ready.set)
        await asyncio.gather(*(uvicorn.serve(sockets=[server_socket]) for uvicorn, server_socket in self._served))


def _silence_loggers() -> None:
    """A request may be told nowhere, and least of all on the host's terminal."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
