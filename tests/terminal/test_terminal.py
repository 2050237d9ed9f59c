"""The line interface in a real terminal."""

import re
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

import io
import os
import signal
import time

import pexpect
from rich.console import Console

from tests.terminal.helpers import screen_text
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.styles import TerminalStyle

ENTER_ALT, LEAVE_ALT = "\x1b[?1049h", "\x1b[?1049l"


def spawn(folder: Path, *words: str, **environment: str) -> "pexpect.spawn[str]":
    env = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "FORCE_COLOR", "COLORTERM"}}
    env |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | environment
    command = ["-m", "tests.terminal.driver", str(folder), *words]
    return pexpect.spawn(sys.executable, command, env=env, encoding="utf-8", dimensions=(40, 100), timeout=60)


def finish(child: "pexpect.spawn[str]", log: list[str]) -> str:
    child.expect(pexpect.EOF)
    return "".join(log) + (child.before or "")


def say(child: "pexpect.spawn[str]", log: list[str], wait: str, line: str) -> None:
    child.expect_exact(wait)
    log.append(f"{child.before}{child.after}")
    child.sendline(line)


@pytest.mark.slow
def test_hidden_hands_never_appear_in_the_scrollback(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde", "Aldous", "hands=hidden")
    log: list[str] = []
    for name in ("Ysolde", "Aldous"):
        say(child, log, "then press Enter.", "")
        say(child, log, f"{name} › ", "h")
        say(child, log, "Hidden.", "")
        say(child, log, f"{name} › ", "a")
    say(child, log, "then press Enter.", "")
    say(child, log, "Ysolde › ", "q")
    seen = finish(child, log)
    assert seen.count(ENTER_ALT) == seen.count(LEAVE_ALT) >= 3
    kept = re.sub(re.escape(ENTER_ALT) + ".*?" + re.escape(LEAVE_ALT), "", seen, flags=re.S)
    assert "Your hand" in seen and "Your hand" not in kept and "is dealt" not in kept
    assert "The prize is the" in kept and "cheers." in kept and "vaultkit resume" in kept


@pytest.mark.slow
def test_arrow_keys_edit_a_line_at_every_prompt_and_no_history_is_saved(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde")
    log: list[str] = []
    say(child, log, "Ysolde › ", "zy\x1b[Dx")
    say(child, log, "Ysolde › ", "\x1b[A\x1b[Aq")
    seen = finish(child, log)
    assert "'zxy' is not a move here" in seen and "vaultkit resume" in seen and "^[[" not in seen


@pytest.mark.slow
def test_ctrl_c_leaves_the_hidden_screen_and_shows_how_to_resume(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde", "Aldous", "hands=hidden")
    log: list[str] = []
    say(child, log, "then press Enter.", "")
    child.expect_exact("Ysolde › ")
    log.append(f"{child.before}")
    child.sendintr()
    seen = finish(child, log)
    assert seen.rindex(LEAVE_ALT) < seen.rindex("vaultkit resume 20261103-toy-k3f9")


@pytest.mark.slow
@pytest.mark.parametrize(("environment", "colour"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_are_only_for_terminals_that_accept_them(
    tmp_path: Path, environment: dict[str, str], colour: bool
) -> None:
    child = spawn(tmp_path, "Ysolde", **environment)
    log: list[str] = []
    say(child, log, "Ysolde › ", "q")
    seen = finish(child, log)
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-7]m", seen)) is colour
    assert environment.get("TERM") != "dumb" or "\x1b" not in seen


@pytest.mark.slow
def test_termination_signal_restores_the_screen(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde", "Aldous", "hands=hidden")
    log: list[str] = []
    say(child, log, "then press Enter.", "")
    child.expect_exact("Ysolde › ")
    log.append(f"{child.before}")
    child.kill(signal.SIGTERM)
    seen = finish(child, log)
    child.close()
    assert seen.count(ENTER_ALT) == seen.count(LEAVE_ALT) == 1
    assert child.signalstatus == signal.SIGTERM


@pytest.mark.slow
def test_a_table_taller_than_the_screen_is_shown_in_pages(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde", "Aldous", "hands=hidden", LINES="3")
    log: list[str] = []
    say(child, log, "then press Enter.", "")
    pages = []
    while child.expect_exact(["More: press Enter. ", "Ysolde › "]) == 0:
        pages.append(f"{child.before}")
        child.sendline("")
    assert len(pages) > 1 and all(page.count("\n") <= 3 for page in pages)
    pages.append(f"{child.before}")
    assert "Toy Game" in "".join(pages) and "Wait in silence" in pages[-1]
    child.sendline("q")
    finish(child, log)


@pytest.mark.slow
def test_last_hand_is_scrolled_out_of_view_on_a_terminal_that_cannot_be_cleared(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde", "Aldous", "hands=hidden", TERM="dumb", LINES="40")
    log: list[str] = []
    say(child, log, "then press Enter.", "")
    say(child, log, "Ysolde › ", "a")
    say(child, log, "then press Enter.", "")
    say(child, log, "Aldous › ", "q")
    seen = finish(child, log)
    between = seen[seen.index("Ysolde › ") : seen.index("Pass the screen to Aldous")]
    assert between.replace("\r", "").count("\n\n") and between.count("\n") >= 40 and "\x1b" not in seen


@pytest.mark.slow
def test_enter_ends_a_pause_and_q_leaves_in_one(tmp_path: Path) -> None:
    child = spawn(tmp_path, "bot:first", "bot:first", "bot:first", "--pace")
    begun = time.monotonic()
    for typed in ("", "q"):
        child.expect_exact("cheers.")
        assert child.expect_exact(["cheers.", pexpect.TIMEOUT], timeout=1) == 1, "the next one waits"
        child.sendline(typed)
    child.expect(pexpect.EOF)
    assert "vaultkit resume" in child.before and "cheers." not in child.before and "\nq" not in child.before
    assert time.monotonic() - begun < 30


@pytest.mark.short(1)
@pytest.mark.parametrize("ended_by", ["time", "enter"])
def test_typing_in_the_pause_of_a_bot_is_neither_shown_nor_an_answer(tmp_path: Path, ended_by: str) -> None:
    child = spawn(tmp_path, "Ysolde", "bot:first", "bot:first", "--short-pace" if ended_by == "time" else "--pace")
    log: list[str] = []
    begun = time.monotonic()
    child.expect_exact("Ysolde › ")
    child.sendline("a")
    child.expect_exact("cheers.")
    child.expect_exact("cheers.")
    time.sleep(0.5)
    child.send("wombat" if ended_by == "time" else "wombat\r")
    say(child, log, "Ysolde › ", "")
    say(child, log, "Ysolde › ", "q")
    seen = finish(child, log)
    assert "wombat" not in seen and "vaultkit resume" in seen
    assert ended_by == "time" or time.monotonic() - begun < 40


@pytest.mark.slow
def test_typing_while_the_screen_is_passed_round_is_not_shown(tmp_path: Path) -> None:
    child = spawn(tmp_path, "Ysolde", "Aldous", "hands=hidden")
    log: list[str] = []
    say(child, log, "then press Enter.", "play 8-roots")
    say(child, log, "then press Enter.", "")
    say(child, log, "Ysolde › ", "wombat")
    say(child, log, "Ysolde › ", "q")
    seen = finish(child, log)
    assert "8-roots" not in seen and "wombat" in seen


@pytest.mark.parametrize("terminal", [True, False])
def test_typing_while_a_hint_is_computed_answers_nothing(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = os.openpty() if terminal else os.pipe()[::-1]
    with os.fdopen(ends[1], encoding="utf-8") as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        console = Console(file=io.StringIO(), force_terminal=terminal)
        with GameConsole(console, TerminalSource(console), TerminalStyle({})).show_thinking():
            os.write(ends[0], b"a\n")
        os.write(ends[0], b"b\n")
        assert typed.readline() == ("b\n" if terminal else "a\n")
    os.close(ends[0])
    assert ("Thinking …" in screen_text(console)) == terminal
