"""The last resort: what no layer has turned into an error for people."""

import io
import os
import signal
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from vaultkit import files, stdio
from vaultkit.cli import error_handler, progress
from vaultkit.cli.app import app
from vaultkit.errors import ExitCode
from vaultkit.terminal.answer_sources import ScriptSource, TerminalSource

SECRET = "Sefa is the murderer"


def failing(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(error_handler, "app", fail)


def test_crash_report_contains_no_text_of_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(ValueError(SECRET), monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert error_handler.run() == ExitCode.BUG
    (report,) = tmp_path.iterdir()
    assert "ValueError" in report.read_text() and SECRET not in report.read_text()
    assert os.name != "posix" or stat.S_IMODE(report.stat().st_mode) == 0o600
    assert str(report) in (told := capsys.readouterr().err) and SECRET not in told


def test_crash_report_without_a_writable_place_goes_to_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(ValueError(SECRET), monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert error_handler.run() == ExitCode.BUG
    told = capsys.readouterr().err
    assert "error_handler.py" in told and "send it to the authors" in told and SECRET not in told


def test_out_of_memory_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    failing(MemoryError(), monkeypatch)
    assert error_handler.run() == ExitCode.INVALID
    assert "not enough memory" in capsys.readouterr().err


def _press_ctrl_c(*_: object, **__: object) -> None:
    signal.raise_signal(signal.SIGINT)


def _running_timers() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if isinstance(t, threading.Timer) and not t.finished.is_set()]


def test_ctrl_c_during_the_handling_of_ctrl_c_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(error_handler, "app", _press_ctrl_c)
    monkeypatch.setattr(progress.LINE, "stop", _press_ctrl_c)
    assert error_handler.run() == ExitCode.INTERRUPTED
    assert signal.getsignal(signal.SIGINT) == handler


def test_ctrl_c_while_an_error_is_reported_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(MemoryError(), monkeypatch)
    monkeypatch.setattr(error_handler, "print_vaultkit_error", _press_ctrl_c)
    assert error_handler.run() == ExitCode.INTERRUPTED


def test_exit_after_ctrl_c_is_cancelled_once_the_command_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[int]()

    def ignore_ctrl_c(**_: object) -> int:
        with pytest.raises(KeyboardInterrupt):
            _press_ctrl_c()
        seen.append(len(_running_timers()))
        return 0

    monkeypatch.setattr(sys, "argv", ["vaultkit", "check"])
    monkeypatch.setattr(error_handler, "app", ignore_ctrl_c)
    assert error_handler.run() == ExitCode.OK
    assert seen == [1] and not _running_timers()


class _WindowsConsoleIO(io.RawIOBase):
    """A stand-in for Python's stream of a Windows console."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: "bytes | memoryview") -> int:  # type: ignore[override]
        self.data += bytes(data)
        return len(data)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True


@contextmanager
def _draw_line(monkeypatch: pytest.MonkeyPatch) -> Iterator[_WindowsConsoleIO]:
    """Yield a console of Windows on which a progress line has appeared at once."""
    console = _WindowsConsoleIO()
    stream = io.TextIOWrapper(io.BufferedWriter(console), encoding="utf-8", write_through=True)
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, io.StringIO())
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(files, "LAST_READ", [""])
    error_handler.repair_streams()
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    line = progress.ProgressLine()
    line.work = "Čte"
    line.start()
    try:
        assert _wait_for_data(console, 10)
        yield console
    finally:
        line.stop()


def _wait_for_data(console: _WindowsConsoleIO, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not console.data and time.monotonic() < deadline:
        time.sleep(0.01)
    return bool(console.data)


def test_progress_line_on_a_windows_console_is_erased_before_output(monkeypatch: pytest.MonkeyPatch) -> None:
    with _draw_line(monkeypatch) as console:
        monkeypatch.setattr(progress, "DELAY_SECONDS", 60.0)
        sys.stderr.write("Done\n")
    assert console.data.decode() == "\r\rČte\r" + " " * 6 + "\rDone" + os.linesep


def test_progress_line_waits_until_people_no_longer_need_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with _draw_line(monkeypatch) as console:
        with stdio.hold_terminal():
            assert console.data.decode() == "\r\rČte\r" + " " * 6 + "\r", "erased before people read and type"
            console.data = b""
            with stdio.hold_terminal():
                files.LAST_READ[0] = "Inn.md"
            assert not _wait_for_data(console, 0.6)
        assert _wait_for_data(console, 10)


@pytest.mark.parametrize("words", [("learn", "propheta"), ("play", "propheta"), ("play", "propheta", "--real-cards")])
def test_terminal_belongs_to_the_people_while_they_play(
    words: tuple[str, ...], example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[bool] = []

    def leave(*_: object) -> str:
        held.append(stdio.is_terminal_held())
        raise EOFError

    monkeypatch.setattr(ScriptSource, "answer", leave)
    monkeypatch.setattr(ScriptSource, "pause", leave)
    seats = () if words[0] == "learn" else ("--seat=Ann", "--seat=Ben")
    (example / "moves.txt").write_text("a\n", encoding="utf-8")
    app([*words, *seats, "--script", str(example / "moves.txt"), "--vault", str(example)], standalone_mode=False)
    assert held == [True] and not stdio.is_terminal_held()


def test_terminal_belongs_to_the_people_at_a_question() -> None:
    source = TerminalSource(Console(file=io.StringIO()), lambda: "y" if stdio.is_terminal_held() else "n")
    assert (source.answer(Text("?"), ""), source.pause(Text("?")), source.confirm(Text("?"), "")) == ("y", "y", True)
    assert not stdio.is_terminal_held()
