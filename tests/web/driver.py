"""A table without a network: requests go straight to the application, and commands run in the same thread."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from vaultkit.host.interface import Host
from vaultkit.web.host_page import HostPage
from vaultkit.web.host_thread import CommandQueue, CommandReply, HostThread
from vaultkit.web.routes import Site
from vaultkit.web.seat_sessions import SeatSessions
from vaultkit.web.server import ServerThread

HOST = "127.0.0.1:8765"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class _Errands(CommandQueue):
    """A queue that runs each command at once."""

    host: HostThread

    async def ask(self, errand: Callable[[HostThread], CommandReply]) -> CommandReply:
        return errand(self.host)

    def put(self, errand: Callable[[HostThread], object]) -> None:
        """Ignore the command: a stream that a test has closed does not mean that its page has gone."""


class _Server:
    """A server whose event loop is that of the test."""

    def call(self, function: Callable[..., None], *values: object) -> None:
        function(*values)


class Table:
    """A table with an activity, and a browser that sits at it."""

    address = "127.0.0.1"

    def __init__(self, held: Host | HostPage, pictured: Iterable[str] = ()) -> None:
        self.page = held if isinstance(held, HostPage) else HostPage(held)
        self.held: Any = self.page.host
        pictured = tuple(pictured)
        self.door = SeatSessions("", pictured)
        errands = _Errands()
        self.host = HostThread(self.page, self.door, errands, cast(ServerThread, _Server()))
        errands.host = self.host
        pictures = {card: partial(_picture, card) for card in pictured}
        self.site = Site(self.door, errands, pictures, [HOST])
        self.errands, self.pictures, self.where = errands, pictures, HOST
        self.cookie = self.at = ""

    def sit(self) -> "Table":
        answer = self.post("/sit", {"token": self.door.new_code()})
        assert answer.status == 200, answer.body
        self.at = answer.json["at"]
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return self

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers)

    def post(self, path: str, value: object, **headers: str) -> Answer:
        given = {"origin": f"http://{self.where}", "content_type": "application/json", **headers}
        return self.ask("POST", path, given, value if isinstance(value, bytes) else json.dumps(value).encode())

    def order(self, do: str, **more: object) -> Answer:
        """Send an order that answers the question of the newest Scene."""
        return self.post(f"{self.at}order", {"question": self.scene()["question"], "do": do, **more})

    def scene(self) -> Any:
        """Return the newest Scene, the first event of a new stream."""
        name, data = self.events(1)[0]
        assert name == "scene"
        return json.loads(data)

    def events(self, count: int) -> list[tuple[str, str]]:
        """Return the first `count` events of a new stream."""
        return asyncio.run(self._events(count))

    def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        return asyncio.run(self._ask(self._scope(method, path, headers), body))

    def _scope(self, method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
        words = {"host": self.where, "cookie": self.cookie, **headers}
        named = [(name.replace("_", "-").encode(), word.encode()) for name, word in words.items() if word]
        path, _, query = path.partition("?")
        return {
            "type": "http", "http_version": "1.1", "method": method, "path": path, "query_string": query.encode(),
            "root_path": "", "scheme": "http", "headers": named, "client": (self.address, 1),
            "server": ("127.0.0.1", 2),
        }  # fmt: skip

    async def _ask(self, scope: dict[str, Any], body: bytes) -> Answer:
        sent: list[Any] = []
        pieces = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Any:
            return next(pieces, {"type": "http.disconnect"})

        async def send(message: Any) -> None:
            sent.append(message)

        await self.site.app(scope, receive, send)
        headers = {name.decode(): word.decode() for name, word in sent[0]["headers"]}
        return Answer(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))

    def stall(self) -> list[str]:
        """Open a stream without reading from it, and return what happens to its connection."""
        return asyncio.run(self._stall())

    async def _stall(self) -> list[str]:
        became: list[str] = []

        class Connection:
            def seat(self, client: str) -> None: ...

            def drop(self) -> None:
                became.append("dropped")

        async def wait(message: Any = None) -> Any:
            if message is None or message["type"] == "http.response.body":
                await asyncio.Event().wait()

        scope = {**self._scope("GET", f"{self.at}stream", {}), "connection": Connection()}
        await asyncio.wait_for(self.site.app(scope, wait, wait), 5)
        return became

    async def _events(self, count: int) -> list[tuple[str, str]]:
        received: asyncio.Queue[bytes] = asyncio.Queue()

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200
            if message.get("body"):
                received.put_nowait(message["body"])

        stream = asyncio.ensure_future(self.site.app(self._scope("GET", f"{self.at}stream", {}), receive, send))
        try:
            return [_parse_event(await asyncio.wait_for(received.get(), 5)) for _ in range(count)]
        finally:
            stream.cancel()
            await asyncio.gather(stream, return_exceptions=True)


def _picture(card: str) -> tuple[bytes, str]:
    return card.encode(), "image/webp"


def _parse_event(event: bytes) -> tuple[str, str]:
    fields = dict(line.split(": ", 1) for line in event.decode().strip().split("\n"))
    return fields["event"], fields["data"]
