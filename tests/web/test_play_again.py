"""One table for several games: the same people begin another game, which is saved and logged for itself."""

import secrets
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from vaultkit import resources
from vaultkit.bots.registry import make_bot
from vaultkit.campaign.dragon_citadel.note_scores import find_game
from vaultkit.campaign.dragon_citadel.record_rewards import earlier_rewards, roll_and_record
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import OrderRefused
from vaultkit.session import Session
from vaultkit.session.headers import EMPTY_MAPPING
from vaultkit.session.seats import parse_seats
from vaultkit.web import page_html
from vaultkit.web.browser_game import BrowserTable
from vaultkit.web.host_page import HostPage
from vaultkit.web.lobby import Lobby
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.seat_sessions import SCREEN, Client
from vaultkit.web.startup import TableLauncher

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)
"""The time of all games."""


@dataclass(frozen=True)
class Evening(TableLauncher):
    """A launcher that serves nothing: `use` gives the orders of people to the page and returns whether it is closed."""

    use: Callable[[HostPage], bool] = field(kw_only=True)

    def serve(self, page: HostPage, lobby: Lobby | None = None) -> bool:
        assert lobby is None
        return self.use(page)


class Screen:
    """The page of the shared screen."""

    def __init__(self, page: HostPage) -> None:
        self.page = page
        self.client = Client("screen", SCREEN, "/", OpaqueIds())

    def order(self, do: str, **more: object) -> str:
        return self.page.obey(self.client, {"do": do, "question": self.page.sight(self.client).question, **more})

    def html(self) -> str:
        return str(page_html.render_update(self.page.sight(self.client)).regions)

    def play_out(self) -> None:
        """Let people decide like a greedy bot until the game is over."""
        bot, rng, session = make_bot("greedy"), Random(5), self.page.host.session  # type: ignore[attr-defined]
        while True:
            while self.page.go_on(watched=True) is not None:
                pass
            sight = self.page.sight(self.client)
            if sight.ending:
                return
            if sight.cover and not sight.cover.is_open:
                self.order("uncover")
            else:
                view = session.view(session.prompt.seat)
                moves = [offer.move for offer in sight.scene.offers]
                self.order("offer", offer=str(moves.index(bot.choose(view, session.game, rng))), sure=True)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")


def play_evening(
    vault: Path, game: str, seats: tuple[str, ...], use: Callable[[HostPage], bool], *,
    saved: SavedTable | None = None, options: Mapping[str, Any] = EMPTY_MAPPING,
) -> tuple[Session, LogResult | None, list[str]]:  # fmt: skip
    """Play at a table, and return the last game, what was logged of it, and what the terminal said."""
    notes, lines = GameNotes.from_name(Workspace(vault, cached=False), game), list[str]()
    launcher = Evening(lines.append, browser=False, kept=saved, desk=None, use=use)
    log = partial(notes.log, campaign=None, now=NOON)
    with notes.begin(parse_seats(seats), 7, clock=lambda: NOON, options=options) as session:
        last, logged = BrowserTable(launcher, lambda: NOON).play(session, notes, log)
    return last, logged, lines


@pytest.mark.slow
@pytest.mark.parametrize("game", ["turn-of-fate", "dragon-citadel", "propheta"])
def test_same_people_play_again_and_every_game_is_logged_for_itself(vault: Path, tmp_path: Path, game: str) -> None:
    played: list[Session] = []
    seats = ("Ysolde Marr", "bot:greedy", "Bram Tolliver")[: 2 if game == "turn-of-fate" else 3]

    def use(page: HostPage) -> bool:
        screen = Screen(page)
        with pytest.raises(OrderRefused):
            screen.order("next")
        for number in (1, 2, 3):
            screen.play_out()
            played.append(page.host.session)  # type: ignore[attr-defined]
            ending = page.sight(screen.client).ending
            assert ending and ending.plays_again and page.host.over
            if number < 3:
                screen.order("next")
                assert not page.host.over and page.sight(screen.client).ending is None
                with pytest.raises(OrderRefused):
                    screen.order("next")
        screen.order("finish")
        return True

    saved = SavedTable(tmp_path / "tables" / "first.journal")
    saved.save("table", 4321, ["key"], print)
    last, logged, lines = play_evening(vault, game, seats, use, saved=saved)
    assert last is played[2] and logged
    assert len({session.id for session in played}) == len({session.header.seed for session in played}) == 3
    assert all(session.header.seats == played[0].header.seats for session in played)
    written = [(vault / path).read_text(encoding="utf-8") for path in sorted({*logged.written})]
    assert any(last.id in text for text in written)
    log = (vault / "Campaign Log.md").read_text(encoding="utf-8")
    notes = [path for path in vault.rglob("*.md") if any(session.id in path.read_text("utf-8") for session in played)]
    assert len(notes) >= 3 and log.count(played[0].game.title) >= 3
    assert sum("Another game begins" in line for line in lines) == 2
    assert SavedTable(tmp_path / "tables" / f"{last.id}.journal").port == 4321, "found again by the last game"
    assert not (tmp_path / "tables" / "first.journal").exists()


