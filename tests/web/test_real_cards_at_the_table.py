"""Real cards at the table: the referee's page, by touch and by typing, with whole games and scores alone."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games.conformance import Case, deck_of
from tests.games.ledgers import ENTRIES, play_game, typed_entry, write_ledger
from tests.terminal.refereed import NAMES, begin
from tests.web.driver import Table
from tests.web.test_game_at_the_table import LOGGED, go_on, workspace  # noqa: F401
from tests.web.test_troubles import refuse
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.registry import rules
from vaultkit.host.advice import Advice, markdown_to_text
from vaultkit.host.ending import EndingRecorder
from vaultkit.host.game_host import GameHost
from vaultkit.host.logbook_host import LogbookHost
from vaultkit.scene.real_cards import find_card_holder
from vaultkit.session import Session
from vaultkit.session.options import settle
from vaultkit.session.seats import SeatSpec
from vaultkit.web.browser_game import BrowserTable
from vaultkit.web.card_picker import suit_tiles
from vaultkit.web.host_page import HostPage
from vaultkit.web.startup import TableLauncher

GAMES: dict[str, tuple[int, dict[str, object]]] = {
    "dragon-citadel": (3, {}),
    "dragon-citadel-rivals": (3, {"mode": "competitive"}),
    "propheta": (3, {}),
    "prophets-gambit": (3, {}),
    "turn-of-fate": (2, {}),
    "deck-of-destiny": (1, {}),
}


@contextmanager
def open_refereed(space: Workspace, folder: Path, name: str) -> Iterator[tuple[Table, Session, Session]]:
    """Open a table with real cards, and the same game played by bots as its truth."""
    game = name.removesuffix("-rivals")
    seats, options = GAMES[name]
    people = NAMES[:seats]
    with begin(folder, game, [f"bot:greedy={who}" for who in people], real=False, **options) as truth:
        list(truth.advance())
    with begin(folder, game, people, **options) as session:
        notes = GameNotes.from_name(space, game)
        consulting = Advice(session, notes.reference(session, markdown_to_text))
        held = GameHost(session, consulting, 0, EndingRecorder(lambda: LOGGED, Path("/v")))
        table = Table(held, session.deck.by_id)
        go_on(table)
        yield table.sit(), session, truth


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))


def pad(table: Table) -> Any:
    return table.page.sight(table.door.clients[0]).pad


def answer(table: Table, session: Session, truth: Session, rng: Random) -> None:
    """Answer the current question truthfully, uncovering it first."""
    client = table.door.clients[0]
    cover = table.page.sight(client).cover
    if cover and not cover.is_open:
        assert table.order("uncover").status == 200
    step = truth.steps[len(session.steps)]
    sight = table.page.sight(client)
    if sight.pad is None:
        place = [offer.move for offer in sight.scene.offers].index(step.move)
        assert table.order("offer", offer=place, sure=True).status == 200
        return
    named = list(step.move.operands) or ["nothing"]
    if "stayed face down" in sight.pad.question:
        seat = next(at for at, name in enumerate(NAMES) if sight.pad.question.startswith(name))
        named = [
            card
            for event in truth.steps[-1].events
            if event.kind == "in-vain" and event.seat == seat
            for card in event.cards
        ]
    words = [session.name(int(one)) if one.isdecimal() and len(one) == 1 else one for one in named]
    if rng.random() < 0.5:
        words = [", ".join(words)]
    for one in words:
        reply = table.order("name", words=one, sure=True)
        assert reply.status == 200, reply.body


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_whole_game_is_refereed_as_played(workspace: Workspace, tmp_path: Path, name: str) -> None:  # noqa: F811
    with open_refereed(workspace, tmp_path, name) as (table, session, truth):
        rng, largest = Random(3), 0
        while not session.outcome:
            answer(table, session, truth, rng)
            go_on(table)
            largest = max(largest, len(table.events(1)[0][1]))
        assert session.outcome == truth.outcome
        if not session.header.unseen:
            assert [step.move for step in session.steps] == [step.move for step in truth.steps]
        assert table.held.over
        assert "Games/Game.md" in str(table.scene())
        assert largest <= 15 * 1024


def refusal(table: Table, words: str, **more: object) -> str:
    reply = table.order("name", words=words, **more)
    assert reply.status == 422
    return str(reply.json["why"])


@pytest.mark.slow
def test_cards_are_named_one_by_one_refused_with_a_reason_and_undone(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    with open_refereed(workspace, tmp_path, "dragon-citadel") as (table, session, _):
        assert "Which 5 cards?" in table.scene()["regions"]["ask"] and pad(table).question == "Which 5 cards"
        assert table.order("name", words="raven").status == 200
        assert (pad(table).named, pad(table).question) == (("Raven",), "4 more")
        assert "You have named the Raven already" in refusal(table, "the Raven")
        assert "Did you mean 'berserker'?".casefold() in refusal(table, "bersreker", typed=True).casefold()
        assert table.order("name", words="6sw, 7sw", typed=True).status == 200
        gone = {tile.id for _, tiles in suit_tiles(session.deck, pad(table).cards) for tile in tiles if tile.is_gone}
        assert gone == {"raven", "6-swords", "7-swords"}
        assert "can be named" in table.order("why", card="1-swords").json["html"]
        assert table.order("undo").status == 200
        assert pad(table).named == ("Raven", "Berserker (6 of Swords)")
        old = table.scene()["question"]
        assert table.order("name", words="7sw 8sw 9sw").status == 200
        again = {"question": old, "do": "name", "words": "2sw"}
        assert table.post(f"{table.at}order", again).status == 409, "an answer counts once"
        assert len(session.steps) == 1
        assert pad(table).named == ()
        assert table.order("undo").status == 200
        assert (session.steps, pad(table).question) == ((), "Which 5 cards")


def test_hidden_cards_are_named_behind_a_cover(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    with open_refereed(workspace, tmp_path, "dragon-citadel-rivals") as (table, session, _):
        other = Table.sit(table)
        assert find_card_holder(session) == 0
        assert table.order("name", words="raven").status == 422, "nobody has lifted the cover"
        assert "index-" not in str(table.scene())
        assert table.order("uncover").status == 200
        assert table.order("name", words="raven 6sw").status == 200
        first, second = other.door.clients
        sights = [table.page.sight(client) for client in (first, second)]
        assert [bool(sight.pad) for sight in sights] == [False, True]
        assert table.order("name", words="7sw, 8sw, 9sw").status == 200
        assert len(session.steps) == 1
        sight = table.page.sight(second)
        assert sight.pad is None and sight.cover and sight.cover.name == "Bram" and not sight.cover.is_open
        assert "Berserker" not in str(table.scene()), "the next one does not see it"


@pytest.mark.slow
@pytest.mark.parametrize("game", ENTRIES)
def test_whole_game_is_recorded_by_touch_and_by_typing(vault: Path, game: str) -> None:
    case = Case(rules(game), {})
    whole = play_game(case, Random(f"{game} at the table"))
    names, deck, rng = (*NAMES, "Corvin", "Maud")[: whole.state.seats], deck_of(case.game), Random(7)
    notes = GameNotes.from_name(Workspace(vault, cached=False), game)
    seats, options = tuple(map(SeatSpec, names)), settle(case.game, {})
    with Logbook.begin(notes, seats, options, datetime(2026, 11, 3, tzinfo=UTC)) as logbook:
        noon = datetime(2026, 11, 3, 12, tzinfo=UTC)
        table = Table(LogbookHost(logbook, markdown_to_text, lambda: noon, dry_run=True), deck.by_id).sit()
        for entry in ENTRIES[game](whole):
            if rng.random() < 0.5:
                assert table.order("name", words=typed_entry(entry, names, deck), typed=True).status == 200
                continue
            for token in entry:
                reply = table.order("name", words=token)
                assert reply.status == 200, reply.body
            assert len(table.events(1)[0][1]) <= 15 * 1024
            assert table.order("write").status == 200
        assert logbook.ledger.over
        assert logbook.ledger.outcome() == write_ledger(case, whole).outcome()
        assert logbook.ledger.tally().seats == write_ledger(case, whole).tally().seats
        assert "Is this right?" in str(table.scene())
        assert table.order("undo").status == 200
        assert not logbook.ledger.over


@pytest.mark.slow
def test_light_game_with_an_unwritable_note_reports_it_and_writes_it_again(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(rules("propheta"), {})
    whole = play_game(case, Random(3))
    names, deck = (*NAMES, "Corvin", "Maud")[: whole.state.seats], deck_of(case.game)
    notes, noon = GameNotes.from_name(Workspace(vault, cached=False), "propheta"), datetime(2026, 11, 3, tzinfo=UTC)
    tables: list[Table] = []

    def serve(_: TableLauncher, page: HostPage, lobby: object = None) -> bool:
        held, table = page.host, Table(page, deck.by_id).sit()
        tables.append(table)
        for entry in ENTRIES["propheta"](whole):
            assert table.order("name", words=typed_entry(entry, names, deck), typed=True).status == 200
        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.vault.writing.atomic_file.exchange", refuse(errno.ENOSPC))
            assert table.order("finish").status == 200
            assert str(table.scene()) == Says("Not written: Campaign Log.md")
            assert (held.over, "Write it again" in str(table.scene())) == (False, True)
        assert table.order("write-again").status == 200
        assert "Not written" not in str(table.scene())
        return held.over

    monkeypatch.setattr(TableLauncher, "serve", serve)
    seats, options = tuple(map(SeatSpec, names)), settle(case.game, {})
    with Logbook.begin(notes, seats, options, noon) as logbook:
        logged = BrowserTable(TableLauncher(print, browser=False), lambda: noon).write_down(logbook)
    assert logged
    assert len(logged.written) == 2
