"""Opening a table: the browser, the port, what is saved, and connections waiting for a seat."""

import json
import os
import socket
import time
import webbrowser
from pathlib import Path
from typing import Any, cast

import pytest

from tests.wording import Says
from vaultkit.errors import WriteError
from vaultkit.web import request_guard, saved_tables, startup
from vaultkit.web.request_guard import (
    MAX_CONNECTION_COUNT_PER_GROUP,
    MAX_UNSEATED_CONNECTION_COUNT,
    Connection,
    ConnectionLimiter,
)
from vaultkit.web.saved_tables import SavedPhones, SavedTable
from vaultkit.web.seat_sessions import SeatSessions
from vaultkit.web.server import ServerThread, open_socket, reopen_socket

ADDRESS = "http://127.0.0.1:8765/#code"


class Browser(webbrowser.BaseBrowser):
    def __init__(self, works: bool) -> None:
        super().__init__()
        self.works, self.seen = works, list[str]()

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.seen.append(url)
        return self.works


def open_with(browser: object, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the host's terminal after a table is opened with this browser, or with none if it is None."""

    def get() -> object:
        if browser is None:
            raise webbrowser.Error("could not locate runnable browser")
        return browser

    monkeypatch.setattr(webbrowser, "get", get)
    said: list[str] = []
    startup._open_browser(ADDRESS, said.append)
    return said


def test_missing_browser_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    works = Browser(works=True)
    assert open_with(works, monkeypatch) == []
    assert works.seen == [ADDRESS]
    in_terminal = webbrowser.GenericBrowser("false")
    for browser in (None, Browser(works=False), in_terminal):
        assert open_with(browser, monkeypatch) == [Says("No browser", "address above", "yourself")]


def test_port_is_local_only_and_a_taken_one_is_replaced() -> None:
    with open_socket() as first:
        host, port = first.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(WriteError, match=f"127.0.0.1:{port}"):
            open_socket(port)
        other, is_same = reopen_socket(port)
        with other:
            assert not is_same
            assert other.getsockname()[1] != port
    again, is_same = reopen_socket(port)
    with again:
        assert (is_same, again.getsockname()[1]) == (True, port)
        assert (again.family, again.proto) == (socket.AF_INET, socket.IPPROTO_TCP), "or answers take 40 ms longer"


@pytest.mark.parametrize(
    "kept", ["", "[]", "{", '{"port": 22, "table": "../x", "seated": 1}', '{"port": "x", "table": 1, "seated": [1]}']
)
def test_invalid_saved_table_is_ignored(tmp_path: Path, kept: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(kept)
    found = SavedTable(file)
    assert (found.port, found.table, found.seated) == (0, "", [])


def test_port_and_seats_are_saved_readable_by_the_owner_only_until_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "tables" / "game.json"
    kept = SavedTable(file)
    kept.save("abc-_1", 8765, ["hash"], print)
    kept.save("abc-_1", 8766, ["hash", "other"], print)
    again = SavedTable(file)
    assert (again.port, again.table, again.seated) == (8766, "abc-_1", ["hash", "other"])
    assert file.stat().st_mode & 0o77 == 0
    assert json.loads(file.read_text()).keys() == {"table", "port", "seated", "phones", "kind", "schema"}
    again.forget()
    assert list(file.parent.iterdir()) == []


class FakeConnection:
    """A connection that is only counted."""

    def __init__(self, crowd: ConnectionLimiter, group: str) -> None:
        self.crowd, self.is_open = crowd, True
        self.join(group)

    def join(self, group: str) -> None:
        self.crowd.join(cast(Connection, self), group)

    def drop(self) -> None:
        self.is_open = False
        self.crowd.leave(cast(Connection, self))


def test_oldest_of_too_many_connections_is_closed_and_seated_ones_make_room() -> None:
    crowd = ConnectionLimiter()
    seated = FakeConnection(crowd, "address 127.0.0.1")
    seated.join("client a")
    strangers = [FakeConnection(crowd, "address 127.0.0.1") for _ in range(500)]
    open_count = MAX_CONNECTION_COUNT_PER_GROUP
    assert [each.is_open for each in strangers] == [False] * (500 - open_count) + [True] * open_count
    assert seated.is_open
    for _ in range(open_count):
        FakeConnection(crowd, "client a")
    assert not seated.is_open, "of those who are seated, too"


def test_connections_from_many_addresses_are_limited_and_seated_ones_stay_open() -> None:
    crowd = ConnectionLimiter()
    seated = [FakeConnection(crowd, f"client {number}") for number in range(20)]
    strangers = [FakeConnection(crowd, f"address 10.0.0.{number}") for number in range(200)]
    open_count = MAX_UNSEATED_CONNECTION_COUNT
    assert [each.is_open for each in strangers] == [False] * (200 - open_count) + [True] * open_count
    assert all(each.is_open for each in seated)


def test_request_that_takes_too_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("no request was complete")

    monkeypatch.setattr(request_guard, "REQUEST_TIMEOUT_SECONDS", 0.1)
    failures, server_socket = list[BaseException](), open_socket()
    server = ServerThread([(app, server_socket)], failures.append)
    server.start()
    with socket.create_connection(server_socket.getsockname(), timeout=4) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        assert slow.recv(100) == b""
    server.stop(SeatSessions())
    assert not failures


@pytest.mark.parametrize(
    ("base", "port"),
    [("http://10.0.0.5:8766/", 8766), ("http://10.0.0.5:80/", 0), ("http://10.0.0.5/", 0), ("x:99999", 0), ("", 0)],
)
def test_port_of_a_saved_address(base: str, port: int) -> None:
    assert SavedPhones(base, {}, frozenset(), False).port == port


def test_user_without_a_folder_has_no_saved_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(saved_tables, "tables_folder", refuse)
    assert SavedTable.of_session("s") is None


def test_addresses_of_abandoned_games_are_forgotten(tmp_path: Path) -> None:
    old, recent, own = (tmp_path / f"{name}.json" for name in ("old", "recent", "own"))
    for file in (old, recent):
        file.write_text("{}")
    os.utime(old, (time.time() - 61 * 24 * 3600,) * 2)
    SavedTable(own).save("t", 2000, [], print)
    assert [file.is_file() for file in (old, recent, own)] == [False, True, True]
