"""The door of the table: who may sit down by which code, and who sits there already."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

from vaultkit.web.opaque_ids import OpaqueIds

HEARTBEAT_SECONDS = 10.0
"""Seconds after which a quiet stream says that it is still there."""


_SECRET_BYTES = 16
"""128 random bits, for codes and cookies alike."""
_MAX_SCREEN_COUNT = 24
"""So many windows may be screens; of those that show nothing the oldest is one no more."""
COOKIE_NAME = "seat"
SCREEN = "screen"
"""The seat of the big screen, which all see."""


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


@dataclass(eq=False)
class Client:
    """One browser in a seat: the address of its page, what it calls things, and what waits for it.

    `key` is the hash of its cookie; `page` the page before its first Scene. `sight` and `scene` are what it saw and was
    sent last, to be compared, and `steps` how far that went. `sign` is what a phone and the screen show alike.
    """

    key: str
    seat: str
    at: str
    marks: OpaqueIds
    page: bytes = b""
    outbox: EventStream = field(default_factory=EventStream)
    sight: object = None
    scene: object = None
    steps: int = 0
    sign: str = ""


class SeatSessions:
    """Codes and clients of the table at `/TABLE/`. `pictured` are the cards that have a picture."""

    def __init__(self, table: str = "", pictured: Iterable[str] = ()) -> None:
        self.table = table or new_secret()
        self._pictured_cards = tuple(pictured)
        self._codes: dict[str, bool] = {}
        self._clients: dict[str, Client] = {}

    @property
    def clients(self) -> tuple[Client, ...]:
        return tuple(self._clients.values())

    def new_code(self, *, once: bool = False) -> str:
        """A code with which people sit down at the screen; with `once` one of them."""
        code = new_secret()
        self._codes[secret_hash(code)] = once
        return code

    def sit(self, code: str) -> tuple[Client, str] | None:
        """The new client of whoever has a code, and its cookie; None for a wrong code, or one that was used up."""
        once = self._codes.get(secret_hash(code))
        if once is None:
            return None
        if once:
            del self._codes[secret_hash(code)]
        cookie = new_secret()
        return self.add_client(secret_hash(cookie)), cookie

    def add_client(self, key: str, seat: str = SCREEN) -> Client:
        """The client with the cookie of this hash, also one that sat here before the server was started again."""
        at = f"/{self.table}/{seat}/"
        client = Client(key, seat, at, OpaqueIds(self._pictured_cards))
        self._clients[key] = client
        screens = [other for other in self.clients if other.seat == SCREEN]
        asleep = [other.key for other in screens if not other.outbox.streams and other is not client]
        if len(screens) > _MAX_SCREEN_COUNT and asleep:
            self.forget(asleep[0])
        return client

    def forget(self, key: str) -> None:
        """Know the client with the cookie of this hash no more."""
        self._clients.pop(key, None)

    def find_client(self, table: str, seat: str, cookie: str) -> Client | None:
        """The client in this seat with this cookie."""
        client = self._clients.get(secret_hash(cookie)) if table == self.table else None
        return client if client and client.seat == seat else None


def new_secret() -> str:
    """A code or a cookie that nobody guesses."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def secret_hash(secret: str) -> str:
    """The hash of a secret, which alone is kept."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
