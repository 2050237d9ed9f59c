"""All known attacks, run as a user would; docs/security.md lists them."""

import os
from pathlib import Path

import pytest

from tests.attacks import decoders, histories, journals, lines, numbers, patterns, places, trust
from tests.attacks.attack import Attack, run
from tests.vault.hostile import fingerprint

ATTACKS = [
    *places.ATTACKS,
    *histories.ATTACKS,
    *decoders.ATTACKS,
    *journals.ATTACKS,
    *lines.ATTACKS,
    *numbers.ATTACKS,
    *patterns.ATTACKS,
    *trust.ATTACKS,
]
DOCS = Path(__file__).parents[2] / "docs/security.md"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs limits on memory and time, pipes and links")


def test_security_page_names_all_attacks() -> None:
    files = {path.stem for path in Path(__file__).parent.glob("*.py")} - {"__init__", "attack", "test_attacks"}
    page = DOCS.read_text(encoding="utf-8")
    assert files and all(f"`tests/attacks/{name}.py`" in page for name in files)


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_hostile_input_is_at_worst_refused(tmp_path: Path, attack: Attack) -> None:
    vault, home, away = (tmp_path / name for name in ("vault", "home", "away"))
    for folder in (vault / ".obsidian", home, away):
        folder.mkdir(parents=True)
    (away / "precious.tmp").write_text("precious")
    (vault / "Note.md").write_text("# Note\n\n[[Other]]\n")
    (vault / "Other.md").write_text("# Other\n")
    attack.prepare(vault)
    before, beside = fingerprint(away), sorted(tmp_path.iterdir())
    answer = run(vault, home, attack.command)
    assert (answer.exit_code, attack.words in answer.output) == (attack.exit_code, True), answer.output
    assert (fingerprint(away), sorted(tmp_path.iterdir())) == (before, beside)
    assert "Traceback" not in answer.output
