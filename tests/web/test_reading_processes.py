"""A reading at a table in its own process: real connections, hostile clients, and every way to end it."""

import json
import shutil
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.web.processes import Browser, Process, wait_until
from vaultkit import resources

pytestmark = pytest.mark.slow

OMEN = ("reading", "omen", "--seed", "11")
CROSS = ("reading", "five-card cross", "--seed", "5")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))


def notes_of(vault: Path) -> list[str]:
    return sorted(path.name for path in (vault / "Games").glob("*.md") if "Cross" in path.name or "Omen" in path.name)


def test_reading_is_turned_logged_and_printed_as_json(vault: Path) -> None:
    before = notes_of(vault)
    with Process(vault, *OMEN, "--json") as table:
        browser = table.sit()
        with browser.stream() as stream:
            assert "Missionary" not in str(stream.scene())
            assert browser.order("turn")[0] == 200
            assert "Missionary" in str(stream.scene())
            assert len(notes_of(vault)) == len(before) + 1, "logged when the last card was turned"
            assert browser.order("finish")[0] == 200
            while (event := stream.event())[0] == "scene":
                pass
            assert event[0] == "end"
        code, out = table.end()
    found = json.loads(out)
    assert (code, [card["name"] for card in found["cards"]]) == (0, ["Missionary"])
    assert (vault / found["note"]).is_file()


def test_without_a_log_nothing_is_written(vault: Path) -> None:
    before = notes_of(vault)
    with Process(vault, *OMEN, "--no-log") as table:
        browser = table.sit()
        browser.order("turn")
        browser.order("finish")
        assert table.end()[0] == 0
    assert notes_of(vault) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_with_open_streams_ends_the_reading_in_three_seconds_and_logs_seen_cards(
    vault: Path, number: int
) -> None:
    before = notes_of(vault)
    with Process(vault, *CROSS) as table:
        browser = table.sit()
        streams = [browser.stream() for _ in range(5)]
        assert browser.order("turn")[0] == 200
        began = time.monotonic()
        table.process.send_signal(number)
        code, out = table.end()
        assert time.monotonic() - began < table.most
        assert code == 0
        assert "Conjurer" in out
        assert len(notes_of(vault)) == len(before) + 1
        for stream in streams:
            while (event := stream.event())[0] == "scene":
                pass
            assert event[0] == "end"


def test_ctrl_c_before_the_first_card_writes_nothing_and_names_the_seed(vault: Path) -> None:
    before = notes_of(vault)
    with Process(vault, *CROSS) as table:
        table.sit()
        table.interrupt()
        assert table.end()[0] == 130
        assert "--seed 5" in table.said
    assert notes_of(vault) == before


def test_two_tables_run_side_by_side_and_a_cookie_works_only_at_its_own(vault: Path) -> None:
    with Process(vault, *CROSS) as one, Process(vault, *OMEN) as other:
        here, there = one.sit(), other.sit()
        assert one.port != other.port
        assert here.get(here.at)[0] == there.get(there.at)[0] == 200
        assert Browser(other.port, here.cookie, there.at).get(there.at)[0] == 403
        assert Browser(other.port, here.cookie, here.at).get(here.at)[0] == 403


def test_reopened_page_shows_the_whole_scene(vault: Path) -> None:
    with Process(vault, *CROSS) as table:
        browser = table.sit()
        with browser.stream() as stream:
            stream.scene()
        browser.order("turn", card=5)
        with browser.stream() as stream:
            assert "Raven" in str(stream.scene())


def test_unknown_clients_are_refused_over_the_network_too(vault: Path) -> None:
    with Process(vault, *CROSS) as table:
        browser = table.sit()
        assert Browser(table.port).get(browser.at)[0] == 403
        assert browser.get("/", Host=f"table.example:{table.port}")[0] == 421
        assert browser.get("/", Host=f"localhost:{table.port}")[0] == 421
        turn = {"do": "turn"}
        for origin in ("http://evil.example", "null", f"http://localhost:{table.port}"):
            assert browser.post(f"{browser.at}order", turn, Origin=origin)[0] == 403
        assert browser.post(f"{browser.at}order", {"do": "x" * 5_000})[0] == 413
        assert "--seed" not in table.said
        assert table.said.count("\n") == 2, "nobody's requests stand on the host's terminal"


def test_slow_request_or_one_with_too_many_headers_is_cut_off(vault: Path) -> None:
    with Process(vault, *CROSS) as table:
        browser = table.sit()
        began = time.monotonic()
        slow, lazy, mute, big = (browser.raw() for _ in range(4))
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n")
        head = f"POST {browser.at}order HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\nCookie: {browser.cookie}\r\n"
        head += (
            f"Origin: http://127.0.0.1:{table.port}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{{"
        )
        lazy.sendall(head.encode())
        big.sendall(b"GET / HTTP/1.1\r\n" + b"X-Much: " + b"y" * 20_000 + b"\r\n\r\n")
        assert b" 400 " in big.recv(100)
        while time.monotonic() - began < 4:
            slow.sendall(b"X: y\r\n")
            time.sleep(0.5)
        assert b" 408 " in lazy.recv(100)
        assert _is_closed(slow)
        assert _is_closed(mute)
        assert 4 < time.monotonic() - began < 5 + table.most
        assert browser.get(browser.at)[0] == 200


def test_500_half_open_connections_do_not_block_a_seated_client(vault: Path) -> None:
    with Process(vault, *CROSS) as table:
        browser = table.sit()
        with browser.stream() as stream:
            stream.scene()
            crowd = [browser.raw() for _ in range(500)]
            for one in crowd[::2]:
                _try_to_send(one)
            began = time.monotonic()
            assert browser.get(browser.at)[0] == 200
            assert browser.order("turn")[0] == 200
            assert time.monotonic() - began < table.most
            assert "Conjurer" in str(stream.scene())
            assert sum(not _is_closed(one) for one in crowd) <= 12
        for one in crowd:
            one.close()


def test_pages_that_read_nothing_delay_nobody(vault: Path) -> None:
    with Process(vault, *CROSS) as table:
        browser = table.sit()
        head = f"GET {browser.at}stream HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\nCookie: {browser.cookie}\r\n\r\n"
        stalled = [browser.raw() for _ in range(8)]
        for one in stalled:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            one.sendall(head.encode())
        for _ in range(5):
            assert browser.order("turn")[0] == 200
        assert browser.order("finish")[0] == 200
        began = time.monotonic()
        assert table.end()[0] == 0
        assert time.monotonic() - began < table.most


def _try_to_send(one: socket.socket) -> None:
    with suppress(OSError):
        one.sendall(b"GET / HTTP/1.1\r\nHost:")


def _is_closed(one: socket.socket) -> bool:
    one.settimeout(0.05)
    try:
        return wait_until(lambda: one.recv(1000) == b"", 3)
    except TimeoutError:
        return False
    except OSError:
        return True
