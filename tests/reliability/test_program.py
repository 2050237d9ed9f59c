"""The program itself, killed at random moments between its start and its end: a game with real cards is logged once."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.counts import count
from tests.reliability.state import history_is_sound, leftovers
from vaultkit.vault import Vault

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")]
ROOT = Path(__file__).parents[2]
KILLS = count(6, 100)


def words(vault: Path, game: int) -> list[str]:
    return [
        *(sys.executable, "-m", "vaultkit", "log", "dragon-citadel", "--vault", str(vault)),
        *(
            "--score",
            f"Ysolde: swords={game}",
            "--score",
            f"Guest{game}: stars=7",
            "--outcome",
            "party",
            "--force",
            "--date",
            "2026-11-03",
            "--campaign",
            "Mine",
        ),
    ]


def timed(command: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    """A process that is let run to its end, and how long it took, in seconds."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done, time.perf_counter() - started


def test_paper_log_killed_and_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    vault = tmp_path / "vault"
    shutil.copytree(ROOT / "vault-example", vault)
    (vault / "Mine.md").write_bytes(b"# Mine\n\n## Log\n")
    _, usual = timed(words(vault, 1))
    chance, killed = random.Random(7), 0
    before = len(list(vault.rglob("2026-11-03 Dragon Citadel*.md")))
    for game in range(2, KILLS + 2):
        child = subprocess.Popen(words(vault, game), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.4, 1.05) * usual)
        child.kill()
        killed += child.wait() < 0
        done, usual = timed(words(vault, game))  # anew each time, since other work on the machine comes and goes
        assert done.returncode == 0, done.stderr
        assert len(list(vault.rglob("2026-11-03 Dragon Citadel*.md"))) == before + game - 1
        assert (vault / "Mine.md").read_text("utf-8").count("^vk-") == game
    assert killed > KILLS // 3
    assert leftovers(vault) == []
    assert history_is_sound(Vault(vault))
