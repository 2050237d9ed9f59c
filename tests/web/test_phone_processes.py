"""Phones at a table in its own process: a whole evening, interrupted in every way, and with hostile clients."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.web.processes import Browser, Process, Stream, wait_until
from vaultkit import resources
from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("phones"), pytest.mark.usefixtures("own_phone_port")]

PHONES = ("--phones", "--address", "127.0.0.1", "--speed", "off")
THREE = ("play", "propheta", "--seat", "Ysolde", "--seat", "Bram", "--seat", "Nettle", "--seed", "3", *PHONES)
PAIR = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "Bram", "--seed", "3", *PHONES)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))


def port_of(table: Process) -> int:
    found = wait_until(lambda: re.search(r"Phones: http://127\.0\.0\.1:(\d+)/", table.said))
    return int(found[1])


def sit_down(table: Process, screen: Browser, seats: int) -> list[Browser]:
    """Return a phone for each seat, each seated with the code that the screen then shows."""
    port, phones = port_of(table), []
    for seat in range(seats):
        with screen.stream() as stream:
            code = re.search(r"class='typed'>([^<]+)<", stream.scene()["regions"]["middle"])
        assert code
        phone = Browser(port)
        ticket = phone.post("/knock", {"token": code[1]})[2]["ticket"]
        status, headers, value = phone.post("/sit", {"ticket": ticket, "seat": seat})
        assert status == 200, value
        phone.at, phone.cookie = value["at"], headers["set-cookie"].partition(";")[0]
        phones.append(phone)
    return phones


def journal(vault: Path) -> Path:
    return max((vault / JOURNALS_FOLDER).glob("*.journal"), key=lambda path: path.stat().st_mtime_ns)


def wait_for_deal(vault: Path) -> bytes:
    """Return the journal once chance has decided everything before the first question."""

    def is_quiet() -> bytes:
        before = journal(vault).read_bytes()
        time.sleep(0.5)
        return before if journal(vault).read_bytes() == before else b""

    return wait_until(is_quiet)


def question_of(phone: Browser) -> str | None:
    with phone.stream() as stream:
        asked: str | None = stream.scene()["question"]
        return asked


def decide(phones: list[Browser]) -> bool:
    """Make the first move from the phone that is asked, and return whether there was one."""
    for phone in phones:
        question = question_of(phone)
        if question:
            order = {"question": question, "do": "offer", "offer": 0, "sure": True}
            return bool(phone.post(f"{phone.at}order", order)[0] == 200)
    return False


def play_from_phones(table: Process, seats: int) -> None:
    """Play until the game is over, the last seats first so that they choose ahead of turn, and close the table."""
    screen = table.sit()
    phones = sit_down(table, screen, seats)
    screen.order("begin")
    while b'"kind":"end"' not in journal(table.vault).read_bytes():
        decide(phones[::-1])
    finish(table, screen)


def finish(table: Process, screen: Browser) -> None:
    """Close a table whose game is over."""
    with suppress(OSError):
        while table.process.poll() is None:
            screen.order("finish")
            time.sleep(0.1)


def moves(vault: Path) -> int:
    return journal(vault).read_text().count('"kind":"move"')


def test_killed_evening_with_three_phones_continues_at_the_same_addresses(vault: Path) -> None:
    with Process(vault, *THREE) as table:
        screen = table.sit()
        phones = sit_down(table, screen, 3)
        assert screen.order("begin")[0] == 200
        for _ in range(9):
            wait_until(lambda: decide(phones))
        port, before = port_of(table), journal(vault).read_bytes()
        old = next(filter(None, map(question_of, phones)))
        table.process.kill()
        table.end()
    with Process(vault, "resume", *PHONES, "--json") as again:
        assert (again.port, port_of(again)) == (table.port, port)
        began = time.monotonic()
        asked = next(phone for phone in phones if question_of(phone))
        assert asked.post(f"{asked.at}order", {"question": old, "do": "offer", "offer": 0})[0] == 409
        assert journal(vault).read_bytes() == before
        assert decide(phones), "the same phones go on"
        assert time.monotonic() - began < again.most
        while b'"kind":"end"' not in journal(vault).read_bytes():
            decide(phones)
        with phones[0].stream() as stream:
            last = str(stream.scene())
        assert "obsidian://" not in last
        finish(again, screen)
        code, out = again.end()
    assert code == 0, again.said
    assert (vault / json.loads(out)["note"]).is_file()
    assert not list((vault.parent / "state").rglob("tables/*"))


def test_five_hundred_half_open_and_slow_connections_block_no_phone(vault: Path) -> None:
    with Process(vault, *PAIR) as table, ExitStack() as stack:
        screen = table.sit()
        phones = sit_down(table, screen, 2)
        screen.order("begin")
        streams = [stack.enter_context(phone.stream()) for phone in phones]
        before = wait_for_deal(vault)
        for number in range(500):
            connection = stack.enter_context(phones[0].raw())
            if number % 3:
                with suppress(OSError):
                    connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "[: number % 40])
        assert [phone.get(phone.at)[0] for phone in phones] == [200, 200]
        assert screen.get(screen.at)[0] == 200
        assert journal(vault).read_bytes() == before
        wait_until(lambda: decide(phones))
        assert any(stream.scene() for stream in streams)


def test_too_long_too_slow_or_invalid_requests_are_rejected(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        screen = table.sit()
        phone = sit_down(table, screen, 1)[0]
        screen.order("begin")
        before, host = wait_for_deal(vault), f"Host: 127.0.0.1:{phone.port}\r\n".encode()
        for sent in (
            b"GET / HTTP/1.1\r\n" + host + b"X: " + b"x" * 40_000 + b"\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50,
            b"GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n",
            b"CONNECT evil.example:443 HTTP/1.1\r\n" + host + b"\r\n",
            b"OPTIONS / HTTP/1.1\r\n" + host + b"Origin: http://evil.example\r\n\r\n",
            b"POST /sit HTTP/1.1\r\n" + host + b"Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}",
            f"POST {phone.at}order HTTP/1.1\r\n".encode() + host + b"Content-Length: 99999999\r\n\r\n",
        ):
            with phone.raw() as connection:
                connection.sendall(sent)
                answer = connection.recv(65_536)
            assert not answer.startswith(b"HTTP/1.1 200"), sent[:60]
            assert b"access-control" not in answer.lower()
        with phone.raw() as slow:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            slow.settimeout(9)
            began = time.monotonic()
            assert slow.recv(100) == b""
            assert 3 < time.monotonic() - began < 5 + table.most
        assert journal(vault).read_bytes() == before
        assert phone.get(phone.at)[0] == 200


def test_ctrl_c_with_phones_connected_shows_how_to_continue(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        screen = table.sit()
        phones = sit_down(table, screen, 2)
        screen.order("begin")
        streams = [phone.stream() for phone in phones]
        began = time.monotonic()
        table.interrupt()
        assert table.end()[0] == 130
        assert time.monotonic() - began < table.most
        assert f"vaultkit resume {journal(vault).stem} --phones" in table.said
        assert all(_last_event(stream) == "end" for stream in streams)


def _last_event(stream: Stream) -> str:
    while (name := stream.event()[0]) in ("scene", "beat"):
        pass
    return name


def test_phones_get_new_codes_if_their_port_is_taken_and_the_game_continues(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        screen = table.sit()
        sit_down(table, screen, 2)
        screen.order("begin")
        port = port_of(table)
        table.process.kill()
        table.end()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        with Process(vault, "resume", *PHONES) as again:
            assert port_of(again) != port
            with screen.stream() as stream:
                scene = str(stream.scene())
            assert "The address has changed" in scene
            phones = sit_down(again, screen, 2)
            assert screen.order("begin")[0] == 200
            wait_until(lambda: decide(phones))


def test_two_tables_run_side_by_side_independently(vault: Path) -> None:
    with Process(vault, *PAIR) as one, Process(vault, *THREE) as other:
        first, second = one.sit(), other.sit()
        mine = sit_down(one, first, 2)
        theirs = sit_down(other, second, 3)
        assert port_of(one) != port_of(other)
        stranger = Browser(port_of(other), mine[0].cookie, mine[0].at)
        assert stranger.get(stranger.at)[0] == 403
        assert theirs[0].get(mine[0].at)[0] == 403
        assert [first.order("begin")[0], second.order("begin")[0]] == [200, 200]
        wait_until(lambda: decide(mine))
        wait_until(lambda: decide(theirs))


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("--phones", "--address", "8.8.8.8"), 2, "8.8.8.8 is not an address of a private network"),
        (("--phones", "--address", "router"), 2, "is not an address such as"),
        (("--address", "127.0.0.1"), 2, "--address is for --phones"),
        (("--phones", "--address", "10.255.255.254"), 2, "does not have the address 10.255.255.254"),
        (("--phones", "--real-cards"), 2, "--table"),
    ],
)
def test_invalid_address_is_refused_in_one_line(vault: Path, words: tuple[str, ...], code: int, why: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", "play", "propheta", "--seat", "A", "--seat", "B", *words, "--vault", vault],
        capture_output=True, text=True, timeout=20, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_game_with_phones_continues_after_the_computer_slept(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        screen = table.sit()
        phones = sit_down(table, screen, 2)
        screen.order("begin")
        table.process.send_signal(signal.SIGSTOP)
        time.sleep(6)
        table.process.send_signal(signal.SIGCONT)
        wait_until(lambda: decide(phones))


def test_server_listens_on_two_addresses_only_and_without_phones_on_one(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        ports = listening_ports(table.process.pid)
        assert ports == {("127.0.0.1", table.port), ("127.0.0.1", port_of(table))}
    with Process(vault, "resume") as table:
        assert listening_ports(table.process.pid) == {("127.0.0.1", table.port)}, "phones come in only if that is said"


def listening_ports(pid: int) -> set[tuple[str, int]]:
    """Return the addresses and ports on which a process listens."""
    inodes = {link.readlink().name for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    found = set()
    for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
            host, port = fields[1].split(":")
            found.add((socket.inet_ntoa(bytes.fromhex(host)[::-1]), int(port, 16)))
    return found
