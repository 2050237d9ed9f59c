"""The way from the server to the one thread that holds the game: a queue of errands, each with its answer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from vaultkit.web.seat_sessions import Client


@dataclass(frozen=True, slots=True)
class CommandReply:
    """The answer to a request: a status, a value for JSON, and a cookie with its path where somebody sat down.

    The cookie `lasts` so many seconds, or until the browser is closed.
    """

    status: int
    value: dict[str, Any] = field(default_factory=dict)
    cookie: tuple[str, str] | None = None
    cookie_max_age_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class ScreenJoin:
    """Somebody sits down with a code."""

    code: str


@dataclass(frozen=True, slots=True)
class SeatInquiry:
    """A phone has a code, and wants to know which seats are free."""

    code: str


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A phone sits down in a seat, with the ticket that it got for its code."""

    ticket: str
    seat: object


@dataclass(frozen=True, slots=True)
class PageOrder:
    """A client orders something; `body` is as it came."""

    client: Client
    body: bytes


@dataclass(frozen=True, slots=True)
class PageClosed:
    """A client shows nothing any more."""

    client: Client


@dataclass(frozen=True, slots=True)
class PageLeft:
    """The host ends it, in the terminal or by a signal; `error` is why the server could not go on."""

    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class HostInput:
    """The host has typed something in the terminal, which is to be done."""

    do: Callable[[], None]


TableCommand = ScreenJoin | SeatInquiry | SeatClaim | PageOrder | PageClosed | PageLeft | HostInput


class CommandQueue:
    """Errands in the order in which they came. The loop of the server puts them in, the host takes them out."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[TableCommand, Callable[[CommandReply], None]]] = SimpleQueue()

    def put(self, command: TableCommand) -> None:
        """Have something done that needs no answer."""
        self._queue.put((command, lambda _: None))

    async def ask(self, command: TableCommand) -> CommandReply:
        """Have something done, and wait for the answer. It is done even if nobody waits any more."""
        answer: Future[CommandReply] = Future()
        self._queue.put((command, answer.set_result))
        return await asyncio.shield(asyncio.wrap_future(answer))

    def take(self, seconds: float) -> tuple[TableCommand, Callable[[CommandReply], None]] | None:
        """The next errand with the way to answer it; None if none comes so soon."""
        try:
            return self._queue.get(timeout=max(seconds, 0.0))
        except Empty:
            return None
