"""The guard before every answer: who may ask, in which words, and what a browser may do with what it gets."""

import asyncio
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vaultkit.web import connection_limiter

if TYPE_CHECKING:
    from starlette.requests import Request

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
        if (
            sum(map(len, (scope["path"], *(part for pair in scope["headers"] for part in pair))))
            > connection_limiter.MAX_HEADER_BYTES
        ):
            raise HttpRefusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "That says more than the table reads.")
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or host[0] not in self._hosts:
            raise HttpRefusal(HTTPStatus.MISDIRECTED_REQUEST, f"The table is at http://{self._hosts[0]}/ alone.")
        if scope["method"] == "POST":
            self._check_post(headers, f"http://{host[0]}")
        elif scope["method"] != "GET":
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
        async with asyncio.timeout(connection_limiter.REQUEST_TIMEOUT_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > MAX_BODY_BYTES:
                    raise _body_too_long()
    except TimeoutError as error:
        raise HttpRefusal(HTTPStatus.REQUEST_TIMEOUT, "That took too long.") from error
    return body


def assign_connection(scope: Any, client: str) -> None:
    """Let the connection of a request count to its client, if it is a connection."""
    connection = scope.get("connection")
    if connection is not None:
        connection.seat(client)


def _body_too_long() -> HttpRefusal:
    return HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The table reads {MAX_BODY_BYTES // 1024} KB and no more.")
