"""Failures during an evening: one clear line for each, and the game is never lost."""

import errno
import os
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tests.counts import short
from tests.web.test_game_at_the_table import BOT, YSOLDE, play_out, seat_game
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign import saved_games
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.app import app
from vaultkit.cli.error_handler import print_vaultkit_error
from vaultkit.errors import WriteError
from vaultkit.session import SeatSpec, Session, journal
from vaultkit.web import startup
from vaultkit.web.host_thread import CommandQueue
from vaultkit.web.lobby import Lobby
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.seat_sessions import SeatSessions

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> GameNotes:
    vault = shutil.copytree(resources.shipped_folder("vault-example"), tmp_path_factory.mktemp("troubles") / "vault")
    return GameNotes.from_name(Workspace(vault, cached=False), "dragon-citadel")


def begin(notes: GameNotes, clock: Callable[[], datetime] = lambda: NOON) -> Session:
    seats = (YSOLDE, BOT, SeatSpec("Corvina", "greedy"))
    return notes.begin(seats, 7, clock=clock, options=notes.options(()))


def refuse(code: int) -> Callable[..., None]:
    """Return a system call that fails with this error code."""

    def call(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    return call


@pytest.mark.short(1)
@pytest.mark.parametrize("years", [40, -40], ids=["forward", "back"])
def test_clock_jump_during_a_game_loses_neither_the_game_nor_its_note(notes: GameNotes, years: int) -> None:
    jumps = count()

    def clock() -> datetime:
        return NOON + timedelta(days=365 * years * min(next(jumps), 1))

    with begin(notes, clock) as session:
        table = seat_game(notes, session, partial(notes.log, session, None, now=clock()))
        play_out(table, session, Random(3))
        assert table.held.over, table.scene()
        note = notes.workspace.root / table.held.logged.note
    assert note.is_file()
    assert journal.read(session.path).end
    games = {game.session: game.standing for game in saved_games.saved_games(notes.workspace.journals)}
    assert games[session.id] == "finished"


def test_address_of_an_open_table_survives_a_clock_jump(tmp_path: Path) -> None:
    kept = SavedTable(tmp_path / "game.json")
    for jump in (10**9, -(10**9)):
        kept.save("T", 8765, [], print)
        then = (tmp_path / "game.json").stat().st_mtime + jump
        os.utime(tmp_path / "game.json", (then, then))
        assert SavedTable(tmp_path / "game.json").port == 8765
        kept.save("T", 8766, [], print)
        assert SavedTable(tmp_path / "game.json").port == 8766


@pytest.mark.parametrize(
    ("call", "code"), [("fcntl.flock", errno.ENOLCK), ("fcntl.flock", errno.EOPNOTSUPP), ("os.fsync", errno.EINVAL)]
)
def test_game_is_not_started_on_a_drive_that_cannot_save_it(
    notes: GameNotes, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    before = list(saved_games.saved_games(notes.workspace.journals))
    monkeypatch.setattr(call, refuse(code))
    with pytest.raises(WriteError, match=os.strerror(code)) as refused:
        begin(notes)
    assert "network drive" in refused.value.hint
    monkeypatch.undo()
    assert list(saved_games.saved_games(notes.workspace.journals)) == before


@pytest.mark.slow
def test_a_game_whose_end_cannot_be_logged_is_logged_once_the_drive_is_back(
    notes: GameNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(notes) as session:
        table = seat_game(notes, session, partial(notes.log, session, None, now=NOON))
        with monkeypatch.context() as patch:
            patch.setattr("fcntl.flock", refuse(errno.EIO))
            play_out(table, session, Random(3))
            assert not table.held.over
            assert "This lock cannot be taken" in str(table.scene())
        assert table.order("write-again").status == 200
        assert table.held.over
        assert "This lock cannot be taken" not in str(table.scene())


@pytest.mark.slow
@pytest.mark.parametrize("code", short([errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO]))
def test_end_lists_written_and_missing_files_and_writes_the_rest_again(
    notes: GameNotes, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    with begin(notes) as session:
        table = seat_game(notes, session, partial(notes.log, session, None, now=NOON))
        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.vault.writing.atomic_file.exchange", refuse(code))
            play_out(table, session, Random(3))
            ask, offers = (table.scene()["regions"][name] for name in ("ask", "offers"))
            [note] = [path for path in (notes.workspace.root / "Games").glob("*.md") if session.id in path.read_text()]
            assert f"Written: the game itself, Games/{note.name}." in ask
            assert ask == Says("Not written: Campaign Log.md")
            assert "Write it again" in offers and "Close the table" in offers
            assert (table.held.over, table.order("finish").status) == (False, 200), "it may be closed so"
            assert table.held.closed
        before = note.read_bytes()
        assert table.order("write-again").status == 200
        ask = table.scene()["regions"]["ask"]
        assert f"Written: Games/{note.name} and Campaign Log.md." in ask and "Not written" not in ask
        assert (table.held.over, note.read_bytes()) == (True, before)
        line = (notes.workspace.root / "Campaign Log.md").read_text(encoding="utf-8")
        assert line.count(f"^vk-{session.id}") == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", short([errno.ENOSPC, errno.EDQUOT]))
def test_command_line_lists_written_files_and_the_command_for_the_rest(
    notes: GameNotes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    with begin(notes) as session:
        table = seat_game(notes, session)
        play_out(table, session, Random(3))
    with monkeypatch.context() as patch:
        patch.setattr("vaultkit.vault.writing.atomic_file.exchange", refuse(code))
        with notes.resume(session.path, lambda: NOON) as again, pytest.raises(WriteError) as full:
            notes.log(again, None, now=NOON)
        print_vaultkit_error(full.value)
    said = " ".join(capsys.readouterr().err.split())
    assert re.search(r"Written: Games/\S+ [^,]*\.md Not written: Campaign Log\.md", said), said
    assert f"vaultkit log --session {session.id}" in said
    app(["log", "--session", session.id, "--vault", str(notes.workspace.root)], standalone_mode=False)
    line = (notes.workspace.root / "Campaign Log.md").read_text(encoding="utf-8")
    assert line.count(f"^vk-{session.id}") == 1


def test_a_game_that_is_discarded_leaves_no_address(
    notes: GameNotes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with begin(notes) as session:
        pass
    kept = SavedTable.of_session(session.id)
    assert kept
    kept.save("T", 8765, [], print)
    app(["sessions", "--discard", session.id, "--vault", str(notes.workspace.root)], standalone_mode=False)
    assert SavedTable(Path(kept._file)).port == 0
    assert list(kept._file.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        ("192.168.1.20", Says("Phones", "can reach", "192.168.1.20", "asks about incoming connections")),
        ("127.0.0.1", Says("Only this computer", "127.0.0.1", "no phone", "--address", "--table")),
        ("127.0.1.1", Says("Only this computer", "127.0.1.1", "no phone")),
    ],
)
def test_host_hears_who_can_reach_the_address_before_phones_connect(
    address: str, warning: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    listen_again = startup.reopen_socket

    def listen(port: int, address: str, seconds: float) -> object:
        told.append("listens")
        return listen_again(0)

    monkeypatch.setattr(startup, "reopen_socket", listen)
    host = startup.TableLauncher(told.append, browser=False, phones=address, desk=None)
    _, bound = host._serve_phones(Lobby({0: "Ysolde"}), SeatSessions(), CommandQueue())
    bound.close()
    assert told == [warning, "listens", Says("Phones:", f"http://{address}:", "code")]
