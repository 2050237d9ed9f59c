"""The host: the one thread that holds what lies on the table, does errands one by one, and shows what changed."""

import json
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus
from typing import Any

from vaultkit.errors import VaultkitError
from vaultkit.table import drawing
from vaultkit.table.door import SCREEN, Client, Door
from vaultkit.table.errands import Errand, Errands, Gone, Knock, Leave, Order, Reply, Sit, Take, Typed
from vaultkit.table.lobby import Lobby, NoSeat
from vaultkit.table.server import Server
from vaultkit.table.sight import Sight

_TICK = 0.5
"""Seconds after which the host looks up, so that a signal is heard on every system."""
_LONELY = 30.0
"""Seconds after which a table that is at its end closes if nobody looks at it any more."""
_WRONG = "That code is not, or no longer, one of this table. The right address stands in the terminal."
_EVENING = 16 * 60 * 60
"""Seconds for which a phone finds its seat again after its browser was closed."""
_UNREADABLE = "The table does not understand that."
Words = Mapping[str, Any]
"""An order as it was sent."""


class Refused(Exception):
    """An order that cannot be obeyed; the sentence says why. Nothing has changed.

    Where the page should ask whether it is right, `sure` is set, and the order may come again with `"sure": true`.
    """

    def __init__(self, why: str, *, sure: bool = False) -> None:
        super().__init__(why)
        self.sure = sure


class Outdated(Exception):
    """An order that answers an old question. Nothing has changed."""


class Holding(ABC):
    """A game or a reading on the table. Only the host's thread calls it."""

    over: bool = False
    """Whether nothing can happen any more."""
    closed: bool = False
    """Whether the table may close."""
    changes: int = 0
    """How often anything has changed that can be seen."""

    @abstractmethod
    def sight(self, client: Client) -> Sight:
        """All that one client may see now."""

    @abstractmethod
    def obey(self, client: Client, order: Words) -> str:
        """Do as ordered; HTML for the asker alone, or "". Raises Refused, Outdated and VaultkitError."""

    def go_on(self, *, watched: bool) -> float | None:  # noqa: ARG002
        """Do what needs nobody, if it is time; the seconds until there is more of it, None if that hangs on people.

        `watched` says whether anybody looks.
        """
        return None

    def gone(self, client: Client) -> None:  # noqa: B027 - most hold nothing for a client
        """A client shows nothing any more; it may come back."""


@dataclass(eq=False)
class Host:
    """Runs the table until it closes, or the host leaves."""

    held: Holding
    door: Door
    errands: Errands
    server: Server
    sat: Callable[[], None] = lambda: None
    lobby: Lobby | None = None
    left: bool = field(default=False, init=False)
    _answered: dict[str, tuple[bytes, Reply]] = field(default_factory=dict, init=False)
    _seen: float = field(default_factory=time.monotonic, init=False)

    def run(self) -> None:
        """Serve until the table closes by itself or somebody leaves; then `left` says which of the two."""
        while not (self.held.closed or self.left or self._is_lonely()):
            changes = self.held.changes
            wait = self.held.go_on(watched=self._is_watched)
            if self.held.changes != changes:
                self.publish()
            found = self.errands.take(_TICK if wait is None else min(wait, _TICK))
            if found:
                self.do(*found)

    def leave(self) -> None:
        """End the table after what is being done now."""
        self.left = True
        self.errands.put(Leave())

    @property
    def _is_watched(self) -> bool:
        return any(client.outbox.streams for client in self.door.clients)

    def _is_lonely(self) -> bool:
        """Whether it is over, and all pages have been closed for a while."""
        if not self.held.over or self._is_watched:
            self._seen = time.monotonic()
        return time.monotonic() - self._seen > _LONELY

    def do(self, errand: Errand, answer: Callable[[Reply], None]) -> None:
        """Do one errand, and answer it once that has happened."""
        match errand:
            case Leave(error):
                self.left = True
                if error:
                    raise error
            case Typed(do):
                do()
                self.publish()
            case Gone(client):
                self.held.gone(client)
            case Sit(code):
                answer(self._sit(code))
            case Knock(code):
                answer(self._knock(code))
            case Take(ticket, seat):
                reply = self._take(ticket, seat)
                self.publish()
                answer(reply)
            case Order(client, body):
                reply = self._obey(client, body)
                self.publish()  # whoever has the answer finds the Scene that goes with it
                answer(reply)

    def _sit(self, code: str) -> Reply:
        found = self.door.sit(code)
        if found is None:
            return Reply(HTTPStatus.FORBIDDEN, {"why": _WRONG})
        client, cookie = found
        self.welcome(client)
        self.sat()
        return Reply(HTTPStatus.OK, {"at": client.at}, (cookie, client.at))

    def _knock(self, code: str) -> Reply:
        try:
            ticket, seats = _of(self.lobby).knock(code)
        except NoSeat as no:
            return Reply(HTTPStatus.FORBIDDEN, {"why": str(no)})
        return Reply(HTTPStatus.OK, {"ticket": ticket, "seats": seats})

    def _take(self, ticket: str, seat: object) -> Reply:
        try:
            client, cookie = _of(self.lobby).take(ticket, seat)
        except NoSeat as no:
            return Reply(HTTPStatus.FORBIDDEN, {"why": str(no)})
        self.welcome(client)
        return Reply(HTTPStatus.OK, {"at": client.at, "sign": client.sign}, (cookie, client.at), _EVENING)

    def welcome(self, client: Client) -> None:
        """Make a client's page."""
        name = "page" if client.seat == SCREEN else "phone"
        client.page = drawing.page(self.held.sight(client).scene.title, client.marks.faces(), name).encode()
        self._show(client)

    def _obey(self, client: Client, body: bytes) -> Reply:
        try:
            html = self.held.obey(client, _order(body))
        except Outdated:
            known = self._answered.get(client.key)
            if known and known[0] == body:  # it was sent twice, and counts once
                return known[1]
            return Reply(HTTPStatus.CONFLICT, {"scene": asdict(drawing.frame(self.held.sight(client)))})
        except Refused as refused:
            sure = {"sure": True} if refused.sure else {}
            return Reply(HTTPStatus.UNPROCESSABLE_ENTITY, {"why": str(refused), **sure})
        except VaultkitError as error:
            return Reply(HTTPStatus.UNPROCESSABLE_ENTITY, {"why": error.in_full})
        reply = Reply(HTTPStatus.OK, {"html": html} if html else {})
        self._answered[client.key] = (body, reply)
        return reply

    def publish(self) -> None:
        """Hand every client its Scene, where that has changed."""
        for client in self.door.clients:
            self._show(client)

    def _show(self, client: Client) -> None:
        """Hand a client's Scene to the loop if it has changed; none is drawn where nothing differs."""
        sight = self.held.sight(client)
        seen = replace(sight, fresh=(), steps=0)
        if seen == client.sight:
            return
        client.sight, frame = seen, drawing.frame(sight)
        scene = (frame.title, frame.question, frame.regions)
        if scene != client.scene:
            client.scene, client.steps = scene, sight.steps
            self.server.call(client.outbox.put, json.dumps(asdict(frame), separators=(",", ":")).encode())


def new_question() -> str:
    """The id of a question, which is asked once."""
    return secrets.token_urlsafe(9)


def _of(lobby: Lobby | None) -> Lobby:
    if lobby is None:
        raise NoSeat("This table is for one screen alone.")
    return lobby


def _order(body: bytes) -> Words:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("do"), str):
        raise Refused(_UNREADABLE)
    return value
