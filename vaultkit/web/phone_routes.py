"""The routes for phones: the entrance, and the page of a seat with its stream and its orders."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from vaultkit.web import page_html
from vaultkit.web.card_images import ImageMaker
from vaultkit.web.host_thread import CommandQueue
from vaultkit.web.lobby import MAX_TYPED_CODE_CHARS
from vaultkit.web.request_guard import UNREADABLE_MESSAGE, HttpRefusal, parse_object, read_body
from vaultkit.web.routes import Site, build_response
from vaultkit.web.seat_sessions import SCREEN, Client, SeatSessions

_NO_SEAT_MESSAGE = "This phone has no seat at the table. Scan the code on the big screen."
_TOO_OFTEN_MESSAGE = "Too many requests. Wait a moment, and try again."
_WRONG_CODES = "Too many wrong codes were typed. Wait some seconds and try again, or scan the code on the big screen."


_MAX_BUCKET_COUNT = 1_000
"""The maximum number of addresses that are remembered; the oldest is forgotten first."""


class PhoneSite(Site):
    """The application for phones in the local network. It has no pages of the screen, and no orders of the host."""

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
        knock, sit = Route("/knock", self._knock, methods=["POST"]), Route("/sit", self._sit, methods=["POST"])
        return [Route("/", self._entrance), knock, sit]

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
        reply = await self._queue.ask(lambda host: host.issue_ticket(code))
        if can_be_guessed and reply.status == HTTPStatus.OK:
            self._wrong_codes.refund(address)
        return build_response(reply)

    async def _sit(self, request: Request) -> Response:
        value = await self._read_value(request)
        ticket, seat = str(value.get("ticket", "")), value.get("seat")
        return build_response(await self._queue.ask(lambda host: host.take_seat(ticket, seat)))

    async def _order(self, request: Request) -> Response:
        if not self._orders.try_acquire(self._client(request).key):
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, _TOO_OFTEN_MESSAGE)
        return await super()._order(request)

    async def _read_value(self, request: Request) -> dict[str, Any]:
        """Return the parsed body of a request from a browser without a seat, whose requests are limited."""
        if not self._arrivals.try_acquire(_client_address(request)):
            raise HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, _TOO_OFTEN_MESSAGE)
        value = parse_object(await read_body(request))
        if value is None:
            raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, UNREADABLE_MESSAGE)
        return value


def _client_address(request: Request) -> str:
    return request.client.host if request.client else ""


@dataclass
class _TokenBucket:
    left: float
    at: float


class RateLimiter:
    """A limit for tries: everybody has `burst` tries at once, and `each_second` more per second."""

    def __init__(self, burst: float, each_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._each_second = each_second
        self._clock = clock
        self._buckets: dict[str, _TokenBucket] = {}

    def refund(self, who: str) -> None:
        """Give the last try back to `who`."""
        bucket = self._buckets.get(who)
        if bucket:
            bucket.left = min(self._burst, bucket.left + 1)

    def try_acquire(self, who: str) -> bool:
        """Return whether `who` may try once more, and count the try."""
        now = self._clock()
        bucket = self._buckets.pop(who, None) or _TokenBucket(self._burst, now)
        bucket.left = min(self._burst, bucket.left + max(0.0, now - bucket.at) * self._each_second)
        bucket.at = now
        self._buckets[who] = bucket
        if len(self._buckets) > _MAX_BUCKET_COUNT:
            del self._buckets[next(iter(self._buckets))]
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True
