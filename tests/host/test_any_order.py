"""Property test of all ways of playing: stale, foreign, repeated and absurd orders are refused and change nothing.

Any viewer may send any order with any question that ever stood on any page. It is carried out only if the question is
the one that this viewer is asked now; otherwise the saved files and the views of everybody stay as they are.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.host.test_orders import PLAYED, begin, host_of
from tests.terminal.refereed import begin as begin_refereed
from tests.terminal.test_gm import begin as begin_with_gm
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.reading import lay_reading
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.spreads import Spreads
from vaultkit.errors import VaultkitError
from vaultkit.games.turn import Move
from vaultkit.host.interface import Host
from vaultkit.host.lesson_host import LessonHost
from vaultkit.host.logbook_host import LogbookHost
from vaultkit.host.match_host import MatchHost
from vaultkit.host.orders import (
    Action,
    Command,
    Concede,
    LendSeat,
    Name,
    OperatorAction,
    Order,
    OrderRefused,
    PauseGame,
    PlayMove,
    StaleQuestion,
    TurnCard,
    UndoMove,
    Viewer,
)
from vaultkit.host.reading_host import ReadingHost
from vaultkit.host.view_state import ViewState
from vaultkit.session.options import settle
from vaultkit.session.seats import SeatSpec

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)
ORDERS_PER_EXAMPLE = 20
VAULT = resources.shipped_folder("vault-example")
TWO = (SeatSpec("Ysolde"), SeatSpec("Bram"))
FIXED_ACTIONS: tuple[Action, ...] = (
    *Command, PlayMove(None), PlayMove(Move("no-such-verb", ("no-card",))), Name("", is_whole=True), Name("raven"),
    Name("no such card", is_whole=True), TurnCard(), TurnCard(0), TurnCard(2), TurnCard(99), UndoMove(), UndoMove(0),
    UndoMove(99, is_named=True), Concede(), Concede(1), Concede(99), PauseGame(True), PauseGame(False),
    LendSeat(0, "random"), LendSeat(0, None), LendSeat(99, "random"),
)  # fmt: skip
REPEATABLE = {Command.UNCOVER, Command.COVER, Command.FINISH, Command.SAVE}
"""Orders that may come twice, since a second one changes nothing more."""


@dataclass
class Play:
    """A way of playing, its viewers, and the folder of what it saves."""

    host: Host
    viewers: tuple[Viewer, ...]
    folder: Path

    def take_snapshot(self) -> object:
        """Return everything that is saved, and everything that anybody sees."""
        files = sorted(file for file in self.folder.rglob("*") if file.is_file() and file.suffix != ".lock")
        saved = [(str(file), file.read_bytes()) for file in files]
        return saved, [_without_lists(self.host.view(viewer)) for viewer in self.viewers], self.host.over

    def advance(self) -> None:
        while self.host.advance(watched=True, skip_pause=True) is not None:
            pass


def _without_lists(view: ViewState) -> ViewState:
    return replace(view, news=tuple(view.news))


def _screen(*seats: int) -> tuple[Viewer, ...]:
    return Viewer("screen", frozenset(seats), is_operator=True), Viewer("stranger")


@contextmanager
def open_game(game: str, folder: Path, *, has_phones: bool) -> Iterator[Play]:
    with begin(folder / "game", game) as session:
        seats = set(session.people)
        phones = tuple(Viewer(str(seat), frozenset({seat})) for seat in seats)
        screen_viewer, stranger = _screen(*(() if has_phones else seats))
        viewers = (screen_viewer, *phones) if has_phones else (screen_viewer, stranger)
        yield Play(host_of(session, seats if has_phones else None), viewers, session.path.parent)


@contextmanager
def open_gm_seat(folder: Path) -> Iterator[Play]:
    with begin_with_gm(folder / "game", gm="Maud") as session:
        yield Play(host_of(session), _screen(0), session.path.parent)


@contextmanager
def open_real_cards(folder: Path) -> Iterator[Play]:
    with begin_refereed(folder / "game", "propheta", ("Ysolde", "Bram", "Sefa")) as session:
        yield Play(host_of(session), _screen(0, 1, 2), session.path.parent)


def notes_of(game: str, folder: Path) -> GameNotes:
    vault = shutil.copytree(VAULT, folder / "vault")
    return GameNotes.from_name(Workspace(vault, cached=False), game)


@contextmanager
def open_match(folder: Path) -> Iterator[Play]:
    notes = notes_of("turn-of-fate", folder)
    match = notes.begin_match(2, TWO, 3, clock=lambda: NOON, options=notes.options(()))
    host = MatchHost(MatchNotes(notes, match), str, 0, lambda: NOON, None)
    yield Play(host, _screen(0, 1), match.path.parent)
    host.close()


@contextmanager
def open_logbook(folder: Path) -> Iterator[Play]:
    notes = notes_of("turn-of-fate", folder)
    with Logbook.begin(notes, TWO, settle(notes.game, {}), NOON) as logbook:
        host = LogbookHost(logbook, str, lambda: NOON, dry_run=True)
        yield Play(host, _screen(), logbook.path.parent)


@contextmanager
def open_lesson(folder: Path) -> Iterator[Play]:
    notes = GameNotes.from_name(Workspace(VAULT, cached=False), "propheta")
    yield Play(LessonHost(lesson_of(notes, str), notes.deck_note.deck), _screen(0), folder)


@contextmanager
def open_reading(folder: Path) -> Iterator[Play]:
    workspace = Workspace(VAULT, cached=False)
    spread = Spreads(workspace.vault).find("past, present, future")
    reading = lay_reading(spread, workspace.deck("tarokka"), seed=7, now=NOON)
    yield Play(ReadingHost(reading, folder, None), _screen(), folder)


WAYS: Mapping[str, Callable[[Path], AbstractContextManager[Play]]] = {
    **{game: partial(open_game, game, has_phones=False) for game in PLAYED},
    **{f"{game}-phones": partial(open_game, game, has_phones=True) for game in PLAYED},
    "gm": open_gm_seat, "real-cards": open_real_cards, "match": open_match, "logbook": open_logbook,
    "lesson": open_lesson, "reading": open_reading,
}  # fmt: skip
QUICK = ("deck-of-destiny", "turn-of-fate-phones", "lesson", "reading")


def possible_actions(play: Play) -> list[Action]:
    """Return actions of all kinds, with the moves and names that any viewer sees."""
    views = [play.host.view(viewer) for viewer in play.viewers]
    moves = [PlayMove(offer.move) for view in views for offer in view.scene.offers]
    words = [Name(word) for view in views if view.draft for word, *_ in view.draft.words]
    cards = [Name(card) for view in views if view.draft for card in view.draft.cards or ()]
    return [*FIXED_ACTIONS, *moves, *moves, *words, *cards]


def due_actions(play: Play, viewer: Viewer) -> Sequence[Action]:
    """Return what a viewer would do who plays on, so that games go far."""
    view = play.host.view(viewer)
    if view.cover and not view.cover.is_open:
        return [Command.UNCOVER]
    moves = [PlayMove(offer.move) for offer in view.scene.offers]
    cards = [Name(card) for card in view.draft.cards or ()] if view.draft else []
    return moves or cards or [Command.NEXT, TurnCard()]


def send_and_check(play: Play, viewer: Viewer, order: Order) -> bool:
    """Give an order, and assert that it is either meant for this moment or changes nothing; whether it was obeyed."""
    before, question = play.take_snapshot(), play.host.view(viewer).question
    is_due = order.question == question or (viewer.is_operator and isinstance(order.action, OperatorAction))
    try:
        reply = play.host.handle(viewer, order)
    except StaleQuestion:
        assert not is_due
    except (OrderRefused, VaultkitError) as error:
        assert str(error) and (is_due or isinstance(order.action, OperatorAction))
    else:
        assert is_due
        if not (reply.confirm or reply.story_about):
            return True
    assert play.take_snapshot() == before
    return False


@pytest.mark.short(1)
@pytest.mark.parametrize("way", [pytest.param(way, marks=[] if way in QUICK else pytest.mark.slow) for way in WAYS])
@settings(max_examples=count(4, 60), phases=(Phase.generate,))
@given(data=st.data())
def test_every_stale_foreign_and_repeated_order_is_refused(way: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder, WAYS[way](Path(folder)) as play:
        rng, old_orders, questions = Random(data.draw(st.integers(0, 2**32))), list[tuple[Viewer, Order]](), {None, "?"}
        for _ in range(ORDERS_PER_EXAMPLE):
            play.advance()
            questions.update(play.host.view(viewer).question for viewer in play.viewers)
            for old_viewer, old_order in rng.sample(old_orders, min(3, len(old_orders))):
                if play.host.view(old_viewer).question != old_order.question:
                    assert not send_and_check(play, old_viewer, old_order), "stale"
            viewer = rng.choice(play.viewers)
            action = rng.choice(possible_actions(play) if rng.random() < 0.5 else due_actions(play, viewer))
            own = play.host.view(viewer).question
            for foreign in sorted(map(str, questions - {own})):
                wrong = Order(None if foreign == "None" else foreign, action, rng.random() < 0.5, "")
                assert isinstance(action, OperatorAction) or not send_and_check(play, viewer, wrong), "foreign"
            order = Order(own, action, data.draw(st.booleans()), data.draw(st.sampled_from([None, "", "A tale."])))
            if send_and_check(play, viewer, order) and not isinstance(action, OperatorAction):
                old_orders.append((viewer, order))
                if own is not None and action not in REPEATABLE:
                    assert play.host.view(viewer).question != own
                    assert not send_and_check(play, viewer, order), "repeated"
