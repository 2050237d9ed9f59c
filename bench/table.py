"""How fast the table in the browser is: moves, events, its start, its memory, and what becomes of it when pressed.

Usage: python bench/table.py [--quick]

Every client is a connection of this process, so that nothing but the table is measured; ratios are to things of the
same run.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAME = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "Bram", "--seed", "3", "--speed", "off", "--no-log")
CLIENTS = 8
WAIT = 30.0
WHOLE = 10_000
"""More moves than any game has."""
_AS_FOR_USERS = {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": ""}
"""Users run what Python has compiled once."""
PAGE = (
    "/web/theme.css", "/web/table.css", "/web/phone.css", "/web/own.css", "/web/back.svg", "/web/table.js",
    "/web/Cinzel-Bold-basic.ttf", "/web/Alegreya-Regular-basic.ttf",
)  # fmt: skip


class Table:
    """`vaultkit ... --table` as a process, with its address."""

    def __init__(self, vault: Path, *words: str) -> None:
        self.vault = vault
        env = {**os.environ, "VAULTKIT_VAULT": str(vault), "XDG_STATE_HOME": str(vault.parent), **_AS_FOR_USERS}
        command = [sys.executable, "-m", "vaultkit", *words, "--table"]
        self.process = subprocess.Popen(
            command, cwd=vault, env=env, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stderr
        for line in self.process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/#(\S+)", line):
                self.port, self.code = int(found[1]), found[2]
                return
        raise RuntimeError("no table was opened")

    @property
    def memory(self) -> float:
        """Megabytes that it holds; 0 where the system does not say."""
        with suppress(OSError):
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
            return int(status.split("VmRSS:")[1].split()[0]) / 1024
        return 0.0

    def end(self, number: signal.Signals = signal.SIGINT) -> float:
        """Seconds until it has ended."""
        begun = time.perf_counter()
        self.process.send_signal(number)
        self.process.wait(WAIT)
        return time.perf_counter() - begun


class Client:
    """One browser with an open stream."""

    def __init__(self, table: Table, seat: "Client | None" = None) -> None:
        self.port = table.port
        self.http = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        self.cookie, self.at = (seat.cookie, seat.at) if seat else ("", "")
        if not seat:
            status, headers, value = self.post("/sit", {"token": table.code})
            assert status == 200, value
            self.at, self.cookie = value["at"], headers["set-cookie"].partition(";")[0]
        self.question = ""
        self.largest = 0

    def post(self, path: str, value: object) -> tuple[int, Any, Any]:
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"Cookie": self.cookie, "Origin": origin, "Content-Type": "application/json"}
        self.http.request("POST", path, json.dumps(value), headers)
        answer = self.http.getresponse()
        return answer.status, answer.headers, json.loads(answer.read())

    def get(self, path: str) -> bytes:
        self.http.request("GET", path, headers={"Cookie": self.cookie, "Accept-Encoding": "gzip"})
        answer = self.http.getresponse()
        assert answer.status == 200, path
        return answer.read()

    def listen(self) -> "Client":
        self.stream = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        self.stream.request("GET", f"{self.at}stream", headers={"Cookie": self.cookie})
        self.events = self.stream.getresponse()
        return self

    def scene(self) -> Any:
        """The next Scene."""
        while True:
            fields = {}
            while line := self.events.readline().decode().rstrip("\n"):
                name, _, value = line.partition(": ")
                fields[name] = value
            if fields.get("event") == "scene":
                self.largest = max(self.largest, len(fields["data"]))
                scene = json.loads(fields["data"])
                self.question = scene["question"]
                return scene

    def asked(self, old: str) -> Any:
        """The next Scene with a question that is another one than `old`."""
        while True:
            scene = self.scene()
            if scene["question"] not in (None, old) or "id='end'" in scene["regions"]["middle"]:
                return scene

    def order(self, do: str, **more: object) -> int:
        status, _, _ = self.post(f"{self.at}order", {"question": self.question, "do": do, **more})
        return status


def move(mover: Client) -> tuple[float, str]:
    """Make the first move that is offered, behind a cover too; when it was sent, and to which question."""
    while True:
        begun, old = time.perf_counter(), mover.question
        status = mover.order("offer", offer="0", sure=True)
        if status == 200:
            return begun, old
        if status == 409 or mover.order("uncover") == 409:  # luck has moved on meanwhile
            mover.asked(old)


def play(mover: Client, clients: list[Client], moves: int) -> list[float]:
    """Seconds from each move that is posted to its event at the last of all clients."""
    times: list[float] = []
    while len(times) < moves:
        begun, old = move(mover)
        scenes = [client.asked(old) for client in clients]
        times.append(time.perf_counter() - begun)
        if "id='end'" in scenes[0]["regions"]["middle"]:
            break
    return times


def floor(folder: Path, scene: bytes) -> float:
    """Seconds of an echo of one request, one fsync, and making 8 Scenes into JSON, in this process."""
    one, other = socket.socketpair()
    begun = time.perf_counter()
    one.sendall(b"x" * 200)
    other.recv(4096)
    other.sendall(scene)
    left = len(scene)
    while left > 0:
        left -= len(one.recv(65536))
    with (folder / "floor").open("wb") as file:
        file.write(b"x" * 200)
        file.flush()
        os.fsync(file.fileno())
    return time.perf_counter() - begun


def fastest(deed: Callable[[], object], runs: int) -> float:
    """Seconds of the fastest of so many runs."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        deed()
        times.append(time.perf_counter() - begun)
    return min(times)


