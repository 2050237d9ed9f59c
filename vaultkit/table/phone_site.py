"""The addresses that phones may ask: the way in, and the page of a seat with its stream and its orders."""

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from vaultkit.table import drawing
from vaultkit.table.door import SCREEN, Client, Door
from vaultkit.table.errands import Errands, Knock, Take
from vaultkit.table.faces import Picture
from vaultkit.table.guard import Refusal, body_of
from vaultkit.table.lobby import MAX_TYPED_CODE_CHARS
from vaultkit.table.rates import Rates
from vaultkit.table.site import Site, answer_of

_LOST = "This phone has no seat at the table. Scan the code on the big screen."
_OFTEN = "That is too often. Wait a moment, and try again."
_WRONG_CODES = "Too many wrong codes were typed. Wait some seconds and try again, or scan the code on the big screen."


class PhoneSite(Site):
    """The table as phones in the own network reach it. It knows no screen, and obeys no host."""

    lost = _LOST
    way_on = "Type the code"

    def __init__(
        self,
        door: Door,
        errands: Errands,
        pictures: Mapping[str, Picture],
        hosts: Iterable[str],
        web: Mapping[str, Picture],
    ) -> None:
        self._wrong_codes = Rates(10, 0.5)
        self._arrivals = Rates(60, 20)
        self._orders = Rates(30, 10)
        super().__init__(door, errands, pictures, hosts, web)

    def _ways_in(self) -> list[Route]:
        return [
            Route("/", self._entrance),
            Route("/knock", self._knock, methods=["POST"]),
            Route("/sit", self._sit, methods=["POST"]),
        ]

    def _serves(self, client: Client) -> bool:
        return client.seat != SCREEN

    async def _entrance(self, request: Request) -> Response:  # noqa: ARG002
        return HTMLResponse(drawing.entrance("join"))

    async def _knock(self, request: Request) -> Response:
        """Let in a client with a valid code; limit wrong, guessable codes per address. Raises Refusal."""
        code, address = str((await self._value(request)).get("token", "")), _address(request)
        can_be_guessed = len(code) <= MAX_TYPED_CODE_CHARS
        if can_be_guessed and not self._wrong_codes.admits(address):
            raise Refusal(HTTPStatus.TOO_MANY_REQUESTS, _WRONG_CODES)
        reply = await self._errands.ask(Knock(code))
        if can_be_guessed and reply.status == HTTPStatus.OK:
            self._wrong_codes.give_back(address)
        return answer_of(reply)

    async def _sit(self, request: Request) -> Response:
        value = await self._value(request)
        return answer_of(await self._errands.ask(Take(str(value.get("ticket", "")), value.get("seat"))))

    async def _order(self, request: Request) -> Response:
        if not self._orders.admits(self._client(request).key):
            raise Refusal(HTTPStatus.TOO_MANY_REQUESTS, _OFTEN)
        return await super()._order(request)

    async def _value(self, request: Request) -> dict[str, Any]:
        """The words of somebody without a seat, who may not send them often."""
        if not self._arrivals.admits(_address(request)):
            raise Refusal(HTTPStatus.TOO_MANY_REQUESTS, _OFTEN)
        try:
            value = json.loads(await body_of(request))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "The table does not understand that.")
        return value


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
