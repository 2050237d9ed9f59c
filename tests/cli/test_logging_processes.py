"""`vaultkit log` as real processes: cut off, done again, and several at once."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import process
from tests.cli.test_logging import GAME, SCORES, kept
from vaultkit.errors import ExitCode


@pytest.mark.slow
def test_missing_note_is_written_again_by_its_id_with_one_line(example: Path) -> None:
    done = process(*GAME, *SCORES, "--json", cwd=example)
    session = json.loads(done.out)["session"]
    (example / json.loads(done.out)["note"]).unlink()
    again = process("log", "--session", session, cwd=example)
    assert again.code == ExitCode.OK and "Written: Games/" in again.err
    log = (example / "Campaign Log.md").read_text(encoding="utf-8")
    assert len(re.findall(rf"\^vk-{session}$", log, re.MULTILINE)) == 1


def started(vault: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "vaultkit", *GAME, *SCORES, "--json"],
        cwd=vault,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def written_once(vault: Path) -> bool:
    """Whether there is one note of a game, one line that leads to it, and no file that a cut-off write has left."""
    log = (vault / "Campaign Log.md").read_text(encoding="utf-8")
    left = [path for path in vault.rglob(".vaultkit-*") if path.is_file()]
    return (
        len(list((vault / "Games").glob("*.md"))) == 1 and log.count("^vk-") == 1 and len(kept(vault)) == 1 and not left
    )


@pytest.mark.slow
def test_log_interrupted_at_any_moment_and_repeated_is_there_exactly_once(example: Path) -> None:
    begun = time.monotonic()
    assert started(example).wait() == 0
    whole = time.monotonic() - begun
    for kill in range(12):
        shutil.rmtree(example / "Games", ignore_errors=True)
        shutil.rmtree(example / ".vaultkit" / "journals", ignore_errors=True)
        log = example / "Campaign Log.md"
        log.write_text(re.sub(r"\n.*\^vk-.*", "", log.read_text(encoding="utf-8")), encoding="utf-8")
        cut = started(example)
        time.sleep(whole * (0.5 + kill / 22))
        cut.kill()
        cut.wait()
        done = process(*GAME, *SCORES, cwd=example)
        assert done.code == ExitCode.OK and written_once(example), done.err


@pytest.mark.slow
def test_two_people_who_log_the_same_game_at_once_log_it_once(example: Path) -> None:
    both = [started(example) for _ in range(3)]
    assert [one.wait() for one in both] == [0, 0, 0] and written_once(example)