def drawing_time() -> float:
    """Seconds in which 8 Scenes are made in this process, the fastest of some."""
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.host.advice import Advice, markdown_to_text
    from vaultkit.host.game_host import GameHost
    from vaultkit.session.seats import parse_seats
    from vaultkit.web import page_html
    from vaultkit.web.host_page import HostPage
    from vaultkit.web.seat_sessions import SeatSessions

    with tempfile.TemporaryDirectory() as folder:
        vault = shutil.copytree(ROOT / "vault-example", Path(folder) / "vault")
        notes = GameNotes.from_name(Workspace(vault, cached=False), "turn-of-fate", ())
        with notes.begin(parse_seats(("Ysolde", "Bram")), 3, clock=_noon, options=notes.options(())) as session:
            consulting = Advice(session, notes.reference(session, markdown_to_text))
            held = GameHost(session, consulting)
            held.advance(watched=True)
            page = HostPage(held)
            door = SeatSessions("", session.deck.by_id)
            clients = [door.add_client(str(at)) for at in range(CLIENTS)]

            def draw() -> None:
                held.invalidate()  # what was made before counts no more
                for client in clients:
                    json.dumps(asdict(page_html.render_update(page.sight(client))))

            return fastest(draw, 20)


def _noon() -> datetime:
    return datetime(2026, 11, 3, 12, tzinfo=UTC)


def moves(folder: Path, count: int) -> list[str]:
    """A move at the last of 8 clients, the largest event, and what the table holds after it all."""
    table = Table(_vault(folder, "moves"), *GAME)
    clients = [Client(table).listen() for _ in range(CLIENTS)]
    for client in clients:
        client.asked("")
    times = play(clients[0], clients, count)
    page = sum(len(clients[0].get(path)) for path in (clients[0].at, *PAGE))
    scene = b"x" * max(client.largest for client in clients)
    least = fastest(lambda: floor(folder, scene), 50) + drawing_time()
    many, median = sorted(times)[int(len(times) * 0.95)], statistics.median(times)
    return [
        _row(f"a move at the last of {CLIENTS} clients, median of {len(times)}", median * 1000, "ms", ""),
        _row("the same to an echo, an fsync and making the Scenes", median / least, "x", "3 x"),
        _row("the same, 95th percentile", many * 1000, "ms", "50 ms"),
        _row("the largest event", len(scene) / 1024, "KB", "15 KB"),
        _row("the first page without pictures, as it is sent", page / 1024, "KB", "60 KB"),
        _row("memory with 8 clients after it", table.memory, "MB", "150 MB"),
        _row("Ctrl-C with 8 open streams to its end", table.end(), "s", "3 s"),
    ]


