"""A game at a table in its own process: to its end, interrupted in every way, and resumed."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.web.processes import Browser, Process, wait_until
from vaultkit import resources
from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

pytestmark = pytest.mark.slow

GAME = ("play", "dragon-citadel", "--seat", "Ysolde", "--seat", "bot:greedy", "--seat", "bot:greedy", "--seed", "3")
PAIR = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "Bram", "--seed", "3", "--speed", "off")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))


def decide(browser: Browser, scene: object) -> bool:
    """Make the first offered move, uncovering a hand first, and return whether anybody was asked."""
    assert isinstance(scene, dict)
    if not scene["question"]:
        return False
    order = {"question": scene["question"], "do": "offer", "offer": "0", "sure": True}
    status, _, value = browser.post(f"{browser.at}order", order)
    if status == 422 and "cover" in value["why"]:
        assert browser.post(f"{browser.at}order", {**order, "do": "uncover"})[0] == 200
        status, _, value = browser.post(f"{browser.at}order", order)
    return bool(status == 200)


def journal(vault: Path) -> Path:
    return max((vault / JOURNALS_FOLDER).glob("*.journal"), key=lambda path: path.stat().st_mtime_ns)


def play_out(table: Process, browser: Browser) -> None:
    """Play until the game is over, and close the table."""
    with browser.stream() as stream:
        while True:
            scene = stream.scene()
            if not decide(browser, scene) and b'"kind":"end"' in journal(table.vault).read_bytes():
                break
    with suppress(OSError):
        while table.process.poll() is None:
            browser.order("finish")
            time.sleep(0.1)


@pytest.mark.parametrize("words", [(*GAME, "--speed", "off"), PAIR])
def test_game_is_played_to_its_end_logged_and_printed_as_json(vault: Path, words: tuple[str, ...]) -> None:
    with Process(vault, *words, "--json") as table:
        play_out(table, table.sit())
        code, out = table.end()
    found = json.loads(out)
    assert code == 0, table.said
    assert found["outcome"]["kind"]
    assert (vault / found["note"]).is_file()
    assert f"Written: {found['note']}" in table.said
    assert not list((vault.parent / "state").rglob("tables/*")), "nobody comes back to a finished game"


def test_ctrl_c_with_open_streams_shows_how_to_continue(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        browser = table.sit()
        streams = [browser.stream() for _ in range(4)]
        assert decide(browser, streams[0].question())
        began = time.monotonic()
        table.interrupt()
        assert table.end()[0] == 130
        assert time.monotonic() - began < table.most
        assert f"vaultkit resume {journal(vault).stem} --table" in table.said
        for stream in streams:
            while (event := stream.event())[0] == "scene":
                pass
            assert event[0] == "end"


def test_second_ctrl_c_exits_at_once(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        browser = table.sit()
        stalled = browser.raw()
        stalled.sendall(f"GET {browser.at}stream HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n".encode())
        table.interrupt()
        time.sleep(0.02)
        table.interrupt()
        assert table.end()[0] == 130
        assert "Traceback" not in table.said
        assert f"vaultkit resume {journal(vault).stem} --table" in table.said


def test_same_page_continues_at_the_same_address_after_kill_9(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        browser = table.sit()
        with browser.stream() as stream:
            first = stream.question()
            assert decide(browser, first)
            old = stream.question(but=first["question"])["question"]
            table.process.kill()
            table.end()
    lines = journal(vault).read_bytes()
    with Process(vault, "resume") as again:
        assert again.port == table.port
        began = time.monotonic()
        with browser.stream() as stream:
            scene = stream.question()
            assert scene["question"] != old, "an order of before would play nothing"
            status, _, _ = browser.post(f"{browser.at}order", {"question": old, "do": "offer", "offer": "0"})
            assert status == 409
            assert journal(vault).read_bytes() == lines
            assert decide(browser, scene)
        assert time.monotonic() - began < table.most
        assert journal(vault).read_bytes().startswith(lines)
        assert len(journal(vault).read_bytes()) > len(lines)


def test_table_moves_to_another_port_if_taken_and_reports_it(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        table.sit()
        table.process.kill()
        table.end()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", table.port))
        taken.listen()
        with Process(vault, "resume") as again:
            assert again.port != table.port
            wait_until(lambda: "now uses the port of this table" in again.said)
            browser = again.sit()
            with browser.stream() as stream:
                assert decide(browser, stream.question())


def test_game_open_on_one_table_is_refused_on_another(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        browser = table.sit()
        other = subprocess.run(
            [sys.executable, "-m", "vaultkit", "resume", "--table", "--vault", str(vault)],
            capture_output=True, text=True, timeout=20, check=False,
        )  # fmt: skip
        assert other.returncode == 5
        assert "being played in another window" in other.stderr
        with browser.stream() as stream:
            assert decide(browser, stream.question())


def test_bots_play_at_their_pace_and_wait_while_no_page_is_open(vault: Path) -> None:
    bots = ("--seat", "bot:greedy") * 3
    with Process(vault, "play", "dragon-citadel", *bots, "--seed", "3", "--speed", "fast", "--no-log") as table:
        browser = table.sit()
        waiting = journal(vault).stat().st_size
        time.sleep(1)
        assert journal(vault).stat().st_size == waiting, "nobody looks"
        with browser.stream() as stream:
            stream.scene()
            wait_until(lambda: journal(vault).stat().st_size > waiting)
            time.sleep(2)
        moves = journal(vault).read_text().count('"kind":"move"')
        assert 1 <= moves <= 8, "one move in 0.8 seconds"


@pytest.mark.parametrize("words", [("--script", "moves.txt"), ("--plain",)])
def test_terminal_only_options_are_refused_in_one_line(vault: Path, words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", *GAME, "--table", *words, "--vault", str(vault)],
        capture_output=True, text=True, timeout=20, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "--table" in done.stderr


def test_game_pauses_while_the_drive_is_missing_and_continues_afterwards(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        browser = table.sit()
        with browser.stream() as stream:
            first = stream.question()
            kept = journal(vault).read_bytes()
            away = (vault / JOURNALS_FOLDER).rename(vault / "away")
            assert not decide(browser, first)
            away.rename(vault / JOURNALS_FOLDER)
            assert journal(vault).read_bytes() == kept
            assert decide(browser, stream.question()), "the same question stands, and all have been told"
            assert journal(vault).read_bytes() != kept


def test_game_continues_after_the_computer_slept(vault: Path) -> None:
    with Process(vault, *PAIR) as table:
        browser = table.sit()
        with browser.stream() as stream:
            first = stream.question()
            table.process.send_signal(signal.SIGSTOP)
            time.sleep(6)
            table.process.send_signal(signal.SIGCONT)
            assert decide(browser, first)
            assert stream.question(but=first["question"])
