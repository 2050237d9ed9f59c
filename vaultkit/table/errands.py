"""The way from the server to the one thread that holds the game: a queue of errands, each with its answer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from vaultkit.table.door import Client


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request: a status, a value for JSON, and a cookie with its path where somebody sat down."""

    status: int
    value: dict[str, Any] = field(default_factory=dict)
    cookie: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody sits down with a code."""

    code: str


@dataclass(frozen=True, slots=True)
class Order:
    """A client orders something; `body` is as it came."""

    client: Client
    body: bytes


@dataclass(frozen=True, slots=True)
class Gone:
    """A client shows nothing any more."""

    client: Client


@dataclass(frozen=True, slots=True)
class Leave:
    """The host ends it, in the terminal or by a signal; `error` is why the server could not go on."""

    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """The host has typed something in the terminal, which is to be done."""

    do: Callable[[], None]


Errand = Sit | Order | Gone | Leave | Typed


class Errands:
    """Errands in the order in which they came. The loop of the server puts them in, the host takes them out."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[Errand, Callable[[Reply], None]]] = SimpleQueue()

    def put(self, errand: Errand) -> None:
        """Have something done that needs no answer."""
        self._queue.put((errand, lambda _: None))

    async def ask(self, errand: Errand) -> Reply:
        """Have something done, and wait for the answer. It is done even if nobody waits any more."""
        answer: Future[Reply] = Future()
        self._queue.put((errand, answer.set_result))
        return await asyncio.shield(asyncio.wrap_future(answer))

    def take(self, seconds: float) -> tuple[Errand, Callable[[Reply], None]] | None:
        """The next errand with the way to answer it; None if none comes so soon."""
        try:
            return self._queue.get(timeout=max(seconds, 0.0))
        except Empty:
            return None
