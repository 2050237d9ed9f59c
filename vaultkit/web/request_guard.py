"""Limits on what reaches the server: connections from each address, and the words of each request.

Few connections from one address are open at once, slow ones are closed, and seated players always have room. The guard
checks each request before it is answered, and sets what a browser may do with the answer.
"""

import asyncio
import json
from collections.abc import Iterable
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.requests import Request

UNREADABLE_MESSAGE = "The table does not understand that."
MAX_BODY_BYTES = 4 * 1024
"""The most bytes of an order."""
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_RESPONSE_HEADERS = {
    "content-security-policy": _CONTENT_SECURITY_POLICY,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


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


class HttpRefusal(Exception):
    """A request that gets no more than a status and one sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why

    def response(self) -> Response:
        """The answer, after which the connection closes: what else comes on it is not read."""
        return JSONResponse({"why": self.why}, self.status, {"connection": "close", "cache-control": "no-store"})


class RequestGuard:
    """Lets pass what comes from our own page under one of our own addresses, `127.0.0.1:PORT`."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = tuple(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_RESPONSE_HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check(scope)
        except HttpRefusal as refusal:
            await refusal.response()(scope, receive, safely)
        else:
            await self._app(scope, receive, safely)

    def _check(self, scope: Scope) -> None:
        """Raise Refusal for a request that may not be answered, whoever sends it."""
        if sum(map(len, (scope["path"], *(part for pair in scope["headers"] for part in pair)))) > MAX_HEADER_BYTES:
            raise HttpRefusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "That says more than the table reads.")
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or host[0] not in self._hosts:
            raise HttpRefusal(HTTPStatus.MISDIRECTED_REQUEST, f"The table is at http://{self._hosts[0]}/ alone.")
        if scope["method"] == "POST":
            self._check_post(headers, f"http://{host[0]}")
        elif scope["method"] not in ("GET", "HEAD"):
            raise HttpRefusal(HTTPStatus.METHOD_NOT_ALLOWED, "The table knows no such request.")

    def _check_post(self, headers: Headers, origin: str) -> None:
        if headers.getlist("origin") != [origin]:
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "Only the table's own page may send this.")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HttpRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The table takes JSON alone.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:9]) > MAX_BODY_BYTES:
            raise _body_too_long()


async def read_body(request: "Request") -> bytes:
    """The whole body of a request. Raises Refusal for one that is too long, or comes too slowly."""
    body = b""
    try:
        async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    raise _body_too_long()
    except TimeoutError as error:
        raise HttpRefusal(HTTPStatus.REQUEST_TIMEOUT, "That took too long.") from error
    return body


def parse_object(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object in the body of a request, or None if it is anything else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def assign_connection(scope: Any, client: str) -> None:
    """Let the connection of a request count to its client, if it is a connection."""
    connection = scope.get("connection")
    if connection is not None:
        connection.seat(client)


def _body_too_long() -> HttpRefusal:
    return HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The table reads {MAX_BODY_BYTES // 1024} KB and no more.")


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


def server_config(app: Any, limiter: ConnectionLimiter) -> Config:
    """The settings of uvicorn: nothing is logged, nothing is said of us, and nothing else is understood than HTTP."""
    return Config(
        app,
        http=cast(type[asyncio.Protocol], partial(Connection, limiter)),
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
