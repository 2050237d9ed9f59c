"""A table with phones but without a network: the screen, and a phone in every seat."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from tests.web.driver import Answer, Table
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.games.turn import Chance, Move, Prompt, draw_move
from vaultkit.host.advice import Advice, markdown_to_text
from vaultkit.host.ending import EndingRecorder
from vaultkit.host.game_host import GameHost
from vaultkit.session import Session
from vaultkit.session.headers import EMPTY_MAPPING, new_header
from vaultkit.session.history import Step
from vaultkit.session.seats import SeatSpec
from vaultkit.web import lobby, page_html, seat_sessions
from vaultkit.web.lobby import Lobby
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.phone_page import PhonePage
from vaultkit.web.phone_routes import PhoneSite
from vaultkit.web.seat_sessions import Client

PHONES = "192.168.1.20:8765"
NAMES = ("Ysolde", "Bram", "Nettle", "Sefa", "Odhran")


class Phone(Table):
    """A phone that may or may not have a seat."""

    def __init__(self, table: "PhoneTable") -> None:
        self.table, self.site, self.where = table, table.phones, PHONES
        self.cookie = self.at = ""

    def knock(self, code: str = "") -> Answer:
        return self.post("/knock", {"token": code or self.table.code})

    def take(self, seat: int, code: str = "") -> Answer:
        """Sit down in a seat."""
        answer = self.post("/sit", {"ticket": self.knock(code).json["ticket"], "seat": seat})
        if answer.status == 200:
            self.at = answer.json["at"]
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    @property
    def client(self) -> Client:
        _, table, seat, _ = self.at.split("/")
        found = self.table.door.find_client(table, seat, self.cookie.partition("=")[2])
        assert found
        return found


class PhoneTable(Table):
    """A table's screen and its phones."""

    def __init__(self, page: PhonePage, pictured: Sequence[str], clock: Callable[[], float] | None = None) -> None:
        super().__init__(page, pictured)
        self.game, self.lobby = page.game, page.lobby
        self.door.table = "T"
        if clock:
            self.lobby.clock = clock
        self.lobby.open_at(self.door, f"http://{PHONES}/")
        self.host.lobby = self.lobby
        self.phones = PhoneSite(self.door, self.errands, self.pictures, [PHONES], {})
        self.phones._arrivals.try_acquire = lambda _: True  # type: ignore[method-assign]
        self.phones._orders.try_acquire = lambda _: True  # type: ignore[method-assign]
        self.sit()

    @property
    def code(self) -> str:
        """The code that the screen shows."""
        return next(one.text for one in self.lobby._codes if one.seat is None)

    def phone(self, seat: int) -> Phone:
        phone = Phone(self)
        assert phone.take(seat).status == 200
        return phone

    def begin(self) -> None:
        assert self.order("begin").status == 200
        self.go_on()

    def go_on(self) -> None:
        """Advance until a person is asked or the game is over, and publish after each step."""
        while self.page.go_on(watched=True) is not None:
            self.host.publish()
        self.host.publish()

    def play(self, phones: Mapping[int, Phone], rng: Random) -> None:
        """Make one random decision from the phone of the seat that is asked."""
        prompt = self.game.session.prompt
        assert prompt
        place = rng.randrange(len(prompt.moves))
        assert phones[prompt.seat].order("offer", offer=place, sure=True).status == 200
        self.go_on()


class Scripted(Session):
    """A session in which chance and bots follow a script."""

    script: Sequence[Step] = ()

    def _own_answer(self) -> tuple[Move, bool] | None:
        turn, n = self.turn, len(self.steps)
        if n == len(self.script):
            return None
        is_bots = isinstance(turn, Prompt) and turn.seat not in self.people
        return (self.script[n].move, self.script[n].auto) if is_bots else super()._own_answer()

    def _luck(self, chance: Chance, step: int) -> Move | None:
        return draw_move(*self.script[step - 1].move.operands)


