"""The last resort: what no layer has turned into an error for people."""

import io
import os
import signal
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from vaultkit import files
from vaultkit.cli import error_handler, progress
from vaultkit.errors import ExitCode

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


def test_progress_line_on_a_windows_console_is_erased_before_output(monkeypatch: pytest.MonkeyPatch) -> None:
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
        deadline = time.monotonic() + 10
        while not console.data and time.monotonic() < deadline:
            time.sleep(0.01)
        monkeypatch.setattr(progress, "DELAY_SECONDS", 60.0)
        sys.stderr.write("Done\n")
    finally:
        line.stop()
    assert console.data.decode() == "\r\rČte\r" + " " * 6 + "\rDone" + os.linesep
