"""Orders to concede (G-14): asked once more, in turn only, by all of a party; Pause and Lend are the operator's."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from tests.games.conformance import deck_of
from tests.host.test_orders import PLAYED, advance, begin, host_of, order
from tests.sessions import create_session
from tests.terminal.helpers import screen, screen_text
from vaultkit.errors import UsageError
from vaultkit.games.concession import CONCEDED
from vaultkit.games.messages import Seat
from vaultkit.games.propheta.state import ProphetaPosition
from vaultkit.games.registry import rules
from vaultkit.host.advice import Advice
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import (
    Command,
    Concede,
    LendSeat,
    Name,
    Order,
    OrderRefused,
    PauseGame,
    PlayMove,
    StaleQuestion,
    UndoMove,
    Viewer,
)
from vaultkit.scene.rule_reference import Reference
from vaultkit.session import Session
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import GameView
from vaultkit.terminal.styles import terminal_style

SCREEN = Viewer("screen", frozenset(range(7)), is_operator=True)


def concede_at_screen(session: Session, seat: Seat, after: int) -> None:
    host, moves = host_of(session), Random(1)
    while session.prompt:
        cover = host.view(SCREEN).cover
        if cover and not cover.is_open:
            order(host, SCREEN, Command.UNCOVER)
        gives_up = session.prompt.seat == seat and len(session.steps) >= after
        order(host, SCREEN, Concede() if gives_up else PlayMove(moves.choice(session.prompt.moves)))


def concede_on_phone(session: Session, seat: Seat, after: int) -> None:
    host, moves = host_of(session, set(session.people)), Random(1)
    while session.prompt:
        gives_up = session.prompt.seat == seat and len(session.steps) >= after
        viewer = Viewer(str(session.prompt.seat), frozenset({session.prompt.seat}))
        order(host, viewer, Concede() if gives_up else PlayMove(moves.choice(session.prompt.moves)))


def concede_in_terminal(session: Session, seat: Seat, after: int) -> None:
    moves = Random(1)

    class Typist(TerminalSource):
        def answer(self, *_: object) -> str:
            assert session.prompt
            gives_up = session.prompt.seat == seat and len(session.steps) >= after
            return "concede" if gives_up else moves.choice(session.prompt.moves).id

        def confirm(self, *_: object) -> bool:
            return True

        def pause(self, *_: object) -> str:
            return ""

    console: Console = screen()
    stage = GameConsole(console, Typist(console), terminal_style(console, session.deck))
    assert GameView(GameHost(session, Advice(session, Reference())), stage).run()
    assert "concede" in screen_text(console).lower()


@pytest.mark.short(1)
@pytest.mark.parametrize("game", PLAYED)
def test_g_14_terminal_screen_and_phone_concede_with_the_same_journal(tmp_path: Path, game: str) -> None:
    journals = []
    seat, after = 0, 2 if game == "deck-of-destiny" else 6
    for number, play in enumerate((concede_in_terminal, concede_at_screen, concede_on_phone)):
        with begin(tmp_path / str(number), game) as session:
            play(session, seat, after)
            assert session.outcome and [step for step in session.steps if step.move.verb == "concede"]
            journals.append(session.path.read_bytes())
    assert journals[0] == journals[1] == journals[2]


def test_g_14_it_is_asked_once_more_and_tells_nothing_of_hidden_cards(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "turn-of-fate") as session:
        host = host_of(session, {0, 1})
        assert session.prompt
        seat = session.prompt.seat
        viewer, before = Viewer("phone", frozenset({seat})), session.path.read_bytes()
        reply = host.handle(viewer, Order(host.view(viewer).question, Concede()))
        assert [session.words(sentence) for sentence in reply.confirm] == [
            f"{session.name(seat)} gives up. The game ends at once."
        ]
        assert session.path.read_bytes() == before and not session.outcome
        order(host, viewer, Concede())
        assert session.outcome and session.outcome.kind == CONCEDED and session.outcome.winners == (1 - seat,)


def test_g_14_out_of_turn_a_phone_hears_whose_turn_it_is(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "turn-of-fate") as session:
        host = host_of(session, {0, 1})
        assert session.prompt
        seat, before = session.prompt.seat, session.path.read_bytes()
        other = Viewer("phone", frozenset({1 - seat}))
        assert host.view(other).question is None
        with pytest.raises(UsageError, match=f"It is the turn of {session.name(seat)}"):
            host.handle(other, Order(None, Concede(), is_confirmed=True))
        with pytest.raises(StaleQuestion):
            host.handle(other, Order("old", Concede(seat), is_confirmed=True))
        assert session.path.read_bytes() == before


def test_g_14_nobody_concedes_for_a_phone_and_none_behind_a_cover(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "prophets-gambit") as session:
        host = host_of(session, {0, 1})
        for seat in (0, 1):
            with pytest.raises(OrderRefused, match="on their own phone"):
                order(host, Viewer("screen", frozenset({2}), is_operator=True), Concede(seat))
    with begin(tmp_path / "screen", "prophets-gambit") as session:
        host = host_of(session)
        with pytest.raises(OrderRefused, match="lifts the cover first"):
            order(host, SCREEN, Concede())
        for seat in (-1, 3, 99):
            with pytest.raises(OrderRefused, match="not a seat"):
                order(host, SCREEN, Concede(seat))


def test_g_14_in_a_secret_choice_a_phone_gives_up_its_own_choice_alone(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "prophets-gambit") as session:
        host = host_of(session, {0, 1, 2})
        phones = [Viewer(str(seat), frozenset({seat})) for seat in range(3)]
        for seat in (2, 1):
            (offer, *_) = host.view(phones[seat]).scene.offers
            order(host, phones[seat], PlayMove(offer.move))
        assert not [step for step in session.steps if step.move.verb == "show"]
        order(host, phones[2], Concede())
        assert any("concedes" in sentence.words for sentence in host.view(phones[0]).news)
        assert host.view(phones[1]).chosen and host.view(phones[2]).question is None
        (offer, *_) = host.view(phones[0]).scene.offers
        order(host, phones[0], PlayMove(offer.move))
        shown = next(event for step in session.steps for event in step.events if event.kind == "opening")
        assert shown.sentence.seats == (0, 1)


def test_g_14_a_party_concedes_only_once_all_phones_have_agreed(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "dragon-citadel", mode="coop") as session:
        host = host_of(session, {0, 1, 2})
        assert session.prompt
        first = session.prompt.seat
        others = [seat for seat in range(3) if seat != first]
        phones = [Viewer(str(seat), frozenset({seat})) for seat in range(3)]
        with pytest.raises(UsageError, match="It is the turn of"):
            order(host, phones[others[0]], Concede())
        order(host, phones[first], Concede())
        assert not session.outcome and "wants to give up" in host.view(phones[others[0]]).notice
        order(host, phones[others[0]], Concede())
        assert not session.outcome
        order(host, phones[first], PlayMove(session.prompt.moves[0]))  # the party plays on, which ends the question
        assert not host.view(phones[first]).notice
        while session.prompt and session.prompt.seat != first:
            order(host, phones[session.prompt.seat], PlayMove(session.prompt.moves[0]))
        for seat in (first, *others):
            assert not session.outcome
            order(host, phones[seat], Concede())
        assert session.outcome and session.outcome.kind == CONCEDED and not session.outcome.winners


def test_g_14_only_a_party_that_was_asked_to_give_up_plays_on(tmp_path: Path) -> None:
    for game, options in (("turn-of-fate", {}), ("dragon-citadel", {"mode": "coop"})):
        with begin(tmp_path / game, game, **options) as session:
            host = host_of(session, set(session.people))
            assert session.prompt
            phone = Viewer("phone", frozenset({session.prompt.seat}))
            with pytest.raises(OrderRefused, match="Nobody has asked"):
                order(host, phone, Concede(agrees=False))
            assert not host.view(phone).notice


def test_pause_and_lend_are_orders_of_the_operator_alone(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "prophets-gambit") as session:
        host = host_of(session, {0, 1, 2})
        phone, table = Viewer("0", frozenset({0})), Viewer("screen", is_operator=True)
        for action in (PauseGame(True), LendSeat(1, "easy"), LendSeat(1, None)):
            with pytest.raises(OrderRefused, match="Only the host"):
                host.handle(phone, Order(host.view(phone).question, action))
        host.handle(table, Order("any question", PauseGame(True)))
        with pytest.raises(OrderRefused, match="paused"):
            order(host, phone, Concede())
        host.handle(table, Order(None, PauseGame(False)))
        host.handle(table, Order(None, LendSeat(1, "easy")))
        assert session.people == (0, 2)
        with pytest.raises(UsageError, match="not a person's seat"):
            host.handle(table, Order(None, LendSeat(9, "easy")))
        host.handle(table, Order(None, LendSeat(1, None)))
        assert session.people == (0, 1, 2)


def test_g_8_a_concession_is_taken_back_at_the_table_within_g_8(tmp_path: Path) -> None:
    with begin(tmp_path / "game", "propheta") as session:
        host, moves = host_of(session), Random(1)
        while session.prompt and session.prompt.secret:
            order(host, SCREEN, Command.UNCOVER)
            order(host, SCREEN, PlayMove(moves.choice(session.prompt.moves)))
        order(host, SCREEN, Command.UNCOVER)
        assert session.prompt
        seat, steps = session.prompt.seat, session.steps
        order(host, SCREEN, Concede())
        assert session.prompt and session.prompt.seat != seat
        order(host, SCREEN, UndoMove(seat))
        assert session.prompt and session.prompt.seat == seat and session.steps == steps
        advance(host)


@pytest.mark.slow
def test_g_14_a_concession_that_shows_unseen_real_cards_asks_for_them_first(tmp_path: Path) -> None:
    rule = rules("propheta")
    deck, now = deck_of(rule), datetime(2026, 11, 3, tzinfo=UTC)
    with create_session(
        tmp_path, rule, deck, tuple(map(SeatSpec, ("Ysolde", "Bram", "Nettle"))), id="20261103-game-k3f9", seed=7,
        clock=lambda: now, real_cards=True, unseen=("deal", "predict"),
    ) as session:  # fmt: skip
        host = host_of(session)
        conceded: Seat | None = None
        for _ in range(200):
            draft, prompt = host.view(SCREEN).draft, session.prompt
            if session.outcome or draft is None:
                break
            at: ProphetaPosition | None = getattr(session.view(prompt.seat), "at", None) if prompt else None
            is_last = at and prompt and not at.hands[prompt.seat] and at.left_of(prompt.seat) == at.leader
            if conceded is None and prompt and is_last:
                conceded, steps = prompt.seat, session.steps
                order(host, SCREEN, Concede())
                draft = host.view(SCREEN).draft
                assert draft and "face down" in draft.question and session.steps == steps
            elif draft.cards is None:
                order(host, SCREEN, Name(draft.words[0][0], is_whole=True))
            elif prompt and "nothing" in draft.question:
                order(host, SCREEN, Name("nothing", is_whole=True))
            else:
                order(host, SCREEN, Name(deck[draft.cards[0]].title, is_whole=True))
        assert conceded is not None and session.outcome and session.outcome.ranks[conceded] == 3
        assert any(step.move.verb == "concede" and step.seat == conceded for step in session.steps)
        path, steps = session.path, session.steps
    with Session.resume(path, rule, deck, clock=lambda: now) as again:
        assert again.steps == steps
