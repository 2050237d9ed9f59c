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
from vaultkit.web import startup
from vaultkit.web.request_guard import MAX_CONNECTION_COUNT_PER_GROUP, Connection, ConnectionLimiter
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.server import open_socket, reopen_socket

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
        assert open_with(browser, monkeypatch) == [Says("No", "browser", "yourself")]


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


def test_oldest_of_too_many_connections_is_closed_and_seated_ones_make_room() -> None:
    crowd, gone = ConnectionLimiter(), list[int]()

    class Fake:
        def __init__(self, number: int) -> None:
            self.number = number

        def drop(self) -> None:
            gone.append(self.number)
            crowd.leave(cast(Connection, self))

    def join(number: int, group: str) -> Any:
        one = Fake(number)
        crowd.join(cast(Connection, one), group)
        return one

    seated = join(0, "address 127.0.0.1")
    crowd.join(seated, "client a")
    for number in range(1, 500):
        join(number, "address 127.0.0.1")
    assert gone == list(range(1, 500 - MAX_CONNECTION_COUNT_PER_GROUP))
    for number in range(500, 500 + MAX_CONNECTION_COUNT_PER_GROUP):
        join(number, "client a")
    assert gone[-1] == 0, "of those who are seated, too"


def test_addresses_of_abandoned_games_are_forgotten(tmp_path: Path) -> None:
    old, recent, own = (tmp_path / f"{name}.json" for name in ("old", "recent", "own"))
    for file in (old, recent):
        file.write_text("{}")
    os.utime(old, (time.time() - 61 * 24 * 3600,) * 2)
    SavedTable(own).save("t", 2000, [], print)
    assert [file.is_file() for file in (old, recent, own)] == [False, True, True]
