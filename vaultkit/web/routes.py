"""The routes of the table: the entrance, a page for each seat with its stream and its orders, and their files."""

import asyncio
import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from contextlib import aclosing, suppress
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from vaultkit import files, resources
from vaultkit.web import page_html
from vaultkit.web.card_images import ImageMaker
from vaultkit.web.host_thread import CommandQueue, CommandReply
from vaultkit.web.request_guard import HttpRefusal, RequestGuard, assign_connection, parse_object, read_body
from vaultkit.web.seat_sessions import COOKIE_NAME, SCREEN, Client, SeatSessions

WRITE_TIMEOUT_SECONDS = 10.0
"""Seconds that a write may wait before its page counts as closed."""
_FILE_NAME = re.compile(r"[A-Za-z0-9-]+\.(css|js|ttf)")
_COMMENT_OR_INDENT = re.compile(rb"^\s*/\*.*?\*/\s*|^\s+", re.MULTILINE | re.DOTALL)
_CSS_SPACE = re.compile(rb"\s*([{};])\s*")
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".ttf": "font/ttf"}
_CACHE_HEADERS = {"cache-control": "private, max-age=3600"}
_NO_SEAT_MESSAGE = "This window has no seat at the table. Open the address shown in the terminal."


class Site:
    """The table as an ASGI application for the host names `hosts`.

    Pages fetch `pictures` by their own names of cards; `web` are files of the vault by name. The application is for
    screens only. `lost` is the sentence for a browser without a seat, `way_on` the words of a link to the entrance.
    """

    lost = _NO_SEAT_MESSAGE
    way_on = ""

    def __init__(
        self, sessions: SeatSessions, queue: CommandQueue, pictures: Mapping[str, ImageMaker], hosts: Iterable[str],
        web: Mapping[str, ImageMaker] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self._sessions = sessions
        self._queue = queue
        self._pictures = pictures
        self._web = web
        seat = "/{table}/{seat}/"
        routes = [
            *self._entry_routes(),
            Route("/web/{name:path}", self._file),
            Route(seat, self._page),
            Route(f"{seat}stream", self._stream),
            Route(f"{seat}order", self._order, methods=["POST"]),
            Route(f"{seat}face/{{key}}", self._face),
        ]
        handlers = {HttpRefusal: _refuse, int(HTTPStatus.NOT_FOUND): _redirect_to_entrance}
        self.app: ASGIApp = RequestGuard(Starlette(routes=routes, exception_handlers=handlers), hosts)

    def _entry_routes(self) -> list[Route]:
        return [Route("/", self._entrance), Route("/sit", self._sit, methods=["POST"])]

    def _accepts_client(self, client: Client) -> bool:
        """Return whether this site serves the client."""
        return client.seat == SCREEN

    async def _entrance(self, request: Request) -> Response:  # noqa: ARG002
        return HTMLResponse(page_html.render_entrance())

    async def _sit(self, request: Request) -> Response:
        value = parse_object(await read_body(request))
        if value is None or "token" not in value:
            raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, "The request has no token.")
        code = str(value["token"])
        return build_response(await self._queue.ask(lambda host: host.join_screen(code)))

    async def _page(self, request: Request) -> Response:
        try:
            client = self._client(request)
        except HttpRefusal as refusal:
            return HTMLResponse(page_html.render_refusal(refusal.why, self.way_on), refusal.status)
        return HTMLResponse(client.page)

    async def _order(self, request: Request) -> Response:
        client, body = self._client(request), await read_body(request)
        return build_response(await self._queue.ask(lambda host: host.execute_order(client, body)))

    async def _stream(self, request: Request) -> "EventStreamResponse":
        if request.method == "HEAD":
            raise HttpRefusal(HTTPStatus.METHOD_NOT_ALLOWED, "A stream can only be read with GET.")
        return EventStreamResponse(self._client(request), self._queue)

    async def _face(self, request: Request) -> Response:
        name = self._client(request).marks.by_face.get(request.path_params["key"])
        make = self._pictures.get(name) if name else None
        image = await run_in_threadpool(make) if make else None
        if image is None:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "There is no such picture.")
        return await _build_file_response(request, *image, _CACHE_HEADERS)

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        generated_file = await run_in_threadpool(self._web[name]) if name in self._web else None
        if generated_file:
            return await _build_file_response(request, *generated_file, {"cache-control": "no-cache"})
        content = await run_in_threadpool(read_page_file, name) if _FILE_NAME.fullmatch(name) else None
        if content is None:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "There is no such file.")
        return await _build_file_response(
            request, content, _MEDIA_TYPES[Path(name).suffix], {"cache-control": "no-cache"}
        )

    def _client(self, request: Request) -> Client:
        """Return the client that sent a request. Raises HttpRefusal for one without the cookie of the seat."""
        seat = request.path_params
        client = self._sessions.find_client(seat["table"], seat["seat"], request.cookies.get(COOKIE_NAME, ""))
        if client is None or not self._accepts_client(client):
            raise HttpRefusal(HTTPStatus.FORBIDDEN, self.lost)
        assign_connection(request.scope, client.key)
        return client


class EventStreamResponse(Response):
    """The events of a client until either side ends them. A page that does not read them is disconnected."""

    media_type = "text/event-stream"

    def __init__(self, client: Client, queue: CommandQueue) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._client = client
        self._queue = queue

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(scope, send))
        leaving = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
            if not self._client.outbox.streams:
                self._queue.put(lambda host: host.close_page(self._client))

    async def _send(self, scope: Scope, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._client.outbox.events()) as events:
            async for event in events:
                try:
                    async with asyncio.timeout(WRITE_TIMEOUT_SECONDS):
                        await send({"type": "http.response.body", "body": event, "more_body": True})
                except TimeoutError:
                    _drop_connection(scope)
                    return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _redirect_to_entrance(request: Request, unknown: Exception) -> Response:  # noqa: ARG001
    """Redirect mistyped addresses, and the requests by which phones look for a captive portal, to the entrance."""
    if request.method == "POST":
        return HttpRefusal(HTTPStatus.NOT_FOUND, "There is no such address.").response()
    return RedirectResponse("/", HTTPStatus.SEE_OTHER)


async def _build_file_response(request: Request, content: bytes, kind: str, headers: Mapping[str, str]) -> Response:
    """Return a file or a picture, compressed where the browser can read that.

    It is the same for all who may ask, so that its length tells nobody anything.
    """
    headers = {**headers, "vary": "accept-encoding", "etag": f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["content-encoding"] = await run_in_threadpool(_compress, content), "gzip"
    return Response(content, media_type=kind, headers=headers)


def _refuse(request: Request, refusal: Exception) -> Response:  # noqa: ARG001
    assert isinstance(refusal, HttpRefusal)
    return refusal.response()


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _drop_connection(scope: Scope) -> None:
    connection = scope.get("connection")
    if connection is not None:
        connection.drop()


def build_response(reply: CommandReply) -> Response:
    """Return the response for a reply, with a cookie for somebody who has sat down."""
    response = JSONResponse(reply.value, reply.status)
    if reply.cookie:
        value, path = reply.cookie
        age = reply.cookie_max_age_seconds
        response.set_cookie(COOKIE_NAME, value, path=path, httponly=True, samesite="strict", max_age=age)
    return response


@lru_cache(maxsize=128)
def _compress(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def read_page_file(name: str) -> bytes | None:
    """Return a file of the pages without its comments, or one of the fonts of print; None if there is none."""
    for folder in (page_html.PAGES, resources.shipped_folder("print") / "fonts"):
        with suppress(OSError):
            content = files.read(folder / name, files.PICTURE_BYTES, allow_links=True)
            content = content if name.endswith(".ttf") else _COMMENT_OR_INDENT.sub(b"", content)
            return _CSS_SPACE.sub(rb"\1", content) if name.endswith(".css") else content
    return None
