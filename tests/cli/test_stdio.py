"""`-` is stdin or stdout wherever a file is named, and never a file of that name."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.scoresheets.filling import by_pypdf
from vaultkit.errors import ExitCode

SCORES = """
game = "chess"
[[players]]
name = "Ysolde Marr"
colour = "White"
result = "won"
[[players]]
name = "Bram Tolliver"
colour = "Black"
result = "lost"
"""


@pytest.fixture(autouse=True)
def no_file_is_called_so(example: Path) -> Iterator[None]:
    yield
    assert not [path for path in example.rglob("-*") if path.stem == "-"]


def run(*words: str, cwd: Path, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "vaultkit", *words]
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, check=False)


@pytest.mark.short(1)
@pytest.mark.parametrize("other", ["--json", "--open", "--preview", "--watch", ""])
def test_pdf_on_stdout_is_not_mixed_with_text_or_sent_to_a_terminal(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: not other)
    done = vk("print", "scores", "chess", "--out", "-", *filter(None, [other]), cwd=example)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert (other or "terminal") in done.err and "--out" in done.err


@pytest.mark.short(1)
@pytest.mark.parametrize("words", [("log", "--from", "-"), ("log", "-")])
def test_scores_are_read_from_stdin(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(SCORES.encode()))))
    done = vk(*words, "--json", cwd=example)
    assert done.code == ExitCode.OK, done.err
    assert (example / done.json["note"]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("scores", "chess"),
        ("rules", "propheta", "--booklet", "a5", "--accessible"),
        ("cards", "tarokka", "--accessible"),
        ("calibrate",),
    ],
)
def test_pdf_is_written_to_stdout_complete_and_alone(example: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run("print", *words, "--out", "-", cwd=example)
    assert done.returncode == ExitCode.OK and b"Sent to stdout: " in done.stderr
    assert run("print", *words, "--out", str(tmp_path / "it.pdf"), cwd=example).returncode == ExitCode.OK
    assert done.stdout == (tmp_path / "it.pdf").read_bytes()
    assert (b"Left out: " in done.stderr) is (words[0] in ("rules", "cards"))


@pytest.mark.slow
def test_filled_sheet_is_read_from_stdin(example: Path, tmp_path: Path) -> None:
    printed = run("print", "scores", "chess", "--layout", "party", "--players", "-", "--out", "-", cwd=example).stdout
    sheet = tmp_path / "filled.pdf"
    boxes: dict[str, str | bool] = {"p1.player": "Ysolde", "p1.colour.White": True, "p1.result.won": True}
    bram: dict[str, str | bool] = {"p2.player": "Bram", "p2.colour.Black": True, "p2.result.lost": True}
    sheet.write_bytes(by_pypdf(printed, boxes | bram))
    piped = run("log", "--from", "-", "--json", cwd=example, stdin=sheet.read_bytes())
    assert piped.returncode == ExitCode.OK, piped.stderr
    assert "Ysolde" in (example / json.loads(piped.stdout)["note"]).read_text(encoding="utf-8")
