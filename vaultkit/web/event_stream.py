"""The stream of one page: only its newest Scene waits to be written, so that a page that sleeps costs nothing."""

import asyncio
from collections.abc import AsyncGenerator

HEARTBEAT_SECONDS = 10.0
"""Seconds after which a quiet stream says that it is still there."""


class EventStream:
    """The newest Scene of one client, for all streams of its page. It lives in the loop of the server."""

    def __init__(self) -> None:
        self.streams = 0
        self._count = 0
        self._scene = b""
        self._ended = False
        self._news = asyncio.Event()

    def put(self, scene: bytes) -> None:
        """Take in a newer Scene; the one before it need not be sent any more."""
        self._count += 1
        self._scene = scene
        self._wake()

    def end(self) -> None:
        """Let each stream say, after the newest Scene, that the server ends on purpose."""
        self._ended = True
        self._wake()

    async def events(self) -> AsyncGenerator[bytes]:
        """The events of one stream, from the whole Scene on, as bytes."""
        sent, self.streams = 0, self.streams + 1
        try:
            while True:
                news = self._news
                if self._count > sent:
                    sent = self._count
                    yield _format_event("scene", self._scene, sent)
                elif self._ended:
                    yield _format_event("end", b"{}")
                    return
                elif not await _wait_for_news(news, HEARTBEAT_SECONDS):
                    yield _format_event("beat", b"{}")
        finally:
            self.streams -= 1

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


async def _wait_for_news(news: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(news.wait(), seconds)
    except TimeoutError:
        return False
    return True


def _format_event(name: str, data: bytes, number: int | None = None) -> bytes:
    counted = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (counted, name.encode(), data)
