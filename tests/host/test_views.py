"""Views of every viewer: covers closed and lifted at one screen, phones, and the GM; and what none of them tells.

For the proof against leaks, two worlds are played in which two cards that a seat never sees have changed places. All
that may be shown to that seat must be equal in both, step by step: its phone, its hand behind a lifted cover, and the
screen with all covers closed, which knows no more than any seat.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.host.test_orders import advance, host_of
from tests.terminal.test_gm import begin as begin_with_gm
from tests.web.phone_driver import begin_session
from tests.web.test_phone_leaks import GAMES, Case, Pair, pairs
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import Command, Order, OrderRefused, PlayMove, Viewer
from vaultkit.host.view_state import ViewState
from vaultkit.scene.knowledge import _is_fuller
from vaultkit.session import Step

SCREEN = "screen"


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


def viewers_of(host: GameHost, *, has_phones: bool) -> dict[Seat | str, Viewer]:
    """Return all viewers of a game by their seats: the screen, and the phone of each person."""
    people = host.session.people
    screen_viewer = Viewer(SCREEN, frozenset(() if has_phones else people), is_operator=True)
    phones: dict[Seat | str, Viewer] = {seat: Viewer(str(seat), frozenset({seat})) for seat in people if has_phones}
    return {SCREEN: screen_viewer, **phones}


def check_conformance(host: GameHost, viewers: Mapping[Seat | str, Viewer], *, has_phones: bool) -> None:
    """Assert what holds for every view at every moment."""
    session, prompt = host.session, host.session.prompt
    for name, viewer in viewers.items():
        revision, view = host.revision, host.view(viewer)
        scene = view.scene
        assert host.view(viewer) == view and host.revision == revision, "looking changes nothing"
        assert name in (SCREEN, scene.viewer), "a phone shows its own seat"
        assert view.question or not scene.offers, "what is offered can be ordered"
        assert {offer.seat for offer in scene.offers} <= {scene.viewer}, "only own moves are offered"
        assert scene.refusals.keys() <= scene.zone_cards, "a reason is about a card that is seen"
        assert not any(
            step.n == at.n and _is_fuller(event, other) for (step, event), (at, other) in product(scene.news, repeat=2)
        ), "nothing is told twice"
        assert bool(view.waiting_for) == (has_phones and prompt is not None)
        if name != SCREEN or has_phones:
            assert view.cover is None, "hands are on the phones"
        if view.cover and not view.cover.is_open:
            common = [{card for zone in host._scene(seat).zones for card in zone.cards} for seat in session.people]
            assert (scene.viewer, scene.offers, view.draft) == (None, (), None)
            assert scene.zone_cards <= set.intersection(*common), "a closed cover shows what all people know"
            with pytest.raises(OrderRefused, match="lifts the cover first"):
                assert prompt
                host.handle(viewer, Order(view.question, PlayMove(prompt.moves[0]), is_confirmed=True))


def watch(case: Case, folder: Path, script: tuple[Step, ...], seat: Seat, *, has_phones: bool) -> Iterator[object]:
    """Play one world, and yield each view and private event that the seat may see, with whose view it is."""
    folder.mkdir(parents=True)
    with begin_session(case.found, folder, case.people, case.options, bots=case.bots, script=script) as session:
        host = host_of(session, set(session.people) if has_phones else None)
        viewers = viewers_of(host, has_phones=has_phones)
        while True:
            screen_view = host.view(viewers[SCREEN])
            if screen_view.cover and screen_view.cover.is_open:
                last_seat = next(step.seat for step in reversed(session.steps) if step.seat is not None)
                assert screen_view.cover.seat == last_seat, "a hand stays open only for who is asked once more"
                host.handle(viewers[SCREEN], Order(screen_view.question, Command.COVER))
            check_conformance(host, viewers, has_phones=has_phones)
            for name in viewers.keys() & {SCREEN, seat}:
                yield name, comparable(host.view(viewers[name]))
            if len(session.steps) >= len(script):
                return
            step = script[len(session.steps)]
            assert step.seat is not None
            viewer = viewers[step.seat if has_phones else SCREEN]
            if (cover := host.view(viewer).cover) and not cover.is_open:
                host.handle(viewer, Order(host.view(viewer).question, Command.UNCOVER))
                assert host.view(viewer).scene.offers, "a lifted cover shows what can be done"
            if step.seat == seat:
                yield "lifted", comparable(host.view(viewer))
            order = Order(host.view(viewer).question, PlayMove(step.move), is_confirmed=True, story="")
            reply = host.handle(viewer, order)
            if reply.seat == seat:
                yield "private", [event for _, event in reply.private]
            after = host.view(viewer).cover
            assert not (after and after.is_open and after.seat != step.seat), "a lifted cover is that of one player"
            advance(host)


def comparable(view: ViewState) -> object:
    """Return a view without the ids of its question, which are drawn by lot, and with events alone as news.

    A step has the move, also that of others, and clients show its events only.
    """
    news = [(step.n, step.seat, step.auto, event) for step, event in view.scene.news]
    question = "asked" if view.question else None
    return replace(view, question=question, news=tuple(view.news), scene=replace(view.scene, news=())), news


def compare(case: Case, folder: Path, pair: Pair, *, has_phones: bool) -> None:
    here = watch(case, folder / "here", pair.one, pair.seat, has_phones=has_phones)
    there = watch(case, folder / "there", pair.other, pair.seat, has_phones=has_phones)
    for number, (one, other) in enumerate(zip(here, there, strict=True)):
        assert one == other, number


@pytest.mark.slow
@pytest.mark.parametrize("has_phones", [False, True], ids=["screen", "phones"])
@pytest.mark.parametrize("game", GAMES, ids=lambda one: f"{one[0]}{'-rivals' * bool(one[2])}")
def test_no_view_differs_by_cards_that_its_viewer_may_not_know(
    workspace: Workspace, tmp_path: Path, game: tuple[str, int, Mapping[str, object]], has_phones: bool
) -> None:
    name, seats, options = game
    notes = GameNotes.from_name(workspace, name, [f"{key}={word}" for key, word in options.items()])
    case = Case(notes, seats, options)
    for number, pair in enumerate(islice(pairs(case, Random(name)), case.seats * count(1, 10))):
        compare(case, tmp_path / str(number), pair, has_phones=has_phones)


@pytest.mark.short(1)
@pytest.mark.parametrize("has_phones", [False, True], ids=["screen", "phones"])
def test_no_view_of_the_first_rounds_differs_by_hidden_cards(
    workspace: Workspace, tmp_path: Path, has_phones: bool
) -> None:
    case = Case(GameNotes.from_name(workspace, "prophets-gambit", []), 3, {})
    pair = next(pairs(case, Random(1)))
    short = Pair(pair.seat, 14, pair.one[:14], pair.other[:14])
    assert short.apart > 5
    compare(case, tmp_path, short, has_phones=has_phones)


def test_leak_is_noticed(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(GameNotes.from_name(workspace, "prophets-gambit", []), 3, {})
    pair = next(pairs(case, Random(1)))
    monkeypatch.setattr(GameHost, "_is_open", lambda *_: True)
    monkeypatch.setattr("tests.host.test_views.check_conformance", lambda *_, **__: None)
    with pytest.raises(AssertionError):
        compare(case, tmp_path, Pair(pair.seat, 14, pair.one[:14], pair.other[:14]), has_phones=False)


def test_cards_of_a_gm_are_in_no_view_before_the_cover_is_lifted(tmp_path: Path) -> None:
    with begin_with_gm(tmp_path, gm="Maud") as session:
        host = host_of(session)
        viewer = Viewer(SCREEN, frozenset(session.people), is_operator=True)
        turn, view = session.turn, host.view(viewer)
        assert isinstance(turn, Chance) and view.cover and (view.cover.name, view.cover.is_open) == ("Maud", False)
        assert not view.scene.cards.intersection(turn.options) and not view.scene.offers and view.draft is None
        host.handle(viewer, Order(view.question, Command.UNCOVER))
        lifted = host.view(viewer)
        assert {offer.move.operands[0] for offer in lifted.scene.offers} == set(turn.options)
        host.handle(viewer, Order(view.question, Command.COVER))
        assert comparable(host.view(viewer)) == comparable(view)
        host.handle(viewer, Order(view.question, Command.UNCOVER))
        host.disconnect(viewer)
        assert not host.view(viewer).scene.cards.intersection(turn.options), "a page that has gone shows no hand"


@pytest.mark.short(2)
@pytest.mark.parametrize("ahead", [0, 2, 3])
def test_g_3_choices_ahead_are_shown_as_they_are_made_and_no_others(
    workspace: Workspace, ahead: int, tmp_path: Path
) -> None:
    with begin_session(GameNotes.from_name(workspace, "propheta"), tmp_path, 4) as session:
        host = host_of(session, {0, 1, 2, 3})
        phones = {seat: Viewer(str(seat), frozenset({seat})) for seat in range(4)}
        screen = Viewer(SCREEN, is_operator=True)

        def laid(viewer: Viewer) -> list[int]:
            """Return the number of prophecies of each seat, which must be what its standing says."""
            scene = host.view(viewer).scene
            zones = [zone for zone in scene.zones if zone.title.words == "prophecies"]
            counts = {zone.owner: len(zone.cards) + zone.hidden for zone in zones}
            words = [session.words(each.words) for each in scene.standings if each.words]
            assert [counts.get(seat, 0) for seat in range(4)] == [
                int(text.partition(", ")[2][:1] or 0) for text in words
            ]
            return [counts.get(seat, 0) for seat in range(4)]

        assert all(laid(viewer) == [0, 0, 0, 0] for viewer in (screen, *phones.values()))
        for seat in (2, 3):
            for _ in range(ahead):
                state = host.view(phones[seat])
                hand = next(zone for zone in state.scene.zones if zone.kind == "hand")
                host.handle(phones[seat], Order(state.question, PlayMove(state.scene.offers[0].move), True))
                left = next(zone for zone in host.view(phones[seat]).scene.zones if zone.kind == "hand")
                assert set(hand.cards) - set(left.cards) == set(state.scene.offers[0].move.operands)
        assert all(laid(viewer) == [0, 0, ahead, ahead] for viewer in (screen, *phones.values()))
        assert host.view(screen).waiting_for == ((0, 1) if ahead == 3 else (0, 1, 2, 3))
        asked = host.view(screen).scene.question
        assert asked and "choose at once" in asked.text.words
        if not ahead:
            hidden = [card for zone in host.view(phones[1]).scene.zones if zone.owner != 1 for card in zone.cards]
            assert not hidden
