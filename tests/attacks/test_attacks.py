"""All known attacks, run as a user would; docs/security.md lists them."""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.attacks import (
    budgets,
    decoders,
    drawings,
    histories,
    journals,
    lines,
    numbers,
    patterns,
    places,
    tables,
    trust,
)
from tests.attacks.attack import EXTRA_BYTES, EXTRA_SECONDS, Answer, Attack, run
from tests.vault.hostile import fingerprint

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="needs limits on memory and time, pipes and links"),
]
ATTACKS = [
    *budgets.ATTACKS,
    *places.ATTACKS,
    *histories.ATTACKS,
    *decoders.ATTACKS,
    *drawings.ATTACKS,
    *journals.ATTACKS,
    *lines.ATTACKS,
    *numbers.ATTACKS,
    *patterns.ATTACKS,
    *tables.ATTACKS,
    *trust.ATTACKS,
]


def make_vault(folder: Path) -> tuple[Path, Path]:
    """Return a vault of two notes without anything hostile, and a home folder."""
    vault, home = folder / "vault", folder / "home"
    (vault / ".obsidian").mkdir(parents=True)
    home.mkdir()
    (vault / "Note.md").write_text("# Note\n\n[[Other]]\n")
    (vault / "Other.md").write_text("# Other\n")
    return vault, home


@cache
def plain_answer(command: tuple[str, ...]) -> Answer:
    """Return what a command answers, and takes, without the hostile files."""
    with TemporaryDirectory() as folder:
        return run(*make_vault(Path(folder)), command)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_hostile_input_is_at_worst_refused(tmp_path: Path, attack: Attack) -> None:
    vault, home = make_vault(tmp_path)
    away = tmp_path / "away"
    away.mkdir()
    (away / "precious.tmp").write_text("precious")
    attack.prepare(vault)
    before, beside = fingerprint(away), sorted(tmp_path.iterdir())
    plain = plain_answer(attack.command)
    answer = run(vault, home, attack.command)
    assert (answer.exit_code, attack.words in answer.output) == (attack.exit_code, True), answer.output
    assert (fingerprint(away), sorted(tmp_path.iterdir())) == (before, beside)
    assert "Traceback" not in answer.output
    assert answer.peak < plain.peak + EXTRA_BYTES
    assert answer.seconds < plain.seconds + EXTRA_SECONDS
