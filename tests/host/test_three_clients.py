"""The same recorded orders in the terminal, on a screen and on phones, each through its own client.

The terminal is typed at, the pages get requests. The journals must be equal byte for byte, and so must be the news that
each seat reads before each of its decisions: as the host gives them, and as the client shows them.
"""

import html
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.host.test_orders import PLAYED, advance
from tests.terminal.helpers import screen, screen_text
from tests.web.driver import Table
from tests.web.phone_driver import PhoneTable, begin_session, phone_table
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.concession import CONCEDE, concession
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move
from vaultkit.host.advice import Advice, markdown_to_text
from vaultkit.host.game_host import GameHost
from vaultkit.scene.scene import Scene
from vaultkit.session import Session
from vaultkit.session.history import UndoRefused
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import ME, GameView
from vaultkit.terminal.styles import terminal_style
from vaultkit.web.host_page import HostPage
from vaultkit.web.page_html import _MAX_EVENT_COUNT

UNDO = Move("undo")
QUICK = {"deck-of-destiny": 60, "turn-of-fate": 12}


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@dataclass
class Recording:
    """The orders of a game, each of a seat, and what each client made of them.

    `news` has, by seat, the sentences that it could read before each of its decisions.
    """

    notes: GameNotes
    folder: Path
    people: int
    orders: list[tuple[Seat, Move]] = field(default_factory=list)
    journal: bytes = b""

    def session(self, name: str) -> Session:
        (self.folder / name).mkdir()
        return begin_session(self.notes, self.folder / name, self.people, self.options)

    @property
    def options(self) -> dict[str, object]:
        return {**PLAYED[self.notes.info.id][1], "undo": "free"}

    def host(self, session: Session) -> GameHost:
        return GameHost(session, Advice(session, self.notes.reference(session, markdown_to_text)))

    def record(self, rng: Random, limit: int, *, concedes: bool) -> None:
        """Play at random, and take back some decisions; at the end somebody may give up."""
        with self.session("recorded") as session:
            while list(session.advance()) or session.prompt:
                prompt = session.prompt
                if prompt is None:
                    continue
                if len(self.orders) >= limit:
                    if concedes:
                        self.orders.append((prompt.seat, concession(prompt.seat)))
                        session.concede(prompt.seat)
                        list(session.advance())
                    break
                if self.orders and self.orders[-1][1] != UNDO and rng.random() < 0.1:
                    try:
                        session.go_back(session.plan_undo(prompt.seat))
                        self.orders.append((prompt.seat, UNDO))
                        continue
                    except UndoRefused:
                        pass
                move = rng.choice(prompt.moves)
                session.submit(move)
                self.orders.append((prompt.seat, move))
            self.journal = session.path.read_bytes()


@dataclass
class Played:
    """What came of a recording in one client."""

    journal: bytes = b""
    news: dict[Seat, list[Sequence[str]]] = field(default_factory=lambda: defaultdict(list))
    common_news: list[str] = field(default_factory=list)

    def read(self, session: Session, seat: Seat, scene: Scene, shown: str, limit: int | None = None) -> None:
        """Keep the news of a seat before its decision, all of which the client must show, or the last few."""
        assert scene.viewer == seat
        sentences = [session.words(event.sentence) for _, event in scene.news]
        for sentence in sentences[-limit if limit else 0 :]:
            assert sentence in shown
        self.news[seat].append(sentences)

    def end(self, session: Session, host: GameHost, viewer: Any) -> None:
        self.journal = session.path.read_bytes()
        self.common_news = [session.words(sentence) for sentence in host.view(viewer).news]


