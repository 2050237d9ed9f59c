"""The clients of a table, and the codes by which they sit down."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

from vaultkit.web.opaque_ids import OpaqueIds

HEARTBEAT_SECONDS = 10.0
"""Seconds after which a stream without events sends a heartbeat."""


_SECRET_BYTES = 16
"""The number of random bytes in codes and cookies."""
_MAX_SCREEN_COUNT = 24
"""The maximum number of windows as screens; if there are more, the oldest that shows nothing is removed."""
COOKIE_NAME = "seat"
SCREEN = "screen"
"""The seat of the big screen, which everybody sees."""


class EventStream:
    """The newest Scene of one client for all streams of its page. It is used in the server's event loop only."""

    def __init__(self) -> None:
        self.streams = 0
        self._count = 0
        self._scene = b""
        self._ended = False
        self._news = asyncio.Event()

    def put(self, scene: bytes) -> None:
        """Replace the Scene; an earlier one that was not sent is dropped."""
        self._count += 1
        self._scene = scene
        self._wake()

    def end(self) -> None:
        """Let each stream say, after the newest Scene, that the server ends on purpose."""
        self._ended = True
        self._wake()

    async def events(self) -> AsyncGenerator[bytes]:
        """Yield the events of one stream as bytes, beginning with the whole Scene."""
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
                else:
                    try:
                        await asyncio.wait_for(news.wait(), HEARTBEAT_SECONDS)
                    except TimeoutError:
                        yield _format_event("beat", b"{}")
        finally:
            self.streams -= 1

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


def _format_event(name: str, data: bytes, number: int | None = None) -> bytes:
    counted = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (counted, name.encode(), data)


@dataclass(eq=False)
class Client:
    """One browser in a seat: the address of its page, its names of cards, and its stream.

    `key` is the hash of its cookie; `page` is its page before the first Scene. `sight` and `scene` are the contents and
    the update that were sent last, for comparison, `steps` the number of sentences in it. `sign` is shown on the phone
    and on the screen.
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
    """The codes and clients of the table at `/TABLE/`. `pictured` are the cards that have a picture."""

    def __init__(self, table: str = "", pictured: Iterable[str] = ()) -> None:
        self.table = table or new_secret()
        self._pictured_cards = tuple(pictured)
        self._codes: dict[str, bool] = {}
        self._clients: dict[str, Client] = {}

    @property
    def clients(self) -> tuple[Client, ...]:
        return tuple(self._clients.values())

    def new_code(self, *, once: bool = False) -> str:
        """Return a new code to sit down at the screen; with `once` it can be used only once."""
        code = new_secret()
        self._codes[secret_hash(code)] = once
        return code

    def sit(self, code: str) -> tuple[Client, str] | None:
        """Return a new client and its cookie for a code; None for a wrong or used code."""
        once = self._codes.get(secret_hash(code))
        if once is None:
            return None
        if once:
            del self._codes[secret_hash(code)]
        cookie = new_secret()
        return self.add_client(secret_hash(cookie)), cookie

    def add_client(self, key: str, seat: str = SCREEN) -> Client:
        """Add and return the client with the cookie of this hash, even one from before a restart of the server."""
        at = f"/{self.table}/{seat}/"
        client = Client(key, seat, at, OpaqueIds(self._pictured_cards))
        self._clients[key] = client
        screens = [other for other in self.clients if other.seat == SCREEN]
        asleep = [other.key for other in screens if not other.outbox.streams and other is not client]
        if len(screens) > _MAX_SCREEN_COUNT and asleep:
            self.forget(asleep[0])
        return client

    def forget(self, key: str) -> None:
        """Remove the client with the cookie of this hash."""
        self._clients.pop(key, None)

    def find_client(self, table: str, seat: str, cookie: str) -> Client | None:
        """Return the client in this seat with this cookie, None if there is none."""
        client = self._clients.get(secret_hash(cookie)) if table == self.table else None
        return client if client and client.seat == seat else None


def new_secret() -> str:
    """Return a random code or cookie."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def secret_hash(secret: str) -> str:
    """Return the hash of a secret, which is stored instead of the secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
