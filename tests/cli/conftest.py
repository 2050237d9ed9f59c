"""Running the command line as a user does, in this process for speed or in one of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from vaultkit import resources
from vaultkit.cli import error_handler
from vaultkit.errors import ExitCode

EPOCH = "1793700000"  # 2026-11-03
Vaultkit = Callable[..., "Done"]


@dataclass(frozen=True)
class Done:
    """What a finished command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What the document on stdout holds: its items, or else its fields but the schema."""
        document = json.loads(self.out)
        assert document.pop("schema") == 1
        return document["items"] if document.keys() == {"items"} else document


@pytest.fixture(autouse=True)
def quiet_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings, caches or colours of the machine that runs the tests."""
    places = ("CACHE", "CONFIG", "DATA", "STATE")
    for name in ("HOME", "LOCALAPPDATA", "APPDATA", *(f"XDG_{place}_HOME" for place in places)):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("VAULTKIT_VAULT", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "SOURCE_DATE_EPOCH": EPOCH}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example vault."""
    return Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))


@pytest.fixture
def vk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Vaultkit:
    """`vk("check", "--json", cwd=vault)` runs a command in this process."""

    def run(*words: str, cwd: Path | None = None) -> Done:
        monkeypatch.setattr(sys, "argv", ["vaultkit", *words])
        if cwd is not None:
            monkeypatch.chdir(cwd)
        capsys.readouterr()
        code = error_handler.run()
        captured = capsys.readouterr()
        return Done(int(code), captured.out, captured.err)

    return run


def process(*words: str, cwd: Path, stdin: str = "") -> Done:
    """A command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", *words],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=dict(os.environ),
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def finish_game(vk: Vaultkit, cwd: Path, script: Path, *words: str) -> Done:
    """Play on with the first legal move at each decision until the game, or the match, is over.

    `words` begin or resume it. The story of a move, where one is asked for, is `nonsense`. Return the last run with
    what all runs wrote to stderr.
    """
    moves, written = list[str](), ""
    while True:
        script.write_text("\n".join([*moves, "nonsense", "nonsense"]), encoding="utf-8")
        done = vk(*words, "--script", str(script), "--json", cwd=cwd)
        written += done.err
        if done.code == ExitCode.OK:
            return replace(done, err=written)
        legal_moves = re.search(r"Legal moves: ([^;.]+)", done.err)
        assert legal_moves, done.err
        moves, words = [legal_moves[1]], ("resume",)
