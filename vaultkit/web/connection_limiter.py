"""The connections to the table: few from each address, none that dawdles, and room for those who are seated."""

import asyncio
from functools import partial
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTION_COUNT_PER_GROUP = 12
"""Connections from one address that are not seated yet, and of one client. The one that came first has to go."""
MAX_UNSEATED_CONNECTION_COUNT = 96
"""Connections that are not seated yet, from all addresses together."""
REQUEST_TIMEOUT_SECONDS = 5.0
"""Seconds for all headers of a request, and for its body."""
MAX_HEADER_BYTES = 16 * 1024
_ADDRESS_PREFIX = "address "
_MAX_WRITE_BUFFER_BYTES = 16 * 1024
"""Bytes that may wait to be written before the next event does."""


class ConnectionLimiter:
    """All connections, by address until they have shown that they are of a client, and then by that."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[Connection, None]] = {}

    def join(self, connection: "Connection", group: str) -> None:
        """Count a connection to this group, and no other one; the first of too many is dropped."""
        self.leave(connection)
        members = self._groups.setdefault(group, {})
        members[connection] = None
        if len(members) > MAX_CONNECTION_COUNT_PER_GROUP:
            next(iter(members)).drop()
        elif group.startswith(_ADDRESS_PREFIX) and len(self._unseated_connections) >= MAX_UNSEATED_CONNECTION_COUNT:
            self._unseated_connections[0].drop()

    @property
    def _unseated_connections(self) -> "list[Connection]":
        """Those that are not seated, the first of each address in front."""
        groups = [members for group, members in self._groups.items() if group.startswith(_ADDRESS_PREFIX)]
        return [connection for members in groups for connection in members]

    def leave(self, connection: "Connection") -> None:
        """Count a connection no more."""
        for group, members in list(self._groups.items()):
            members.pop(connection, None)
            if not members:
                del self._groups[group]


class Connection(H11Protocol):
    """A connection that must say what it wants in time."""

    def __init__(self, limiter: ConnectionLimiter, **options: Any) -> None:
        super().__init__(**options)
        self._limiter = limiter
        self._deadline: asyncio.TimerHandle | None = None
        self.app = partial(self._call_app, self.app)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=_MAX_WRITE_BUFFER_BYTES)
        self._limiter.join(self, f"{_ADDRESS_PREFIX}{self.client[0] if self.client else ''}")
        self._start_deadline()

    def data_received(self, data: bytes) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._start_deadline()
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        self._limiter.leave(self)
        super().connection_lost(exc)

    def seat(self, client: str) -> None:
        """Count this connection to a client from now on."""
        self._limiter.join(self, f"client {client}")

    def drop(self) -> None:
        """Close at once, whatever is still to be said."""
        self._limiter.leave(self)
        self.transport.abort()

    async def _call_app(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """The headers are there: the rest is up to whoever answers, who may ask for this connection."""
        self._cancel_deadline()
        await app({**scope, "connection": self}, receive, send)

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_TIMEOUT_SECONDS, self.drop)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def connection_factory(limiter: ConnectionLimiter) -> type[asyncio.Protocol]:
    """The class of connections to the table, as uvicorn takes it."""
    return cast(type[asyncio.Protocol], partial(Connection, limiter))


def server_config(app: Any, limiter: ConnectionLimiter) -> Config:
    """The settings of uvicorn: nothing is logged, nothing is said of us, and nothing else is understood than HTTP."""
    return Config(
        app,
        http=connection_factory(limiter),
        ws="none",
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )
