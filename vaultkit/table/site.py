"""The addresses of the table: the entrance, a page for each seat with its stream and its orders, and what they need."""

import asyncio
import gzip
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import aclosing
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from vaultkit import files, resources
from vaultkit.table import drawing
from vaultkit.table.door import COOKIE, SCREEN, Client, Door
from vaultkit.table.errands import Errands, Gone, Order, Reply, Sit
from vaultkit.table.faces import Picture
from vaultkit.table.guard import Guard, Refusal, body_of, seat_connection

STALL = 10.0
"""Seconds that a write may wait before its page counts as gone."""
_NAME = re.compile(r"[A-Za-z0-9-]+\.(css|js|ttf)")
_KINDS = {".css": "text/css", ".js": "text/javascript", ".ttf": "font/ttf"}
_KEPT = {"cache-control": "private, max-age=3600"}
_LOST = "This window has no seat at the table. Open the address that stands in the terminal."


class Site:
    """The table as an ASGI application, for the `hosts` by which it may be called.

    `pictures` are fetched by the keys of a page, `web` by name: files of all pages that hang on the vault. It is for
    screens alone: phones have a site of their own. `lost` is said to whoever has no seat, with a
    `way_on` to the entrance where there is one.
    """

    lost = _LOST
    way_on = ""

    def __init__(
        self, door: Door, errands: Errands, pictures: Mapping[str, Picture], hosts: Iterable[str],
        web: Mapping[str, Picture] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self._door = door
        self._errands = errands
        self._pictures = pictures
        self._web = web
        seat = "/{table}/{seat}/"
        routes = [
            *self._ways_in(),
            Route("/web/{name}", self._file),
            Route(seat, self._page),
            Route(f"{seat}stream", self._stream),
            Route(f"{seat}order", self._order, methods=["POST"]),
            Route(f"{seat}face/{{key}}", self._face),
        ]
        self.app: ASGIApp = Guard(Starlette(routes=routes, exception_handlers={Refusal: _refuse}), hosts)

    def _ways_in(self) -> list[Route]:
        return [Route("/", self._entrance), Route("/sit", self._sit, methods=["POST"])]

    def _serves(self, client: Client) -> bool:
        """Whether this client may come this way."""
        return client.seat == SCREEN

    async def _entrance(self, request: Request) -> Response:  # noqa: ARG002
        return HTMLResponse(drawing.entrance())

    async def _sit(self, request: Request) -> Response:
        try:
            value = json.loads(await body_of(request))
            code = str(value["token"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "That names no token.") from error
        return answer_of(await self._errands.ask(Sit(code)))

    async def _page(self, request: Request) -> Response:
        try:
            client = self._client(request)
        except Refusal as refusal:
            return HTMLResponse(drawing.refusal(refusal.why, self.way_on), refusal.status)
        return HTMLResponse(client.page)

    async def _order(self, request: Request) -> Response:
        client = self._client(request)
        return answer_of(await self._errands.ask(Order(client, await body_of(request))))

    async def _stream(self, request: Request) -> "Stream":
        return Stream(self._client(request), self._errands)

    async def _face(self, request: Request) -> Response:
        name = self._client(request).marks.by_face.get(request.path_params["key"])
        make = self._pictures.get(name) if name else None
        found = await run_in_threadpool(make) if make else None
        if found is None:
            raise Refusal(HTTPStatus.NOT_FOUND, "There is no such picture.")
        return Response(found[0], media_type=found[1], headers=_KEPT)

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        made = await run_in_threadpool(self._web[name]) if name in self._web else None
        if made:
            return Response(made[0], media_type=made[1], headers={"cache-control": "no-cache"})
        found = await run_in_threadpool(_read, name) if _NAME.fullmatch(name) else None
        if found is None:
            raise Refusal(HTTPStatus.NOT_FOUND, "There is no such file.")
        headers = {"cache-control": "no-cache", "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):  # the same for all, so that it tells nobody anything
            found, headers["content-encoding"] = await run_in_threadpool(_packed, found), "gzip"
        return Response(found, media_type=_KINDS[Path(name).suffix], headers=headers)

    def _client(self, request: Request) -> Client:
        """Whoever asks. Raises Refusal for anybody without the cookie of that seat."""
        seat = request.path_params
        client = self._door.client(seat["table"], seat["seat"], request.cookies.get(COOKIE, ""))
        if client is None or not self._serves(client):
            raise Refusal(HTTPStatus.FORBIDDEN, self.lost)
        seat_connection(request.scope, client.key)
        return client


class Stream(Response):
    """The events of a client until either side ends them. A page that does not read them is dropped."""

    media_type = "text/event-stream"

    def __init__(self, client: Client, errands: Errands) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._client = client
        self._errands = errands

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(scope, send))
        leaving = asyncio.ensure_future(_disconnect(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
            if not self._client.outbox.streams:
                self._errands.put(Gone(self._client))

    async def _send(self, scope: Scope, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._client.outbox.events()) as events:
            async for event in events:
                try:
                    async with asyncio.timeout(STALL):
                        await send({"type": "http.response.body", "body": event, "more_body": True})
                except TimeoutError:
                    _drop(scope)
                    return
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _refuse(request: Request, refusal: Exception) -> Response:  # noqa: ARG001
    assert isinstance(refusal, Refusal)
    return refusal.response()


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _drop(scope: Scope) -> None:
    connection = scope.get("connection")
    if connection is not None:
        connection.drop()


def answer_of(reply: Reply) -> Response:
    """A reply as it is sent, with the cookie of whoever has sat down."""
    response = JSONResponse(reply.value, reply.status)
    if reply.cookie:
        value, path = reply.cookie
        response.set_cookie(COOKIE, value, path=path, httponly=True, samesite="strict", max_age=reply.lasts)
    return response


@lru_cache(maxsize=16)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _read(name: str) -> bytes | None:
    """A file of the pages, or one of the fonts of print; None if there is none."""
    place = resources.shipped("print") / "fonts" if name.endswith(".ttf") else drawing.PAGES
    try:
        return files.read(place / name, files.PICTURE, links=True)
    except OSError:
        return None
