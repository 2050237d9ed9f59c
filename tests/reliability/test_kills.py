"""Processes killed at random moments, with another program in the note: nothing is lost, nothing is there twice."""

import os
from pathlib import Path

import pytest

from tests.counts import count, some

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")]


@pytest.mark.parametrize("seed", some([7, 8], 1))
def test_commands_killed_at_random_moments(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.reliability.loop import run

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kills = count(60, 500)
    tally = run(kills, tmp_path, seed)
    assert tally.kills >= kills
    assert tally.lost == 0
    assert tally.theirs == tally.in_note + tally.displaced + tally.images
    assert min(tally.stages.values()) > 0
    assert set(tally.stages) == {"before the first file", "between the files", "after the last", "in an undo"}