def test_game_that_was_left_is_the_one_to_resume(vault: Path) -> None:
    ids: list[str] = []

    def use(page: HostPage) -> bool:
        screen = Screen(page)
        screen.play_out()
        screen.order("next")
        ids.append(page.host.session.id)  # type: ignore[attr-defined]
        return True

    last, logged, lines = play_evening(vault, "turn-of-fate", ("Ysolde Marr", "bot:greedy"), use)
    assert (last.id, last.outcome, logged) == (ids[0], None, None)
    assert f"vaultkit resume {ids[0]} --table" in lines[-1]
    notes = GameNotes.from_name(Workspace(vault, cached=False), "turn-of-fate")
    with notes.resume(last.path, lambda: NOON) as session:
        assert session.id == last.id


@pytest.mark.slow
def test_bots_keep_their_level_in_the_next_game(vault: Path) -> None:
    bots: list[Mapping[int, str]] = []

    def use(page: HostPage) -> bool:
        screen, host = Screen(page), page.host
        assert isinstance(host, GameHost)
        screen.play_out()
        host.lend(1, "hard")
        screen.order("next")
        bots.append(host.bots)
        return True

    seats = ("Ysolde Marr", "Bram Tolliver")
    play_evening(vault, "turn-of-fate", seats, use)
    notes = GameNotes.from_name(Workspace(vault, cached=False), "turn-of-fate")
    match_notes = MatchNotes(notes, notes.begin_match(3, parse_seats(seats), 7, clock=lambda: NOON))
    launcher = Evening(print, browser=False, desk=None, use=use)
    BrowserTable(launcher, lambda: NOON).play_match(match_notes, None)
    assert bots == [{1: "hard"}, {1: "hard"}]


@pytest.mark.slow
def test_rewards_are_rolled_at_the_table_once_and_stand_in_the_note(vault: Path) -> None:
    scenes: list[str] = []

    def use(page: HostPage) -> bool:
        screen = Screen(page)
        with pytest.raises(OrderRefused):
            screen.order("rewards")
        screen.play_out()
        scenes.append(screen.html())
        screen.order("rewards")
        scenes.append(screen.html())
        with pytest.raises(OrderRefused):
            screen.order("rewards")
        return True

    options = {"mode": "competitive"}
    last, logged, _ = play_evening(
        vault, "dragon-citadel", ("Ysolde Marr", "Bram Tolliver", "Nettle Ashdown"), use, options=options
    )
    assert logged and ["o-rewards" in scene for scene in scenes] == [True, False]
    assert [scene.find("<caption>Rewards") >= 0 for scene in scenes] == [False, True]
    assert scenes[1].index("<caption>Rewards") < scenes[1].index("<caption>Score Sheet")
    workspace = Workspace(vault, cached=False)
    game = find_game(workspace.vault, last.id, workspace.settings.players)
    assert earlier_rewards(game, workspace.vault)
    with pytest.raises(UsageError, match="already"):
        roll_and_record(workspace, logged.note, NOON)


@pytest.mark.slow
def test_g_2_last_winner_begins_the_next_game(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda _: 11)  # with another seed, nobody may win alone
    winners: list[int] = []

    def use(page: HostPage) -> bool:
        screen = Screen(page)
        for _ in range(2):
            screen.play_out()
            winners[:] = page.host.session.outcome.winners  # type: ignore[attr-defined]
            screen.order("next")
        return True

    options = {"first": "winner-of-last"}
    play_evening(vault, "propheta", ("Ysolde Marr", "Bram Tolliver"), play_once)
    last, _, _ = play_evening(vault, "propheta", ("Ysolde Marr", "Bram Tolliver"), use, options=options)
    assert list(last.header.known.values()) == [(str(winners[0]),)]


def play_once(page: HostPage) -> bool:
    Screen(page).play_out()
    return True


@pytest.mark.slow
def test_table_of_a_finished_match_says_nothing_of_going_on(vault: Path) -> None:
    def use(page: HostPage) -> bool:
        screen = Screen(page)
        for _ in range(2):
            screen.play_out()
            if not page.host.over:
                screen.order("next")
        assert page.host.over
        return True

    notes, lines = GameNotes.from_name(Workspace(vault, cached=False), "turn-of-fate"), list[str]()
    match = notes.begin_match(2, parse_seats(("Ysolde Marr", "bot:greedy")), 7, clock=lambda: NOON)
    match_notes = MatchNotes(notes, match)
    launcher = Evening(lines.append, browser=False, desk=None, use=use)
    log = partial(match_notes.log, None, now=NOON)
    logged = BrowserTable(launcher, lambda: NOON).play_match(match_notes, log)
    assert logged and not [line for line in lines if "Go on with" in line]