def seats_of(people: int, bots: int) -> tuple[SeatSpec, ...]:
    """Return seats for people, followed by seats for bots."""
    return (*map(SeatSpec, NAMES[:people]), *(SeatSpec(f"Bot{at}", "greedy") for at in range(bots)))


def begin_session(
    found: GameNotes,
    folder: Path,
    people: int,
    options: Mapping[str, object] = EMPTY_MAPPING,
    *,
    bots: int = 0,
    script: Sequence[Step] | None = None,
) -> Session:
    """Begin a game of people and bots, whose luck and bots follow a `script` if there is one."""
    began, deck, kind = datetime(2026, 11, 3, tzinfo=UTC), found.deck_note.deck, Session if script is None else Scripted
    seats = seats_of(people, bots)
    header = new_header(found.game, deck, seats, began, id="20261103-game-k3f9", seed=7, options=options)
    session = kind.begin(folder, found.game, deck, header, clock=lambda: began)
    if isinstance(session, Scripted):
        session.script = script or ()
    return session


def phone_table(
    found: GameNotes,
    folder: Path,
    people: int,
    options: Mapping[str, object] = EMPTY_MAPPING,
    *,
    bots: int = 0,
    script: Sequence[Step] | None = None,
    clock: Callable[[], float] | None = None,
    log: Callable[[], LogResult] | None = None,
) -> PhoneTable:
    """Return a table whose phones have not sat down yet."""
    session = begin_session(found, folder, people, options, bots=bots, script=script)
    consulting = Advice(session, found.reference(session, markdown_to_text))
    people_of = Lobby({seat: session.name(seat) for seat in session.people})
    host = GameHost(session, consulting, 0, EndingRecorder(log, Path("/vault")), phones=lambda: people_of.phone_seats)
    return PhoneTable(PhonePage(host, people_of), [card.id for card in session.deck], clock)


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def begin_table(
    found: GameNotes, folder: Path, people: int = 3, *, clock: Callable[[], float] | None = None, bots: int = 0
) -> Iterator[tuple[PhoneTable, list[Phone]]]:
    """Begin a game at a table with a phone in every seat."""
    table = phone_table(found, folder, people, clock=clock, bots=bots)
    with table.game.session:
        phones = [table.phone(seat) for seat in range(people)]
        table.begin()
        yield table, phones


@dataclass
class Tap:
    """A record of everything sent to one client; question ids are replaced by their order of appearance."""

    sent: list[str]
    ids: dict[str, str]

    @classmethod
    def attach(cls, client: Client) -> "Tap":
        tap = cls([client.page.decode()], {})

        def put(scene: bytes) -> None:
            tap.take(scene.decode())

        client.outbox.put = put  # type: ignore[method-assign]
        return tap

    def take(self, text: str) -> None:
        for one in _questions(text):
            self.ids.setdefault(one, f"question{len(self.ids)}")
        for one, name in self.ids.items():
            text = text.replace(one, name)
        self.sent.append(text)

    def answer(self, answer: Answer) -> None:
        self.take(f"{answer.status} {dict(answer.headers)} {answer.body.decode()}")


def _questions(text: str) -> list[str]:
    start = text.find('"question":"')
    return [json.loads(text[start + 11 : text.index('"', start + 12) + 1])] if start >= 0 else []


def fix_lots(patch: pytest.MonkeyPatch) -> None:
    """Make random choices equal for each seat in all worlds, so that worlds can be compared."""

    def seat_client(key: str, seat: str, at: str, marks: OpaqueIds) -> Client:
        return Client(key, seat, at, OpaqueIds(marks.by_face.values(), Random(at)))

    patch.setattr(seat_sessions, "Client", seat_client)
    patch.setattr(lobby, "secrets", SimpleNamespace(choice=lambda choices: choices[0]))
    patch.setattr(page_html, "qr_path", lambda text: (len(text), ""))