class Typist(TerminalSource):
    """Types the recorded orders, then leaves."""

    def __init__(self, console: Any, recording: Recording, host: GameHost, played: Played) -> None:
        super().__init__(console)
        self.console, self.orders = console, iter(recording.orders)
        self.host, self.played, self.shown = host, played, 0

    def answer(self, *_: object) -> str:
        seat, move = next(self.orders, (None, UNDO))
        session = self.host.session
        if seat is None:
            return "q"
        if move != UNDO:
            view, text = self.host.view(_me(session)), screen_text(self.console)
            self.played.read(session, seat, view.scene, text[self.shown :])
            self.shown = len(text) if not session.prompt or session.prompt.seat != seat else self.shown
        return "u" if move == UNDO else CONCEDE if move.verb == CONCEDE else move.id

    def confirm(self, *_: object) -> bool:
        return True

    def pause(self, *_: object) -> str:
        return ""


def _me(session: Session) -> Any:
    return type(ME)(ME.id, frozenset(session.people), is_operator=True)


def play_in_terminal(recording: Recording) -> Played:
    played, console = Played(), screen(width=2000)
    with recording.session("terminal") as session:
        host = recording.host(session)
        stage = GameConsole(
            console, Typist(console, recording, host, played), terminal_style(console, session.deck, plain=True)
        )
        GameView(host, stage).run()
        played.end(session, host, _me(session))
    return played


def play_on_pages(recording: Recording, *, has_phones: bool) -> Played:
    played, name = Played(), "phones" if has_phones else "screen"
    (recording.folder / name).mkdir()
    if has_phones:
        table: Table = phone_table(recording.notes, recording.folder / name, recording.people, recording.options)
        assert isinstance(table, PhoneTable)
        pages = {seat: table.phone(seat) for seat in range(recording.people)}
        table.begin()
    else:
        session = begin_session(recording.notes, recording.folder / name, recording.people, recording.options)
        table = Table(HostPage(recording.host(session)), session.deck.by_id).sit()
    host = table.held
    with host.session as session:
        for seat, move in recording.orders:
            advance(host)
            table.host.publish()
            page = table if move == UNDO or not has_phones else pages[seat]
            client = page.client if page is not table else table.door.clients[0]  # type: ignore[attr-defined]
            if (cover := table.page.sight(client).cover) and not cover.is_open:
                assert page.order("uncover").status == 200
            if move == UNDO:
                assert page.order("undo", seat=seat, sure=True).status == 200
                continue
            scene = table.page.sight(client).scene
            played.read(session, seat, scene, words_of(page.scene()), _MAX_EVENT_COUNT)
            order = {"do": "concede"} if move.verb == CONCEDE else {"do": "offer", "offer": place_of(scene, move)}
            answer = page.order(**order, sure=True)
            assert answer.status == 200, answer.body
        advance(host)
        played.end(session, host, table.page._viewer(table.door.clients[0]))
    return played


def place_of(scene: Scene, move: Move) -> int:
    return [offer.move for offer in scene.offers].index(move)


def words_of(update: Any) -> str:
    """Return the words on a page without markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", part)) for part in update["regions"].values())


@pytest.mark.short(1)
@pytest.mark.parametrize("concedes", [False, True], ids=["played", "conceded"])
@pytest.mark.parametrize(
    "game", [game if game in QUICK else pytest.param(game, marks=pytest.mark.slow) for game in PLAYED]
)
def test_same_orders_give_the_same_journal_and_news_in_every_client(
    workspace: Workspace, tmp_path: Path, game: str, concedes: bool
) -> None:
    recording = Recording(GameNotes.from_name(workspace, game), tmp_path, PLAYED[game][0])
    recording.record(Random(game), count(QUICK.get(game, 40), 1000) // (2 if concedes else 1), concedes=concedes)
    terminal = play_in_terminal(recording)
    on_screen = play_on_pages(recording, has_phones=False)
    on_phones = play_on_pages(recording, has_phones=True)
    assert recording.journal == terminal.journal == on_screen.journal == on_phones.journal
    assert [json.loads(line)["kind"] for line in terminal.journal.splitlines()].count("move") >= 2
    assert terminal.news == on_screen.news == on_phones.news
    assert terminal.common_news == on_screen.common_news == on_phones.common_news
    assert any(any(news) for news in terminal.news.values()) or game == "deck-of-destiny"
