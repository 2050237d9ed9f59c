"""Orders to a game: stale, foreign and repeated ones change nothing, and all clients play the same game."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from tests.games.conformance import deck_of
from tests.sessions import create_session
from tests.terminal.helpers import screen
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat
from vaultkit.games.registry import GAMES, rules
from vaultkit.games.turn import Move
from vaultkit.host.advice import Advice
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import Action, Command, Order, OrderRefused, PlayMove, StaleQuestion, UndoMove, Viewer
from vaultkit.scene.knowledge import visible_events
from vaultkit.scene.rule_reference import Reference
from vaultkit.session import Session
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import GameView
from vaultkit.terminal.styles import terminal_style

NAMES = ("Ysolde", "Bram", "Nettle", "Sefa", "Cass")
PLAYED: Mapping[str, tuple[int, Mapping[str, object]]] = {
    "propheta": (3, {}),
    "prophets-gambit": (3, {}),
    "turn-of-fate": (2, {}),
    "deck-of-destiny": (1, {}),
    "dragon-citadel": (3, {"mode": "competitive"}),
}
EACH = [pytest.param(game, marks=[] if game == "deck-of-destiny" else pytest.mark.slow) for game in PLAYED]
MAX_DECISIONS = 400


def begin(folder: Path, game: str, *, seats: int = 0, **more: object) -> Session:
    usual_seats, options = PLAYED[game]
    folder.mkdir()
    rule = rules(game)
    now = datetime(2026, 11, 3, tzinfo=UTC)
    specs = tuple(map(SeatSpec, NAMES[: seats or usual_seats]))
    return create_session(
        folder,
        rule,
        deck_of(rule),
        specs,
        id="20261103-game-k3f9",
        seed=7,
        clock=lambda: now,
        options={**options, **more},
    )


def host_of(session: Session, phones: set[Seat] | None = None) -> GameHost:
    host = GameHost(session, Advice(session, Reference()), phones=None if phones is None else lambda: phones)
    advance(host)
    return host


def advance(host: GameHost) -> None:
    while host.advance(watched=True) is not None:
        pass


def order(host: GameHost, viewer: Viewer, action: Action) -> None:
    host.handle(viewer, Order(host.view(viewer).question, action, is_confirmed=True, story=""))
    advance(host)


def play_at_screen(session: Session, decide: Random) -> None:
    """Play a game to its end at one screen, with each hand behind its cover."""
    host, viewer = host_of(session), Viewer("screen", frozenset(session.people), is_operator=True)
    while session.prompt:
        cover = host.view(viewer).cover
        if cover and not cover.is_open:
            order(host, viewer, Command.UNCOVER)
        order(host, viewer, PlayMove(decide.choice(session.prompt.moves)))


def play_on_phones(session: Session, decide: Random) -> None:
    """Play a game to its end on phones; each seat hears what the rules let it know, no more."""
    seats = set(session.people)
    host = host_of(session, seats)
    viewers = {seat: Viewer(str(seat), frozenset({seat})) for seat in seats}
    while session.prompt:
        order(host, viewers[session.prompt.seat], PlayMove(decide.choice(session.prompt.moves)))
    for seat, viewer in viewers.items():
        news = [event.sentence for _, event in visible_events((seat,), session.steps)]
        assert list(host.view(viewer).news) == news


def play_in_terminal(session: Session, decide: Random) -> None:
    """Play a game to its end in the terminal, with moves typed by their ids."""

    class Typist(TerminalSource):
        def answer(self, *_: object) -> str:
            assert session.prompt
            return decide.choice(session.prompt.moves).id

        def confirm(self, *_: object) -> bool:
            return True

        def pause(self, *_: object) -> str:
            return ""

    console: Console = screen()
    stage = GameConsole(console, Typist(console), terminal_style(console, session.deck))
    assert GameView(GameHost(session, Advice(session, Reference())), stage).run()


@pytest.mark.parametrize("game", EACH)
def test_terminal_screen_and_phones_write_the_same_journal(tmp_path: Path, game: str) -> None:
    journals = []
    for number, play in enumerate((play_in_terminal, play_at_screen, play_on_phones)):
        with begin(tmp_path / str(number), game) as session:
            play(session, Random(game))
            assert session.outcome
            journals.append(session.path.read_bytes())
    assert journals[0] == journals[1] == journals[2]


@pytest.mark.short(1)
@pytest.mark.parametrize("has_phones", [False, True])
@pytest.mark.parametrize("game", EACH)
def test_stale_foreign_and_repeated_orders_change_nothing(tmp_path: Path, game: str, has_phones: bool) -> None:
    rng = Random(f"{game} {has_phones}")
    with begin(tmp_path / "game", game) as session:
        seats = set(session.people)
        host = host_of(session, seats if has_phones else None)
        screen_viewer = Viewer("screen", frozenset() if has_phones else frozenset(seats), is_operator=True)
        phones = {seat: Viewer(str(seat), frozenset({seat})) for seat in seats}
        old_orders: list[tuple[Viewer, Order]] = []
        for _ in range(MAX_DECISIONS):
            prompt = session.prompt
            if prompt is None:
                break
            viewer = phones[prompt.seat] if has_phones else screen_viewer
            if (cover := host.view(viewer).cover) and not cover.is_open:
                refuse(host, viewer, PlayMove(prompt.moves[0]))
                order(host, viewer, Command.UNCOVER)
            refuse(host, viewer, PlayMove(Move("no-such-verb", ("no-card",))))
            refuse(host, viewer, PlayMove(None))
            for number, other in phones.items() if has_phones else ():
                if number != prompt.seat and not host._scene_ahead(number):
                    refuse(host, other, PlayMove(rng.choice(prompt.moves)))
            for stale in rng.sample(old_orders, min(2, len(old_orders))):
                before = session.path.read_bytes()
                if host.view(stale[0]).question != stale[1].question:
                    with pytest.raises(StaleQuestion):
                        host.handle(*stale)
                assert session.path.read_bytes() == before
            question = host.view(viewer).question
            made = Order(question, PlayMove(rng.choice(prompt.moves)), is_confirmed=True, story="")
            host.handle(viewer, made)
            with pytest.raises(StaleQuestion):
                host.handle(viewer, made)
            old_orders.append((viewer, made))
            advance(host)
        assert old_orders
        if session.outcome:
            refuse(host, screen_viewer, UndoMove())


def refuse(host: GameHost, viewer: Viewer, action: Action) -> None:
    """Assert that an order to the current question is refused, and that nothing is saved."""
    before, state = host.session.path.read_bytes(), host.view(viewer)
    with pytest.raises((OrderRefused, VaultkitError)):
        host.handle(viewer, Order(state.question, action, is_confirmed=True, story=""))
    assert (host.session.path.read_bytes(), host.view(viewer)) == (before, state)


@pytest.mark.parametrize("has_phones", [False, True])
@pytest.mark.parametrize("game", EACH)
def test_g_8_everybody_is_told_what_was_taken_back(tmp_path: Path, game: str, has_phones: bool) -> None:
    with begin(tmp_path / "game", game, undo="free") as session:
        seats = set(session.people)
        host = host_of(session, seats if has_phones else None)
        screen_viewer = Viewer("screen", frozenset() if has_phones else frozenset(seats), is_operator=True)
        phones = {seat: Viewer(str(seat), frozenset({seat})) for seat in seats if has_phones}
        assert session.prompt
        asked, made = session.prompt.seat, session.prompt.moves[0]
        viewer = phones.get(asked, screen_viewer)
        if host.view(viewer).cover:
            order(host, viewer, Command.UNCOVER)
        done = len(session.steps)
        order(host, viewer, PlayMove(made))
        (known, *_) = visible_events(range(len(host.names)), session.steps[done : done + 1])
        order(host, screen_viewer, UndoMove(asked))
        for each in (screen_viewer, *phones.values()):
            assert host.view(each).notice.startswith(f"Taken back: {session.words(known[1].sentence)}")
            assert session.words(host.view(each).news[-1]) == host.view(each).notice
        order(host, viewer, Command.UNCOVER) if host.view(viewer).cover else None
        order(host, viewer, PlayMove(made))
        assert not host.view(screen_viewer).notice, "it is over with the next move"


def test_all_games_are_driven() -> None:
    assert {info.id for info in GAMES.values() if info.game} == set(PLAYED)
