"""The one thread that holds a host: it runs commands from a queue one by one, and shows what changed."""

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus
from queue import Empty, SimpleQueue
from typing import Any

from vaultkit.errors import VaultkitError
from vaultkit.host.orders import OrderRefused, StaleQuestion
from vaultkit.web import page_html
from vaultkit.web.host_page import ConfirmationNeeded, HostPage, OrderData
from vaultkit.web.html_text import isolate_right_to_left
from vaultkit.web.lobby import Lobby
from vaultkit.web.request_guard import UNREADABLE_MESSAGE, parse_object
from vaultkit.web.seat_sessions import SCREEN, Client, SeatSessions
from vaultkit.web.server import ServerThread

_POLL_SECONDS = 0.5
"""Seconds between checks for signals, which do not interrupt waiting on every system."""
_IDLE_CLOSE_SECONDS = 30.0
"""Seconds after which a table that is at its end closes if nobody looks at it any more."""
_WRONG_CODE_MESSAGE = "That code is wrong or no longer valid. The terminal shows the right address."
_PHONE_COOKIE_SECONDS = 16 * 60 * 60
"""Seconds for which a phone finds its seat again after its browser was closed."""


@dataclass(frozen=True, slots=True)
class CommandReply:
    """The answer to a request: a status, a value for JSON, and a cookie with its path where somebody sat down.

    The cookie is kept for `cookie_max_age_seconds`, or until the browser is closed.
    """

    status: int
    value: dict[str, Any] = field(default_factory=dict)
    cookie: tuple[str, str] | None = None
    cookie_max_age_seconds: int | None = None


