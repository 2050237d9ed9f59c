"""All known attacks, run as a user would; docs/security.md lists them."""

import os
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from scripts.limits import declared_limits, page_with_table
from tests.attacks import budgets, decoders, drawings, histories, journals, lines, numbers, patterns, places, trust
from tests.attacks.attack import EXTRA_BYTES, EXTRA_SECONDS, Answer, Attack, run
from tests.vault.hostile import fingerprint
from vaultkit.budget import Limit
from vaultkit.errors import BudgetExceeded

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
    *trust.ATTACKS,
]
DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs limits on memory and time, pipes and links")


def test_security_page_names_all_attacks() -> None:
    files = {path.stem for path in Path(__file__).parent.glob("*.py")} - {"__init__", "attack", "test_attacks"}
    page = (DOCS / "security.md").read_text(encoding="utf-8")
    assert files and all(f"`tests/attacks/{name}.py`" in page for name in files)


def test_page_of_limits_lists_all() -> None:
    assert page_with_table() == (DOCS / "limits.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("limit", declared_limits(), ids=lambda limit: limit.message)
def test_each_limit_names_the_file_what_is_too_much_and_what_to_do(limit: Limit) -> None:
    limit.check(limit.maximum)
    with pytest.raises(BudgetExceeded) as caught:
        limit.check(limit.maximum + 1, "Bad.md:3")
    problem = limit.problem("Bad.md", "too-many", 3)
    assert caught.value.where == "Bad.md:3" and (problem.note, problem.line) == ("Bad.md", 3)
    assert caught.value.message == problem.message == f"{limit.subject} more than {limit.amount}."
    assert re.search(r"[0-9] \w", problem.message) and problem.hint.rstrip(". {}") and caught.value.hint == problem.hint


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


@pytest.mark.slow
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
