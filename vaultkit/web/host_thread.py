"""The one thread that holds a host, does errands one by one, and shows what changed."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus

from vaultkit.errors import VaultkitError
from vaultkit.host.orders import OrderRefused, StaleQuestion
from vaultkit.web import page_html
from vaultkit.web.command_queue import (
    CommandQueue,
    CommandReply,
    HostInput,
    PageClosed,
    PageLeft,
    PageOrder,
    ScreenJoin,
    SeatClaim,
    SeatInquiry,
    TableCommand,
)
from vaultkit.web.host_page import ConfirmationNeeded, HostPage, OrderData
from vaultkit.web.lobby import Lobby, SeatRefused
from vaultkit.web.seat_sessions import SCREEN, Client, SeatSessions
from vaultkit.web.server import ServerThread

_POLL_SECONDS = 0.5
"""Seconds after which the host looks up, so that a signal is heard on every system."""
_IDLE_CLOSE_SECONDS = 30.0
"""Seconds after which a table that is at its end closes if nobody looks at it any more."""
_WRONG_CODE_MESSAGE = "That code is not, or no longer, one of this table. The right address stands in the terminal."
_PHONE_COOKIE_SECONDS = 16 * 60 * 60
"""Seconds for which a phone finds its seat again after its browser was closed."""
_UNREADABLE_MESSAGE = "The table does not understand that."


@dataclass(eq=False)
class HostThread:
    """Runs the table until it closes, or the host leaves."""

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
        """Serve until the table closes by itself or somebody leaves; then `left` says which of the two."""
        while not (self.page.host.closed or self.left or self._is_abandoned()):
            changes = self.page.host.revision
            wait = self.page.go_on(watched=self._is_watched)
            if self.page.host.revision != changes:
                self.publish()
            request = self.queue.take(_POLL_SECONDS if wait is None else min(wait, _POLL_SECONDS))
            if request:
                self.do(*request)

    def leave(self) -> None:
        """End the table after what is being done now."""
        self.left = True
        self.queue.put(PageLeft())

    @property
    def _is_watched(self) -> bool:
        return any(client.outbox.streams for client in self.sessions.clients)

    def _is_abandoned(self) -> bool:
        """Whether it is over, and all pages have been closed for a while."""
        if not self.page.host.over or self._is_watched:
            self._last_watched = time.monotonic()
        return time.monotonic() - self._last_watched > _IDLE_CLOSE_SECONDS

    def do(self, command: TableCommand, answer: Callable[[CommandReply], None]) -> None:
        """Do one errand, and answer it once that has happened."""
        match command:
            case PageLeft(error):
                self.left = True
                if error:
                    raise error
            case HostInput(do):
                do()
                self.publish()
            case PageClosed(client):
                self.page.gone(client)
            case ScreenJoin(code):
                answer(self._join_screen(code))
            case SeatInquiry(code):
                answer(self._issue_ticket(code))
            case SeatClaim(ticket, seat):
                reply = self._take_seat(ticket, seat)
                self.publish()
                answer(reply)
            case PageOrder(client, body):
                reply = self._execute_order(client, body)
                self.publish()  # whoever has the answer finds the Scene that goes with it
                answer(reply)

    def _join_screen(self, code: str) -> CommandReply:
        client_and_cookie = self.sessions.sit(code)
        if client_and_cookie is None:
            return CommandReply(HTTPStatus.FORBIDDEN, {"why": _WRONG_CODE_MESSAGE})
        client, cookie = client_and_cookie
        self.prepare_page(client)
        self.on_seated()
        return CommandReply(HTTPStatus.OK, {"at": client.at}, (cookie, client.at))

    def _issue_ticket(self, code: str) -> CommandReply:
        try:
            ticket, seats = _require_lobby(self.lobby).issue_ticket(code)
        except SeatRefused as no:
            return CommandReply(HTTPStatus.FORBIDDEN, {"why": str(no)})
        return CommandReply(HTTPStatus.OK, {"ticket": ticket, "seats": seats})

    def _take_seat(self, ticket: str, seat: object) -> CommandReply:
        try:
            client, cookie = _require_lobby(self.lobby).take_seat(ticket, seat)
        except SeatRefused as no:
            return CommandReply(HTTPStatus.FORBIDDEN, {"why": str(no)})
        self.prepare_page(client)
        return CommandReply(
            HTTPStatus.OK, {"at": client.at, "sign": client.sign}, (cookie, client.at), _PHONE_COOKIE_SECONDS
        )

    def prepare_page(self, client: Client) -> None:
        """Make a client's page."""
        name = "page" if client.seat == SCREEN else "phone"
        title = self.page.sight(client).scene.title
        client.page = page_html.render_page(title, client.marks.faces(), name).encode()
        self._send_update(client)

    def _execute_order(self, client: Client, body: bytes) -> CommandReply:
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
            return CommandReply(HTTPStatus.UNPROCESSABLE_ENTITY, {"why": str(question), "sure": True})
        except OrderRefused as refusal:
            return CommandReply(HTTPStatus.UNPROCESSABLE_ENTITY, {"why": f"{refusal} {refusal.hint}".strip()})
        except VaultkitError as error:
            return CommandReply(HTTPStatus.UNPROCESSABLE_ENTITY, {"why": error.message_with_hint})
        reply = CommandReply(HTTPStatus.OK, {"html": html} if html else {})
        self._last_replies[client.key] = (body, reply)
        return reply

    def publish(self) -> None:
        """Hand every client its Scene, where that has changed."""
        for client in self.sessions.clients:
            self._send_update(client)

    def _send_update(self, client: Client) -> None:
        """Hand a client's Scene to the loop if it has changed; none is drawn where nothing differs."""
        sight = self.page.sight(client)
        comparable = replace(sight, news=(), fresh=(), steps=0)
        if comparable == client.sight:
            return
        client.sight, update = comparable, page_html.render_update(sight)
        scene = (update.title, update.question, update.regions)
        if scene != client.scene:
            client.scene, client.steps = scene, sight.steps
            self.server.call(client.outbox.put, json.dumps(asdict(update), separators=(",", ":")).encode())


def _require_lobby(lobby: Lobby | None) -> Lobby:
    if lobby is None:
        raise SeatRefused("This table is for one screen alone.")
    return lobby


def _parse_order(body: bytes) -> OrderData:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("do"), str):
        raise OrderRefused(_UNREADABLE_MESSAGE)
    return value
