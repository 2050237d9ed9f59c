"""The addresses that phones may ask: the way in, and the page of a seat with its stream and its orders."""

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from vaultkit.web import page_html
from vaultkit.web.card_images import ImageMaker
from vaultkit.web.command_queue import CommandQueue, SeatClaim, SeatInquiry
from vaultkit.web.lobby import MAX_TYPED_CODE_CHARS
from vaultkit.web.rate_limit import RateLimiter
from vaultkit.web.request_guard import HttpRefusal, read_body
from vaultkit.web.routes import Site, build_response
from vaultkit.web.seat_sessions import SCREEN, Client, SeatSessions

_NO_SEAT_MESSAGE = "This phone has no seat at the table. Scan the code on the big screen."
_TOO_OFTEN_MESSAGE = "That is too often. Wait a moment, and try again."
_WRONG_CODES = "Too many wrong codes were typed. Wait some seconds and try again, or scan the code on the big screen."


class PhoneSite(Site):
    """The table as phones in the own network reach it. It knows no screen, and obeys no host."""

    lost = _NO_SEAT_MESSAGE
    way_on = "Type the code"

    def __init__(
        self,
        sessions: SeatSessions,
        queue: CommandQueue,
        pictures: Mapping[str, ImageMaker],
        hosts: Iterable[str],
        web: Mapping[str, ImageMaker],
    ) -> None:
        self._wrong_codes = RateLimiter(10, 0.5)
        self._arrivals = RateLimiter(60, 20)
        self._orders = RateLimiter(30, 10)
        super().__init__(sessions, queue, pictures, hosts, web)

    def _entry_routes(self) -> list[Route]:
        return [
            Route("/", self._entrance),
            Route("/knock", self._knock, methods=["POST"]),
            Route("/sit", self._sit, methods=["POST"]),
        ]

    def _accepts_client(self, client: Client) -> bool:
        return client.seat != SCREEN

    async def _entrance(self, request: Request) -> Response:  # noqa: ARG002
        return HTMLResponse(page_html.render_entrance("join"))

    async def _knock(self, request: Request) -> Response:
        """Let in a client with a valid code; limit wrong, guessable codes per address. Raises Refusal."""
        code, address = str((await self._read_value(request)).get("token", "")), _client_address(request)
        can_be_guessed = len(code) <= MAX_TYPED_CODE_CHARS
        if can_be_guessed and not self._wrong_codes.try_acquire(address):
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, _WRONG_CODES)
        reply = await self._queue.ask(SeatInquiry(code))
        if can_be_guessed and reply.status == HTTPStatus.OK:
            self._wrong_codes.refund(address)
        return build_response(reply)

    async def _sit(self, request: Request) -> Response:
        value = await self._read_value(request)
        return build_response(await self._queue.ask(SeatClaim(str(value.get("ticket", "")), value.get("seat"))))

    async def _order(self, request: Request) -> Response:
        if not self._orders.try_acquire(self._client(request).key):
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, _TOO_OFTEN_MESSAGE)
        return await super()._order(request)

    async def _read_value(self, request: Request) -> dict[str, Any]:
        """The words of somebody without a seat, who may not send them often."""
        if not self._arrivals.try_acquire(_client_address(request)):
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, _TOO_OFTEN_MESSAGE)
        try:
            value = json.loads(await read_body(request))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, "The table does not understand that.")
        return value


def _client_address(request: Request) -> str:
    return request.client.host if request.client else ""