class CommandQueue:
    """Commands for the host's thread in their order: functions of it, which any thread may put in."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Callable[[HostThread], object]] = SimpleQueue()

    def put(self, command: "Callable[[HostThread], object]") -> None:
        """Have a command run that needs no answer."""
        self._queue.put(command)

    async def ask(self, command: "Callable[[HostThread], CommandReply]") -> CommandReply:
        """Have a command run, and wait for its reply. It is run even if nobody waits any more."""
        reply: Future[CommandReply] = Future()
        self.put(lambda host: reply.set_result(command(host)))
        return await asyncio.shield(asyncio.wrap_future(reply))

    def take(self, seconds: float) -> "Callable[[HostThread], object] | None":
        """Remove the next command, and return it; None if none comes in that time."""
        try:
            return self._queue.get(timeout=max(seconds, 0.0))
        except Empty:
            return None


@dataclass(eq=False)
class HostThread:
    """The loop of the table, until it closes or the host leaves."""

    page: HostPage
    sessions: SeatSessions
    queue: CommandQueue
    server: ServerThread
    on_seated: Callable[[], None] = lambda: None
    lobby: Lobby | None = None
    left: bool = field(default=False, init=False)
    _last_replies: dict[str, tuple[bytes, CommandReply]] = field(default_factory=dict, init=False)
    _last_watched: float = field(default_factory=time.monotonic, init=False)

    def run(self) -> None:
        """Serve until the table closes by itself or the host leaves; `left` then tells which."""
        while not (self.page.host.closed or self.left or self._is_abandoned()):
            changes = self.page.host.revision
            wait = self.page.go_on(watched=self._is_watched)
            if self.page.host.revision != changes:
                self.publish()
            if command := self.queue.take(_POLL_SECONDS if wait is None else min(wait, _POLL_SECONDS)):
                command(self)

    def leave(self) -> None:
        """End the table after the command that runs now."""
        self.left = True
        self.queue.put(lambda _: None)  # or the queue would be waited for

    def fail(self, error: BaseException) -> None:
        """End the table by raising the error for which the server could not go on."""
        self.left = True
        raise error

    @property
    def _is_watched(self) -> bool:
        return any(client.outbox.streams for client in self.sessions.clients)

    def _is_abandoned(self) -> bool:
        """Return whether the game is over and all pages have been closed for a while."""
        if not self.page.host.over or self._is_watched:
            self._last_watched = time.monotonic()
        return time.monotonic() - self._last_watched > _IDLE_CLOSE_SECONDS

    def close_page(self, client: Client) -> None:
        """Cover the hand of a client that shows nothing any more."""
        self.page.disconnect(client)
        self.publish()

    def join_screen(self, code: str) -> CommandReply:
        """Let somebody sit down at the screen with a code."""
        client_and_cookie = self.sessions.sit(code)
        if client_and_cookie is None:
            return CommandReply(HTTPStatus.FORBIDDEN, {"why": _WRONG_CODE_MESSAGE})
        client, cookie = client_and_cookie
        self.prepare_page(client)
        self.on_seated()
        return CommandReply(HTTPStatus.OK, {"at": client.at}, (cookie, client.at))

    def issue_ticket(self, code: str) -> CommandReply:
        """Tell a phone with a code which seats are free."""
        assert self.lobby, "phones have a site"
        try:
            ticket, seats = self.lobby.issue_ticket(code)
        except OrderRefused as no:
            return CommandReply(HTTPStatus.FORBIDDEN, {"why": str(no)})
        return CommandReply(HTTPStatus.OK, {"ticket": ticket, "seats": seats})

    def take_seat(self, ticket: str, seat: object) -> CommandReply:
        """Let a phone sit down in a seat, with the ticket that it got for its code."""
        assert self.lobby, "phones have a site"
        try:
            client, cookie = self.lobby.take_seat(ticket, seat)
        except OrderRefused as no:
            return CommandReply(HTTPStatus.FORBIDDEN, {"why": str(no)})
        self.prepare_page(client)
        self.publish()
        return CommandReply(
            HTTPStatus.OK, {"at": client.at, "sign": client.sign}, (cookie, client.at), _PHONE_COOKIE_SECONDS
        )

    def prepare_page(self, client: Client) -> None:
        """Render the page of a client."""
        name = "page" if client.seat == SCREEN else "phone"
        title = self.page.sight(client).scene.title
        client.page = page_html.render_page(title, client.marks.faces(), name).encode()
        self._send_update(client)

    def execute_order(self, client: Client, body: bytes) -> CommandReply:
        """Carry out the order in the `body` of a request, and publish the new Scene before the reply is returned."""
        reply = self._reply_to_order(client, body)
        self.publish()
        return reply

    def _reply_to_order(self, client: Client, body: bytes) -> CommandReply:
        try:
            html = self.page.obey(client, _parse_order(body))
        except StaleQuestion:
            last_reply = self._last_replies.get(client.key)
            if last_reply and last_reply[0] == body:  # it was sent twice, and counts once
                return last_reply[1]
            return CommandReply(
                HTTPStatus.CONFLICT, {"scene": asdict(page_html.render_update(self.page.sight(client)))}
            )
        except ConfirmationNeeded as question:
            return _refuse(str(question), sure=True)
        except OrderRefused as refusal:
            return _refuse(f"{refusal} {refusal.hint}".strip())
        except VaultkitError as error:
            return _refuse(error.message_with_hint)
        reply = CommandReply(HTTPStatus.OK, {"html": html} if html else {})
        self._last_replies[client.key] = (body, reply)
        return reply

    def publish(self) -> None:
        """Send every client its Scene if it has changed."""
        for client in self.sessions.clients:
            self._send_update(client)

    def _send_update(self, client: Client) -> None:
        """Send a client's Scene to the server's event loop if it has changed; an unchanged one is not rendered."""
        sight = self.page.sight(client)
        comparable = replace(sight, news=(), fresh=(), steps=0)
        if comparable == client.sight:
            return
        client.sight, update = comparable, page_html.render_update(sight)
        scene = (update.title, update.question, update.regions)
        if scene != client.scene:
            client.scene, client.steps = scene, sight.steps
            self.server.call(client.outbox.put, json.dumps(asdict(update), separators=(",", ":")).encode())


def _refuse(why: str, **more: bool) -> CommandReply:
    return CommandReply(HTTPStatus.UNPROCESSABLE_ENTITY, {"why": isolate_right_to_left(why), **more})


def _parse_order(body: bytes) -> OrderData:
    value = parse_object(body)
    if value is None or not isinstance(value.get("do"), str):
        raise OrderRefused(UNREADABLE_MESSAGE)
    return value
