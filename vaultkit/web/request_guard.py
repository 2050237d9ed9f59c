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
"""The maximum number of bytes of an order."""
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
"""The maximum number of connections from one address without a seat, and of one client; the oldest is closed first."""
MAX_UNSEATED_CONNECTION_COUNT = 96
"""The maximum number of connections without a seat from all addresses."""
REQUEST_TIMEOUT_SECONDS = 5.0
"""Seconds for all headers of a request, and for its body."""
MAX_HEADER_BYTES = 16 * 1024
_ADDRESS_PREFIX = "address "
_MAX_WRITE_BUFFER_BYTES = 16 * 1024
"""The maximum number of bytes in the write buffer before events wait."""


class HttpRefusal(Exception):
    """An error for a request that is answered with a status and one sentence only."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why

    def response(self) -> Response:
        """Return the response, after which the connection is closed and nothing more is read from it."""
        return JSONResponse({"why": self.why}, self.status, {"connection": "close", "cache-control": "no-store"})


class RequestGuard:
    """Middleware that only lets requests pass from our own pages at our own addresses, `127.0.0.1:PORT`."""

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
        """Raise HttpRefusal for a request that no client may make."""
        if sum(map(len, (scope["path"], *(part for pair in scope["headers"] for part in pair)))) > MAX_HEADER_BYTES:
            raise HttpRefusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "This request is too large.")
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or host[0] not in self._hosts:
            raise HttpRefusal(HTTPStatus.MISDIRECTED_REQUEST, f"The table is only at http://{self._hosts[0]}/.")
        if scope["method"] == "POST":
            self._check_post(headers, f"http://{host[0]}")
        elif scope["method"] not in ("GET", "HEAD"):
            raise HttpRefusal(HTTPStatus.METHOD_NOT_ALLOWED, "The table does not know this request.")

    def _check_post(self, headers: Headers, origin: str) -> None:
        if headers.getlist("origin") != [origin]:
            raise HttpRefusal(HTTPStatus.FORBIDDEN, "Only the table's own page may send this.")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HttpRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The table accepts only JSON.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:9]) > MAX_BODY_BYTES:
            raise _body_too_long()


async def read_body(request: "Request") -> bytes:
    """Return the whole body of a request. Raises HttpRefusal for a body that is too long or too slow."""
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
    """Count the connection of a request to its client, if it has one."""
    connection = scope.get("connection")
    if connection is not None:
        connection.seat(client)


def _body_too_long() -> HttpRefusal:
    return HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The table reads {MAX_BODY_BYTES // 1024} KB at most.")


class ConnectionLimiter:
    """The limits of connections, which count by address until a client is known, and then by client."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[Connection, None]] = {}

    def join(self, connection: "Connection", group: str) -> None:
        """Count a connection to this group only; if the group has too many, its oldest is closed."""
        self.leave(connection)
        members = self._groups.setdefault(group, {})
        members[connection] = None
        if len(members) > MAX_CONNECTION_COUNT_PER_GROUP:
            next(iter(members)).drop()
        elif group.startswith(_ADDRESS_PREFIX) and len(self._unseated_connections) > MAX_UNSEATED_CONNECTION_COUNT:
            self._unseated_connections[0].drop()

    @property
    def _unseated_connections(self) -> "list[Connection]":
        """The connections without a seat, the oldest of each address first."""
        groups = [members for group, members in self._groups.items() if group.startswith(_ADDRESS_PREFIX)]
        return [connection for members in groups for connection in members]

    def leave(self, connection: "Connection") -> None:
        """Stop counting a connection."""
        for group, members in list(self._groups.items()):
            members.pop(connection, None)
            if not members:
                del self._groups[group]


class Connection(H11Protocol):
    """An HTTP connection whose requests must be complete within a time limit."""

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
        """Close the connection at once, without sending its buffered output."""
        self._limiter.leave(self)
        self.transport.abort()

    async def _call_app(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request whose headers are complete, which ends the time limit for them."""
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
    """Return the settings of uvicorn: HTTP only, without a log and without headers that name the server."""
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