def match(folder: Path, games: int, moves: int) -> list[str]:
    """The memory after so many games in one process; and what so many moves more cost if 7 of 8 clients stall.

    The same games are played twice, and in the first of them all clients read: else what grows until caches are full
    would count for what nobody reads.
    """
    read = [_grown(folder, f"match-{stalled}", games, moves, stalled) for stalled in (0, CLIENTS - 1)]
    (after, made, more), (_, _, most) = read
    return [
        _row(f"memory with {CLIENTS} clients after {games} games", after, "MB", "150 MB"),
        _row(f"the same after {made} moves more, as caches fill", after + more, "MB", "150 MB"),
        _row(f"what these cost more with {CLIENTS - 1} stalled clients", most - more, "MB", "no growth"),
    ]


def _grown(folder: Path, name: str, games: int, moves: int, stalled: int) -> tuple[float, int, float]:
    """The memory after so many games, how many moves were made after them, and by how much it grew meanwhile."""
    table = Table(_vault(folder, name), *GAME, "--match", "99")
    clients = [Client(table).listen() for _ in range(CLIENTS)]
    for client in clients:
        client.asked("")
    for _ in range(games):
        play(clients[0], clients, WHOLE)
        _next_game(clients)
    after, made, reading = table.memory, 0, clients[: CLIENTS - stalled]
    while made < moves:
        made += len(play(clients[0], reading, WHOLE))
        _next_game(reading)
    more = table.memory - after
    table.end()
    return after, made, more


def _next_game(clients: list[Client]) -> None:
    old = clients[0].question
    assert clients[0].order("next") == 200
    for client in clients:
        client.asked(old)


def start(folder: Path, runs: int) -> list[str]:
    """The time to the first page, to that of an empty Python."""
    vault = _vault(folder, "start")

    def begin() -> None:
        table = Table(vault, *GAME)
        Client(table).get("/")
        times.append(time.perf_counter() - begun)
        table.end()

    times: list[float] = []
    for _ in range(runs):
        begun = time.perf_counter()
        begin()
    empty = fastest(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), runs * 2)
    return [_row("--table to the first page, to python -c pass", min(times) / empty, "x", "40 x")]


def crash(folder: Path) -> list[str]:
    """Killed, begun again, and played on by a page that was open."""
    vault = _vault(folder, "crash")
    table = Table(vault, *GAME)
    before = Client(table).listen()
    before.asked("")
    table.end(signal.SIGKILL)
    again = Table(vault, "resume")
    begun = time.perf_counter()
    client = Client(again, before).listen()
    client.asked("")
    move(client)
    seconds = time.perf_counter() - begun
    crowd = []
    for _ in range(500):
        with suppress(OSError):
            crowd.append(socket.create_connection(("127.0.0.1", again.port), timeout=1))
            crowd[-1].sendall(b"GET / HTTP/1.1\r\n")
    status = client.order("who")
    for one in crowd:
        one.close()
    again.end()
    return [
        _row("kill -9 and resume, to a move once the server is back", seconds, "s", "3 s"),
        f"| {len(crowd)} half-open connections: a seated client gets | {status} | 200 |",
    ]


def _row(what: str, value: float, unit: str, budget: str) -> str:
    return f"| {what} | {value:.{2 if value < 10 else 0}f} {unit} | {budget} |"


def _vault(folder: Path, name: str) -> Path:
    return Path(shutil.copytree(ROOT / "vault-example", folder / name / "vault"))


def main() -> None:
    """Print a table of all budgets."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a few moves only: does it run at all")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("| what | measured | budget |\n|---|--:|--:|")
        for line in start(folder, 2 if quick else 7):
            print(line, flush=True)
        for line in moves(folder, 8 if quick else 200):
            print(line, flush=True)
        for line in match(folder, *((1, 20) if quick else (10, 1000))):
            print(line, flush=True)
        for line in crash(folder):
            print(line, flush=True)


if __name__ == "__main__":
    main()
