"""Several processes at once, and killed processes: nothing is lost or written twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.campaign.samples import log, numbered_game
from vaultkit.vault import Vault

pytestmark = pytest.mark.slow

CHILD = """
import sys
from pathlib import Path
from tests.campaign.samples import log, numbered_game
from vaultkit.vault import Vault
print("ready", flush=True)
sys.stdin.readline()
for number in map(int, sys.argv[2:]):
    log(Vault(Path(sys.argv[1])), numbered_game(number))
"""


def lines(vault: Vault) -> list[str]:
    text = (vault.root / "Campaign Log.md").read_text("utf-8")
    return sorted(line.rpartition("-")[2] for line in text.splitlines() if "^vk-" in line)


def notes(vault: Vault) -> list[str]:
    found = (Vault(vault.root).read(f"Games/{path.name}") for path in (vault.root / "Games").glob("*.md"))
    return sorted(str(note.property("vaultkit-session")).rpartition("-")[2] for note in found)


def test_two_processes_log_at_once(vault: Vault) -> None:
    root = Path(__file__).parents[2]
    numbers = [range(20), range(20, 40)]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(vault.root), *map(str, some)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, text=True,
        )
        for some in numbers
    ]  # fmt: skip
    for child in children:
        assert child.stdout and child.stdin
        assert child.stdout.readline() == "ready\n"
    for child in children:
        child.communicate("go\n")
    assert [child.returncode for child in children] == [0, 0]
    assert lines(vault) == notes(vault) == [f"{number:04d}" for number in range(40)]
    assert list(vault.root.rglob(".vaultkit-*")) == []


@pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")
def test_log_killed_at_any_moment_is_completed_when_repeated(vault: Vault) -> None:
    log(vault, numbered_game(0))
    started = time.perf_counter()
    log(vault, numbered_game(1))
    usual = time.perf_counter() - started
    moments = random.Random(7)
    for number in range(2, 18):
        child = os.fork()
        if child == 0:
            log(Vault(vault.root), numbered_game(number))
            os._exit(0)
        time.sleep(moments.uniform(0, usual * 1.1))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        log(Vault(vault.root), numbered_game(number))
        expected = [f"{known:04d}" for known in range(number + 1)]
        assert lines(vault) == notes(vault) == expected
    assert len(list((vault.root / "Games").iterdir())) == 18
