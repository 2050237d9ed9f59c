"""The last resort: what no layer has turned into an error for people."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from vaultkit.cli import app, error_handler
from vaultkit.errors import ExitCode

SECRET = "Sefa is the murderer"


def failing(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(app, "app", fail)


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
