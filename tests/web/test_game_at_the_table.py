"""A game at the table: covers, moves, lookups, undo and the end."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from html import unescape
from itertools import product
from pathlib import Path
from random import Random
from typing import cast

import pytest

from tests.counts import count, some
from tests.sessions import create_session
from tests.web.driver import Table
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.messages import Event
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Chance
from vaultkit.host.advice import markdown_to_text
from vaultkit.host.ending import build_ending
from vaultkit.host.game_host import GameHost
from vaultkit.scene.knowledge import is_private, open_zones, privately_seen_events, visible_cards, visible_events
from vaultkit.session import Session, Step
from vaultkit.session.headers import EMPTY_MAPPING
from vaultkit.session.seats import SeatSpec
from vaultkit.web import page_html
from vaultkit.web.seat_sessions import Client

YSOLDE, BRAM, BOT = SeatSpec("Ysolde"), SeatSpec("Bram"), SeatSpec("Aldous", "greedy")
FREE = {"undo": "free"}
LOGGED = LogResult("Games/Game.md", "Log.md", ("Games/Game.md", "Log.md"), "")


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@contextmanager
def open_game(
    workspace: Workspace,
    folder: Path,
    game: str,
    *seats: SeatSpec,
    log: Callable[[], LogResult] | None = None,
    options: Mapping[str, object] = EMPTY_MAPPING,
) -> Iterator[tuple[Table, Session]]:
    """Open a game at a table with one page."""
    found = GameNotes.from_name(workspace, game)
    session = create_session(
        folder, found.game, found.deck_note.deck, seats, id="20261103-game-k3f9", seed=7,
        clock=lambda: datetime(2026, 11, 3, tzinfo=UTC), options=options,
    )  # fmt: skip
    with session:
        yield seat_game(found, session, log), session


def seat_game(found: GameNotes, session: Session, log: Callable[[], LogResult] | None = None) -> Table:
    table = Table(GameHost.from_notes(session, found, markdown_to_text, 0, log), session.deck.by_id)
    go_on(table)
    return table.sit()


def go_on(table: Table) -> None:
    """Advance until a person is asked or the game is over, then publish."""
    while table.page.go_on(watched=True) is not None:
        pass
    table.host.publish()


def play_out(table: Table, session: Session, rng: Random) -> None:
    """Play a game to its end with random moves."""
    while not session.outcome:
        take_turn(table, table.door.clients[0], rng)


def take_turn(table: Table, client: Client, rng: Random) -> None:
    """Make one random decision, uncovering a hand first, and advance."""
    game = table.page
    sight = game.sight(client)
    if sight.cover and not sight.cover.is_open:
        assert table.order("offer", offer=0).status == 422
        assert table.order("uncover").status == 200
        sight = game.sight(client)
    place = rng.randrange(len(sight.scene.offers))
    assert table.order("offer", offer=str(place), sure=True).status == 200
    go_on(table)


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game, info in GAMES.items() if info.game])
def test_a_whole_game_of_people_and_bots_is_played_and_logged_once(
    workspace: Workspace, tmp_path: Path, game: str
) -> None:
    logs: list[int] = []
    seats = (YSOLDE, BRAM, BOT)[: GAMES[game].rules().seats[1]]

    def log() -> LogResult:
        logs.append(1)
        return LOGGED

    with open_game(workspace, tmp_path, game, *seats, log=log) as (table, session):
        play_out(table, session, Random(3))
        assert table.held.over
        assert logs == [1]
        assert "Games/Game.md" in str(table.scene())
        assert table.order("undo").status == 422
        assert table.order("finish").status == 200
        assert table.held.closed
        assert logs == [1]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["propheta", "prophets-gambit", "dragon-citadel", "turn-of-fate"])
@pytest.mark.parametrize("seed", range(count(2, 20)))
def test_page_that_reveals_no_cover_is_never_sent_a_hidden_card(
    workspace: Workspace, tmp_path: Path, game: str, seed: int
) -> None:
    seats = (YSOLDE, BRAM, BOT)[: GAMES[game].rules().seats[1]]
    options = {"mode": "competitive"} if game == "dragon-citadel" else EMPTY_MAPPING
    with open_game(workspace, tmp_path, game, *seats, options=options) as (table, session):
        table.sit()
        watcher, sent = table.door.clients[0], list[bytes]()
        watcher.outbox.put = sent.append  # type: ignore[method-assign]
        rng, checked = Random(seed), 0
        while not session.outcome:
            take_turn(table, table.door.clients[1], rng)
            public = {card for _, event in visible_events((0, 1), session.steps) for card in event.cards}
            public |= {card for zone in open_zones(session) for card in zone.cards}
            hidden = [card for card in session.deck if card.id not in public]
            holders = {tuple(seat for seat in (0, 1) if card.id in visible_cards(session, seat)) for card in hidden}
            # If one player holds every card that is not public, everyone can name that hand by counting.
            is_counted = len(holders) == 1 and len(max(holders)) == 1
            while sent:
                checked += 1
                text = sent.pop().decode()
                for card in hidden:
                    assert watcher.marks.face(card.id) not in text
                    assert f'"{card.id}"' not in text
                    assert is_counted or f">{card.title}<" not in text
        assert checked > 2


@pytest.mark.slow
def test_hand_is_visible_only_to_the_page_that_reveals_it(workspace: Workspace, tmp_path: Path) -> None:
    with open_game(workspace, tmp_path, "propheta", YSOLDE, BRAM, BOT) as (table, session):
        prompt = session.prompt
        assert prompt
        assert is_private(session, prompt)
        hidden = visible_cards(session, prompt.seat) - visible_cards(session, 1 - prompt.seat)
        titles = [session.deck[card].title for card in hidden]
        first, first_cookie = table.at, table.cookie
        other = table.sit()
        assert first == other.at
        assert other.order("hint").status == 422, "a hint would tell of the hand"
        assert not any(title in str(other.scene()) for title in titles)
        assert other.order("offer", offer=0).json["why"] == f"{session.name(prompt.seat)} lifts the cover first."
        assert other.order("uncover").status == 200
        assert all(title in str(other.scene()) for title in titles)
        mine, table.cookie = table.cookie, first_cookie
        assert not any(title in str(table.scene()) for title in titles), "the other page sees backs"
        table.cookie = mine
        assert table.order("cover").status == 200
        assert not any(title in str(table.scene()) for title in titles)
        table.order("uncover")
        table.host.close_page(table.door.clients[1])
        assert not any(title in str(table.scene()) for title in titles), "a page that went away covers the hand"


def test_a_move_is_in_the_journal_before_the_answer_and_an_old_question_plays_nothing(
    workspace: Workspace, tmp_path: Path
) -> None:
    with open_game(workspace, tmp_path, "dragon-citadel", YSOLDE, BOT, SeatSpec("Corvina", "greedy")) as (
        table,
        session,
    ):
        steps, question = len(session.steps), table.scene()["question"]
        before = session.path.read_bytes()
        order = {"question": question, "do": "offer", "offer": "0"}
        assert table.post(f"{table.at}order", order).status == 200
        move = session.steps[steps].move.id
        assert f'"move":"{move}"'.encode() in session.path.read_bytes()[len(before) :]
        played = len(session.steps)
        assert table.post(f"{table.at}order", order).status == 200, "sent twice, and counted once"
        assert table.post(f"{table.at}order", {**order, "offer": "1"}).status == 409
        assert len(session.steps) == played
        for offer in ("99", -1, None, "x", 1.5, True, [0]):
            assert table.order("offer", offer=offer).status == 422
        assert len(session.steps) == played


def test_no_bot_plays_while_no_page_is_open(workspace: Workspace, tmp_path: Path) -> None:
    with open_game(workspace, tmp_path, "propheta", YSOLDE, BOT, SeatSpec("Corvina", "greedy")) as (table, session):
        while session.prompt and session.prompt.seat == 0:
            assert table.order("offer", offer=0).status == 200
        steps = len(session.steps)
        assert table.page.go_on(watched=False) is None
        assert all(step.chance for step in session.steps[steps:])
        assert session.prompt
        assert session.prompt.seat != 0, "a bot is to play"
        table.page.go_on(watched=True)
        assert len(session.steps) > steps


@pytest.mark.slow
def test_latest_events_stay_in_view_after_a_move_of_ones_own(workspace: Workspace, tmp_path: Path) -> None:
    with open_game(workspace, tmp_path, "deck-of-destiny", YSOLDE) as (table, _):
        for number in range(1, 4):
            assert table.order("offer", offer=0, sure=True).status == 200
            go_on(table)
            news = table.page.sight(table.door.clients[0]).scene.news
            assert sum(step.seat == 0 for step, _ in news) >= number


def looked_at(session: Session, seat: int, step: Step) -> list[Event]:
    return [event for _, event in privately_seen_events(session, seat, step)]


@pytest.mark.slow
def test_player_at_a_shared_screen_sees_what_chance_shows_them_alone(workspace: Workspace, tmp_path: Path) -> None:
    gambit, told = GameNotes.from_name(workspace, "prophets-gambit"), 0
    for seed in range(count(4, 12)):
        session = create_session(
            tmp_path / str(seed), gambit.game, gambit.deck_note.deck, (YSOLDE, BRAM, SeatSpec("Sefa")), seed=seed,
            id=f"20261103-game-k3f{seed:x}", clock=lambda: datetime(2026, 11, 3, tzinfo=UTC),
        )  # fmt: skip
        with session:
            table, rng = seat_game(gambit, session), Random(seed)
            while not session.outcome:
                sight, steps = table.page.sight(table.door.clients[0]), len(session.steps)
                if sight.cover and not sight.cover.is_open:
                    table.order("uncover")
                    continue
                seat = sight.cover.seat if sight.cover else None
                reply = table.order("offer", offer=str(rng.randrange(len(sight.scene.offers))), sure=True)
                go_on(table)
                if seat is None or (session.prompt and session.prompt.seat == seat):
                    continue
                seen = [event for step in session.steps[steps:] for event in looked_at(session, seat, step)]
                assert all(session.words(event.sentence) in unescape(reply.json["html"]) for event in seen)
                told += len(seen)
    assert told


def test_undo_reverts_the_last_decision(workspace: Workspace, tmp_path: Path) -> None:
    with open_game(workspace, tmp_path, "turn-of-fate", YSOLDE, BRAM, options=FREE) as (table, session):
        steps = len(session.steps)
        assert table.order("undo").status == 422, "there is nothing yet"
        assert table.order("uncover").status == 200
        assert table.order("offer", offer=0).status == 200
        assert len(session.steps) > steps
        old = table.scene()["question"]
        undone = table.order("undo")
        if undone.status == 422 and undone.json.get("sure"):
            undone = table.order("undo", sure=True)
        assert undone.status == 200, undone.body
        assert len(session.steps) == steps
        assert table.scene()["question"] != old


@pytest.mark.slow
def test_side_questions_are_answered_and_change_nothing(workspace: Workspace, tmp_path: Path) -> None:
    with open_game(workspace, tmp_path, "dragon-citadel", YSOLDE, BOT, SeatSpec("Corvina", "greedy")) as (
        table,
        session,
    ):
        question, steps = table.scene()["question"], len(session.steps)
        card = next(offer for offer in table.page.sight(table.door.clients[0]).scene.offers).touches[0]
        mark = table.door.clients[0].marks.card(str(card))
        for order in (
            {"do": "hint"}, {"do": "who"}, {"do": "rule"}, {"do": "rule", "words": "raven"},
            {"do": "why", "card": mark}, {"do": "ask", "words": "who begins"},
        ):  # fmt: skip
            answer = table.order(**order)  # type: ignore[arg-type]
            assert answer.status == 200, (order, answer.body)
            assert "<h2" in answer.json["html"] and "[[" not in answer.json["html"], order
        assert session.deck[str(card)].title in table.order("why", card=mark).json["html"]
        part, all_text = (table.order("ask", words="what is a crown", more=more).json["html"] for more in (False, True))
        assert "data-more" in part and "data-more" not in all_text and len(all_text) > len(part)
        for order in ({"do": "why", "card": "xyzzy"}, {"do": "ask", "words": "qqqq"}):
            assert table.order(**order).status == 422
        stale = {"question": "of-another-turn"}
        for order in ({"do": "hint"}, {"do": "why", "card": mark}):
            assert table.post(f"{table.at}order", {**order, **stale}).status == 409
        assert table.post(f"{table.at}order", {"do": "ask", "words": "raven", **stale}).status == 200
        assert (table.scene()["question"], len(session.steps)) == (question, steps)


@pytest.mark.slow
def test_no_order_stops_the_table(workspace: Workspace, tmp_path: Path) -> None:
    words = ("", "x" * 3_000, "\ud800", "{c0}", "<b>", "\x00\u202e", "0", "-1", "9" * 500)
    values = (*words, None, True, -1, 2**70, 1.5, [], [[1]], {}, {"do": 1})
    deeds = ("offer", "undo", "uncover", "cover", "hint", "who", "why", "rule", "ask", "turn", "", "\ud800")
    with open_game(workspace, tmp_path, "propheta", YSOLDE, BRAM, BOT) as (table, session):
        steps = len(session.steps)
        for do, value in some([*product(deeds, values)], 60):
            for key in ("offer", "card", "words", "seat", "tale", "sure"):
                assert table.order(do, **{key: value}).status in {200, 409, 422}, (do, key, value)
            assert table.post(f"{table.at}order", {"do": do, "question": value}).status in {200, 409, 422}
        assert len(session.steps) == steps


def test_end_names_the_note_whose_rewards_are_due() -> None:
    root = Path("/vault")
    endings = (
        build_ending(LOGGED, root, has_rewards=True),
        build_ending(LOGGED, root),
        build_ending(None, root, has_rewards=True),
    )
    assert [ending.rewards_note for ending in endings] == [LOGGED.note, "", ""]


def test_heading_shows_that_cards_are_drawn_at_random(workspace: Workspace, tmp_path: Path) -> None:
    """TF-8: after a Fate is played the heading says that the player draws, though nobody is asked."""
    with open_game(workspace, tmp_path, "turn-of-fate", YSOLDE, BRAM) as (table, session):
        assert session.prompt
        name = session.name(session.prompt.seat)
        session.submit(session.prompt.moves[-1])
        assert isinstance(session.turn, Chance)
        game = cast(GameHost, table.held)
        game._handle_step(session.steps[-1])
        frame = page_html.render_update(table.page.sight(table.door.clients[0]))
        assert f"A card is drawn for {name}" in frame.regions["ask"] and "decides" not in frame.regions["ask"]
        assert frame.title.startswith(f"A card is drawn for {name} · ")
        assert "seat asked" not in frame.regions["seats"]


@pytest.mark.slow
def test_seed_is_on_the_page_only_after_the_end(workspace: Workspace, tmp_path: Path) -> None:
    with open_game(workspace, tmp_path, "deck-of-destiny", YSOLDE) as (table, session):
        assert "seed" not in str(table.scene()["regions"]).casefold()
        play_out(table, session, Random(3))
        repeat = "The same cards again: vaultkit play deck-of-destiny --seat Ysolde --seed 7"
        assert repeat in str(table.scene())
